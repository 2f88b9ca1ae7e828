/* syev, heev and the names of LAPACK's own two stages: LAPACK's arguments and LAPACKE's, workspaces, what is refused.
 * What they compute is syevd's. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
enum name { SYEV, SYEV_2STAGE, SYEVD_2STAGE, NAMES };
enum { N = 70, LDA = 75, ROOM = 60000 };

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}

#define BY_TYPE(sy, he, ...)                                                                                           \
    (t == TW_FLOAT           ? tw_s##sy(__VA_ARGS__)                                                                   \
     : t == TW_DOUBLE        ? tw_d##sy(__VA_ARGS__)                                                                   \
     : t == TW_COMPLEX_FLOAT ? tw_c##he(__VA_ARGS__)                                                                   \
                             : tw_z##he(__VA_ARGS__))
static tw_int lapack(enum name name, enum tw_type t, char jobz, char uplo, tw_int n, void *a, tw_int lda, void *w)
{
    switch (name) {
    case SYEV: return BY_TYPE(syev, heev, jobz, uplo, n, a, lda, w);
    case SYEV_2STAGE: return BY_TYPE(syev_2stage, heev_2stage, jobz, uplo, n, a, lda, w);
    default: return BY_TYPE(syevd_2stage, heevd_2stage, jobz, uplo, n, a, lda, w);
    }
}

#define ARGUMENTS layout, jobz, uplo, n, a, lda, w
static int lapacke(enum name name, enum tw_type t, int layout, char jobz, char uplo, int n, void *a, int lda, void *w)
{
#define LAPACKE(name)                                                                                                  \
    (t == TW_FLOAT           ? tw_LAPACKE_ssy##name(ARGUMENTS)                                                         \
     : t == TW_DOUBLE        ? tw_LAPACKE_dsy##name(ARGUMENTS)                                                         \
     : t == TW_COMPLEX_FLOAT ? tw_LAPACKE_che##name(ARGUMENTS)                                                         \
                             : tw_LAPACKE_zhe##name(ARGUMENTS))
    return name == SYEV ? LAPACKE(ev) : name == SYEV_2STAGE ? LAPACKE(ev_2stage) : LAPACKE(evd_2stage);
}
static int with_work(enum name name, enum tw_type t, int layout, char jobz, char uplo, int n, void *a, int lda, void *w,
                     void *work, int lwork)
{
    static lapack_int iwork[2];
    static double space[4 * LDA];
    void *const rwork = space;
#define WORK(name, real, complex_)                                                                                     \
    (t == TW_FLOAT           ? tw_LAPACKE_ssy##name##_work(ARGUMENTS, work, lwork real)                                \
     : t == TW_DOUBLE        ? tw_LAPACKE_dsy##name##_work(ARGUMENTS, work, lwork real)                                \
     : t == TW_COMPLEX_FLOAT ? tw_LAPACKE_che##name##_work(ARGUMENTS, work, lwork complex_)                            \
                             : tw_LAPACKE_zhe##name##_work(ARGUMENTS, work, lwork complex_))
#define NOTHING
#define RWORK  , rwork
#define INTS   , iwork, 2
#define OTHERS , rwork, 4 * LDA, iwork, 2
    return name == SYEV          ? WORK(ev, NOTHING, RWORK)
           : name == SYEV_2STAGE ? WORK(ev_2stage, NOTHING, RWORK)
                                 : WORK(evd_2stage, INTS, OTHERS);
}

static void judge(const char *what, enum tw_type t, char uplo, const void *a, const void *raw, const void *z)
{
    const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, N, N, a, LDA};
    const struct check_matrix A = check_of_array(&array);
    double w[N], residual[2] = {0, 0}, error;

    for (int i = 0; i < N; i++)
        w[i] = is_single(t) ? (double)((const float *)raw)[i] : ((const double *)raw)[i];
    if (z) assert_int_equal(check_syevd(&A, N, w, z, LDA, residual), 0);
    assert_int_equal(check_eigenvalues(&A, w, &error), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "%s, %c", what, uplo);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, %c", what, uplo);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, %c", what, uplo);
}

static void *input(enum tw_type t, char uplo)
{
    void *a = tt_array(t, LDA, N);
    tt_random(t, uplo, N, N, a, LDA, 4);
    for (int i = 0; i < N; i++)
        tt_put(t, a, (size_t)i * (LDA + 1), creal(tt_get(t, a, (size_t)i * (LDA + 1))));
    return a;
}

static void lapack_door(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (int k = 0; k < 4; k++)
            for (enum name name = SYEV; name < NAMES; name++) {
                const char uplo = "LU"[k % 2];
                void *a = input(t, uplo), *b = tt_copy(t, LDA, N, a);
                double w[N];
                if (k < 2) setenv("TILEWORK_CROSSOVER", "0", 1);
                tt_expect_info(lapack(name, t, 'n', uplo, N, b, LDA, w), 0, "%d", (int)name);
                judge("values", t, uplo, a, w, NULL);
                memcpy(b, a, (size_t)LDA * N * tt_size(t));
                tt_expect_info(lapack(name, t, 'V', uplo, N, b, LDA, w), name == SYEV ? 0 : -1, "%d", (int)name);
                if (name == SYEV) judge("vectors", t, uplo, a, w, b);
                unsetenv("TILEWORK_CROSSOVER");
                free(a), free(b);
            }
    unsetenv("TILEWORK_BAND");
}

static void lapacke_doors(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    setenv("TILEWORK_CROSSOVER", "0", 1);
    FOR_TYPES(t)
        for (int k = 0; k < 8; k++)
            for (enum name name = SYEV; name < NAMES; name++) {
                const int layout = k & 1 ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, work = k & 2;
                const char uplo = k & 4 ? 'U' : 'L', jobz = name == SYEV ? 'V' : 'N';
                void *a = input(t, uplo), *b = tt_array(t, LDA, N), *z = tt_array(t, LDA, N),
                     *space = malloc(ROOM * tt_size(t));
                double w[N];
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++)
                        tt_put(t, b, tt_layout_at(layout, i, j, LDA), tt_get(t, a, (size_t)i + (size_t)j * LDA));
                if (work) {
                    int least;
                    assert_int_equal(with_work(name, t, layout, jobz, uplo, N, b, LDA, w, space, -1), 0);
                    least = (int)creal(tt_get(t, space, 0));
                    assert_true(least >= 2 * N - 1);
                    assert_int_equal(with_work(name, t, layout, jobz, uplo, N, b, LDA, w, space, least - 1), -9);
                    assert_int_equal(with_work(name, t, layout, jobz, uplo, N, b, LDA, w, space, least), 0);
                } else {
                    assert_int_equal(lapacke(name, t, layout, jobz, uplo, N, b, LDA, w), 0);
                }
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++)
                        tt_put(t, z, (size_t)i + (size_t)j * LDA, tt_get(t, b, tt_layout_at(layout, i, j, LDA)));
                judge("LAPACKE's name", t, uplo, a, w, name == SYEV ? z : NULL);
                assert_int_equal(lapacke(name, t, 7, 'N', uplo, N, b, LDA, w), -1);
                assert_int_equal(lapacke(name, t, LAPACK_COL_MAJOR, name == SYEV ? 'X' : 'V', uplo, N, a, LDA, w), -2);
                tt_put(t, a, 0, NAN); /* in both layouts */
                assert_int_equal(lapacke(name, t, layout, 'N', uplo, N, a, LDA, w), -5);
                free(a), free(b), free(z), free(space);
            }
    unsetenv("TILEWORK_CROSSOVER");
    unsetenv("TILEWORK_BAND");
}

static void refusals(void **state)
{
    double a[16] = {0}, w[4];
    (void)state;
    for (enum name name = SYEV; name < NAMES; name++) {
        const enum tw_type t = TW_DOUBLE;
        assert_int_equal(lapack(name, t, 'X', 'L', 4, a, 4, w), -1);
        assert_int_equal(lapack(name, t, 'N', 'X', 4, a, 4, w), -2);
        assert_int_equal(lapack(name, t, 'N', 'L', -1, a, 4, w), -3);
        assert_int_equal(lapack(name, t, 'N', 'L', 4, NULL, 4, w), -4);
        assert_int_equal(lapack(name, t, 'N', 'L', 4, a, 3, w), -5);
        assert_int_equal(lapack(name, t, 'N', 'L', 4, a, 4, NULL), -6);
        assert_int_equal(lapack(name, t, 'N', 'L', 0, NULL, 1, NULL), 0);
        assert_int_equal(lapacke(name, t, LAPACK_ROW_MAJOR, 'N', 'L', 4, a, 3, w), -6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lapack_door), cmocka_unit_test(lapacke_doors),
                                       cmocka_unit_test(refusals)};
    return tt_run(tests);
}
