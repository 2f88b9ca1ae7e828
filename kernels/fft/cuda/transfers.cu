/* Rectangles on their way. To and from main memory copy engines carry them. Between GPUs that reach each other's memory
 * one kernel stores all that a GPU sends, a piece of 32 KB to each receiver in turn: copies side by side by copy
 * engines fall out of step while kernels run, several senders then meet at one receiver, and of 385 GB/s 240 are left
 * (measured on four H200s, docs/performance.md). */
#include <cuda_runtime.h>
#include "kernels/fft/cuda/moves.h"
extern "C" {
#include "runtime/base/error.h"
}

enum { RECEIVERS = 16, THREADS = 512, EACH = 4 };
constexpr unsigned BLOCKS = 96;        /* 48 to 192 are equally fast */
#define MOST_PITCH ((size_t)INT32_MAX) /* of cudaMemcpy2D */

/* A stream before all others: what is sent late keeps other GPUs waiting. They live as long as the process. */
typedef struct tw_fft_cache::tw_fft_lane Lane;

static int failed(const char *call, cudaError_t e)
{
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "%s: %s: %s", call, cudaGetErrorName(e), cudaGetErrorString(e));
    return 1;
}

static int make(Lane *l)
{
    int least, greatest;

    if (failed("cudaDeviceGetStreamPriorityRange", cudaDeviceGetStreamPriorityRange(&least, &greatest)) ||
        failed("cudaStreamCreate",
               cudaStreamCreateWithPriority((cudaStream_t *)&l->stream, cudaStreamNonBlocking, greatest)) ||
        failed("cudaEventCreate", cudaEventCreateWithFlags((cudaEvent_t *)&l->end, cudaEventDisableTiming)))
        return 1;
    l->ready = 1;
    return 0;
}

int tw_fft_cuda_transfers_plan(const struct tw_fft_gpu *q)
{
    struct tw_fft_cache *cache = q->cache;
    int device, e;

    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (device >= TW_FFT_DEVICES) return 0; /* in the task's own stream, then */
    pthread_mutex_lock(&cache->lock);
    e = cache->lane[device].ready ? 0 : make(&cache->lane[device]);
    pthread_mutex_unlock(&cache->lock);
    return e;
}

/* ---- by a kernel ------------------------------------------------------------------------------------------------- */

struct Piece {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch;
    unsigned long long width, count, chunks; /* in units; of a row, of all, and of THREADS * EACH of them */
};
struct Pieces {
    struct Piece piece[RECEIVERS];
    int count;
    unsigned long long chunks; /* the most that a piece has */
};

template <typename Unit> __global__ void __launch_bounds__(THREADS) store(const __grid_constant__ Pieces all)
{
    for (unsigned long long c = blockIdx.x; c < all.chunks * all.count; c += gridDim.x) {
        const unsigned long long turn = c / all.count;
        const Piece &p = all.piece[(c + turn) % all.count];
        Unit *to[EACH], v[EACH];

        if (turn >= p.chunks) continue;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const unsigned long long at = (turn * EACH + k) * THREADS + threadIdx.x, row = at / p.width,
                                     column = at - row * p.width;
            to[k] = at < p.count ? (Unit *)(p.to + row * p.to_pitch) + column : NULL;
            if (to[k]) v[k] = *((const Unit *)(p.from + row * p.from_pitch) + column);
        }
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (to[k]) *to[k] = v[k];
    }
}

static int multiple(const struct tw_fft_transfer *p, size_t of)
{
    return ((size_t)p->to | (size_t)p->from | p->to_pitch | p->from_pitch | p->width) % of == 0;
}

/* Up to RECEIVERS pieces. */
static int by_kernel(const struct tw_fft_transfer *const *piece, int count, cudaStream_t stream)
{
    struct Pieces all = {};
    size_t unit = sizeof(double2);
    cudaLaunchConfig_t c = {};

    for (int k = 0; k < count; k++)
        if (!multiple(piece[k], unit)) unit = sizeof(double);
    for (int k = 0; k < count; k++) {
        const struct tw_fft_transfer *p = piece[k];
        const unsigned long long width = p->width / unit, units = width * p->rows;
        const unsigned long long chunks = (units + THREADS * EACH - 1) / (THREADS * EACH);
        if (units == 0) continue;
        all.piece[all.count++] = Piece{p->to, p->from, p->to_pitch, p->from_pitch, width, units, chunks};
        if (chunks > all.chunks) all.chunks = chunks;
    }
    if (all.count == 0) return 0;
    c.gridDim = dim3(all.chunks * all.count < BLOCKS ? (unsigned)(all.chunks * all.count) : BLOCKS);
    c.blockDim = dim3(THREADS);
    c.stream = stream;
    return failed("a kernel that sends", unit == sizeof(double2) ? cudaLaunchKernelEx(&c, store<double2>, all)
                                                                 : cudaLaunchKernelEx(&c, store<double>, all));
}

/* ---- by copy engines --------------------------------------------------------------------------------------------- */

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

/* The lane does not wait for the task's stream: a task is enqueued when what it reads is there. */
static int send(const struct tw_fft_transfer *const *piece, int count, Lane *l, cudaStream_t stream)
{
    if (!l) return by_kernel(piece, count, stream);
    const cudaStream_t lane = (cudaStream_t)l->stream;
    const cudaEvent_t end = (cudaEvent_t)l->end;
    return by_kernel(piece, count, lane) || failed("cudaEventRecord", cudaEventRecord(end, lane)) ||
           failed("cudaStreamWaitEvent", cudaStreamWaitEvent(stream, end, 0));
}

int tw_fft_cuda_transfers(const struct tw_fft_gpu *q, const struct tw_fft_transfer *piece, int count)
{
    cudaStream_t stream = (cudaStream_t)q->stream;
    const struct tw_fft_transfer *stored[RECEIVERS];
    Lane *l = NULL;
    int device, n = 0;

    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (device < TW_FFT_DEVICES && q->cache->lane[device].ready) l = &q->cache->lane[device];
    for (int k = 0; k < count; k++) {
        if (!piece[k].stores) {
            if (enqueue(&piece[k], stream)) return 1;
            continue;
        }
        stored[n++] = &piece[k];
        if (n < RECEIVERS) continue;
        if (send(stored, n, l, stream)) return 1;
        n = 0;
    }
    return n > 0 && send(stored, n, l, stream);
}
