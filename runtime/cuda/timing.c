/* Events are made with the library, some for each worker, and go around: a body takes two, and who retires the task
 * gives them back. Both happen in the worker's own thread. Differences of events are single precision milliseconds:
 * they are taken to an event that is no older than two seconds. */
#include <math.h>
#include <starpu.h>
#include <cuda_runtime_api.h>

#include "runtime/base/error.h"
#include "runtime/base/facts.h"
#include "runtime/cuda/timing.h"

enum { PAIRS = 64 }; /* a worker has a handful of tasks under way */

struct clock {
    cudaEvent_t base, first[PAIRS], last[PAIRS];
    int spare[PAIRS], nspare;
    double zero, set; /* when `base` was, by the host */
    int status;
};
static struct clock clocks[STARPU_NMAXWORKERS];

/* Looks at both clocks until one is as close as the closest of five. */
static int set_zero(struct clock *c, cudaStream_t stream)
{
    double least = INFINITY;
    int e = 0;

    for (int k = 0; k < 20 && !e; k++) {
        const double before = tw_now();
        e = (int)cudaEventRecord(c->base, stream);
        if (!e) e = (int)cudaEventSynchronize(c->base);
        const double after = tw_now();
        c->zero = 0.5 * (before + after);
        if (k >= 5 && after - before <= 1.2 * least) break;
        least = fmin(least, after - before);
    }
    return e;
}

static void create(void *arg)
{
    struct clock *c = &clocks[starpu_worker_get_id_check()];

    (void)arg;
    *c = (struct clock){0};
    c->status = (int)cudaEventCreateWithFlags(&c->base, cudaEventDefault);
    for (int k = 0; k < PAIRS && !c->status; k++) {
        c->status = (int)cudaEventCreateWithFlags(&c->first[k], cudaEventDefault);
        if (!c->status) c->status = (int)cudaEventCreateWithFlags(&c->last[k], cudaEventDefault);
        c->spare[k] = PAIRS - 1 - k;
    }
    if (!c->status) c->status = set_zero(c, starpu_cuda_get_local_stream());
    if (!c->status) c->nspare = PAIRS;
}

static void destroy(void *arg)
{
    struct clock *c = &clocks[starpu_worker_get_id_check()];

    (void)arg; /* at the end nothing can be done about a failure */
    for (int k = 0; k < PAIRS; k++) {
        if (c->first[k]) (void)cudaEventDestroy(c->first[k]);
        if (c->last[k]) (void)cudaEventDestroy(c->last[k]);
    }
    if (c->base) (void)cudaEventDestroy(c->base);
    *c = (struct clock){0};
}

int tw_timings_create(void)
{
    starpu_execute_on_each_worker(create, NULL, STARPU_CUDA);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        if (starpu_worker_get_type((int)w) == STARPU_CUDA_WORKER && clocks[w].status)
            return tw_fail(TW_E_DEVICE, "TILEWORK_TRACE_GPU=events: GPU %d: the creation of events gave %s",
                           starpu_worker_get_devid((int)w), cudaGetErrorName((cudaError_t)clocks[w].status));
    return 0;
}

void tw_timings_destroy(void)
{
    starpu_execute_on_each_worker(destroy, NULL, STARPU_CUDA);
}

double tw_timings_set(void)
{
    double most = 0;

    for (unsigned w = 0; w < STARPU_NMAXWORKERS; w++)
        most = fmax(most, clocks[w].set);
    return most;
}

int tw_timing_begin(void *stream)
{
    struct clock *c = &clocks[starpu_worker_get_id_check()];

    if (c->nspare == 0) return 0;
    const int pair = c->spare[--c->nspare];
    if (cudaEventRecord(c->first[pair], stream) == cudaSuccess) return 1 + pair;
    (void)cudaGetLastError();
    c->spare[c->nspare++] = pair;
    return 0;
}

void tw_timing_end(int timing, void *stream)
{
    if (cudaEventRecord(clocks[starpu_worker_get_id_check()].last[timing - 1], stream) != cudaSuccess)
        (void)cudaGetLastError(); /* the old one's time is no time of this task: tw_clock_fit refuses it */
}

static int since(cudaEvent_t base, cudaEvent_t event, double *seconds)
{
    float ms;
    const cudaError_t e = cudaEventElapsedTime(&ms, base, event);

    if (e != cudaSuccess) (void)cudaGetLastError();
    *seconds = 1e-3 * (double)ms;
    return e == cudaSuccess;
}

int tw_timing_read(int timing, double from, double to, double *start, double *end)
{
    const int worker = starpu_worker_get_id(), pair = timing - 1;
    struct clock *c;
    double length = 0;
    int known;

    if (worker < 0) return 0;
    c = &clocks[worker];
    known = to >= from && since(c->base, c->first[pair], start) && since(c->first[pair], c->last[pair], &length);
    *end = *start + length;
    const int old = known && *end > 2;
    known = known && tw_clock_fit(&c->zero, from, to, start, end, &c->set);
    if (known && old) {
        const cudaEvent_t base = c->base;
        c->base = c->last[pair];
        c->last[pair] = base;
        c->zero = *end;
    }
    c->spare[c->nspare++] = pair;
    return known;
}
