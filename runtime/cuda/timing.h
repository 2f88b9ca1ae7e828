/* When GPU tasks ran, by the GPU's clock: two events around each body, made before (TILEWORK_TRACE_GPU=events). */
#ifndef TW_RUNTIME_CUDA_TIMING_H
#define TW_RUNTIME_CUDA_TIMING_H
#include <math.h>

/* Of each CUDA worker, which have to be awake. 0 or TW_E_DEVICE. */
int tw_timings_create(void);
void tw_timings_destroy(void);
/* On a CUDA worker, around what a body puts into `stream`: events only, nothing is made or waited for. 0: there are
 * none (left), and the task's times are the host's. */
int tw_timing_begin(void *stream);
void tw_timing_end(int timing, void *stream);
/* On the same worker, when the task is done, which the host saw run between `from` and `to`, in seconds by tw_now; NAN:
 * it did not. 1: start and end are the GPU's, in the host's seconds. The events are free for another task. */
int tw_timing_read(int timing, double from, double to, double *start, double *end);
/* The most by which a GPU's clock had to be set, in seconds, since they were made. */
double tw_timings_set(void);

/* *zero is the GPU's time 0 by the host's clock, as far as known. A body cannot begin before the host asked for it, nor
 * end after the host saw its end: where it seems to, the clocks have drifted, and *zero is set. start and end: the
 * GPU's seconds in, the host's out. *set: by how much at most. 0: it took longer than the host says, and nothing is
 * changed. */
static inline int tw_clock_fit(double *zero, double from, double to, double *start, double *end, double *set)
{
    const double resolution = 2e-6; /* of the events' differences */
    double by = 0;

    if (!(*end >= *start) || !(*end - *start <= to - from + resolution)) return 0;
    if (*zero + *end > to) by = to - (*zero + *end);
    if (*zero + *start + by < from) by = from - (*zero + *start);
    *zero += by;
    *set = fmax(*set, fabs(by));
    *start += *zero, *end += *zero;
    return 1;
}
#endif
