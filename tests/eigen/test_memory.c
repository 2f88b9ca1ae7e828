/* What routines of eigenvalues say that they need, beside what they are seen to make (made.h); of hermitian ones it is
 * within a tenth below what they hold and a half above, deflation being what nobody knows before. */
#include <stdlib.h>
#include "algorithms/eigen/eigen_loops.h"
#include "made.h"

enum { N = 300, K = 120, NB = 64 };

static tw_matrix *matrix(enum tw_type t, enum tw_uplo uplo, int m, int n, const char *kind)
{
    return tt_made_matrix(t, uplo, m, n, NB, kind);
}
static void compare(const char *routine, enum tw_type t, int m, int n, int k, double least, tw_matrix **list,
                    int operands)
{
    tt_made_compare(&(struct tt_made_problem){routine, t, m, n, k, NB}, TT_MOST, least, list, operands);
}

/* Of those whose parts may all be there at the same time. */
static void compare_all(const char *routine, enum tw_type t, int m, int n, int k, double least, tw_matrix **list,
                        int operands)
{
    tt_made_compare(&(struct tt_made_problem){routine, t, m, n, k, NB}, TT_ALL, least, list, operands);
}

static void compare_held(const char *routine, enum tw_type t, int m, int n, int k, tw_matrix **list, int operands)
{
    tt_made_compare(&(struct tt_made_problem){routine, t, m, n, k, NB}, TT_HELD, 0.92, list, operands);
}

/* Reductions and their Q: all of it is counted. */
static void hessenberg(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_GENERAL, N, N, "random"), *C = matrix(t, TW_GENERAL, N, K, "random"),
                  *tau = matrix(t, TW_GENERAL, N, 1, "random");
        tt_made_begin();
        assert_int_equal(tw_gehrd(1, N, A, tau), 0);
        compare("gehrd", t, N, N, 0, 1, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, TW_GENERAL, N, N, "random"), tau = matrix(t, TW_GENERAL, N, 1, "random");
        tt_made_begin();
        assert_int_equal(tw_unmhr(TW_LEFT, TW_NOTRANS, 1, N, A, tau, C), 0);
        compare("unmhr", t, N, K, 0, 1, (tw_matrix *[]){A, tau, C}, 3);
        A = matrix(t, TW_GENERAL, N, N, "random"), tau = matrix(t, TW_GENERAL, N, 1, "random");
        tt_made_begin();
        assert_int_equal(tw_unghr(1, N, A, tau), 0);
        compare("unghr", t, N, N, 0, 1, (tw_matrix *[]){A, tau}, 2);
    }
}
static void tridiagonal_form(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_GENERAL, N, N, "random"), *C = matrix(t, TW_GENERAL, N, K, "random"),
                  *tau = matrix(t, TW_GENERAL, N, 1, "random");
        tt_made_begin();
        assert_int_equal(tw_ungtr(TW_LOWER, A, tau), 0);
        compare("ungtr", t, N, N, 0, 1, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, TW_LOWER, N, N, "spd"), tau = matrix(t, TW_GENERAL, N, 1, "random");
        tt_made_begin();
        assert_int_equal(tw_unmtr(TW_LEFT, TW_LOWER, TW_NOTRANS, A, tau, C), 0);
        compare("unmtr", t, N, K, 0, 1, (tw_matrix *[]){A, tau, C}, 3);
    }
}

static int any(void *user, double wr, double wi)
{
    (void)user, (void)wi;
    return wr > 0;
}

static void general(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int vectors = 0; vectors < 2; vectors++) {
            double wr[N], wi[N], scale[N], abnrm, rconde, rcondv;
            const enum tw_jobz job = vectors ? TW_VECTORS : TW_NOVECTORS;
            const int k = vectors ? N : 0;
            tw_int ilo, ihi, sdim;
            tw_matrix *A = matrix(t, TW_GENERAL, N, N, "random"),
                      *V = vectors ? matrix(t, TW_GENERAL, N, N, "random") : NULL;
            tt_made_begin();
            assert_int_equal(tw_geev(TW_NOVECTORS, job, A, wr, wi, NULL, V), 0);
            compare_all("geev", t, N, N, k, 0.5, (tw_matrix *[]){A, V}, 1 + vectors);
            A = matrix(t, TW_GENERAL, N, N, "random"), V = vectors ? matrix(t, TW_GENERAL, N, N, "random") : NULL;
            tt_made_begin();
            assert_int_equal(tw_geevx(TW_BALANCE_BOTH, TW_NOVECTORS, job, TW_SENSE_NONE, A, wr, wi, NULL, V, &ilo, &ihi,
                                      scale, &abnrm, NULL, NULL),
                             0);
            compare_all("geevx", t, N, N, k, 0.5, (tw_matrix *[]){A, V}, 1 + vectors);
            A = matrix(t, TW_GENERAL, N, N, "random"), V = vectors ? matrix(t, TW_GENERAL, N, N, "random") : NULL;
            tt_made_begin();
            assert_int_equal(tw_gees(job, any, NULL, A, &sdim, wr, wi, V), 0);
            compare_all("gees", t, N, N, k, 0.5, (tw_matrix *[]){A, V}, 1 + vectors);
            A = matrix(t, TW_GENERAL, N, N, "random"), V = vectors ? matrix(t, TW_GENERAL, N, N, "random") : NULL;
            tt_made_begin();
            assert_int_equal(tw_geesx(job, any, NULL, TW_SENSE_BOTH, A, &sdim, wr, wi, V, &rconde, &rcondv), 0);
            compare_all("geesx", t, N, N, k, 0.5, (tw_matrix *[]){A, V}, 1 + vectors);
        }
}

static void standard_form(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_LOWER, N, N, "spd"), *B = matrix(t, TW_LOWER, N, N, "spd");
        assert_int_equal(tw_potrf(TW_LOWER, B), 0);
        tt_made_begin();
        assert_int_equal(tw_sygst(1, TW_LOWER, A, B), 0);
        compare("sygst", t, N, N, 0, 1, (tw_matrix *[]){A, B}, 2);
    }
}

/* Values alone, and vectors: all or some. */
static void standard(enum tw_type t, int n)
{
    for (int vectors = 0; vectors < 2; vectors++) {
        const enum tw_jobz job = vectors ? TW_VECTORS : TW_NOVECTORS;
        double w[2 * N];
        tw_int m;
        tw_matrix *A = matrix(t, TW_LOWER, n, n, "random"), *Z = vectors ? matrix(t, TW_GENERAL, n, n, "random") : NULL;
        tt_made_begin();
        assert_int_equal(tw_syevd(job, TW_LOWER, A, w, Z), 0);
        compare_held("syevd", t, n, n, vectors ? n : 0, (tw_matrix *[]){A, Z}, 1 + vectors);
        A = matrix(t, TW_LOWER, n, n, "random"), Z = vectors ? matrix(t, TW_GENERAL, n, K, "random") : NULL;
        tt_made_begin();
        assert_int_equal(tw_syevr(job, TW_INDICES, TW_LOWER, A, 0, 0, 1, K, &m, w, Z), 0);
        compare_held("syevr", t, n, n, vectors ? K : 0, (tw_matrix *[]){A, Z}, 1 + vectors);
    }
}
static void pencils(enum tw_type t)
{
    for (int vectors = 0; vectors < 2; vectors++) {
        const enum tw_jobz job = vectors ? TW_VECTORS : TW_NOVECTORS;
        double w[N];
        tw_int m;
        tw_matrix *A = matrix(t, TW_LOWER, N, N, "random"), *B = matrix(t, TW_LOWER, N, N, "spd"),
                  *Z = vectors ? matrix(t, TW_GENERAL, N, N, "random") : NULL;
        tt_made_begin();
        assert_int_equal(tw_sygvd(1, job, TW_LOWER, A, B, w, Z), 0);
        compare_held("sygvd", t, N, N, vectors ? N : 0, (tw_matrix *[]){A, B, Z}, 2 + vectors);
        A = matrix(t, TW_LOWER, N, N, "random"), B = matrix(t, TW_LOWER, N, N, "spd"),
        Z = vectors ? matrix(t, TW_GENERAL, N, K, "random") : NULL;
        tt_made_begin();
        assert_int_equal(tw_sygvx(1, job, TW_INDICES, TW_LOWER, A, B, 0, 0, 1, K, &m, w, Z), 0);
        compare_held("sygvx", t, N, N, vectors ? K : 0, (tw_matrix *[]){A, B, Z}, 2 + vectors);
    }
}
static void function(enum tw_type t)
{
    double w[N];
    tw_matrix *A = matrix(t, TW_LOWER, N, N, "spd"), *F = matrix(t, TW_GENERAL, N, N, "random");
    tt_made_begin();
    assert_int_equal(tw_syfun(TW_SQRT, NULL, NULL, TW_LOWER, A, w, F), 0);
    compare_held("syfun", t, N, N, 0, (tw_matrix *[]){A, F}, 2);
}
static void symmetric(const char *route)
{
    if (route) assert_int_equal(setenv("TILEWORK_ROUTE", route, 1), 0);
    TT_TYPES(t) {
        standard(t, N);
        pencils(t);
        function(t);
    }
    standard(TW_DOUBLE, 2 * N);
    assert_int_equal(unsetenv("TILEWORK_ROUTE"), 0);
}
static void one_stage(void **state)
{
    (void)state;
    symmetric("one");
}
static void two_stages(void **state)
{
    (void)state;
    symmetric("two");
}
static void whole(void **state)
{
    (void)state;
    symmetric("lapack");
}
/* The way that is predicted to be the fastest is the one that is told. */
static void chosen(void **state)
{
    (void)state;
    symmetric(NULL);
}

/* What a call checks before it begins is the same: not enough for what it holds is refused, and not half as much
 * more. */
static void refused(void **state)
{
    double w[N];
    tw_memory said;
    tw_matrix *A = matrix(TW_DOUBLE, TW_LOWER, N, N, "random"), *Z = matrix(TW_DOUBLE, TW_GENERAL, N, N, "random");
    char text[32];
    (void)state;

    if (tw_has_cuda()) skip(); /* what is made for a while may live on GPUs alone */
    assert_int_equal(tw_routine_memory("syevd", TW_DOUBLE, N, N, N, NB, &said), 0);
    for (int enough = 0; enough < 2; enough++) {
        const size_t limit = said.host + said.own - !enough;
        (void)snprintf(text, sizeof text, "%zu", limit);
        assert_int_equal(setenv("TILEWORK_HOST_MEMORY", text, 1), 0);
        assert_int_equal(tw_syevd(TW_VECTORS, TW_LOWER, A, w, Z), enough ? 0 : TW_E_MEMORY);
    }
    assert_int_equal(unsetenv("TILEWORK_HOST_MEMORY"), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(Z), 0);
}

/* A's lower band of kd sub-diagonals. */
static tw_matrix *band(enum tw_type t, int kd)
{
    const size_t size = (size_t)(kd + 1) * N;
    void *ab = tt_array(t, kd + 1, N);
    tw_matrix *A;

    for (size_t k = 0; k < size; k++)
        tt_put(t, ab, k, k % (size_t)(kd + 1) == 0 ? 2 : tt_uniform(3, (int)k, 1));
    assert_int_equal(tw_matrix_create_band(&A, t, N, N, kd, 0, NB), 0);
    assert_int_equal(tw_matrix_set_band(A, ab, kd + 1), 0);
    free(ab);
    return A;
}
static void bands(void **state)
{
    static const int width[] = {3, 40, 100};
    (void)state;
    TT_TYPES(t)
        for (size_t i = 0; i < sizeof width / sizeof *width; i++) {
            const int kd = width[i];
            double w[N];
            tw_int m;
            tw_matrix *A = band(t, kd), *Z = matrix(t, TW_GENERAL, N, N, "random");
            tt_made_begin();
            assert_int_equal(tw_sbevd(TW_VECTORS, TW_LOWER, A, w, Z), 0);
            compare_held("sbevd", t, kd, N, N, (tw_matrix *[]){A, Z}, 2);
            A = band(t, kd);
            tt_made_begin();
            assert_int_equal(tw_sbevd(TW_NOVECTORS, TW_LOWER, A, w, NULL), 0);
            compare_held("sbevd", t, kd, N, 0, &A, 1);
            A = band(t, kd), Z = matrix(t, TW_GENERAL, N, K, "random");
            tt_made_begin();
            assert_int_equal(tw_sbevx(TW_VECTORS, TW_INDICES, TW_LOWER, A, NULL, 0, 0, 1, K, &m, w, Z), 0);
            compare_held("sbevx", t, kd, N, K, (tw_matrix *[]){A, Z}, 2);
        }
}

static void tridiagonal(void **state)
{
    double d[N], e[N], w[N];
    tw_int m, nsplit, block[N], split[N];
    (void)state;
    srand(3);
    for (int i = 0; i < N; i++)
        d[i] = 2 + rand() / (double)RAND_MAX / 100, e[i] = 1; /* vectors that reach far: little is deflated */
    TT_TYPES(t) {
        tw_matrix *Z = matrix(t, TW_GENERAL, N, N, "random");
        tt_made_begin();
        assert_int_equal(tw_stedc(TW_COMPZ_I, N, d, e, w, Z), 0);
        compare_held("stedc", t, N, N, N, &Z, 1);
        if (tw_is_complex(t)) continue;
        Z = matrix(t, TW_GENERAL, N, N, "random");
        tt_made_begin();
        assert_int_equal(tw_stevd(TW_VECTORS, N, d, e, w, Z), 0);
        compare_held("stevd", t, N, N, N, &Z, 1);
        Z = matrix(t, TW_GENERAL, N, K, "random");
        tt_made_begin();
        assert_int_equal(tw_stevr(TW_VECTORS, TW_INDICES, N, d, e, 0, 0, 1, K, &m, w, Z), 0);
        compare_held("stevr", t, N, N, K, &Z, 1);
        Z = matrix(t, TW_GENERAL, N, K, "random");
        tt_made_begin();
        assert_int_equal(tw_stevx(TW_VECTORS, TW_INDICES, N, d, e, 0, 0, 1, K, &m, w, Z), 0);
        compare_held("stevx", t, N, N, K, &Z, 1);
    }
    tt_made_begin();
    assert_int_equal(tw_stebz(TW_INDICES, TW_ENTIRE, N, 0, 0, 1, K, 0, d, e, &m, &nsplit, w, block, split), 0);
    compare("stebz", TW_DOUBLE, N, N, 0, 1, NULL, 0);
    tt_made_begin();
    assert_int_equal(tw_sterf(N, d, e, w), 0);
    compare("sterf", TW_DOUBLE, N, N, 0, 1, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hessenberg),    cmocka_unit_test(tridiagonal_form), cmocka_unit_test(general),
        cmocka_unit_test(standard_form), cmocka_unit_test(one_stage),        cmocka_unit_test(two_stages),
        cmocka_unit_test(whole),         cmocka_unit_test(chosen),           cmocka_unit_test(refused),
        cmocka_unit_test(bands),         cmocka_unit_test(tridiagonal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
