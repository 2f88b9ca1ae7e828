/* What routines of singular values say that they need, beside what they are seen to make (made.h): where it is what
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

static void dense(void **state)
{
    (void)state;
    TT_TYPES(t) {
        double s[N], value, d[N], e[N];
        tw_int ns;
        tw_matrix *A = matrix(t, M, N), *U = matrix(t, M, K), *Vt = matrix(t, K, N), *tauq, *taup;
        tt_made_begin();
        assert_int_equal(tw_gesvdx(TW_VECTORS, TW_VECTORS, TW_INDICES, A, 0, 0, 1, K, &ns, s, U, Vt), 0);
        compare("gesvdx", t, M, N, K, 0.31, (tw_matrix *[]){A, U, Vt}, 3);
        A = matrix(t, M, N), U = matrix(t, M, N), Vt = matrix(t, N, N);
        tt_made_begin();
        assert_int_equal(tw_gesdd(TW_SVD_SOME, A, s, U, Vt), 0);
        compare("gesdd", t, M, N, N, 0.32, (tw_matrix *[]){A, U, Vt}, 3);
        A = matrix(t, M, N);
        tt_made_begin();
        assert_int_equal(tw_genorm2(A, &value), 0);
        compare("genorm2", t, M, N, 0, 0.37, (tw_matrix *[]){A}, 1);
        A = matrix(t, M, N), tauq = matrix(t, N, 1), taup = matrix(t, N, 1);
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
        compare("gelsd", t, M, N, K, 0.31, (tw_matrix *[]){A, B}, 2);
        A = matrix(t, M, N), B = matrix(t, M, K);
        tt_made_begin();
        assert_int_equal(tw_gelss(A, B, s, -1, &rank), 0);
        compare("gelss", t, M, N, K, 0.31, (tw_matrix *[]){A, B}, 2);
        A = matrix(t, M, N), B = matrix(t, N, M);
        tt_made_begin();
        assert_int_equal(tw_gepinv(A, B, s, -1, &rank), 0);
        compare("gepinv", t, M, N, 0, 0.39, (tw_matrix *[]){A, B}, 2);
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
        compare("gersvd", t, M, N, K, 0.42, (tw_matrix *[]){A, U, Vt}, 3);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(dense), cmocka_unit_test(own_factors),
                                       cmocka_unit_test(least_squares), cmocka_unit_test(factors),
                                       cmocka_unit_test(bidiagonal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
