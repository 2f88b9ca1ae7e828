/* A block of QR with column exchanges, on tiles where they lie: LAPACK's ?laqps (Quintana-Orti, Sun, Bischof, "A BLAS-3
 * version of the QR factorization with column pivoting", SIAM J. Sci. Comput. 19, 1998; norms by Drmac and Bujanovic,
 * "On the failure of rank-revealing QR factorization software", ACM TOMS 35, 2008).
 *
 * With a `stop` it ends before the block does where no column is left that counts, as LAPACK's ?laqp3rk does.
 *
 * Where a norm cancels, LAPACK ends its block. Here the column is summed up at once, from what it is and what the block
 * still owes it, so that blocks are as wide as tiles. */
#include <float.h>
#include <math.h>
#include "kernels/dense/cpu/laqps.h"
#include "kernels/dense/cpu/tile_grid.h"

void CPU(laqps_team)(struct tw_team *team, const struct tw_tile_grid *a, int k, int fixed, int32_t *jpvt, int32_t *swap,
                     void *tau, void *f, int ldf, double *norm, double *summed, void *work, int64_t at,
                     struct tw_pivot_stop *stop);

#if TW_IS_SINGLE
#define EPS 0x1p-24
#else
#define EPS 0x1p-53
#endif

static void exchange(const struct tw_tile_grid *a, int c, int d)
{
    for (int i = 0, first; i < a->mt; i++) {
        const int rows = tw_grid_rows(a, i, 0, &first);
        T *x = tw_grid_at(a, first, c), *y = tw_grid_at(a, first, d);
        for (int r = 0; r < rows; r++) {
            const T t = x[r];
            x[r] = y[r], y[r] = t;
        }
    }
}

/* y (n) = A^H x + begins ? 0 : y, and y (m) -= A x, of an m x n A. OpenBLAS' complex gemv reads past its matrix: it
 * does not get the last columns, since tiles may lie at the end of an array of the user's. */
static int without_last(int n)
{
    return TW_IS_COMPLEX ? n - TW_COLUMNS_BEHIND : n;
}
static void add_adjoint(int m, int n, const T *a, int lda, const T *x, int begins, T *y)
{
    const T one = 1, zero = 0;
    const int most = without_last(n);

    if (most > 0) BLAS(gemv)
    (CblasColMajor, CblasConjTrans, m, most, TW_ARG(one), a, lda, x, 1, begins ? TW_ARG(zero) : TW_ARG(one), y, 1);
    for (int c = most > 0 ? most : 0; c < n; c++) {
        const T *column = TW_AT(a, lda, 0, c);
        T sum = begins ? 0 : y[c];
        for (int i = 0; i < m; i++)
            sum += tw_mul(TW_CONJ(column[i]), x[i]);
        y[c] = sum;
    }
}
static void subtract_product(int m, int n, const T *a, int lda, const T *x, T *y)
{
    const T minus_one = -1, one = 1;
    const int most = without_last(n);

    if (most > 0) BLAS(gemv)
    (CblasColMajor, CblasNoTrans, m, most, TW_ARG(minus_one), a, lda, x, 1, TW_ARG(one), y, 1);
    for (int c = most > 0 ? most : 0; c < n; c++) {
        const T *column = TW_AT(a, lda, 0, c);
        for (int i = 0; i < m; i++)
            y[i] -= tw_mul(column[i], x[c]);
    }
}

/* y (of columns c … c + n - 1 of one tile column) = A^H x, x from row `from` on. */
static void product(const struct tw_tile_grid *a, int from, int c, int n, const T *x, T *y)
{
    for (int i = from / a->mb, first; i < a->mt; i++) {
        const int rows = tw_grid_rows(a, i, from, &first);
        add_adjoint(rows, n, tw_grid_at(a, first, c), tw_grid_ld(a, i, c / a->nb), x + (first - from),
                    i == from / a->mb, y);
    }
}

/* x -= V conj(w), rows from `from` on of the first k columns. w is overwritten. */
static void subtract(const struct tw_tile_grid *a, int from, int k, T *w, T *x)
{
    for (int p = 0; p < k; p++)
        w[p] = TW_CONJ(w[p]);
    for (int i = from / a->mb, first; k > 0 && i < a->mt; i++) {
        const int rows = tw_grid_rows(a, i, from, &first);
        subtract_product(rows, k, tw_grid_at(a, first, 0), tw_grid_ld(a, i, 0), w, x + (first - from));
    }
}

/* ---- norms ------------------------------------------------------------------------------------------------------- */

static double norm2(int m, const T *x)
{
    double acc[2] = {0, 0};
    CPU(normfro)(TW_STRUCT_GENERAL, 'G', 'N', m, 1, x, m, 1, acc);
    return acc[0] * sqrt(acc[1]);
}

/* One block. */
struct block {
    struct tw_team *team;
    const struct tw_tile_grid *a;
    T *f;
    int ldf;
    double *norm, *summed;
    T *v, *column, *w; /* m, m, n + 2 k elements */
};

/* Column c's norm from row `from` on, with the first k reflectors still to be subtracted. */
static void sum_up(const struct block *b, int from, int c, int k)
{
    const int m = b->a->m - from;

    if (m > 0) {
        tw_grid_move(b->a, from, b->a->m, c, b->column, 0);
        for (int p = 0; p < k; p++)
            b->w[p] = *TW_AT(b->f, b->ldf, c, p);
        subtract(b->a, from, k, b->w, b->column);
    }
    b->norm[c] = b->summed[c] = m > 0 ? norm2(m, b->column) : 0;
}

/* Row j of the columns behind it is what it will be: their norms are those of the rows below. */
static void without_row(const struct block *b, int j)
{
    const double tol3z = sqrt(EPS);

    for (int c = j + 1; c < b->a->n; c++) {
        const T x = *tw_grid_at(b->a, j, c);
        double t, rest;
        if (b->norm[c] == 0) continue;
        t = hypot((double)TW_RE(x), (double)TW_IM(x)) / b->norm[c];
        rest = fmax(0, (1 + t) * (1 - t));
        t = b->norm[c] / b->summed[c];
        if (!(rest * t * t <= tol3z))
            b->norm[c] *= sqrt(rest);
        else
            sum_up(b, j + 1, c, j + 1);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static int largest(const struct block *b, int j)
{
    int at = j;
    for (int c = j + 1; c < b->a->n; c++)
        if (b->norm[c] > b->norm[at]) at = c;
    return at;
}

static void swap_with(const struct block *b, int j, int c, int32_t *jpvt)
{
    const int32_t t = jpvt[j];

    exchange(b->a, j, c);
    for (int p = 0; p < j; p++) {
        const T x = *TW_AT(b->f, b->ldf, j, p);
        *TW_AT(b->f, b->ldf, j, p) = *TW_AT(b->f, b->ldf, c, p);
        *TW_AT(b->f, b->ldf, c, p) = x;
    }
    jpvt[j] = jpvt[c], jpvt[c] = t;
    b->norm[c] = b->norm[j];
    b->summed[c] = b->summed[j];
}

/* Column j as the reflectors before it leave it, and its own reflector; v is all of it, with the 1. */
static void reflect(const struct block *b, int j, T *tau)
{
    tw_grid_move(b->a, j, b->a->m, j, b->v, 0);
    for (int p = 0; p < j; p++)
        b->w[p] = *TW_AT(b->f, b->ldf, j, p);
    subtract(b->a, j, j, b->w, b->v);
    *tau = CPU(reflector)(b->a->m - j, b->v, b->v + 1);
    tw_grid_move(b->a, j, b->a->m, j, b->v, 1);
    b->v[0] = 1;
}

/* A2^H v, which reads all that is left of the matrix: each part is of PART columns of one tile column at most. */
enum { PART = 64, ALONE = 1 << 16 /* elements of A2 up to which no helper is asked */ };
struct products {
    const struct block *b;
    int j, first, pieces; /* of a tile column; first: tile column */
    T *f;
};
static void product_part(void *args, int part)
{
    const struct products *p = args;
    const struct tw_tile_grid *a = p->b->a;
    const int tile = p->first + part / p->pieces, piece = part % p->pieces * PART, begin = tile * a->nb + piece,
              end = tw_min(a->n, tile * a->nb + tw_min(a->nb, piece + PART)), c = tw_max(begin, p->j + 1);

    if (c < end) product(a, p->j, c, end - c, p->b->v, p->f + c);
}
static void products(const struct block *b, int j, T *f)
{
    const struct tw_tile_grid *a = b->a;
    struct products p = {b, j, (j + 1) / a->nb, (a->nb + PART - 1) / PART, f};
    const int tiles = (a->n + a->nb - 1) / a->nb;

    if (j + 1 < a->n)
        tw_team_run((double)(a->m - j) * (double)(a->n - j) > ALONE ? b->team : NULL, (tiles - p.first) * p.pieces,
                    product_part, &p);
}

/* Column j of F: tau A2^H v, and what the reflectors before it take off. The elements up to row j are 0. */
static void column_of_f(const struct block *b, int j, T tau)
{
    const T one = 1, factor = -tau;
    const int n = b->a->n;
    T *f = TW_AT(b->f, b->ldf, 0, j), *w = b->w;

    for (int c = 0; c <= j; c++)
        f[c] = 0;
    products(b, j, f);
    for (int c = j + 1; c < n; c++)
        f[c] = tw_mul(tau, f[c]);
    if (j == 0 || j + 1 == n) return;
    product(b->a, j, 0, j, b->v, w);
    BLAS(gemv)
    (CblasColMajor, CblasNoTrans, n - j - 1, j, TW_ARG(factor), TW_AT(b->f, b->ldf, j + 1, 0), b->ldf, w, 1,
     TW_ARG(one), f + j + 1, 1);
}

/* Row j of the columns behind it is final: A(j, c) -= V(j, :) F(c, :)^H. */
static void row_of_r(const struct block *b, int j)
{
    const T zero = 0, one = 1;
    const int n = b->a->n - j - 1;
    T *w = b->w, *y = w + j + 1;

    if (n <= 0) return;
    for (int p = 0; p < j; p++)
        w[p] = TW_CONJ(*tw_grid_at(b->a, j, p));
    w[j] = 1;
    BLAS(gemv)
    (CblasColMajor, CblasNoTrans, n, j + 1, TW_ARG(one), TW_AT(b->f, b->ldf, j + 1, 0), b->ldf, w, 1, TW_ARG(zero), y,
     1);
    for (int c = 0; c < n; c++)
        *tw_grid_at(b->a, j, j + 1 + c) -= TW_CONJ(y[c]);
}

/* ---- the end before the last column ------------------------------------------------------------------------------ */

/* Whether column j of the block, `at` of the matrix, is one too many. */
static int ends(const struct block *b, int j, int64_t at, struct tw_pivot_stop *stop)
{
    const int c = largest(b, j);

    stop->k = at;
    stop->largest = b->norm[c];
    for (int d = j; d < b->a->n && !stop->nan; d++)
        if (isnan(b->norm[d])) stop->nan = at - j + d + 1, stop->largest = b->norm[d];
    if (isinf(stop->largest) && !stop->inf) stop->inf = at - j + c + 1;
    if (at == 0) stop->first = stop->largest;
    stop->stopped = stop->nan || at >= stop->kmax || stop->largest == 0 || stop->largest <= stop->abstol ||
                    stop->largest <= stop->reltol * stop->first;
    return stop->stopped;
}

/* The block ends after j of its k columns: what they owe the others in the block and the first row of tiles is
 * subtracted here, and F's further columns are zeros. */
static void leave(const struct block *b, int j, int k, int32_t *swap, T *tau)
{
    const struct tw_tile_grid *a = b->a;
    int unused;

    for (int c = j; c < k; c++) {
        swap[c] = c, tau[c] = 0;
        for (int d = 0; d < a->n; d++)
            *TW_AT(b->f, b->ldf, d, c) = 0;
    }
    for (int c = j; c < a->n && j > 0 && j < a->m; c++) {
        const int rows = c < k ? a->m - j : tw_grid_rows(a, 0, j, &unused);
        for (int p = 0; p < j; p++)
            b->w[p] = *TW_AT(b->f, b->ldf, c, p);
        if (c < k) {
            tw_grid_move(a, j, a->m, c, b->column, 0);
            subtract(a, j, j, b->w, b->column);
            tw_grid_move(a, j, a->m, c, b->column, 1);
        } else if (rows > 0) {
            for (int p = 0; p < j; p++)
                b->w[p] = TW_CONJ(b->w[p]);
            subtract_product(rows, j, tw_grid_at(a, j, 0), tw_grid_ld(a, 0, 0), b->w, tw_grid_at(a, j, c));
        }
    }
}

/* The reflector of column j is a NaN, which an infinity makes of it: it does not count. Its exchange stays, for the
 * rows above. */
static void broken(const struct block *b, int j, int k, int64_t at, int32_t *swap, T *tau, struct tw_pivot_stop *stop)
{
    const int32_t exchanged = swap[j];

    stop->k = at, stop->nan = at + 1, stop->largest = NAN, stop->stopped = 1;
    leave(b, j, k, swap, tau);
    swap[j] = exchanged;
}

/* ---- the block --------------------------------------------------------------------------------------------------- */

void CPU(laqps_team)(struct tw_team *team, const struct tw_tile_grid *a, int k, int fixed, int32_t *jpvt, int32_t *swap,
                     void *tau_, void *f, int ldf, double *norm, double *summed, void *work, int64_t at,
                     struct tw_pivot_stop *stop)
{
    T *w = work, *tau = tau_;
    const struct block b = {team, a, f, ldf, norm, summed, w, w + a->m, w + 2 * a->m};

    for (int j = 0; j < k; j++) {
        int c = j;
        if (j == fixed)
            for (int d = j; d < a->n; d++)
                sum_up(&b, j, d, j);
        if (stop && ends(&b, j, at + j, stop)) {
            leave(&b, j, k, swap, tau);
            return;
        }
        if (j >= fixed) c = largest(&b, j);
        swap[j] = c;
        if (c != j) swap_with(&b, j, c, jpvt);
        reflect(&b, j, &tau[j]);
        if (stop && tau[j] != tau[j]) {
            broken(&b, j, k, at + j, swap, tau, stop);
            return;
        }
        column_of_f(&b, j, tau[j]);
        row_of_r(&b, j);
        if (j >= fixed) without_row(&b, j);
    }
    if (stop) stop->k = at + k;
}

void CPU(laqps)(const struct tw_tile_grid *a, int k, int fixed, int32_t *jpvt, int32_t *swap, void *tau, void *f,
                int ldf, double *norm, double *summed, void *work, int64_t at, struct tw_pivot_stop *stop)
{
    CPU(laqps_team)(NULL, a, k, fixed, jpvt, swap, tau, f, ldf, norm, summed, work, at, stop);
}

/* ---- exchanges alone --------------------------------------------------------------------------------------------- */

int CPU(fix_columns)(const struct tw_tile_grid *a, int32_t *jpvt)
{
    int fixed = 0;

    for (int c = 0; c < a->n; c++) {
        const int first = jpvt[c] != 0;
        jpvt[c] = c + 1;
        if (!first) continue;
        if (c != fixed) {
            exchange(a, c, fixed);
            jpvt[c] = jpvt[fixed], jpvt[fixed] = c + 1;
        }
        fixed++;
    }
    return fixed;
}

void CPU(swap_columns)(const struct tw_tile_grid *a, int first, int k, const int32_t *swap)
{
    for (int j = 0; j < k; j++)
        if (swap[j] != j) exchange(a, first + j, first + swap[j]);
}
