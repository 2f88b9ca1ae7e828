/* CPU workers that find nothing for a while sleep in between (TILEWORK_REST): StarPU's ask again and again, and where
 * more threads than cores want to run, because of other programs or of several tests side by side, that takes most of
 * the time of those who have work. Whoever rests learns of a new task only afterwards. */
#include <starpu.h>

#include "runtime/base/state.h"
#include "runtime/task/task_private.h"

#define AWAKE 3 /* so many times its rest a worker looks for tasks before it rests */

static struct starpu_sched_policy resting;
static double idle_since[STARPU_NMAXWORKERS], last_pop[STARPU_NMAXWORKERS]; /* us */
static struct starpu_task *(*policys_pop)(unsigned context); /* NULL: its tasks are in the workers' own lists */

static struct starpu_task *pop(unsigned context)
{
    const unsigned worker = (unsigned)starpu_worker_get_id_check();
    const double rest = (double)tw_rt.config.rest;
    struct starpu_task *task = policys_pop ? policys_pop(context) : NULL;
    double now;

    if (task) {
        idle_since[worker] = 0;
        return task;
    }
    if (starpu_worker_get_type((int)worker) != STARPU_CPU_WORKER) return NULL;
    now = starpu_timing_now();
    /* not since a pause of the whole library */
    if (idle_since[worker] == 0 || now - last_pop[worker] > AWAKE * rest + 1e4) idle_since[worker] = now;
    last_pop[worker] = now;
    if (now - idle_since[worker] < AWAKE * rest) return NULL;
    starpu_worker_relax_on();
    starpu_usleep((float)rest);
    starpu_worker_relax_off();
    return NULL;
}

struct starpu_sched_policy *tw_rest_between(struct starpu_sched_policy *policy)
{
    if (tw_rt.config.rest == 0) return policy;
    policys_pop = policy->pop_task;
    resting = *policy;
    resting.pop_task = pop;
    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        idle_since[w] = last_pop[w] = 0; /* StarPU's clock begins anew with it */
    return &resting;
}
