/* Transforms of rows: blocks side by side are made rows, cuFFT, and back. */
#include "kernels/fft/cuda/moves.h"
#include "kernels/fft/cuda/plans.cuh"
#include "kernels/fft/cuda/real.h"
#include "kernels/fft/cuda/small.h"
#include "runtime/base/buffer.h"

static int key_of(struct tw_cufft_key *k, const struct tw_fft_gpu *q, const struct tw_fft_cuda_rows *r)
{
    static const cufftType types[3][2] = {{CUFFT_Z2Z, CUFFT_C2C}, {CUFFT_D2Z, CUFFT_R2C}, {CUFFT_Z2D, CUFFT_C2R}};

    if (tw_cufft_key(k, q, types[r->kind][r->single ? 1 : 0], r->rank)) return 1;
    for (int d = 0; d < r->rank; d++)
        k->n[d] = k->inembed[d] = k->onembed[d] = r->n[d];
    k->inembed[r->rank - 1] = r->pad_in; /* the first is not looked at, those between are without gaps */
    k->onembed[r->rank - 1] = r->pad_out;
    k->istride = k->ostride = 1;
    k->idist = r->m_in;
    k->odist = r->m_out;
    k->batch = r->rows;
    return 0;
}

/* Short rows may be transformed by our own kernels, and real to real ones are. */
static struct tw_fft_cuda_lines lines_of(const struct tw_fft_cuda_rows *r)
{
    return {r->single, r->sign, r->kind, r->r2r[0], r->n[0], r->rows, r->m_in, r->m_out, r->scale};
}
static int short_rows(const struct tw_fft_cuda_rows *r)
{
    return r->rank == 1 && r->nin == 1 && r->nout == 1 && r->kind != TW_FFT_R2R;
}
static struct tw_fft_cuda_real real_of(const struct tw_fft_cuda_rows *r)
{
    return {r->single, r->rank, {r->r2r[0], r->r2r[1], r->r2r[2]}, {r->n[0], r->n[1], r->n[2]}, r->rows, r->scale};
}

/* cuFFT destroys the input of C2R; blocks side by side have to become rows. */
static size_t in_buffer(const struct tw_fft_cuda_rows *r)
{
    size_t size = tw_cufft_complex(r->single) / (r->kind == TW_FFT_R2C ? 2 : 1);
    return r->nin > 1 || r->kind == TW_FFT_C2R ? tw_cufft_aligned((size_t)r->rows * (size_t)r->m_in * size) : 0;
}
static size_t out_buffer(const struct tw_fft_cuda_rows *r)
{
    size_t size = tw_cufft_complex(r->single) / (r->kind == TW_FFT_C2R ? 2 : 1);
    return r->nout > 1 ? tw_cufft_aligned((size_t)r->rows * (size_t)r->m_out * size) : 0;
}

int tw_fft_cuda_rows_plan(const struct tw_fft_cuda_rows *r, size_t *bytes, const struct tw_fft_gpu *q)
{
    const struct tw_fft_cuda_lines lines = lines_of(r);
    const struct tw_fft_cuda_real real = real_of(r);
    struct tw_cufft_key k;
    struct tw_cufft *p;
    int e, ours = 0;

    if (r->kind == TW_FFT_R2R) return tw_fft_cuda_real_plan(q, &real, NULL, NULL, bytes);
    if (short_rows(r) && (e = tw_fft_cuda_small_choose(q, &lines, NULL, NULL, &ours))) return e;
    if (ours && tw_fft_cuda_small_plan(q, &lines)) return 1;
    if (key_of(&k, q, r) || tw_cufft_get(q, &k, &p)) return 1;
    *bytes = in_buffer(r) + out_buffer(r) + p->work;
    return 0;
}

int tw_fft_cuda_rows(const struct tw_fft_gpu *q, const struct tw_fft_cuda_rows *r, void *work, size_t bytes)
{
    size_t si = tw_cufft_complex(r->single) / (r->kind == TW_FFT_R2C ? 2 : 1),
           so = tw_cufft_complex(r->single) / (r->kind == TW_FFT_C2R ? 2 : 1);
    size_t ib = in_buffer(r), ob = out_buffer(r);
    int ri = r->kind == TW_FFT_R2C ? 1 : 2, ro = r->kind == TW_FFT_C2R ? 1 : 2;
    char *in = ib ? (char *)work : (char *)r->in->ptr, *out = ob ? (char *)work + ib : (char *)r->out->ptr;
    const struct tw_fft_cuda_lines lines = lines_of(r);
    const struct tw_fft_cuda_real real = real_of(r);
    struct tw_cufft_key key;
    struct tw_cufft *p;
    int64_t column = 0;

    /* StarPU allocates blocks on a GPU without gaps. */
    if (r->nin == 1 && r->nout == 1 && (r->in->ld != r->m_in || r->out->ld != r->m_out)) return tw_cufft_no_room();
    if (r->kind == TW_FFT_R2R) return tw_fft_cuda_real(q, &real, in, out, work, bytes);
    if (short_rows(r) && tw_fft_cuda_small_chosen(q, &lines, r->in->ptr, r->out->ptr))
        return tw_fft_cuda_small(q, &lines, r->in->ptr, r->out->ptr);
    if (key_of(&key, q, r) || tw_cufft_get(q, &key, &p)) return 1;
    if (bytes < ib + ob + p->work || (!ib && r->in->ld != r->m_in) || (!ob && r->out->ld != r->m_out))
        return tw_cufft_no_room();
    for (int b = 0; ib && b < r->nin; column += r->in[b++].m)
        if (tw_fft_cuda_copy(q, r->single, ri, r->rows, r->in[b].m, r->in[b].ptr, r->in[b].ld, in + si * (size_t)column,
                             r->m_in, 1))
            return 1;
    if (tw_cufft_run(p, r->sign, in, out, (char *)work + ib + ob)) return 1;
    if (!ob)
        return r->scale == 1
                   ? 0
                   : tw_fft_cuda_copy(q, r->single, ro, r->rows, r->m_out, out, r->m_out, out, r->m_out, r->scale);
    column = 0;
    for (int b = 0; b < r->nout; column += r->out[b++].m)
        if (tw_fft_cuda_copy(q, r->single, ro, r->rows, r->out[b].m, out + so * (size_t)column, r->m_out, r->out[b].ptr,
                             r->out[b].ld, r->scale))
            return 1;
    return 0;
}
