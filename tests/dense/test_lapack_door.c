/* The LAPACK door against LAPACK: factors to rounding, info, illegal arguments, NaN, untouched memory.
 *
 * Every path is a process of its own, since the choice is read from the environment: straight to LAPACK, through
 * tiles, through many small ragged tiles, and what the library chooses by itself. */
#include <math.h>

#include "tt.h"

static const char *path;
static int largest = 1537; /* order of the largest matrix on this path */

static const int bar_sizes[] = {0, 1, 2, 63, 64, 65, 511, 1000, 1537};
static const int sizes[] = {0, 1, 2, 63, 64, 65, 331, 700};
#define FOR_SIZES(n, list)                                                                                             \
    for (size_t i_##n = 0; i_##n < sizeof list / sizeof *list; i_##n++)                                                \
        for (int n = list[i_##n], once_##n = n <= largest; once_##n; once_##n = 0)
#define FOR_TYPES_UPLOS(t, uplo)                                                                                       \
    TT_TYPES(t)                                                                                                        \
        for (char uplo = 'L'; uplo; uplo = uplo == 'L' ? 'U' : 0)

static int min_ld(int n)
{
    return n > 1 ? n : 1;
}

/* ---- the factor --------------------------------------------------------------------------------------------- */

static void one_factor(enum tw_type t, char uplo, int n, int lda)
{
    void *a = tt_array(t, lda, n), *f, *r;

    tt_spd(t, uplo, n, a, lda, 11);
    f = tt_copy(t, lda, n, a);
    r = tt_copy(t, lda, n, a);
    tt_expect_info(tt_door_potrf(t, uplo, n, f, lda), 0, "%cpotrf %c n=%d", tt_letter(t), uplo, n);
    assert_int_equal(tt_lapack_potrf(t, uplo, n, r, lda), 0);
    assert_int_equal(tt_touched(t, uplo, n, n, f, lda), 0);
    if (n <= 1000 || t == TW_DOUBLE) /* seconds each above that; the comparison with LAPACK is there for all */
        tt_expect("potrf", t, tt_potrf_residual(t, uplo, n, a, lda, f, lda), n, "%c n=%d lda=%d", uplo, n, lda);
    tt_expect("potrf vs LAPACK", t, tt_difference(t, uplo, 'N', n, n, f, lda, r, lda), 0, "%c n=%d lda=%d", uplo, n,
              lda);
    free(a), free(f), free(r);
}

static void factor_is_lapacks(void **state)
{
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    FOR_SIZES(n, bar_sizes) one_factor(t, uplo, n, min_ld(n) + (uplo == 'L' ? 3 : 0));
}

/* The imaginary part of a Hermitian matrix' diagonal is not referenced, whatever it holds. */
static void imaginary_diagonal_is_ignored(void **state)
{
    int n = 150, lda = 151;
    (void)state;
    for (enum tw_type t = TW_COMPLEX_FLOAT; (int)t < TW_NTYPES; t++) {
        void *a = tt_array(t, lda, n), *f;
        tt_spd(t, 'L', n, a, lda, 12);
        f = tt_copy(t, lda, n, a);
        for (int i = 0; i < n; i++)
            tt_put(t, f, (size_t)(i * (lda + 1)),
                   tt_get(t, f, (size_t)(i * (lda + 1))) + 7.0 * (tt_z)__builtin_complex(0.0, 1.0));
        tt_expect_info(tt_door_potrf(t, 'L', n, f, lda), 0, "imaginary diagonal");
        tt_expect("potrf", t, tt_potrf_residual(t, 'L', n, a, lda, f, lda), n, "imaginary diagonal");
        free(a), free(f);
    }
}

/* ---- solving ------------------------------------------------------------------------------------------------ */

static void one_solve(enum tw_type t, char uplo, int n, int nrhs)
{
    int lda = min_ld(n) + 1, ldb = min_ld(n) + 2;
    void *a = tt_array(t, lda, n), *b = tt_array(t, ldb, nrhs), *f, *before, *x, *y, *r;

    tt_spd(t, uplo, n, a, lda, 21);
    tt_random(t, 'G', n, nrhs, b, ldb, 22);
    f = tt_copy(t, lda, n, a);
    assert_int_equal(tt_lapack_potrf(t, uplo, n, f, lda), 0);
    before = tt_copy(t, lda, n, f);
    x = tt_copy(t, ldb, nrhs, b);
    r = tt_copy(t, ldb, nrhs, b);
    tt_expect_info(tt_door_potrs(t, uplo, n, nrhs, f, lda, x, ldb), 0, "%cpotrs %c n=%d", tt_letter(t), uplo, n);
    assert_int_equal(tt_lapack_potrs(t, uplo, n, nrhs, before, lda, r, ldb), 0);
    if (n > 0) assert_memory_equal(f, before, (size_t)lda * (size_t)n * tt_size(t));
    assert_int_equal(tt_touched(t, 'G', n, nrhs, x, ldb), 0);
    tt_expect("potrs", t, tt_solve_residual(t, uplo, n, nrhs, a, lda, b, ldb, x, ldb), n * nrhs, "%c n=%d nrhs=%d",
              uplo, n, nrhs);
    tt_expect("potrs vs LAPACK", t, tt_difference(t, 'G', 'N', n, nrhs, x, ldb, r, ldb), 0, "%c n=%d nrhs=%d", uplo, n,
              nrhs);

    y = tt_copy(t, ldb, nrhs, b);
    free(f);
    f = tt_copy(t, lda, n, a);
    tt_expect_info(tt_door_posv(t, uplo, n, nrhs, f, lda, y, ldb), 0, "%cposv %c n=%d", tt_letter(t), uplo, n);
    assert_int_equal(tt_touched(t, uplo, n, n, f, lda), 0);
    assert_int_equal(tt_touched(t, 'G', n, nrhs, y, ldb), 0);
    tt_expect("posv", t, tt_solve_residual(t, uplo, n, nrhs, a, lda, b, ldb, y, ldb), n * nrhs, "%c n=%d nrhs=%d", uplo,
              n, nrhs);
    tt_expect("posv: factor", t, tt_difference(t, uplo, 'N', n, n, f, lda, before, lda), 0, "%c n=%d", uplo, n);
    free(a), free(b), free(f), free(before), free(x), free(y), free(r);
}

static void solutions_are_lapacks(void **state)
{
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    FOR_SIZES(n, sizes)
    {
        one_solve(t, uplo, n, 1);
        one_solve(t, uplo, n, n > 300 ? 331 : 7);
    }
    one_solve(TW_DOUBLE, 'L', 100, 0);
}

/* ---- inverses and products ---------------------------------------------------------------------------------- */

static void one_inverse(enum tw_type t, char uplo, int n)
{
    int lda = min_ld(n) + 5;
    void *a = tt_array(t, lda, n), *f, *r;

    tt_spd(t, uplo, n, a, lda, 31);
    f = tt_copy(t, lda, n, a);
    assert_int_equal(tt_lapack_potrf(t, uplo, n, f, lda), 0);
    r = tt_copy(t, lda, n, f);
    tt_expect_info(tt_door_potri(t, uplo, n, f, lda), 0, "%cpotri %c n=%d", tt_letter(t), uplo, n);
    assert_int_equal(tt_lapack_potri(t, uplo, n, r, lda), 0);
    assert_int_equal(tt_touched(t, uplo, n, n, f, lda), 0);
    tt_expect("potri", t, tt_inverse_residual(t, uplo, n, a, lda, f, lda), n, "%c n=%d", uplo, n);
    tt_expect("potri vs LAPACK", t, tt_difference(t, uplo, 'N', n, n, f, lda, r, lda), 0, "%c n=%d", uplo, n);
    free(a), free(f), free(r);
}

static void one_triangular_inverse(enum tw_type t, char uplo, char diag, int n)
{
    int lda = min_ld(n) + 2;
    void *a = tt_array(t, lda, n), *f, *r;

    tt_triangle(t, uplo, diag, n, a, lda, 41);
    f = tt_copy(t, lda, n, a);
    r = tt_copy(t, lda, n, a);
    tt_expect_info(tt_door_trtri(t, uplo, diag, n, f, lda), 0, "%ctrtri %c%c n=%d", tt_letter(t), uplo, diag, n);
    assert_int_equal(tt_lapack_trtri(t, uplo, diag, n, r, lda), 0);
    assert_int_equal(tt_touched(t, uplo, n, n, f, lda), 0);
    for (int i = 0; diag == 'U' && i < n; i++) /* not referenced: still 0xff */
        assert_memory_equal((char *)f + (size_t)i * (size_t)(lda + 1) * tt_size(t),
                            (char *)a + (size_t)i * (size_t)(lda + 1) * tt_size(t), tt_size(t));
    tt_expect("trtri", t, tt_trtri_residual(t, uplo, diag, n, a, lda, f, lda), n, "%c%c n=%d", uplo, diag, n);
    tt_expect("trtri vs LAPACK", t, tt_difference(t, uplo, diag, n, n, f, lda, r, lda), 0, "%c%c n=%d", uplo, diag, n);
    free(a), free(f), free(r);
}

static void one_lauum(enum tw_type t, char uplo, int n)
{
    int lda = min_ld(n) + 1;
    void *a = tt_array(t, lda, n), *f, *r;

    tt_spd(t, uplo, n, a, lda, 51);
    assert_int_equal(tt_lapack_potrf(t, uplo, n, a, lda), 0); /* a real diagonal, as LAPACK's lauum wants */
    f = tt_copy(t, lda, n, a);
    r = tt_copy(t, lda, n, a);
    tt_expect_info(tt_door_lauum(t, uplo, n, f, lda), 0, "%clauum %c n=%d", tt_letter(t), uplo, n);
    assert_int_equal(tt_lapack_lauum(t, uplo, n, r, lda), 0);
    assert_int_equal(tt_touched(t, uplo, n, n, f, lda), 0);
    tt_expect("lauum", t, tt_lauum_residual(t, uplo, n, a, lda, f, lda), n, "%c n=%d", uplo, n);
    tt_expect("lauum vs LAPACK", t, tt_difference(t, uplo, 'N', n, n, f, lda, r, lda), 0, "%c n=%d", uplo, n);
    free(a), free(f), free(r);
}

static void inverses_are_lapacks(void **state)
{
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    FOR_SIZES(n, sizes)
    {
        one_inverse(t, uplo, n);
        one_triangular_inverse(t, uplo, 'N', n);
        one_triangular_inverse(t, uplo, 'U', n);
        one_lauum(t, uplo, n);
    }
}

/* Known values for a matrix that is not dominated by its diagonal: condition numbers up to 1e8 and LAPACK's
 * estimate. */
static void one_condition(enum tw_type t, char uplo, int n, double spread)
{
    int lda = min_ld(n) + 1;
    void *f = tt_array(t, lda, n);
    double anorm = 0, mine = -1, ref = -1;
    tt_z *full;

    tt_spd(t, uplo, n, f, lda, 61);
    for (int i = 0; i < n; i++) { /* scale rows and columns by d_i from 1 to 1/spread: D A D stays definite */
        for (int j = 0; j < n; j++) {
            double d = pow(spread, -(double)(i + j) / (n > 1 ? n - 1 : 1) / 2);
            if (uplo == 'L' ? i >= j : i <= j)
                tt_put(t, f, (size_t)(i + j * lda), d * tt_get(t, f, (size_t)(i + j * lda)));
        }
    }
    full = tt_full(TT_HERMITIAN, t, uplo, 'N', n, n, f, lda);
    anorm = tt_norm('O', n, n, full);
    assert_int_equal(tt_lapack_potrf(t, uplo, n, f, lda), 0);
    tt_expect_info(tt_door_pocon(t, uplo, n, f, lda, anorm, &mine), 0, "%cpocon %c n=%d", tt_letter(t), uplo, n);
    assert_int_equal(tt_lapack_pocon(t, uplo, n, f, lda, anorm, &ref), 0);
    if (n == 0)
        assert_true(mine == 1.0);
    else
        tt_expect("pocon vs LAPACK", t, fabs(mine - ref) / (ref * n * tt_eps(t)), 0,
                  "%c n=%d 1/rcond=%.1e (LAPACK %.1e)", uplo, n, 1 / mine, 1 / ref);
    free(f), free(full);
}

static void condition_is_lapacks(void **state)
{
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    FOR_SIZES(n, sizes)
    {
        one_condition(t, uplo, n, 1);
        one_condition(t, uplo, n, t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? 1e2 : 1e4);
    }
}

/* ---- info --------------------------------------------------------------------------------------------------- */

static void one_failure(enum tw_type t, char uplo, int n, int k)
{
    int lda = n + 3, nrhs = 5;
    void *a = tt_array(t, lda, n), *f, *r, *b = tt_array(t, n, nrhs), *x;

    tt_spd_failing(t, uplo, n, a, lda, 71, k);
    f = tt_copy(t, lda, n, a);
    r = tt_copy(t, lda, n, a);
    assert_int_equal(tt_lapack_potrf(t, uplo, n, r, lda), k);
    tt_expect_info(tt_door_potrf(t, uplo, n, f, lda), k, "%cpotrf %c n=%d minor %d", tt_letter(t), uplo, n, k);
    assert_int_equal(tt_touched(t, uplo, n, n, f, lda), 0);
    free(f);
    f = tt_copy(t, lda, n, a);
    tt_random(t, 'G', n, nrhs, b, n, 72);
    x = tt_copy(t, n, nrhs, b);
    tt_expect_info(tt_door_posv(t, uplo, n, nrhs, f, lda, x, n), k, "%cposv %c n=%d minor %d", tt_letter(t), uplo, n,
                   k);
    assert_memory_equal(x, b, (size_t)n * (size_t)nrhs * tt_size(t));
    free(a), free(f), free(r), free(b), free(x);
}

static void info_is_lapacks(void **state)
{
    int n = largest < 1000 ? largest : 1000, middle = n == 1000 ? 700 : n * 7 / 10;
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    {
        one_failure(t, uplo, n, 1);
        one_failure(t, uplo, n, middle);
        one_failure(t, uplo, n, n);
        one_failure(t, uplo, 1, 1);
        one_failure(t, uplo, 65, 64);
    }
}

static void two_failures_report_the_first(void **state)
{
    int n = largest < 1000 ? largest : 1000;
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    {
        void *a = tt_array(t, n, n);
        tt_spd_failing(t, uplo, n, a, n, 73, n - 3);
        tt_put(t, a, (size_t)((n / 2 - 1) * (n + 1)), -1.0);
        tt_expect_info(tt_door_potrf(t, uplo, n, a, n), n / 2, "two failing minors");
        free(a);
    }
}

static void singular_triangle(void **state)
{
    int n = 200, lda = 203, ks[] = {1, 120, 200};
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    for (int k = 0; k < 3; k++) {
        void *a = tt_array(t, lda, n), *f;
        tt_triangle(t, uplo, 'N', n, a, lda, 74);
        tt_put(t, a, (size_t)((ks[k] - 1) * (lda + 1)), 0.0);
        f = tt_copy(t, lda, n, a);
        tt_expect_info(tt_door_trtri(t, uplo, 'N', n, f, lda), ks[k], "%ctrtri %c: zero at %d", tt_letter(t), uplo,
                       ks[k]);
        assert_memory_equal(f, a, (size_t)lda * (size_t)n * tt_size(t));
        tt_expect_info(tt_door_potri(t, uplo, n, f, lda), ks[k], "%cpotri %c: zero at %d", tt_letter(t), uplo, ks[k]);
        free(f);
        f = tt_copy(t, lda, n, a);
        tt_expect_info(tt_lapack_potri(t, uplo, n, f, lda), ks[k], "LAPACK's potri");
        free(a), free(f);
    }
}

/* ---- illegal arguments: LAPACK's numbers, and LAPACK itself agrees ------------------------------------------ */

#define SAME(want, mine, lapacks)                                                                                      \
    do {                                                                                                               \
        tt_expect_info(mine, want, #mine);                                                                             \
        assert_true(tw_last_message()[0] != 0);                                                                        \
        assert_int_equal(lapacks, want);                                                                               \
    } while (0)

static void illegal_arguments(void **state)
{
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, 8, 8), *b = tt_array(t, 8, 8), *before;
        double r;
        tt_spd(t, 'G', 8, a, 8, 1);
        tt_random(t, 'G', 8, 8, b, 8, 2);
        before = tt_copy(t, 8, 8, a);
        SAME(-1, tt_door_potrf(t, 'X', 8, a, 8), tt_lapack_potrf(t, 'X', 8, a, 8));
        SAME(-1, tt_door_potrf(t, 'X', -8, a, 8), tt_lapack_potrf(t, 'X', -8, a, 8));
        SAME(-2, tt_door_potrf(t, 'L', -1, a, 8), tt_lapack_potrf(t, 'L', -1, a, 8));
        tt_expect_info(tt_door_potrf(t, 'L', 8, before, 8), 0, "small, and sound");
        assert_string_equal(tw_last_message(), "");
        free(before);
        before = tt_copy(t, 8, 8, a);
        SAME(-4, tt_door_potrf(t, 'L', 8, a, 7), tt_lapack_potrf(t, 'L', 8, a, 7));
        SAME(-4, tt_door_potrf(t, 'L', 0, a, 0), tt_lapack_potrf(t, 'L', 0, a, 0));
        SAME(-1, tt_door_potrs(t, 'X', 8, 8, a, 8, b, 8), tt_lapack_potrs(t, 'X', 8, 8, a, 8, b, 8));
        SAME(-2, tt_door_potrs(t, 'L', -1, 8, a, 8, b, 8), tt_lapack_potrs(t, 'L', -1, 8, a, 8, b, 8));
        SAME(-3, tt_door_potrs(t, 'L', 8, -1, a, 8, b, 8), tt_lapack_potrs(t, 'L', 8, -1, a, 8, b, 8));
        SAME(-5, tt_door_potrs(t, 'U', 8, 8, a, 7, b, 8), tt_lapack_potrs(t, 'U', 8, 8, a, 7, b, 8));
        SAME(-7, tt_door_potrs(t, 'U', 8, 8, a, 8, b, 7), tt_lapack_potrs(t, 'U', 8, 8, a, 8, b, 7));
        SAME(-1, tt_door_posv(t, 'X', 8, 8, a, 8, b, 8), tt_lapack_posv(t, 'X', 8, 8, a, 8, b, 8));
        SAME(-2, tt_door_posv(t, 'L', -1, 8, a, 8, b, 8), tt_lapack_posv(t, 'L', -1, 8, a, 8, b, 8));
        SAME(-3, tt_door_posv(t, 'L', 8, -1, a, 8, b, 8), tt_lapack_posv(t, 'L', 8, -1, a, 8, b, 8));
        SAME(-5, tt_door_posv(t, 'U', 8, 8, a, 7, b, 8), tt_lapack_posv(t, 'U', 8, 8, a, 7, b, 8));
        SAME(-7, tt_door_posv(t, 'U', 8, 8, a, 8, b, 7), tt_lapack_posv(t, 'U', 8, 8, a, 8, b, 7));
        SAME(-1, tt_door_potri(t, 'X', 8, a, 8), tt_lapack_potri(t, 'X', 8, a, 8));
        SAME(-2, tt_door_potri(t, 'U', -1, a, 8), tt_lapack_potri(t, 'U', -1, a, 8));
        SAME(-4, tt_door_potri(t, 'U', 8, a, 7), tt_lapack_potri(t, 'U', 8, a, 7));
        SAME(-1, tt_door_lauum(t, 'X', 8, a, 8), tt_lapack_lauum(t, 'X', 8, a, 8));
        SAME(-2, tt_door_lauum(t, 'U', -1, a, 8), tt_lapack_lauum(t, 'U', -1, a, 8));
        SAME(-4, tt_door_lauum(t, 'U', 8, a, 7), tt_lapack_lauum(t, 'U', 8, a, 7));
        SAME(-1, tt_door_trtri(t, 'X', 'N', 8, a, 8), tt_lapack_trtri(t, 'X', 'N', 8, a, 8));
        SAME(-2, tt_door_trtri(t, 'U', 'X', 8, a, 8), tt_lapack_trtri(t, 'U', 'X', 8, a, 8));
        SAME(-3, tt_door_trtri(t, 'U', 'N', -1, a, 8), tt_lapack_trtri(t, 'U', 'N', -1, a, 8));
        SAME(-5, tt_door_trtri(t, 'U', 'N', 8, a, 7), tt_lapack_trtri(t, 'U', 'N', 8, a, 7));
        SAME(-1, tt_door_pocon(t, 'X', 8, a, 8, 1, &r), tt_lapack_pocon(t, 'X', 8, a, 8, 1, &r));
        SAME(-2, tt_door_pocon(t, 'U', -1, a, 8, 1, &r), tt_lapack_pocon(t, 'U', -1, a, 8, 1, &r));
        SAME(-4, tt_door_pocon(t, 'U', 8, a, 7, 1, &r), tt_lapack_pocon(t, 'U', 8, a, 7, 1, &r));
        SAME(-5, tt_door_pocon(t, 'U', 8, a, 8, -1, &r), tt_lapack_pocon(t, 'U', 8, a, 8, -1, &r));
        assert_memory_equal(a, before, 64 * tt_size(t)); /* refused calls change nothing */
        free(a), free(b), free(before);
    }
}

static int has_gpus(void)
{
    tw_machine m;
    if (!tw_is_running()) return 0; /* all of it went straight to LAPACK */
    assert_int_equal(tw_machine_info(&m), 0);
    return m.cuda_workers > 0;
}

static void letters_in_either_case(void **state)
{
    int n = 40;
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, n, n), *b, *a0;
        tt_spd(t, 'G', n, a, n, 3);
        b = tt_copy(t, n, n, a);
        a0 = tt_copy(t, n, n, a);
        tt_expect_info(tt_door_potrf(t, 'u', n, a, n), 0, "potrf 'u'");
        tt_expect_info(tt_door_potrf(t, 'U', n, b, n), 0, "potrf 'U'");
        if (has_gpus()) { /* one may have run on a core and one on a GPU */
            tt_expect("potrf", t, tt_potrf_residual(t, 'U', n, a0, n, a, n), n, "letter u");
            tt_expect("potrf", t, tt_potrf_residual(t, 'U', n, a0, n, b, n), n, "letter U");
        } else {
            assert_memory_equal(a, b, (size_t)(n * n) * tt_size(t));
        }
        tt_expect_info(tt_door_trtri(t, 'u', 'n', n, a, n), 0, "trtri 'u', 'n'");
        tt_expect_info(tt_door_trtri(t, 'l', 'u', n, a, n), 0, "trtri 'l', 'u'");
        free(a), free(b), free(a0);
    }
}

static void empty_matrices_need_no_memory(void **state)
{
    double r = -1;
    (void)state;
    TT_TYPES(t) {
        tt_expect_info(tt_door_potrf(t, 'L', 0, NULL, 1), 0, "potrf of nothing");
        tt_expect_info(tt_door_potrs(t, 'L', 0, 3, NULL, 1, NULL, 1), 0, "potrs of nothing");
        tt_expect_info(tt_door_posv(t, 'L', 0, 3, NULL, 1, NULL, 1), 0, "posv of nothing");
        tt_expect_info(tt_door_potri(t, 'L', 0, NULL, 1), 0, "potri of nothing");
        tt_expect_info(tt_door_lauum(t, 'L', 0, NULL, 1), 0, "lauum of nothing");
        tt_expect_info(tt_door_trtri(t, 'L', 'N', 0, NULL, 1), 0, "trtri of nothing");
        tt_expect_info(tt_door_pocon(t, 'L', 0, NULL, 1, 0.0, &r), 0, "pocon of nothing");
        assert_true(r == 1.0);
    }
}

/* ---- NaN and Inf -------------------------------------------------------------------------------------------- */

/* A NaN pivot is "not positive definite": info is its index. A NaN at (i, j) first reaches pivot max(i, j). */
static void nan_gives_the_pivots_index(void **state)
{
    int n = 300, lda = 301, at[][2] = {{1, 1}, {150, 150}, {300, 300}, {200, 100}, {300, 1}, {2, 1}, {65, 64}};
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    for (size_t c = 0; c < sizeof at / sizeof *at; c++) {
        int row = uplo == 'L' ? at[c][0] : at[c][1], col = uplo == 'L' ? at[c][1] : at[c][0];
        void *a = tt_array(t, lda, n), *b = tt_array(t, n, 2), *x;
        tt_spd(t, uplo, n, a, lda, 81);
        tt_put(t, a, (size_t)(row - 1 + (col - 1) * lda), (double)NAN);
        tt_random(t, 'G', n, 2, b, n, 82);
        x = tt_copy(t, n, 2, b);
        tt_expect_info(tt_door_posv(t, uplo, n, 2, a, lda, x, n), at[c][0], "%cposv %c, NaN at (%d, %d)", tt_letter(t),
                       uplo, row, col);
        assert_memory_equal(x, b, (size_t)(2 * n) * tt_size(t));
        assert_int_equal(tt_touched(t, uplo, n, n, a, lda), 0);
        free(a), free(b), free(x);
    }
}

/* Whatever the numbers are, every routine returns, with an info LAPACK could give. */
static void wild_numbers_end(void **state)
{
    int n = 150;
    double values[] = {NAN, INFINITY, -INFINITY, 0, 1e300}, r;
    (void)state;
    FOR_TYPES_UPLOS(t, uplo)
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        void *a = tt_array(t, n, n), *b = tt_array(t, n, 3);
        tw_int info[7];
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                tt_put(t, a, (size_t)(i + j * n), values[v]);
        tt_random(t, 'G', n, 3, b, n, 83);
        info[0] = tt_door_potrs(t, uplo, n, 3, a, n, b, n);
        info[1] = tt_door_pocon(t, uplo, n, a, n, 1.0, &r);
        info[2] = tt_door_lauum(t, uplo, n, a, n);
        info[3] = tt_door_trtri(t, uplo, 'N', n, a, n);
        info[4] = tt_door_potri(t, uplo, n, a, n);
        info[5] = tt_door_potrf(t, uplo, n, a, n);
        info[6] = tt_door_posv(t, uplo, n, 3, a, n, b, n);
        for (int k = 0; k < 7; k++)
            if (info[k] < 0 || info[k] > n) fail_msg("routine %d on %g: info %lld", k, values[v], (long long)info[k]);
        free(a), free(b);
    }
}

/* ---- the paths ---------------------------------------------------------------------------------------------- */

static void path_was_taken(void **state)
{
    (void)state;
    assert_int_equal(tw_is_running(), !!strcmp(path, "direct")); /* LAPACK directly starts no runtime */
}

static int run_path(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_is_lapacks),
        cmocka_unit_test(imaginary_diagonal_is_ignored),
        cmocka_unit_test(solutions_are_lapacks),
        cmocka_unit_test(inverses_are_lapacks),
        cmocka_unit_test(condition_is_lapacks),
        cmocka_unit_test(info_is_lapacks),
        cmocka_unit_test(two_failures_report_the_first),
        cmocka_unit_test(singular_triangle),
        cmocka_unit_test(illegal_arguments),
        cmocka_unit_test(letters_in_either_case),
        cmocka_unit_test(empty_matrices_need_no_memory),
        cmocka_unit_test(nan_gives_the_pivots_index),
        cmocka_unit_test(wild_numbers_end),
        cmocka_unit_test(path_was_taken),
    };
    const struct CMUnitTest few[] = {
        cmocka_unit_test(factor_is_lapacks),
        cmocka_unit_test(solutions_are_lapacks),
        cmocka_unit_test(info_is_lapacks),
        cmocka_unit_test(path_was_taken),
    };
    int failed = strcmp(path, "chosen") ? tt_run(tests) : tt_run(few);
    return tw_finalize() != 0 || failed;
}

static int one_path(const char *name, const char *const *env)
{
    static char out[1 << 20];
    int rc = tt_run_self(name, env, 240, out, sizeof out);
    printf("==== path %s: exit %d%s\n%s", name, rc, rc == TT_TIMED_OUT ? " (timed out)" : "", out);
    fflush(stdout);
    return rc != 0;
}

int main(int argc, char **argv)
{
    int failed = 0;

    if (argc > 1) {
        path = argv[1];
        if (!strcmp(path, "small-tiles")) largest = 331;
        return run_path();
    }
    failed |= one_path("direct", (const char *[]){"TILEWORK_CROSSOVER=1000000", NULL});
    failed |= one_path("tiles", (const char *[]){"TILEWORK_CROSSOVER=0", "TILEWORK_NB=192", NULL});
    failed |= one_path("small-tiles", (const char *[]){"TILEWORK_CROSSOVER=0", "TILEWORK_NB=19", NULL});
    failed |= one_path("chosen", (const char *[]){"TILEWORK_CROSSOVER", "TILEWORK_NB", NULL});
    return failed;
}
