/* Lower bounds on the time of the tasks that were submitted (tw_times_start): the chain of tasks that wait for each
 * other, the work of all, the bytes that have to travel. */
#ifndef TW_RUNTIME_WATCH_BOUND_H
#define TW_RUNTIME_WATCH_BOUND_H
#include "runtime/watch/watch.h"

/* A task ran on this worker in so many seconds. (Submissions come through tw_times_submitted.) */
void tw_bound_done(int worker, const struct tw_seen_kernel *kernel, double flops, double size, double bytes,
                   double seconds);
/* The kernels' table, the bytes needed and the bounds; the links of *t are filled already. */
void tw_bound_fill(tw_times *t);
void tw_bound_forget(void);
#endif
