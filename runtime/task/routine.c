/* Routines from their rows: the checks, then one of the two doors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/living.h"
#include "runtime/task/routine.h"
#include "runtime/task/task_private.h"

enum { TW_WHO = 64 };
static const char *name_of(char who[TW_WHO], const struct tw_routine *r, const char *suffix)
{
    snprintf(who, TW_WHO, "tw_%s%s", r->name, suffix);
    return who;
}

static double flops_of(const struct tw_routine *r, const void *args)
{
    return r->flops ? r->flops(args) : 0;
}

int tw_run(const struct tw_routine *r, void *args)
{
    char who[TW_WHO];
    const int e = r->check ? r->check(r->function ? r->function : name_of(who, r, ""), args) : 0;

    if (e) return e == TW_NOTHING ? 0 : e;
    return tw_call(r->name, r->loop, args, flops_of(r, args));
}

static int operands_of(const struct tw_operand *o, const void *args)
{
    int n = 0;
    for (; o && o->mode; o++)
        n += o->count ? *(const int *)((const char *)args + o->count - 1) : 1;
    return n;
}

/* The operands into `list`; arrays of them, whose memory is the caller's, are copied behind it and `args` points
 * there. */
static void list_operands(const struct tw_operand *o, char *args, struct tw_living **list)
{
    for (; o && o->mode; o++) {
        void **at = (void **)(void *)(args + o->at);
        if (!o->count) {
            *list++ = *at;
            continue;
        }
        const int n = *(const int *)(const void *)(args + o->count - 1);
        if (n > 0) memcpy(list, *at, (size_t)n * sizeof *list);
        *at = list;
        list += n;
    }
}

int tw_queue(const struct tw_routine *r, struct tw_sequence *seq, void *args)
{
    char who[TW_WHO];
    struct tw_job *job;
    int e;

    name_of(who, r, "_async");
    if (!seq) return tw_illegal(who, r->arguments + 1, "NULL sequence");
    if (r->check && (e = r->check(who, args))) return e == TW_NOTHING ? 0 : e;
    if (!(job = tw_job_new(r->name, r->loop, args, r->size, operands_of(r->operand, args))))
        return tw_fail(TW_E_MEMORY, "%s: no memory to queue the routine", who);
    list_operands(r->operand, tw_job_args(job), job->operand);
    return tw_job_queue(seq, job, flops_of(r, args));
}

int tw_run_or_queue(const struct tw_routine *r, struct tw_sequence *seq, void *args)
{
    return seq ? tw_queue(r, seq, args) : tw_run(r, args);
}

int tw_call_async(struct tw_sequence *seq, const char *routine, tw_loop_fn loop, const void *args, size_t size,
                  double flops)
{
    struct tw_job *job = tw_job_new(routine, loop, args, size, 0);
    if (job) job->unclaimed = 1;
    return job ? tw_job_queue(seq, job, flops) : tw_fail(TW_E_MEMORY, "%s: no memory to queue the routine", routine);
}

int tw_call_arrays_async(struct tw_sequence *seq, const char *routine, tw_loop_fn loop, const void *args, size_t size,
                         double flops, const struct tw_range *range, int n)
{
    struct tw_matrix *few[16], **over = few;
    int count = tw_matrices_over(range, n, few, 16);
    struct tw_job *job;

    if (count > 16)
        count = (over = malloc((size_t)count * sizeof *over)) ? tw_matrices_over(range, n, over, count) : -1;
    job = count >= 0 ? tw_job_new(routine, loop, args, size, count) : NULL;
    for (int k = 0; job && k < count; k++)
        job->operand[k] = &over[k]->life;
    if (job) memcpy(job->range, range, (size_t)(job->ranges = n) * sizeof *range);
    if (over != few) free(over);
    return job ? tw_job_queue(seq, job, flops) : tw_fail(TW_E_MEMORY, "%s: no memory to queue the routine", routine);
}
