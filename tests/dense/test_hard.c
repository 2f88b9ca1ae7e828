/* LU, QR with column pivoting and least squares on matrices that are hard on them (generators with stated properties,
 * tests/io/test_generate_general.c), beside LAPACK: growth, exact ties, zero columns, ranks, small singular values. In
 * tiles, and under LAPACK's names. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { RHS = 3, MOST = 260 };

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

static tw_matrix *tiled(enum tw_type t, int m, int n, const void *a, int nb)
{
    tw_matrix *A;
    assert_int_equal(tw_matrix_create(&A, t, TW_GENERAL, m, n, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
    return A;
}
static void back(tw_matrix *A, void *a, int m)
{
    assert_int_equal(tw_matrix_to_lapack(A, a, m), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
}

/* getrf; nb 0: under LAPACK's name. */
static tw_int factored(enum tw_type t, int m, int n, void *a, tw_int *ipiv, int nb)
{
    int32_t few[MOST];

    if (nb == 0) return tt_door_getrf(t, m, n, a, m, ipiv);
    tw_matrix *A = tiled(t, m, n, a, nb), *P;
    assert_int_equal(tw_pivots_create(&P, A), 0);
    const int info = tw_getrf(A, P);
    assert_int_equal(tw_matrix_to_lapack(P, few, min_of(m, n)), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
    for (int i = 0; i < min_of(m, n); i++)
        ipiv[i] = few[i];
    back(A, a, m);
    return info;
}

static int solved(enum tw_type t, int n, void *a, void *b, int nb)
{
    tw_int ipiv[MOST];

    if (nb == 0) return (int)tt_door_gesv(t, n, RHS, a, n, ipiv, b, n);
    tw_matrix *A = tiled(t, n, n, a, nb), *B = tiled(t, n, RHS, b, nb), *P;
    assert_int_equal(tw_pivots_create(&P, A), 0);
    const int info = tw_gesv(A, P, B);
    assert_int_equal(tw_matrix_destroy(P), 0);
    back(A, a, n), back(B, b, n);
    return info;
}

/* ---- growth ------------------------------------------------------------------------------------------------------ */

/* Elements of U grow to 2^(n-1): both lose digits, ours not ten times as many. Where LAPACK's residual is above a
 * thousandth of |A| |x| + |b| there are no digits left to compare: what both give is rounding, and finite. */
static void growth(void **state)
{
    static const char *const kinds[] = {"wilkinson", "foster"};
    static const int orders[] = {10, 20, 45, 64, 127};
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(kinds); k++)
            for (size_t o = 0; o < COUNT(orders); o++)
                for (int nb = 0; nb <= 16; nb += 16) {
                    const int n = orders[o];
                    void *a = tt_generated(t, kinds[k], n, n, 7), *b = tt_generated(t, "random", n, RHS, 7),
                         *f = tt_copy(t, n, n, a), *x = tt_copy(t, n, RHS, b), *g = tt_copy(t, n, n, a),
                         *y = tt_copy(t, n, RHS, b);
                    int theirs[MOST];
                    tt_expect_info(solved(t, n, f, x, nb), 0, "gesv %s %d", kinds[k], n);
                    assert_int_equal(tt_lapack_gesv(t, n, RHS, g, n, theirs, y, n), 0);
                    const double mine = tt_general_solve_residual(t, 'N', n, RHS, a, n, b, n, x, n),
                                 lapacks = tt_general_solve_residual(t, 'N', n, RHS, a, n, b, n, y, n);
                    const int lost = lapacks * n * tt_eps(t) > 1e-3;
                    if (!(lost ? isfinite(mine) : mine <= 10 * fmax(lapacks, 0.1)))
                        fail_msg("%cgesv %s n=%d nb=%d: residual %g, LAPACK's %g", tt_letter(t), kinds[k], n, nb, mine,
                                 lapacks);
                    if (k == 0)
                        assert_true(fabs(cabs(tt_get(t, f, (size_t)(n * n - 1))) / ldexp(1, n - 1) - 1) <=
                                    n * tt_eps(t));
                    free(a), free(b), free(f), free(x), free(g), free(y);
                }
}

/* ---- ties, zero columns ------------------------------------------------------------------------------------------ */

/* A GPU's panel is of rules of our own, too, but up to a number of rows only: here it is always. */
static void dyadic(void **state)
{
    static const int sizes[][2] = {{1, 1}, {60, 60}, {131, 131}, {210, 90}, {90, 210}, {250, 1}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (int nb = 0; nb <= 64; nb = nb ? 4 * nb : 16) {
                const int m = sizes[s][0], n = sizes[s][1], k = min_of(m, n);
                void *a = tt_generated(t, "dyadic", m, n, 7), *f = tt_copy(t, m, n, a);
                tw_int ipiv[MOST];
                int theirs[MOST];
                tt_expect_info(factored(t, m, n, f, ipiv, nb), 0, "getrf dyadic %d x %d", m, n);
                assert_int_equal(tt_lapack_getrf(t, m, n, a, m, theirs), 0);
                for (int i = 0; i < k; i++)
                    if (ipiv[i] != theirs[i])
                        fail_msg("%cgetrf dyadic %d x %d nb=%d: pivot %d is %d, LAPACK's %d", tt_letter(t), m, n, nb, i,
                                 (int)ipiv[i], theirs[i]);
                for (size_t at = 0; at < (size_t)(m * n); at++) /* the factors, too, to the last bit */
                    if (tt_get(t, f, at) != tt_get(t, a, at))
                        fail_msg("%cgetrf dyadic %d x %d nb=%d: element %zu", tt_letter(t), m, n, nb, at);
                free(a), free(f);
            }
}

static void zero_columns(void **state)
{
    static const int orders[] = {1, 2, 131}, columns[] = {1, 2, 16, 17, 66, 130, 131};
    (void)state;
    FOR_TYPES(t)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (size_t c = 0; c < COUNT(columns) && columns[c] <= orders[o]; c++)
                for (int nb = 0; nb <= 16; nb += 16) {
                    const int n = orders[o];
                    char kind[32];
                    snprintf(kind, sizeof kind, "zerocol:%d", columns[c]);
                    void *a = tt_generated(t, kind, n, n, 7), *f = tt_copy(t, n, n, a), *g = tt_copy(t, n, n, a),
                         *b = tt_generated(t, "random", n, RHS, 7), *x = tt_copy(t, n, RHS, b);
                    tw_int ipiv[MOST];
                    int theirs[MOST];
                    assert_int_equal(tt_lapack_getrf(t, n, n, g, n, theirs), columns[c]);
                    tt_expect_info(factored(t, n, n, f, ipiv, nb), columns[c], "getrf %s n=%d nb=%d", kind, n, nb);
                    tt_expect("getrf of zerocol", t, tt_lu_residual(t, n, n, a, n, f, n, ipiv), 0, "%s n=%d nb=%d",
                              kind, n, nb);
                    memcpy(f, a, (size_t)(n * n) * tt_size(t));
                    tt_expect_info(solved(t, n, f, x, nb), columns[c], "gesv %s n=%d nb=%d", kind, n, nb);
                    assert_memory_equal(x, b, (size_t)(n * RHS) * tt_size(t)); /* and B is as it was */
                    free(a), free(b), free(f), free(g), free(x);
                }
}

/* ---- ranks ------------------------------------------------------------------------------------------------------- */

static int lapacks_qp3(enum tw_type t, int m, int n, void *a, int *jpvt, void *tau)
{
    const int c = LAPACK_COL_MAJOR;
    return t == TW_FLOAT           ? LAPACKE_sgeqp3(c, m, n, a, m, jpvt, tau)
           : t == TW_DOUBLE        ? LAPACKE_dgeqp3(c, m, n, a, m, jpvt, tau)
           : t == TW_COMPLEX_FLOAT ? LAPACKE_cgeqp3(c, m, n, a, m, jpvt, tau)
                                   : LAPACKE_zgeqp3(c, m, n, a, m, jpvt, tau);
}
static tw_int pivoted(enum tw_type t, int m, int n, void *a, tw_int *jpvt, void *tau, int nb)
{
    if (nb == 0)
        return t == TW_FLOAT           ? tw_sgeqp3(m, n, a, m, jpvt, tau)
               : t == TW_DOUBLE        ? tw_dgeqp3(m, n, a, m, jpvt, tau)
               : t == TW_COMPLEX_FLOAT ? tw_cgeqp3(m, n, a, m, jpvt, tau)
                                       : tw_zgeqp3(m, n, a, m, jpvt, tau);
    tw_matrix *A = tiled(t, m, n, a, nb), *T;
    assert_int_equal(tw_tau_create(&T, A), 0);
    const int info = tw_geqp3(A, jpvt, T);
    back(A, a, m), back(T, tau, min_of(m, n));
    return info;
}

static void ranks(void **state)
{
    static const int cases[][3] = {{90, 90, 1}, {90, 90, 40}, {130, 70, 33}, {70, 130, 64}, {80, 60, 60}, {60, 50, 0}};
    (void)state;
    FOR_TYPES(t)
        for (size_t c = 0; c < COUNT(cases); c++)
            for (int nb = 0; nb <= 16; nb += 16) {
                const int m = cases[c][0], n = cases[c][1], rank = cases[c][2], k = min_of(m, n), rows = m > n ? m : n;
                char kind[32];
                tw_int jpvt[MOST] = {0};
                int found = -1, above = 0;
                snprintf(kind, sizeof kind, "lowrank:%d", rank);
                void *a = tt_generated(t, kind, m, n, 7), *f = tt_copy(t, m, n, a), *tau = tt_array(t, k, 1),
                     *b = tt_generated(t, "random", rows, RHS, 7);
                tt_expect_info(pivoted(t, m, n, f, jpvt, tau, nb), 0, "geqp3 %s", kind);
                tt_expect("geqp3 of lowrank", t, tt_geqp3_residual(t, m, n, a, m, f, m, jpvt, tau), 0, "%s %d x %d",
                          kind, m, n);
                for (int i = 0; i < k; i++) /* what rounding leaves is far below what is there */
                    above +=
                        cabs(tt_get(t, f, (size_t)(i + i * m))) > 100 * (m + n) * tt_eps(t) * cabs(tt_get(t, f, 0));
                if (above != rank)
                    fail_msg("%cgeqp3 %s %d x %d nb=%d: %d elements of R's diagonal", tt_letter(t), kind, m, n, nb,
                             above);
                if (nb > 0) {
                    tw_matrix *A = tiled(t, m, n, a, nb), *B = tiled(t, rows, RHS, b, nb);
                    memset(jpvt, 0, sizeof jpvt);
                    tt_expect_info(tw_gelsy(A, jpvt, 1e3 * tt_eps(t), &found, B), 0, "gelsy %s", kind);
                    assert_int_equal(found, rank);
                    assert_int_equal(tw_matrix_destroy(A), 0);
                    assert_int_equal(tw_matrix_destroy(B), 0);
                }
                free(a), free(b), free(f), free(tau);
            }
}

static void singular_values(enum tw_type t, int m, int n, const void *a, double *sigma)
{
    tt_z *full = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, m), none;
    assert_int_equal(LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, full, m, sigma, &none, 1, &none, 1), 0);
    free(full);
}

/* |r_kk| within a factor of 10 of sigma_k. */
static void diagonals(void **state)
{
    static const int sizes[][2] = {{120, 120}, {150, 80}, {80, 150}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (int nb = 0; nb <= 16; nb += 16) {
                const int m = sizes[s][0], n = sizes[s][1], k = min_of(m, n);
                void *a = tt_generated(t, tt_single(t) ? "svd:1e4" : "svd:1e10", m, n, 7), *f = tt_copy(t, m, n, a),
                     *tau = tt_array(t, k, 1);
                tw_int jpvt[MOST] = {0};
                double sigma[MOST];
                singular_values(t, m, n, a, sigma);
                tt_expect_info(pivoted(t, m, n, f, jpvt, tau, nb), 0, "geqp3 of svd");
                for (int i = 0; i < k; i++) {
                    const double r = cabs(tt_get(t, f, (size_t)(i + i * m)));
                    if (!(r < 10 * sigma[i] && r > sigma[i] / 10))
                        fail_msg("%cgeqp3 %d x %d nb=%d: |r(%d)| = %g, sigma %g", tt_letter(t), m, n, nb, i, r,
                                 sigma[i]);
                }
                free(a), free(f), free(tau);
            }
}

/* No columns are exchanged, as in LAPACK's, and its small singular value is shown no worse (which is: hardly at
 * all). */
static void kahan(void **state)
{
    static const int orders[] = {20, 60, 100};
    (void)state;
    FOR_TYPES(t)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (int nb = 0; nb <= 16; nb += 16) {
                const int n = orders[o];
                void *a = tt_generated(t, "kahan", n, n, 7), *f = tt_copy(t, n, n, a), *g = tt_copy(t, n, n, a),
                     *tau = tt_array(t, n, 1);
                tw_int jpvt[MOST] = {0};
                int theirs[MOST] = {0};
                tt_expect_info(pivoted(t, n, n, f, jpvt, tau, nb), 0, "geqp3 of kahan");
                tt_expect("geqp3 of kahan", t, tt_geqp3_residual(t, n, n, a, n, f, n, jpvt, tau), 0, "n=%d nb=%d", n,
                          nb);
                assert_int_equal(lapacks_qp3(t, n, n, g, theirs, tau), 0);
                for (int i = 0; i < n; i++) {
                    const double mine = cabs(tt_get(t, f, (size_t)(i * (n + 1)))),
                                 lapacks = cabs(tt_get(t, g, (size_t)(i * (n + 1))));
                    assert_int_equal(jpvt[i], theirs[i]);
                    assert_true(fabs(mine / lapacks - 1) < 1e3 * tt_eps(t) * n);
                }
                free(a), free(f), free(g), free(tau);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(growth),       cmocka_unit_test(dyadic),
                                       cmocka_unit_test(zero_columns), cmocka_unit_test(ranks),
                                       cmocka_unit_test(diagonals),    cmocka_unit_test(kahan)};
    return tt_run(tests);
}
