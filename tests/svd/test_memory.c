/* What routines of singular values say that they need, beside what they are seen to make (made.h): of two stages within
 * a tenth below what they hold and a half above, deflation being what nobody knows before; of some others it is what
 * they need at least, no less than a part of that, and no more. */
#include <stdlib.h>
#include "algorithms/svd/svd_loops.h"
#include "made.h"

enum { M = 400, N = 300, K = 120, NB = 64 };

static tw_matrix *matrix(enum tw_type t, int m, int n)
{
    return tt_made_matrix(t, TW_GENERAL, m, n, NB, "random");
}
static void compare(const char *routine, enum tw_type t, int m, int n, int k, double least, tw_matrix **list,
                    int operands)
{
    tt_made_compare(&(struct tt_made_problem){routine, t, m, n, k, NB}, TT_MOST, least, list, operands);
}

static void compare_held(const char *routine, enum tw_type t, int m, int n, int k, tw_matrix **list, int operands)
{
    tt_made_compare(&(struct tt_made_problem){routine, t, m, n, k, NB}, TT_HELD, 0.92, list, operands);
}

/* Values alone, and vectors of both sides: all that A has, or some. */
static void shape(enum tw_type t, int m, int n)
{
    const int least = m < n ? m : n;
    double s[2 * M], value;
    tw_int ns;
    tw_matrix *A = matrix(t, m, n), *U = matrix(t, m, K), *Vt = matrix(t, K, n);

    tt_made_begin();
    assert_int_equal(tw_gesvdx(TW_VECTORS, TW_VECTORS, TW_INDICES, A, 0, 0, 1, K, &ns, s, U, Vt), 0);
    compare_held("gesvdx", t, m, n, K, (tw_matrix *[]){A, U, Vt}, 3);
    A = matrix(t, m, n), U = matrix(t, m, least), Vt = matrix(t, least, n);
    tt_made_begin();
    assert_int_equal(tw_gesdd(TW_SVD_SOME, A, s, U, Vt), 0);
    compare_held("gesdd", t, m, n, least, (tw_matrix *[]){A, U, Vt}, 3);
    A = matrix(t, m, n);
    tt_made_begin();
    assert_int_equal(tw_gesdd(TW_SVD_NONE, A, s, NULL, NULL), 0);
    compare_held("gesdd", t, m, n, 0, (tw_matrix *[]){A}, 1);
    A = matrix(t, m, n);
    tt_made_begin();
    assert_int_equal(tw_genorm2(A, &value), 0);
    compare_held("genorm2", t, m, n, 0, (tw_matrix *[]){A}, 1);
}

static void two_stages(void **state)
{
    (void)state;
    TT_TYPES(t) {
        shape(t, M, N);
        shape(t, N, M);
        shape(t, N, N);
    }
    shape(TW_DOUBLE, 2 * N, N); /* by QR first */
    shape(TW_DOUBLE, 2 * M, 2 * N);
}

static void reduction(void **state)
{
    (void)state;
    TT_TYPES(t) {
        double d[N], e[N];
        tw_matrix *A = matrix(t, M, N), *tauq = matrix(t, N, 1), *taup = matrix(t, N, 1);
        tt_made_begin();
        assert_int_equal(tw_gebrd(A, d, e, tauq, taup), 0);
        compare("gebrd", t, M, N, 0, 1, (tw_matrix *[]){A, tauq, taup}, 3);
        A = matrix(t, N, M), tauq = matrix(t, N, 1), taup = matrix(t, N, 1);
        tt_made_begin();
        assert_int_equal(tw_gebrd(A, d, e, tauq, taup), 0);
        compare("gebrd", t, N, M, 0, 0.7, (tw_matrix *[]){A, tauq, taup}, 3);
    }
}

/* Q and P where their reflectors begin on the diagonal and beside it. */
static void own_factors(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, M, N), *tau = matrix(t, N, 1), *C;
        tt_made_begin();
        assert_int_equal(tw_ungbr(TW_VECT_Q, N, A, tau), 0);
        compare("ungbr", t, M, N, N, 1, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, N, M), tau = matrix(t, N, 1);
        tt_made_begin();
        assert_int_equal(tw_ungbr(TW_VECT_P, N, A, tau), 0);
        compare("ungbr", t, N, M, N, 1, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, N, N), tau = matrix(t, N, 1);
        tt_made_begin();
        assert_int_equal(tw_ungbr(TW_VECT_P, M, A, tau), 0);
        compare("ungbr", t, N, N, M, 1, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, M, N), tau = matrix(t, N, 1), C = matrix(t, M, K);
        tt_made_begin();
        assert_int_equal(tw_unmbr(TW_VECT_Q, TW_LEFT, TW_NOTRANS, N, A, tau, C), 0);
        compare("unmbr", t, M, K, N, 1, (tw_matrix *[]){A, tau, C}, 3);
        A = matrix(t, N, N), tau = matrix(t, N, 1), C = matrix(t, N, K);
        tt_made_begin();
        assert_int_equal(tw_unmbr(TW_VECT_Q, TW_LEFT, TW_NOTRANS, M, A, tau, C), 0);
        compare("unmbr", t, N, K, M, 1, (tw_matrix *[]){A, tau, C}, 3);
    }
}

static void least_squares(void **state)
{
    (void)state;
    TT_TYPES(t) {
        double s[N];
        int rank;
        tw_matrix *A = matrix(t, M, N), *B = matrix(t, M, K);
        tt_made_begin();
        assert_int_equal(tw_gelsd(A, B, s, -1, &rank), 0);
        compare_held("gelsd", t, M, N, K, (tw_matrix *[]){A, B}, 2);
        A = matrix(t, M, N), B = matrix(t, M, K);
        tt_made_begin();
        assert_int_equal(tw_gelss(A, B, s, -1, &rank), 0);
        compare_held("gelss", t, M, N, K, (tw_matrix *[]){A, B}, 2);
        A = matrix(t, M, N), B = matrix(t, N, M);
        tt_made_begin();
        assert_int_equal(tw_gepinv(A, B, s, -1, &rank), 0);
        compare_held("gepinv", t, M, N, 0, (tw_matrix *[]){A, B}, 2);
    }
}

static void factors(void **state)
{
    (void)state;
    TT_TYPES(t) {
        double s[N], error;
        int rank;
        tw_matrix *A = matrix(t, M, N), *U = matrix(t, M, K), *Vt = matrix(t, K, N);
        tt_made_begin();
        assert_int_equal(tw_gersvd(A, 0, 0, 2, 1, s, U, Vt, &rank, &error), 0);
        compare_held("gersvd", t, M, N, K, (tw_matrix *[]){A, U, Vt}, 3);
        A = matrix(t, M, N), U = matrix(t, N, N);
        tt_made_begin();
        assert_int_equal(tw_gepolar(A, U), 0);
        compare("gepolar", t, M, N, 0, 0.93, (tw_matrix *[]){A, U}, 2);
    }
}

static void bidiagonal(void **state)
{
    double d[N], e[N], s[N];
    tw_int ns;
    (void)state;
    srand(5);
    for (int i = 0; i < N; i++)
        d[i] = 1 + rand() / (double)RAND_MAX / 100, e[i] = 1; /* vectors that reach far: little is deflated */
    TT_TYPES(t) {
        tw_matrix *U = matrix(t, N, N), *Vt = matrix(t, N, N), *C;
        tt_made_begin();
        assert_int_equal(tw_bdsdc(TW_UPPER, N, d, e, s, U, Vt), 0);
        compare("bdsdc", t, N, N, N, 0.75, (tw_matrix *[]){U, Vt}, 2);
        U = matrix(t, K, N), Vt = matrix(t, N, K), C = matrix(t, N, K);
        tt_made_begin();
        assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, s, Vt, U, C), 0);
        compare("bdsqr", t, N, N, K, 0.6, (tw_matrix *[]){U, Vt, C}, 3);
        U = matrix(t, N, K), Vt = matrix(t, K, N);
        tt_made_begin();
        assert_int_equal(tw_bdsvdx(TW_UPPER, TW_INDICES, N, d, e, 0, 0, 1, K, &ns, s, U, Vt), 0);
        compare("bdsvdx", t, N, N, K, 0.65, (tw_matrix *[]){U, Vt}, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_stages),  cmocka_unit_test(reduction),
                                       cmocka_unit_test(own_factors), cmocka_unit_test(least_squares),
                                       cmocka_unit_test(factors),     cmocka_unit_test(bidiagonal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
