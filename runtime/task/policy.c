/* Tilework's scheduling policy, the default where GPUs are: one queue of ready tasks per GPU, in order of priority,
 * shared by the GPU's streams, and one for the CPUs.
 *
 * StarPU's dmdas binds a task to one stream when it becomes ready; the stream then takes its tasks in turn, and while
 * one of them waits for its data the others behind it wait, too, whatever their priority and however idle the other
 * streams are. Here a stream takes the most urgent task whose data has arrived. Which GPU: where the task would be done
 * first, by the work queued there, at that GPU's own rates, and the data missing there. A CPU takes a task from a GPU's
 * queue only if it would end it, data there and back, before the GPU has worked off its queue or while it has waited
 * there, and never one whose matrices live on GPUs alone. */
#include <stdlib.h>
#include <starpu.h>

#include "runtime/cuda/partition.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/task/admit.h"
#include "runtime/task/soonest.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"

struct entry {
    struct starpu_task *task;
    int priority;
    unsigned long turn; /* first come, first served among equals */
    double seconds;     /* of one GPU, or of one core in the CPUs' queue */
    double bytes;       /* of all its operands and workspaces */
    int helpful;        /* a CPU could take it from this GPU's queue */
    double since;       /* it has been there, by StarPU's clock */
};
struct queue {
    struct entry *heap;
    atomic_int count; /* written under the lock */
    int room;
    int workers, first; /* of this memory node; the first of them */
    int waiting;        /* streams that hold a task whose data is still on its way */
    _Atomic double load;
    atomic_int helpful; /* tasks here that a CPU could do */
};
static struct queue queues[STARPU_MAXNODES];
/* Of a GPU with more than TW_STREAMS streams, those beyond take tasks of chains only (TW_LANE_CHAIN), which have a
 * queue of their own then: in the other streams each of them would wait for what was put there before. They are the
 * ones behind the first, which, like the last, does what was meant for it. */
static struct queue chains[STARPU_MAXNODES];
static int for_chains(unsigned node)
{
    const int beyond = queues[node].workers - TW_STREAMS;
    return beyond > 0 && node != STARPU_MAIN_RAM && tw_partition_left() > 0 ? beyond : 0;
}
static int is_for_chains(unsigned worker, unsigned node)
{
    const int place = (int)worker - queues[node].first;
    return place >= 1 && place <= for_chains(node);
}
/* Idle workers ask again and again, each time with the lock: one that found nothing asks again after a while only. */
static double next_look[STARPU_NMAXWORKERS];
#define PAUSE_GPU 3.0 /* us */
#define PAUSE_CPU 50.0
/* CPU workers beside GPUs, and streams for chains, that have found nothing for a while sleep in between: StarPU's would
 * spin, and on a machine whose cores are shared by two threads, or by other guests, take half the speed of the threads
 * that drive the GPUs, or milliseconds of their time. */
static double idle_since[STARPU_NMAXWORKERS], last_pop[STARPU_NMAXWORKERS];
#define AWAKE 300.0 /* us */
#define SLEEP 100.0
/* Cores beyond so many ask and wake that much more rarely, so that all of them together do not more often: 51 beside
 * four H200s took 5 % of LU's speed, order 65536, by asking. */
#define CROWD 8.0
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static unsigned long arrivals;
static unsigned nodes;

/* A stream's kernels run one after another: what it takes while a long task runs, such as a panel, waits for that,
 * though other streams stand idle. So it takes nothing then; what is lost, the host's work between two tasks, is little
 * beside a long one. */
/* that the stream has taken, by its address; NULL: none */
static struct starpu_task *_Atomic long_task[STARPU_NMAXWORKERS];
#define LONG 1e-3 /* seconds, as predicted */

/* What each stream's task holds of its GPU's memory: StarPU gives a task its operands one by one and takes none back,
 * so that tasks which do not fit together would wait for each other for ever. */
static _Atomic double taken[STARPU_NMAXWORKERS]; /* bytes; more only under the lock */
static struct tw_stream_has has[STARPU_NMAXWORKERS];
static atomic_int turned_away[STARPU_MAXNODES];

/* A GPU that has no room for a task, and whose queue is as good as empty, may never come to it. */
#define PATIENCE   1.0 /* seconds */
#define LOOK_AHEAD 8   /* tasks whose data is looked at before the first is taken as it is */

/* ---- a heap, the most urgent task on top ------------------------------------------------------------------------- */

static int before(const struct entry *a, const struct entry *b)
{
    return a->priority != b->priority ? a->priority > b->priority : a->turn < b->turn;
}

static void add_load(struct queue *q, double seconds)
{
    double load = atomic_load(&q->load) + seconds;
    atomic_store(&q->load, q->count > 0 && load > 0 ? load : 0); /* only written under the lock */
}

static int insert(struct queue *q, struct entry e)
{
    if (q->count == q->room) {
        int room = q->room ? 2 * q->room : 1024;
        struct entry *larger = realloc(q->heap, (size_t)room * sizeof *larger);
        if (!larger) return -ENOMEM;
        q->heap = larger;
        q->room = room;
    }
    int k = q->count++;
    for (; k > 0 && before(&e, &q->heap[(k - 1) / 2]); k = (k - 1) / 2)
        q->heap[k] = q->heap[(k - 1) / 2];
    q->heap[k] = e;
    atomic_fetch_add(&q->helpful, e.helpful);
    add_load(q, e.seconds);
    return 0;
}

static struct entry take(struct queue *q, int at)
{
    struct entry taken = q->heap[at], last = q->heap[--q->count];
    int k = at;

    if (at < q->count) {
        for (; k > 0 && before(&last, &q->heap[(k - 1) / 2]); k = (k - 1) / 2)
            q->heap[k] = q->heap[(k - 1) / 2];
        for (int child; (child = 2 * k + 1) < q->count; k = child) {
            if (child + 1 < q->count && before(&q->heap[child + 1], &q->heap[child])) child++;
            if (!before(&q->heap[child], &last)) break;
            q->heap[k] = q->heap[child];
        }
        q->heap[k] = last;
    }
    atomic_fetch_sub(&q->helpful, taken.helpful);
    add_load(q, -taken.seconds);
    return taken;
}

/* ---- where a task should go -------------------------------------------------------------------------------------- */

/* Bytes that the task reads and that the node lacks. */
static double missing(struct starpu_task *task, unsigned node)
{
    double bytes = 0;
    int allocated, valid, requested;

    for (unsigned k = 0; k < STARPU_TASK_GET_NBUFFERS(task); k++) {
        starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, k);
        if (!(STARPU_TASK_GET_MODE(task, k) & STARPU_R)) continue;
        starpu_data_query_status(handle, (int)node, &allocated, &valid, &requested);
        if (!valid) bytes += (double)starpu_data_get_size(handle);
    }
    return bytes;
}

/* Bytes of the node's memory that the task keeps from others while it runs. */
static double held_by(struct starpu_task *task, unsigned node)
{
    const double total = (double)starpu_memory_get_total(node);
    double bytes = 0;

    for (unsigned k = 0; k < STARPU_TASK_GET_NBUFFERS(task); k++)
        bytes += tw_keeps((double)starpu_data_get_alloc_size(STARPU_TASK_GET_HANDLE(task, k)), total);
    return bytes;
}

static void take_bytes(unsigned worker, const struct entry *e)
{
    tw_stream_takes(&has[worker], e->task, e->bytes);
    atomic_store(&taken[worker], tw_stream_bytes(&has[worker]));
}
static void give_bytes(unsigned worker, const struct starpu_task *task)
{
    if (tw_stream_gives(&has[worker], task)) atomic_store(&taken[worker], tw_stream_bytes(&has[worker]));
}

/* Does it fit beside the tasks that the GPU's streams have? With the lock. */
static int fits(double bytes, unsigned node)
{
    const struct queue *q = &queues[node];
    double others = 0;

    for (int k = 0; k < q->workers; k++)
        others += atomic_load(&taken[q->first + k]);
    if (others == 0 || tw_admits(others, bytes, starpu_memory_get_total(node), tw_held_on(node))) return 1;
    atomic_store_explicit(&turned_away[node], 1, memory_order_relaxed);
    return 0;
}

/* Seconds that the task takes of the node's worker, by its model; 0 where it has none. */
static double seconds_on(struct starpu_task *task, const struct queue *q)
{
    struct starpu_perfmodel_arch *arch = starpu_worker_get_perf_archtype(q->first, task->sched_ctx);
    double us = starpu_task_expected_length(task, arch, 0);
    return us > 0 ? us * 1e-6 : 0;
}

/* A task for one stream of a GPU (TW_ON_GPU, TW_ON_COPY_STREAM) need not suit the GPU's first; a node's workers are
 * neighbours. */
static int runs_on(struct starpu_task *task, const struct queue *q)
{
    const int count = task->workerids_len ? q->workers : tw_min(q->workers, 1);

    for (int k = 0; k < count; k++)
        if (starpu_worker_can_execute_task_first_impl((unsigned)(q->first + k), task, NULL)) return 1;
    return 0;
}

/* The memory node whose workers should do it. Of equal GPUs one is asked for all. */
static unsigned choose(struct starpu_task *task, double *seconds)
{
    const int alike = tw_gpus_alike();
    struct tw_soonest best = tw_soonest();
    const struct queue *cpus = &queues[STARPU_MAIN_RAM];
    double here = 0;

    for (unsigned node = 0; node < nodes; node++) {
        struct queue *q = &queues[node];
        if (node == STARPU_MAIN_RAM || !runs_on(task, q)) continue;
        if (best.gpu < 0 || !alike) here = seconds_on(task, q) / (q->workers - for_chains(node));
        tw_soonest_offer(&best, (int)node, atomic_load(&q->load) + atomic_load(&chains[node].load), here,
                         missing(task, node));
    }
    if (best.gpu < 0) {
        *seconds = cpus->workers ? seconds_on(task, cpus) / cpus->workers : 0;
        return STARPU_MAIN_RAM;
    }
    *seconds = best.seconds;
    return (unsigned)best.gpu;
}

/* ---- the policy -------------------------------------------------------------------------------------------------- */

#ifndef STARPU_NON_BLOCKING_DRIVERS
static void wake(unsigned node)
{
    for (unsigned w = 0; w < starpu_worker_get_count(); w++) /* CPUs, too: they may help a GPU */
        if (starpu_worker_get_memory_node(w) == node || starpu_worker_get_type((int)w) == STARPU_CPU_WORKER)
            (void)starpu_wake_worker_relax_light((int)w);
}
#else
static void wake(unsigned node)
{
    (void)node; /* workers look for themselves */
}
#endif

static int push(struct starpu_task *task)
{
    double seconds;
    unsigned node = choose(task, &seconds);
    const double bytes = node == STARPU_MAIN_RAM ? 0 : held_by(task, node);
    const int in_chain = for_chains(node) > 0 && !task->workerids_len && tw_task_lane(task) == TW_LANE_CHAIN;
    int helpful = !in_chain && node != STARPU_MAIN_RAM && runs_on(task, &queues[STARPU_MAIN_RAM]), e;

    task->sched_data = NULL;
    if (node != STARPU_MAIN_RAM && missing(task, node) > 0)
        (void)starpu_prefetch_task_input_on_node_prio(task, node, task->priority);
    starpu_worker_relax_on();
    starpu_pthread_mutex_lock(&lock);
    starpu_worker_relax_off();
    e = insert(in_chain ? &chains[node] : &queues[node],
               (struct entry){task, task->priority, arrivals++, seconds, bytes, helpful, starpu_timing_now()});
    if (!e) (void)starpu_push_task_end(task);
    starpu_pthread_mutex_unlock(&lock);
    if (!e) wake(node);
    return e;
}

/* Some tasks are for one of the GPU's streams (TW_ON_GPU). */
static int is_for(struct starpu_task *task, unsigned worker)
{
    return !task->workerids_len || starpu_worker_can_execute_task_first_impl(worker, task, NULL);
}

/* The first of the most urgent tasks whose data is there. If none is: the most urgent, for one stream at a time, since
 * what has not been fetched ahead (for lack of memory, say) is only fetched for a task that is taken. In any case one
 * that fits beside what the other streams have. */
static struct starpu_task *take_for_gpu(struct queue *q, unsigned node, unsigned worker)
{
    struct entry seen[LOOK_AHEAD];
    struct starpu_task *task = NULL;
    int n = 0, first = -1;

    while (!task && n < LOOK_AHEAD && q->count > 0) {
        seen[n] = take(q, 0);
        if (!is_for(seen[n].task, worker) || !fits(seen[n].bytes, node)) {
            n++;
        } else if (missing(seen[n].task, node) == 0) {
            task = seen[n].task;
            take_bytes(worker, &seen[n]);
        } else {
            if (first < 0) first = n;
            n++;
        }
    }
    if (!task && first >= 0 && q->waiting == 0) {
        task = seen[first].task;
        take_bytes(worker, &seen[first]);
        task->sched_data = q; /* until it starts */
        q->waiting++;
        for (int k = first + 1; k < n; k++)
            seen[k - 1] = seen[k];
        n--;
    }
    while (n > 0)
        (void)insert(q, seen[--n]); /* there was room for them before */
    return task;
}

/* Would a core have done a GPU's task, and the GPU go on with it, before `most` seconds? Idle cores ask again and
 * again, each with the lock, and a task may have hundreds of operands: these are looked at only while they matter. */
static int helps(struct starpu_task *task, const struct queue *own, double most)
{
    const double seconds = seconds_on(task, own);
    double fetched = 0, written = 0, fresh = 0;
    int allocated, valid, requested;

    for (unsigned k = 0; k < STARPU_TASK_GET_NBUFFERS(task); k++) {
        if (!(tw_help_seconds(seconds, fetched, written, fresh) < most)) return 0;
        starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, k);
        const enum starpu_data_access_mode mode = STARPU_TASK_GET_MODE(task, k);
        const double bytes = (double)starpu_data_get_size(handle);

        if (!(mode & STARPU_RW)) continue; /* workspaces */
        starpu_data_query_status(handle, STARPU_MAIN_RAM, &allocated, &valid, &requested);
        if (!allocated) fresh += bytes;
        if (mode & STARPU_R && !valid) fetched += bytes;
        if (mode & STARPU_W) written += bytes;
    }
    return tw_help_seconds(seconds, fetched, written, fresh) < most;
}

static struct starpu_task *take_for_cpu(void)
{
    struct queue *own = &queues[STARPU_MAIN_RAM];

    if (own->count > 0) return take(own, 0).task;
    for (unsigned node = 0; node < nodes; node++) {
        struct queue *q = &queues[node];
        if (node == STARPU_MAIN_RAM || q->count == 0) continue;
        struct entry *e = &q->heap[q->count - 1]; /* one of the less urgent */
        const double waited = 1e-6 * (starpu_timing_now() - e->since);
        if (e->helpful && helps(e->task, own, fmax(atomic_load(&q->load), waited > PATIENCE ? waited : 0)))
            return take(q, q->count - 1).task;
    }
    return NULL;
}

/* Without the lock: is there anything for this node's workers? */
static int worth_a_look(unsigned node, int chain)
{
    if (chain) return atomic_load_explicit(&chains[node].count, memory_order_relaxed) > 0;
    if (atomic_load_explicit(&queues[node].count, memory_order_relaxed) > 0) return 1;
    for (unsigned k = 0; node == STARPU_MAIN_RAM && k < nodes; k++)
        if (atomic_load_explicit(&queues[k].helpful, memory_order_relaxed) > 0) return 1;
    return 0;
}

static double for_each_core(double us)
{
    return us * fmax(1, queues[STARPU_MAIN_RAM].workers / CROWD);
}

static void rest(unsigned worker, double now)
{
    const double sleep = for_each_core(SLEEP);

    if (nodes == 1) return; /* no GPUs */
    /* not since a pause of the whole library */
    if (idle_since[worker] == 0 || now - last_pop[worker] > AWAKE + 10 * sleep) idle_since[worker] = now;
    last_pop[worker] = now;
    if (now - idle_since[worker] < AWAKE) return;
    starpu_worker_relax_on();
    starpu_usleep((float)sleep);
    starpu_worker_relax_off();
}

static struct starpu_task *pop(unsigned context)
{
    const unsigned worker = (unsigned)starpu_worker_get_id_check(), node = starpu_worker_get_memory_node(worker);
    const int cpu = node == STARPU_MAIN_RAM, chain = is_for_chains(worker, node);
    struct starpu_task *task;
    double now;

    (void)context;
    if (atomic_load_explicit(&long_task[worker], memory_order_relaxed)) return NULL;
    now = starpu_timing_now();
    if (!worth_a_look(node, chain) || now < next_look[worker]) {
        if (cpu || (chain && atomic_load_explicit(&taken[worker], memory_order_relaxed) <= 0)) rest(worker, now);
        return NULL;
    }
    starpu_worker_relax_on();
    starpu_pthread_mutex_lock(&lock);
    starpu_worker_relax_off();
    task = cpu ? take_for_cpu() : take_for_gpu(chain ? &chains[node] : &queues[node], node, worker);
    starpu_pthread_mutex_unlock(&lock);
    if (task && !cpu && seconds_on(task, &queues[node]) > LONG) atomic_store(&long_task[worker], task);
    if (task)
        idle_since[worker] = 0;
    else
        next_look[worker] = now + (cpu ? for_each_core(PAUSE_CPU) : PAUSE_GPU);
    return task;
}

static void starts(struct starpu_task *task, unsigned context)
{
    struct queue *q = task->sched_data;

    (void)context;
    if (!q) return;
    task->sched_data = NULL;
    starpu_worker_relax_on();
    starpu_pthread_mutex_lock(&lock);
    starpu_worker_relax_off();
    q->waiting--;
    starpu_pthread_mutex_unlock(&lock);
}

static void ended(struct starpu_task *task, unsigned context)
{
    const int worker = starpu_worker_get_id();
    unsigned node;

    (void)context;
    if (worker < 0 || starpu_worker_get_type(worker) == STARPU_CPU_WORKER) return;
    if (atomic_load_explicit(&long_task[worker], memory_order_relaxed) == task) atomic_store(&long_task[worker], NULL);
    give_bytes((unsigned)worker, task);
    node = starpu_worker_get_memory_node((unsigned)worker);
    if (atomic_exchange_explicit(&turned_away[node], 0, memory_order_relaxed)) wake(node);
}

static void open_policy(unsigned context)
{
    for (unsigned k = 0; k < STARPU_MAXNODES; k++)
        queues[k] = chains[k] = (struct queue){0};
    for (int w = 0; w < STARPU_NMAXWORKERS; w++) {
        atomic_store(&long_task[w], NULL);
        atomic_store(&taken[w], 0);
        has[w] = (struct tw_stream_has){0};
        next_look[w] = idle_since[w] = last_pop[w] =
            0; /* StarPU's clock begins anew with it: an old time would lie in the future */
    }
    nodes = starpu_memory_nodes_get_count();
    if (!starpu_sched_ctx_min_priority_is_set(context)) starpu_sched_ctx_set_min_priority(context, INT_MIN);
    if (!starpu_sched_ctx_max_priority_is_set(context)) starpu_sched_ctx_set_max_priority(context, INT_MAX);
}

static void close_policy(unsigned context)
{
    (void)context;
    for (unsigned k = 0; k < STARPU_MAXNODES; k++)
        free(queues[k].heap), free(chains[k].heap);
}

static void add_workers(unsigned context, int *workers, unsigned count)
{
    (void)context;
    nodes = starpu_memory_nodes_get_count();
    for (unsigned k = 0; k < count; k++) {
        struct queue *q = &queues[starpu_worker_get_memory_node((unsigned)workers[k])];
        if (q->workers++ == 0 || workers[k] < q->first) q->first = workers[k];
    }
}

static void remove_workers(unsigned context, int *workers, unsigned count)
{
    (void)context;
    for (unsigned k = 0; k < count; k++)
        queues[starpu_worker_get_memory_node((unsigned)workers[k])].workers--;
}

struct starpu_sched_policy tw_policy = {
    .init_sched = open_policy,
    .deinit_sched = close_policy,
    .add_workers = add_workers,
    .remove_workers = remove_workers,
    .push_task = push,
    .pop_task = pop,
    .pre_exec_hook = starts,
    .post_exec_hook = ended,
    .prefetches = 1,
    .policy_name = "tilework",
    .policy_description = "one queue of ready tasks per GPU, whose streams take the most urgent with its data at hand",
    .worker_type = STARPU_WORKER_LIST,
};
