/* A panel of the reduction to Hessenberg form on a GPU (kernels/eigen/cpu/lahr2.c). Three launches a column:
 *
 *   column   Y's column before this one from the last product's parts, and T's; this column of A less what that and Y's
 *            columns before take from it; its products with V
 *   reflect  the reflectors before it from the left; sums of its squares
 *   product  the reflector; A v; V^H v
 *
 * then the rows above the panel's reflectors as products of matrices. */
#include "kernels/dense/cuda/one_stage.cuh"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/eigen/cuda/lahr2.h"
int CUDA(lahr2)(const struct tw_cuda *q, const struct tw_lahr2 *p, void *work);
}

struct panel {
    T *a, *v, *y, *t, *tau; /* a and y from V's first row on, a from the panel's first column */
    size_t lda;
    int ldv, ldy, ldt, rows, columns;
    T *x;
    double *norm;
    T *of_v, *of_x; /* parts of V^H v and V^H x */
    T *slot;
};

static __device__ __forceinline__ T *v_at(const struct panel &p, int i, int j)
{
    return p.v + i + (size_t)j * p.ldv;
}
static __device__ __forceinline__ T *t_at(const struct panel &p, int i, int j)
{
    return p.t + i + (size_t)j * p.ldt;
}
static __device__ __forceinline__ struct vector vector_of(const struct panel &p, int c)
{
    const struct vector x = {p.x, p.norm, p.rows, c, tw_pieces(p.rows, STRIP)};
    return x;
}

/* T's column c: -tau T w, tau, and zeros. A warp has a row. */
static __device__ void column_of_t(const struct panel &p, int c, const T *w)
{
    const int lane = threadIdx.x % 32;
    const T tau = p.tau[c];

    for (int i = threadIdx.x / 32; i < p.columns; i += STRIP_WARPS) {
        T s = number(0);
        for (int j = i + lane; j < c; j += 32)
            s = plus_product(s, *t_at(p, i, j), w[j]);
        s = warp_sum(s);
        if (lane == 0) *t_at(p, i, c) = i < c ? scaled(product(tau, s), -1) : i == c ? tau : number(0);
    }
}

/* c >= 1; one behind the last column completes Y and T alone. count: parts of the last product. The grid's last block
 * makes T's column. */
static __global__ void __launch_bounds__(STRIP_THREADS) column_kernel(struct panel p, int c, int count)
{
    __shared__ T w[MOST], next[MOST], gathered[2][GROUPS][STRIP], strip[STRIP];
    const int first = blockIdx.x * STRIP, r = first + threadIdx.x % STRIP, lane = threadIdx.x % 32;
    const bool mine = r < p.rows, more = c < p.columns;
    const struct tall y = {{p.y, p.y}, p.ldy, {c - 1, 0}};
    const struct parts parts = {p.slot, count, p.rows, p.tau[c - 1]};
    T f, x;

    sum_parts(p.of_v, c - 1, tw_pieces(p.rows, ROWS), w);
    for (int j = threadIdx.x; j < c - 1; j += STRIP_THREADS)
        next[j] = conjugate(*v_at(p, c - 1, j));
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1) {
        column_of_t(p, c - 1, w);
        return;
    }
    step_row(y, parts, mine, r, w, next, gathered, &f, &x);
    if (threadIdx.x < STRIP) {
        if (mine) {
            p.y[r + (size_t)(c - 1) * p.ldy] = f;
            if (more) p.x[r] = x = minus_product(sum(p.a[r + (size_t)c * p.lda], x), number(1), f);
        }
        strip[threadIdx.x] = mine ? x : number(0);
    }
    __syncthreads();
    for (int j = threadIdx.x / 32; j < c && more; j += STRIP_WARPS) { /* V^H x */
        T s = number(0);
#pragma unroll
        for (int i = lane; i < STRIP; i += 32)
            if (first + i < p.rows) s = plus_dot(s, *v_at(p, first + i, j), strip[i]);
        s = warp_sum(s);
        if (lane == 0) p.of_x[(size_t)j * (gridDim.x - 1) + blockIdx.x] = s;
    }
}

static __global__ void __launch_bounds__(STRIP_THREADS) reflect_kernel(struct panel p, int c)
{
    __shared__ T g[MOST], w[MOST], gathered[2][GROUPS][STRIP];
    __shared__ struct squares squares[STRIP / 32];
    const int r = blockIdx.x * STRIP + threadIdx.x % STRIP, lane = threadIdx.x % 32;
    const bool mine = r < p.rows;
    const struct tall v = {{p.v, p.v}, p.ldv, {c, 0}};
    const struct parts none = {p.slot, 0, 0, number(0)};
    T f, x;

    sum_parts(p.of_x, c, gridDim.x, g);
    __syncthreads();
    for (int i = threadIdx.x / 32; i < c; i += STRIP_WARPS) { /* T^H */
        T s = number(0);
        for (int j = lane; j <= i; j += 32)
            s = plus_dot(s, *t_at(p, j, i), g[j]);
        s = warp_sum(s);
        if (lane == 0) w[i] = s;
    }
    __syncthreads();
    step_row(v, none, mine, r, w, w, gathered, &f, &x);
    if (threadIdx.x < STRIP && mine) {
        x = sum(c > 0 ? p.x[r] : p.a[r], x);
        p.x[r] = p.a[r + (size_t)c * p.lda] = x;
    }
    leave_squares(vector_of(p, c), blockIdx.x, mine && r > c, x, squares);
}

/* The first blocks leave the reflector where it belongs. */
static __global__ void __launch_bounds__(ROWS) product_kernel(struct panel p, int c, struct stream s)
{
    __shared__ T v[BATCH];
    __shared__ struct reflector h;
    const struct vector x = vector_of(p, c);
    const int beside = TW_DOTS_PARTS * tw_pieces(p.rows, ROWS), number_of = (int)blockIdx.x - beside;

    if (threadIdx.x < 32) {
        const struct reflector mine = reflector_for(x);
        if (threadIdx.x == 0) h = mine;
    }
    __syncthreads();
    if (number_of >= 0) {
        stream_plain(s, x, h, number_of % s.cut.down, number_of / s.cut.down, v);
        return;
    }
    const int piece = blockIdx.x / TW_DOTS_PARTS, part = blockIdx.x % TW_DOTS_PARTS, r = piece * ROWS + threadIdx.x;
    const struct tall before = {{p.v, p.v}, p.ldv, {c, 0}};
    if (part == 0 && r < p.rows) {
        const T e = r < c ? number(0) : element_of_v(x, h, r);
        *v_at(p, r, c) = e;
        if (r >= c) p.a[r + (size_t)c * p.lda] = r > c ? e : number(h.beta);
        if (r == c) p.tau[c] = h.tau;
    }
    dots(before, x, h, piece, part, p.of_v);
}

/* Y = A V T of the rows above V, and the panel's columns there. */
static int above(const struct tw_cuda *q, const struct tw_lahr2 *l, T *a, int lda, T *work)
{
    const int m = l->first + 1, b = l->columns, rows = l->last - l->first - 1;

    TW_TRY(CUDA(gemm)(q, 'N', 'N', m, b, rows, tw_one, a, lda, l->v, l->ldv, tw_zero, work, m));
    TW_TRY(CUDA(gemm)(q, 'N', 'N', m, b, b, tw_one, work, m, l->t, l->ldt, tw_zero, l->y, l->ldy));
    if (b == 1) return 0;
    return CUDA(gemm)(q, 'N', TW_IS_COMPLEX ? 'C' : 'T', m, b - 1, b, tw_minus_one, l->y, l->ldy, l->v, l->ldv, tw_one,
                      a, lda);
}

static int one_column(const struct tw_cuda *q, const struct panel *p, struct stream *s, int c)
{
    const unsigned strips = (unsigned)tw_pieces(p->rows, STRIP), beside = TW_DOTS_PARTS * tw_pieces(p->rows, ROWS);

    if (c > 0)
        TW_TRY(launch(TW_CALL_lahr2, q, dim3(strips + 1), dim3(STRIP_THREADS), column_kernel, *p, c, s->cut.count));
    if (c == p->columns) return 0;
    s->column = s->column0 + c, s->columns = p->rows - c;
    s->cut = tw_stream_cut(s->row, s->rows, s->columns);
    TW_TRY(launch(TW_CALL_lahr2, q, dim3(strips), dim3(STRIP_THREADS), reflect_kernel, *p, c));
    return launch(TW_CALL_lahr2, q, dim3(beside + (unsigned)s->cut.down * s->cut.count), dim3(ROWS), product_kernel, *p,
                  c, *s);
}

int CUDA(lahr2)(const struct tw_cuda *q, const struct tw_lahr2 *l, void *work)
{
    const int lda = (int)l->at[0].ld, rows = l->last - l->first - 1, column = l->first - l->at_first;
    const size_t strips = (size_t)tw_pieces(rows, STRIP), pieces = (size_t)tw_pieces(rows, ROWS),
                 b = (size_t)l->columns;
    T *a = (T *)l->at[0].ptr;
    struct panel p = {};
    struct stream s = {};

    p.norm = (double *)tw_work_aligned(work);
    p.x = (T *)(p.norm + (3 * strips + 1) / 2 * 2);
    p.of_v = p.x + rows;
    p.of_x = p.of_v + pieces * b;
    p.slot = p.of_x + strips * b;
    p.a = TW_AT(a, lda, l->first + 1, column);
    p.v = (T *)l->v, p.y = (T *)l->y + l->first + 1, p.t = (T *)l->t, p.tau = (T *)l->tau;
    p.lda = (size_t)lda, p.ldv = l->ldv, p.ldy = l->ldy, p.ldt = l->ldt, p.rows = rows, p.columns = l->columns;
    s.a = a, s.ld = p.lda, s.row = s.row0 = l->first + 1, s.rows = rows, s.column0 = column + 1;
    s.slot = p.slot, s.slot_ld = rows;
    for (int c = 0; c <= l->columns; c++)
        TW_TRY(one_column(q, &p, &s, c));
    return above(q, l, TW_AT(a, lda, 0, column + 1), lda, p.slot);
}
