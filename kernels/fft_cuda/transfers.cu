/* Rectangles on their way: copy engines do it. A GPU that sends to several others sends to all of them at once: one after another, two GPUs
 * may send to a third at the same time, while links to others are idle. */
#include <cuda_runtime.h>
#include <pthread.h>
#include "kernels/fft_cuda/moves.h"
extern "C" {
#include "runtime/error.h"
}

enum { LANES = 3, DEVICES = 64 };
#define MOST_PITCH ((size_t)INT32_MAX) /* of cudaMemcpy2D */

/* Streams beside a worker's own, which waits for them. They live as long as the process. */
static struct lanes {
    int ready;
    cudaStream_t stream[LANES];
    cudaEvent_t end[LANES];
} lanes[DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int failed(const char *call, cudaError_t e)
{
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "%s: %s: %s", call, cudaGetErrorName(e), cudaGetErrorString(e));
    return 1;
}

static int make(struct lanes *l)
{
    for (int k = 0; k < LANES; k++)
        if (failed("cudaStreamCreate", cudaStreamCreateWithFlags(&l->stream[k], cudaStreamNonBlocking)) ||
            failed("cudaEventCreate", cudaEventCreateWithFlags(&l->end[k], cudaEventDisableTiming)))
            return 1;
    l->ready = 1;
    return 0;
}

int tw_fft_cuda_transfers_plan(const struct tw_cuda *q)
{
    int device, e;

    (void)q;
    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (device >= DEVICES) return 0; /* one after another, then */
    pthread_mutex_lock(&lock);
    e = lanes[device].ready ? 0 : make(&lanes[device]);
    pthread_mutex_unlock(&lock);
    return e;
}

static int enqueue(const struct tw_fft_transfer *p, cudaStream_t stream)
{
    if (p->width == 0 || p->rows == 0) return 0;
    if (p->to_pitch == p->width && p->from_pitch == p->width) /* one line */
        return failed("cudaMemcpyAsync",
                      cudaMemcpyAsync(p->to, p->from, p->width * p->rows, cudaMemcpyDefault, stream));
    if (p->to_pitch > MOST_PITCH || p->from_pitch > MOST_PITCH) { /* few rows, then */
        for (size_t row = 0; row < p->rows; row++)
            if (failed("cudaMemcpyAsync", cudaMemcpyAsync(p->to + row * p->to_pitch, p->from + row * p->from_pitch,
                                                          p->width, cudaMemcpyDefault, stream)))
                return 1;
        return 0;
    }
    return failed("cudaMemcpy2DAsync", cudaMemcpy2DAsync(p->to, p->to_pitch, p->from, p->from_pitch, p->width, p->rows,
                                                         cudaMemcpyDefault, stream));
}

static int by_kernel(const struct tw_cuda *q, const struct tw_fft_transfer *p)
{
    return tw_fft_cuda_copy(q, 0, 1, (int64_t)p->rows, (int64_t)(p->width / 8), p->from, (int64_t)(p->from_pitch / 8),
                            p->to, (int64_t)(p->to_pitch / 8), 1);
}

/* The lanes do not wait for the worker's stream: a task is enqueued when what it reads is there, and so a lane goes on with the next task's piece
 * while others have some of this task's to do. */
int tw_fft_cuda_transfers(const struct tw_cuda *q, const struct tw_fft_transfer *piece, int count)
{
    cudaStream_t stream = (cudaStream_t)q->stream;
    struct lanes *l = NULL;
    int device, used = 0;

    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (count > 1 && device < DEVICES && lanes[device].ready) l = &lanes[device];
    for (int k = 0; k < count; k++)
        if (piece[k].local ? by_kernel(q, &piece[k]) : enqueue(&piece[k], l ? l->stream[used++ % LANES] : stream))
            return 1;
    for (int k = 0; l && k < used && k < LANES; k++)
        if (failed("cudaEventRecord", cudaEventRecord(l->end[k], l->stream[k])) ||
            failed("cudaStreamWaitEvent", cudaStreamWaitEvent(stream, l->end[k], 0)))
            return 1;
    return 0;
}
