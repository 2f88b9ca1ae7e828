/* A whole transform, or a batch, by one plan of cuFFT, between two arrays on the GPU with any layout that cuFFT
 * knows. */
#include "kernels/fft/cuda/moves.h"
#include "kernels/fft/cuda/plans.cuh"
#include "kernels/fft/cuda/real.h"
#include "kernels/fft/cuda/small.h"
extern "C" {
#include "runtime/base/error.h"
}

int tw_fft_cuda_where(const void *p, int *device)
{
    struct cudaPointerAttributes a;
    cudaError_t e = cudaPointerGetAttributes(&a, p);

    *device = -1;
    if (e != cudaSuccess) {
        (void)cudaGetLastError(); /* a pointer that CUDA does not know, said the way of old versions */
        return 0;
    }
    if (a.type == cudaMemoryTypeDevice) {
        *device = a.device;
        return 1;
    }
    return a.type == cudaMemoryTypeHost || a.type == cudaMemoryTypeManaged;
}

/* Batches of short lines may be transformed by our own kernels, and real to real transforms are. */
static struct tw_fft_cuda_lines lines_of(const struct tw_fft_cuda_many *w)
{
    return {w->single, w->sign, w->kind, w->r2r[0], w->n[0], w->batch, w->idist, w->odist, w->scale};
}
static int short_lines(const struct tw_fft_cuda_many *w)
{
    const tw_int half = w->n[0] / 2 + 1;
    return w->rank == 1 && w->is[0] == 1 && w->os[0] == 1 && w->kind != TW_FFT_R2R &&
           w->idist >= (w->kind == TW_FFT_C2R ? half : w->n[0]) && w->odist >= (w->kind == TW_FFT_R2C ? half : w->n[0]);
}
static struct tw_fft_cuda_strided real_of(const struct tw_fft_cuda_many *w)
{
    struct tw_fft_cuda_strided s = {w->single, 0, {}, w->scale};

    for (int l = 0; l < w->nloops; l++)
        s.level[s.levels++] = {w->loop[l].n, w->loop[l].is, w->loop[l].os, -1};
    for (int d = 0; d < w->rank; d++)
        s.level[s.levels++] = {w->n[d], w->is[d], w->os[d], (int)w->r2r[d]};
    return s;
}

static int key_of(struct tw_cufft_key *k, const struct tw_fft_gpu *q, const struct tw_fft_cuda_many *w)
{
    static const cufftType types[3][2] = {{CUFFT_Z2Z, CUFFT_C2C}, {CUFFT_D2Z, CUFFT_R2C}, {CUFFT_Z2D, CUFFT_C2R}};

    if (tw_cufft_key(k, q, types[w->kind][w->single ? 1 : 0], w->rank)) return 1;
    for (int d = 0; d < w->rank; d++) {
        k->n[d] = w->n[d];
        k->inembed[d] = d ? w->is[d - 1] / w->is[d] : w->n[d]; /* the first is not looked at */
        k->onembed[d] = d ? w->os[d - 1] / w->os[d] : w->n[d];
    }
    k->istride = w->is[w->rank - 1];
    k->ostride = w->os[w->rank - 1];
    k->idist = w->idist;
    k->odist = w->odist;
    k->batch = w->batch;
    return 0;
}

/* cuFFT destroys the input of C2R; of rank 1 it has to survive. */
static size_t copied(const struct tw_fft_cuda_many *w)
{
    return w->kind == TW_FFT_C2R && w->rank == 1 && !w->in_place ? tw_cufft_aligned(w->in_bytes) : 0;
}

int tw_fft_cuda_many_plan(const struct tw_fft_cuda_many *w, size_t *bytes, const struct tw_fft_gpu *q)
{
    const struct tw_fft_cuda_lines lines = lines_of(w);
    struct tw_cufft_key k;
    struct tw_cufft *p;
    int e, ours = 0;

    if (w->kind == TW_FFT_R2R) {
        const struct tw_fft_cuda_strided real = real_of(w);
        return tw_fft_cuda_strided_plan(q, &real, w->from, w->to, bytes);
    }
    if (short_lines(w) && (e = tw_fft_cuda_small_choose(q, &lines, NULL, NULL, &ours))) return e;
    if (ours && tw_fft_cuda_small_plan(q, &lines)) return 1;
    if (key_of(&k, q, w) || tw_cufft_get(q, &k, &p)) return 1;
    *bytes = p->work + copied(w);
    return 0;
}

/* Lines along the last dimension, whose elements are neighbours: so much was checked when the plan was made. */
static int scale(const struct tw_fft_gpu *q, const struct tw_fft_cuda_many *w, char *out)
{
    const int reals = w->kind == TW_FFT_C2R ? 1 : 2, last = w->rank - 1;
    const size_t size = tw_cufft_complex(w->single) / 2 * (size_t)reals;
    const tw_int line = w->kind == TW_FFT_R2C ? w->n[last] / 2 + 1 : w->n[last];
    const tw_int n0 = w->rank == 3 ? w->n[0] : 1, n1 = w->rank > 1 ? w->n[last - 1] : 1;

    if (w->dense) {
        tw_int all = (tw_int)(w->out_bytes / size);
        return tw_fft_cuda_copy(q, w->single, reals, 1, all, out, all, out, all, w->scale);
    }
    for (tw_int b = 0; b < w->batch; b++)
        for (tw_int j = 0; j < n0; j++) {
            char *at = out + size * (size_t)(b * w->odist + (w->rank == 3 ? j * w->os[0] : 0));
            tw_int ld = w->rank > 1 ? w->os[last - 1] : line;
            if (tw_fft_cuda_copy(q, w->single, reals, n1, line, at, ld, at, ld, w->scale)) return 1;
        }
    return 0;
}

int tw_fft_cuda_many(const struct tw_fft_gpu *q, const struct tw_fft_cuda_many *w, const void *in, void *out,
                     void *work, size_t bytes)
{
    const struct tw_fft_cuda_lines lines = lines_of(w);
    size_t kept = copied(w);
    struct tw_cufft_key key;
    struct tw_cufft *p;
    cudaError_t e;

    if (w->kind == TW_FFT_R2R) {
        const struct tw_fft_cuda_strided real = real_of(w);
        return tw_fft_cuda_strided(q, &real, in, out, work, bytes);
    }
    if (short_lines(w) && tw_fft_cuda_small_chosen(q, &lines, in, out)) return tw_fft_cuda_small(q, &lines, in, out);
    if (key_of(&key, q, w) || tw_cufft_get(q, &key, &p)) return 1;
    if (bytes < kept + p->work) return tw_cufft_no_room();
    if (kept) {
        e = cudaMemcpyAsync(work, in, w->in_bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)q->stream);
        if (e != cudaSuccess) {
            tw_fail(TW_E_DEVICE, "cudaMemcpyAsync: %s", cudaGetErrorString(e));
            return 1;
        }
        in = work;
    }
    if (tw_cufft_run(p, w->sign, (void *)in, out, (char *)work + kept)) return 1;
    return w->scale == 1 ? 0 : scale(q, w, (char *)out);
}
