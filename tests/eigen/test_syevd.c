/* syevd and heevd: eigenvalues and eigenvectors of many kinds of matrices, through all doors; what is read and written;
 * bad input. */
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

enum kind {
    RANDOM,
    ZERO,
    IDENTITY,
    DIAGONAL,
    SECOND_DIFFERENCES,
    MIN_IJ,
    CLEMENT,
    WILKINSON,
    REPEATED,
    GRADED,
    SPLIT,
    BAND,
    HUGE_,
    TINY,
    KINDS
};
static const char *const kinds[] = {"random", "zero",     "identity", "diagonal", "1-2-1", "min(i,j)", "Clement",
                                    "W+",     "repeated", "graded",   "split",    "band",  "huge",     "tiny"};

/* Element (i, j), i >= j. */
static tt_z element(enum tw_type t, enum kind kind, int n, int i, int j)
{
    const double re = tt_uniform(7, i, j), im = tt_complex(t) && i != j ? tt_uniform(8, i, j) : 0, middle = (n - 1) / 2;

    switch (kind) {
    case RANDOM: return re + im * I;
    case HUGE_: return (re + im * I) * (is_single(t) ? 1e37 : 1e305);
    case TINY: return (re + im * I) * (is_single(t) ? 1e-37 : 1e-305);
    case ZERO: return 0;
    case IDENTITY: return i == j;
    case DIAGONAL: return i == j ? i % 7 - 3 : 0;
    case SECOND_DIFFERENCES: return i == j ? 2 : i == j + 1 ? -1 : 0;
    case MIN_IJ: return j + 1;
    case CLEMENT: return i == j + 1 ? sqrt((double)i * (n - i)) : 0;
    case WILKINSON: return i == j ? fabs(i - middle) : i == j + 1;
    case REPEATED: return (i == j) - 2.0 / n; /* 1 - 2 with the vector of ones: n - 1 times 1, and -1 */
    case GRADED: return (re + im * I) * pow(2, -0.25 * (i + j));
    case SPLIT: return i < n / 2 || j >= n / 2 ? re + im * I : 0;
    default: return i - j <= 3 ? re + im * I : 0;
    }
}
static void fill(enum tw_type t, enum kind kind, char uplo, int n, void *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            const tt_z x = element(t, kind, n, i, j);
            if (uplo != 'U') tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, x);
            if (uplo != 'L') tt_put(t, a, (size_t)j + (size_t)i * (size_t)lda, conj(x));
        }
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static void judge(const char *what, enum tw_type t, char uplo, int n, const void *a, int lda, const double *w,
                  const void *z, int ldz)
{
    const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[2] = {0, 0}, error = 0;

    if (z) assert_int_equal(check_syevd(&A, n, w, z, ldz, residual), 0);
    assert_int_equal(check_eigenvalues(&A, w, &error), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "%s, %c, n = %d", what, uplo, n);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, %c, n = %d", what, uplo, n);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, %c, n = %d", what, uplo, n);
}

/* The matrix door, A in tiles of nb, Z a matrix of its own in tiles of nb_z, or A itself (nb_z = 0). */
static void matrix_door(enum tt_storage s, enum tw_type t, enum kind kind, char uplo, int n, int nb, int nb_z)
{
    const int lda = n + 1;
    void *a = tt_array(t, lda, n), *before, *z = tt_array(t, lda, n);
    double *w = malloc(((size_t)n + 1) * sizeof *w), *values = malloc(((size_t)n + 1) * sizeof *w);
    struct tt_place pa, pz;
    tw_matrix *A, *Z;

    fill(t, kind, uplo, n, a, lda); /* NaN in the other triangle */
    before = tt_copy(t, lda, n, a);
    A = tt_enter(&pa, s, t, (enum tw_uplo)uplo, n, n, a, lda, nb);
    tt_expect_info(tw_syevd(TW_NOVECTORS, (enum tw_uplo)uplo, A, values, NULL), 0, "%s", kinds[kind]);
    tt_leave(&pa);
    assert_memory_equal(a, before, (size_t)lda * (size_t)n * tt_size(t));
    A = tt_enter(&pa, s, t, TW_GENERAL, n, n, a, lda, nb);
    Z = nb_z ? tt_enter(&pz, s, t, TW_GENERAL, n, n, z, lda, nb_z) : A;
    tt_expect_info(tw_syevd(TW_VECTORS, (enum tw_uplo)uplo, A, w, Z), 0, "%s", kinds[kind]);
    if (nb_z) tt_leave(&pz);
    tt_leave(&pa);
    if (nb_z) assert_memory_equal(a, before, (size_t)lda * (size_t)n * tt_size(t));
    judge(kinds[kind], t, uplo, n, before, lda, w, nb_z ? z : a, lda);
    judge(kinds[kind], t, uplo, n, before, lda, values, NULL, lda);
    free(a), free(before), free(z), free(w), free(values);
}

/* ---- right answers ----------------------------------------------------------------------------------------------- */

static void sizes(void **state)
{
    static const int ns[] = {0, 1, 2, 3, 7, 8, 9, 31, 33, 64, 97};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(ns); k++)
            for (const char *uplo = "LU"; *uplo; uplo++)
                matrix_door(k % 3 == 2 ? TT_WRAPPED : TT_CREATED, t, RANDOM, *uplo, ns[k], 16, k % 2 ? 0 : 23);
    unsetenv("TILEWORK_BAND");
}

static void bands(void **state)
{
    static const int bands[][3] = {{1, 1, 30}, {3, 7, 40}, {16, 16, 61}, {32, 50, 130}, {64, 64, 200}, {200, 64, 90}};
    char text[16];
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(bands); k++) {
            snprintf(text, sizeof text, "%d", bands[k][0]);
            setenv("TILEWORK_BAND", text, 1);
            matrix_door(TT_CREATED, t, RANDOM, k % 2 ? 'L' : 'U', bands[k][2], bands[k][1], 0);
        }
    unsetenv("TILEWORK_BAND");
}

static void spectra(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (enum kind kind = ZERO; kind < KINDS; kind++)
            matrix_door(TT_FROM_LAPACK, t, kind, kind % 2 ? 'L' : 'U', 75, 24, 0);
    unsetenv("TILEWORK_BAND");
}

/* Divide and conquer down to small parts: many merges, with much and with little deflation. */
static void divided(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (enum kind kind = RANDOM; kind < KINDS; kind++) {
            setenv("TILEWORK_LEAF", kind % 3 == 0 ? "1" : kind % 3 == 1 ? "5" : "24", 1);
            matrix_door(TT_CREATED, t, kind, 'L', 70 + 13 * (int)kind % 50, 32, 45);
        }
    unsetenv("TILEWORK_LEAF");
    unsetenv("TILEWORK_BAND");
}

/* lambda_k = 4 sin^2(k pi / (2 n + 2)), with no LAPACK in between. */
static void known_values(void **state)
{
    enum { N = 150 };
    double a[N * N] = {0}, w[N], worst = 0;
    (void)state;
    fill(TW_DOUBLE, SECOND_DIFFERENCES, 'L', N, a, N);
    setenv("TILEWORK_CROSSOVER", "0", 1);
    assert_int_equal(tw_dsyevd('N', 'L', N, a, N, w), 0);
    unsetenv("TILEWORK_CROSSOVER");
    for (int k = 0; k < N; k++) {
        const double s = sin((k + 1) * acos(-1) / (2 * N + 2));
        worst = fmax(worst, fabs(w[k] - 4 * s * s));
    }
    tt_expect("|w - 4 sin^2|", TW_DOUBLE, worst / (N * DBL_EPSILON / 2 * 4), 0, "n = %d", N);
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static tw_int door(enum tw_type t, char jobz, char uplo, int n, void *a, int lda, double *w)
{
    float single[200];
    tw_int info;

    if (t == TW_DOUBLE) return tw_dsyevd(jobz, uplo, n, a, lda, w);
    if (t == TW_COMPLEX_DOUBLE) return tw_zheevd(jobz, uplo, n, a, lda, w);
    info = t == TW_FLOAT ? tw_ssyevd(jobz, uplo, n, a, lda, single) : tw_cheevd(jobz, uplo, n, a, lda, single);
    for (int i = 0; i < n; i++)
        w[i] = (double)single[i];
    return info;
}

static void lapack_door(void **state)
{
    enum { N = 97, LDA = 101 };
    double w[N];
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_BAND", "16", 1);
    FOR_TYPES(t)
        for (const char *uplo = "LUlu"; *uplo; uplo++) {
            const char part = *uplo == 'L' || *uplo == 'l' ? 'L' : 'U';
            void *a = tt_array(t, LDA, N), *before;
            fill(t, RANDOM, part, N, a, LDA);
            before = tt_copy(t, LDA, N, a);
            tt_expect_info(door(t, 'V', *uplo, N, a, LDA, w), 0, "vectors");
            judge("LAPACK's name", t, part, N, before, LDA, w, a, LDA);
            fill(t, RANDOM, part, N, a, LDA);
            tt_expect_info(door(t, 'n', *uplo, N, a, LDA, w), 0, "values");
            judge("LAPACK's name", t, part, N, before, LDA, w, NULL, LDA);
            free(a), free(before);
        }
    unsetenv("TILEWORK_BAND");
    unsetenv("TILEWORK_CROSSOVER");
}

static int lapacke(int work, enum tw_type t, int layout, char jobz, char uplo, int n, void *a, int lda, double *w,
                   void *space, const int size[3])
{
    static lapack_int iwork[4000];
    static double rwork[60000];
    float single[200];
    int info;

    switch (t) {
    case TW_DOUBLE:
        return work ? tw_LAPACKE_dsyevd_work(layout, jobz, uplo, n, a, lda, w, space, size[0], iwork, size[2])
                    : tw_LAPACKE_dsyevd(layout, jobz, uplo, n, a, lda, w);
    case TW_COMPLEX_DOUBLE:
        return work ? tw_LAPACKE_zheevd_work(layout, jobz, uplo, n, a, lda, w, space, size[0], rwork, size[1], iwork,
                                             size[2])
                    : tw_LAPACKE_zheevd(layout, jobz, uplo, n, a, lda, w);
    case TW_FLOAT:
        info = work ? tw_LAPACKE_ssyevd_work(layout, jobz, uplo, n, a, lda, single, space, size[0], iwork, size[2])
                    : tw_LAPACKE_ssyevd(layout, jobz, uplo, n, a, lda, single);
        break;
    default:
        info = work ? tw_LAPACKE_cheevd_work(layout, jobz, uplo, n, a, lda, single, space, size[0],
                                             (float *)(void *)rwork, size[1], iwork, size[2])
                    : tw_LAPACKE_cheevd(layout, jobz, uplo, n, a, lda, single);
    }
    for (int i = 0; i < n && info == 0 && size[0] != -1; i++)
        w[i] = (double)single[i];
    return info;
}

static void lapacke_doors(void **state)
{
    enum { N = 70, LDA = 75 };
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR}, enough[] = {60000, 60000, 4000},
                     query[] = {-1, -1, -1}, little[] = {10, 60000, 4000}, few[] = {60000, 60000, 3};
    double w[N];
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (int work = 0; work < 2; work++)
                for (const char *uplo = "LU"; *uplo; uplo++) {
                    void *a = tt_array(t, LDA, N), *column = tt_array(t, LDA, N), *z = tt_array(t, LDA, N),
                         *space = malloc(60000 * tt_size(t));
                    fill(t, RANDOM, *uplo, N, column, LDA);
                    for (int j = 0; j < N; j++)
                        for (int i = 0; i < N; i++)
                            tt_put(t, a, tt_layout_at(layouts[l], i, j, LDA),
                                   tt_get(t, column, (size_t)i + (size_t)j * LDA));
                    if (work) {
                        assert_int_equal(lapacke(1, t, layouts[l], 'V', *uplo, N, a, LDA, w, space, query), 0);
                        assert_true(creal(tt_get(t, space, 0)) >=
                                    (tt_complex(t) ? 2 * N + N * N : 1 + 6 * N + 2 * N * N));
                        assert_int_equal(lapacke(1, t, layouts[l], 'V', *uplo, N, a, LDA, w, space, little), -9);
                        assert_int_equal(lapacke(1, t, layouts[l], 'V', *uplo, N, a, LDA, w, space, few),
                                         tt_complex(t) ? -13 : -11);
                    }
                    assert_int_equal(lapacke(work, t, layouts[l], 'V', *uplo, N, a, LDA, w, space, enough), 0);
                    for (int j = 0; j < N; j++)
                        for (int i = 0; i < N; i++)
                            tt_put(t, z, (size_t)i + (size_t)j * LDA,
                                   tt_get(t, a, tt_layout_at(layouts[l], i, j, LDA)));
                    judge("LAPACKE's name", t, *uplo, N, column, LDA, w, z, LDA);
                    free(a), free(column), free(z), free(space);
                }
    unsetenv("TILEWORK_BAND");
    unsetenv("TILEWORK_CROSSOVER");
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void not_finite(void **state)
{
    static const double bad[] = {NAN, INFINITY};
    enum { N = 40 };
    double w[N];
    (void)state;
    FOR_TYPES(t)
        for (int k = 0; k < 2; k++)
            for (int tiles = 0; tiles < 2; tiles++)
                for (const char *jobz = "NV"; *jobz; jobz++) {
                    void *a = tt_array(t, N, N);
                    fill(t, RANDOM, 'L', N, a, N);
                    tt_put(t, a, 30 + 7 * N, bad[k]);
                    if (tiles) setenv("TILEWORK_CROSSOVER", "0", 1);
                    tt_expect_info(door(t, *jobz, 'L', N, a, N, w), N, "%g", bad[k]);
                    unsetenv("TILEWORK_CROSSOVER");
                    assert_true(isnan(w[0]) && isnan(w[N - 1]));
                    free(a);
                }
}

/* Of a hermitian matrix' diagonal the real part is read, whatever the imaginary one is, on all ways. */
static void real_diagonals(void **state)
{
    static const char *const routes[] = {"lapack", "one", "two"};
    static const double bad[] = {NAN, INFINITY, 7};
    enum { N = 40 };
    double w[N];
    (void)state;
    FOR_TYPES(t)
        for (int k = 0; k < 3 && tt_complex(t); k++)
            for (int way = 0; way < 5; way++) { /* LAPACK's name, straight and by tiles; the matrix door */
                void *a = tt_array(t, N, N), *before;
                fill(t, RANDOM, 'L', N, a, N);
                before = tt_copy(t, N, N, a);
                for (size_t i = 0; i < N; i++) {
                    const double re = creal(tt_get(t, a, i * (N + 1)));
                    tt_put(t, a, i * (N + 1), CMPLX(re, bad[k]));
                }
                if (way) setenv("TILEWORK_CROSSOVER", "0", 1);
                if (way >= 2) {
                    tw_matrix *A;
                    setenv("TILEWORK_ROUTE", routes[way - 2], 1);
                    tt_expect_info(tw_matrix_wrap(&A, t, TW_GENERAL, N, N, a, N, 16), 0, "wrap");
                    tt_expect_info(tw_syevd(TW_VECTORS, TW_LOWER, A, w, A), 0, routes[way - 2]);
                    tw_matrix_destroy(A);
                    unsetenv("TILEWORK_ROUTE");
                } else {
                    tt_expect_info(door(t, 'V', 'L', N, a, N, w), 0, "vectors");
                }
                unsetenv("TILEWORK_CROSSOVER");
                judge("a diagonal with imaginary parts", t, 'L', N, before, N, w, a, N);
                free(a), free(before);
            }
}

static void refusals(void **state)
{
    double a[16] = {0}, w[4];
    lapack_int l[1] = {0};
    tw_matrix *A, *B, *C, *S;
    (void)state;
    (void)l;
    assert_int_equal(tw_dsyevd('X', 'L', 4, a, 4, w), -1);
    assert_int_equal(tw_dsyevd('N', 'X', 4, a, 4, w), -2);
    assert_int_equal(tw_dsyevd('N', 'L', -1, a, 4, w), -3);
    assert_int_equal(tw_dsyevd('N', 'L', 4, NULL, 4, w), -4);
    assert_int_equal(tw_dsyevd('N', 'L', 4, a, 3, w), -5);
    assert_int_equal(tw_dsyevd('N', 'L', 4, a, 4, NULL), -6);
    assert_int_equal(tw_dsyevd('N', 'L', 0, NULL, 1, NULL), 0);
    assert_int_equal(tw_LAPACKE_dsyevd(7, 'N', 'L', 4, a, 4, w), -1);
    assert_int_equal(tw_LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'X', 'L', 4, a, 4, w), -2);
    assert_int_equal(tw_LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'L', 4, a, 3, w), -6);
    /* LAPACK's workspaces pass 2^32 elements at order 46341, and come to 2^63 near 2^31: the answer is right or the
     * largest number there is */
    for (int k = 0; k < 4; k++) {
        static const lapack_int orders[] = {46341, 200000, 1 << 29, INT32_MAX};
        const lapack_int n = orders[k];
        const double square = (double)n * (double)n;
        double work[1];
        assert_int_equal(tw_LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, w, work, -1, l, -1), 0);
        assert_true(work[0] > 0 && (k == 3 || (work[0] >= 2 * square && work[0] <= 2.1 * square)));
        assert_true(*l > 0 && (*l == INT32_MAX || *l == 5 * n + 3));
        assert_int_equal(tw_LAPACKE_dstedc_work(LAPACK_COL_MAJOR, 'V', n, w, w, a, n, work, -1, l, -1), 0);
        assert_true(work[0] > 0 && *l > 0 && (k == 3 || (work[0] >= 4 * square && work[0] <= 4.1 * square)));
    }
    a[1] = NAN;
    assert_int_equal(tw_LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', 4, a, 4, w), -5);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_UPPER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_syevd((enum tw_jobz)'X', TW_LOWER, A, w, NULL), -1);
    assert_int_equal(tw_syevd(TW_NOVECTORS, (enum tw_uplo)'X', A, w, NULL), -2);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_LOWER, NULL, w, NULL), -3);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_LOWER, B, w, NULL), -3);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_LOWER, S, w, NULL), -3);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_LOWER, A, NULL, NULL), -4);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_LOWER, A, w, A), -5);
    assert_int_equal(tw_syevd(TW_VECTORS, TW_LOWER, A, w, NULL), -5);
    assert_int_equal(tw_syevd(TW_VECTORS, TW_LOWER, A, w, B), -5);
    assert_int_equal(tw_syevd(TW_VECTORS, TW_LOWER, A, w, C), -5);
    assert_int_equal(tw_syevd(TW_VECTORS, TW_UPPER, A, w, S), -5);
    assert_int_equal(tw_syevd_async(TW_NOVECTORS, TW_LOWER, A, w, NULL, NULL), -6);
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(C), tw_matrix_destroy(S);
}

/* ---- in a graph -------------------------------------------------------------------------------------------------- */

/* Z diag(w) Z^H made of what syevd leaves, queued behind it, is A again; and A may be used again at once. */
static void queued(void **state)
{
    enum { N = 120 };
    (void)state;
    setenv("TILEWORK_BAND", "16", 1);
    FOR_TYPES(t) {
        void *a = tt_array(t, N, N), *z = tt_array(t, N, N), *g = tt_array(t, N, N);
        double w[2][N];
        tw_sequence *seq;
        tw_matrix *A, *Z, *G;

        fill(t, RANDOM, 'G', N, a, N);
        assert_int_equal(tw_matrix_create(&A, t, TW_GENERAL, N, N, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, N, 50, NULL), 0);
        assert_int_equal(tw_matrix_create(&G, t, TW_GENERAL, N, N, 32, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(A, a, N), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_syevd_async(TW_VECTORS, TW_LOWER, A, w[0], Z, seq), 0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, Z, Z, (tw_scalar){0, 0}, G, seq),
                         0);
        assert_int_equal(tw_syevd_async(TW_NOVECTORS, TW_UPPER, A, w[1], NULL, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(Z, z, N), 0);
        assert_int_equal(tw_matrix_to_lapack(G, g, N), 0);
        judge("queued", t, 'L', N, a, N, w[0], z, N);
        judge("queued", t, 'U', N, a, N, w[1], NULL, N);
        for (int i = 0; i < N; i++)
            tt_put(t, g, (size_t)i * (N + 1), tt_get(t, g, (size_t)i * (N + 1)) - 1);
        tt_expect("|Z^H Z - I|, queued", t, check_norm_ge(t, N, N, g, N) / (N * tt_eps(t)), 0, "n = %d", N);
        tw_matrix_destroy(A), tw_matrix_destroy(Z), tw_matrix_destroy(G);
        free(a), free(z), free(g);
    }
    unsetenv("TILEWORK_BAND");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),         cmocka_unit_test(bands),        cmocka_unit_test(spectra),
        cmocka_unit_test(divided),       cmocka_unit_test(known_values), cmocka_unit_test(lapack_door),
        cmocka_unit_test(lapacke_doors), cmocka_unit_test(not_finite),   cmocka_unit_test(real_diagonals),
        cmocka_unit_test(refusals),      cmocka_unit_test(queued)};
    return tt_run(tests);
}
