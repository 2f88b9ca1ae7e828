/* Do the checkers of singular values and vectors check? In a build with fault injection (TILEWORK_FAULT=1) they have to
 * fail, in others to pass. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/checks.h"
#include "runtime/base/types.h"
#include "tt.h"

enum { N = 120, NB = 48 };

static int wrong(const char *routine, enum tw_type t, int m, int n, const char *what, double residual)
{
    const int failed = tt_judge(residual, 0) == TT_FAIL;
#ifdef TILEWORK_FAULT_INJECTION
    const int bad = !failed;
#else
    const int bad = failed;
#endif
    printf("%c%s %d x %d %-12s %10.3g%s\n", tt_letter(t), routine, m, n, what, residual, bad ? "  WRONG VERDICT" : "");
    return bad;
}
static double largest(const double r[3])
{
    double most = r[0];
    for (int k = 1; k < 3; k++)
        most = check_worse(most, r[k]);
    return most;
}

static int one(enum tw_type t, int m, int n)
{
    const int k = m < n ? m : n;
    void *a = tt_array(t, m, n), *u = tt_array(t, m, k), *vt = tt_array(t, k, n);
    double s[N], residual[3] = {0, 0, 0}, error = 0;
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, m};
    const struct check_matrix A = check_of_array(&array);
    struct tt_place pa, pu, pv;
    tw_matrix *X, *U, *Vt;
    int bad;

    tt_random(t, 'G', m, n, a, m, 3);
    X = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, NB);
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, k, u, m, NB);
    Vt = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, k, n, vt, k, NB);
    (void)tw_gesdd(TW_SVD_SOME, X, s, U, Vt);
    tt_leave(&pu), tt_leave(&pv);
    assert_int_equal(check_gesdd(&A, s, k, u, m, k, vt, k, residual), 0);
    bad = wrong("gesdd", t, m, n, "vectors", largest(residual));
    (void)tw_gesdd(TW_SVD_NONE, X, s, NULL, NULL);
    tt_leave(&pa);
    assert_int_equal(check_singular_values(&A, s, &error), 0);
    bad += wrong("gesdd", t, m, n, "values", error);
    free(a), free(u), free(vt);
    return bad;
}

/* Least squares: A^H (b - A x). */
static int least_squares(enum tw_type t, int m, int n)
{
    void *a = tt_array(t, m, n), *b = tt_array(t, m, 3), *x;
    double s[N], residual = 0;
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, m};
    const struct check_matrix A = check_of_array(&array);
    struct tt_place pa, pb;
    tw_matrix *X, *B;
    int rank = 0;

    tt_random(t, 'G', m, n, a, m, 3);
    tt_random(t, 'G', m, 3, b, m, 4);
    x = tt_copy(t, m, 3, b);
    X = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, NB);
    B = tt_enter(&pb, TT_CREATED, t, TW_GENERAL, m, 3, x, m, NB);
    (void)tw_gelsd(X, B, s, 0, &rank);
    tt_leave(&pa), tt_leave(&pb);
    assert_int_equal(check_gelsy(&A, n, 3, x, m, b, m, &residual), 0);
    free(a), free(b), free(x);
    return wrong("gelsd", t, m, n, "solution", residual);
}

/* The pseudo-inverse: Penrose's conditions. */
static int inverse(enum tw_type t, int m, int n)
{
    void *a = tt_array(t, m, n), *p = tt_array(t, n, m);
    double s[N], residual[4] = {0, 0, 0, 0}, most;
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, m};
    const struct check_matrix A = check_of_array(&array);
    struct tt_place pa, pp;
    tw_matrix *X, *P;
    int rank = 0;

    tt_random(t, 'G', m, n, a, m, 3);
    X = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, NB);
    P = tt_enter(&pp, TT_CREATED, t, TW_GENERAL, n, m, p, n, NB);
    (void)tw_gepinv(X, P, s, 0, &rank);
    tt_leave(&pa), tt_leave(&pp);
    assert_int_equal(check_gepinv(&A, p, n, 0, residual), 0);
    most = largest(residual);
    most = check_worse(most, residual[3]);
    free(a), free(p);
    return wrong("gepinv", t, m, n, "inverse", most);
}

static int polar(enum tw_type t, int m, int n)
{
    void *a = tt_array(t, m, n), *u, *h = tt_array(t, n, n);
    double residual[3] = {0, 0, 0};
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, m};
    const struct check_matrix A = check_of_array(&array);
    struct tt_place pu, ph;
    tw_matrix *U, *H;

    tt_random(t, 'G', m, n, a, m, 3);
    u = tt_copy(t, m, n, a);
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, n, u, m, NB);
    H = tt_enter(&ph, TT_CREATED, t, TW_GENERAL, n, n, h, n, NB);
    (void)tw_gepolar(U, H);
    tt_leave(&pu), tt_leave(&ph);
    assert_int_equal(check_gepolar(&A, u, m, h, n, residual), 0);
    free(a), free(u), free(h);
    return wrong("gepolar", t, m, n, "factors", largest(residual));
}

static int truncated(enum tw_type t, int m, int n, int k)
{
    void *a = tt_array(t, m, n), *u = tt_array(t, m, k), *vt = tt_array(t, k, n);
    double s[N], residual[3] = {0, 0, 0}, error = 0, distance = 0;
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, m};
    const struct check_matrix A = check_of_array(&array);
    struct tt_place pa, pu, pv;
    tw_matrix *X, *U, *Vt;
    int rank = 0;

    tt_random(t, 'G', m, n, a, m, 3);
    X = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, NB);
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, k, u, m, NB);
    Vt = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, k, n, vt, k, NB);
    (void)tw_gersvd(X, 0, 6, 1, 1, s, U, Vt, &rank, &error);
    tt_leave(&pa), tt_leave(&pu), tt_leave(&pv);
#ifdef TILEWORK_FAULT_INJECTION
    /* What is spoilt first is the random range, from which the right vectors come all the same: so the result. */
    if (tw_is_single(t))
        ((float *)u)[0] += 0.2f;
    else
        ((double *)u)[0] += 1e-6;
#endif
    assert_int_equal(check_gersvd(&A, k, s, u, m, vt, k, residual, &distance), 0);
    free(a), free(u), free(vt);
    return wrong("gersvd", t, m, n, "vectors", largest(residual));
}

/* Both sides' vectors of a bidiagonal matrix, multiplied into identities. */
static int bidiagonal(enum tw_type t, int n)
{
    void *b = tt_array(t, n, n), *u = tt_array(t, n, n), *vt = tt_array(t, n, n);
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, b, n};
    const struct check_matrix B = check_of_array(&array);
    double d[N], e[N], s[N], residual[3] = {0, 0, 0};
    struct tt_place pu, pv;
    tw_matrix *U, *Vt;

    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            tt_put(t, b, (size_t)(i + j * n), 0), tt_put(t, u, (size_t)(i + j * n), i == j),
                tt_put(t, vt, (size_t)(i + j * n), i == j);
        d[j] = tt_uniform(3, j, 0), e[j] = tt_uniform(4, j, 0);
        if (tw_is_single(t)) d[j] = (double)(float)d[j], e[j] = (double)(float)e[j];
        tt_put(t, b, (size_t)(j + j * n), d[j]);
        if (j > 0) tt_put(t, b, (size_t)(j - 1 + j * n), e[j - 1]);
    }
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, n, n, u, n, NB);
    Vt = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, n, n, vt, n, NB);
    (void)tw_bdsqr(TW_UPPER, n, d, e, s, Vt, U, NULL);
    tt_leave(&pu), tt_leave(&pv);
    assert_int_equal(check_gesdd(&B, s, n, u, n, n, vt, n, residual), 0);
    free(b), free(u), free(vt);
    return wrong("bdsqr", t, n, n, "vectors", largest(residual));
}

/* Some of them, of a matrix or of a bidiagonal one: numbers 3 ... 12, or by that way all, with vectors and without. */
static int some(enum tw_type t, int m, int n, int of_bidiagonal)
{
    enum { FIRST = 3, COUNT = 10 };
    /* of the only leaf two columns are spoilt, which may be any of them */
    const int first = of_bidiagonal ? 1 : FIRST, count = of_bidiagonal ? n : COUNT;
    const char *routine = of_bidiagonal ? "bdsvdx" : "gesvdx";
    void *a = tt_array(t, m, n), *u = tt_array(t, m, count), *vt = tt_array(t, count, n);
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, m};
    const struct check_matrix A = check_of_array(&array);
    double d[N], e[N], s[N], residual[4] = {0, 0, 0, 0}, most, error = 0;
    struct tt_place pa, pu, pv;
    tw_matrix *X, *U, *Vt;
    tw_int ns;
    int bad;

    tt_random(t, 'G', m, n, a, m, 3);
    for (int j = 0; of_bidiagonal && j < n; j++)
        for (int i = 0; i < m; i++)
            if (i != j && i + 1 != j)
                tt_put(t, a, (size_t)(i + j * m), 0);
            else
                tt_put(t, a, (size_t)(i + j * m), (i == j ? d : e)[i] = creal(tt_get(t, a, (size_t)(i + j * m))));
    X = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, NB);
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, count, u, m, NB);
    Vt = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, count, n, vt, count, NB);
    if (of_bidiagonal)
        (void)tw_bdsvdx(TW_UPPER, TW_INDICES, n, d, e, 0, 0, first, first + count - 1, &ns, s, U, Vt);
    else
        (void)tw_gesvdx(TW_VECTORS, TW_VECTORS, TW_INDICES, X, 0, 0, first, first + count - 1, &ns, s, U, Vt);
    tt_leave(&pu), tt_leave(&pv);
    assert_int_equal(check_gesvdx(&A, count, s, u, m, vt, count, residual), 0);
    most = largest(residual);
    most = check_worse(most, residual[3]);
    bad = wrong(routine, t, m, n, "vectors", most);
    if (of_bidiagonal)
        (void)tw_bdsvdx(TW_UPPER, TW_INDICES, n, d, e, 0, 0, first, first + count - 1, &ns, s, NULL, NULL);
    else
        (void)tw_gesvdx(TW_NOVECTORS, TW_NOVECTORS, TW_INDICES, X, 0, 0, first, first + count - 1, &ns, s, NULL, NULL);
    tt_leave(&pa);
    assert_int_equal(check_some_singular_values(&A, first - 1, count, s, &error), 0);
    free(a), free(u), free(vt);
    return bad + wrong(routine, t, m, n, "values", error);
}

static void checkers(void **state)
{
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        bad += one(t, N, N) + one(t, N - 20, N) + one(t, 2 * N, N - 13) + least_squares(t, N, N - 30) +
               inverse(t, N - 30, N) + polar(t, N, N - 30) + truncated(t, N, N - 30, 20) + bidiagonal(t, N) +
               some(t, 2 * N, N, 0) +
               /* in double always, whose fault of 1e-6 is less than single precision's n eps */
               (tw_type_real(t) == TW_DOUBLE ? some(t, N, N, 1) : 0);
    assert_int_equal(bad, 0);
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(checkers)};
    setenv("TILEWORK_FAULT", "1", 1);
    setenv("TILEWORK_BAND", "16", 1);
    return tt_run(tests);
}
