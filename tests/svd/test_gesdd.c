/* gesdd: singular values and vectors of many kinds of matrices, for every job, through all doors; what is read and
 * written; bad input. */
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static int smaller(int a, int b)
{
    return a < b ? a : b;
}
static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

enum kind {
    RANDOM,
    ZERO,
    IDENTITY,
    ONES_BELOW,
    BIDIAGONAL,
    KAHAN,
    HILBERT,
    REPEATED,
    DEFICIENT,
    GRADED_ROWS,
    GRADED_COLUMNS,
    HUGE_,
    TINY,
    KINDS
};
static const char *const kinds[] = {"random",         "zero",    "identity", "ones below", "bidiagonal",
                                    "Kahan",          "Hilbert", "repeated", "deficient",  "graded rows",
                                    "graded columns", "huge",    "tiny"};

static tt_z element(enum tw_type t, enum kind kind, int n, int i, int j)
{
    const tt_z x = tt_uniform(7, i, j) + (tt_complex(t) ? tt_uniform(8, i, j) * I : 0);

    switch (kind) {
    case RANDOM: return x;
    case HUGE_: return x * (is_single(t) ? 1e37 : 1e305);
    case TINY: return x * (is_single(t) ? 1e-37 : 1e-305);
    case ZERO: return 0;
    case IDENTITY: return i == j;
    case ONES_BELOW: return i >= j;
    case BIDIAGONAL: return i == j ? i + 1 : j == i + 1 ? tt_uniform(9, i, j) : 0;
    case KAHAN: return i > j ? 0 : pow(sin(1.2), i) * (i == j ? 1 : -cos(1.2));
    case HILBERT: return 1.0 / (i + j + 1);
    case REPEATED: return (i == j) - 2.0 / n; /* of a square one: all values 1 */
    case DEFICIENT: return (double)(i % 3 + 1) * (j % 2 + 1) * (1 + (tt_complex(t) ? 0.5 * I : 0)) + (i % 5) * (j % 7);
    case GRADED_ROWS: return x * pow(2, -0.25 * i);
    default: return x * pow(2, -0.25 * j);
    }
}
static void fill(enum tw_type t, enum kind kind, int m, int n, void *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, element(t, kind, n, i, j));
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static void judge(const char *what, enum tw_type t, char job, int m, int n, const void *a, int lda, const double *s,
                  int left, const void *u, int ldu, int right, const void *vt, int ldvt)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[3] = {0, 0, 0}, error = 0;

    assert_int_equal(check_gesdd(&A, s, left, u, ldu, right, vt, ldvt, residual), 0);
    assert_int_equal(check_singular_values(&A, s, &error), 0);
    tt_expect("|A - U S V^H|", t, residual[0], 0, "%s, %c, %d x %d", what, job, m, n);
    tt_expect("|U^H U - I|", t, residual[1], 0, "%s, %c, %d x %d", what, job, m, n);
    tt_expect("|V^H V - I|", t, residual[2], 0, "%s, %c, %d x %d", what, job, m, n);
    tt_expect("|s - LAPACK's|", t, error, 0, "%s, %c, %d x %d", what, job, m, n);
}

/* How many vectors a job has, and where they are. */
struct job {
    char letter;
    int left, right, over_u, over_vt, in_u, in_vt;
};
static struct job job_of(char letter, int m, int n)
{
    const int k = smaller(m, n), over = letter == 'O', all = letter == 'A', some = letter == 'S';
    return (struct job){letter,        all || (over && m < n) ? m : k, all || (over && m >= n) ? n : k, over && m >= n,
                        over && m < n, all || some || (over && m < n), all || some || (over && m >= n)};
}

/* A in tiles of nb, vectors in tiles of nb_z. */
static void matrix_door(enum tt_storage storage, enum tw_type t, enum kind kind, char letter, int m, int n, int nb,
                        int nb_z)
{
    const struct job job = job_of(letter, m, n);
    const int lda = m + 2, ldu = m + 1, ldvt = job.right + 3;
    void *a = tt_array(t, lda, n), *before, *u = tt_array(t, ldu, job.left), *vt = tt_array(t, ldvt, n);
    double *s = malloc(((size_t)smaller(m, n) + 1) * sizeof *s);
    struct tt_place pa, pu, pv;
    tw_matrix *A, *U = NULL, *Vt = NULL;

    fill(t, kind, m, n, a, lda);
    before = tt_copy(t, lda, n, a);
    A = tt_enter(&pa, storage, t, TW_GENERAL, m, n, a, lda, nb);
    if (job.in_u) U = tt_enter(&pu, storage, t, TW_GENERAL, m, job.left, u, ldu, nb_z);
    if (job.in_vt) Vt = tt_enter(&pv, storage, t, TW_GENERAL, job.right, n, vt, ldvt, nb_z);
    tt_expect_info(tw_gesdd((enum tw_svd_job)letter, A, s, U, Vt), 0, "%s, %c, %d x %d", kinds[kind], letter, m, n);
    tt_leave(&pa);
    if (job.in_u) tt_leave(&pu);
    if (job.in_vt) tt_leave(&pv);
    if (letter != 'O') assert_memory_equal(a, before, (size_t)lda * (size_t)n * tt_size(t));
    judge(kinds[kind], t, letter, m, n, before, lda, s, job.left,
          job.over_u ? a
          : job.in_u ? u
                     : NULL,
          job.over_u ? lda : ldu, job.right,
          job.over_vt ? a
          : job.in_vt ? vt
                      : NULL,
          job.over_vt ? lda : ldvt);
    free(a), free(before), free(u), free(vt), free(s);
}

/* ---- right answers ----------------------------------------------------------------------------------------------- */

static void sizes(void **state)
{
    static const int ms[] = {0, 1, 2, 3, 7, 9, 16, 97};
    int turn = 0;
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int i = 0; i < COUNT(ms); i++)
            for (int j = 0; j < COUNT(ms); j++, turn++)
                for (const char *job = turn % 2 ? "NS" : "AO"; *job; job++)
                    matrix_door(turn % 3 == 2 ? TT_WRAPPED : TT_CREATED, t, RANDOM, *job, ms[i], ms[j], 16,
                                turn % 5 == 1 ? 23 : 16);
    unsetenv("TILEWORK_BAND");
}

static void bands(void **state)
{
    static const int bands[][4] = {{1, 1, 30, 25},     {3, 7, 40, 40},    {16, 16, 61, 70},   {32, 50, 130, 100},
                                   {64, 64, 200, 180}, {200, 64, 90, 90}, {64, 100, 300, 40}, {64, 100, 40, 300}};
    char text[16];
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(bands); k++) {
            snprintf(text, sizeof text, "%d", bands[k][0]);
            setenv("TILEWORK_BAND", text, 1);
            matrix_door(TT_CREATED, t, RANDOM, "SAON"[k % 4], bands[k][2], bands[k][3], bands[k][1], 64);
        }
    unsetenv("TILEWORK_BAND");
}

static void spectra(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (enum kind kind = ZERO; kind < KINDS; kind++) {
            matrix_door(TT_FROM_LAPACK, t, kind, 'S', 75, 75, 24, 32);
            matrix_door(TT_FROM_LAPACK, t, kind, kind % 2 ? 'A' : 'O', kind % 3 ? 100 : 40, kind % 3 ? 60 : 70, 24, 24);
        }
    unsetenv("TILEWORK_BAND");
}

/* QR first, by Cholesky factorizations; by reflectors where these will not do (zero, Kahan, Hilbert, deficient, graded
 * columns), and where all of U is wanted. */
static void tall(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t) {
        for (enum kind kind = RANDOM; kind < KINDS; kind++)
            if (kind != REPEATED) { /* which is of square ones */
                matrix_door(TT_CREATED, t, kind, "SON"[kind % 3], 560, 70, 24, 32);
                matrix_door(TT_WRAPPED, t, kind, "NSO"[kind % 3], 40, 520, 16, 24);
            }
        matrix_door(TT_CREATED, t, RANDOM, 'A', 560, 70, 24, 32);
        matrix_door(TT_CREATED, t, RANDOM, 'S', 600, 1, 16, 16);
    }
    unsetenv("TILEWORK_BAND");
}

/* As where there are GPUs: A and U in the tall tiles that are asked for, U written where it goes; reflectors by domains
 * of many rows (TILEWORK_TALL). */
static void tall_tiles(void **state)
{
    enum { M = 700, N = 40 };
    tw_int mb, nb;
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    setenv("TILEWORK_TALL", "90", 1);
    TT_TYPES(t)
        for (enum kind kind = RANDOM; kind < KINDS; kind++) {
            void *a, *u, *vt;
            double s[N];
            tw_matrix *A, *U, *Vt;

            if (kind == REPEATED) continue; /* which is of square ones */
            a = tt_array(t, M, N), u = tt_array(t, M, N), vt = tt_array(t, N, N);
            assert_int_equal(tw_routine_tiles("gesdd", t, M, N, 0, &mb, &nb), 0);
            assert_in_range(mb, 2 * nb, M / 4);
            assert_int_equal(nb, N);
            fill(t, kind, M, N, a, M);
            assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, M, N, mb, nb, NULL), 0);
            assert_int_equal(tw_matrix_create_tiles(&U, t, TW_GENERAL, M, N, mb, nb, NULL), 0);
            assert_int_equal(tw_matrix_create(&Vt, t, TW_GENERAL, N, N, nb, NULL), 0);
            assert_int_equal(tw_matrix_set_lapack(A, a, M), 0);
            tt_expect_info(tw_gesdd(TW_SVD_SOME, A, s, U, Vt), 0, "tall tiles, %s", kinds[kind]);
            assert_int_equal(tw_matrix_to_lapack(U, u, M), 0);
            assert_int_equal(tw_matrix_to_lapack(Vt, vt, N), 0);
            judge(kinds[kind], t, 'S', M, N, a, M, s, N, u, M, N, vt, N);
            tt_expect_info(tw_gesdd(TW_SVD_OVERWRITE, A, s, NULL, Vt), 0, "tall tiles, %s", kinds[kind]);
            assert_int_equal(tw_matrix_to_lapack(A, u, M), 0);
            assert_int_equal(tw_matrix_to_lapack(Vt, vt, N), 0);
            judge(kinds[kind], t, 'O', M, N, a, M, s, N, u, M, N, vt, N);
            assert_int_equal(tw_matrix_destroy(A), 0);
            assert_int_equal(tw_matrix_destroy(U), 0);
            assert_int_equal(tw_matrix_destroy(Vt), 0);
            free(a), free(u), free(vt);
        }
    unsetenv("TILEWORK_TALL");
    unsetenv("TILEWORK_BAND");
}

/* The lower triangle of ones: 1 / (2 sin((2 k - 1) pi / (4 n + 2))), with no LAPACK in between. */
static void known_values(void **state)
{
    enum { N = 150 };
    static double a[N * N];
    double s[N], worst = 0;
    (void)state;
    fill(TW_DOUBLE, ONES_BELOW, N, N, a, N);
    setenv("TILEWORK_CROSSOVER", "0", 1);
    assert_int_equal(tw_dgesdd('N', N, N, a, N, s, NULL, 1, NULL, 1), 0);
    unsetenv("TILEWORK_CROSSOVER");
    for (int k = 0; k < N; k++)
        worst = fmax(worst, fabs(s[k] - 0.5 / sin((2 * k + 1) * acos(-1) / (4 * N + 2))));
    tt_expect("|s - 1 / (2 sin)|", TW_DOUBLE, worst / (N * DBL_EPSILON / 2 * s[0]), 0, "n = %d", N);
}

/* LAPACK as one task; U alone and V^T alone. */
static void routes(void **state)
{
    static const char *const route[] = {"lapack", "two"};
    (void)state;
    TT_TYPES(t)
        for (int r = 0; r < COUNT(route); r++) {
            enum { M = 60, N = 45 };
            void *a = tt_array(t, M, N), *u = tt_array(t, M, N), *vt = tt_array(t, N, N);
            double s[N], value = 0;
            struct tt_place pa, pu, pv;
            tw_matrix *A;

            setenv("TILEWORK_ROUTE", route[r], 1);
            for (const char *job = "NSAO"; *job; job++) {
                matrix_door(TT_CREATED, t, RANDOM, *job, M, N, 16, 20);
                matrix_door(TT_CREATED, t, RANDOM, *job, N, M, 16, 20);
            }
            assert_true(tw_figure("route", &value));
            assert_true(value == (r ? TW_ROUTE_TWO : TW_ROUTE_LAPACK));
            fill(t, RANDOM, M, N, a, M);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, M, N, a, M, 16);
            tt_expect_info(tw_gesdd(TW_SVD_SOME, A, s, tt_enter(&pu, TT_CREATED, t, TW_GENERAL, M, N, u, M, 16), NULL),
                           0, "U");
            tt_leave(&pu);
            tt_expect_info(tw_gesdd(TW_SVD_SOME, A, s, NULL, tt_enter(&pv, TT_CREATED, t, TW_GENERAL, N, N, vt, N, 16)),
                           0, "Vt");
            tt_leave(&pv);
            tt_leave(&pa);
            judge("apart", t, 'S', M, N, a, M, s, N, u, M, N, vt, N);
            free(a), free(u), free(vt);
        }
    unsetenv("TILEWORK_ROUTE");
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static tw_int door(enum tw_type t, char job, int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt,
                   int ldvt)
{
    float single[200];
    tw_int info;

    if (t == TW_DOUBLE) return tw_dgesdd(job, m, n, a, lda, s, u, ldu, vt, ldvt);
    if (t == TW_COMPLEX_DOUBLE) return tw_zgesdd(job, m, n, a, lda, s, u, ldu, vt, ldvt);
    info = t == TW_FLOAT ? tw_sgesdd(job, m, n, a, lda, single, u, ldu, vt, ldvt)
                         : tw_cgesdd(job, m, n, a, lda, single, u, ldu, vt, ldvt);
    for (int i = 0; i < smaller(m, n) && info == 0; i++)
        s[i] = (double)single[i];
    return info;
}

static void lapack_door(void **state)
{
    static const int shapes[][2] = {{97, 97}, {120, 50}, {50, 97}, {70, 60}};
    double s[200];
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        setenv("TILEWORK_BAND", "16", 1);
        TT_TYPES(t)
            for (int k = 0; k < COUNT(shapes); k++)
                for (const char *letter = "NSAOnsao"; *letter; letter++) {
                    const int m = shapes[k][0], n = shapes[k][1], lda = m + 3;
                    const struct job job = job_of((char)(*letter & ~32), m, n);
                    const int ldu = job.in_u ? m + 1 : 1, ldvt = job.in_vt ? job.right + 2 : 1;
                    void *a = tt_array(t, lda, n), *before, *u = tt_array(t, ldu, job.left), *vt = tt_array(t, ldvt, n);
                    if (*letter >= 'a' && k > 0) {
                        free(a), free(u), free(vt);
                        continue;
                    }
                    fill(t, RANDOM, m, n, a, lda);
                    before = tt_copy(t, lda, n, a);
                    tt_expect_info(
                        door(t, *letter, m, n, a, lda, s, job.in_u ? u : NULL, ldu, job.in_vt ? vt : NULL, ldvt), 0,
                        "%c, %d x %d", *letter, m, n);
                    assert_int_equal(tt_touched(t, 'G', m, n, a, lda), 0);
                    judge("LAPACK's name", t, job.letter, m, n, before, lda, s, job.left,
                          job.over_u ? a
                          : job.in_u ? u
                                     : NULL,
                          job.over_u ? lda : ldu, job.right,
                          job.over_vt ? a
                          : job.in_vt ? vt
                                      : NULL,
                          job.over_vt ? lda : ldvt);
                    free(a), free(before), free(u), free(vt);
                }
        unsetenv("TILEWORK_BAND");
        unsetenv("TILEWORK_CROSSOVER");
    }
}

static int lapacke(int ours, int work, enum tw_type t, int layout, char job, int m, int n, void *a, int lda, double *s,
                   void *u, int ldu, void *vt, int ldvt, void *space, int lwork)
{
    static lapack_int iwork[2000];
    static double rwork[200000];
    float single[200];
    float *const few = (float *)(void *)rwork;
    int info;

#define CALL(p, s, ...)                                                                                                \
    (ours ? work ? tw_LAPACKE_##p##gesdd_work(layout, job, m, n, a, lda, s, u, ldu, vt, ldvt, space, lwork,            \
                                              __VA_ARGS__)                                                             \
                 : tw_LAPACKE_##p##gesdd(layout, job, m, n, a, lda, s, u, ldu, vt, ldvt)                               \
          : LAPACKE_##p##gesdd_work(layout, job, m, n, a, lda, s, u, ldu, vt, ldvt, space, lwork, __VA_ARGS__))
    switch (t) {
    case TW_DOUBLE: return CALL(d, s, iwork);
    case TW_COMPLEX_DOUBLE: return CALL(z, s, rwork, iwork);
    case TW_FLOAT: info = CALL(s, single, iwork); break;
    default: info = CALL(c, single, few, iwork);
    }
#undef CALL
    for (int i = 0; i < smaller(m, n) && info == 0 && lwork != -1; i++)
        s[i] = (double)single[i];
    return info;
}

static void lapacke_doors(void **state)
{
    enum { SPACE = 60000 };
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR}, shapes[][2] = {{40, 30}, {30, 40}, {60, 20}};
    double s[100];
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shapes); k++)
            for (int l = 0; l < 2; l++)
                for (const char *letter = "NSAO"; *letter; letter++) {
                    const int m = shapes[k][0], n = shapes[k][1], ld = larger(m, n) + 3, work = (k + l) % 2;
                    const struct job job = job_of(*letter, m, n);
                    void *a = tt_array(t, ld, ld), *column = tt_array(t, ld, n), *u = tt_array(t, ld, ld),
                         *vt = tt_array(t, ld, ld), *space = malloc(SPACE * tt_size(t)), *q[2];
                    const void *from[2] = {job.over_u ? a
                                           : job.in_u ? u
                                                      : NULL,
                                           job.over_vt ? a
                                           : job.in_vt ? vt
                                                       : NULL};
                    const int rows[2] = {m, job.right}, columns[2] = {job.left, n};
                    fill(t, RANDOM, m, n, column, ld);
                    for (int j = 0; j < n; j++)
                        for (int i = 0; i < m; i++)
                            tt_put(t, a, tt_layout_at(layouts[l], i, j, ld),
                                   tt_get(t, column, (size_t)i + (size_t)j * (size_t)ld));
                    if (work) {
                        assert_int_equal(
                            lapacke(1, 1, t, layouts[l], *letter, m, n, a, ld, s, u, ld, vt, ld, space, -1), 0);
                        assert_true(creal(tt_get(t, space, 0)) >= 2 * smaller(m, n));
                        assert_int_equal(
                            lapacke(1, 1, t, layouts[l], *letter, m, n, a, ld, s, u, ld, vt, ld, space, 30), -13);
                    }
                    assert_int_equal(
                        lapacke(1, work, t, layouts[l], *letter, m, n, a, ld, s, u, ld, vt, ld, space, SPACE), 0);
                    for (int side = 0; side < 2; side++) { /* as columns */
                        q[side] = from[side] ? tt_array(t, ld, ld) : NULL;
                        for (int j = 0; q[side] && j < columns[side]; j++)
                            for (int i = 0; i < rows[side]; i++)
                                tt_put(t, q[side], (size_t)i + (size_t)j * (size_t)ld,
                                       tt_get(t, from[side], tt_layout_at(layouts[l], i, j, ld)));
                    }
                    judge("LAPACKE's name", t, *letter, m, n, column, ld, s, job.left, q[0], ld, job.right, q[1], ld);
                    free(a), free(column), free(u), free(vt), free(space), free(q[0]), free(q[1]);
                }
    unsetenv("TILEWORK_BAND");
    unsetenv("TILEWORK_CROSSOVER");
}

/* Of workspaces LAPACK's own least sizes are asked for: it accepts what we do, one element less neither. */
static void workspaces(void **state)
{
    enum { SPACE = 20000, LD = 50 };
    static const int shapes[][2] = {{1, 1},  {8, 8}, {9, 8},  {14, 8}, {15, 8}, {16, 8},
                                    {40, 8}, {8, 9}, {8, 14}, {8, 15}, {8, 40}};
    double s[LD];
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shapes); k++)
            for (const char *letter = "NSAO"; *letter; letter++) {
                const int m = shapes[k][0], n = shapes[k][1];
                void *a = tt_array(t, LD, LD), *u = tt_array(t, LD, LD), *vt = tt_array(t, LD, LD),
                     *space = calloc(SPACE, tt_size(t));
                int least;
                fill(t, RANDOM, LD, LD, a, LD);
                assert_int_equal(lapacke(1, 1, t, LAPACK_COL_MAJOR, *letter, m, n, a, LD, s, u, LD, vt, LD, space, -1),
                                 0);
                least = (int)creal(tt_get(t, space, 0));
                assert_int_equal(
                    lapacke(0, 1, t, LAPACK_COL_MAJOR, *letter, m, n, a, LD, s, u, LD, vt, LD, space, least), 0);
                for (int ours = 0; least > 1 && ours < 2; ours++)
                    tt_expect_info(
                        lapacke(ours, 1, t, LAPACK_COL_MAJOR, *letter, m, n, a, LD, s, u, LD, vt, LD, space, least - 1),
                        -13, "%c, %d x %d, lwork %d, %s", *letter, m, n, least - 1, ours ? "ours" : "LAPACK's");
                free(a), free(u), free(vt), free(space);
            }
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void not_finite(void **state)
{
    static const double bad[] = {NAN, INFINITY};
    enum { M = 40, N = 30 };
    double s[M];
    (void)state;
    TT_TYPES(t)
        for (int b = 0; b < 2; b++)
            for (const char *letter = "NSO"; *letter; letter++) {
                void *a = tt_array(t, M, N), *u = tt_array(t, M, M), *vt = tt_array(t, N, N);
                struct tt_place pa;
                fill(t, RANDOM, M, N, a, M);
                tt_put(t, a, 5 + 11 * M, bad[b]);
                for (int small = 0; small < 2; small++) {
                    if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
                    assert_int_equal(door(t, *letter, M, N, a, M, s, u, M, vt, N), -4);
                    unsetenv("TILEWORK_CROSSOVER");
                }
                assert_int_equal(tt_touched(t, 'G', 0, M, u, M), 0);
                assert_int_equal(
                    tw_gesdd(TW_SVD_NONE, tt_enter(&pa, TT_CREATED, t, TW_GENERAL, M, N, a, M, 16), s, NULL, NULL), N);
                tt_leave(&pa);
                for (int i = 0; i < N; i++)
                    assert_true(isnan(s[i]));
                free(a), free(u), free(vt);
            }
}

static void refusals(void **state)
{
    double a[12] = {1}, s[4], u[16], vt[16];
    tw_matrix *A, *U, *Vt, *F, *W;
    (void)state;
    assert_int_equal(tw_dgesdd('X', 4, 3, a, 4, s, u, 4, vt, 3), -1);
    assert_int_equal(tw_dgesdd('N', -1, 3, a, 4, s, u, 4, vt, 3), -2);
    assert_int_equal(tw_dgesdd('N', 4, -1, a, 4, s, u, 4, vt, 3), -3);
    assert_int_equal(tw_dgesdd('N', 4, 3, NULL, 4, s, u, 4, vt, 3), -4);
    assert_int_equal(tw_dgesdd('N', 4, 3, a, 3, s, u, 4, vt, 3), -5);
    assert_int_equal(tw_dgesdd('N', 4, 3, a, 4, NULL, u, 4, vt, 3), -6);
    assert_int_equal(tw_dgesdd('S', 4, 3, a, 4, s, NULL, 4, vt, 3), -7);
    assert_int_equal(tw_dgesdd('S', 4, 3, a, 4, s, u, 3, vt, 3), -8);
    assert_int_equal(tw_dgesdd('N', 4, 3, a, 4, s, u, 0, vt, 3), -8);
    assert_int_equal(tw_dgesdd('O', 3, 4, a, 3, s, u, 2, vt, 3), -8);
    assert_int_equal(tw_dgesdd('A', 4, 3, a, 4, s, u, 4, NULL, 3), -9);
    assert_int_equal(tw_dgesdd('A', 3, 4, a, 3, s, u, 3, vt, 3), -10);
    assert_int_equal(tw_dgesdd('O', 4, 3, a, 4, s, u, 1, vt, 2), -10);
    assert_int_equal(tw_dgesdd('N', 4, 3, a, 4, s, u, 1, vt, 0), -10);
    assert_int_equal(tw_dgesdd('S', 0, 3, NULL, 1, NULL, NULL, 1, NULL, 1), 0);
    assert_int_equal(tw_LAPACKE_dgesdd(7, 'N', 4, 3, a, 4, s, u, 4, vt, 3), -1);
    assert_int_equal(tw_LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'X', 4, 3, a, 4, s, u, 4, vt, 3), -2);
    assert_int_equal(tw_LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', 4, 3, a, 2, s, u, 4, vt, 3), -6);
    assert_int_equal(tw_LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', 4, 3, a, 3, s, u, 3, vt, 3), -9);
    assert_int_equal(tw_LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', 4, 3, a, 3, s, u, 4, vt, 2), -11);
    /* V^H goes over a: LAPACKE looks at ldvt all the same */
    assert_int_equal(LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'O', 3, 4, a, 4, s, u, 3, vt, 3), -11);
    assert_int_equal(tw_LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'O', 3, 4, a, 4, s, u, 3, vt, 3), -11);
    a[1] = NAN; /* told before a leading dimension that is too small */
    assert_int_equal(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', 4, 3, a, 3, s, u, 4, vt, 3), -5);
    assert_int_equal(tw_LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', 4, 3, a, 3, s, u, 4, vt, 3), -5);
    a[1] = 0;
    a[1] = NAN;
    assert_int_equal(tw_LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', 4, 3, a, 4, s, u, 4, vt, 3), -5);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&Vt, TW_DOUBLE, TW_GENERAL, 3, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_UPPER, 3, 3, 2, NULL), 0);
    assert_int_equal(tw_gesdd((enum tw_svd_job)'X', A, s, NULL, NULL), -1);
    assert_int_equal(tw_gesdd(TW_SVD_NONE, NULL, s, NULL, NULL), -2);
    assert_int_equal(tw_gesdd(TW_SVD_NONE, W, s, NULL, NULL), -2);
    assert_int_equal(tw_gesdd(TW_SVD_NONE, A, NULL, NULL, NULL), -3);
    assert_int_equal(tw_gesdd(TW_SVD_NONE, A, s, U, NULL), -4);
    assert_int_equal(tw_gesdd(TW_SVD_NONE, A, s, NULL, Vt), -5);
    assert_int_equal(tw_gesdd(TW_SVD_SOME, A, s, A, Vt), -4);
    assert_int_equal(tw_gesdd(TW_SVD_SOME, A, s, F, Vt), -4);
    assert_int_equal(tw_gesdd(TW_SVD_SOME, A, s, Vt, Vt), -4);
    assert_int_equal(tw_gesdd(TW_SVD_SOME, A, s, U, U), -5);
    assert_int_equal(tw_gesdd(TW_SVD_SOME, A, s, U, W), -5);
    assert_int_equal(tw_gesdd(TW_SVD_ALL, A, s, U, Vt), -4);
    assert_int_equal(tw_gesdd(TW_SVD_OVERWRITE, A, s, U, Vt), -4);
    assert_int_equal(tw_gesdd(TW_SVD_OVERWRITE, A, s, NULL, NULL), -5);
    assert_int_equal(tw_gesdd(TW_SVD_SOME, Vt, s, W, W), -4);
    assert_int_equal(tw_gesdd_async(TW_SVD_NONE, A, s, NULL, NULL, NULL), -6);
    tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt), tw_matrix_destroy(F), tw_matrix_destroy(W);
}

/* ---- in a graph -------------------------------------------------------------------------------------------------- */

/* U^H U of what gesdd leaves, queued behind it; A is overwritten by another one behind that. */
static void queued(void **state)
{
    enum { M = 130, N = 110 };
    (void)state;
    setenv("TILEWORK_BAND", "16", 1);
    TT_TYPES(t) {
        void *a = tt_array(t, M, N), *u = tt_array(t, M, N), *vt = tt_array(t, N, N), *g = tt_array(t, N, N),
             *over = tt_array(t, M, N), *second = tt_array(t, N, N);
        double s[2][N];
        tw_sequence *seq;
        tw_matrix *A, *U, *Vt, *G, *W;

        fill(t, RANDOM, M, N, a, M);
        assert_int_equal(tw_matrix_create(&A, t, TW_GENERAL, M, N, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&U, t, TW_GENERAL, M, N, 50, NULL), 0);
        assert_int_equal(tw_matrix_create(&Vt, t, TW_GENERAL, N, N, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&G, t, TW_GENERAL, N, N, 50, NULL), 0);
        assert_int_equal(tw_matrix_create(&W, t, TW_GENERAL, N, N, 40, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(A, a, M), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_gesdd_async(TW_SVD_SOME, A, s[0], U, Vt, seq), 0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, U, U, (tw_scalar){0, 0}, G, seq),
                         0);
        assert_int_equal(tw_gesdd_async(TW_SVD_OVERWRITE, A, s[1], NULL, W, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(U, u, M), 0);
        assert_int_equal(tw_matrix_to_lapack(Vt, vt, N), 0);
        assert_int_equal(tw_matrix_to_lapack(G, g, N), 0);
        assert_int_equal(tw_matrix_to_lapack(A, over, M), 0);
        assert_int_equal(tw_matrix_to_lapack(W, second, N), 0);
        judge("queued", t, 'S', M, N, a, M, s[0], N, u, M, N, vt, N);
        judge("queued", t, 'O', M, N, a, M, s[1], N, over, M, N, second, N);
        for (int i = 0; i < N; i++)
            tt_put(t, g, (size_t)i * (N + 1), tt_get(t, g, (size_t)i * (N + 1)) - 1);
        tt_expect("|U^H U - I|, queued", t, check_norm_ge(t, N, N, g, N) / (M * tt_eps(t)), 0, "n = %d", N);
        tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt), tw_matrix_destroy(G), tw_matrix_destroy(W);
        free(a), free(u), free(vt), free(g), free(over), free(second);
    }
    unsetenv("TILEWORK_BAND");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),      cmocka_unit_test(bands),       cmocka_unit_test(spectra),
        cmocka_unit_test(tall),       cmocka_unit_test(tall_tiles),  cmocka_unit_test(known_values),
        cmocka_unit_test(routes),     cmocka_unit_test(lapack_door), cmocka_unit_test(lapacke_doors),
        cmocka_unit_test(workspaces), cmocka_unit_test(not_finite),  cmocka_unit_test(refusals),
        cmocka_unit_test(queued)};
    return tt_run(tests);
}
