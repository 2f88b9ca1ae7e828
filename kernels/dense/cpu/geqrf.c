/* QR factors of a block of columns, and LQ factors of a block of rows, with the triangle T of their block reflector:
 * the columns are halved, down to a few that are done one by one, and T grows with them.
 *
 * LAPACK's storage and signs: H(j) = I - tau v v^H, H(k)^H ... H(1)^H A = R, v below R's diagonal; LQ is the adjoint of
 * A^H's QR. */
#include <float.h>
#include <math.h>
#include <string.h>
#include "kernels/dense/cpu/typed.h"

#define BASE  8 /* columns that are done one by one */
#define LANES 8

/* Sum of squares of x's parts, in double. */
static double sum_squares(int m, const T *x)
{
    const R *r = (const R *)x;
    double lane[LANES] = {0};
    int i = 0, count = TW_IS_COMPLEX ? 2 * m : m;
    for (; i + LANES <= count; i += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)r[i + l] * (double)r[i + l];
    for (; i < count; i++)
        lane[0] += (double)r[i] * (double)r[i];
    for (int l = 1; l < LANES; l++)
        lane[0] += lane[l];
    return lane[0];
}

/* Are squares, their sum, beta and 1 / (alpha - beta) far from the ends of the range? */
static int in_range(double s)
{
    return TW_IS_SINGLE ? s > 1e-60 && s < 1e60 : s > 1e-260 && s < 1e260;
}

/* The reflector that takes (alpha, x) to (beta, 0), LAPACK's larfg, m elements in all; tail: x's squares. alpha becomes
 * beta, x / *scale the rest of v, where x is not scaled already: 1 is returned if it is to be. */
static int reflector(int m, double tail, T *alpha, T *x, T *tau, T *scale)
{
    double re = (double)TW_RE(*alpha), im = (double)TW_IM(*alpha);
    double norm = sqrt(tail + re * re + im * im), beta = -copysign(norm, re);

    *tau = 0;
    if (!in_range(tail) || !in_range(norm * norm)) { /* zero, tiny, huge, NaN */
        LAPACKE(larfg_work)(m, alpha, x, 1, tau);
        return 0;
    }
    *scale = (R)(re - beta);
    *tau = (R)((beta - re) / beta);
#if TW_IS_COMPLEX
    __imag__ *tau = (R)(-im / beta);
    __imag__ *scale = (R)im;
#endif
    *scale = 1 / *scale;
    *alpha = (R)beta;
    return 1;
}
static void scale_by(int m, T *x, T scale)
{
    for (int i = 0; i < m; i++)
        x[i] = tw_mul(x[i], scale);
}

T CPU(reflector)(int m, T *alpha, T *x)
{
    T tau, scale;
    if (reflector(m, sum_squares(m - 1, x), alpha, x, &tau, &scale)) scale_by(m - 1, x, scale);
    return tau;
}

/* C -= conj(tau) v w^H */
static void update(int m, int n, T tau, const T *v, const T *w, T *c, int ldc)
{
    T factor = -TW_CONJ(tau);
    if (n <= 0) return;
#if TW_IS_COMPLEX
    BLAS(gerc)(CblasColMajor, m, n, TW_ARG(factor), v, 1, w, 1, c, ldc);
#else
    BLAS(ger)(CblasColMajor, m, n, factor, v, 1, w, 1, c, ldc);
#endif
}

/* T(0:j, j) = -tau T(0:j, 0:j) w, with w the products of reflector j with those before it. */
static void extend(int j, T tau, const T *w, T *t, int ldt)
{
    for (int i = 0; i < j; i++) {
        T sum = 0;
        for (int c = i; c < j; c++)
            sum += tw_mul(*TW_AT(t, ldt, i, c), w[c]);
        *TW_AT(t, ldt, i, j) = -tw_mul(tau, sum);
    }
    *TW_AT(t, ldt, j, j) = tau;
}

/* n <= BASE, n <= m. One product with v serves the update of the columns after it and T's column, which needs v's
 * products with the reflectors before it. */
static void few_columns(int m, int n, T *a, int lda, T *tau, T *t, int ldt)
{
    T one = 1, zero = 0, w[BASE];
    for (int j = 0; j < n; j++) {
        T *v = TW_AT(a, lda, j, j), beta;
        tau[j] = CPU(reflector)(m - j, v, v + 1);
        beta = *v;
        *v = 1;
        BLAS(gemv)
        (CblasColMajor, CblasConjTrans, m - j, n, TW_ARG(one), TW_AT(a, lda, j, 0), lda, v, 1, TW_ARG(zero), w, 1);
        update(m - j, n - j - 1, tau[j], v, w + j + 1, TW_AT(a, lda, j, j + 1), lda);
        *v = beta;
        extend(j, tau[j], w, t, ldt);
    }
}

static void factor(int m, int n, T *a, int lda, T *tau, T *t, int ldt, T *work)
{
    int k = tw_min(m, n), n1 = k <= BASE ? k : tw_half(k), n2 = n - n1;
    T *a12 = TW_AT(a, lda, 0, n1), *a22 = TW_AT(a, lda, n1, n1);

    if (k <= BASE)
        few_columns(m, n1, a, lda, tau, t, ldt);
    else
        factor(m, n1, a, lda, tau, t, ldt, work);
    if (n2 == 0) return;
    CPU(larfb)('L', 'C', 'C', m, n2, n1, a, lda, t, ldt, a12, lda, work);
    if (k == n1) return;
    factor(m - n1, n2, a22, lda, tau + n1, TW_AT(t, ldt, n1, n1), ldt, work);
    CPU(larft_join)('C', m, n1, k - n1, a, lda, t, ldt);
}

void CPU(geqrf)(int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
{
    if (m <= 0 || n <= 0) return;
    factor(m, n, a, lda, tau, t, ldt, work);
    CPU(clear_below)(tw_min(m, n), t, ldt);
}

/* ---- by several threads ---------------------------------------------------------------------------------------------
 *
 * Few columns go by parts of the rows, which keep their rows throughout: two rounds a column, one for the products with
 * v, one for the update and the next column's squares. Sums go in the order of the parts. Block reflectors go by parts
 * of what they are applied to. */

enum { ROWS = 1024, MOST = 16, COLUMNS = 64 }; /* rows of a part at least; parts; columns of a part */

struct column {
    int m, n, lda, j, parts, scaled; /* j: the column; -1: only the squares of column 0 */
    T *a, tau, scale, w[BASE];
    struct {
        double squares;
        T w[BASE];
    } of[MOST];
};

/* The part's rows behind `row`; how many. */
static int rows_of(const struct column *s, int part, int row, int *from)
{
    const int to = tw_part_begin(part + 1, s->parts, s->m, 16);
    *from = tw_max(row, tw_part_begin(part, s->parts, s->m, 16));
    return tw_max(0, to - *from);
}
static void products_part(void *args, int part)
{
    struct column *s = args;
    T one = 1, zero = 0, *v;
    int from, rows = rows_of(s, part, s->j + 1, &from);

    memset(s->of[part].w, 0, sizeof s->of[part].w);
    if (rows == 0) return;
    v = TW_AT(s->a, s->lda, from, s->j);
    if (!s->scaled) scale_by(rows, v, s->scale);
    BLAS(gemv)
    (CblasColMajor, CblasConjTrans, rows, s->n, TW_ARG(one), TW_AT(s->a, s->lda, from, 0), s->lda, v, 1, TW_ARG(zero),
     s->of[part].w, 1);
}
static void update_part(void *args, int part)
{
    struct column *s = args;
    const int j = s->j;
    int from, rows;

    if (j >= 0 && (rows = rows_of(s, part, j + 1, &from)) > 0)
        update(rows, s->n - j - 1, s->tau, TW_AT(s->a, s->lda, from, j), s->w + j + 1, TW_AT(s->a, s->lda, from, j + 1),
               s->lda);
    rows = j + 1 < s->n ? rows_of(s, part, j + 2, &from) : 0;
    s->of[part].squares = rows > 0 ? sum_squares(rows, TW_AT(s->a, s->lda, from, j + 1)) : 0;
}

static void few_columns_team(struct tw_team *team, int m, int n, T *a, int lda, T *tau, T *t, int ldt)
{
    struct column s = {.m = m, .n = n, .lda = lda, .j = -1, .parts = tw_max(1, tw_min(MOST, m / ROWS)), .a = a};

    tw_team_run(team, s.parts, update_part, &s);
    for (int j = 0; j < n; j++) {
        T *v = TW_AT(a, lda, j, j), one = 1;
        double tail = 0;
        for (int part = 0; part < s.parts; part++)
            tail += s.of[part].squares;
        s.j = j;
        s.scaled = !reflector(m - j, tail, v, v + 1, &tau[j], &s.scale);
        s.tau = tau[j];
        tw_team_run(team, s.parts, products_part, &s);
        for (int c = 0; c < n; c++) { /* v's first element is 1; its own column is not asked for */
            s.w[c] = c == j ? 0 : TW_CONJ(*TW_AT(a, lda, j, c));
            for (int part = 0; part < s.parts; part++)
                s.w[c] += s.of[part].w[c];
        }
        update(1, n - j - 1, tau[j], &one, s.w + j + 1, TW_AT(a, lda, j, j + 1), lda);
        tw_team_run(team, s.parts, update_part, &s);
        extend(j, tau[j], s.w, t, ldt);
    }
}

struct block {
    int m, n1, n2, lda, ldt, parts;
    T *a, *t, *c, *work;
};
static void reflect_part(void *args, int i)
{
    const struct block *s = args;
    const int from = tw_part_begin(i, s->parts, s->n2, COLUMNS),
              count = tw_part_begin(i + 1, s->parts, s->n2, COLUMNS) - from;

    if (count > 0) CPU(larfb)
    ('L', 'C', 'C', s->m, count, s->n1, s->a, s->lda, s->t, s->ldt, TW_AT(s->c, s->lda, 0, from), s->lda,
     s->work + (size_t)from * (size_t)s->n1);
}

static void factor_team(struct tw_team *team, int m, int n, T *a, int lda, T *tau, T *t, int ldt, T *work)
{
    const int k = tw_min(m, n), n1 = k <= BASE ? k : tw_half(k), n2 = n - n1;
    struct block s = {m, n1, n2, lda, ldt, tw_max(1, n2 / COLUMNS), a, t, TW_AT(a, lda, 0, n1), work};

    if (k <= BASE)
        few_columns_team(team, m, n1, a, lda, tau, t, ldt);
    else
        factor_team(team, m, n1, a, lda, tau, t, ldt, work);
    if (n2 == 0) return;
    tw_team_run(team, s.parts, reflect_part, &s);
    if (k == n1) return;
    factor_team(team, m - n1, n2, TW_AT(a, lda, n1, n1), lda, tau + n1, TW_AT(t, ldt, n1, n1), ldt, work);
    CPU(larft_join)('C', m, n1, k - n1, a, lda, t, ldt);
}

void CPU(geqrf_team)(struct tw_team *team, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
{
    if (m <= 0 || n <= 0) return;
    factor_team(team, m, n, a, lda, tau, t, ldt, work);
    CPU(clear_below)(tw_min(m, n), t, ldt);
}

/* ---- LQ ---------------------------------------------------------------------------------------------------------- */

void CPU(gelqf_team)(struct tw_team *team, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
{
    T *adjoint = work;
    if (m <= 0 || n <= 0) return;
    CPU(transpose)('C', m, n, a, lda, adjoint, n);
    CPU(geqrf_team)(team, n, m, adjoint, n, tau, t, ldt, adjoint + (size_t)m * (size_t)n);
    CPU(transpose)('C', n, m, adjoint, n, a, lda);
}

void CPU(gelqf)(int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
{
    T *adjoint = work;
    if (m <= 0 || n <= 0) return;
    CPU(transpose)('C', m, n, a, lda, adjoint, n);
    CPU(geqrf)(n, m, adjoint, n, tau, t, ldt, adjoint + (size_t)m * (size_t)n);
    CPU(transpose)('C', n, m, adjoint, n, a, lda);
}
