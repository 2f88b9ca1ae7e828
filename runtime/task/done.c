/* What the watchers are told of a task: its accesses before it is submitted, and when it is done where and when it
 * ran. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/sequence.h"
#include "runtime/base/state.h"
#include "runtime/cuda/timing.h"
#include "runtime/data/data_private.h"
#include "runtime/task/task_private.h"
#include "runtime/task/task_state.h"
#include "runtime/task/values.h"

/* ---- at submission ----------------------------------------------------------------------------------------------- */

static struct tw_seen_kernel seen_kernel(const struct tw_variant *v)
{
    const struct tw_codelet *c = v->codelet;
    return (struct tw_seen_kernel){.id = c,
                                   .name = c->name,
                                   .rate = c->rate,
                                   .type = v->type,
                                   .second = v->second,
                                   .on_cpu = c->cpu != NULL,
                                   .on_gpu = c->cuda != NULL};
}

void tw_task_show(const struct tw_task_state *s, const struct tw_task *t)
{
    struct tw_seen_access small[TW_BUFFERS_ON_STACK], *access = small;

    if (t->naccess > TW_BUFFERS_ON_STACK && !(access = malloc((size_t)t->naccess * sizeof *access))) return;
    for (int k = 0; k < t->naccess; k++) {
        const struct tw_data *d = t->access[k].data;
        const enum tw_mode mode = t->access[k].mode;
        if (!d || mode == TW_SCRATCH)
            access[k] = (struct tw_seen_access){0};
        else /* Temporaries (tiles of no matrix) and what lives on a GPU need not travel. */
            access[k] = (struct tw_seen_access){d,
                                                tw_data_used(d),
                                                tw_data_bytes(d),
                                                mode != TW_W,
                                                mode != TW_R,
                                                d->home == 0 || d->staging,
                                                d->staging != NULL,
                                                mode == TW_RW_COMMUTE && !tw_rt.config.reproducible};
    }
    if (tw_record_on()) {
        tw_edges_task(s->id, access, t->naccess);
        const struct tw_values *v = tw_values_now(s->seq);
        if (v->count) tw_edges_values(s->id, v->writer, v->count);
    }
    if (tw_times_on())
        tw_times_submitted(
            &(struct tw_seen_task){seen_kernel(s->variant), t->flops, s->work.order, t->bytes, access, t->naccess});
    if (access != small) free(access);
}

/* ---- completion -------------------------------------------------------------------------------------------------- */

void tw_task_state_free(struct tw_task_state *s)
{
    free(s->moves);
    free(s->seen);
    free(s);
}

static int where_of(int worker)
{
    return starpu_worker_get_type(worker) == STARPU_CUDA_WORKER ? TW_COST_GPU + starpu_worker_get_devid(worker)
                                                                : TW_COST_CPU;
}

/* What a recording has beside start and end: what StarPU's profiling knows, and the models before they learn from this
 * task: of the GPU where it ran, else of the first. */
static void tell_phases(struct tw_record *r, const struct tw_task_state *s, struct starpu_profiling_task_info *info)
{
    const int where = where_of(r->worker), gpu = where == TW_COST_CPU ? TW_COST_FIRST_GPU : where;

    r->ready = starpu_timing_timespec_to_us(&info->push_start_time) * 1e-6;
    r->taken = starpu_timing_timespec_to_us(&info->pop_end_time) * 1e-6;
    r->loaded = starpu_timing_timespec_to_us(&info->acquire_data_end_time) * 1e-6;
    if (s->codelet->cpu) r->predicted[0] = tw_model_seconds(s->variant->cost, 0, &s->work);
    if (s->codelet->cuda && tw_rt.ncuda > 0) r->predicted[1] = tw_model_seconds(s->variant->cost, gpu, &s->work);
}

static void record_moves(const struct tw_task_state *s, double start, double end)
{
    for (int k = 0; k < s->nmoves; k++)
        if (s->moves[k].from != s->moves[k].to)
            tw_record_transfer(&(struct tw_transfer){.from = start,
                                                     .to = end,
                                                     .bytes = s->moves[k].bytes,
                                                     .source = s->moves[k].from,
                                                     .target = s->moves[k].to,
                                                     .task = s->id + 1});
}

/* When it ran, by the GPU's own clock. StarPU hands a stream its next task before it has seen the end of the one
 * before, and counts the next from there on: the GPU may begin it sooner, but not before its body put it into the
 * stream. */
static int by_gpu(const struct tw_task_state *s, struct starpu_profiling_task_info *info, double gpu[2])
{
    const int ran = info && s->ran;
    return tw_timing_read(s->timing, ran ? fmin(s->asked, starpu_timing_timespec_to_us(&info->start_time) * 1e-6) : NAN,
                          ran ? starpu_timing_timespec_to_us(&info->end_time) * 1e-6 : NAN, &gpu[0], &gpu[1]);
}

void tw_task_done(void *arg)
{
    struct tw_task_state *s = arg;
    struct tw_sequence *seq = s->seq;
    struct starpu_profiling_task_info *info = s->task->profiling_info;
    int worker = starpu_worker_get_id();
    double moved = 0, gpu[2] = {0, 0};
    const int timed = s->timing && by_gpu(s, info, gpu);

    if (worker >= 0 && s->ran)
        tw_stage_task_ended(s->stage, s->begun, starpu_worker_get_type(worker) == STARPU_CUDA_WORKER,
                            info ? starpu_timing_timespec_to_us(&info->end_time) * 1e-6 : tw_now());
    if (info && worker >= 0 && s->ran) {
        double start = starpu_timing_timespec_to_us(&info->start_time) * 1e-6,
               end = starpu_timing_timespec_to_us(&info->end_time) * 1e-6;
        tw_counters_done(worker, s->did, end - start);
        for (int k = 0; k < s->nmoves; k++)
            moved += tw_times_moved(worker, &s->moves[k], info);
        if (tw_times_on()) {
            const struct tw_seen_kernel kernel = seen_kernel(s->variant);
            tw_times_done(worker, &kernel, s->did, s->work.order, s->work.bytes, moved > 0 && s->work.flops <= 0, info);
        }
        if (tw_record_on()) {
            struct tw_record r = {.submit = s->submit,
                                  .start = timed ? gpu[0] : start,
                                  .end = timed ? gpu[1] : end,
                                  .by_gpu = timed,
                                  .flops = s->did,
                                  .moved = moved,
                                  .name = s->codelet->name,
                                  .stage = tw_stage_name(s->stage),
                                  .color = s->codelet->color,
                                  .worker = worker,
                                  .priority = s->priority,
                                  .type = (unsigned char)s->type,
                                  .id = s->id,
                                  .routine = s->routine};
            memcpy(r.coord, s->coord, sizeof r.coord);
            tell_phases(&r, s, info);
            if (!timed) tw_lost_tell(&r, s->lost[0], s->lost[1]); /* a core's, not the GPU's */
            record_moves(s, r.start, r.end);
            tw_record_task(&r);
            tw_sequence_ran(seq, s->id, r.end);
        }
        tw_model_learn(s->variant->cost, where_of(worker), &s->work, end - start);
    }
    tw_task_state_free(s);
    tw_sequence_end_task(seq);
}

static __attribute__((constructor)) void tell_whose(void)
{
    tw_own_except(tw_task_done);
}

enum tw_lane tw_task_lane(const struct starpu_task *task)
{
    return task->callback_func == tw_task_done ? tw_handed_over(task->cl_arg)->lane : TW_LANE_OWN;
}
