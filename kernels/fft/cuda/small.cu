/* Finding the kernels of the small transforms, and choosing between them and cuFFT. */
#include <cuda_runtime.h>
#include "kernels/fft/cuda/small.h"
extern "C" {
#include "runtime/base/error.h"
}

int tw_small_which(const struct tw_fft_cuda_lines *l, int *kind, int *m, int *flip)
{
    static const int kinds[] = {TW_SMALL_T1, TW_SMALL_T2, TW_SMALL_T3, TW_SMALL_T4, TW_SMALL_T1,
                                TW_SMALL_T2, TW_SMALL_T3, TW_SMALL_T4, TW_SMALL_DHT};
    tw_int points;

    *flip =
        l->kind == TW_FFT_C2C ? l->sign > 0 : l->kind == TW_FFT_R2R && l->r2r >= TW_FFT_DST1 && l->r2r <= TW_FFT_DST4;
    *kind = l->kind == TW_FFT_C2C   ? TW_SMALL_C2C
            : l->kind == TW_FFT_R2C ? TW_SMALL_R2C
            : l->kind == TW_FFT_C2R ? TW_SMALL_C2R
                                    : kinds[l->r2r];
    if (l->n < 2 || l->n > 2 << TW_SMALL_SIZES) return -1;
    if (*kind == TW_SMALL_C2C)
        points = l->n;
    else if (*kind == TW_SMALL_T1)
        points = *flip ? l->n + 1 : l->n - 1;
    else
        points = l->n % 2 ? 0 : l->n / 2;
    for (*m = 1; *m <= TW_SMALL_SIZES; ++*m)
        if (points == (tw_int)1 << *m) return 0;
    return -1;
}

static const struct tw_small_entry *entry_of(const struct tw_fft_cuda_lines *l, int kind, int m)
{
    return l->single ? tw_small_entry_float(kind, m) : tw_small_entry_double(kind, m);
}

/* The kernels read and write pairs of reals, and rows of DCT 2 and 3 in single precision by four. */
int tw_fft_cuda_small_suits(const struct tw_fft_cuda_lines *l, const void *in, const void *out)
{
    const size_t real = l->single ? 4 : 8;
    size_t in_bytes = real * (size_t)l->ld_in, out_bytes = real * (size_t)l->ld_out, need;
    int kind, m, flip;

    if (tw_small_which(l, &kind, &m, &flip)) return 0;
    if (kind == TW_SMALL_T1) return 1;
    if (kind == TW_SMALL_C2C || kind == TW_SMALL_C2R) in_bytes *= 2;
    if (kind == TW_SMALL_C2C || kind == TW_SMALL_R2C) out_bytes *= 2;
    need = kind == TW_SMALL_T2 || kind == TW_SMALL_T3 ? 16 : 2 * real;
    return (((uintptr_t)in | (uintptr_t)out | in_bytes | out_bytes) & (need - 1)) == 0;
}

int tw_fft_cuda_small_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l)
{
    int kind, m, flip;

    if (!tw_small_which(l, &kind, &m, &flip)) return tw_small_make_ready(q, entry_of(l, kind, m), l->single);
    tw_fail(TW_E_INTERNAL, "there is no small transform of this kind and size");
    return 1;
}

int tw_fft_cuda_small(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l, const void *in, void *out)
{
    struct tw_small_args args = {in, out, l->rows, l->ld_in, l->ld_out, NULL, l->scale, 0};
    const struct tw_small_entry *e;
    int kind, m;

    if (l->rows <= 0) return 0;
    if (tw_small_which(l, &kind, &m, &args.flip)) {
        tw_fail(TW_E_INTERNAL, "there is no small transform of this kind and size");
        return 1;
    }
    e = entry_of(l, kind, m);
    return tw_small_table_of(q, e, &args.table) || tw_small_launch(q, e, (l->rows + e->batch - 1) / e->batch, &args);
}

/* 0, or -1 if there is no kernel of ours to be asked for. */
static int question(const struct tw_fft_cuda_lines *l, const void *in, const void *out, struct tw_small_question *w)
{
    int flip;

    w->single = l->single != 0;
    w->lines = *l;
    if (tw_small_which(l, &w->kind, &w->m, &flip) || cudaGetDevice(&w->device) != cudaSuccess ||
        w->device >= TW_FFT_DEVICES)
        return -1;
    return tw_fft_cuda_small_suits(l, in, out) ? 0 : -1;
}
static int answer(const struct tw_fft_gpu *q, const struct tw_small_question *w)
{
    return __atomic_load_n(&q->answers[w->device].of[w->single][w->kind][w->m], __ATOMIC_RELAXED);
}

int tw_fft_cuda_small_chosen(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l, const void *in,
                             const void *out)
{
    struct tw_small_question w;
    return !question(l, in, out, &w) && answer(q, &w) == TW_SMALL_OURS;
}

int tw_fft_cuda_small_choose(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l, const void *in,
                             const void *out, int *ours)
{
    struct tw_small_question w;

    *ours = 0;
    if (question(l, in, out, &w)) return 0;
    if (answer(q, &w) == TW_SMALL_UNKNOWN) {
        *q->question = w;
        return TW_FFT_ASKS;
    }
    *ours = answer(q, &w) == TW_SMALL_OURS;
    return 0;
}
