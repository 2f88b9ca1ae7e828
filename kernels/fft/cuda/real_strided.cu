/* Real to real transforms of any number of dimensions between arrays with any strides. Dimensions and loops are ordered
 * as they lie in the input; in that order each dimension is transformed where it lies in an array without gaps: the
 * output, if that is one (in this order), else the workspace, from which the results are scattered. An input with gaps
 * is gathered first. */
#include "kernels/fft/cuda/nest.h"
#include "kernels/fft/cuda/plans.cuh"
#include "kernels/fft/cuda/real.h"
#include "kernels/fft/cuda/small.h"
extern "C" {
#include "runtime/base/error.h"
}

namespace
{

/* In order; stride: in the array without gaps. */
struct Order {
    struct tw_fft_cuda_level level[TW_FFT_CUDA_LEVELS];
    int64_t stride[TW_FFT_CUDA_LEVELS], count;
    bool in_dense, out_dense;
};

Order order_of(const struct tw_fft_cuda_strided *s)
{
    Order o = {};

    for (int k = 0; k < s->levels; k++) { /* insertion: the largest stride first */
        int at = k;
        for (; at > 0 && o.level[at - 1].is < s->level[k].is; at--)
            o.level[at] = o.level[at - 1];
        o.level[at] = s->level[k];
    }
    o.count = 1;
    o.in_dense = o.out_dense = true;
    for (int k = s->levels - 1; k >= 0; k--) {
        const struct tw_fft_cuda_level &l = o.level[k];
        o.stride[k] = o.count;
        if (l.n > 1 && l.is != o.count) o.in_dense = false;
        if (l.n > 1 && l.os != o.count) o.out_dense = false;
        o.count *= l.n;
    }
    return o;
}

/* Level d as lines of the array without gaps. */
struct tw_fft_cuda_around along(const struct tw_fft_cuda_strided *s, const Order &o, int d, double scale)
{
    const struct tw_fft_cuda_level &l = o.level[d];
    const int64_t stride = o.stride[d];
    return {s->single, (enum tw_fft_r2r)l.r2r, l.n, o.count / l.n, stride, stride, stride * l.n, scale};
}

struct tw_fft_cuda_lines lines_of(const struct tw_fft_cuda_around &a)
{
    return {a.single, 0, TW_FFT_R2R, a.r2r, a.n, a.lines, a.outer, a.outer, a.scale};
}

/* The outermost dimension is the last to be transformed, and scales. */
int outermost(const struct tw_fft_cuda_strided *s, const Order &o)
{
    int d = 0;
    while (d < s->levels && o.level[d].r2r < 0)
        d++;
    return d;
}

size_t buffer_of(const struct tw_fft_cuda_strided *s, const Order &o)
{
    return o.out_dense ? 0 : tw_cufft_aligned((size_t)o.count * (s->single ? 4 : 8));
}

template <class R, class I, bool GATHER>
__global__ void __launch_bounds__(256) strided_copy(const struct tw_nest nest, I count, const R *src, R *dst)
{
    const I step = (I)gridDim.x * blockDim.x;

    for (I k = (I)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += step) {
        const int64_t at = tw_nest_at<I>(&nest, k);
        dst[GATHER ? (int64_t)k : at] = src[GATHER ? at : (int64_t)k];
    }
}

template <class R, class I>
int copy(const struct tw_fft_gpu *q, const struct tw_nest &nest, int64_t count, const void *src, void *dst, bool gather)
{
    cudaLaunchConfig_t config = {};
    const int64_t blocks = (count + 255) / 256;
    cudaError_t e;

    config.gridDim = dim3((unsigned)(blocks < 1 << 16 ? blocks : 1 << 16));
    config.blockDim = dim3(256);
    config.stream = (cudaStream_t)q->stream;
    e = gather ? cudaLaunchKernelEx(&config, strided_copy<R, I, true>, nest, (I)count, (const R *)src, (R *)dst)
               : cudaLaunchKernelEx(&config, strided_copy<R, I, false>, nest, (I)count, (const R *)src, (R *)dst);
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "gathering real arrays: %s: %s", cudaGetErrorName(e), cudaGetErrorString(e));
    return 1;
}

/* Between the array with strides and the one without gaps. */
int move(const struct tw_fft_gpu *q, const struct tw_fft_cuda_strided *s, const Order &o, const void *src, void *dst,
         bool gather)
{
    const bool few = o.count + (1 << 24) < INT32_MAX; /* the counter passes the end by one step of the grid */
    struct tw_nest nest = {};

    for (int k = 0; k < s->levels; k++)
        tw_nest_add(&nest, o.level[k].n, gather ? o.level[k].is : o.level[k].os);
    if (s->single)
        return few ? copy<float, uint32_t>(q, nest, o.count, src, dst, gather)
                   : copy<float, int64_t>(q, nest, o.count, src, dst, gather);
    return few ? copy<double, uint32_t>(q, nest, o.count, src, dst, gather)
               : copy<double, int64_t>(q, nest, o.count, src, dst, gather);
}

struct tw_fft_cuda_strided dense_of(const struct tw_fft_cuda_real *r)
{
    struct tw_fft_cuda_strided s = {r->single, r->rank + 1, {}, r->scale};
    tw_int stride = 1;

    for (int d = r->rank - 1; d >= 0; stride *= r->n[d--])
        s.level[d + 1] = {r->n[d], stride, stride, (int)r->r2r[d]};
    s.level[0] = {r->batch, stride, stride, -1};
    return s;
}

} /* namespace */

int tw_fft_cuda_strided_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_strided *s, const void *in,
                             const void *out, size_t *bytes)
{
    const Order o = order_of(s);
    const size_t buffer = buffer_of(s, o);
    size_t most = 0;

    if (!o.out_dense) out = NULL; /* the workspace */
    if (!o.in_dense) in = out;
    for (int d = s->levels - 1; d >= 0; d--) {
        size_t need = 0;

        if (o.level[d].r2r < 0) continue;
        const struct tw_fft_cuda_around a = along(s, o, d, 1);
        const struct tw_fft_cuda_lines l = lines_of(a);
        /* Which of the two runs is decided by the arrays' alignment, too, and the answer is kept for arrays of any. */
        int e, ours = 0;
        if (a.stride == 1 && (e = tw_fft_cuda_small_choose(q, &l, in, out, &ours))) return e;
        if (ours && tw_fft_cuda_small_plan(q, &l)) return 1;
        if (tw_fft_cuda_around_plan(q, &a, &need)) return 1;
        if (need > most) most = need;
        in = out;
    }
    *bytes = buffer + most;
    return 0;
}

int tw_fft_cuda_strided(const struct tw_fft_gpu *q, const struct tw_fft_cuda_strided *s, const void *in, void *out,
                        void *work, size_t bytes)
{
    const Order o = order_of(s);
    const size_t buffer = buffer_of(s, o);
    const int last = outermost(s, o);
    void *at = o.out_dense ? out : work, *rest = (char *)work + buffer;

    if (bytes < buffer) return tw_cufft_no_room();
    if (!o.in_dense) {
        if (move(q, s, o, in, at, true)) return 1;
        in = at;
    }
    for (int d = s->levels - 1; d >= 0; d--) {
        if (o.level[d].r2r < 0) continue;
        const struct tw_fft_cuda_around a = along(s, o, d, d == last ? s->scale : 1);
        const struct tw_fft_cuda_lines l = lines_of(a);
        const int small = a.stride == 1 && tw_fft_cuda_small_chosen(q, &l, in, at);

        if (small ? tw_fft_cuda_small(q, &l, in, at) : tw_fft_cuda_around(q, &a, in, at, rest, bytes - buffer))
            return 1;
        in = at;
    }
    return o.out_dense ? 0 : move(q, s, o, at, out, false);
}

int tw_fft_cuda_real_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_real *r, const void *in, const void *out,
                          size_t *bytes)
{
    const struct tw_fft_cuda_strided s = dense_of(r);
    return tw_fft_cuda_strided_plan(q, &s, in, out, bytes);
}

int tw_fft_cuda_real(const struct tw_fft_gpu *q, const struct tw_fft_cuda_real *r, const void *in, void *out,
                     void *work, size_t bytes)
{
    const struct tw_fft_cuda_strided s = dense_of(r);
    return tw_fft_cuda_strided(q, &s, in, out, work, bytes);
}
