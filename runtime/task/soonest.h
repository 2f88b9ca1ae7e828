/* Where a task would be done first: tilework's choice between GPUs, which may be unequal, and of cores that help. */
#ifndef TW_RUNTIME_TASK_SOONEST_H
#define TW_RUNTIME_TASK_SOONEST_H
#include <math.h>

#define TW_FETCHED 5e10 /* bytes per second that a GPU gets of what it lacks */

struct tw_soonest {
    int gpu; /* the best of those that were offered; -1: none was */
    double done, seconds;
};
static inline struct tw_soonest tw_soonest(void)
{
    return (struct tw_soonest){-1, 0, 0};
}
/* A GPU whose queue takes `load` seconds; the task takes so many of it, and lacks so many bytes there. Of equal ones
 * the first stays. */
static inline void tw_soonest_offer(struct tw_soonest *s, int gpu, double load, double seconds, double lacks)
{
    const double done = load + seconds + lacks / TW_FETCHED;

    if (s->gpu >= 0 && !(done < s->done)) return;
    *s = (struct tw_soonest){gpu, done, seconds};
}

/* The seconds after which a GPU could go on with what a core did for it: so many by the core's model, and the way of
 * the bytes that it would fetch and that it writes. fresh: bytes of operands that have no memory beside the core. Such
 * memory is pinned, and to make it takes longer than most queues: tasks on tiles of 33 MB of a matrix that lived on an
 * H200 took up to 78 ms there. What is small lies in memory that is there. */
#define TW_FRESH 524288.0
static inline double tw_help_seconds(double seconds, double fetched, double written, double fresh)
{
    return fresh > TW_FRESH ? INFINITY : seconds + (fetched + written) / TW_FETCHED;
}

#endif
