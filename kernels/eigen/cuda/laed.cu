/* Divide and conquer on a GPU: columns gathered, roots of the secular equation, vectors. */
#include "kernels/launch.cuh"
#include "kernels/eigen/cuda/laed_cuda.h"

#if !TW_IS_COMPLEX
#include "kernels/eigen/cuda/secular.cuh"

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static __device__ const R *column(const struct tw_merge_columns *q, int j)
{
    const int rest = j >= q->columns, p = rest ? q->count : j / q->width;
    return (const R *)q->piece[p] + (size_t)(rest ? j - q->columns : j % q->width) * (size_t)q->ld[p];
}

/* As in kernels/eigen/cpu/laed.c: where the rows of the column at a place lie, if they are not zeros. */
struct places {
    int n1, n2, k, k1, k12;
    R *top, *bottom, *rest;
};
static __device__ R *upper(const struct places *p, int at)
{
    if (at >= p->k) return p->rest + (size_t)(at - p->k) * (size_t)(p->n1 + p->n2);
    return at < p->k12 ? p->top + (size_t)at * (size_t)p->n1 : NULL;
}
static __device__ R *lower(const struct places *p, int at)
{
    if (at >= p->k) return p->rest + (size_t)(at - p->k) * (size_t)(p->n1 + p->n2) + p->n1;
    return at >= p->k1 ? p->bottom + (size_t)(at - p->k1) * (size_t)p->n2 : NULL;
}

static __global__ void __launch_bounds__(TW_BLOCK)
    gather_kernel(const __grid_constant__ struct tw_merge_columns q1,
                  const __grid_constant__ struct tw_merge_columns q2, struct places p, const int32_t *source)
{
    const int m = p.n1 + p.n2, i = blockIdx.x * TW_BLOCK + threadIdx.x, below = i >= p.n1;
    if (i >= m) return;
    for (int at = blockIdx.y; at < m; at += gridDim.y) {
        const int j = source[at], second = j >= p.n1;
        R *to = below ? lower(&p, at) : upper(&p, at);
        if (!to) continue;
        to[below ? i - p.n1 : i] = below != second ? 0 : below ? column(&q2, j - p.n1)[i - p.n1] : column(&q1, j)[i];
    }
}

/* A thread takes a row through all rotations. */
static __global__ void __launch_bounds__(TW_BLOCK)
    rotate_kernel(struct places p, int rotations, const int32_t *dest, const int32_t *pair, const R *turn)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x, below = i >= p.n1, row = below ? i - p.n1 : i;
    if (i >= p.n1 + p.n2) return;
    for (int r = 0; r < rotations; r++) {
        const int at_x = dest[pair[2 * r]], at_y = dest[pair[2 * r + 1]];
        R *x = below ? lower(&p, at_x) : upper(&p, at_x), *y = below ? lower(&p, at_y) : upper(&p, at_y);
        if (!x || !y) continue;
        const R c = turn[2 * r], s = turn[2 * r + 1], a = x[row], b = y[row];
        x[row] = c * a + s * b;
        y[row] = c * b - s * a;
    }
}

static int gather(const struct tw_cuda *q, const struct tw_merge_columns *q1, const struct tw_merge_columns *q2,
                  const struct tw_merge_head *head, int skip, const int32_t *plan, const void *numbers, void *top,
                  void *bottom, void *rest)
{
    const int m = q1->rows + q2->rows;
    const struct places p = {q1->rows, q2->rows,    (int)head->k, (int)head->k1, (int)(head->k1 + head->k2),
                             (R *)top, (R *)bottom, (R *)rest};
    const struct tw_merge_plan t = tw_merge_plan((int32_t *)plan, m);
    const R *turn = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_ROTATIONS);
    const int e = launch(TW_CALL_laed2, q, tile_grid(m, m), dim3(TW_BLOCK), gather_kernel, *q1, *q2, p, t.source);

    if (e || head->rotations == skip) return e;
    return launch(TW_CALL_laed2, q, dim3((m + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), rotate_kernel, p,
                  (int)head->rotations - skip, t.dest, t.pair + 2 * skip, turn + 2 * skip);
}

static __global__ void __launch_bounds__(TW_BLOCK)
    sort_kernel(const __grid_constant__ struct tw_merge_columns from, const int32_t *order, int first, int known,
                int count, int reals, int rows, R *s, int64_t lds)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= rows) return;
    for (int j = blockIdx.y; j < count; j += gridDim.y) {
        R *to = s + (int64_t)reals * (i + j * lds);
        to[0] = first + j >= known ? (R)(i == first + j) : i < from.rows ? column(&from, order[first + j])[i] : 0;
        if (reals > 1) to[1] = 0;
    }
}

static int sort(const struct tw_cuda *q, const struct tw_merge_columns *from, const int32_t *order, int first,
                int known, int count, int is_complex, int rows, void *s, int lds)
{
    return launch(TW_CALL_laed2, q, tile_grid(rows, count), dim3(TW_BLOCK), sort_kernel, *from, order, first, known,
                  count, is_complex ? 2 : 1, rows, (R *)s, lds);
}

/* ---- eigenvalues alone ----------------------------------------------------------------------------------------------
 *
 * A thread takes an eigenvalue and halves the interval that holds it: as many eigenvalues are below x as there are
 * negative pivots in T - x I = L D L^T (Givens; W. Kahan, "Accurate eigenvalues of a symmetric tri-diagonal matrix",
 * 1966). In double for all types. Pivots near 0 are made small ones, as in LAPACK's stebz. */

#define VALUES_THREADS 64
#define VALUES_PIECE   256 /* rows that a block has at hand */

static __global__ void __launch_bounds__(TW_BLOCK) squares_kernel(int n, const R *d, const R *e, double *work)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= n) return;
    work[i] = (double)d[i];
    work[n + i] = i > 0 ? (double)e[i - 1] * (double)e[i - 1] : 0; /* coupling to the row before */
}

/* Eigenvalues below x; every thread of the block calls it. */
static __device__ int below(int n, const double *d, const double *square, double x, double *shared)
{
    const double tiny = 1e-290;
    double pivot = 1;
    int count = 0;

    for (int first = 0; first < n; first += VALUES_PIECE) {
        const int rows = n - first < VALUES_PIECE ? n - first : VALUES_PIECE;
        __syncthreads();
        for (int i = threadIdx.x; i < rows; i += VALUES_THREADS) {
            shared[2 * i] = d[first + i];
            shared[2 * i + 1] = square[first + i];
        }
        __syncthreads();
        for (int i = 0; i < rows; i++) {
            pivot = (shared[2 * i] - x) - shared[2 * i + 1] / pivot;
            if (fabs(pivot) < tiny) pivot = -tiny;
            count += pivot < 0;
        }
    }
    return count;
}

static __global__ void __launch_bounds__(VALUES_THREADS) values_kernel(int n, const double *work, R *w)
{
    __shared__ double shared[2 * VALUES_PIECE];
    const int i = blockIdx.x * VALUES_THREADS + threadIdx.x;
    double low = -3.5, high = 3.5; /* Gershgorin: the elements are at most 1 */

    for (int step = 0; step < 64; step++) {
        const double x = 0.5 * (low + high);
        if (below(n, work, work + n, x, shared) <= i)
            low = x;
        else
            high = x;
    }
    if (i < n) w[i] = (R)(0.5 * (low + high));
}

static int values(const struct tw_cuda *q, int n, const void *d, const void *e, void *w, void *work)
{
    const int status = launch(TW_CALL_sterf, q, dim3((n + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), squares_kernel, n,
                              (const R *)d, (const R *)e, (double *)work);
    return status ? status
                  : launch(TW_CALL_sterf, q, dim3((n + VALUES_THREADS - 1) / VALUES_THREADS), dim3(VALUES_THREADS),
                           values_kernel, n, (const double *)work, (R *)w);
}

/* ---- the secular equation, and vectors (secular.cuh) ------------------------------------------------------------- */

static int roots(const struct tw_cuda *q, int m, int k, int first, int count, const void *numbers, void *lambda,
                 void *delta, void *part)
{
    return find_roots<false>(q, m, k, first, count, (const R *)numbers, (R *)lambda, (R *)delta, (R *)part);
}

struct parts {
    const R *part[TW_MERGE_PIECES];
    int count;
};

static __global__ void __launch_bounds__(TW_BLOCK)
    weights_kernel(int k, const __grid_constant__ struct parts p, const R *sign, R *z)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    R product = 1;

    if (i >= k) return;
    for (int c = 0; c < p.count; c++)
        product *= p.part[c][i];
    z[i] = copysign(sqrt(-product), sign[i]);
}

static int weights(const struct tw_cuda *q, int m, int k, int count, const void *const *part, const void *numbers,
                   void *z)
{
    struct parts p = {{NULL}, count};
    for (int c = 0; c < count; c++)
        p.part[c] = (const R *)part[c];
    return launch(TW_CALL_laed3, q, dim3((k + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), weights_kernel, k, p,
                  TW_MERGE_AT((const R *)numbers, m, TW_MERGE_Z), (R *)z);
}

static int vectors(const struct tw_cuda *q, int k, int count, const void *z, const int32_t *place, const void *delta,
                   void *s)
{
    return launch(TW_CALL_laed3, q, dim3(count), dim3(ROOT_THREADS), vectors_kernel<PLAIN>, k, (const R *)NULL,
                  (const R *)z, place, (const R *)delta, (R *)s);
}

#define TABLE TW_CAT3(tw_cuda_, TW_P, laed)
extern "C" const struct tw_cuda_laed_kernels TABLE = {values, gather, roots, weights, vectors, sort};

#endif
