/* Tasks that a program gives to StarPU itself, beside Tilework's, in the same recording.
 *
 * StarPU calls its scheduling policy when a task is submitted, starts and has ended; each policy may leave these calls
 * out. The first recording puts functions of this file in their place, which call those that were there. They stay as
 * long as StarPU runs: a worker that has found one there may be about to call it. So any policy will do, and a StarPU
 * that the program has started. Seen are tasks of the main scheduling context, and of those without a policy; not those
 * of several workers at once, which StarPU does not announce, nor empty ones, which run nowhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/order.h"
#include "runtime/base/state.h"
#include "runtime/watch/watch.h"

enum { CALLBACKS = 8, NAMES = 1000, NAME_MOST = 200, SUCCESSORS = 64 };

/* ---- whose a task is --------------------------------------------------------------------------------------------- */

static void (*callbacks[CALLBACKS])(void *);
static int ncallbacks;

void tw_own_except(void (*callback)(void *))
{
    if (ncallbacks < CALLBACKS) callbacks[ncallbacks++] = callback;
}

static int is_own(const struct starpu_task *task)
{
    for (int k = 0; k < ncallbacks; k++)
        if (task->callback_func == callbacks[k]) return 0;
    return task->cl && task->cl->where != STARPU_NOWHERE && task->where != STARPU_NOWHERE;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Copies: a codelet may be gone when the recording is written. Kept until the program ends, since a recording that is
 * being written points to them; a program may have a name for each task, so there is an end to them. */
static char *names[2 * NAMES];
static int nnames;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static const char others[] = "others" TW_OWN_SUFFIX;

static const char *find_name(const char *name)
{
    char text[NAME_MOST + sizeof TW_OWN_SUFFIX];
    size_t at = 5381;

    snprintf(text, sizeof text, "%.*s" TW_OWN_SUFFIX, NAME_MOST, name);
    for (const char *c = text; *c; c++)
        at = 33 * at + (unsigned char)*c;
    for (at %= 2 * NAMES; names[at]; at = (at + 1) % (2 * NAMES))
        if (!strcmp(names[at], text)) return names[at];
    if (nnames == NAMES || !(names[at] = strdup(text))) return others;
    nnames++;
    return names[at];
}

/* Most tasks of a worker have the name of the one before. */
static const char *kept_name(const char *name)
{
    static _Thread_local const char *last;
    const size_t length = strlen(name);

    if (last && !strncmp(last, name, length) && !strcmp(last + length, TW_OWN_SUFFIX)) return last;
    starpu_pthread_mutex_lock(&lock);
    last = find_name(name);
    starpu_pthread_mutex_unlock(&lock);
    return last;
}

static const char *name_of(const struct starpu_task *task)
{
    const struct starpu_perfmodel *model = task->cl->model;

    if (task->cl->name && *task->cl->name) return task->cl->name;
    if (model && model->symbol && *model->symbol) return model->symbol;
    return task->name && *task->name ? task->name : "task";
}

/* ---- those that are under way ------------------------------------------------------------------------------------ */

/* Their numbers: open addressing, no gaps. Several tables, so that workers seldom wait for each other. */
enum { TABLES = 16 };
struct waiting {
    const struct starpu_task *task;
    unsigned long id;
    int submitted; /* 0: others' predecessors said that there is one */
};
static struct table {
    _Alignas(64) starpu_pthread_mutex_t lock;
    struct waiting *at;
    size_t count, room;
} tables[TABLES] = {[0 ... TABLES - 1] = {.lock = STARPU_PTHREAD_MUTEX_INITIALIZER}};

static uint64_t hash(const struct starpu_task *task)
{
    return ((uintptr_t)task >> 4) * 0x9e3779b97f4a7c15ull >> 20;
}

static struct table *lock_table(const struct starpu_task *task)
{
    struct table *t = &tables[hash(task) % TABLES];

    starpu_pthread_mutex_lock(&t->lock);
    return t;
}

static size_t slot_of(const struct waiting *in, size_t size, const struct starpu_task *task)
{
    size_t at = (size_t)(hash(task) / TABLES) & (size - 1);

    while (in[at].task && in[at].task != task)
        at = (at + 1) & (size - 1);
    return at;
}

static int more_room(struct table *t)
{
    const size_t bigger = t->room ? 2 * t->room : 64;
    struct waiting *more = calloc(bigger, sizeof *more);

    if (!more) return 0;
    for (size_t k = 0; k < t->room; k++)
        if (t->at[k].task) more[slot_of(more, bigger, t->at[k].task)] = t->at[k];
    free(t->at);
    t->at = more;
    t->room = bigger;
    return 1;
}

static void enter(struct table *t, const struct starpu_task *task, unsigned long id, int is_submitted)
{
    const tw_int limit = tw_rt.config.trace_limit;

    if (limit && t->count >= (size_t)limit) return; /* bounded as records are */
    if (2 * (t->count + 1) > t->room && !more_room(t)) return;
    struct waiting *w = &t->at[slot_of(t->at, t->room, task)];
    t->count += !w->task;
    *w = (struct waiting){task, id, is_submitted};
}

static const struct waiting *find(const struct table *t, const struct starpu_task *task)
{
    const struct waiting *w = t->room ? &t->at[slot_of(t->at, t->room, task)] : NULL;
    return w && w->task ? w : NULL;
}

static void leave(struct table *t, const struct starpu_task *task)
{
    size_t gap = slot_of(t->at, t->room, task), at = gap;

    if (!t->at[gap].task) return;
    t->count--;
    for (;;) { /* those behind that would not be found across the gap move into it */
        t->at[gap].task = NULL;
        do {
            at = (at + 1) & (t->room - 1);
            if (!t->at[at].task) return;
        } while (slot_of(t->at, t->room, t->at[at].task) == at);
        t->at[slot_of(t->at, t->room, t->at[at].task)] = t->at[at];
        gap = at;
    }
}

void tw_own_forget(void)
{
    for (int k = 0; k < TABLES; k++) {
        struct table *t = &tables[k];
        starpu_pthread_mutex_lock(&t->lock);
        free(t->at);
        t->at = NULL;
        t->count = t->room = 0;
        starpu_pthread_mutex_unlock(&t->lock);
    }
}

/* ---- what a task accesses ---------------------------------------------------------------------------------------- */

static int keeps_order(struct starpu_task *task, unsigned k)
{
    if (task->handles_sequential_consistency && !task->handles_sequential_consistency[k]) return 0;
    return starpu_data_get_sequential_consistency_flag(STARPU_TASK_GET_HANDLE(task, k)) != 0;
}

static void tell_accesses(struct starpu_task *task, unsigned long id)
{
    struct tw_seen_access access[STARPU_NMAXBUFS];
    const unsigned n = STARPU_TASK_GET_NBUFFERS(task);
    int used = 0;

    if (!task->sequential_consistency) return;
    for (unsigned k = 0; k < n && used < STARPU_NMAXBUFS; k++) {
        const starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, k);
        const enum starpu_data_access_mode mode = STARPU_TASK_GET_MODE(task, k);
        if (!handle || mode & STARPU_SCRATCH || !keeps_order(task, k)) continue;
        access[used++] = (struct tw_seen_access){.object = handle,
                                                 .handle = handle,
                                                 .bytes = (double)starpu_data_get_size(handle),
                                                 .reads = (mode & STARPU_R) != 0,
                                                 .writes = (mode & (STARPU_W | STARPU_REDUX)) != 0,
                                                 .travels = starpu_data_get_home_node(handle) == STARPU_MAIN_RAM,
                                                 .commutes = (mode & (STARPU_COMMUTE | STARPU_REDUX)) != 0};
    }
    tw_edges_task(id, access, used);
}

/* Dependencies that the program declared, without data. A task that is not submitted yet gets its number here. */
static void tell_successors(struct starpu_task *task, unsigned long id)
{
    struct starpu_task *next[SUCCESSORS];
    const int n = starpu_task_get_task_succs(task, SUCCESSORS, next);

    for (int k = 0; k < n && k < SUCCESSORS; k++) {
        if (!is_own(next[k])) continue;
        struct table *t = lock_table(next[k]);
        const struct waiting *w = find(t, next[k]);
        const unsigned long their = w ? w->id : tw_record_next_id();
        if (!w) enter(t, next[k], their, 0);
        starpu_pthread_mutex_unlock(&t->lock);
        tw_edges_told(their, id);
    }
}

/* ---- what StarPU calls ------------------------------------------------------------------------------------------- */

static void (*policys_submitted)(struct starpu_task *);
static void (*policys_begins)(struct starpu_task *, unsigned);
static void (*policys_ended)(struct starpu_task *, unsigned);
static _Thread_local double at_start; /* tw_lost_so_far; a GPU's worker may have several under way: not known there */

static void submitted(struct starpu_task *task)
{
    void (*first)(struct starpu_task *) = __atomic_load_n(&policys_submitted, __ATOMIC_ACQUIRE);

    if (first) first(task);
    if (!tw_record_on() || !is_own(task)) return;
    tw_task_recorded(task);
    struct table *t = lock_table(task);
    const struct waiting *w = find(t, task); /* one that was submitted is another one's, at the same address */
    const unsigned long id = w && !w->submitted ? w->id : tw_record_next_id();
    enter(t, task, id, 1);
    starpu_pthread_mutex_unlock(&t->lock);
    tell_accesses(task, id);
}

static void begins(struct starpu_task *task, unsigned context)
{
    void (*first)(struct starpu_task *, unsigned) = __atomic_load_n(&policys_begins, __ATOMIC_ACQUIRE);

    if (first) first(task, context);
    tw_task_met(task);
    at_start = tw_record_on() && is_own(task) ? tw_lost_so_far() : 0;
}

static double seconds_of(const struct timespec *t)
{
    return starpu_timing_timespec_to_us((struct timespec *)t) * 1e-6;
}

/* The lock is taken once a recording by each worker. */
static int routine(void)
{
    static double recording;
    static int number;
    static _Thread_local double known;
    static _Thread_local int its_number;

    if (known == tw_record_origin()) return its_number;
    starpu_pthread_mutex_lock(&lock);
    if (recording != tw_record_origin()) {
        recording = tw_record_origin();
        number = tw_record_routine("own tasks");
    }
    known = recording;
    its_number = number;
    starpu_pthread_mutex_unlock(&lock);
    return its_number;
}

static void record(struct starpu_task *task, int worker, const struct starpu_profiling_task_info *info)
{
    const int cuda = starpu_worker_get_type(worker) == STARPU_CUDA_WORKER;
    struct tw_record r = {.submit = seconds_of(&info->submit_time),
                          .start = seconds_of(&info->start_time),
                          .end = seconds_of(&info->end_time),
                          .ready = seconds_of(&info->push_start_time),
                          .taken = seconds_of(&info->pop_end_time),
                          .loaded = seconds_of(&info->acquire_data_end_time),
                          .flops = task->flops > 0 ? task->flops : 0,
                          .color = (task->color ? task->color : task->cl->color) & 0xFFFFFF,
                          .worker = worker,
                          .priority = task->priority,
                          .coord = {-1, -1, -1, -1}};

    if (isfinite(task->predicted) && task->predicted > 0) r.predicted[cuda] = 1e-6 * task->predicted;
    if (!cuda) tw_lost_tell(&r, at_start, tw_lost_so_far());
    r.name = kept_name(name_of(task));
    r.routine = routine();
    struct table *t = lock_table(task);
    const struct waiting *w = find(t, task);
    r.id = w ? w->id : tw_record_next_id(); /* submitted before the recording began */
    if (w) leave(t, task);
    starpu_pthread_mutex_unlock(&t->lock);
    tell_successors(task, r.id);
    tw_record_task(&r);
}

static void ended(struct starpu_task *task, unsigned context)
{
    void (*first)(struct starpu_task *, unsigned) = __atomic_load_n(&policys_ended, __ATOMIC_ACQUIRE);
    const int worker = starpu_worker_get_id();

    if (first) first(task, context);
    if (tw_record_on() && worker >= 0 && is_own(task) && task->profiling_info)
        record(task, worker, task->profiling_info);
}

/* What was there is called first, so it is known before. A pointer is written in one piece. */
void tw_own_watch(void)
{
    struct starpu_sched_policy *policy = starpu_sched_ctx_get_sched_policy(0);

    if (!policy || policy->post_exec_hook == ended) return;
    __atomic_store_n(&policys_submitted, policy->submit_hook, __ATOMIC_RELEASE);
    __atomic_store_n(&policys_begins, policy->pre_exec_hook, __ATOMIC_RELEASE);
    __atomic_store_n(&policys_ended, policy->post_exec_hook, __ATOMIC_RELEASE);
    __atomic_store_n(&policy->submit_hook, submitted, __ATOMIC_RELEASE);
    __atomic_store_n(&policy->pre_exec_hook, begins, __ATOMIC_RELEASE);
    __atomic_store_n(&policy->post_exec_hook, ended, __ATOMIC_RELEASE);
}
