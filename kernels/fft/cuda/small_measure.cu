/* Which is faster on this GPU, our kernel for a small transform or cuFFT (with its passes before and behind for real to
 * real ones)? Both are run on arrays larger than the caches. */
#include <cstdio>
#include <cuda_runtime.h>
#include "kernels/fft/cuda/plans.cuh"
#include "kernels/fft/cuda/real.h"
#include "kernels/fft/cuda/small.h"
extern "C" {
#include "runtime/base/error.h"
}

#define ARRAY_BYTES ((size_t)1 << 27)
#define RUNS        4
#define GAIN        0.98 /* what has to be gained to leave cuFFT */

/* Functions return 0, or 1 if something failed. */

struct contest {
    const struct tw_fft_gpu *q;
    struct tw_fft_cuda_lines lines; /* without gaps, as many as fill an array */
    struct tw_fft_cuda_around around;
    struct tw_cufft *plan;
    void *in, *out, *work, *copy;
    size_t array, bytes; /* of in, out and copy; of work */
    cudaEvent_t begin, end;
};

static int shape(struct contest *c, const struct tw_fft_cuda_lines *l)
{
    const tw_int half = l->n / 2 + 1;
    const size_t real = l->single ? 4 : 8;
    size_t longest;

    c->lines = *l;
    c->lines.ld_in = l->kind == TW_FFT_C2R ? half : l->n;
    c->lines.ld_out = l->kind == TW_FFT_R2C ? half : l->n;
    c->lines.scale = 1;
    longest = real * (size_t)(l->kind == TW_FFT_C2C ? 2 * l->n : l->kind == TW_FFT_R2R ? l->n : 2 * half);
    c->lines.rows = (tw_int)(ARRAY_BYTES / longest);
    c->array = longest * (size_t)c->lines.rows;
    c->around = {l->single, l->r2r, l->n, c->lines.rows, 1, 1, l->n, 1};
    return tw_fft_cuda_small_plan(c->q, &c->lines);
}

static int plan_theirs(struct contest *c)
{
    static const cufftType types[3][2] = {{CUFFT_Z2Z, CUFFT_C2C}, {CUFFT_D2Z, CUFFT_R2C}, {CUFFT_Z2D, CUFFT_C2R}};
    const struct tw_fft_cuda_lines *l = &c->lines;
    struct tw_cufft_key k;

    if (l->kind == TW_FFT_R2R) return tw_fft_cuda_around_plan(c->q, &c->around, &c->bytes);
    if (tw_cufft_key(&k, c->q, types[l->kind][l->single ? 1 : 0], 1)) return 1;
    k.n[0] = l->n;
    k.istride = k.ostride = 1;
    k.inembed[0] = k.idist = l->ld_in;
    k.onembed[0] = k.odist = l->ld_out;
    k.batch = l->rows;
    if (tw_cufft_get(c->q, &k, &c->plan)) return 1;
    c->bytes = c->plan->work;
    return 0;
}

static int run_theirs(struct contest *c)
{
    if (c->lines.kind == TW_FFT_R2R) return tw_fft_cuda_around(c->q, &c->around, c->in, c->out, c->work, c->bytes);
    /* cuFFT destroys the input of C2R, so that the library copies it before */
    if (c->lines.kind == TW_FFT_C2R &&
        cudaMemcpyAsync(c->copy, c->in, c->array, cudaMemcpyDeviceToDevice, (cudaStream_t)c->q->stream) != cudaSuccess)
        return 1;
    return tw_cufft_run(c->plan, c->lines.sign, c->copy ? c->copy : c->in, c->out, c->work);
}

static int run_ours(struct contest *c)
{
    return tw_fft_cuda_small(c->q, &c->lines, c->in, c->out);
}

static int timed(struct contest *c, int (*run)(struct contest *), float *least)
{
    cudaStream_t stream = (cudaStream_t)c->q->stream;
    float ms;

    for (int k = -1; k < RUNS; k++) { /* the first loads the kernels */
        if (cudaEventRecord(c->begin, stream) != cudaSuccess || run(c) ||
            cudaEventRecord(c->end, stream) != cudaSuccess || cudaEventSynchronize(c->end) != cudaSuccess ||
            cudaEventElapsedTime(&ms, c->begin, c->end) != cudaSuccess)
            return 1;
        if (k == 0 || (k > 0 && ms < *least)) *least = ms;
    }
    return 0;
}

static int compare(struct contest *c, enum tw_small_answer *a)
{
    float ours = 0, theirs = 0;

    if (cudaMalloc(&c->in, c->array) != cudaSuccess || cudaMalloc(&c->out, c->array) != cudaSuccess ||
        (c->bytes > 0 && cudaMalloc(&c->work, c->bytes) != cudaSuccess) ||
        (c->lines.kind == TW_FFT_C2R && cudaMalloc(&c->copy, c->array) != cudaSuccess) ||
        cudaEventCreate(&c->begin) != cudaSuccess || cudaEventCreate(&c->end) != cudaSuccess ||
        cudaMemsetAsync(c->in, 0, c->array, (cudaStream_t)c->q->stream) != cudaSuccess)
        return 1;
    if (timed(c, run_theirs, &theirs) || timed(c, run_ours, &ours)) return 1;
    *a = ours < GAIN * theirs ? TW_SMALL_OURS : TW_SMALL_THEIRS;
    return 0;
}

/* Unknown: no memory, or a failure that will show where it matters. */
enum tw_small_answer tw_fft_cuda_small_measure(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l)
{
    struct contest c = {};
    enum tw_small_answer a = TW_SMALL_UNKNOWN;

    c.q = q;
    if (shape(&c, l) || plan_theirs(&c) || compare(&c, &a)) {
        (void)cudaGetLastError();
        tw_clear_message();
    }
    if (c.begin) (void)cudaEventDestroy(c.begin);
    if (c.end) (void)cudaEventDestroy(c.end);
    (void)cudaFree(c.copy);
    (void)cudaFree(c.work);
    (void)cudaFree(c.out);
    (void)cudaFree(c.in);
    return a;
}

int tw_fft_cuda_small_model(int device, char *name, size_t length, int *cufft)
{
    struct cudaDeviceProp p;

    if (cudaGetDeviceProperties(&p, device) == cudaSuccess && cufftGetVersion(cufft) == CUFFT_SUCCESS) {
        snprintf(name, length, "%s", p.name);
        return 0;
    }
    (void)cudaGetLastError();
    return -1;
}
