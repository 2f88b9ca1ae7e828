/* Copies between a matrix in LAPACK's storage and the objects of the one-stage reduction: a thread takes a row, a block
 * some columns. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/eigen/cuda/sytrd.h"
extern const struct tw_sytrd_cuda CUDA(sytrd);
}

static __global__ void __launch_bounds__(TW_BLOCK)
    reversed_kernel(int m, int n, const T *a, int64_t lda, T *b, int64_t ldb)
{
    const int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= m) return;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y)
        b[m - 1 - i + (n - 1 - j) * ldb] = a[i + j * lda];
}

static __global__ void __launch_bounds__(TW_BLOCK)
    store_kernel(struct tw_sytrd_panel p, struct tw_sytrd_tile t, int from, int to, const T *v, int64_t ldv, const R *d,
                 const R *e, R scale, T *a, int64_t lda)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x, up = p.uplo == 'U';
    const int row = up ? p.n - 1 - t.row - i : t.row + i;
    if (i >= t.m) return;
    for (int j = from + blockIdx.y; j < to; j += gridDim.y) {
        const int column = up ? p.n - 1 - t.column - j : t.column + j, c = column - p.first;
        T *x = a + i + j * lda;
        if (row == column)
            *x = number(scale * d[c]);
        else if (row == column + 1)
            *x = number(scale * e[c]);
        else if (row > column)
            *x = v[row - 1 - p.first + c * ldv];
    }
}

static __global__ void __launch_bounds__(TW_BLOCK)
    load_kernel(struct tw_sytrd_panel p, struct tw_sytrd_tile t, int from, int to, const T *a, int64_t lda, T *v,
                int64_t ldv)
{
    const int up = p.uplo == 'U', first = up ? 0 : p.first + 1, last = up ? p.n - 1 - p.first : p.n;
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x, row = t.row + i;
    if (i >= t.m || row < first || row >= last) return;
    for (int j = from + blockIdx.y; j < to; j += gridDim.y) {
        const int column = t.column + j, c = (up ? p.n - 1 - column : column) - p.first,
                  one = up ? column - 1 : column + 1;
        v[row - first + c * ldv] = row == one ? number(1) : (row > one) == up ? number(0) : a[i + j * lda];
    }
}

static int reversed(const struct tw_cuda *q, int m, int n, const void *a, int lda, void *b, int ldb)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_sytrd, q, tile_grid(m, n), dim3(TW_BLOCK), reversed_kernel, m, n, (const T *)a, (int64_t)lda,
                  (T *)b, (int64_t)ldb);
}

static int store(const struct tw_cuda *q, const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *v,
                 int ldv, const void *d, const void *e, double scale, void *a, int lda)
{
    int from, to;

    tw_sytrd_columns(p, t, p->columns, &from, &to);
    if (from >= to || t->m <= 0) return 0;
    return launch(TW_CALL_sytrd, q, tile_grid(t->m, to - from), dim3(TW_BLOCK), store_kernel, *p, *t, from, to,
                  (const T *)v, (int64_t)ldv, (const R *)d, (const R *)e, (R)scale, (T *)a, (int64_t)lda);
}

static int load(const struct tw_cuda *q, const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *a,
                int lda, void *v, int ldv)
{
    int from, to;

    tw_sytrd_columns(p, t, p->k, &from, &to);
    if (from >= to || t->m <= 0) return 0;
    return launch(TW_CALL_sytrd, q, tile_grid(t->m, to - from), dim3(TW_BLOCK), load_kernel, *p, *t, from, to,
                  (const T *)a, (int64_t)lda, (T *)v, (int64_t)ldv);
}

const struct tw_sytrd_cuda CUDA(sytrd) = {reversed, store, load};
