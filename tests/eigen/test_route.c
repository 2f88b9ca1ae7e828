/* Which way eigenvalues go, and what the library tells afterwards: the route that is forced, stages, other libraries'
 * routines, figures. Nothing is told that was not done. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/tilework.h>
#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
enum { MOST = 32 };

/* ---- what is told ------------------------------------------------------------------------------------------------ */

static double figure(const char *name)
{
    double value = -1;
    return tw_figure(name, &value) ? value : NAN;
}
static int stage(const char *name, tw_stage_report *r)
{
    tw_stage_report all[MOST];
    const int n = tw_stage_reports(all, MOST);

    for (int k = 0; k < n; k++)
        if (!strcmp(all[k].name, name)) return *r = all[k], 1;
    return 0;
}
static tw_int vendor(const char *name)
{
    tw_vendor_report all[MOST];
    const int n = tw_vendor_reports(all, MOST);

    for (int k = 0; k < n; k++)
        if (!strcmp(all[k].name, name)) {
            assert_true(all[k].calls > 0);
            return all[k].largest;
        }
    return -1;
}

static struct check_matrix matrix(struct check_array *array, enum tw_type t, char uplo, int n, const void *a)
{
    *array = (struct check_array){CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, a, n};
    return check_of_array(array);
}
static void *random_matrix(enum tw_type t, char uplo, int n)
{
    void *a = tt_array(t, n, n);

    tt_random(t, uplo, n, n, a, n, 5);
    for (int i = 0; i < n; i++)
        tt_put(t, a, (size_t)i * (size_t)(n + 1), tt_uniform(3, i, i));
    return a;
}

/* Eigenvalues and eigenvectors of one matrix through the matrix door: right, and the stages and figures of a run of
 * `two` or of LAPACK's. */
static void one(enum tw_type t, char uplo, int n, int nb, const char *route)
{
    struct check_array array;
    void *a = random_matrix(t, uplo, n), *z = tt_array(t, n, n);
    const struct check_matrix A_ = matrix(&array, t, uplo, n, a);
    double *w = calloc((size_t)n, sizeof *w), residual[2], error;
    struct tt_place pa, pz;
    tw_matrix *A, *Z;

    assert_int_equal(setenv("TILEWORK_ROUTE", route, 1), 0);
    A = tt_enter(&pa, TT_CREATED, t, (enum tw_uplo)uplo, n, n, a, n, nb);
    Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, n, n, z, n, nb + 1);
    tw_counters_reset();
    tt_expect_info(tw_syevd(TW_VECTORS, (enum tw_uplo)uplo, A, w, Z), 0, "n = %d, %s", n, route);
    tt_leave(&pz);
    if (!strcmp(route, "lapack")) {
        assert_int_equal(vendor("syevd"), n);
        assert_int_equal(tw_stage_reports(NULL, 0), 0);
        assert_true(isnan(figure("band")) && isnan(figure("deflated")) && figure("route") == TW_ROUTE_LAPACK);
    } else if (!strcmp(route, "one")) {
        tw_stage_report r;
        assert_int_equal(vendor("syevd"), -1);
        assert_true(figure("route") == TW_ROUTE_ONE && isnan(figure("band")));
        assert_true(stage("tridiagonal", &r) && stage("solve", &r) && !stage("band", &r) && !stage("back_band", &r));
        assert_int_equal(stage("back_tridiagonal", &r), n > 1);
    } else {
        assert_int_equal(vendor("syevd"), -1);
        assert_true(vendor("stedc") > 0 && vendor("stedc") <= 256);
        assert_true(figure("route") == TW_ROUTE_TWO && figure("band") >= 1);
    }
    assert_int_equal(check_syevd(&A_, n, w, z, n, residual), 0);
    assert_int_equal(check_eigenvalues(&A_, w, &error), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "n = %d, %s", n, route);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "n = %d, %s", n, route);
    tt_expect("|w - LAPACK's|", t, error, 0, "n = %d, %s", n, route);
    tt_leave(&pa);
    free(a), free(z), free(w);
    unsetenv("TILEWORK_ROUTE");
}

static void forced(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++) {
            one(t, tt_uplos[u], 97, 40, "lapack");
            one(t, tt_uplos[u], 97, 40, "two");
            one(t, tt_uplos[u], 197, 70, "one");
        }
    for (int n = 1; n < 4; n++)
        one(TW_DOUBLE, 'L', n, 2, "lapack"), one(TW_COMPLEX_FLOAT, 'U', n, 2, "two"),
            one(TW_COMPLEX_DOUBLE, n % 2 ? 'U' : 'L', n, 2, "one");
}

/* Some of them, by LAPACK alone or in one stage: numbers, an interval, none; what Z has besides stays. */
static void some_by(const char *route)
{
    enum { N = 60 };
    const int by_lapack = !strcmp(route, "lapack");
    tw_counters_reset();

    setenv("TILEWORK_ROUTE", route, 1);
    FOR_TYPES(t) {
        struct check_array array;
        void *a = random_matrix(t, 'L', N), *z = tt_array(t, N, N);
        const struct check_matrix A_ = matrix(&array, t, 'L', N, a);
        double w[N], all[N], residual[2], error;
        struct tt_place pa, pz;
        tw_matrix *A = tt_enter(&pa, TT_CREATED, t, TW_LOWER, N, N, a, N, 17), *Z;
        tw_int m = -1;

        Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, 20, z, N, 9);
        tt_expect_info(tw_syevr(TW_VECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 11, 25, &m, w, Z), 0, "numbers");
        tt_leave(&pz);
        assert_int_equal(m, 15);
        assert_int_equal(check_syevd(&A_, m, w, z, N, residual), 0);
        assert_int_equal(check_some_eigenvalues(&A_, 10, m, w, &error), 0);
        tt_expect("some", t, fmax(fmax(residual[0], residual[1]), error), 0, "numbers 11 to 25");
        tt_expect_info(tw_syevd(TW_NOVECTORS, TW_LOWER, A, all, NULL), 0, "values");
        assert_int_equal(vendor("syevd"), by_lapack ? N : -1);
        Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, 20, z, N, 9);
        tt_expect_info(tw_syevx(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, (all[3] + all[4]) / 2, (all[9] + all[10]) / 2, 0,
                                0, &m, w, Z),
                       0, "interval");
        tt_leave(&pz);
        assert_int_equal(m, 6);
        assert_int_equal(check_syevd(&A_, m, w, z, N, residual), 0);
        assert_int_equal(check_some_eigenvalues(&A_, 4, m, w, &error), 0);
        tt_expect("some", t, fmax(fmax(residual[0], residual[1]), error), 0, "an interval");
        tt_expect_info(tw_syevr(TW_NOVECTORS, TW_INTERVAL, TW_LOWER, A, 1e6, 2e6, 0, 0, &m, w, NULL), 0, "none");
        assert_int_equal(m, 0);
        Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, 20, z, N, 9);
        assert_int_equal(tw_syevr(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, -1e6, 1e6, 0, 0, &m, w, Z), TW_E_MEMORY);
        assert_int_equal(m, N); /* more than Z has columns */
        tt_leave(&pz);
        tt_leave(&pa);
        free(a), free(z);
    }
    unsetenv("TILEWORK_ROUTE");
}

static void some_of_them(void **state)
{
    (void)state;
    some_by("lapack");
    some_by("one");
}

/* Generalized problems and functions go the same way; NaN has its answer; the async door follows. */
static void others(void **state)
{
    enum { N = 70 };
    void *a = random_matrix(TW_DOUBLE, 'U', N), *b = tt_array(TW_DOUBLE, N, N), *z = tt_array(TW_DOUBLE, N, N);
    struct check_array array[2];
    const struct check_matrix A_ = matrix(&array[0], TW_DOUBLE, 'U', N, a),
                              B_ = matrix(&array[1], TW_DOUBLE, 'U', N, b);
    double w[N], residual[2];
    struct tt_place pa, pb, pz;
    tw_matrix *A, *B, *Z;
    tw_sequence *seq;

    (void)state;
    setenv("TILEWORK_ROUTE", "lapack", 1);
    tt_spd(TW_DOUBLE, 'U', N, b, N, 9);
    for (int k = 0; k < 6; k++) {
        const int itype = k % 3 + 1, by_lapack = k < 3;
        setenv("TILEWORK_ROUTE", by_lapack ? "lapack" : "one", 1);
        void *factor = tt_copy(TW_DOUBLE, N, N, b);
        A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_UPPER, N, N, a, N, 30);
        B = tt_enter(&pb, TT_CREATED, TW_DOUBLE, TW_UPPER, N, N, factor, N, 30);
        Z = tt_enter(&pz, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, z, N, 30);
        tw_counters_reset();
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_sygvd_async(itype, TW_VECTORS, TW_UPPER, A, B, w, Z, seq), 0);
        tt_expect_info(tw_sequence_wait(seq), 0, "itype %d", itype);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        tt_leave(&pz);
        assert_int_equal(vendor("syevd"), by_lapack ? N : -1);
        assert_int_equal(check_sygvd(itype, &A_, &B_, N, w, z, N, residual), 0);
        tt_expect("sygvd", TW_DOUBLE, fmax(residual[0], residual[1]), 0, "itype %d", itype);
        tt_leave(&pa), tt_leave(&pb);
        free(factor);
    }
    tt_put(TW_DOUBLE, a, 3 * (N + 1), NAN);
    A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_UPPER, N, N, a, N, 30);
    tt_expect_info(tw_syevd(TW_NOVECTORS, TW_UPPER, A, w, NULL), N, "NaN");
    assert_true(isnan(w[0]) && isnan(w[N - 1]));
    tt_leave(&pa);
    A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_UPPER, N, N, a, N, 30);
    setenv("TILEWORK_ROUTE", "three", 1);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_UPPER, A, w, NULL), TW_E_OPTION);
    assert_int_equal(tw_dsyevd('N', 'U', 50, a, N, w), TW_E_OPTION);
    assert_non_null(strstr(tw_last_message(), "TILEWORK_ROUTE=three"));
    tt_leave(&pa);
    unsetenv("TILEWORK_ROUTE");
    free(a), free(b), free(z);
}

/* Of the predictions, which are told, the least; LAPACK's, which nobody can cancel, not where it is long. */
static int chosen(double route)
{
    const double lapack = figure("predicted_lapack"), one = figure("predicted_one"), two = figure("predicted_two");

    assert_true(lapack > 0 && one > 0 && two > 0);
    if (lapack <= 0.5 && lapack < fmin(one, two)) return route == TW_ROUTE_LAPACK;
    return route == (one < two ? TW_ROUTE_ONE : TW_ROUTE_TWO);
}

/* Under LAPACK's names: small problems go to LAPACK unless two is forced, large ones only where it is forced. */
static void lapack_door(void **state)
{
    static const struct {
        int n;
        const char *route;
        int by_lapack;
    } cases[] = {{50, NULL, 1}, {50, "two", 0}, {50, "one", 0}, {50, "lapack", 1}, {600, "lapack", 1}, {600, NULL, 0}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int n = cases[k].n;
        double *a = random_matrix(TW_DOUBLE, 'L', n), *w = calloc((size_t)n, sizeof *w),
               *v = calloc((size_t)n, sizeof *v);
        tw_counters c;
        tw_int m, each[1];

        if (cases[k].route) setenv("TILEWORK_ROUTE", cases[k].route, 1);
        tw_counters_reset();
        tt_expect_info((int)tw_dsyevr('N', 'A', 'L', n, a, n, 0, 0, 0, 0, 0, &m, v, NULL, 1, each), 0, "n = %d", n);
        tt_expect_info((int)tw_dsyevd('N', 'L', n, a, n, w), 0, "n = %d", n);
        assert_int_equal(tw_counters_get(&c), 0);
        assert_int_equal(c.tasks == 0, cases[k].by_lapack);
        assert_int_equal(vendor("syevd"), cases[k].by_lapack || figure("route") == TW_ROUTE_LAPACK ? n : -1);
        if (cases[k].by_lapack)
            assert_true(figure("route") == TW_ROUTE_LAPACK);
        else if (cases[k].route)
            assert_true(figure("route") == (strcmp(cases[k].route, "one") ? TW_ROUTE_TWO : TW_ROUTE_ONE));
        else
            assert_true(chosen(figure("route")));
        for (int i = 0; i < n; i++)
            assert_true(fabs(w[i] - v[i]) <= 1e-13 * n * n);
        unsetenv("TILEWORK_ROUTE");
        free(a), free(w), free(v);
    }
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static void check_stage(const char *name, uint64_t *tasks)
{
    tw_stage_report r;

    if (!stage(name, &r)) fail_msg("no stage %s", name);
    assert_true(r.cpu_tasks + r.cuda_tasks > 0);
    assert_true(r.first_start >= 0 && r.last_end > r.first_start);
    assert_true(r.seconds > 0 && r.seconds <= (r.last_end - r.first_start) * (1 + 1e-9));
    *tasks += r.cpu_tasks + r.cuda_tasks;
}

static void stages(void **state)
{
    static const char *const names[] = {"band", "tridiagonal", "solve", "back_tridiagonal", "back_band"};
    enum { N = 330 };
    void *a = random_matrix(TW_DOUBLE, 'L', N);
    double w[N], begin[5], end[5];
    struct tt_place pa;
    tw_matrix *A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, a, N, 64), *S;
    tw_stage_report r, list[3];
    tw_counters c;
    uint64_t tasks = 0;

    (void)state;
    setenv("TILEWORK_BAND", "16", 1);
    tw_counters_reset();
    assert_int_equal(tw_stage_reports(NULL, 0), 0);
    assert_int_equal(tw_vendor_reports(NULL, 0), 0);
    assert_false(tw_figure("band", NULL) || tw_figure(NULL, NULL) || tw_figure("", NULL));
    tt_expect_info(tw_syevd(TW_VECTORS, TW_LOWER, A, w, A), 0, "n = %d", N);
    assert_int_equal(tw_counters_get(&c), 0);
    assert_int_equal(tw_stage_reports(list, 3), 5); /* three of them are written */
    for (int k = 0; k < 5; k++) {
        check_stage(names[k], &tasks);
        assert_true(stage(names[k], &r));
        begin[k] = r.first_start, end[k] = r.last_end;
    }
    for (int k = 1; k < 3; k++)
        assert_true(list[k - 1].first_start <= list[k].first_start);
    assert_true(begin[0] < begin[1] && begin[1] < begin[2]); /* the ways back begin with what joins reflectors */
    assert_true(end[0] < end[1] && end[1] < end[2] && end[2] < end[3] && end[3] <= end[4]);
    assert_true(tasks <= c.tasks && tasks > c.tasks / 2);
    assert_true(figure("band") == 16 && figure("route") == TW_ROUTE_TWO);
    assert_true(figure("deflated") >= 0 && figure("deflated") < 1);
    assert_int_equal(vendor("stedc"), N / 2); /* leaves */
    assert_true(vendor("laed4") <= N);
    if (c.cuda_tasks == 0) assert_true(vendor("laed4") > 0); /* GPUs have roots of their own */

    /* values alone: no way back, no merge */
    tw_counters_reset();
    tt_expect_info(tw_syevd(TW_NOVECTORS, TW_LOWER, A, w, NULL), 0, "n = %d", N);
    assert_int_equal(tw_stage_reports(NULL, 0), 3);
    assert_true(stage("band", &r) && stage("tridiagonal", &r) && stage("solve", &r));
    assert_true(isnan(figure("deflated")));
    unsetenv("TILEWORK_BAND");

    /* nothing asked: what is predicted to be fastest; a threshold of none: LAPACK is out of the question */
    tw_counters_reset();
    tt_expect_info(tw_syevd(TW_NOVECTORS, TW_LOWER, A, w, NULL), 0, "auto");
    assert_true(chosen(figure("route")));
    setenv("TILEWORK_CROSSOVER", "0", 1);
    tw_counters_reset();
    tt_expect_info(tw_syevd(TW_NOVECTORS, TW_LOWER, A, w, NULL), 0, "auto");
    assert_true(figure("route") == TW_ROUTE_ONE || figure("route") == TW_ROUTE_TWO);
    unsetenv("TILEWORK_CROSSOVER");
    tt_leave(&pa);

    /* what has no stages tells of none; a diagonal T is deflated altogether */
    tw_counters_reset();
    tt_spd(TW_DOUBLE, 'L', N, a, N, 1);
    A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_LOWER, N, N, a, N, 64);
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, "potrf");
    tt_leave(&pa);
    assert_int_equal(tw_stage_reports(NULL, 0), 0);
    assert_int_equal(vendor("stedc"), -1);
    assert_true(vendor("potrf") > 0 || vendor("cusolver_potrf") > 0);
    assert_true(vendor("potrf") <= 64 && vendor("cusolver_potrf") <= 64);
    assert_true(isnan(figure("band")) && isnan(figure("route")));
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_GENERAL, N, N, 64, 0), 0);
    for (int i = 0; i < N; i++)
        w[i] = i % 7;
    tw_counters_reset();
    tt_expect_info(tw_stedc(TW_COMPZ_I, N, w, (double[N]){0}, w, S), 0, "diagonal");
    assert_int_equal(tw_stage_reports(NULL, 0), 1);
    assert_true(figure("deflated") == 1 && isnan(figure("band")) && isnan(figure("route")));
    tw_matrix_destroy(S);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forced), cmocka_unit_test(some_of_them),
                                       cmocka_unit_test(others), cmocka_unit_test(lapack_door),
                                       cmocka_unit_test(stages)};
    return tt_run(tests);
}
