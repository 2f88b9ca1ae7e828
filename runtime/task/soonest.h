/* Where a task would be done first: tilework's choice between GPUs, which may be unequal. */
#ifndef TW_RUNTIME_TASK_SOONEST_H
#define TW_RUNTIME_TASK_SOONEST_H

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

#endif
