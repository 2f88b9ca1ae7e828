/* sbevd and hbevd: band matrices of many widths and kinds, through all doors; bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { MOST = 200 };
enum kind { RANDOM, ZERO, IDENTITY, SECOND_DIFFERENCES, SPLIT, REPEATED, HUGE_, TINY, KINDS };
static const char *const kinds[] = {"random", "zero", "identity", "1-2-1", "split", "repeated", "huge", "tiny"};

/* Element (i, j), i >= j. */
static tt_z element(enum tw_type t, enum kind kind, int i, int j)
{
    const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
    const tt_z x = tt_uniform(7, i, j) + (tt_complex(t) && i != j ? tt_uniform(8, i, j) * I : 0);

    switch (kind) {
    case ZERO: return 0;
    case IDENTITY: return i == j;
    case SECOND_DIFFERENCES: return i == j ? 2 : i == j + 1 ? -1 : 0;
    case SPLIT: return i / 9 == j / 9 ? x : 0;
    case REPEATED: return i == j ? i % 3 : i / 4 == j / 4 ? 1 : 0;
    case HUGE_: return x * (single ? 1e37 : 1e305);
    case TINY: return x * (single ? 1e-37 : 1e-305);
    default: return x;
    }
}
/* LAPACK's band array; what is none of the matrix' is NaN (tt_array's). */
static void fill(enum tw_type t, enum kind kind, char uplo, int n, int kd, void *ab, int ldab)
{
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= kd && j + k < n; k++) {
            const tt_z x = element(t, kind, j + k, j);
            if (uplo == 'L')
                tt_put(t, ab, (size_t)(k + j * ldab), x);
            else
                tt_put(t, ab, (size_t)(kd - k + (j + k) * ldab), conj(x));
        }
}

static void judge(const char *what, enum tw_type t, char uplo, int n, int kd, const void *ab, int ldab, const double *w,
                  const void *z, int ldz)
{
    const struct check_band band = {t, (enum tw_uplo)uplo, n, kd, ab, ldab};
    const struct check_matrix A = check_of_band(&band);
    double residual[2] = {0, 0}, error = 0;

    if (z) assert_int_equal(check_syevd(&A, n, w, z, ldz, residual), 0);
    assert_int_equal(check_eigenvalues(&A, w, &error), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "%s, %c, n = %d, kd = %d", what, uplo, n, kd);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, %c, n = %d, kd = %d", what, uplo, n, kd);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, %c, n = %d, kd = %d", what, uplo, n, kd);
}

static void matrix_door(enum tw_type t, enum kind kind, char uplo, int n, int kd, int nb)
{
    const int ldab = kd + 2, ldz = n + 1;
    void *ab = tt_array(t, ldab, n), *z = tt_array(t, ldz, n);
    double w[MOST], values[MOST];
    struct tt_place p;
    tw_matrix *A, *Z;

    fill(t, kind, uplo, n, kd, ab, ldab);
    assert_int_equal(tw_matrix_create_band(&A, t, n, n, uplo == 'L' ? kd : 0, uplo == 'U' ? kd : 0, nb), 0);
    assert_int_equal(tw_matrix_set_band(A, ab, ldab), 0);
    Z = tt_enter(&p, TT_CREATED, t, TW_GENERAL, n, n, z, ldz, 37);
    tt_expect_info(tw_sbevd(TW_VECTORS, (enum tw_uplo)uplo, A, w, Z), 0, "%s", kinds[kind]);
    tt_leave(&p);
    tt_expect_info(tw_sbevd(TW_NOVECTORS, (enum tw_uplo)uplo, A, values, NULL), 0, "%s", kinds[kind]);
    judge(kinds[kind], t, uplo, n, kd, ab, ldab, w, z, ldz);
    judge(kinds[kind], t, uplo, n, kd, ab, ldab, values, NULL, ldz);
    tw_matrix_destroy(A);
    free(ab), free(z);
}

static void widths(void **state)
{
    static const int cases[][3] = {{0, 3, 2},   {1, 0, 16},  {1, 4, 16},  {2, 1, 1},    {3, 2, 2},     {9, 8, 4},
                                   {33, 0, 16}, {40, 1, 16}, {97, 7, 24}, {130, 20, 0}, {150, 64, 48}, {97, 200, 32}};
    (void)state;
    setenv("TILEWORK_LEAF", "25", 1);
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(cases); k++)
            for (const char *uplo = "LU"; *uplo; uplo++)
                matrix_door(t, RANDOM, *uplo, cases[k][0], cases[k][1], cases[k][2]);
    unsetenv("TILEWORK_LEAF");
}

static void spectra(void **state)
{
    (void)state;
    setenv("TILEWORK_LEAF", "9", 1);
    FOR_TYPES(t)
        for (enum kind kind = ZERO; kind < KINDS; kind++)
            matrix_door(t, kind, kind % 2 ? 'L' : 'U', 75, 3 + (int)kind, 24);
    unsetenv("TILEWORK_LEAF");
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static tw_int made(enum tw_type t, int layout, int work, char job, char uplo, int n, int kd, void *ab, int ldab,
                   void *w, void *z, int ldz, void *space, const int size[3])
{
    static lapack_int iwork[2000];
    static double rwork[40000];

#define FRONT job, uplo, n, kd, ab, ldab, w, z, ldz
#define CALL(p, name, ...)                                                                                             \
    (work < 0    ? tw_##p##name(FRONT)                                                                                 \
     : work == 0 ? tw_LAPACKE_##p##name(layout, FRONT)                                                                 \
                 : tw_LAPACKE_##p##name##_work(layout, FRONT, space, size[0], __VA_ARGS__, iwork, size[2]))
#define REAL(p)                                                                                                        \
    (work < 0    ? tw_##p##sbevd(FRONT)                                                                                \
     : work == 0 ? tw_LAPACKE_##p##sbevd(layout, FRONT)                                                                \
                 : tw_LAPACKE_##p##sbevd_work(layout, FRONT, space, size[0], iwork, size[2]))
    switch (t) {
    case TW_FLOAT: return REAL(s);
    case TW_DOUBLE: return REAL(d);
    case TW_COMPLEX_FLOAT: return CALL(c, hbevd, (void *)rwork, size[1]);
    default: return CALL(z, hbevd, (void *)rwork, size[1]);
    }
}

static void one_door(enum tw_type t, int layout, int work, char job, char uplo)
{
    enum { N = 70, KD = 6, LDZ = 75 };
    const enum tw_type real = t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? TW_FLOAT : TW_DOUBLE;
    const int ldab = layout == LAPACK_ROW_MAJOR ? N + 2 : KD + 3, enough[3] = {40000, 40000, 2000},
              query[3] = {-1, 40000, 2000}, little[3] = {3, 40000, 2000}, few[3] = {40000, 40000, 0};
    void *column = tt_array(t, KD + 1, N), *ab = tt_array(t, N + 2, N) /* room for either layout */,
         *z = tt_array(t, LDZ, N), *array = tt_array(t, LDZ, N), *w = tt_array(real, N, 1),
         *space = malloc(40000 * tt_size(t));
    double values[N];

    fill(t, RANDOM, uplo, N, KD, column, KD + 1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= KD; i++)
            tt_put(t, ab, tt_layout_at(layout, i, j, ldab), tt_get(t, column, (size_t)(i + j * (KD + 1))));
    if (work > 0) {
        assert_int_equal(made(t, layout, 1, job, uplo, N, KD, ab, ldab, w, array, LDZ, space, query), 0);
        assert_int_equal(made(t, layout, 1, job, uplo, N, KD, ab, ldab, w, array, LDZ, space, little), -12);
        assert_int_equal(made(t, layout, 1, job, uplo, N, KD, ab, ldab, w, array, LDZ, space, few),
                         tt_complex(t) ? -16 : -14);
    }
    tt_expect_info(made(t, layout, work, job, uplo, N, KD, ab, ldab, w, array, LDZ, space, enough), 0, "%c", job);
    for (int i = 0; i < N; i++)
        values[i] = creal(tt_get(real, w, (size_t)i));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, z, (size_t)(i + j * LDZ), tt_get(t, array, tt_layout_at(layout, i, j, LDZ)));
    judge("LAPACK's names", t, uplo, N, KD, column, KD + 1, values, job == 'V' ? z : NULL, LDZ);
    free(column), free(ab), free(z), free(array), free(w), free(space);
}

static void doors(void **state)
{
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    (void)state;
    setenv("TILEWORK_LEAF", "20", 1);
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
        FOR_TYPES(t)
            for (int l = 0; l < 2; l++)
                for (int work = l ? 0 : -1; work < 2; work++)
                    for (int c = 0; c < 4; c++)
                        one_door(t, layouts[l], work, c & 1 ? 'V' : 'N', c & 2 ? 'U' : 'L');
    }
    unsetenv("TILEWORK_CROSSOVER");
    unsetenv("TILEWORK_LEAF");
}

/* Of order 1 with diagonals above, of which there is nothing: the element is in ab's last row, where LAPACK's sbevd
 * does not look. */
static void one_element(void **state)
{
    (void)state;
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
        FOR_TYPES(t)
            for (int layout = LAPACK_ROW_MAJOR; layout <= LAPACK_COL_MAJOR; layout++)
                for (const char *uplo = "LU"; *uplo; uplo++)
                    for (const char *job = "NV"; *job; job++) {
                        const enum tw_type real = tw_type_real(t);
                        const int room[3] = {100, 100, 100};
                        void *ab = tt_array(t, 3, 1), *w = tt_array(real, 1, 1), *z = tt_array(t, 1, 1),
                             *space = malloc(100 * tt_size(t));

                        tt_put(t, ab, *uplo == 'U' ? 2 : 0, 5);
                        assert_int_equal(made(t, layout, 0, *job, *uplo, 1, 2, ab, layout == LAPACK_ROW_MAJOR ? 1 : 3,
                                              w, z, 1, space, room),
                                         0);
                        assert_true(creal(tt_get(real, w, 0)) == 5);
                        if (*job == 'V') assert_true(cabs(tt_get(t, z, 0)) == 1);
                        free(ab), free(w), free(z), free(space);
                    }
    }
    unsetenv("TILEWORK_CROSSOVER");
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

/* Of a hermitian matrix' diagonal the real part is read, whatever the imaginary one is: straight, and by tiles. */
static void real_diagonals(void **state)
{
    static const double bad[] = {NAN, INFINITY, 7};
    enum { N = 30, KD = 4 };
    double w[N];
    tw_int m;
    (void)state;
    for (int k = 0; k < 6; k++)
        for (const char *uplo = "LU"; *uplo; uplo++)
            for (int some = 0; some < 2; some++) {
                void *clean = tt_array(TW_COMPLEX_DOUBLE, KD + 1, N), *z = tt_array(TW_COMPLEX_DOUBLE, N, N),
                     *q = tt_array(TW_COMPLEX_DOUBLE, N, N), *ab;
                tw_int each[N];

                fill(TW_COMPLEX_DOUBLE, RANDOM, *uplo, N, KD, clean, KD + 1);
                ab = tt_copy(TW_COMPLEX_DOUBLE, KD + 1, N, clean);
                for (size_t j = 0; j < N; j++) {
                    const size_t at = (size_t)(*uplo == 'U' ? KD : 0) + j * (KD + 1);
                    tt_put(TW_COMPLEX_DOUBLE, ab, at, CMPLX(creal(tt_get(TW_COMPLEX_DOUBLE, ab, at)), bad[k % 3]));
                }
                if (k >= 3) setenv("TILEWORK_CROSSOVER", "0", 1);
                tt_expect_info(
                    some ? tw_zhbevx('V', 'A', *uplo, N, KD, ab, KD + 1, q, N, 0, 0, 0, 0, 0, &m, w, z, N, each)
                         : tw_zhbevd('V', *uplo, N, KD, ab, KD + 1, w, z, N),
                    0, "%g", bad[k % 3]);
                unsetenv("TILEWORK_CROSSOVER");
                judge("a diagonal with imaginary parts", TW_COMPLEX_DOUBLE, *uplo, N, KD, clean, KD + 1, w, z, N);
                free(clean), free(ab), free(z), free(q);
            }
}

/* A band wider than its matrix, whose numbers have to be scaled: straight, and by tiles. */
static void wider(void **state)
{
    enum { N = 6, KD = N + 2 };
    double w[N];
    (void)state;
    for (int k = 0; k < 8; k++)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            const enum kind kind = k % 2 ? HUGE_ : TINY;
            const enum tw_type t = k / 2 % 2 ? TW_DOUBLE : TW_COMPLEX_DOUBLE;
            void *ab = tt_array(t, KD + 1, N), *z = tt_array(t, N, N), *before;

            fill(t, kind, *uplo, N, KD, ab, KD + 1);
            before = tt_copy(t, KD + 1, N, ab);
            if (k >= 4) setenv("TILEWORK_CROSSOVER", "0", 1);
            tt_expect_info(t == TW_DOUBLE ? tw_dsbevd('V', *uplo, N, KD, ab, KD + 1, w, z, N)
                                          : tw_zhbevd('V', *uplo, N, KD, ab, KD + 1, w, z, N),
                           0, "%s", kinds[kind]);
            unsetenv("TILEWORK_CROSSOVER");
            judge(kinds[kind], t, *uplo, N, KD, before, KD + 1, w, z, N);
            free(ab), free(z), free(before);
        }
}

static void refusals(void **state)
{
    double ab[20] = {0}, w[4], z[16];
    tw_matrix *A, *B, *Z, *C;
    (void)state;
    assert_int_equal(tw_dsbevd('X', 'L', 4, 1, ab, 2, w, z, 4), -1);
    assert_int_equal(tw_dsbevd('V', 'X', 4, 1, ab, 2, w, z, 4), -2);
    assert_int_equal(tw_dsbevd('V', 'L', -1, 1, ab, 2, w, z, 4), -3);
    assert_int_equal(tw_dsbevd('V', 'L', 4, -1, ab, 2, w, z, 4), -4);
    assert_int_equal(tw_dsbevd('V', 'L', 4, 1, NULL, 2, w, z, 4), -5);
    assert_int_equal(tw_dsbevd('V', 'L', 4, 2, ab, 2, w, z, 4), -6);
    assert_int_equal(tw_dsbevd('V', 'L', 4, 1, ab, 2, NULL, z, 4), -7);
    assert_int_equal(tw_dsbevd('V', 'L', 4, 1, ab, 2, w, NULL, 4), -8);
    assert_int_equal(tw_dsbevd('V', 'L', 4, 1, ab, 2, w, z, 3), -9);
    assert_int_equal(tw_dsbevd('N', 'L', 0, 0, NULL, 1, NULL, NULL, 1), 0);
    assert_int_equal(tw_LAPACKE_dsbevd(7, 'V', 'L', 4, 1, ab, 2, w, z, 4), -1);
    assert_int_equal(tw_LAPACKE_dsbevd(LAPACK_ROW_MAJOR, 'V', 'L', 4, 1, ab, 3, w, z, 4), -7);
    assert_int_equal(tw_LAPACKE_dsbevd(LAPACK_ROW_MAJOR, 'V', 'L', 4, 1, ab, 4, w, z, 3), -10);
    ab[3] = NAN;
    assert_int_equal(tw_LAPACKE_dsbevd(LAPACK_COL_MAJOR, 'N', 'L', 4, 1, ab, 2, w, z, 4), -6);
    for (int tiles = 0; tiles < 2; tiles++) {
        setenv("TILEWORK_CROSSOVER", tiles ? "0" : "1000", 1);
        assert_int_equal(tw_dsbevd('V', 'L', 4, 1, ab, 2, w, z, 4), 4);
        assert_true(isnan(w[0]) && isnan(w[3]));
        unsetenv("TILEWORK_CROSSOVER");
    }
    assert_int_equal(tw_matrix_create_band(&A, TW_DOUBLE, 4, 4, 1, 0, 2), 0);
    assert_int_equal(tw_matrix_create_band(&B, TW_DOUBLE, 4, 3, 1, 0, 2), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_sbevd((enum tw_jobz)'X', TW_LOWER, A, w, Z), -1);
    assert_int_equal(tw_sbevd(TW_VECTORS, (enum tw_uplo)'X', A, w, Z), -2);
    assert_int_equal(tw_sbevd(TW_VECTORS, TW_LOWER, NULL, w, Z), -3);
    assert_int_equal(tw_sbevd(TW_VECTORS, TW_LOWER, Z, w, Z), -3);
    assert_int_equal(tw_sbevd(TW_VECTORS, TW_LOWER, B, w, Z), -3);
    assert_int_equal(tw_sbevd(TW_VECTORS, TW_LOWER, A, NULL, Z), -4);
    assert_int_equal(tw_sbevd(TW_VECTORS, TW_LOWER, A, w, NULL), -5);
    assert_int_equal(tw_sbevd(TW_VECTORS, TW_LOWER, A, w, C), -5);
    assert_int_equal(tw_sbevd(TW_NOVECTORS, TW_LOWER, A, w, Z), -5);
    assert_int_equal(tw_sbevd_async(TW_VECTORS, TW_LOWER, A, w, Z, NULL), -6);
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(Z), tw_matrix_destroy(C);
}

/* Two in a queue, and the product of the first one's vectors. */
static void queued(void **state)
{
    enum { N = 110, KD = 9 };
    (void)state;
    FOR_TYPES(t) {
        void *ab = tt_array(t, KD + 1, N), *z = tt_array(t, N, N), *g = tt_array(t, N, N);
        double w[2][N];
        tw_sequence *seq;
        tw_matrix *A, *Z, *G;

        fill(t, RANDOM, 'L', N, KD, ab, KD + 1);
        assert_int_equal(tw_matrix_create_band(&A, t, N, N, KD, 0, 16), 0);
        assert_int_equal(tw_matrix_set_band(A, ab, KD + 1), 0);
        assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, N, 50, NULL), 0);
        assert_int_equal(tw_matrix_create(&G, t, TW_GENERAL, N, N, 32, NULL), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_sbevd_async(TW_VECTORS, TW_LOWER, A, w[0], Z, seq), 0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, Z, Z, (tw_scalar){0, 0}, G, seq),
                         0);
        assert_int_equal(tw_sbevd_async(TW_NOVECTORS, TW_LOWER, A, w[1], NULL, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(Z, z, N), 0);
        assert_int_equal(tw_matrix_to_lapack(G, g, N), 0);
        judge("queued", t, 'L', N, KD, ab, KD + 1, w[0], z, N);
        judge("queued", t, 'L', N, KD, ab, KD + 1, w[1], NULL, N);
        for (int i = 0; i < N; i++)
            tt_put(t, g, (size_t)i * (N + 1), tt_get(t, g, (size_t)i * (N + 1)) - 1);
        tt_expect("|Z^H Z - I|, queued", t, check_norm_ge(t, N, N, g, N) / (N * tt_eps(t)), 0, "n = %d", N);
        tw_matrix_destroy(A), tw_matrix_destroy(Z), tw_matrix_destroy(G);
        free(ab), free(z), free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths),         cmocka_unit_test(spectra),
                                       cmocka_unit_test(doors),          cmocka_unit_test(one_element),
                                       cmocka_unit_test(wider),          cmocka_unit_test(refusals),
                                       cmocka_unit_test(real_diagonals), cmocka_unit_test(queued)};
    return tt_run(tests);
}
