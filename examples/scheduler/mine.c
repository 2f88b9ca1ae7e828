/* A scheduling policy of your own, for any program on StarPU: copy this file, change what `rank` and `take` prefer,
 * build, compare.
 *
 *     cmake -S examples/scheduler -B mine && cmake --build mine
 *     tilework potrf --n 4096 --nb 256 --sched mine --sched-lib mine/mine.so
 *     tilework compare --sched lws,mine,mine-fifo --sched-lib mine/mine.so -- potrf --n 4096 --nb 256
 *
 * StarPU tells a policy two things: "this task is ready" (push) and "this worker has nothing to do" (pop). All that
 * lies between is the policy. This one keeps one list of ready tasks, most urgent first, and gives an idle worker, of
 * the most urgent tasks that it can run, one whose data is already in its memory. `mine-fifo` is the same without
 * priorities: the difference between the two is what they are worth. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

struct entry {
    struct starpu_task *task;
    struct entry *next;
};
static struct entry *ready;
static atomic_int waiting; /* how many */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static int in_order_of_arrival;

/* The larger, the sooner. Tilework sets priorities to the longest path to the end of the graph (TILEWORK_PRIORITY);
 * yours could be the expected time (starpu_task_expected_length), the number of buffers, what you like. */
static int rank(const struct starpu_task *task)
{
    return in_order_of_arrival ? 0 : task->priority;
}

/* ---- a task is ready: called by the thread that released it ------------------------------------------------------ */

static int push(struct starpu_task *task)
{
    struct entry *e = malloc(sizeof *e), **at = &ready;
    char able[STARPU_NMAXWORKERS];
    const unsigned workers = starpu_worker_get_count();

    if (!e) return -ENOMEM;
    for (unsigned w = 0; w < workers; w++)
        able[w] = (char)starpu_worker_can_execute_task_first_impl(w, task, NULL);
    e->task = task;
    starpu_worker_relax_on(); /* a worker that waits for a lock says so, or StarPU may wait for it in turn */
    starpu_pthread_mutex_lock(&lock);
    starpu_worker_relax_off();
    while (*at && rank((*at)->task) >= rank(task)) /* behind its equals; long lists would want a heap */
        at = &(*at)->next;
    e->next = *at;
    *at = e;
    waiting++;
    starpu_push_task_end(task); /* from here on the task is the policy's */
    starpu_pthread_mutex_unlock(&lock);
    /* A worker that found nothing sleeps: wake one that can run this task. The task itself may be done and gone. */
    for (unsigned w = 0; w < workers; w++)
        if (able[w] && starpu_wake_worker_relax_light((int)w)) break;
    return 0;
}

/* ---- a worker is idle: called by it, again and again ------------------------------------------------------------- */

static int data_is_here(struct starpu_task *task, unsigned node)
{
    for (unsigned k = 0; k < STARPU_TASK_GET_NBUFFERS(task); k++) {
        int is_valid = 0;
        starpu_data_query_status2(STARPU_TASK_GET_HANDLE(task, k), (int)node, NULL, &is_valid, NULL, NULL);
        if (!is_valid && (STARPU_TASK_GET_MODE(task, k) & STARPU_R)) return 0;
    }
    return 1;
}

/* Where to take from: among the first few that this worker can run, one that need not wait for its data; else the first
 * of them. */
static struct entry **take(unsigned worker)
{
    const unsigned node = starpu_worker_get_memory_node(worker);
    struct entry **first = NULL;
    int looked_at = 0;

    for (struct entry **at = &ready; *at && looked_at < 8; at = &(*at)->next) {
        unsigned implementation;
        if (!starpu_worker_can_execute_task_first_impl(worker, (*at)->task, &implementation)) continue;
        if (data_is_here((*at)->task, node)) return at;
        if (!first) first = at;
        looked_at++;
    }
    return first;
}

static struct starpu_task *pop(unsigned context)
{
    const unsigned worker = (unsigned)starpu_worker_get_id_check();
    struct starpu_task *task = NULL;
    struct entry **at, *e;

    (void)context;
    if (!waiting) return NULL; /* without the lock: a worker that polls must not keep others from it */
    starpu_worker_relax_on();
    starpu_pthread_mutex_lock(&lock);
    starpu_worker_relax_off();
    if ((at = take(worker))) {
        e = *at, *at = e->next;
        waiting--;
        task = e->task;
        free(e);
    }
    starpu_pthread_mutex_unlock(&lock);
    return task; /* NULL: StarPU asks again later */
}

/* ---- start, and the two functions that StarPU looks for in the library ------------------------------------------- */

static void start(unsigned context)
{
    /* Any priority counts; without this StarPU cuts them off to 0. */
    starpu_sched_ctx_set_min_priority(context, INT_MIN);
    starpu_sched_ctx_set_max_priority(context, INT_MAX);
    in_order_of_arrival = 0;
}
static void start_fifo(unsigned context)
{
    start(context);
    in_order_of_arrival = 1;
}

static struct starpu_sched_policy mine = {.init_sched = start,
                                          .push_task = push,
                                          .pop_task = pop,
                                          .policy_name = "mine",
                                          .policy_description = "one list, most urgent first, data at hand preferred",
                                          .worker_type = STARPU_WORKER_LIST};
static struct starpu_sched_policy mine_fifo = {.init_sched = start_fifo,
                                               .push_task = push,
                                               .pop_task = pop,
                                               .policy_name = "mine-fifo",
                                               .policy_description = "the same, first come first served",
                                               .worker_type = STARPU_WORKER_LIST};
static struct starpu_sched_policy *all[] = {&mine, &mine_fifo, NULL};

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
    return all;
}
struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
    for (int k = 0; all[k]; k++)
        if (!strcmp(all[k]->policy_name, name)) return all[k];
    return NULL;
}
