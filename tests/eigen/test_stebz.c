/* stebz: eigenvalues of tridiagonal matrices by bisection, of all kinds, ranges and orders, through all doors; bad
 * input. */
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "kernels/eigen/cpu/laebz.h"
#include "tridiagonal.h"
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)
enum { MOST = 700 };

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Numbers first ... (from 0), m of them, of the whole matrix, by LAPACK's sterf. */
static void judge(const char *what, enum tw_type t, int n, const double *d, const double *e, int first, int m,
                  const double *w)
{
    double own[MOST], off[MOST], norm = 0, error = 0;

    for (int i = 0; i < n; i++) {
        own[i] = d[i], off[i] = i + 1 < n ? e[i] : 0;
        norm = fmax(norm, fmax(fabs(d[i]), fabs(off[i])));
    }
    assert_int_equal(LAPACKE_dsterf(n, own, off), 0);
    for (int i = 0; i < m; i++) {
        const double one = norm > 0 ? fabs(w[i] / norm - own[first + i] / norm) : fabs(w[i]);
        error = one <= error ? error : one;
        assert_true(i == 0 || w[i - 1] <= w[i]);
    }
    tt_expect("|w - LAPACK's|", t, error / (n * tt_eps(t)), 0, "%s, n = %d, %d from %d", what, n, m, first);
}

/* Blocks are what isplit says, the elements between them as good as 0, and each eigenvalue is one of its block,
 * ascending in it. */
static void judge_blocks(const char *what, enum tw_type t, int n, const double *d, const double *e, int m,
                         const double *w, int nsplit, const tw_int *iblock, const tw_int *isplit)
{
    int of_block[MOST] = {0};

    assert_true(nsplit >= 1 && isplit[nsplit - 1] == n);
    for (int i = 1; i < m; i++)
        assert_true(iblock[i - 1] < iblock[i] || (iblock[i - 1] == iblock[i] && w[i - 1] <= w[i]));
    for (int b = 0, row = 0; b < nsplit; row = (int)isplit[b++]) {
        const int rows = (int)isplit[b] - row;
        double own[MOST], off[MOST], norm = 0;
        assert_true(rows >= 1);
        if (b + 1 < nsplit)
            assert_true(fabs(e[isplit[b] - 1]) <=
                        tt_eps(t) * 4 * fmax(fabs(d[isplit[b] - 1]), fabs(d[isplit[b]])) + 1e-150);
        for (int i = 0; i < rows; i++) {
            own[i] = d[row + i], off[i] = i + 1 < rows ? e[row + i] : 0;
            norm = fmax(norm, fabs(own[i]) + 2 * fabs(off[i]));
        }
        assert_int_equal(LAPACKE_dsterf(rows, own, off), 0);
        for (int i = 0; i < m; i++) {
            double least = INFINITY;
            if (iblock[i] != b + 1) continue;
            of_block[b]++;
            for (int k = 0; k < rows; k++)
                least = fmin(least, fabs(w[i] - own[k]));
            tt_expect("an eigenvalue of its block", t, norm > 0 ? least / norm / (rows * tt_eps(t)) : least, 0, "%s",
                      what);
        }
        assert_true(of_block[b] <= rows);
    }
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

static void matrix_door(enum tt_tridiagonal kind, int n, int il, int iu)
{
    const enum tw_type t = TW_DOUBLE;
    const char *what = tt_tridiagonals[kind];
    double d[MOST], e[MOST], w[MOST], all[MOST], again[MOST];
    tw_int m = -1, nsplit = -1, iblock[MOST], isplit[MOST];

    tt_tridiagonal(t, kind, n, d, e);
    tt_expect_info(tw_stebz(TW_ALL, TW_ENTIRE, n, 0, 0, 0, 0, 0, d, e, &m, NULL, all, NULL, NULL), 0, "%s", what);
    assert_int_equal(m, n);
    judge(what, t, n, d, e, 0, n, all);
    tt_expect_info(tw_stebz(TW_ALL, TW_BY_BLOCKS, n, 0, 0, 0, 0, 0, d, e, &m, &nsplit, w, iblock, isplit), 0, "%s",
                   what);
    assert_int_equal(m, n);
    judge_blocks(what, t, n, d, e, n, w, (int)nsplit, iblock, isplit);
    qsort(w, (size_t)n, sizeof *w, ascending);
    assert_memory_equal(w, all, (size_t)n * sizeof *w);
    tt_expect_info(tw_stebz(TW_INDICES, TW_ENTIRE, n, 0, 0, il, iu, 0, d, e, &m, &nsplit, w, iblock, isplit), 0, "%s",
                   what);
    assert_int_equal(m, iu - il + 1);
    judge(what, t, n, d, e, il - 1, (int)m, w);
    tt_expect_info(tw_stebz(TW_INDICES, TW_ENTIRE, n, 0, 0, il, iu, 0, d, e, &m, NULL, again, NULL, NULL), 0, "%s",
                   what);
    assert_memory_equal(w, again, (size_t)m * sizeof *w);
    tt_expect_info(tw_stebz(TW_INDICES, TW_BY_BLOCKS, n, 0, 0, il, iu, 0, d, e, &m, &nsplit, again, iblock, isplit), 0,
                   "%s", what);
    assert_int_equal(m, iu - il + 1);
    judge_blocks(what, t, n, d, e, (int)m, again, (int)nsplit, iblock, isplit);
    qsort(again, (size_t)m, sizeof *again, ascending);
    assert_memory_equal(w, again, (size_t)m * sizeof *w);
    { /* an interval whose ends are not near an eigenvalue, if there is such a one */
        const double size = fmax(fabs(all[0]), fabs(all[n - 1])), gap = 1e-3 * size,
                     vl = il > 1 ? all[il - 2] / 2 + all[il - 1] / 2 : -INFINITY,
                     vu = iu < n ? all[iu - 1] / 2 + all[iu] / 2 : INFINITY;
        if ((il > 1 && !(all[il - 1] - all[il - 2] > gap / n)) || (iu < n && !(all[iu] - all[iu - 1] > gap / n)))
            return;
        tt_expect_info(tw_stebz(TW_INTERVAL, TW_ENTIRE, n, vl, vu, 0, 0, 0, d, e, &m, &nsplit, w, iblock, isplit), 0,
                       "%s", what);
        assert_int_equal(m, iu - il + 1);
        judge(what, t, n, d, e, il - 1, (int)m, w);
        for (int i = 0; i < m; i++)
            assert_true(vl < w[i] && w[i] <= vu);
    }
}

static void kinds(void **state)
{
    (void)state;
    for (enum tt_tridiagonal kind = TT_T_RANDOM; kind < TT_TRIDIAGONALS; kind++) {
        matrix_door(kind, 63 + 7 * (int)kind % 40, 11, 40);
        matrix_door(kind, 3, 2, 2);
        matrix_door(kind, 130, 1, 130);
    }
    matrix_door(TT_T_RANDOM, MOST, 300, 500);
    matrix_door(TT_T_GLUED, 600, 300, 310);
    matrix_door(TT_T_SPLIT, 600, 1, 70);
}

static void sizes(void **state)
{
    static const int ns[] = {1, 2, 3, 5, 63, 64, 65, 127, 129, 257};
    double w[1];
    tw_int m = 7, nsplit = 7;
    (void)state;
    for (size_t k = 0; k < COUNT(ns); k++)
        matrix_door(TT_T_RANDOM, ns[k], (ns[k] + 2) / 3, ns[k] - ns[k] / 3);
    assert_int_equal(tw_stebz(TW_ALL, TW_ENTIRE, 0, 0, 0, 0, 0, 0, NULL, NULL, &m, &nsplit, w, NULL, NULL), 0);
    assert_true(m == 0 && nsplit == 0);
}

/* (vl, vu], with eigenvalues at its ends; values between which nothing is; of equal ones the numbers asked for. */
static void ends(void **state)
{
    double d[40], e[39] = {0}, w[40];
    tw_int m, nsplit, iblock[40], isplit[40];
    (void)state;
    for (int i = 0; i < 40; i++)
        d[i] = i % 7 - 3;
    assert_int_equal(tw_stebz(TW_INTERVAL, TW_ENTIRE, 40, 2, 3, 0, 0, 0, d, e, &m, &nsplit, w, iblock, isplit), 0);
    assert_true(m == 5 && nsplit == 40 && w[0] == 3 && w[4] == 3);
    for (int i = 0; i < 5; i++)
        assert_true(iblock[i] == 7 * (i + 1));
    assert_int_equal(tw_stebz(TW_INTERVAL, TW_ENTIRE, 40, 3.5, 9, 0, 0, 0, d, e, &m, &nsplit, w, iblock, isplit), 0);
    assert_int_equal(m, 0);
    assert_int_equal(tw_stebz(TW_INTERVAL, TW_ENTIRE, 40, -9, -3.5, 0, 0, 0, d, e, &m, &nsplit, w, iblock, isplit), 0);
    assert_int_equal(m, 0);
    assert_int_equal(tw_stebz(TW_INDICES, TW_BY_BLOCKS, 40, 0, 0, 3, 8, 0, d, e, &m, &nsplit, w, iblock, isplit), 0);
    assert_int_equal(m, 6);
    qsort(w, 6, sizeof *w, ascending);
    assert_true(w[0] == -3 && w[3] == -3 && w[4] == -2 && w[5] == -2); /* six of -3, six of -2 */
}

/* The second difference's eigenvalues are known; its smallest one to full relative exactness where abstol asks for
 * it. */
static void exactness(void **state)
{
    enum { N = 400 };
    double d[N], e[N], w[N];
    tw_int m;
    (void)state;
    tt_tridiagonal(TW_DOUBLE, TT_T_SECOND_DIFFERENCES, N, d, e);
    assert_int_equal(tw_stebz(TW_ALL, TW_ENTIRE, N, 0, 0, 0, 0, 2 * DBL_MIN, d, e, &m, NULL, w, NULL, NULL), 0);
    for (int k = 0; k < N; k++) {
        const double s = sin((k + 1) * acos(-1) / (2 * (N + 1)));
        assert_true(fabs(w[k] - 4 * s * s) <= 8 * N * DBL_EPSILON);
    }
    /* A graded matrix, positive definite and diagonally dominant: bisection finds small values as exactly as large ones
     * (LAPACK's pteqr). */
    for (int i = 0; i < 60; i++)
        d[i] = ldexp(1, -2 * i), e[i] = ldexp(1, -2 * i - 12);
    assert_int_equal(tw_stebz(TW_ALL, TW_ENTIRE, 60, 0, 0, 0, 0, 2 * DBL_MIN, d, e, &m, NULL, w, NULL, NULL), 0);
    {
        double q[60], off[60], work[240]; /* LAPACKE_dpteqr takes too small a one */
        memcpy(q, d, sizeof q), memcpy(off, e, sizeof off);
        assert_int_equal(LAPACKE_dpteqr_work(LAPACK_COL_MAJOR, 'N', 60, q, off, NULL, 60, work), 0); /* descending */
        for (int i = 0; i < 60; i++)
            assert_true(fabs(w[i] / q[59 - i] - 1) < 1e-13);
    }
    /* A coarse abstol does as it says. */
    tt_tridiagonal(TW_DOUBLE, TT_T_SECOND_DIFFERENCES, N, d, e);
    assert_int_equal(tw_stebz(TW_INDICES, TW_ENTIRE, N, 0, 0, 10, 12, 1e-3, d, e, &m, NULL, w, NULL, NULL), 0);
    for (int k = 9; k < 12; k++) {
        const double s = sin((k + 1) * acos(-1) / (2 * (N + 1)));
        assert_true(fabs(w[k - 9] - 4 * s * s) <= 1e-3);
    }
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

/* work < 0: the LAPACK door; 0: LAPACKE's; 1: with _work. */
static tw_int made(enum tw_type t, int work, char range, char order, int n, double vl, double vu, int il, int iu,
                   const void *d, const void *e, int *m, int *nsplit, void *w, tw_int *iblock, tw_int *isplit)
{
    static double space[4 * MOST];
    static lapack_int ispace[3 * MOST];
    lapack_int m32 = -1, nsplit32 = -1, iblock32[MOST], isplit32[MOST];
    tw_int m64 = -1, nsplit64 = -1, info;
    const float fl = (float)vl, fu = (float)vu;

    if (work < 0) {
        info = t == TW_FLOAT ? tw_sstebz(range, order, n, fl, fu, il, iu, 0, d, e, &m64, &nsplit64, w, iblock, isplit)
                             : tw_dstebz(range, order, n, vl, vu, il, iu, 0, d, e, &m64, &nsplit64, w, iblock, isplit);
        *m = (int)m64, *nsplit = (int)nsplit64;
        return info;
    }
    if (work)
        info = t == TW_FLOAT ? tw_LAPACKE_sstebz_work(range, order, n, fl, fu, il, iu, 0, d, e, &m32, &nsplit32, w,
                                                      iblock32, isplit32, (float *)(void *)space, ispace)
                             : tw_LAPACKE_dstebz_work(range, order, n, vl, vu, il, iu, 0, d, e, &m32, &nsplit32, w,
                                                      iblock32, isplit32, space, ispace);
    else
        info =
            t == TW_FLOAT
                ? tw_LAPACKE_sstebz(range, order, n, fl, fu, il, iu, 0, d, e, &m32, &nsplit32, w, iblock32, isplit32)
                : tw_LAPACKE_dstebz(range, order, n, vl, vu, il, iu, 0, d, e, &m32, &nsplit32, w, iblock32, isplit32);
    for (int i = 0; i < m32; i++)
        iblock[i] = iblock32[i];
    for (int i = 0; i < nsplit32; i++)
        isplit[i] = isplit32[i];
    *m = m32, *nsplit = nsplit32;
    return info;
}

static void doors(void **state)
{
    enum { N = 95, IL = 21, IU = 60 };
    (void)state;
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
        for (enum tw_type t = TW_FLOAT; t <= TW_DOUBLE; t++)
            for (int work = -1; work < 2; work++)
                for (const char *range = "AVIi"; *range; range++)
                    for (const char *order = "EBb"; *order; order++) {
                        double d[N], e[N], all[N], w[N];
                        void *td = tt_array(t, N, 1), *te = tt_array(t, N, 1), *tw = tt_array(t, N, 1);
                        tw_int iblock[N], isplit[N];
                        int m, nsplit;
                        const int first = *range == 'A' ? 0 : IL - 1, count = *range == 'A' ? N : IU - IL + 1;

                        tt_tridiagonal(t, TT_T_SPLIT, N, d, e);
                        for (int i = 0; i < N; i++)
                            tt_put(t, td, (size_t)i, d[i]), tt_put(t, te, (size_t)i, i + 1 < N ? e[i] : 0);
                        assert_int_equal(tw_sterf(N, d, e, all), 0);
                        tt_expect_info(made(t, work, *range, *order, N, (all[IL - 2] + all[IL - 1]) / 2,
                                            (all[IU - 1] + all[IU]) / 2, IL, IU, td, te, &m, &nsplit, tw, iblock,
                                            isplit),
                                       0, "%c", *range);
                        assert_int_equal(m, count);
                        assert_true(nsplit >= N / 5);
                        for (int i = 0; i < m; i++)
                            w[i] = creal(tt_get(t, tw, (size_t)i));
                        if (*order != 'E') judge_blocks("LAPACK's names", t, N, d, e, m, w, nsplit, iblock, isplit);
                        qsort(w, (size_t)(*order == 'E' ? 0 : m), sizeof *w, ascending);
                        judge("LAPACK's names", t, N, d, e, first, m, w);
                        free(td), free(te), free(tw);
                    }
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* Numbers whose squares leave the range, all or one of them, straight and by tiles. */
static void far_scales(void **state)
{
    static const double by[2][4] = {{1e30, 1e-30, 1e-36, 1}, {1e300, 1e-300, 1e-306, 1}};
    enum { N = 95, IL = 21, IU = 60 };
    (void)state;
    for (int straight = 0; straight < 2; straight++)
        for (enum tw_type t = TW_FLOAT; t <= TW_DOUBLE; t++)
            for (int k = 0; k < 8; k++)
                for (const char *range = "AVI"; *range; range++) {
                    double d[N], e[N], all[N], w[N], norm = 0;
                    void *td = tt_array(t, N, 1), *te = tt_array(t, N, 1), *tw = tt_array(t, N, 1);
                    tw_int iblock[N], isplit[N];
                    int m, nsplit;
                    const int first = *range == 'A' ? 0 : IL - 1, count = *range == 'A' ? N : IU - IL + 1;

                    tt_tridiagonal(t, TT_T_RANDOM, N, d, e);
                    for (int i = 0; i < N; i++) {
                        tt_put(t, td, (size_t)i, d[i] * by[t == TW_DOUBLE][k / 2]);
                        tt_put(t, te, (size_t)i, i + 1 < N ? e[i] * by[t == TW_DOUBLE][k / 2] : 0);
                    }
                    if (k % 2) tt_put(t, te, 40, t == TW_DOUBLE ? 1e250 : 1e25);
                    for (int i = 0; i < N; i++) {
                        d[i] = creal(tt_get(t, td, (size_t)i)), e[i] = creal(tt_get(t, te, (size_t)i));
                        norm = fmax(norm, fmax(fabs(d[i]), fabs(e[i])));
                    }
                    assert_int_equal(tw_sterf(N, d, e, all), 0);
                    /* where gaps are rounding, nobody knows how many lie between two of them */
                    if (*range == 'V' && (k % 2 || k / 2 == 2)) all[IL - 2] = all[IL - 1] = -4 * norm;
                    if (*range == 'V' && (k % 2 || k / 2 == 2)) all[IU - 1] = all[IU] = 4 * norm;
                    setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
                    tt_expect_info(made(t, -1, *range, 'E', N, all[IL - 2] / 2 + all[IL - 1] / 2,
                                        all[IU - 1] / 2 + all[IU] / 2, IL, IU, td, te, &m, &nsplit, tw, iblock, isplit),
                                   0, "%c", *range);
                    unsetenv("TILEWORK_CROSSOVER");
                    for (int i = 0; i < m; i++)
                        w[i] = creal(tt_get(t, tw, (size_t)i));
                    if (*range == 'V' && (k % 2 || k / 2 == 2)) {
                        assert_int_equal(m, N);
                        judge("far from 1", t, N, d, e, 0, m, w);
                    } else {
                        assert_int_equal(m, count);
                        judge("far from 1", t, N, d, e, first, m, w);
                    }
                    free(td), free(te), free(tw);
                }
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void not_finite(void **state)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    enum { N = 40 };
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int tiles = 0; tiles < 2; tiles++)
            for (int in_e = 0; in_e < 2; in_e++) {
                double d[N], e[N], w[N];
                tw_int m = 9, nsplit = 9, iblock[N], isplit[N];
                setenv("TILEWORK_CROSSOVER", tiles ? "0" : "1000", 1);
                tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
                (in_e ? e : d)[N - 2] = bad[k];
                tt_expect_info(tw_dstebz('A', 'E', N, 0, 0, 0, 0, 0, d, e, &m, &nsplit, w, iblock, isplit), 4, "%g",
                               bad[k]);
                assert_true(m == 0 && nsplit == 0);
                m = nsplit = 9;
                tt_expect_info(tw_stebz(TW_ALL, TW_ENTIRE, N, 0, 0, 0, 0, 0, d, e, &m, &nsplit, w, iblock, isplit), 4,
                               "%g", bad[k]);
                assert_true(m == 0 && nsplit == 0);
                unsetenv("TILEWORK_CROSSOVER");
            }
}

static void refusals(void **state)
{
    double d[4] = {1, 2, 3, 4}, e[3] = {1, 1, 1}, w[4];
    tw_int m, nsplit, iblock[4], isplit[4];
    lapack_int m32, nsplit32, b32[4], s32[4];
    (void)state;
#define D(range, order, n, vl, vu, il, iu)                                                                             \
    tw_dstebz(range, order, n, vl, vu, il, iu, 0, d, e, &m, &nsplit, w, iblock, isplit)
    assert_int_equal(D('/', 'E', 0, 0, 1, 1, 0), -1);
    assert_int_equal(D('A', '/', 0, 0, 0, 0, 0), -2);
    assert_int_equal(D('A', 'E', -1, 0, 0, 0, 0), -3);
    assert_int_equal(D('A', 'E', (tw_int)1 << 40, 0, 0, 0, 0), -3); /* before anybody looks for NaN */
    assert_int_equal(D('A', 'E', INT64_MAX, 0, 0, 0, 0), -3);
    assert_int_equal(D('V', 'E', 0, 0, 0, 0, 0), -5);
    assert_int_equal(D('V', 'E', 4, 1, NAN, 0, 0), -5);
    assert_int_equal(D('I', 'E', 0, 0, 0, 0, 0), -6);
    assert_int_equal(D('I', 'E', 0, 0, 0, 2, 1), -6);
    assert_int_equal(D('I', 'E', 1, 0, 0, 1, 0), -7);
    assert_int_equal(D('I', 'E', 1, 0, 0, 1, 2), -7);
    assert_int_equal(D('I', 'E', 0, 0, 0, 1, 0), 0);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, NAN, d, e, &m, &nsplit, w, iblock, isplit), -8);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, NULL, e, &m, &nsplit, w, iblock, isplit), -9);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, NULL, &m, &nsplit, w, iblock, isplit), -10);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, e, NULL, &nsplit, w, iblock, isplit), -11);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, e, &m, NULL, w, iblock, isplit), -12);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, e, &m, &nsplit, NULL, iblock, isplit), -13);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, e, &m, &nsplit, w, NULL, isplit), -14);
    assert_int_equal(tw_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, e, &m, &nsplit, w, iblock, NULL), -15);
    assert_int_equal(tw_stebz((enum tw_which)'X', TW_ENTIRE, 4, 0, 0, 0, 0, 0, d, e, &m, NULL, w, NULL, NULL), -1);
    assert_int_equal(tw_stebz(TW_ALL, (enum tw_order)'X', 4, 0, 0, 0, 0, 0, d, e, &m, NULL, w, NULL, NULL), -2);
    assert_int_equal(tw_stebz(TW_ALL, TW_ENTIRE, -4, 0, 0, 0, 0, 0, d, e, &m, NULL, w, NULL, NULL), -3);
    assert_int_equal(tw_stebz(TW_INTERVAL, TW_ENTIRE, 4, 1, 1, 0, 0, 0, d, e, &m, NULL, w, NULL, NULL), -5);
    assert_int_equal(tw_stebz(TW_INDICES, TW_ENTIRE, 4, 1, 1, 0, 3, 0, d, e, &m, NULL, w, NULL, NULL), -6);
    assert_int_equal(tw_stebz(TW_INDICES, TW_ENTIRE, 4, 1, 1, 2, 5, 0, d, e, &m, NULL, w, NULL, NULL), -7);
    assert_int_equal(tw_stebz(TW_ALL, TW_ENTIRE, 4, 0, 0, 0, 0, 0, d, e, NULL, NULL, w, NULL, NULL), -11);
    assert_int_equal(tw_stebz_async(TW_ALL, TW_ENTIRE, 4, 0, 0, 0, 0, 0, d, e, &m, NULL, w, NULL, NULL, NULL), -16);
    e[1] = NAN;
    assert_int_equal(tw_LAPACKE_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, e, &m32, &nsplit32, w, b32, s32), -10);
    d[1] = NAN;
    assert_int_equal(tw_LAPACKE_dstebz('A', 'E', 4, 0, 0, 0, 0, 0, d, e, &m32, &nsplit32, w, b32, s32), -9);
    assert_int_equal(tw_LAPACKE_dstebz('A', 'E', 4, 0, 0, 0, 0, NAN, d, e, &m32, &nsplit32, w, b32, s32), -8);
    d[1] = e[1] = 1;
    assert_int_equal(tw_LAPACKE_dstebz('V', 'E', 4, NAN, 1, 0, 0, 0, d, e, &m32, &nsplit32, w, b32, s32), -4);
}

/* Several in one sequence, whose results are there when it has ended. */
static void queued(void **state)
{
    enum { N = 500 };
    double d[N], e[N], w[3][N];
    tw_int m[3] = {-1, -1, -1};
    tw_sequence *seq;
    (void)state;
    tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_stebz_async(TW_ALL, TW_ENTIRE, N, 0, 0, 0, 0, 0, d, e, &m[0], NULL, w[0], NULL, NULL, seq), 0);
    assert_int_equal(tw_sterf_async(N, d, e, w[1], seq), 0);
    assert_int_equal(
        tw_stebz_async(TW_INDICES, TW_ENTIRE, N, 0, 0, 5, 104, 0, d, e, &m[2], NULL, w[2], NULL, NULL, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_true(m[0] == N && m[2] == 100);
    judge("queued", TW_DOUBLE, N, d, e, 0, N, w[0]);
    judge("queued", TW_DOUBLE, N, d, e, 0, N, w[1]);
    judge("queued", TW_DOUBLE, N, d, e, 4, 100, w[2]);
}

/* ---- Sturm's counts ---------------------------------------------------------------------------------------------- */

/* Negative pivots, one after another; one that is zero counts as negative. */
static int negative_pivots(int n, const double *d, const double *e2, double x)
{
    double pivot = 1;
    int below = 0;

    for (int i = 0; i < n; i++) {
        pivot = d[i] - e2[i] / pivot - x;
        if (fabs(pivot) <= DBL_MIN) pivot = -DBL_MIN;
        below += pivot < 0;
    }
    return below;
}

static void expect_counts(const char *what, int n, const double *d, const double *e2, const double *x)
{
    int32_t below[TW_POINTS];

    tw_sturm()(n, d, e2, TW_POINTS, x, below, NULL);
    for (int i = 0; i < TW_POINTS; i++)
        if (below[i] != negative_pivots(n, d, e2, x[i])) fail_msg("%s, n = %d, point %d", what, n, i);
}

/* Points on eigenvalues and on those of leading blocks, where pivots are zero: multiples of 1/8 in matrices of
 * quarters. And blocks whose elements beside the diagonal are of all sizes, partly with zeros on it, where minors
 * become small. */
static void counts(void **state)
{
    static const double sizes[] = {1, 1e-10, 1e-20, 1e-40, 1e-100};
    double d[MOST], e2[MOST], x[TW_POINTS];
    unsigned seed = 1;
    (void)state;
    for (int i = 0; i < TW_POINTS; i++)
        x[i] = (i - TW_POINTS / 2) / 8.0;
    for (int n = 1; n <= 40; n++) {
        for (int i = 0; i < n; i++) {
            seed = seed * 1103515245u + 12345u;
            d[i] = ((int)(seed >> 16) % 5 - 2) / 4.0;
            e2[i] = i > 0 && n % 7 != i ? (1 + (int)(seed >> 20) % 3) / 4.0 : 0;
            e2[i] *= e2[i];
        }
        expect_counts("quarters", n, d, e2, x);
    }
    for (size_t k = 0; k < COUNT(sizes); k++) {
        tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, MOST, d, e2);
        for (int i = MOST - 1; i >= 0; i--)
            d[i] = i / 100 % 2 ? d[i] / 2 : 0,
            e2[i] = i > 0 && i % 300 ? e2[i - 1] * e2[i - 1] / 4 * sizes[(k + (size_t)i / 200) % COUNT(sizes)] : 0;
        for (int i = 0; i < TW_POINTS; i++)
            x[i] = 3.1 * (i - TW_POINTS / 2) / TW_POINTS;
        expect_counts("sizes", MOST - 5, d, e2, x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds),      cmocka_unit_test(sizes),
                                       cmocka_unit_test(ends),       cmocka_unit_test(exactness),
                                       cmocka_unit_test(doors),      cmocka_unit_test(far_scales),
                                       cmocka_unit_test(not_finite), cmocka_unit_test(refusals),
                                       cmocka_unit_test(queued),     cmocka_unit_test(counts)};
    return tt_run(tests);
}
