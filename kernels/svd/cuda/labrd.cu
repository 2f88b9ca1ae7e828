/* A panel of the one-stage reduction to bidiagonal form on a GPU (kernels/svd/cpu/labrd.c). Four launches for a column
 * and its row:
 *
 *   column  X's column before this one from the last product's parts; this column of A less what [V X] and [Y U] take
 *           from it; sums of its squares
 *   left    the reflector v; A^H v; V^H v and X^H v
 *   row     Y's column from these; the row, as its adjoint, less what [Y U] and [V X] take from it; sums of its squares
 *   right   the reflector u; A u; Y^H u and U^H u */
#include "kernels/dense/cuda/one_stage.cuh"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/svd/cuda/labrd.h"
int CUDA(labrd)(const struct tw_cuda *q, const struct tw_labrd *p, void *work);
}

struct panel {
    T *a;                                  /* its first column, from its first row on */
    T *v, *x, *y, *u, *rest, *tauq, *taup; /* rest: the panel's rows behind it */
    R *d, *e;
    size_t lda;
    int ldvx, ldyu, ldrest, m, n, columns; /* m, n: rows of V and of U */
    T *vector;
    double *norm;
    T *dots; /* parts of B^H v */
    T *slot;
};

static __device__ __forceinline__ T *at(T *a, int ld, int i, int j)
{
    return a + i + (size_t)j * ld;
}
/* Of the column c, and of its row. */
static __device__ __forceinline__ struct vector column_of(const struct panel &p, int c)
{
    const struct vector x = {p.vector, p.norm, p.m, c, tw_pieces(p.m - c, STRIP)};
    return x;
}
static __device__ __forceinline__ struct vector row_of(const struct panel &p, int c)
{
    const struct vector x = {p.vector, p.norm, p.n, c + 1, tw_pieces(p.n - c - 1, STRIP)};
    return x;
}

/* c may be one beyond the last column: then X is completed alone. count: parts of the last product. */
static __global__ void __launch_bounds__(STRIP_THREADS) column_kernel(struct panel p, int c, int count)
{
    __shared__ T finish[2 * MOST], next[2 * MOST], gathered[2][GROUPS][STRIP];
    __shared__ struct squares squares[STRIP / 32];
    const int r = c + blockIdx.x * STRIP + threadIdx.x % STRIP, before = c > 0 ? c - 1 : 0;
    const bool mine = r < p.m;
    const struct tall vx = {{p.v, p.x}, p.ldvx, {c, before}};
    const struct parts parts = {p.slot, count, p.m, c > 0 ? p.taup[c - 1] : number(0)};
    T f, x;

    sum_parts(p.dots, c + before, tw_pieces(p.n, ROWS), finish);
    if (c < p.columns)
        for (int j = threadIdx.x; j < c + before; j += STRIP_THREADS)
            next[j] = conjugate(j < c ? *at(p.y, p.ldyu, c, j) : *at(p.u, p.ldyu, c, j - c));
    else
        for (int j = threadIdx.x; j < c + before; j += STRIP_THREADS)
            next[j] = number(0);
    __syncthreads();
    step_row(vx, parts, mine, r, finish, next, gathered, &f, &x);
    if (threadIdx.x < STRIP && mine) {
        if (c > 0) *at(p.x, p.ldvx, r, c - 1) = f;
        if (c < p.columns) p.vector[r] = x = minus_product(sum(p.a[r + (size_t)c * p.lda], x), number(1), f);
    }
    if (c < p.columns) leave_squares(column_of(p, c), blockIdx.x, mine && r > c, x, squares);
}

/* The first blocks leave the reflector where it belongs. */
static __global__ void __launch_bounds__(ROWS) left_kernel(struct panel p, int c, struct stream s)
{
    __shared__ struct reflector h;
    const struct vector x = column_of(p, c);
    const int beside = TW_DOTS_PARTS * tw_pieces(p.m, ROWS), number_of = (int)blockIdx.x - beside;

    if (threadIdx.x < 32) {
        const struct reflector mine = reflector_for(x);
        if (threadIdx.x == 0) h = mine;
    }
    __syncthreads();
    if (number_of >= 0) {
        stream_adjoint(s, x, h, number_of % s.cut.down, number_of / s.cut.down);
        return;
    }
    const int piece = blockIdx.x / TW_DOTS_PARTS, part = blockIdx.x % TW_DOTS_PARTS, r = piece * ROWS + threadIdx.x;
    const struct tall vx = {{p.v, p.x}, p.ldvx, {c, c}};
    if (part == 0 && r < p.m) {
        const T e = r < c ? number(0) : element_of_v(x, h, r);
        *at(p.v, p.ldvx, r, c) = e;
        if (r >= c) p.a[r + (size_t)c * p.lda] = r > c ? e : number(h.beta);
        if (r == c) {
            p.d[c] = h.beta;
            p.tauq[c] = h.tau;
            if (c == p.n - 1) p.taup[c] = number(0); /* no row behind it */
        }
    }
    dots(vx, x, h, piece, part, p.dots);
}

static __global__ void __launch_bounds__(STRIP_THREADS) row_kernel(struct panel p, int c, int count)
{
    __shared__ T finish[2 * MOST], next[2 * MOST], gathered[2][GROUPS][STRIP];
    __shared__ struct squares squares[STRIP / 32];
    const int r = c + 1 + blockIdx.x * STRIP + threadIdx.x % STRIP;
    const bool mine = r < p.n;
    const struct tall yu = {{p.y, p.u}, p.ldyu, {c, c}};
    const struct parts parts = {p.slot, count, p.n, p.tauq[c]};
    T f, x;

    sum_parts(p.dots, 2 * c, tw_pieces(p.m, ROWS), finish);
    for (int j = threadIdx.x; j < 2 * c; j += STRIP_THREADS)
        next[j] = conjugate(j < c ? *at(p.v, p.ldvx, c, j) : *at(p.x, p.ldvx, c, j - c));
    __syncthreads();
    step_row(yu, parts, mine, r, finish, next, gathered, &f, &x);
    if (threadIdx.x < STRIP && mine) {
        *at(p.y, p.ldyu, r, c) = f;
        p.vector[r] = x = minus_product(sum(conjugate(p.a[c + (size_t)r * p.lda]), x), number(1), f);
    }
    leave_squares(row_of(p, c), blockIdx.x, mine && r > c + 1, x, squares);
}

static __global__ void __launch_bounds__(ROWS) right_kernel(struct panel p, int c, struct stream s)
{
    __shared__ T u[BATCH];
    __shared__ struct reflector h;
    const struct vector x = row_of(p, c);
    const int beside = TW_DOTS_PARTS * tw_pieces(p.n, ROWS), number_of = (int)blockIdx.x - beside;

    if (threadIdx.x < 32) {
        const struct reflector mine = reflector_for(x);
        if (threadIdx.x == 0) h = mine;
    }
    __syncthreads();
    if (number_of >= 0) {
        stream_plain(s, x, h, number_of % s.cut.down, number_of / s.cut.down, u);
        return;
    }
    const int piece = blockIdx.x / TW_DOTS_PARTS, part = blockIdx.x % TW_DOTS_PARTS, r = piece * ROWS + threadIdx.x;
    const struct tall yu = {{p.y, p.u}, p.ldyu, {c + 1, c}};
    if (part == 0 && r < p.n) {
        const T e = r <= c ? number(0) : element_of_v(x, h, r), left = r == c + 1 ? number(h.beta) : e;
        *at(p.u, p.ldyu, r, c) = e;
        if (r > c && r < p.columns)
            p.a[c + (size_t)r * p.lda] = conjugate(left);
        else if (r > c)
            *at(p.rest, p.ldrest, r - p.columns, c) = left;
        if (r == c + 1) {
            p.e[c] = h.beta;
            p.taup[c] = h.tau;
        }
    }
    dots(yu, x, h, piece, part, p.dots);
}

static unsigned grid_of(const struct stream *s, int rows)
{
    const unsigned beside = TW_DOTS_PARTS * tw_pieces(rows, ROWS);
    return s->columns > 0 ? beside + (unsigned)s->cut.down * s->cut.count : beside;
}
static int step(const struct tw_cuda *q, void (*kernel)(struct panel, int, int), const struct panel *p, int c, int rows,
                int count)
{
    return launch(TW_CALL_labrd, q, dim3((unsigned)tw_pieces(rows, STRIP)), dim3(STRIP_THREADS), kernel, *p, c, count);
}
static int product_with(const struct tw_cuda *q, void (*kernel)(struct panel, int, struct stream),
                        const struct panel *p, int c, int rows, const struct stream *s)
{
    return launch(TW_CALL_labrd, q, dim3(grid_of(s, rows)), dim3(ROWS), kernel, *p, c, *s);
}

/* Column c and its row. */
static int one_column(const struct tw_cuda *q, const struct panel *p, struct stream *s, int c)
{
    if (p->m > c) TW_TRY(step(q, column_kernel, p, c, p->m - c, s->cut.count));
    if (c == p->columns) return 0;
    s->row = s->row0 + c, s->rows = p->m - c;
    s->column = s->column0 + c + 1, s->columns = p->n - c - 1;
    s->slot_ld = p->n;
    if (s->columns > 0) s->cut = tw_stream_cut(s->row, s->rows, s->columns);
    TW_TRY(product_with(q, left_kernel, p, c, p->m, s));
    if (s->columns == 0) return 0;
    TW_TRY(step(q, row_kernel, p, c, p->n - c - 1, s->cut.down));
    s->row++, s->rows--;
    s->slot_ld = p->m;
    s->cut = tw_stream_cut(s->row, s->rows, s->columns);
    return product_with(q, right_kernel, p, c, p->n, s);
}

int CUDA(labrd)(const struct tw_cuda *q, const struct tw_labrd *l, void *work)
{
    const int m = l->m - l->first, n = l->n - l->first, lda = (int)l->at[0].ld, column = l->first - l->at_first;
    const size_t strips = (size_t)tw_pieces(m, STRIP), pieces = (size_t)tw_pieces(m, ROWS), b = (size_t)l->columns;
    struct panel p = {};
    struct stream s = {};

    p.norm = (double *)tw_work_aligned(work);
    p.vector = (T *)(p.norm + (3 * strips + 1) / 2 * 2);
    p.dots = p.vector + m;
    p.slot = p.dots + 2 * pieces * b;
    p.a = TW_AT((T *)l->at[0].ptr, lda, l->first, column);
    p.v = (T *)l->vx, p.x = p.v + b * (size_t)l->ldvx, p.y = (T *)l->yu, p.u = p.y + b * (size_t)l->ldyu;
    p.rest = (T *)l->rows, p.tauq = (T *)l->tauq, p.taup = (T *)l->taup, p.d = (R *)l->d, p.e = (R *)l->e;
    p.lda = (size_t)lda, p.ldvx = l->ldvx, p.ldyu = l->ldyu, p.ldrest = l->ldrows, p.m = m, p.n = n;
    p.columns = l->columns;
    s.a = (const T *)l->at[0].ptr, s.ld = p.lda, s.row0 = l->first, s.column0 = column, s.slot = p.slot;
    for (int c = 0; c <= l->columns && (c == 0 || c < n); c++)
        TW_TRY(one_column(q, &p, &s, c));
    return 0;
}
