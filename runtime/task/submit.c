/* Submission: from a codelet and its accesses to a StarPU task. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/order.h"
#include "runtime/base/sequence.h"
#include "runtime/base/state.h"
#include "runtime/cuda/partition.h"
#include "runtime/data/data_private.h"
#include "runtime/data/staging.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/task/admit.h"
#include "runtime/task/task_private.h"
#include "runtime/task/task_state.h"
#include "runtime/task/thread.h"

static enum starpu_data_access_mode starpu_mode(enum tw_mode m)
{
    switch (m) {
    case TW_R: return STARPU_R;
    case TW_W: return STARPU_W;
    case TW_RW_COMMUTE: return tw_rt.config.reproducible ? STARPU_RW : STARPU_RW | STARPU_COMMUTE;
    case TW_SCRATCH: return STARPU_SCRATCH | STARPU_NOFOOTPRINT;
    default: return STARPU_RW;
    }
}

static int attach_buffers(struct starpu_task *task, const struct tw_task *t)
{
    starpu_data_handle_t *handles = task->handles;
    enum starpu_data_access_mode *modes = task->modes;

    task->nbuffers = t->naccess;
    if (t->naccess > STARPU_NMAXBUFS) { /* StarPU frees both with the task */
        task->dyn_handles = handles = malloc((size_t)t->naccess * sizeof *handles);
        task->dyn_modes = modes = malloc((size_t)t->naccess * sizeof *modes);
        if (!handles || !modes) return TW_E_MEMORY;
    }
    for (int k = 0; k < t->naccess; k++) {
        if (!t->access[k].data) return TW_E_INTERNAL;
        if (!(handles[k] = tw_data_handle(t->access[k].data)))
            return t->access[k].data->home == TW_HOME_GONE ? TW_E_STATE : TW_E_MEMORY;
        modes[k] = starpu_mode(t->access[k].mode);
    }
    return 0;
}

static double bytes_of(const struct tw_task *t)
{
    double b = t->bytes;
    for (int k = 0; k < t->naccess; k++) {
        const struct tw_data *d = t->access[k].data;
        if (d && t->access[k].mode != TW_SCRATCH)
            b += tw_data_bytes(d) * ((t->access[k].mode & TW_RW) == TW_RW ? 2 : 1);
    }
    return b;
}

/* Whether there are tokens among the operands, and kinds with views of their own. */
static int look_at_kinds(struct tw_task_state *s, const struct tw_task *t)
{
    int views = 0;

    for (int k = 0; k < t->naccess; k++) {
        const struct tw_data_kind *kind = t->access[k].data ? t->access[k].data->kind : NULL;
        s->has_tokens |= kind == &tw_kind_token;
        views |= kind && kind->view;
    }
    if (!views) return 0;
    if (!(s->seen = calloc((size_t)t->naccess, sizeof *s->seen))) return TW_E_MEMORY;
    for (int k = 0; k < t->naccess; k++)
        if (t->access[k].data) {
            s->seen[k].view = t->access[k].data->kind->view;
            memcpy(s->seen[k].shape, t->access[k].data->shape, sizeof s->seen[k].shape);
        }
    return 0;
}

static double order_of(const struct tw_task *t)
{
    return t->m > 0 || t->n > 0 || t->k > 0 ? tw_order(t->m, t->n, t->k) : t->size;
}

/* What the loop wants, where there are GPUs with such ways. Not in reproducible mode: cuBLAS might take another kernel
 * on a part of the multiprocessors, and what yields goes by predictions. */
static enum tw_lane lane_of(const struct tw_sequence *seq, const struct tw_codelet *c)
{
    if (seq->lane != TW_LANE_OWN && tw_partition_left() > 0 && !tw_rt.config.reproducible) return seq->lane;
    return c->urgent ? TW_LANE_URGENT : TW_LANE_OWN;
}

static struct tw_task_state *make_state(struct tw_sequence *seq, struct tw_variant *v, const struct tw_task *t)
{
    struct tw_task_state *s = malloc(sizeof *s);
    if (!s) return NULL;
    *s = (struct tw_task_state){.seq = seq,
                                .codelet = t->codelet,
                                .variant = v,
                                .stage = tw_stage_of(seq->stage),
                                .type = t->type,
                                .lane = lane_of(seq, t->codelet),
                                .work = {.flops = t->flops, .bytes = bytes_of(t), .order = order_of(t)},
                                .did = t->flops,
                                .nbuf = t->naccess - t->hidden,
                                .run = seq->run->number,
                                .priority = t->priority,
                                .routine = seq->run->routine_id,
                                .id = tw_record_next_id()};
    if (t->nmoves > 0 && (s->moves = malloc((size_t)t->nmoves * sizeof *s->moves)))
        memcpy(s->moves, t->moves, (size_t)(s->nmoves = t->nmoves) * sizeof *s->moves);
    if (look_at_kinds(s, t) || s->nmoves < t->nmoves) {
        tw_task_state_free(s);
        return NULL;
    }
    memcpy(s->coord, t->coord, sizeof s->coord);
    if (t->args_size) memcpy(s->args, t->args, t->args_size);
    if (tw_record_on()) s->submit = tw_now();
    return s;
}

static void refuse(struct tw_sequence *seq, const struct tw_task *t, int code, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "task %s: %s", t->codelet->name, why);
    tw_sequence_fail(seq, code, text);
}

/* Where all CPU workers together would add less than 5 % to the GPUs' rate, the scheduler need not weigh them for every
 * task, and a CPU never starts what a GPU would have ended long before. */
static int gpus_alone(const struct tw_task_state *s)
{
    const enum tw_rate rate = s->codelet->rate;
    if (tw_rt.ncuda == 0 || !s->codelet->cuda || !s->codelet->cpu || s->work.flops <= 0) return 0;
    return tw_rt.ncpu * tw_profile_rate(0, rate, s->type, s->work.order) <
           0.05 * tw_gpu_units(TW_FACTOR_PRODUCTS) * tw_profile_rate(1, rate, s->type, s->work.order);
}

/* Operands that a GPU cannot hold at the same time, even if it holds nothing else: StarPU would try again for ever. 2:
 * for certain; 1: if what is small lies in its way. */
static int too_large(const struct tw_task *t)
{
    double bytes = 0, kept = 0, largest = 0, total;

    if (tw_rt.ncuda == 0 || !t->codelet->cuda || !(total = (double)tw_gpu_memory())) return 0;
    for (int k = 0; k < t->naccess; k++) {
        const double b = t->access[k].data ? tw_data_bytes(t->access[k].data) : 0;
        bytes += b;
        kept += tw_keeps(b, total);
        if (b > largest) largest = b;
    }
    if (bytes >= 0x1p26 && bytes + TW_SMALL_PIECES > total) return 2;
    return tw_keeps(largest, total) == largest && largest >= 0x1p24 && kept + TW_SMALL_PIECES > total;
}

/* 0, or -1 if there is no such GPU. StarPU keeps the pointer to the set of workers: there is one per GPU, for good. */
static int place(struct starpu_task *task, int where)
{
    static uint32_t set[STARPU_NMAXWORKERS][(STARPU_NMAXWORKERS + 31) / 32];
    int worker;

    if (where == TW_ON_CPUS) task->where = STARPU_CPU;
    if (where == TW_ANYWHERE || where == TW_ON_CPUS) return 0;
    worker = where > 0 ? tw_gpu_worker(where - 1) : tw_gpu_last_worker(-2 - where);
    if (worker < 0) return -1;
    /* the same value whoever writes it */
    __atomic_store_n(&set[worker][worker / 32], (uint32_t)1 << worker % 32, __ATOMIC_RELAXED);
    task->workerids = set[worker];
    task->workerids_len = (STARPU_NMAXWORKERS + 31) / 32;
    task->where = STARPU_CUDA;
    return 0;
}

/* A task that was not submitted: StarPU destroys the others itself, and stops the program at who does so too early. */
static void discard(struct starpu_task *task)
{
    task->destroy = 0;
    starpu_task_destroy(task);
}

void tw_submit(struct tw_sequence *seq, const struct tw_task *t)
{
    if (seq->run && (seq->run->claimant || seq->run->fence) && !t->hidden)
        tw_submit_with_token(seq, t);
    else if (!seq->pending || !tw_pending_task(seq, t))
        tw_submit_now(seq, t);
}

void tw_submit_now(struct tw_sequence *seq, const struct tw_task *t)
{
    struct tw_variant *v;
    struct tw_task_state *s;
    struct starpu_task *task;
    int large, e;

    if (tw_sequence_stopped(seq) || tw_staging_before(seq, t->access, t->naccess, t->priority)) return;
    if (t->args_size > TW_ARGS_MAX) {
        refuse(seq, t, TW_E_INTERNAL, "argument struct too large");
        return;
    }
    v = tw_variant_of(t->codelet, t->type, t->second);
    s = v ? make_state(seq, v, t) : NULL;
    if (!s) {
        refuse(seq, t, TW_E_MEMORY, "no memory");
        return;
    }
    task = s->task = starpu_task_create();
    task->cl = &v->starpu;
    task->cl_arg = s;
    task->callback_func = tw_task_done;
    task->callback_arg = s;
    task->name = t->codelet->name;
    task->color = t->codelet->color;
    task->flops = t->flops;
    task->priority = t->priority;
    if (place(task, t->place)) {
        refuse(seq, t, TW_E_NO_WORKER, "the GPU that it is meant for is not there");
        discard(task);
        tw_task_state_free(s);
        return;
    }
    large = t->place == TW_ANYWHERE ? too_large(t) : 0;
    if (large && (large == 2 || t->codelet->cpu)) {
        task->where = STARPU_CPU;
        if (!t->codelet->cpu) {
            refuse(seq, t, TW_E_MEMORY, "the GPUs' memory does not hold its operands");
            discard(task);
            tw_task_state_free(s);
            return;
        }
    } else if (t->place == TW_ANYWHERE && gpus_alone(s)) {
        task->where = STARPU_CUDA;
    }
    if ((e = attach_buffers(task, t))) {
        refuse(seq, t, e,
               e == TW_E_MEMORY  ? "no memory"
               : e == TW_E_STATE ? "the library was stopped since its matrix was made, which can only be destroyed"
                                 : "an operand does not exist");
        discard(task);
        tw_task_state_free(s);
        return;
    }
    if (tw_times_on() || tw_record_on()) tw_task_show(s, t);
    tw_sequence_begin_task(seq);
    tw_task_recorded(task);
    atomic_store_explicit(&s->handed, 1, memory_order_release);
    tw_thread_submitted();
    e = starpu_task_submit(task);
    if (!e) tw_staging_after(t->access, t->naccess);
    if (e) {
        refuse(seq, t, e == -ENODEV ? TW_E_NO_WORKER : TW_E_STARPU,
               e == -ENODEV ? "no worker in use can run it (are all CPU workers switched off?)" : strerror(-e));
        discard(task);
        tw_task_state_free(s);
        tw_sequence_end_task(seq);
    }
}
