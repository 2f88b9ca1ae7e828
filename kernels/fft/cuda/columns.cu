/* Transforms along columns.
 *
 * Short ones (up to 4096 points) as they lie: gather blocks into a contiguous buffer (if there are several), cuFFT with
 * a stride, scatter (if there are several, or transposed with twiddle factors). For longer ones cuFFT needs several
 * passes, which are slow with a stride: there the blocks are transposed while they are gathered. Every step that is not
 * needed is left out. */
#include "kernels/fft/cuda/moves.h"
#include "kernels/fft/cuda/plans.cuh"
#include "runtime/base/buffer.h"

#define SHORT 4096

static int key_of(struct tw_cufft_key *k, const struct tw_fft_gpu *q, int single, tw_int n, tw_int w, tw_int ld)
{
    if (tw_cufft_key(k, q, single ? CUFFT_C2C : CUFFT_Z2Z, 1)) return 1;
    k->n[0] = k->inembed[0] = k->onembed[0] = n;
    k->istride = k->ostride = n > SHORT ? 1 : ld;
    k->idist = k->odist = n > SHORT ? n : 1;
    k->batch = w;
    return 0;
}

int tw_fft_cuda_columns_plan(int single, tw_int n, tw_int w, tw_int ld, size_t *bytes, const struct tw_fft_gpu *q)
{
    struct tw_cufft_key k;
    struct tw_cufft *p;

    if (key_of(&k, q, single, n, w, ld ? ld : w) || tw_cufft_get(q, &k, &p)) return 1;
    *bytes = tw_cufft_aligned((size_t)n * (size_t)w * tw_cufft_complex(single)) + p->work;
    return 0;
}

/* From rows of n, one per column: the layout of a transposed result. */
static int store_long(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, const char *from, double scale)
{
    size_t size = tw_cufft_complex(c->single);
    int64_t row = 0;

    for (int b = 0; b < c->nout; b++) {
        const struct tw_buffer *o = &c->out[b];
        int e = c->transposed ? tw_fft_cuda_twist(q, c->single, row, row + o->m, c->w, from, c->n, o->ptr, o->ld,
                                                  c->sign, c->roots, c->first, scale)
                              : tw_fft_cuda_transpose(q, c->single, 0, c->w, o->n, from + size * (size_t)row, c->n,
                                                      o->ptr, o->ld, 0, 0, 0, scale);
        if (e) return 1;
        row += c->transposed ? o->m : o->n;
    }
    return 0;
}

static int by_transposes(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, const struct tw_cufft *p,
                         char *work, size_t buffer)
{
    size_t size = tw_cufft_complex(c->single);
    int64_t row = 0;

    for (int b = 0; b < c->nin; row += c->in[b++].n)
        if (tw_fft_cuda_transpose(q, c->single, 0, c->in[b].n, c->w, c->in[b].ptr, c->in[b].ld,
                                  work + size * (size_t)row, c->n, 0, 0, 0, 1))
            return 1;
    return tw_cufft_run(p, c->sign, work, work, work + buffer) || store_long(q, c, work, c->scale);
}

static int store(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, char *from, double scale)
{
    size_t size = tw_cufft_complex(c->single);
    int64_t row = 0;

    for (int b = 0; b < c->nout; b++) {
        const struct tw_buffer *o = &c->out[b];
        int e = c->transposed ? tw_fft_cuda_transpose(q, c->single, row, row + o->m, c->w, from, c->w, o->ptr, o->ld,
                                                      c->sign, c->roots, c->first, scale)
                              : tw_fft_cuda_copy(q, c->single, 2, o->n, c->w, from + size * (size_t)(row * c->w), c->w,
                                                 o->ptr, o->ld, scale);
        if (e) return 1;
        row += c->transposed ? o->m : o->n;
    }
    return 0;
}

static int by_blocks(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, const struct tw_cufft *p,
                     char *work, size_t buffer)
{
    size_t size = tw_cufft_complex(c->single);
    int gathered = c->nin > 1 || c->in->ld != c->w, direct = !c->transposed && c->nout == 1 && c->out->ld == c->w;
    double scale = c->scale;
    char *from = gathered ? work : (char *)c->in->ptr, *to = direct ? (char *)c->out->ptr : work;
    int64_t row = 0;

    if (gathered) {
        for (int b = 0; b < c->nin; row += c->in[b++].n)
            if (tw_fft_cuda_copy(q, c->single, 2, c->in[b].n, c->w, c->in[b].ptr, c->in[b].ld,
                                 work + size * (size_t)(row * c->w), c->w, scale))
                return 1;
        scale = 1;
    }
    if (tw_cufft_run(p, c->sign, from, to, work + buffer)) return 1;
    return direct && scale == 1 ? 0 : store(q, c, to, scale);
}

/* One block with gaps between its rows, where it lies. */
static int strided(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, const struct tw_cufft *p,
                   char *work)
{
    char *x = (char *)c->in->ptr;

    if (tw_cufft_run(p, c->sign, x, x, work)) return 1;
    return c->scale == 1 ? 0 : tw_fft_cuda_copy(q, c->single, 2, c->n, c->w, x, c->in->ld, x, c->in->ld, c->scale);
}

int tw_fft_cuda_columns(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, void *work, size_t bytes)
{
    size_t buffer = tw_cufft_aligned((size_t)c->n * (size_t)c->w * tw_cufft_complex(c->single));
    const int gaps = c->nin == 1 && c->nout == 1 && !c->transposed && c->in->ptr == c->out->ptr && c->in->ld != c->w;
    struct tw_cufft_key key;
    struct tw_cufft *p;

    if (key_of(&key, q, c->single, c->n, c->w, gaps ? c->in->ld : c->w) || tw_cufft_get(q, &key, &p)) return 1;
    if (bytes < buffer + p->work) return tw_cufft_no_room();
    if (gaps && c->n <= SHORT) return strided(q, c, p, (char *)work);
    return (c->n > SHORT ? by_transposes : by_blocks)(q, c, p, (char *)work, buffer);
}
