/* Sequences: queues of routines, each with its own submitter thread; waiting, errors, infos, cancellation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/doing.h"
#include "runtime/base/living.h"
#include "runtime/base/gate.h"
#include "runtime/base/stack.h"
#include "runtime/base/state.h"
#include "runtime/base/variables.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/machine.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"
#include "runtime/task/thread.h"
#include "runtime/task/values.h"
#include "runtime/task/when.h"
#include "runtime/watch/watch.h"

static starpu_pthread_mutex_t list_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static int alive; /* sequences made by users */

int tw_sequences_alive(void)
{
    int n;
    starpu_pthread_mutex_lock(&list_lock);
    n = alive;
    starpu_pthread_mutex_unlock(&list_lock);
    return n;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static void reset(struct tw_sequence *seq)
{
    atomic_store(&seq->status, 0);
    seq->epoch = tw_cancel_epoch();
    seq->message[0] = 0;
    seq->info = 0;
    seq->info_order = 0;
    seq->order = 0;
    seq->values.count = seq->ran.count = 0;
    seq->emptied = seq->any_ran = 0;
}

static void construct(struct tw_sequence *seq)
{
    memset(seq, 0, sizeof *seq);
    starpu_pthread_mutex_init(&seq->lock, NULL);
    starpu_pthread_cond_init(&seq->changed, NULL);
    seq->wake_at = -1;
    atomic_init(&seq->status, 0);
    reset(seq);
}

static void destruct(struct tw_sequence *seq)
{
    starpu_pthread_mutex_lock(&seq->lock); /* whoever signalled last has left */
    starpu_pthread_mutex_unlock(&seq->lock);
    starpu_pthread_cond_destroy(&seq->changed);
    starpu_pthread_mutex_destroy(&seq->lock);
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

struct tw_data *tw_info(struct tw_sequence *seq)
{
    struct tw_run *run = seq->run;

    if (!run->info) {
        run->info = tw_data_vector(1, sizeof(int64_t), (int[2]){-1, -1});
        if (!run->info) tw_loop_fail(seq, TW_E_MEMORY, "no memory for an info object");
    }
    return run->info;
}

tw_int tw_info_wait(struct tw_sequence *seq)
{
    int64_t info = 0;

    if (!seq->run->info || tw_loop_value(seq, seq->run->info, NULL, &info)) return 0;
    return info;
}

struct info_read {
    struct tw_sequence *seq;
    struct tw_data *data;
    int order;
};

static void info_arrived(void *arg)
{
    struct info_read *r = arg;
    struct tw_sequence *seq = r->seq;
    int64_t info = *(int64_t *)r->data->host; /* not starpu_data_get_local_ptr: this may run on a GPU's worker */

    if (info > 0) {
        starpu_pthread_mutex_lock(&seq->lock);
        if (seq->info == 0 || r->order < seq->info_order) seq->info = info, seq->info_order = r->order;
        starpu_pthread_mutex_unlock(&seq->lock);
    }
    tw_vector_pointer_zero(r->data);
    starpu_data_release(tw_data_used(r->data));
    tw_data_recycle(r->data);
    free(r);
    tw_sequence_end_task(seq);
}

/* When all of a routine is submitted: read its info when the tasks are done, without waiting here. */
static void collect_info(struct tw_sequence *seq, const struct tw_run *run)
{
    struct tw_data *data = run->info;
    struct info_read *r;

    if (!data) return;
    r = malloc(sizeof *r);
    if (!r) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory to read an info object");
        tw_data_free_later(data);
        return;
    }
    *r = (struct info_read){seq, data, run->order};
    tw_sequence_begin_callback(seq);
    if (!tw_data_handle(data) || starpu_data_acquire_cb(tw_data_used(data), STARPU_RW, info_arrived, r) != 0) {
        tw_loop_fail(seq, TW_E_STARPU, "starpu_data_acquire_cb refused an info object");
        free(r);
        tw_sequence_end_task(seq);
    }
}

/* ---- running routines -------------------------------------------------------------------------------------------- */

/* All of it is submitted. */
static void run_done(struct tw_sequence *seq, struct tw_run *run)
{
    collect_info(seq, run);
    if (run->fence) tw_data_free_later(run->fence);
    tw_arrays_end(seq, run);
    if (run->job) {
        tw_living_let_go(run->job->operand, run->job->operands);
        free(run->job);
    }
    free(run);
}

struct tw_run *tw_run_of(struct tw_sequence *seq)
{
    return seq->run;
}

void tw_run_item_done(struct tw_sequence *seq, struct tw_run *run)
{
    if (--run->items == 0 && run->returned) run_done(seq, run);
}

/* job: of the async door, else NULL; given back when all of the routine is submitted, which may be after this
 * returns. */
static void run_routine(struct tw_sequence *seq, const char *routine, tw_loop_fn loop, void *args, struct tw_job *job)
{
    static atomic_ulong runs;
    struct tw_run *run = calloc(1, sizeof *run), none = {0};

    seq->order++;
    seq->run = run ? run : &none;
    seq->stage = NULL;
    if (job) seq->values = tw_values_after(&seq->values, &job->values);
    *seq->run = (struct tw_run){.number = atomic_fetch_add(&runs, 1) + 1, .order = seq->order, .job = job, .ahead = -1};
    seq->routine_id = seq->run->routine_id = tw_record_on() ? tw_record_routine(routine) : 0;
    if (!run) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for a routine", routine);
        if (job) tw_living_let_go(job->operand, job->operands);
        free(job);
    } else {
        if (tw_variable_is_on(TW_TILEWORK_BARRIERS) && !(run->fence = tw_data_token()))
            tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for barriers", routine);
        if (tw_lookahead(&run->ahead)) tw_loop_fail(seq, TW_E_OPTION, "%s", tw_last_message());
        if (job && job->ranges) tw_arrays_begin(seq, job);
        if (job && job->unclaimed) tw_arrays_unclaimed(seq);
        if (job && job->operands && !job->ranges && seq->claims) tw_arrays_meet(seq, job);
        if (!tw_sequence_stopped(seq)) {
            const double from = job ? tw_doing_begins() : 0; /* else the call tells it */
            const int range = job && tw_nvtx_on();
            if (range) tw_nvtx_push(routine, 0, -1);
            loop(seq, args);
            if (range) tw_nvtx_pop();
            tw_doing_ended(TW_DOING_SUBMIT, from);
        }
        if (job && job->ranges) tw_arrays_close(seq, job);
        run->returned = 1;
        if (run->items == 0) run_done(seq, run);
    }
    seq->run = NULL;
}

/* With the lock held and nothing outstanding: the result, and the sequence is as new. */
static int take_result(struct tw_sequence *seq, int was_used)
{
    int status;
    tw_int info = seq->info;

    if (was_used && seq->epoch != tw_cancel_epoch()) tw_sequence_fail_locked(seq, TW_E_CANCELLED, "cancelled");
    status = atomic_load(&seq->status);
    if (status)
        tw_set_message(seq->message);
    else if (info > INT32_MAX)
        info =
            INT32_MAX; /* int is the return type of this door; the LAPACK door has n < 2^31 on any memory known today */
    tw_claims_clear(&seq->claims);
    seq->unclaimed = 0;
    reset(seq);
    return status ? status : (int)info;
}

/* Sequences of synchronous calls are kept for the next call. */
static struct tw_sequence *spare;

static struct tw_sequence *borrow(void)
{
    struct tw_sequence *seq;
    starpu_pthread_mutex_lock(&list_lock);
    seq = spare;
    if (seq) spare = seq->next;
    starpu_pthread_mutex_unlock(&list_lock);
    if (!seq && (seq = malloc(sizeof *seq))) construct(seq);
    if (seq) reset(seq);
    return seq;
}

static void give_back(struct tw_sequence *seq)
{
    starpu_pthread_mutex_lock(&list_lock);
    seq->next = spare;
    spare = seq;
    starpu_pthread_mutex_unlock(&list_lock);
}

static __attribute__((destructor)) void free_spares(void)
{
    while (spare) {
        struct tw_sequence *seq = spare;
        spare = seq->next;
        destruct(seq);
        free(seq);
    }
}

int tw_call(const char *routine, tw_loop_fn loop, void *args, double flops)
{
    struct tw_sequence *seq;
    int r;

    const double from = tw_doing_begins();
    tw_clear_message();
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (!(seq = borrow())) return tw_fail(TW_E_MEMORY, "%s: no memory for a sequence", routine);
    const int range = tw_nvtx_on();
    if (range) tw_nvtx_push(routine, 0, -1);
    tw_counters_submitted(flops);
    tw_enter();
    tw_loop_enter();
    seq->values = tw_thread_waited();
    run_routine(seq, routine, loop, args, NULL);
    tw_loop_settle(seq);
    tw_loop_leave();
    tw_doing_ended(TW_DOING_SUBMIT, from);
    const double waits = tw_doing_begins();
    starpu_pthread_mutex_lock(&seq->lock);
    tw_sequence_wait_until(seq, 0);
    tw_values_thread_waited(seq);
    starpu_pthread_mutex_unlock(&seq->lock);
    tw_ends_call(seq);
    starpu_pthread_mutex_lock(&seq->lock);
    r = take_result(seq, 1);
    starpu_pthread_mutex_unlock(&seq->lock);
    tw_leave();
    tw_doing_ended(TW_DOING_WAIT, waits);
    if (range) tw_nvtx_pop();
    give_back(seq);
    return r;
}

/* ---- the async door ---------------------------------------------------------------------------------------------- */

static void *submitter(void *arg)
{
    struct tw_sequence *seq = arg;

    tw_loop_enter();
    tw_gate_adopt(); /* the sequence lives: nothing is stopped */
    starpu_pthread_mutex_lock(&seq->lock);
    for (;;) {
        while (!seq->head && !seq->ready && !seq->stopping)
            starpu_pthread_cond_wait(&seq->changed, &seq->lock);
        if (!seq->head && !seq->ready) break;
        struct tw_job *job = seq->ready ? NULL : seq->head;
        if (job) seq->head = job->next;
        if (!seq->head) seq->tail = NULL;
        seq->busy = 1;
        starpu_pthread_mutex_unlock(&seq->lock);
        if (job)
            run_routine(seq, job->routine, job->loop, job->args, job);
        else
            tw_pending_poll(seq);
        starpu_pthread_mutex_lock(&seq->lock);
        seq->busy = 0;
        starpu_pthread_cond_broadcast(&seq->changed);
    }
    starpu_pthread_mutex_unlock(&seq->lock);
    return NULL;
}

int tw_sequence_create(tw_sequence **out)
{
    struct tw_sequence *seq;

    tw_clear_message();
    if (!out) return tw_illegal("tw_sequence_create", 1, "NULL");
    *out = NULL;
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (!(seq = malloc(sizeof *seq))) return tw_fail(TW_E_MEMORY, "no memory for a sequence");
    construct(seq);
    starpu_pthread_mutex_lock(&list_lock);
    alive++;
    starpu_pthread_mutex_unlock(&list_lock);
    *out = seq;
    return 0;
}

struct tw_job *tw_job_new(const char *routine, tw_loop_fn loop, const void *args, size_t size, int operands)
{
    const size_t before = (sizeof(struct tw_job) + (size_t)operands * sizeof(struct tw_living *) + 15) / 16 * 16;
    struct tw_job *job = malloc(before + size);

    if (!job) return NULL;
    *job = (struct tw_job){.routine = routine, .loop = loop, .operands = operands};
    job->args = (char *)job + before;
    if (size) memcpy(job->args, args, size);
    return job;
}

int tw_job_queue(struct tw_sequence *seq, struct tw_job *job, double flops)
{
    int e = 0;

    tw_clear_message();
    TW_INSIDE int refused = tw_begin_alive(); /* refuses a forked child */
    if (refused) {
        free(job);
        return refused;
    }
    job->values = tw_thread_waited();
    tw_living_queued(job->operand, job->operands);
    tw_counters_submitted(flops);
    starpu_pthread_mutex_lock(&seq->lock);
    if (!seq->has_thread) {
        if (starpu_pthread_create(&seq->thread, tw_stack_attributes(), submitter, seq) != 0)
            e = tw_fail(TW_E_MEMORY, "%s: no thread for the sequence", job->routine);
        else
            seq->has_thread = 1;
    }
    if (!e) {
        if (!seq->active) {
            tw_enter(); /* until the sequence has been waited for */
            seq->active = 1;
            seq->epoch = tw_cancel_epoch(); /* an earlier tw_cancel_all was not for this */
        }
        if (seq->tail)
            seq->tail->next = job;
        else
            seq->head = job;
        seq->tail = job;
        starpu_pthread_cond_broadcast(&seq->changed);
    }
    starpu_pthread_mutex_unlock(&seq->lock);
    if (e) {
        tw_living_let_go(job->operand, job->operands);
        free(job);
    }
    return e;
}

static int idle(const struct tw_sequence *seq)
{
    return !seq->head && !seq->busy && seq->items == 0 && seq->outstanding == 0;
}

int tw_sequence_wait(tw_sequence *seq)
{
    int was_active, e;

    tw_clear_message();
    if (!seq) return tw_illegal("tw_sequence_wait", 1, "NULL");
    TW_INSIDE int refused = tw_begin_alive();
    if (refused) return refused;
    const double from = tw_doing_begins();
    starpu_pthread_mutex_lock(&seq->lock);
    while (!idle(seq)) {
        if (!seq->head && !seq->busy && seq->items == 0) seq->wake_at = 0; /* else the submitter owns wake_at */
        starpu_pthread_cond_wait(&seq->changed, &seq->lock);
    }
    seq->wake_at = -1;
    was_active = seq->active;
    seq->active = 0;
    tw_values_thread_waited(seq);
    e = take_result(seq, was_active);
    starpu_pthread_mutex_unlock(&seq->lock);
    tw_doing_ended(TW_DOING_WAIT, from);
    if (was_active) tw_leave();
    return e;
}

int tw_sequence_test(tw_sequence *seq)
{
    int done;
    if (!seq || atomic_load(&tw_life.forked)) return 1; /* a child: nothing is left that somebody would do */
    starpu_pthread_mutex_lock(&seq->lock);
    done = idle(seq);
    starpu_pthread_mutex_unlock(&seq->lock);
    return done;
}

int tw_sequence_cancel(tw_sequence *seq)
{
    if (!seq) return tw_illegal("tw_sequence_cancel", 1, "NULL");
    if (atomic_load(&tw_life.forked)) return tw_start(); /* which refuses; the lock may be a thread's of the parent */
    starpu_pthread_mutex_lock(&seq->lock);
    if (!idle(seq)) tw_sequence_fail_locked(seq, TW_E_CANCELLED, "cancelled by tw_sequence_cancel");
    starpu_pthread_mutex_unlock(&seq->lock);
    return 0;
}

int tw_sequence_destroy(tw_sequence *seq)
{
    int r;

    if (!seq) return 0;
    TW_INSIDE int refused = tw_begin_alive();
    if (refused) return refused; /* a forked child has no submitter thread to join */
    r = tw_sequence_wait(seq);
    starpu_pthread_mutex_lock(&seq->lock);
    seq->stopping = 1;
    starpu_pthread_cond_broadcast(&seq->changed);
    starpu_pthread_mutex_unlock(&seq->lock);
    if (seq->has_thread) starpu_pthread_join(seq->thread, NULL);
    destruct(seq);
    free(seq);
    starpu_pthread_mutex_lock(&list_lock);
    alive--;
    starpu_pthread_mutex_unlock(&list_lock);
    return r;
}
