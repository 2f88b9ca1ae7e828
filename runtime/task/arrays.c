/* Routines on the caller's arrays. All tasks of one read its token (claims.h). A task that takes the tokens of those
 * with overlapping arrays, and writes the routine's own, goes before them; so does the exchange with matrices that were
 * made over the same memory. When its tasks are done a thread of the library's calls what is left to be done, and only
 * then gives the token free: workers must not wait, and the submitter may be waiting. */
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/gate.h"
#include "runtime/base/stack.h"
#include "runtime/data/data_private.h"
#include "runtime/data/grid.h"
#include "runtime/data/staging.h"
#include "runtime/task/arrays.h"
#include "runtime/task/task_private.h"

/* ---- what is to be done at the end ------------------------------------------------------------------------------- */

struct tw_end {
    tw_end_fn fn; /* NULL: memory that was kept */
    void *arg;
    struct tw_end *next; /* the one before */
    _Alignas(16) char kept[];
};

static struct tw_end *add_end(struct tw_sequence *seq, size_t bytes)
{
    struct tw_end *end = calloc(1, sizeof *end + bytes);

    if (!end) return NULL;
    end->next = seq->run->ends;
    seq->run->ends = end;
    return end;
}

void *tw_loop_keep(struct tw_sequence *seq, size_t bytes)
{
    struct tw_end *end = add_end(seq, bytes);
    if (end) return end->kept;
    tw_loop_fail(seq, TW_E_MEMORY, "no memory for what tasks point to");
    return NULL;
}

void tw_loop_finally(struct tw_sequence *seq, tw_end_fn fn, void *arg)
{
    struct tw_end *end = add_end(seq, 0);

    if (end) {
        end->fn = fn;
        end->arg = arg;
        return;
    }
    tw_loop_fail(seq, TW_E_MEMORY, "no memory for what is to be done at the end");
    tw_loop_wait_own(seq); /* nothing follows: now is the end */
    fn(arg);
}

void *tw_loop_ending(struct tw_sequence *seq, tw_end_fn fn, int (*same)(const void *arg, const void *key),
                     const void *key)
{
    for (const struct tw_end *end = seq->run->ends; end; end = end->next)
        if (end->fn == fn && same(end->arg, key)) return end->arg;
    return NULL;
}

static void call(struct tw_end **ends)
{
    for (const struct tw_end *end = *ends; end; end = end->next)
        if (end->fn) end->fn(end->arg);
    while (*ends) {
        struct tw_end *const end = *ends;
        *ends = end->next;
        free(end);
    }
}

void tw_ends_call(struct tw_sequence *seq)
{
    call(&seq->ends);
}

/* ---- the thread that does it ------------------------------------------------------------------------------------- */

struct ending {
    struct tw_sequence *seq;
    struct tw_claimant *claimant;
    struct tw_end *ends;
    struct ending *next;
};
static struct {
    starpu_pthread_mutex_t lock;
    starpu_pthread_cond_t changed;
    starpu_pthread_t thread;
    int runs, stopping;
    struct ending *first, **last;
} ender = {.lock = STARPU_PTHREAD_MUTEX_INITIALIZER, .changed = STARPU_PTHREAD_COND_INITIALIZER, .last = &ender.first};

static void end(struct ending *e)
{
    struct tw_sequence *const seq = e->seq;

    call(&e->ends);
    starpu_data_release(tw_data_used(e->claimant->token));
    tw_claimant_end(e->claimant);
    free(e);
    tw_sequence_end_task(seq); /* last: the sequence may be gone after it */
}

static void *work(void *unused)
{
    (void)unused;
    tw_gate_adopt();
    starpu_pthread_mutex_lock(&ender.lock);
    for (;;) {
        while (!ender.first && !ender.stopping)
            starpu_pthread_cond_wait(&ender.changed, &ender.lock);
        struct ending *e = ender.first;
        if (!e) break;
        if (!(ender.first = e->next)) ender.last = &ender.first;
        starpu_pthread_mutex_unlock(&ender.lock);
        end(e);
        starpu_pthread_mutex_lock(&ender.lock);
    }
    starpu_pthread_mutex_unlock(&ender.lock);
    return NULL;
}

static int start_thread(void)
{
    starpu_pthread_mutex_lock(&ender.lock);
    if (!ender.runs && starpu_pthread_create(&ender.thread, tw_stack_attributes(), work, NULL) == 0) ender.runs = 1;
    const int runs = ender.runs;
    starpu_pthread_mutex_unlock(&ender.lock);
    return runs;
}

void tw_ends_stop(void)
{
    starpu_pthread_mutex_lock(&ender.lock);
    const int ran = ender.runs;
    ender.stopping = 1;
    starpu_pthread_cond_broadcast(&ender.changed);
    starpu_pthread_mutex_unlock(&ender.lock);
    if (ran) starpu_pthread_join(ender.thread, NULL);
    starpu_pthread_mutex_lock(&ender.lock);
    ender.runs = ender.stopping = 0;
    starpu_pthread_mutex_unlock(&ender.lock);
}

/* All tasks have read the token: on any thread. */
static void tasks_done(void *arg)
{
    struct ending *e = arg;

    starpu_pthread_mutex_lock(&ender.lock);
    *ender.last = e;
    ender.last = &e->next;
    starpu_pthread_cond_broadcast(&ender.changed);
    starpu_pthread_mutex_unlock(&ender.lock);
}

static void wait_for(struct tw_claimant *c, struct tw_sequence *seq)
{
    starpu_data_handle_t token = tw_data_handle(c->token);

    if (token && starpu_data_acquire(token, STARPU_RW) == 0)
        starpu_data_release(token);
    else
        tw_loop_fail(seq, TW_E_STARPU, "a routine's tasks could not be waited for");
}

void tw_arrays_end(struct tw_sequence *seq, struct tw_run *run)
{
    struct ending *e;

    if (!run->claimant && run->ends) {
        if (run->job) { /* a routine that waits for its tasks itself */
            tw_loop_wait(seq);
            call(&run->ends);
        } else { /* a call that returns when all is done: there is nothing of another one */
            struct tw_end **last = &run->ends;
            while (*last)
                last = &(*last)->next;
            *last = seq->ends;
            seq->ends = run->ends;
        }
        run->ends = NULL;
    }
    if (!run->claimant) return;
    tw_sequence_begin_callback(seq);
    e = malloc(sizeof *e);
    if (e) *e = (struct ending){seq, run->claimant, run->ends, NULL};
    if (!e || starpu_data_acquire_cb(tw_data_used(run->claimant->token), STARPU_RW, tasks_done, e) != 0) {
        free(e);
        wait_for(run->claimant, seq);
        call(&run->ends);
        tw_claimant_end(run->claimant);
        tw_sequence_end_task(seq);
    }
    run->claimant = NULL;
    run->ends = NULL;
}

/* ---- tasks that only order --------------------------------------------------------------------------------------- */

static int nothing(const struct tw_body *body)
{
    (void)body;
    return 0;
}
static struct tw_codelet order = {
    .name = "order", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = nothing, .cuda = TW_CUDA_BODY(nothing)};

/* Nothing of it is a body's to see. home: matrices' tiles are among it, whose values are to be in main memory. */
static void submit_order(struct tw_sequence *seq, const struct tw_access *access, int n, int home)
{
    tw_submit(seq, &(struct tw_task){.codelet = &order,
                                     .type = TW_DOUBLE,
                                     .access = access,
                                     .naccess = n,
                                     .hidden = n,
                                     .priority = tw_priority(seq, 1, 1, 1),
                                     .coord = {-1, -1, -1, -1},
                                     .place = home ? TW_ON_CPUS : TW_ANYWHERE});
}

void tw_submit_with_token(struct tw_sequence *seq, const struct tw_task *t)
{
    const struct tw_run *const run = seq->run;
    struct tw_access few[32], *access = few;
    struct tw_task task = *t;

    if (t->naccess > 30 && !(access = malloc((size_t)(t->naccess + 2) * sizeof *access))) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for a task's operands", t->codelet->name);
        return;
    }
    if (t->naccess) memcpy(access, t->access, (size_t)t->naccess * sizeof *access);
    if (run->claimant) access[task.naccess++] = (struct tw_access){run->claimant->token, TW_R};
    if (run->fence) access[task.naccess++] = (struct tw_access){run->fence, TW_R};
    task.access = access;
    task.hidden = task.naccess - t->naccess;
    tw_submit(seq, &task);
    if (access != few) free(access);
}

void tw_loop_after_all(struct tw_sequence *seq)
{
    if (seq->run->claimant)
        submit_order(seq, &(struct tw_access){seq->run->claimant->token, TW_RW}, 1, 0);
    else
        tw_loop_wait(seq);
}

int tw_loop_has_barriers(const struct tw_sequence *seq)
{
    return seq->run->fence != NULL;
}

/* Continuations read the fence, too (when.c), so that what they submit goes before the barrier. */
void tw_loop_barrier(struct tw_sequence *seq)
{
    if (seq->run->fence) submit_order(seq, &(struct tw_access){seq->run->fence, TW_RW}, 1, 0);
}

void tw_loop_wait_own(struct tw_sequence *seq)
{
    if (!seq->run->claimant) {
        tw_loop_wait(seq);
        return;
    }
    if (seq->pending) seq->hooks->settle(seq);
    wait_for(seq->run->claimant, seq);
}

/* ---- before and after a loop ------------------------------------------------------------------------------------- */

static size_t add_tiles(struct tw_access *access, struct tw_living *const *operand, int n)
{
    size_t count = 0;
    struct tw_range range;

    for (int k = 0; k < n; k++) {
        if (!tw_matrix_range(operand[k], &range)) continue;
        const struct tw_matrix *A = (const struct tw_matrix *)(const void *)operand[k];
        for (size_t t = 0, tiles = tw_count_tiles(A); t < tiles; t++, count++) {
            struct tw_data *d = &A->objects[t];
            if (!access) continue;
            if (d->staging) (void)tw_staging_share(d); /* a failure shows when the task is submitted */
            access[count] = (struct tw_access){d, TW_RW};
        }
    }
    return count;
}

/* The values of matrices over the same memory come home, and this routine's tasks follow theirs; after it theirs
 * follow. */
static void exchange(struct tw_sequence *seq, const struct tw_job *job, struct tw_data *const *token, int tokens)
{
    const size_t tiles = add_tiles(NULL, job->operand, job->operands);
    struct tw_access *access = malloc((tiles + (size_t)tokens + 1) * sizeof *access);
    size_t n = 0;

    if (!access) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for %zu operands", job->routine, tiles + (size_t)tokens);
        return;
    }
    n = add_tiles(access, job->operand, job->operands);
    for (int k = 0; k < tokens; k++)
        access[n++] = (struct tw_access){token[k], TW_RW};
    if (seq->run->claimant) access[n++] = (struct tw_access){seq->run->claimant->token, TW_RW};
    submit_order(seq, access, (int)n, tiles > 0);
    free(access);
}

void tw_arrays_unclaimed(struct tw_sequence *seq)
{
    if (seq->claims) tw_loop_wait(seq);
    tw_claims_clear(&seq->claims);
    seq->unclaimed = 1;
}

void tw_arrays_meet(struct tw_sequence *seq, struct tw_job *job)
{
    struct tw_data *few[32], **token = few;
    struct tw_range *range = malloc((size_t)job->operands * sizeof *range);
    int n = 0, tokens = 0;

    for (int k = 0; range && k < job->operands; k++)
        n += tw_matrix_range(job->operand[k], &range[n]);
    if (n > 0) tokens = tw_claims_find(&seq->claims, range, n, few, 32);
    if (tokens > 32 && (token = malloc((size_t)tokens * sizeof *token)))
        tokens = tw_claims_find(&seq->claims, range, n, token, tokens);
    if (!range || !token)
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory to order its tasks", job->routine);
    else if (tokens > 0)
        exchange(seq, job, token, tokens);
    free(range);
    if (token != few) free(token);
}

void tw_arrays_begin(struct tw_sequence *seq, struct tw_job *job)
{
    struct tw_data *few[32], **token = few;
    int tokens;

    if (seq->unclaimed) tw_loop_wait(seq);
    seq->unclaimed = 0;
    if (tw_loop_status(seq)) return;
    tokens = tw_claims_find(&seq->claims, job->range, job->ranges, few, 32);
    if (tokens > 32 && (token = malloc((size_t)tokens * sizeof *token)))
        tokens = tw_claims_find(&seq->claims, job->range, job->ranges, token, tokens); /* not more than before */
    seq->run->claimant = token && start_thread() ? tw_claimant_new() : NULL;
    if (!seq->run->claimant || !tw_data_handle(seq->run->claimant->token)) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory to order its tasks", job->routine);
    } else if (tokens > 0 || job->operands > 0) {
        exchange(seq, job, token, tokens);
    }
    if (seq->run->claimant && tw_claims_add(&seq->claims, job->range, job->ranges, seq->run->claimant))
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory to order its tasks", job->routine);
    if (token != few) free(token);
}

void tw_arrays_close(struct tw_sequence *seq, struct tw_job *job)
{
    if (job->operands > 0 && seq->run->claimant) exchange(seq, job, NULL, 0);
}
