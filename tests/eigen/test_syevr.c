/* syevr, syevx (and heevr, heevx): some eigenvalues and eigenvectors, through all doors; bad input. */
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
enum { MOST = 320 };

enum kind { RANDOM, ZERO, IDENTITY, DIAGONAL, SECOND_DIFFERENCES, REPEATED, SPLIT, HUGE_, TINY, KINDS };
static const char *const kinds[] = {"random",   "zero",  "identity", "diagonal", "1-2-1",
                                    "repeated", "split", "huge",     "tiny"};
static tt_z element(enum tw_type t, enum kind kind, int n, int i, int j)
{
    const double re = tt_uniform(7, i, j), im = tt_complex(t) && i != j ? tt_uniform(8, i, j) : 0;
    const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;

    switch (kind) {
    case ZERO: return 0;
    case IDENTITY: return i == j;
    case DIAGONAL: return i == j ? i % 7 - 3 : 0;
    case SECOND_DIFFERENCES: return i == j ? 2 : i == j + 1 ? -1 : 0;
    case REPEATED: return (i == j) - 2.0 / n;
    case SPLIT: return i < n / 2 || j >= n / 2 ? re + im * I : 0;
    case HUGE_: return (re + im * I) * (single ? 1e37 : 1e305);
    case TINY: return (re + im * I) * (single ? 1e-37 : 1e-305);
    default: return re + im * I;
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

/* m pairs, which are numbers first ... (from 0) of the matrix whose lower triangle is in a. */
static void judge(const char *what, enum tw_type t, int n, const void *a, int lda, int first, int m, const double *w,
                  const void *z, int ldz)
{
    const struct check_array array = {CHECK_HERMITIAN, t, TW_LOWER, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[2] = {0, 0}, error = 0;

    if (z) assert_int_equal(check_syevd(&A, m, w, z, ldz, residual), 0);
    assert_int_equal(check_some_eigenvalues(&A, first, m, w, &error), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "%s, n = %d, %d from %d", what, n, m, first);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, n = %d, %d from %d", what, n, m, first);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, n = %d, %d from %d", what, n, m, first);
}

/* Numbers il ... iu of one matrix, into a Z of nb columns a tile, which has `more` columns than needed; then what an
 * interval around them holds. */
static void matrix_door(enum tw_type t, enum kind kind, char uplo, int n, int nb, int il, int iu, int more)
{
    const int lda = n + 1, columns = (iu >= il ? iu - il + 1 : 0) + more, m_wanted = iu - il + 1;
    void *a = tt_array(t, lda, n), *low = tt_array(t, lda, n), *before,
         *z = tt_array(t, lda, columns > 0 ? columns : 1);
    double w[MOST], all[MOST];
    tw_int m = -1;
    struct tt_place pa, pz;
    tw_matrix *A, *Z;

    fill(t, kind, uplo, n, a, lda);
    fill(t, kind, 'L', n, low, lda);
    before = tt_copy(t, lda, n, a);
    for (int i = 0; i < lda * columns; i++)
        tt_put(t, z, (size_t)i, 77);
    A = tt_enter(&pa, TT_CREATED, t, (enum tw_uplo)uplo, n, n, a, lda, nb);
    Z = tt_enter(&pz, TT_FROM_LAPACK, t, TW_GENERAL, n, columns, z, lda, nb + 3);
    tt_expect_info(tw_syevr(TW_VECTORS, TW_INDICES, (enum tw_uplo)uplo, A, 0, 0, il, iu, &m, w, Z), 0, "%s",
                   kinds[kind]);
    tt_leave(&pz);
    assert_int_equal(m, m_wanted);
    judge(kinds[kind], t, n, low, lda, il - 1, (int)m, w, z, lda);
    for (int j = m_wanted; j < columns; j++) /* stay as they were */
        for (int i = 0; i < n; i++)
            assert_true(creal(tt_get(t, z, (size_t)(i + j * lda))) == 77);
    m = -1;
    tt_expect_info(tw_syevx(TW_NOVECTORS, TW_INDICES, (enum tw_uplo)uplo, A, 0, 0, il, iu, &m, w, NULL), 0, "%s",
                   kinds[kind]);
    assert_int_equal(m, m_wanted);
    judge(kinds[kind], t, n, low, lda, il - 1, (int)m, w, NULL, lda);
    /* An interval whose ends are not near an eigenvalue, if there is such a one. */
    tt_expect_info(tw_syevd(TW_NOVECTORS, (enum tw_uplo)uplo, A, all, NULL), 0, "%s", kinds[kind]);
    {
        const double gap = 1e-3 * fmax(fabs(all[0]), fabs(all[n - 1])),
                     vl = il > 1 ? (all[il - 2] + all[il - 1]) / 2 : all[0] - gap - 1e-300,
                     vu = iu < n ? (all[iu - 1] + all[iu]) / 2 : all[n - 1] + gap + 1e-300;
        const int apart =
            (il == 1 || all[il - 1] - all[il - 2] > gap / n) && (iu == n || all[iu] - all[iu - 1] > gap / n);
        if (apart && m_wanted > 0) {
            Z = tt_enter(&pz, TT_FROM_LAPACK, t, TW_GENERAL, n, columns, z, lda, nb + 3);
            tt_expect_info(tw_syevx(TW_VECTORS, TW_INTERVAL, (enum tw_uplo)uplo, A, vl, vu, 0, 0, &m, w, Z), 0, "%s",
                           kinds[kind]);
            tt_leave(&pz);
            assert_int_equal(m, m_wanted);
            judge(kinds[kind], t, n, low, lda, il - 1, (int)m, w, z, lda);
            tt_expect_info(tw_syevr(TW_NOVECTORS, TW_INTERVAL, (enum tw_uplo)uplo, A, vl, vu, 0, 0, &m, w, NULL), 0,
                           "%s", kinds[kind]);
            assert_int_equal(m, m_wanted);
            judge(kinds[kind], t, n, low, lda, il - 1, (int)m, w, NULL, lda);
        }
    }
    tt_leave(&pa);
    assert_memory_equal(a, before, (size_t)lda * (size_t)n * tt_size(t));
    free(a), free(low), free(before), free(z);
}

static void indices(void **state)
{
    static const int cases[][3] = {{1, 1, 1},  {2, 1, 1},    {2, 2, 2},   {3, 2, 3},    {9, 1, 9},    {33, 5, 9},
                                   {64, 1, 7}, {97, 90, 97}, {97, 1, 97}, {97, 48, 48}, {130, 20, 99}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(cases); k++) {
            setenv("TILEWORK_LEAF", k % 2 ? "12" : "256", 1);
            matrix_door(t, RANDOM, k % 2 ? 'L' : 'U', cases[k][0], 24, cases[k][1], cases[k][2], (int)k % 3);
        }
    unsetenv("TILEWORK_LEAF");
    unsetenv("TILEWORK_BAND");
}

static void spectra(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (enum kind kind = RANDOM; kind < KINDS; kind++) {
            setenv("TILEWORK_LEAF", kind % 2 ? "1" : "10", 1);
            matrix_door(t, kind, kind % 2 ? 'L' : 'U', 75, 32, 11, 30 + (int)kind, 2);
        }
    unsetenv("TILEWORK_LEAF");
    unsetenv("TILEWORK_BAND");
    matrix_door(TW_DOUBLE, RANDOM, 'L', 300, 96, 1, 30, 0);
}

/* Empty intervals, all of it, and ends that are eigenvalues: (vl, vu]. */
static void intervals(void **state)
{
    enum { N = 40 };
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, N, N);
        double w[N];
        tw_int m;
        tw_matrix *A, *Z;

        fill(t, DIAGONAL, 'G', N, a, N); /* -3 ... 3 */
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, 16), 0);
        assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, 7, 16, NULL), 0);
        assert_int_equal(tw_syevr(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, 3.5, 9, 0, 0, &m, w, Z), 0);
        assert_int_equal(m, 0);
        assert_int_equal(tw_syevr(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, -9, -3.5, 0, 0, &m, w, Z), 0);
        assert_int_equal(m, 0);
        assert_int_equal(tw_syevr(TW_NOVECTORS, TW_INTERVAL, TW_LOWER, A, -INFINITY, INFINITY, 0, 0, &m, w, NULL), 0);
        assert_int_equal(m, N);
        assert_int_equal(tw_syevr(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, -9, 0.5, 0, 0, &m, w, Z), TW_E_MEMORY);
        assert_int_equal(m, 24);
        assert_int_equal(tw_syevr(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, 2, 3, 0, 0, &m, w, Z), 0);
        assert_int_equal(m, 5);
        assert_true(w[0] == 3 && w[4] == 3);
        tw_matrix_destroy(A), tw_matrix_destroy(Z);
        free(a);
    }
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

/* LAPACK's arguments; work < 0: the LAPACK door; 0: LAPACKE's; 1: with _work, and workspaces of `size`. */
struct call {
    int expert, layout, work;
    enum tw_type t;
    char jobz, range, uplo;
    int n, lda, il, iu, ldz;
    double vl, vu;
    void *a, *w, *z, *space;
    int size[3];
    tw_int m;
};
static tw_int made(struct call *c)
{
    static lapack_int iwork[5000], each[2 * MOST];
    static tw_int each64[2 * MOST];
    static double rwork[9000];
    const float fl = (float)c->vl, fu = (float)c->vu;
    float *fw = c->w;
    double *w = c->w;
    lapack_int m = -1;
    tw_int info;

#define FRONT                          c->jobz, c->range, c->uplo, c->n, c->a, c->lda
#define DOOR(p, name, vl, vu, w, M, e) p##name(FRONT, vl, vu, c->il, c->iu, 0, M, w, c->z, c->ldz, e)
#define BY_WORK(p, name, vl, vu, w, ...)                                                                               \
    (c->work < 0 ? DOOR(tw_##p, name, vl, vu, w, &c->m, each64)                                                        \
     : c->work == 0                                                                                                    \
         ? tw_LAPACKE_##p##name(c->layout, FRONT, vl, vu, c->il, c->iu, 0, &m, w, c->z, c->ldz, each)                  \
         : tw_LAPACKE_##p##name##_work(c->layout, FRONT, vl, vu, c->il, c->iu, 0, &m, w, c->z, c->ldz, __VA_ARGS__))
#define R_REAL    each, c->space, c->size[0], iwork, c->size[2]
#define R_COMPLEX each, c->space, c->size[0], (void *)rwork, c->size[1], iwork, c->size[2]
#define X_REAL    c->space, c->size[0], iwork, each
#define X_COMPLEX c->space, c->size[0], (void *)rwork, iwork, each
    for (int i = 0; i < 2 * MOST; i++)
        each[i] = each64[i] = -7;
    switch (c->t) {
    case TW_FLOAT:
        info = c->expert ? BY_WORK(s, syevx, fl, fu, fw, X_REAL) : BY_WORK(s, syevr, fl, fu, fw, R_REAL);
        break;
    case TW_DOUBLE:
        info = c->expert ? BY_WORK(d, syevx, c->vl, c->vu, w, X_REAL) : BY_WORK(d, syevr, c->vl, c->vu, w, R_REAL);
        break;
    case TW_COMPLEX_FLOAT:
        info = c->expert ? BY_WORK(c, heevx, fl, fu, fw, X_COMPLEX) : BY_WORK(c, heevr, fl, fu, fw, R_COMPLEX);
        break;
    default:
        info =
            c->expert ? BY_WORK(z, heevx, c->vl, c->vu, w, X_COMPLEX) : BY_WORK(z, heevr, c->vl, c->vu, w, R_COMPLEX);
    }
    if (c->work >= 0) c->m = m;
    for (int i = 0; i < c->m && info == 0 && c->jobz == 'V' && c->size[0] != -1; i++) {
        const tw_int first = c->work < 0 ? each64[i] : each[i];
        /* isuppz is there only where all are wanted */
        assert_int_equal(first, c->expert ? 0 : c->range == 'A' ? i % 2 ? c->n : 1 : -7);
    }
    return info;
}

static void one_door(int expert, enum tw_type t, int layout, int work, char range)
{
    enum { N = 60, LDA = 63, IL = 11, IU = 40 };
    const enum tw_type real = t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? TW_FLOAT : TW_DOUBLE;
    void *low = tt_array(t, LDA, N), *a = tt_array(t, LDA, N), *z = tt_array(t, LDA, N), *column = tt_array(t, LDA, N),
         *w = tt_array(real, N, 1), *space = malloc(9000 * tt_size(t));
    double all[N], got[N];
    const int first = range == 'A' ? 0 : IL - 1, m = range == 'A' ? N : IU - IL + 1;
    struct call c = {expert, layout, work, t, 'V', range, expert ? 'U' : 'L', N, LDA, IL, IU, LDA,
                     0,      0,      a,    w, z,   space, {9000, 9000, 5000}, -1};
    tw_matrix *A;

    fill(t, RANDOM, 'L', N, low, LDA);
    fill(t, RANDOM, c.uplo, N, column, LDA);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, a, tt_layout_at(layout, i, j, LDA), tt_get(t, column, (size_t)(i + j * LDA)));
    assert_int_equal(tw_matrix_from_lapack(&A, t, TW_LOWER, N, N, low, LDA, 32), 0);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_LOWER, A, all, NULL), 0);
    tw_matrix_destroy(A);
    c.vl = (all[IL - 2] + all[IL - 1]) / 2, c.vu = (all[IU - 1] + all[IU]) / 2;
    if (work > 0) {
        c.size[0] = -1;
        assert_int_equal(made(&c), 0);
        assert_true(creal(tt_get(t, space, 0)) >= 2 * N);
        c.size[0] = 2 * N - 1;
        assert_int_equal(made(&c), expert ? -18 : -19);
        c.size[0] = 9000, c.size[2] = 3;
        if (!expert) assert_int_equal(made(&c), tt_complex(t) ? -23 : -21);
        c.size[2] = 5000;
    }
    tt_expect_info(made(&c), 0, "%c", range);
    assert_int_equal(c.m, m);
    for (int i = 0; i < m; i++)
        got[i] = creal(tt_get(real, w, (size_t)i));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, column, (size_t)(i + j * LDA), tt_get(t, z, tt_layout_at(layout, i, j, LDA)));
    judge("LAPACK's names", t, N, low, LDA, first, m, got, column, LDA);
    free(low), free(a), free(z), free(column), free(w), free(space);
}

static void doors(void **state)
{
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    setenv("TILEWORK_LEAF", "16", 1);
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
        FOR_TYPES(t)
            for (int expert = 0; expert < 2; expert++)
                for (int l = 0; l < 2; l++)
                    for (int work = l ? 0 : -1; work < 2; work++)
                        for (const char *range = "AVI"; *range; range++)
                            one_door(expert, t, layouts[l], work, *range);
    }
    unsetenv("TILEWORK_CROSSOVER");
    unsetenv("TILEWORK_LEAF");
    unsetenv("TILEWORK_BAND");
}

static void refusals_of_lapack(void **state)
{
    double a[16] = {0}, w[4], z[16];
    tw_int m, each[8];
    lapack_int m32, each32[8];
    (void)state;
#define D(jobz, range, uplo, n, lda, vl, vu, il, iu, ldz)                                                              \
    tw_dsyevr(jobz, range, uplo, n, a, lda, vl, vu, il, iu, 0, &m, w, z, ldz, each)
    assert_int_equal(D('X', 'A', 'L', 4, 4, 0, 0, 0, 0, 4), -1);
    assert_int_equal(D('V', 'X', 'L', 4, 4, 0, 0, 0, 0, 4), -2);
    assert_int_equal(D('V', 'A', 'X', 4, 4, 0, 0, 0, 0, 4), -3);
    assert_int_equal(D('V', 'A', 'L', -1, 4, 0, 0, 0, 0, 4), -4);
    assert_int_equal(D('V', 'A', 'L', 4, 3, 0, 0, 0, 0, 4), -6);
    assert_int_equal(D('V', 'V', 'L', 4, 4, 1, 1, 0, 0, 4), -8);
    assert_int_equal(D('V', 'I', 'L', 4, 4, 0, 0, 0, 2, 4), -9);
    assert_int_equal(D('V', 'I', 'L', 4, 4, 0, 0, 3, 2, 4), -10);
    assert_int_equal(D('V', 'I', 'L', 4, 4, 0, 0, 3, 5, 4), -10);
    assert_int_equal(D('V', 'A', 'L', 4, 4, 0, 0, 0, 0, 3), -15);
    assert_int_equal(D('N', 'A', 'L', 4, 4, 0, 0, 0, 0, 0), -15);
    assert_int_equal(D('N', 'A', 'L', 0, 1, 0, 0, 0, 0, 1), 0);
    assert_int_equal(m, 0);
    assert_int_equal(tw_dsyevx('V', 'A', 'L', 4, NULL, 4, 0, 0, 0, 0, 0, &m, w, z, 4, each), -5);
    assert_int_equal(tw_dsyevx('V', 'A', 'L', 4, a, 4, 0, 0, 0, 0, 0, NULL, w, z, 4, each), -12);
    assert_int_equal(tw_LAPACKE_dsyevr(7, 'V', 'A', 'L', 4, a, 4, 0, 0, 0, 0, 0, &m32, w, z, 4, each32), -1);
    assert_int_equal(tw_LAPACKE_dsyevr(LAPACK_ROW_MAJOR, 'V', 'I', 'L', 4, a, 4, 0, 0, 2, 4, 0, &m32, w, z, 2, each32),
                     -16);
    assert_int_equal(
        tw_LAPACKE_dsyevx(LAPACK_COL_MAJOR, 'V', 'V', 'L', 4, a, 4, NAN, 1, 0, 0, 0, &m32, w, z, 4, each32), -8);
    assert_int_equal(
        tw_LAPACKE_dsyevx(LAPACK_COL_MAJOR, 'V', 'A', 'L', 4, a, 4, 0, 1, 0, 0, NAN, &m32, w, z, 4, each32), -12);
    setenv("TILEWORK_CROSSOVER", "0", 1); /* z over a */
    assert_int_equal(tw_dsyevr('V', 'A', 'L', 4, a, 4, 0, 0, 0, 0, 0, &m, w, a, 4, each), -14);
    assert_int_equal(tw_LAPACKE_dsyevx(LAPACK_COL_MAJOR, 'V', 'A', 'L', 4, a, 4, 0, 0, 0, 0, 0, &m32, w, a, 4, each32),
                     -15);
    unsetenv("TILEWORK_CROSSOVER");
    for (int k = 0; k < 3; k++) { /* more than there is; of the last one the bytes are no size_t */
        const tw_int n = k == 0 ? (tw_int)1 << 24 : k == 1 ? INT32_MAX : (tw_int)1 << 31;
        assert_int_equal(D('V', 'V', 'L', n, n, 0, 1, 0, 0, n), TW_E_MEMORY);
        assert_non_null(strstr(tw_last_message(), "eigenvectors of an interval"));
    }
    a[1] = NAN;
    assert_int_equal(tw_LAPACKE_dsyevx(LAPACK_COL_MAJOR, 'V', 'A', 'L', 4, a, 4, 0, 1, 0, 0, 0, &m32, w, z, 4, each32),
                     -6);
    assert_int_equal(D('V', 'A', 'L', 4, 4, 0, 0, 0, 0, 4), 4);
    assert_true(isnan(w[0]) && m == 0);
}

static void refusals(void **state)
{
    double w[4], a[16] = {0};
    tw_int m;
    tw_matrix *A, *Z, *C;
    (void)state;
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, 4, 4, a, 4, 2), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_DOUBLE, TW_GENERAL, 4, 2, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
#define CALL(...) tw_syevr(__VA_ARGS__)
    assert_int_equal(CALL((enum tw_jobz)'X', TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, w, NULL), -1);
    assert_int_equal(CALL(TW_NOVECTORS, (enum tw_which)'X', TW_LOWER, A, 0, 0, 0, 0, &m, w, NULL), -2);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, (enum tw_uplo)'X', A, 0, 0, 0, 0, &m, w, NULL), -3);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, NULL, 0, 0, 0, 0, &m, w, NULL), -4);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INTERVAL, TW_LOWER, A, NAN, 0, 0, 0, &m, w, NULL), -5);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INTERVAL, TW_LOWER, A, 1, 1, 0, 0, &m, w, NULL), -6);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 0, 1, &m, w, NULL), -7);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 5, 5, &m, w, NULL), -7);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 3, 2, &m, w, NULL), -8);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 3, 5, &m, w, NULL), -8);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, NULL, w, NULL), -9);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, NULL, NULL), -10);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, w, Z), -11);
    assert_int_equal(CALL(TW_VECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, w, NULL), -11);
    assert_int_equal(CALL(TW_VECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, w, Z), -11);
    assert_int_equal(CALL(TW_VECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, w, C), -11);
    assert_int_equal(CALL(TW_VECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, w, A), -11);
    assert_int_equal(CALL(TW_VECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 1, 3, &m, w, Z), -11);
    assert_int_equal(tw_syevx_async(TW_NOVECTORS, TW_ALL, TW_LOWER, A, 0, 0, 0, 0, &m, w, NULL, NULL), -12);
    a[5] = NAN;
    assert_int_equal(tw_matrix_set_lapack(A, a, 4), 0);
    assert_int_equal(CALL(TW_VECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 1, 2, &m, w, Z), 4);
    assert_int_equal(m, 0);
    tw_matrix_destroy(A), tw_matrix_destroy(Z), tw_matrix_destroy(C);
}

/* Behind one another in a queue, with an interval whose count nobody knows yet; and the product of what it leaves. */
static void queued(void **state)
{
    enum { N = 120, K = 60 };
    (void)state;
    setenv("TILEWORK_BAND", "16", 1);
    setenv("TILEWORK_LEAF", "20", 1);
    FOR_TYPES(t) {
        void *a = tt_array(t, N, N), *z = tt_array(t, N, K), *g = tt_array(t, K, K);
        double w[2][N];
        tw_int m[2];
        tw_sequence *seq;
        tw_matrix *A, *Z, *G;

        fill(t, RANDOM, 'G', N, a, N);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, 32), 0);
        assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, K, 50, NULL), 0);
        assert_int_equal(tw_matrix_create(&G, t, TW_GENERAL, K, K, 32, NULL), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_laset_async(TW_GENERAL, (tw_scalar){0, 0}, (tw_scalar){0, 0}, Z, seq), 0);
        assert_int_equal(tw_syevr_async(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, 5, 100, 0, 0, &m[0], w[0], Z, seq), 0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, Z, Z, (tw_scalar){0, 0}, G, seq),
                         0);
        assert_int_equal(tw_syevx_async(TW_NOVECTORS, TW_INDICES, TW_UPPER, A, 0, 0, 3, 9, &m[1], w[1], NULL, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(Z, z, N), 0);
        assert_int_equal(tw_matrix_to_lapack(G, g, K), 0);
        assert_true(m[0] > 0 && m[0] < K && m[1] == 7 && w[0][0] > 5);
        judge("queued", t, N, a, N, N - (int)m[0], (int)m[0], w[0], z, N);
        judge("queued", t, N, a, N, 2, 7, w[1], NULL, N);
        for (int i = 0; i < m[0]; i++)
            tt_put(t, g, (size_t)i * (K + 1), tt_get(t, g, (size_t)i * (K + 1)) - 1);
        tt_expect("|Z^H Z - I|, queued", t, check_norm_ge(t, K, K, g, K) / (N * tt_eps(t)), 0, "n = %d", N);
        tw_matrix_destroy(A), tw_matrix_destroy(Z), tw_matrix_destroy(G);
        free(a), free(z), free(g);
    }
    unsetenv("TILEWORK_LEAF");
    unsetenv("TILEWORK_BAND");
}

/* The check of an interval: right answers pass, also with equal eigenvalues outside, and each kind of wrong one is
 * found. */
static void checks_of_intervals(void **state)
{
    enum { N = 12 };
    static const double exact[N] = {1e-6, 1e-6, 1e-6, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    double a[N * N] = {0}, w[N], error;
    const struct check_array array = {CHECK_HERMITIAN, TW_DOUBLE, TW_LOWER, TW_NONUNIT, N, N, a, N};
    const struct check_matrix A = check_of_array(&array);

    (void)state;
    for (int i = 0; i < N; i++)
        a[i * (N + 1)] = exact[i];
    memcpy(w, exact + 4, 3 * sizeof *w);
    assert_int_equal(check_interval(&A, 1.5, 4.5, 3, w, &error), 0);
    assert_true(error < 3);
    assert_int_equal(check_interval(&A, 1, 4, 3, w, &error), 0); /* ends that are eigenvalues */
    assert_true(error < 3);
    assert_int_equal(check_interval(&A, 1.5, 4.5, 2, w, &error), 0); /* one is missing */
    assert_false(error < 30);
    assert_int_equal(check_interval(&A, 0.5, 4.5, 3, w, &error), 0); /* another one is missing */
    assert_false(error < 30);
    assert_int_equal(check_interval(&A, 4.5, 7.5, 3, w, &error), 0); /* others */
    assert_false(error < 30);
    assert_int_equal(check_interval(&A, 1.5, 4.5, 0, w, &error), 0);
    assert_false(error < 30);
    assert_int_equal(check_interval(&A, 100, 200, 0, w, &error), 0);
    assert_true(error == 0);
    w[1] += 1e-9;
    assert_int_equal(check_interval(&A, 1.5, 4.5, 3, w, &error), 0);
    assert_false(error < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(indices),
                                       cmocka_unit_test(spectra),
                                       cmocka_unit_test(intervals),
                                       cmocka_unit_test(checks_of_intervals),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(doors),
                                       cmocka_unit_test(refusals_of_lapack),
                                       cmocka_unit_test(queued)};
    return tt_run(tests);
}
