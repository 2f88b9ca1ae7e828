/* CPU workers that find nothing for a while sleep in between (TILEWORK_REST): StarPU's ask again and again, and where
 * more threads than cores want to run, because of other programs or of several tests side by side, that takes most of
 * the time of those who have work. Whoever rests learns of a new task only afterwards. */
#include <starpu.h>

#include "runtime/base/state.h"
#include "runtime/task/task_private.h"

#define AWAKE 3 /* so many times its rest a worker looks for tasks before it rests */

static struct starpu_sched_policy resting;
static struct starpu_task *(*policys_pop)(unsigned context); /* NULL: its tasks are in the workers' own lists */

static struct starpu_task *pop(unsigned context)
{
    static _Thread_local double idle_since, last; /* us; StarPU starts other threads with another clock */
    const double rest = tw_rt.config.rest;
    struct starpu_task *task = policys_pop ? policys_pop(context) : NULL;
    double now;

    if (task) {
        idle_since = 0;
        return task;
    }
    if (starpu_worker_get_type((int)starpu_worker_get_id_check()) != STARPU_CPU_WORKER) return NULL;
    now = starpu_timing_now();
    /* not since a pause of the whole library */
    if (idle_since == 0 || now - last > AWAKE * rest + 1e4) idle_since = now;
    last = now;
    if (now - idle_since < AWAKE * rest) return NULL;
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
    return &resting;
}
