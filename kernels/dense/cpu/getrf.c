/* LU factors of a block of columns with partial pivoting: the columns are halved, down to a few that are done one by
 * one.
 *
 * LAPACK's rules: the pivot is the largest |re| + |im|, the first of equal ones; a NaN is larger than nothing, and only
 * where it is the first candidate does it become the pivot; a zero pivot is noted and the factorization goes on. */
#include <float.h>
#include <math.h>
#include "kernels/dense/cpu/typed.h"

#define BASE  8 /* columns that are done one by one */
#define LANES 8

#define SAFE_MINIMUM (TW_IS_SINGLE ? (R)FLT_MIN : (R)DBL_MIN)

static inline R magnitude(R x)
{
    return TW_IS_SINGLE ? (R)__builtin_fabsf((float)x) : (R)__builtin_fabs((double)x);
}

static inline R size_of(T x)
{
    return TW_IS_COMPLEX ? magnitude(TW_RE(x)) + magnitude(TW_IM(x)) : magnitude(TW_RE(x));
}

/* Index of the first of the largest; 0 if the first is NaN. */
static int find_pivot(int m, const T *x)
{
    R lane[LANES], largest = size_of(x[0]);
    int i = 0;
    for (int l = 0; l < LANES; l++)
        lane[l] = largest;
    for (; i + LANES <= m; i += LANES)
        for (int l = 0; l < LANES; l++) {
            R s = size_of(x[i + l]);
            lane[l] = s > lane[l] ? s : lane[l];
        }
    for (; i < m; i++) {
        R s = size_of(x[i]);
        lane[0] = s > lane[0] ? s : lane[0];
    }
    for (int l = 0; l < LANES; l++)
        largest = lane[l] > largest ? lane[l] : largest;
    for (i = 0; i < m; i++)
        if (size_of(x[i]) == largest) return i;
    return 0;
}

/* x /= pivot: by its reciprocal, as LAPACK, where that is in range. */
static void divide(int m, T *x, T pivot)
{
    if (hypot((double)TW_RE(pivot), (double)TW_IM(pivot)) >= SAFE_MINIMUM) {
        T reciprocal = 1 / pivot;
        for (int i = 0; i < m; i++)
            x[i] = tw_mul(x[i], reciprocal);
    } else {
        for (int i = 0; i < m; i++)
            x[i] /= pivot;
    }
}

/* Rank-1 update of m x n. */
static void update(int m, int n, const T *x, const T *y, int ldy, T *c, int ldc)
{
    T minus = -1;
    if (m <= 0 || n <= 0) return;
#if TW_IS_COMPLEX
    BLAS(geru)(CblasColMajor, m, n, TW_ARG(minus), x, 1, y, ldy, c, ldc);
#else
    BLAS(ger)(CblasColMajor, m, n, minus, x, 1, y, ldy, c, ldc);
#endif
}

static int few_columns(int m, int n, T *a, int lda, int32_t *ipiv)
{
    int info = 0;
    for (int j = 0; j < tw_min(m, n); j++) {
        T *column = TW_AT(a, lda, 0, j);
        int p = j + (ipiv ? find_pivot(m - j, column + j) : 0);
        if (ipiv) ipiv[j] = p + 1;
        if (column[p] == 0) {
            if (!info) info = j + 1;
        } else {
            for (int c = 0; c < n && p != j; c++) {
                T x = *TW_AT(a, lda, j, c);
                *TW_AT(a, lda, j, c) = *TW_AT(a, lda, p, c);
                *TW_AT(a, lda, p, c) = x;
            }
            divide(m - j - 1, column + j + 1, column[j]);
        }
        update(m - j - 1, n - j - 1, column + j + 1, TW_AT(a, lda, j, j + 1), lda, TW_AT(a, lda, j + 1, j + 1), lda);
    }
    return info;
}

/* ---- by several threads ---------------------------------------------------------------------------------------------
 *
 * The block's rows are cut into parts, which keep their rows throughout: a column's update and the search for the next
 * pivot are one round of parts, the product after a half another one. */

enum { ROWS = 1024, MOST = 16 }; /* rows of a part at least; parts */

static int parts_of(int m)
{
    return tw_max(1, tw_min(MOST, m / ROWS));
}

struct column {
    int m, n, lda, j, parts; /* j: what is before it is done; -1: only the search */
    T *a;
    struct {
        R size;
        int row;
    } best[MOST];
};

/* The first of the largest of column c among rows from ... to - 1; a NaN is larger than nothing. size -1: all are
 * NaN. */
static void search(struct column *s, int part, int c, int from, int to)
{
    const T *x = TW_AT(s->a, s->lda, 0, c);
    R largest = -1;
    int row = from;

    for (int i = from; i < to; i++)
        if (size_of(x[i]) > largest) largest = size_of(x[i]), row = i;
    s->best[part].size = largest;
    s->best[part].row = row;
}

static void column_part(void *args, int part)
{
    struct column *s = args;
    const int j = s->j, from = tw_max(j + 1, tw_part_begin(part, s->parts, s->m, 16)),
              to = tw_part_begin(part + 1, s->parts, s->m, 16), rows = to - from;
    T *x = TW_AT(s->a, s->lda, from, tw_max(j, 0));

    s->best[part].size = -1;
    if (rows <= 0) return;
    if (j >= 0) {
        if (*TW_AT(s->a, s->lda, j, j) != 0) divide(rows, x, *TW_AT(s->a, s->lda, j, j));
        update(rows, s->n - j - 1, x, TW_AT(s->a, s->lda, j, j + 1), s->lda, TW_AT(s->a, s->lda, from, j + 1), s->lda);
    }
    if (j + 1 < s->n) search(s, part, j + 1, from, to);
}

/* Row of the pivot of column j from what the parts found; the first candidate's NaN wins. */
static int chosen(const struct column *s, int j)
{
    int best = 0;

    if (size_of(*TW_AT(s->a, s->lda, j, j)) != size_of(*TW_AT(s->a, s->lda, j, j))) return j;
    for (int part = 1; part < s->parts; part++)
        if (s->best[part].size > s->best[best].size) best = part;
    return s->best[best].size >= 0 ? s->best[best].row : j;
}

static int few_columns_team(struct tw_team *team, int m, int n, T *a, int lda, int32_t *ipiv)
{
    struct column s = {m, n, lda, -1, parts_of(m), a, {{0, 0}}};
    int info = 0;

    tw_team_run(team, s.parts, column_part, &s);
    for (int j = 0; j < tw_min(m, n); j++) {
        const int p = chosen(&s, j);
        ipiv[j] = p + 1;
        if (*TW_AT(a, lda, p, j) == 0) {
            if (!info) info = j + 1;
        } else {
            for (int c = 0; c < n && p != j; c++) {
                T x = *TW_AT(a, lda, j, c);
                *TW_AT(a, lda, j, c) = *TW_AT(a, lda, p, c);
                *TW_AT(a, lda, p, c) = x;
            }
        }
        s.j = j;
        tw_team_run(team, s.parts, column_part, &s);
    }
    return info;
}

/* A22 -= A21 A12 by rows; and before, the rows that belong to A12, by columns. */
struct trailing {
    int m, n1, n2, lda, parts;
    T *a11, *a12, *a21, *a22;
    const int32_t *ipiv;
};
static void solve_part(void *args, int i)
{
    const struct trailing *s = args;
    const int from = tw_part_begin(i, s->parts, s->n2, 16), count = tw_part_begin(i + 1, s->parts, s->n2, 16) - from;

    if (count == 0) return;
    CPU(laswp)('F', s->m, count, TW_AT(s->a12, s->lda, 0, from), s->lda, s->n1, s->ipiv);
    CPU(trsm)('L', 'L', 'N', 'U', s->n1, count, tw_one, s->a11, s->lda, TW_AT(s->a12, s->lda, 0, from), s->lda);
}
static void update_part(void *args, int i)
{
    const struct trailing *s = args;
    const int from = tw_part_begin(i, s->parts, s->m - s->n1, 16),
              count = tw_part_begin(i + 1, s->parts, s->m - s->n1, 16) - from;

    if (count > 0) CPU(gemm)
    ('N', 'N', count, s->n2, s->n1, tw_minus_one, s->a21 + from, s->lda, s->a12, s->lda, tw_one, s->a22 + from, s->lda);
}

static int factor_team(struct tw_team *team, int m, int n, T *a, int lda, int32_t *ipiv)
{
    const int k = tw_min(m, n), n1 = k <= BASE ? k : tw_half(k), n2 = n - n1;
    struct trailing s = {m,   n1, n2, lda, tw_max(1, n2 / 32), a, TW_AT(a, lda, 0, n1), a + n1, TW_AT(a, lda, n1, n1),
                         ipiv};
    int info, later;

    info = k <= BASE ? few_columns_team(team, m, n1, a, lda, ipiv) : factor_team(team, m, n1, a, lda, ipiv);
    if (n2 == 0) return info;
    tw_team_run(team, s.parts, solve_part, &s);
    if (m == n1) return info;
    s.parts = parts_of(m - n1);
    tw_team_run(team, s.parts, update_part, &s);
    later = factor_team(team, m - n1, n2, s.a22, lda, ipiv + n1);
    CPU(laswp)('F', m - n1, n1, s.a21, lda, k - n1, ipiv + n1);
    for (int i = n1; i < k; i++)
        ipiv[i] += n1;
    return info ? info : later ? later + n1 : 0;
}

int CPU(getrf_team)(struct tw_team *team, int m, int n, void *a, int lda, int32_t *ipiv)
{
    return m <= 0 || n <= 0 ? 0 : factor_team(team, m, n, a, lda, ipiv);
}

/* ---- by one ------------------------------------------------------------------------------------------------------ */

/* ipiv NULL: no pivoting. */
static int factor(int m, int n, T *a, int lda, int32_t *ipiv)
{
    int k = tw_min(m, n), n1 = k <= BASE ? k : tw_half(k), n2 = n - n1, info, later;
    T *a12 = TW_AT(a, lda, 0, n1), *a21 = a + n1, *a22 = TW_AT(a, lda, n1, n1);

    info = k <= BASE ? few_columns(m, n1, a, lda, ipiv) : factor(m, n1, a, lda, ipiv);
    if (n2 == 0) return info;
    if (ipiv) CPU(laswp)('F', m, n2, a12, lda, n1, ipiv);
    CPU(trsm)('L', 'L', 'N', 'U', n1, n2, tw_one, a, lda, a12, lda);
    if (m == n1) return info;
    CPU(gemm)('N', 'N', m - n1, n2, n1, tw_minus_one, a21, lda, a12, lda, tw_one, a22, lda);
    later = factor(m - n1, n2, a22, lda, ipiv ? ipiv + n1 : NULL);
    if (ipiv) {
        CPU(laswp)('F', m - n1, n1, a21, lda, k - n1, ipiv + n1);
        for (int i = n1; i < k; i++)
            ipiv[i] += n1;
    }
    return info ? info : later ? later + n1 : 0;
}

int CPU(getrf)(int m, int n, void *a, int lda, int32_t *ipiv)
{
    return m <= 0 || n <= 0 ? 0 : factor(m, n, a, lda, ipiv);
}

int CPU(getrf_nopiv)(int m, int n, void *a, int lda)
{
    return m <= 0 || n <= 0 ? 0 : factor(m, n, a, lda, NULL);
}
