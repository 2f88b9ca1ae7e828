/* potrf and posv of matrices whose leading minor of order k fails: info = k, and the factor of order k - 1 in place as
 * LAPACK leaves it, in every storage, through the LAPACK, LAPACKE (both layouts), matrix and async doors. What lies
 * behind it is nobody's promise. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { N = 101, LDA = 103, RHS = 2 };
static const int failing[] = {1, 2, 3, 19, 20, 21, 38, 50, 57, 58, 100, 101};

/* f: what came of a, whose k-th minor fails. */
static void compare(const char *name, enum tw_type t, char uplo, int k, const void *a, const void *f)
{
    void *r = tt_copy(t, LDA, N, a);

    assert_int_equal(tt_lapack_potrf(t, uplo, N, r, LDA), k);
    tt_expect(name, t, tt_potrf_residual(t, uplo, k - 1, a, LDA, f, LDA), 0, "%c k=%d", uplo, k);
    tt_expect("against LAPACK's array", t, tt_difference(t, uplo, 'N', k - 1, k - 1, f, LDA, r, LDA), 0, "%s %c k=%d",
              name, uplo, k);
    for (int j = 0; j < N; j++) /* the other triangle is the user's */
        for (int i = 0; i < N; i++)
            if (uplo == 'L' ? i < j : i > j)
                assert_memory_equal((const char *)f + (size_t)(i + j * LDA) * tt_size(t),
                                    (const char *)a + (size_t)(i + j * LDA) * tt_size(t), tt_size(t));
    free(r);
}

static int lapacke(enum tw_type t, int layout, char uplo, void *a)
{
    return t == TW_FLOAT           ? tw_LAPACKE_spotrf(layout, uplo, N, a, LDA)
           : t == TW_DOUBLE        ? tw_LAPACKE_dpotrf(layout, uplo, N, a, LDA)
           : t == TW_COMPLEX_FLOAT ? tw_LAPACKE_cpotrf(layout, uplo, N, a, LDA)
                                   : tw_LAPACKE_zpotrf(layout, uplo, N, a, LDA);
}

static void arrays(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (size_t k = 0; k < COUNT(failing); k++) {
                void *a = tt_array(t, LDA, N), *f, *b = tt_array(t, N, RHS);
                tt_spd_failing(t, tt_uplos[u], N, a, LDA, 31, failing[k]);
                tt_random(t, 'G', N, RHS, b, N, 32);
                f = tt_copy(t, LDA, N, a);
                tt_expect_info(tt_door_potrf(t, tt_uplos[u], N, f, LDA), failing[k], "potrf");
                compare("potrf", t, tt_uplos[u], failing[k], a, f);
                memcpy(f, a, (size_t)(LDA * N) * tt_size(t));
                tt_expect_info(tt_door_posv(t, tt_uplos[u], N, RHS, f, LDA, b, N), failing[k], "posv");
                compare("posv", t, tt_uplos[u], failing[k], a, f);
                memcpy(f, a, (size_t)(LDA * N) * tt_size(t));
                assert_int_equal(lapacke(t, LAPACK_COL_MAJOR, tt_uplos[u], f), failing[k]);
                compare("LAPACKE's potrf", t, tt_uplos[u], failing[k], a, f);
                free(a), free(f), free(b);
            }
}

/* Row-major: the lower triangle lies where the upper one would, as its transpose. */
static void rows(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (size_t k = 0; k < COUNT(failing); k++) {
                void *a = tt_array(t, LDA, N), *f = tt_array(t, LDA, N), *back = tt_copy(t, LDA, N, a);
                tt_spd_failing(t, tt_uplos[u], N, a, LDA, 33, failing[k]);
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++)
                        memcpy((char *)f + (size_t)(j + i * LDA) * tt_size(t),
                               (char *)a + (size_t)(i + j * LDA) * tt_size(t), tt_size(t));
                assert_int_equal(lapacke(t, LAPACK_ROW_MAJOR, tt_uplos[u], f), failing[k]);
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++)
                        memcpy((char *)back + (size_t)(i + j * LDA) * tt_size(t),
                               (char *)f + (size_t)(j + i * LDA) * tt_size(t), tt_size(t));
                compare("LAPACKE's potrf, rows", t, tt_uplos[u], failing[k], a, back);
                free(a), free(f), free(back);
            }
}

static void matrices(void **state)
{
    static const int tiles[] = {19, 57};
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (size_t k = (size_t)t % 2; k < COUNT(failing); k += 2)
                for (int s = 0; s < tt_storages(); s++)
                    for (size_t n = 0; n < COUNT(tiles); n++)
                        for (int async = 0; async < 2 - (int)n; async++) {
                            void *a = tt_array(t, LDA, N), *f;
                            const enum tw_uplo uplo = u ? TW_UPPER : TW_LOWER;
                            struct tt_place p;
                            int info;
                            tt_spd_failing(t, tt_uplos[u], N, a, LDA, 34, failing[k]);
                            f = tt_copy(t, LDA, N, a);
                            tw_matrix *A = tt_enter(&p, (enum tt_storage)s, t, uplo, N, N, f, LDA, tiles[n]);
                            if (async) {
                                tw_sequence *seq;
                                assert_int_equal(tw_sequence_create(&seq), 0);
                                assert_int_equal(tw_potrf_async(uplo, A, seq), 0);
                                info = tw_sequence_wait(seq);
                                assert_int_equal(tw_sequence_destroy(seq), 0);
                            } else {
                                info = tw_potrf(uplo, A);
                            }
                            tt_expect_info(info, failing[k], "potrf, %s, nb=%d", tt_storage_name((enum tt_storage)s),
                                           tiles[n]);
                            tt_leave(&p);
                            compare(async ? "tw_potrf_async" : "tw_potrf", t, tt_uplos[u], failing[k], a, f);
                            free(a), free(f);
                        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays), cmocka_unit_test(rows), cmocka_unit_test(matrices)},
                            few[] = {cmocka_unit_test(arrays), cmocka_unit_test(rows)};
    (void)argv;
    return argc > 1 ? tt_run(few) : tt_run(tests);
}
