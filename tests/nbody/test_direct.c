/* All pairs: against long double loops, for both precisions, softened or not, every shape of result; what is illegal;
 * the user's kernel; the same bits in every run. */
#include <math.h>

#include "tt.h"

/* Column-major particles: x, y, z, charge. */
static void *particles(enum tw_type t, tw_int n, uint64_t seed)
{
    void *a = tt_array(t, n, 4);
    tt_random(t, 'G', n, 4, a, n, seed);
    return a;
}
static long double at(enum tw_type t, const void *a, tw_int n, tw_int i, int k)
{
    return (long double)creal(tt_get(t, a, (size_t)(i + k * n)));
}

/* u and its gradient at target i of nt, by the definition. */
static void reference(enum tw_type t, double softening, tw_int ns, const void *s, tw_int nt, const void *x, tw_int i,
                      long double u[4])
{
    u[0] = u[1] = u[2] = u[3] = 0;
    for (tw_int j = 0; j < ns; j++) {
        long double d[3], r2 = 0, h;
        for (int k = 0; k < 3; k++) {
            d[k] = at(t, s, ns, j, k) - at(t, x, nt, i, k);
            r2 += d[k] * d[k];
        }
        if (r2 == 0) continue;
        h = 1 / sqrtl(r2 + (long double)softening * softening);
        u[0] += at(t, s, ns, j, 3) * h;
        for (int k = 0; k < 3; k++)
            u[1 + k] += at(t, s, ns, j, 3) * h * h * h * d[k];
    }
}

/* Relative error in the 2-norm of `columns` columns of the result, from the reference's column `first` on. */
static double error(enum tw_type t, double softening, tw_int ns, const void *s, tw_int nt, const void *x, int first,
                    int columns, const void *result, int from)
{
    long double e = 0, norm = 0, u[4];
    for (tw_int i = 0; i < nt; i += 1 + nt / 200) {
        reference(t, softening, ns, s, nt, x, i, u);
        for (int k = 0; k < columns; k++) {
            long double d = at(t, result, nt, i, from + k) - u[first + k];
            e += d * d;
            norm += u[first + k] * u[first + k];
        }
    }
    return (double)sqrtl(e / norm);
}

static void compare(enum tw_type t, double softening, tw_int ns, tw_int nt, int columns, int own, int async)
{
    void *s = particles(t, ns, 5), *x = own ? s : particles(t, nt, 6), *r = tt_array(t, nt, columns);
    const double unit = tt_eps(t) * (10 + sqrt((double)ns));
    tw_matrix *S, *X = NULL, *R;
    tw_sequence *seq;

    assert_int_equal(tw_matrix_from_lapack(&S, t, TW_GENERAL, ns, 4, s, ns, 100), 0);
    if (!own) assert_int_equal(tw_matrix_from_lapack(&X, t, TW_GENERAL, nt, 3, x, nt, 100), 0);
    assert_int_equal(tw_matrix_create(&R, t, TW_GENERAL, nt, columns, 100, NULL), 0);
    if (async) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        tt_expect_info(tw_nbody_direct_async(softening, S, X, R, seq), 0, "queue");
        tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    } else {
        tt_expect_info(tw_nbody_direct(softening, S, X, R), 0, "direct");
    }
    assert_int_equal(tw_matrix_to_lapack(R, r, nt), 0);
    if (columns != 3)
        tt_expect("direct u", t, error(t, softening, ns, s, nt, x, 0, 1, r, 0) / unit, 0, "%g", softening);
    if (columns != 1)
        tt_expect("direct grad", t, error(t, softening, ns, s, nt, x, 1, 3, r, columns == 4) / unit, 0, "%g",
                  softening);
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(X) | tw_matrix_destroy(R), 0);
    if (!own) free(x);
    free(s), free(r);
}

static void definition(void **state)
{
    static const tw_int sizes[] = {2, 7, 16, 99, 100, 101, 333};
    (void)state;
    for (enum tw_type t = TW_FLOAT; t <= TW_DOUBLE; t++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int columns = 1; columns <= 4; columns += columns == 1 ? 2 : 1)
                for (int own = 0; own < 2; own++)
                    compare(t, k % 2 ? 0.05 : 0, sizes[k], own ? sizes[k] : 410 - sizes[k], columns, own, k == 3);
}

/* A softening whose square is no number of the type is none. */
static void tiny_softening(void **state)
{
    float s[2 * 4] = {0, 3, 0, 0, 0, 4, 5, 10}, r[2];
    tw_matrix *S, *R;
    (void)state;
    assert_int_equal(tw_matrix_from_lapack(&S, TW_FLOAT, TW_GENERAL, 2, 4, s, 2, 8), 0);
    assert_int_equal(tw_matrix_create(&R, TW_FLOAT, TW_GENERAL, 2, 1, 8, NULL), 0);
    for (double softening = 1e-15; softening > 1e-50; softening *= 1e-5) {
        tt_expect_info(tw_nbody_direct(softening, S, NULL, R), 0, "direct");
        assert_int_equal(tw_matrix_to_lapack(R, r, 2), 0);
        assert_true(fabs(r[0] - 2) < 1e-6 && fabs(r[1] - 1) < 1e-6);
    }
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
}

/* Coincident particles add nothing; one particle feels nothing. */
static void coincident(void **state)
{
    double s[4 * 4] = {1, 1, 1, 4, 2, 2, 2, 2, 3, 3, 3, 3, 5, 7, 11, 13}, r[16];
    tw_matrix *S, *R;
    (void)state;
    for (double softening = 0; softening < 2; softening++)
        for (tw_int n = 1; n <= 4; n += 3) {
            assert_int_equal(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, n, 4, s, 4, 8), 0);
            assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, n, 4, 8, NULL), 0);
            tt_expect_info(tw_nbody_direct(softening, S, NULL, R), 0, "direct");
            assert_int_equal(tw_matrix_to_lapack(R, r, 4), 0);
            for (tw_int i = 0; i < n && i < 3; i++) {
                const double want = n == 1 ? 0 : 13 / sqrt(9 + softening * softening);
                assert_true(fabs(r[i] - want) <= 1e-15 * want);
            }
            assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
        }
}

static void not_finite(void **state)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    double s[3 * 4] = {0, 1, 2, 0, 0, 0, 0, 0, 0, 1, 1, 1}, r[12];
    tw_matrix *S, *R;
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int where = 0; where < 12; where += 4) {
            const double before = s[where];
            s[where] = odd[k];
            assert_int_equal(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, 3, 4, s, 3, 8), 0);
            assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 3, 4, 8, NULL), 0);
            tt_expect_info(tw_nbody_direct(0, S, NULL, R), 0, "direct");
            assert_int_equal(tw_matrix_to_lapack(R, r, 3), 0);
            for (int i = 0; i < 3; i++) { /* everybody feels particle where / 4 along axis where / 4 */
                assert_true(isnan(r[i + 3 * (1 + where / 4)]));
                if (k == 0) assert_true(isnan(r[i]));
            }
            s[where] = before;
            assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
        }
}

/* Newton's third law and the zero sum of forces. */
static void third_law(void **state)
{
    enum { N = 500 };
    void *s = particles(TW_DOUBLE, N, 9);
    double r[4 * N], total[3] = {0}, size = 0;
    tw_matrix *S, *R;
    (void)state;
    assert_int_equal(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, N, 4, s, N, 64), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, N, 4, 64, NULL), 0);
    tt_expect_info(tw_nbody_direct(0.01, S, NULL, R), 0, "direct");
    assert_int_equal(tw_matrix_to_lapack(R, r, N), 0);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            const double f = ((double *)s)[i + 3 * N] * r[i + (1 + k) * N];
            total[k] += f;
            size += fabs(f);
        }
    for (int k = 0; k < 3; k++)
        assert_true(fabs(total[k]) <= N * 0x1p-53 * size);
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
    free(s);
}

/* ---- the user's kernel ------------------------------------------------------------------------------------------- */

/* result[i][0] += number of pairs; result[i][1] += sum of source rows' numbers + target row's number. */
static int counting(const void *user, enum tw_type type, tw_int first_target, int nt, const void *target, int ld_target,
                    tw_int first_source, int ns, const void *source, int ld_source, void *result, int ld_result)
{
    const int fails = *(const int *)user;
    double *r = result;
    if (fails || type != TW_DOUBLE) return -2010;
    for (int i = 0; i < nt; i++)
        for (int j = 0; j < ns; j++) {
            if (((const double *)target)[i] != (double)(first_target + i) || ld_target < nt) return -2099;
            if (((const double *)source)[j] != (double)(first_source + j) || ld_source < ns) return -2099;
            r[i] += 1;
            r[i + ld_result] += (double)(first_source + j);
        }
    return 0;
}

static void users_kernel(void **state)
{
    enum { N = 130 };
    double s[N], r[2 * N];
    int fails = 0;
    tw_matrix *S, *R;
    tw_sequence *seq;
    (void)state;
    for (int i = 0; i < N; i++)
        s[i] = i;
    assert_int_equal(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, N, 1, s, N, 32), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, N, 2, 32, NULL), 0);
    tt_expect_info(tw_nbody_pairs(counting, &fails, S, NULL, R), 0, "pairs");
    assert_int_equal(tw_matrix_to_lapack(R, r, N), 0);
    for (int i = 0; i < N; i++) {
        assert_true(r[i] == N);
        assert_true(r[i + N] == N * (N - 1) / 2);
    }
    fails = 1;
    tt_expect_info(tw_nbody_pairs(counting, &fails, S, NULL, R), TW_E_UNSUPPORTED, "its code");
    assert_non_null(strstr(tw_last_message(), "user's kernel"));
    fails = 0;
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(tw_nbody_pairs_async(counting, &fails, S, S, R, seq), 0, "queue");
    tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    tt_expect_info(tw_nbody_pairs(NULL, NULL, S, NULL, R), -1, "no kernel");
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static tw_matrix *made(enum tw_type t, tw_int m, tw_int n, tw_int nb)
{
    tw_matrix *A;
    assert_int_equal(tw_matrix_create(&A, t, TW_GENERAL, m, n, nb, NULL), 0);
    return A;
}

static void no_particles(void **state)
{
    double r[5] = {1, 1, 1, 1, 1}, x[15] = {0};
    tw_matrix *S = made(TW_DOUBLE, 0, 4, 8), *R = made(TW_DOUBLE, 5, 1, 8), *none = made(TW_DOUBLE, 0, 1, 8), *X;
    (void)state;
    assert_int_equal(tw_matrix_from_lapack(&X, TW_DOUBLE, TW_GENERAL, 5, 3, x, 5, 8), 0);
    tt_expect_info(tw_nbody_direct(0, S, NULL, none), 0, "nothing");
    tt_expect_info(tw_nbody_direct(0, S, X, R), 0, "no sources");
    assert_int_equal(tw_matrix_to_lapack(R, r, 5), 0);
    for (int i = 0; i < 5; i++)
        assert_true(r[i] == 0);
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R) | tw_matrix_destroy(none) | tw_matrix_destroy(X), 0);
}

static void illegal_arguments(void **state)
{
    tw_matrix *S = made(TW_DOUBLE, 10, 4, 8), *few = made(TW_DOUBLE, 10, 3, 8), *R = made(TW_DOUBLE, 10, 4, 8),
              *F = made(TW_FLOAT, 10, 4, 8), *Z = made(TW_COMPLEX_DOUBLE, 10, 4, 8), *two = made(TW_DOUBLE, 10, 2, 8),
              *longer = made(TW_DOUBLE, 11, 4, 8), *nb = made(TW_DOUBLE, 10, 4, 9), *narrow = made(TW_DOUBLE, 10, 4, 2);
    (void)state;
    tt_expect_info(tw_nbody_direct(-1, S, NULL, R), -1, "negative");
    tt_expect_info(tw_nbody_direct(NAN, S, NULL, R), -1, "NaN");
    tt_expect_info(tw_nbody_direct(1e30, F, NULL, F), -1, "too much for float");
    tt_expect_info(tw_nbody_direct(0, NULL, NULL, R), -2, "NULL");
    tt_expect_info(tw_nbody_direct(0, few, NULL, R), -2, "no charges");
    tt_expect_info(tw_nbody_direct(0, Z, NULL, R), -2, "complex");
    tt_expect_info(tw_nbody_direct(0, narrow, NULL, R), -2, "nb < 4");
    tt_expect_info(tw_nbody_direct(0, S, F, R), -3, "types");
    tt_expect_info(tw_nbody_direct(0, S, nb, R), -3, "nb");
    tt_expect_info(tw_nbody_direct(0, S, two, R), -3, "columns");
    tt_expect_info(tw_nbody_direct(0, S, NULL, NULL), -4, "NULL");
    tt_expect_info(tw_nbody_direct(0, S, NULL, two), -4, "two columns");
    tt_expect_info(tw_nbody_direct(0, S, NULL, longer), -4, "rows");
    tt_expect_info(tw_nbody_direct(0, S, NULL, S), -4, "in place");
    tt_expect_info(tw_nbody_direct_async(0, S, NULL, R, NULL), -5, "no sequence");
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(few) | tw_matrix_destroy(R) | tw_matrix_destroy(F) |
                         tw_matrix_destroy(Z) | tw_matrix_destroy(two) | tw_matrix_destroy(longer) |
                         tw_matrix_destroy(nb) | tw_matrix_destroy(narrow),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition),   cmocka_unit_test(coincident),        cmocka_unit_test(not_finite),
        cmocka_unit_test(third_law),    cmocka_unit_test(tiny_softening),    cmocka_unit_test(users_kernel),
        cmocka_unit_test(no_particles), cmocka_unit_test(illegal_arguments),
    };
    return tt_run(tests);
}
