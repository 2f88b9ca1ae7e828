/* The steps of divide and conquer: LAPACK's own for leaves and roots, what is between them for columns in pieces. */
#define _GNU_SOURCE /* qsort_r */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/dense/cpu/typed.h"
#include "kernels/eigen/cpu/laed.h"

#if !TW_IS_COMPLEX

#if TW_IS_SINGLE
#define EPS   (FLT_EPSILON / 2)
#define LAED4 slaed4_
#else
#define EPS   (DBL_EPSILON / 2)
#define LAED4 dlaed4_
#endif
#include "kernels/eigen/cpu/deflate.h"
void LAED4(const int *n, const int *i, const R *d, const R *z, R *delta, const R *rho, R *lambda, int *info);

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

static void cut(int n, int leaf, R *d, const R *e)
{
    const int half = tw_merge_half(n);
    if (n <= leaf) return;
    d[half - 1] -= (R)fabs((double)e[half - 1]);
    d[half] -= (R)fabs((double)e[half - 1]);
    cut(half, leaf, d, e);
    cut(n - half, leaf, d + half, e + half);
}

static double tear(int n, int leaf, void *d, void *e)
{
    R *D = d, *E = e;
    double largest = 0;

    for (int i = 0; i < n; i++)
        if (!(fabs((double)D[i]) <= largest)) largest = fabs((double)D[i]);
    for (int i = 0; i + 1 < n; i++)
        if (!(fabs((double)E[i]) <= largest)) largest = fabs((double)E[i]);
    if (largest == 0) return 0;
    for (int i = 0; i < n; i++)
        D[i] = (R)((double)D[i] / largest);
    for (int i = 0; i + 1 < n; i++)
        E[i] = (R)((double)E[i] / largest);
    cut(n, leaf, D, E);
    return largest;
}

static int leaf(int n, const void *d, const void *e, void *w, void *q, int ldq)
{
    const size_t lwork = 1 + 4 * (size_t)n + (size_t)n * (size_t)n, liwork = 3 + 5 * (size_t)n;
    R *work = malloc((lwork + (size_t)n) * sizeof *work), *off = work ? work + lwork : NULL;
    lapack_int *iwork = malloc(liwork * sizeof *iwork);
    int info = -1;

    if (work && iwork) {
        memcpy(w, d, (size_t)n * sizeof(R));
        memcpy(off, e, (size_t)(n - 1) * sizeof(R));
        tw_account_vendor("stedc", n);
        info = LAPACKE(stedc_work)(LAPACK_COL_MAJOR, 'I', n, w, off, q, ldq, work, (lapack_int)lwork, iwork,
                                   (lapack_int)liwork);
        if (info < 0) info = n; /* it refuses NaN */
    }
    free(work), free(iwork);
    return info;
}

static int values(int n, void *d, void *e)
{
    tw_account_vendor("sterf", n);
    return LAPACKE(sterf_work)(n, d, e);
}

/* In numbers of at most 1; negative pivots of T - x = L D L^T, one that is nearly 0 counts as negative, as LAPACK's. */
static int64_t below(int n, const void *d, const void *e, double x)
{
    const R *D = d, *E = e;
    double largest = 0, pivot = 1;
    int64_t count = 0;

    for (int i = 0; i < n; i++)
        largest = fmax(largest, fmax(fabs((double)D[i]), i + 1 < n ? fabs((double)E[i]) : 0));
    if (largest == 0) return x >= 0 ? n : 0;
    for (int i = 0; i < n; i++) {
        const double off = i > 0 ? (double)E[i - 1] / largest : 0;
        pivot = (double)D[i] / largest - x / largest - off * off / pivot;
        if (fabs(pivot) < DBL_MIN) pivot = -DBL_MIN;
        count += pivot < 0;
    }
    return count;
}

/* ---- deflation --------------------------------------------------------------------------------------------------- */

static void deflate(int n1, int n2, double e, const void *d1, const void *d2, const void *z1, const void *z2,
                    struct tw_merge_head *head, int32_t *plan, void *numbers, void *work)
{
    const int m = n1 + n2;
    const R scale = (R)(1 / sqrt(2.0)), sign = e < 0 ? -1 : 1;
    struct key *order = work;
    R *d = (R *)(order + m), *z = d + m, largest = 0;
    int32_t *kind = (int32_t *)(z + m);
    struct deflation f = {.d = d, .z = z, .rho = (R)fabs(2 * e), .kind = kind, .stay = kind + m};

    f.gone = f.stay + m;
    f.plan = tw_merge_plan(plan, m);
    f.turn = TW_MERGE_AT((R *)numbers, m, TW_MERGE_ROTATIONS);
    memcpy(d, d1, (size_t)n1 * sizeof *d);
    memcpy(d + n1, d2, (size_t)n2 * sizeof *d);
    for (int i = 0; i < m; i++) {
        z[i] = scale * (i < n1 ? ((const R *)z1)[i] : sign * ((const R *)z2)[i - n1]);
        kind[i] = i < n1 ? FIRST : SECOND;
        order[i] = (struct key){(double)d[i], i};
        largest = (R)fmax((double)largest, fmax(fabs((double)d[i]), fabs((double)z[i])));
    }
    qsort(order, (size_t)m, sizeof *order, by_d);
    f.tolerance = 8 * (R)EPS * largest;
    look(&f, m, order);
    *TW_MERGE_AT((R *)numbers, m, TW_MERGE_RHO) = f.rho;
    arrange(&f, m, head, numbers);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static const R *column(const struct tw_merge_columns *q, int j)
{
    const int rest = j >= q->columns, p = rest ? q->count : j / q->width;
    return (const R *)q->piece[p] + (size_t)(rest ? j - q->columns : j % q->width) * (size_t)q->ld[p];
}

/* Where the rows of the column at a place lie; NULL: they are zeros. */
struct places {
    int n1, n2, k, k1, k12;
    R *top, *bottom, *rest;
};
static R *upper(const struct places *p, int at)
{
    if (at >= p->k) return p->rest + (size_t)(at - p->k) * (size_t)(p->n1 + p->n2);
    return at < p->k12 ? p->top + (size_t)at * (size_t)p->n1 : NULL;
}
static R *lower(const struct places *p, int at)
{
    if (at >= p->k) return p->rest + (size_t)(at - p->k) * (size_t)(p->n1 + p->n2) + p->n1;
    return at >= p->k1 ? p->bottom + (size_t)(at - p->k1) * (size_t)p->n2 : NULL;
}
static void put(R *to, int n, const R *from)
{
    if (to && from) memcpy(to, from, (size_t)n * sizeof *to);
    if (to && !from) memset(to, 0, (size_t)n * sizeof *to);
}
static void rotate(int n, R *x, R *y, R c, R s)
{
    for (int i = 0; i < n; i++) {
        const R t = c * x[i] + s * y[i];
        y[i] = c * y[i] - s * x[i];
        x[i] = t;
    }
}

/* Columns are brought by the threads there are, some for each part; rotations follow one another, so that a part has
 * some rows of all of them. */
struct gathering {
    const struct tw_merge_columns *q1, *q2;
    struct places to;
    struct tw_merge_plan plan;
    const R *turn;
    int from, rotations, m, parts;
};
static void bring(void *args, int part)
{
    const struct gathering *g = args;
    const int n1 = g->to.n1, n2 = g->to.n2, end = tw_part_begin(part + 1, g->parts, g->m, 1);

    for (int at = tw_part_begin(part, g->parts, g->m, 1); at < end; at++) {
        const int j = g->plan.source[at];
        put(upper(&g->to, at), n1, j < n1 ? column(g->q1, j) : NULL);
        put(lower(&g->to, at), n2, j < n1 ? NULL : column(g->q2, j - n1));
    }
}
static void rotate_rows(int first, int end, R *x, R *y, R c, R s)
{
    if (x && y && first < end) rotate(end - first, x + first, y + first, c, s);
}
static void rotations(void *args, int part)
{
    const struct gathering *g = args;
    const int n1 = g->to.n1, first = tw_part_begin(part, g->parts, g->m, 1),
              end = tw_part_begin(part + 1, g->parts, g->m, 1);

    for (int r = g->from; r < g->rotations; r++) {
        const int x = g->plan.dest[g->plan.pair[2 * r]], y = g->plan.dest[g->plan.pair[2 * r + 1]];
        const R c = g->turn[2 * r], s = g->turn[2 * r + 1];
        rotate_rows(first, tw_min(end, n1), upper(&g->to, x), upper(&g->to, y), c, s);
        rotate_rows(tw_max(first, n1) - n1, end - n1, lower(&g->to, x), lower(&g->to, y), c, s);
    }
}

static void gather(const struct tw_merge_columns *q1, const struct tw_merge_columns *q2,
                   const struct tw_merge_head *head, int skip, const int32_t *plan, const void *numbers, void *top,
                   void *bottom, void *rest, struct tw_team *team)
{
    const int m = q1->rows + q2->rows;
    struct gathering g = {
        .q1 = q1,
        .q2 = q2,
        .to = {q1->rows, q2->rows, (int)head->k, (int)head->k1, (int)(head->k1 + head->k2), top, bottom, rest},
        .plan = tw_merge_plan((int32_t *)plan, m),
        .turn = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_ROTATIONS),
        .from = skip,
        .rotations = (int)head->rotations,
        .m = m};

    g.parts = (m + 63) / 64;
    tw_team_run(team, g.parts, bring, &g);
    g.parts = (m + 511) / 512;
    if (g.from < g.rotations) tw_team_run(team, g.parts, rotations, &g);
}

/* ---- the secular equation ---------------------------------------------------------------------------------------- */

static void roots(int m, int k, int first, int count, const void *numbers, void *lambda, void *delta, void *part)
{
    const R *d = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_D), *z = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_Z),
            rho = *TW_MERGE_AT((const R *)numbers, m, TW_MERGE_RHO);
    R *product = part;

    if (count > 0) tw_account_vendor("laed4", k);
    for (int i = 0; i < k; i++)
        product[i] = 1;
    for (int c = 0; c < count; c++) {
        const int j = first + c, number = j + 1;
        R *column = (R *)delta + (size_t)c * (size_t)k;
        int info = 0;
        LAED4(&k, &number, d, z, column, &rho, (R *)lambda + c, &info);
        if (info) ((R *)lambda)[c] = (R)NAN;
        for (int i = 0; k > 2 && i < j; i++)
            product[i] *= column[i] / (d[i] - d[j]);
        for (int i = j + 1; k > 2 && i < k; i++)
            product[i] *= column[i] / (d[i] - d[j]);
        if (k > 2) product[j] *= column[j];
    }
}

static void weights(int m, int k, int parts, const void *const *part, const void *numbers, void *z)
{
    const R *sign = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_Z);

    for (int i = 0; i < k; i++) {
        R product = 1;
        for (int p = 0; p < parts; p++)
            product *= ((const R *)part[p])[i];
        ((R *)z)[i] = (R)copysign(sqrt(-(double)product), (double)sign[i]);
    }
}

static void vectors(int k, int count, const void *z, const int32_t *place, const void *delta, void *s)
{
    for (int c = 0; c < count; c++) {
        const R *from = (const R *)delta + (size_t)c * (size_t)k, *weight = z;
        R *to = (R *)s + (size_t)c * (size_t)k;
        double sum = 0;

        for (int i = 0; k > 2 && i < k; i++) {
            const R x = weight[i] / from[i];
            sum += (double)x * (double)x;
        }
        for (int i = 0; i < k; i++)
            to[place[i]] = k > 2 ? (R)((double)(weight[i] / from[i]) / sqrt(sum)) : from[i];
    }
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b, void *d)
{
    const R x = ((const R *)d)[*(const int32_t *)a], y = ((const R *)d)[*(const int32_t *)b];
    return x < y ? -1 : x > y ? 1 : *(const int32_t *)a < *(const int32_t *)b ? -1 : 1;
}

static void order(int n, const void *d, int32_t *at)
{
    for (int i = 0; i < n; i++)
        at[i] = i;
    qsort_r(at, (size_t)n, sizeof *at, by_value, (void *)d);
}

static void sort(const struct tw_merge_columns *from, const int32_t *order_, int first, int known, int count,
                 int is_complex, int rows, void *s, int lds)
{
    const size_t reals = is_complex ? 2 : 1;

    for (int j = first; j < first + count; j++) {
        const R *column_ = j < known ? column(from, order_[j]) : NULL;
        const int there = column_ ? from->rows : 0;
        R *to = (R *)s + (size_t)(j - first) * (size_t)lds * reals;

        if (column_ && !is_complex) memcpy(to, column_, (size_t)there * sizeof *to);
        for (int i = 0; is_complex && i < there; i++)
            to[2 * i] = column_[i], to[2 * i + 1] = 0;
        memset(to + (size_t)there * reals, 0, (size_t)(rows - there) * reals * sizeof *to);
        if (!column_) to[(size_t)j * reals] = 1;
    }
}

#define TABLE TW_CAT3(tw_cpu_, TW_P, laed)
const struct tw_laed_kernels TABLE = {tear, leaf, values, below, deflate, gather, roots, weights, vectors, order, sort};

#endif
