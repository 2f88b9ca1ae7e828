/* gelsd and gelss: least squares and least norm of matrices of full and lesser rank, by all doors, beside LAPACK's. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))
enum { MOST = 150, SPACE = 60000, NRHS = 5 };

static int ss; /* gelss, not gelsd */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}
static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* A of that rank, times `size`: a product of random matrices; B has max(m, n) + 1 rows of memory, and NaN where nobody
 * reads. */
static void problem(enum tw_type t, int m, int n, int rank, double size, void *a, int lda, void *b, int ldb)
{
    tt_z *x = calloc((size_t)m * (size_t)rank + 1, sizeof *x), *y = calloc((size_t)rank * (size_t)n + 1, sizeof *y),
         *p = calloc((size_t)m * (size_t)n + 1, sizeof *p);

    for (int i = 0; i < m * rank; i++) /* far from singular */
        x[i] = (i % (m + 1) == 0 ? 12 : 0) + tt_uniform(3, i, 1) + (tt_complex(t) ? I * tt_uniform(4, i, 1) : 0);
    for (int i = 0; i < rank * n; i++)
        y[i] = (i % (rank + 1) == 0 ? 12 : 0) + tt_uniform(5, i, 1) + (tt_complex(t) ? I * tt_uniform(6, i, 1) : 0);
    tt_multiply(m, n, rank, 1, x, y, 0, p);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, size * p[i + j * m]);
    for (int j = 0; j < NRHS; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, b, (size_t)i + (size_t)j * (size_t)ldb,
                   size * (tt_uniform(7, i, j) + (tt_complex(t) ? I * tt_uniform(8, i, j) : 0)));
    free(x), free(y), free(p);
}

static int of_lapack(enum tw_type t, int m, int n, void *a, int lda, void *b, int ldb, double *s, double rcond)
{
    float single[MOST];
    int rank = -1, info;

    switch (t) {
    case TW_FLOAT:
        info = LAPACKE_sgelsd(LAPACK_COL_MAJOR, m, n, NRHS, a, lda, b, ldb, single, (float)rcond, &rank);
        break;
    case TW_DOUBLE: info = LAPACKE_dgelsd(LAPACK_COL_MAJOR, m, n, NRHS, a, lda, b, ldb, s, rcond, &rank); break;
    case TW_COMPLEX_FLOAT:
        info = LAPACKE_cgelsd(LAPACK_COL_MAJOR, m, n, NRHS, a, lda, b, ldb, single, (float)rcond, &rank);
        break;
    default: info = LAPACKE_zgelsd(LAPACK_COL_MAJOR, m, n, NRHS, a, lda, b, ldb, s, rcond, &rank);
    }
    assert_int_equal(info, 0);
    return rank;
}

/* x beside LAPACK's, in units of eps times the condition of what counts; the residual's length below x; values; and A^H
 * (b - A x). */
static void judge(const char *what, enum tw_type t, int m, int n, int rank, const void *a, int lda, const void *b,
                  int ldb, const void *x, int ldx, const double *s)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    const int longest = larger(m, n);
    void *reference = tt_copy(t, ldb, NRHS, b),
         *spoilt = malloc(((size_t)lda * (size_t)n + 4 * (size_t)lda) * tt_size(t));
    double residual = 0, error = 0, values[MOST], worst = 0, size = 0, below[2];

    memcpy(spoilt, a, (size_t)lda * (size_t)n * tt_size(t));
    for (int j = 0; j < NRHS; j++) /* LAPACKE looks for NaNs there, too */
        for (int i = m; i < longest; i++)
            tt_put(t, reference, (size_t)i + (size_t)j * (size_t)ldb, 0);
    assert_int_equal(of_lapack(t, m, n, spoilt, lda, reference, ldb, values, 0.001), rank);
    for (int j = 0; j < NRHS; j++) {
        for (int i = 0; i < n; i++) {
            const tt_z r = tt_get(t, reference, (size_t)i + (size_t)j * (size_t)ldb);
            worst = fmax(worst, cabs(tt_get(t, x, (size_t)i + (size_t)j * (size_t)ldx) - r));
            size = fmax(size, cabs(r));
        }
        below[0] = below[1] = 0;
        for (int i = n; i < m && rank == n; i++) {
            below[0] = hypot(below[0], cabs(tt_get(t, x, (size_t)i + (size_t)j * (size_t)ldx)));
            below[1] = hypot(below[1], cabs(tt_get(t, reference, (size_t)i + (size_t)j * (size_t)ldb)));
        }
        assert_true(fabs(below[0] - below[1]) <= 1000 * tt_eps(t) * below[1]);
    }
    tt_expect("|x - LAPACK's|", t, worst / size / (longest * tt_eps(t) * s[0] / s[rank - 1]), 0, "%s, %d x %d, rank %d",
              what, m, n, rank);
    assert_int_equal(check_singular_values(&A, s, &error), 0);
    tt_expect("|s - LAPACK's|", t, error, 0, "%s, %d x %d", what, m, n);
    if ((m >= n || rank == m) && s[0] > 1e-5 && s[0] < 1e5) { /* A^H (b - A x) is in range */
        assert_int_equal(check_gelsy(&A, rank, NRHS, x, ldx, b, ldb, &residual), 0);
        tt_expect("|A^H (b - A x)|", t, residual, 0, "%s, %d x %d, rank %d", what, m, n, rank);
    }
    free(reference), free(spoilt);
}

/* What gelss leaves in A: rows of V^H, whose products with A's rows are as long as the singular values. */
static void vectors(enum tw_type t, int m, int n, const void *a, int lda, const void *vt, int ldvt, const double *s)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    const int k = smaller(m, n);
    tt_z *wide = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, lda), *v = tt_full(TT_GENERAL, t, 'G', 'N', k, n, vt, ldvt);
    double residual[3] = {0}, worst = 0;

    assert_int_equal(check_gesdd(&A, s, 0, NULL, 1, k, vt, ldvt, residual), 0);
    tt_expect("|V^H V - I|", t, residual[2], 0, "gelss, %d x %d", m, n);
    for (int j = 0; j < k; j++) {
        double length = 0;
        for (int i = 0; i < m; i++) {
            tt_z sum = 0;
            for (int l = 0; l < n; l++)
                sum += wide[i + l * m] / s[0] * conj(v[j + l * k]);
            length = hypot(length, cabs(sum));
        }
        worst = fmax(worst, fabs(length - s[j] / s[0]));
    }
    tt_expect("||A v| - s|", t, worst / (larger(m, n) * tt_eps(t)), 0, "gelss, %d x %d", m, n);
    free(wide), free(v);
}

static void matrix_door(void **state)
{
    static const int shapes[][3] = {{1, 1, 1},     {3, 2, 2},     {60, 60, 60}, {90, 40, 40},
                                    {40, 90, 40},  {70, 60, 20},  {50, 80, 30}, {130, 30, 11},
                                    {560, 40, 40}, {40, 530, 40}, {520, 50, 20}};
    static const double sizes[2][3] = {{1, 1e25, 1e-25}, {1, 1e200, 1e-200}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shapes); k++) {
            const int m = shapes[k][0], n = shapes[k][1], lda = m + 1, ldb = larger(m, n) + 2, rank = shapes[k][2];
            void *a = tt_array(t, lda, n), *b = tt_array(t, ldb, NRHS), *x, *v;
            double s[MOST];
            struct tt_place pa, pb;
            tw_matrix *A, *B;
            int found = -1;

            problem(t, m, n, rank, sizes[t == TW_DOUBLE || t == TW_COMPLEX_DOUBLE][k % 3], a, lda, b, ldb);
            x = tt_copy(t, ldb, NRHS, b);
            B = tt_enter(&pb, TT_CREATED, t, TW_GENERAL, larger(m, n), NRHS, x, ldb, k % 2 ? 24 : 17);
            v = tt_copy(t, lda, n, a);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, v, lda, 24);
            tt_expect_info((ss ? tw_gelss : tw_gelsd)(A, B, s, 0.001, &found), 0, "%d x %d", m, n);
            tt_leave(&pa), tt_leave(&pb);
            if (ss) vectors(t, m, n, a, lda, v, lda, s);
            assert_int_equal(found, rank);
            judge("matrix", t, m, n, rank, a, lda, b, ldb, x, ldb, s);
            free(a), free(b), free(x), free(v);
        }
    unsetenv("TILEWORK_BAND");
}

static int lapacke(int ours, int work, enum tw_type t, int layout, int m, int n, int nrhs, void *a, int lda, void *b,
                   int ldb, double *s, lapack_int *rank, void *space, int lwork)
{
    static lapack_int iwork[4000];
    static double rwork[SPACE];
    float *const few = (float *)(void *)rwork;
    float single[MOST];
    int info;

#define WORK(p, s, rcond, ...)                                                                                         \
    (ours ? tw_LAPACKE_##p##gelsd_work(layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, __VA_ARGS__)                \
          : LAPACKE_##p##gelsd_work(layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, __VA_ARGS__))
#define WORK_SS(p, s, rcond, ...)                                                                                      \
    (ours ? tw_LAPACKE_##p##gelss_work(layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, __VA_ARGS__)                \
          : LAPACKE_##p##gelss_work(layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, __VA_ARGS__))
#define WHOLE(p, s, rcond)                                                                                             \
    (ss ? tw_LAPACKE_##p##gelss(layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank)                                    \
        : tw_LAPACKE_##p##gelsd(layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank))
    switch (work && ss ? TW_NTYPES + (int)t : (int)t) {
    case TW_NTYPES + TW_DOUBLE: return WORK_SS(d, s, 0.001, space, lwork);
    case TW_NTYPES + TW_COMPLEX_DOUBLE: return WORK_SS(z, s, 0.001, space, lwork, rwork);
    case TW_NTYPES + TW_FLOAT: info = WORK_SS(s, single, 0.001F, space, lwork); break;
    case TW_NTYPES + TW_COMPLEX_FLOAT: info = WORK_SS(c, single, 0.001F, space, lwork, few); break;
    case TW_DOUBLE: return work ? WORK(d, s, 0.001, space, lwork, iwork) : WHOLE(d, s, 0.001);
    case TW_COMPLEX_DOUBLE: return work ? WORK(z, s, 0.001, space, lwork, rwork, iwork) : WHOLE(z, s, 0.001);
    case TW_FLOAT: info = work ? WORK(s, single, 0.001F, space, lwork, iwork) : WHOLE(s, single, 0.001F); break;
    default: info = work ? WORK(c, single, 0.001F, space, lwork, few, iwork) : WHOLE(c, single, 0.001F);
    }
    for (int i = 0; i < smaller(m, n) && info == 0 && lwork != -1; i++)
        s[i] = (double)single[i];
    return info;
}

static void lapacke_doors(void **state)
{
    static const int shapes[][3] = {{50, 40, 40}, {40, 50, 17}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int c = 0; c < 8; c++) {
            const int *shape = shapes[c % 2], layout = c / 2 % 2 ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, work = c / 4,
                      ld = 60;
            const int m = shape[0], n = shape[1];
            void *a = tt_array(t, ld, ld), *b = tt_array(t, ld, ld), *x = tt_array(t, ld, ld), *f = tt_array(t, ld, ld),
                 *v = tt_array(t, ld, ld), *space = malloc(SPACE * tt_size(t));
            double s[MOST];
            lapack_int rank = -1;

            if (c % 3) setenv("TILEWORK_CROSSOVER", "0", 1);
            problem(t, m, n, shape[2], 1, a, ld, b, ld);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    tt_put(t, f, tt_layout_at(layout, i, j, ld), tt_get(t, a, (size_t)i + (size_t)j * (size_t)ld));
            for (int j = 0; j < NRHS; j++)
                for (int i = 0; i < larger(m, n); i++)
                    tt_put(t, x, tt_layout_at(layout, i, j, ld),
                           i < m ? tt_get(t, b, (size_t)i + (size_t)j * (size_t)ld) : 0);
            assert_int_equal(lapacke(1, work, t, layout, m, n, NRHS, f, ld, x, ld, s, &rank, space, SPACE), 0);
            assert_int_equal(rank, shape[2]);
            if (ss) {
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < smaller(m, n); i++)
                        tt_put(t, v, (size_t)i + (size_t)j * (size_t)ld, tt_get(t, f, tt_layout_at(layout, i, j, ld)));
                vectors(t, m, n, a, ld, v, ld, s);
            }
            for (int j = 0; j < NRHS; j++)
                for (int i = 0; i < larger(m, n); i++)
                    tt_put(t, f, (size_t)i + (size_t)j * (size_t)ld, tt_get(t, x, tt_layout_at(layout, i, j, ld)));
            judge("LAPACKE's name", t, m, n, rank, a, ld, b, ld, f, ld, s);
            unsetenv("TILEWORK_CROSSOVER");
            free(a), free(b), free(x), free(f), free(v), free(space);
        }
    unsetenv("TILEWORK_BAND");
}

/* Of workspaces LAPACK's own least sizes are asked for. */
static void workspaces(void **state)
{
    enum { LD = 70 };
    static const int shapes[][3] = {{1, 1, 1},    {10, 10, 3}, {15, 10, 3}, {16, 10, 30}, {40, 10, 1}, {10, 40, 7},
                                    {10, 15, 40}, {60, 55, 2}, {3, 0, 2},   {0, 4, 3},    {0, 0, 1}};
    double s[MOST];
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shapes); k++) {
            const int m = shapes[k][0], n = shapes[k][1];
            void *a = tt_array(t, LD, LD), *b = tt_array(t, LD, LD), *space = calloc(SPACE, tt_size(t));
            lapack_int rank;
            int least;
#define CALL(ours, lwork)                                                                                              \
    lapacke(ours, 1, t, LAPACK_COL_MAJOR, m, n, shapes[k][2], a, LD, b, LD, s, &rank, space, lwork)
            tt_random(t, 'G', LD, LD, a, LD, 3), tt_random(t, 'G', LD, LD, b, LD, 4);
            assert_int_equal(CALL(1, -1), 0);
            least = (int)creal(tt_get(t, space, 0));
            tt_expect_info(CALL(0, least), 0, "%d x %d, LAPACK's", m, n);
            for (int ours = 0; least > 1 && ours < 2; ours++)
                tt_expect_info(CALL(ours, least - 1), -13, "%d x %d, lwork %d, %s", m, n, least - 1,
                               ours ? "ours" : "LAPACK's");
#undef CALL
            free(a), free(b), free(space);
        }
}

/* A diagonal matrix of numbers near the smallest ones: of ordinary right-hand sides the solution is infinite where it
 * is not 0, of such as small as A's it is ordinary. */
static void tiny(void **state)
{
    enum { N = 12 };
    (void)state;
    TT_TYPES(t)
        for (int small = 0; small < 2; small++) {
            const int e = tt_eps(t) > 1e-10 ? -132 : -1030;
            void *a = tt_array(t, N, N), *b = tt_array(t, N, N);
            struct tt_place pa, pb;
            tw_matrix *A, *B;
            double s[N];
            int rank = -1;

            for (int i = 0; i < N * N; i++) {
                const int diagonal = i % (N + 1) == 0;
                tt_put(t, a, (size_t)i, diagonal ? ldexp(1 + i % 2, e) : 0);
                tt_put(t, b, (size_t)i, diagonal ? ldexp(3, small ? e : 0) : 0);
            }
            B = tt_enter(&pb, TT_CREATED, t, TW_GENERAL, N, N, b, N, 5);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, N, N, a, N, 4);
            tt_expect_info((ss ? tw_gelss : tw_gelsd)(A, B, s, -1, &rank), 0, "%d", small);
            tt_leave(&pa), tt_leave(&pb);
            assert_int_equal(rank, N);
            for (int i = 0; i < N * N; i++) {
                const double x = creal(tt_get(t, b, (size_t)i));
                if (i % (N + 1))
                    assert_true(x == 0);
                else
                    assert_true(small ? fabs(x - 3.0 / (1 + i % 2)) <= 100 * tt_eps(t) : isinf(x) && x > 0);
            }
            free(a), free(b);
        }
}

/* With no rows, as with LAPACK's gelsd, the rank is 0 and B stays. */
static void no_rows(void **state)
{
    double b[6] = {1, 2, 3, 4, 5, 6}, after[6];
    int rank = 7;
    tw_matrix *A, *B;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 0, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 3, 2, 2, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(B, b, 3), 0);
    assert_int_equal((ss ? tw_gelss : tw_gelsd)(A, B, NULL, -1, &rank), 0);
    assert_int_equal(tw_matrix_to_lapack(B, after, 3), 0);
    assert_int_equal(rank, 0);
    assert_memory_equal(b, after, sizeof b);
    tw_matrix_destroy(A), tw_matrix_destroy(B);
}

static void gelss(void **state)
{
    ss = 1;
    matrix_door(state), tiny(state), no_rows(state), lapacke_doors(state), workspaces(state);
    ss = 0;
}

static void bad_input(void **state)
{
    double a[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 5, 1}, b[8] = {1, 2, 3, 4}, s[4];
    tw_int rank = 7;
    int found = 7;
    tw_matrix *A, *B;
    (void)state;
    assert_int_equal(tw_dgelsd(-1, 3, 2, a, 4, b, 4, s, 0, &rank), -1);
    assert_int_equal(tw_dgelsd(4, -1, 2, a, 4, b, 4, s, 0, &rank), -2);
    assert_int_equal(tw_dgelsd(4, 3, -1, a, 4, b, 4, s, 0, &rank), -3);
    assert_int_equal(tw_dgelsd(4, 3, 2, NULL, 4, b, 4, s, 0, &rank), -4);
    assert_int_equal(tw_dgelsd(4, 3, 2, a, 3, b, 4, s, 0, &rank), -5);
    assert_int_equal(tw_dgelsd(4, 3, 2, a, 4, NULL, 4, s, 0, &rank), -6);
    assert_int_equal(tw_dgelsd(3, 4, 2, a, 3, b, 3, s, 0, &rank), -7);
    assert_int_equal(tw_dgelsd(4, 3, 2, a, 4, b, 4, NULL, 0, &rank), -8);
    assert_int_equal(tw_dgelsd(4, 3, 2, a, 4, b, 4, s, 0, NULL), -10);
    assert_int_equal(tw_dgelsd(0, 3, 2, NULL, 1, b, 4, s, 0, &rank), 0);
    assert_int_equal(rank, 0);
    assert_int_equal(tw_LAPACKE_dgelsd(LAPACK_COL_MAJOR, 4, 3, 2, a, 4, b, 4, s, NAN, (lapack_int *)&found), -10);
    for (int tiles = 0; tiles < 2; tiles++) { /* or LAPACK itself */
        double kept[12];

        if (tiles) setenv("TILEWORK_CROSSOVER", "0", 1);
        memcpy(kept, a, sizeof a);
        assert_int_equal(tw_dgelsd(4, 3, 0, a, 4, NULL, 4, s, -1, &rank), 0); /* the rank alone */
        assert_int_equal(rank, 3);
        assert_int_equal(tw_dgelss(4, 3, 0, kept, 4, NULL, 4, s, -1, &rank), 0);
        assert_int_equal(rank, 3);
        assert_int_equal(tw_dgelsd(4, 3, 2, a, 4, b, 4, s, NAN, &rank), -9);
        assert_int_equal(tw_dgelss(4, 3, 2, a, 4, b, 4, s, NAN, &rank), -9);
        for (int call = 0; call < 2; call++) { /* rows that are not read hold NaNs */
            double wide[12] = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0}, x[8] = {2, 1, 4, NAN, 4, 2, 8, NAN};
            lapack_int three = 7, iwork[200];
            static double space[SPACE];

            if (call)
                tt_expect_info(tw_LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, 3, 4, 2, wide, 3, x, 4, s, -1, &three, space,
                                                      SPACE, iwork),
                               0, "tiles %d", tiles);
            else
                tt_expect_info(tw_dgelsd(3, 4, 2, wide, 3, x, 4, s, -1, &rank), 0, "tiles %d", tiles);
            for (int i = 0; i < 8; i++)
                assert_true(isfinite(x[i]));
        }
    }
    unsetenv("TILEWORK_CROSSOVER");
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 4, 2, 2, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, 4), 0);
    for (int i = 0; i < 2; i++) { /* in B, then in A */
        b[1] = i ? 2 : INFINITY, a[5] = NAN;
        assert_int_equal(tw_matrix_set_lapack(B, b, 4), 0);
        if (i) assert_int_equal(tw_matrix_set_lapack(A, a, 4), 0);
        assert_int_equal(tw_gelsd(A, B, s, 0, &found), 3);
        assert_true(found == 0 && isnan(s[0]) && isnan(s[2]));
    }
    assert_int_equal(tw_gelsd(NULL, B, s, 0, &found), -1);
    assert_int_equal(tw_gelsd(A, NULL, s, 0, &found), -2);
    assert_int_equal(tw_gelsd(B, A, s, 0, NULL), -5);
    assert_int_equal(tw_gelsd(A, A, s, 0, &found), -2);
    assert_int_equal(tw_gelsd(A, B, NULL, 0, &found), -3);
    assert_int_equal(tw_gelsd(A, B, s, NAN, &found), -4);
    assert_int_equal(tw_gelsd(A, B, s, 0, NULL), -5);
    assert_int_equal(tw_gelsd_async(A, B, s, 0, &found, NULL), -6);
    tw_matrix_destroy(A), tw_matrix_destroy(B);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matrix_door), cmocka_unit_test(tiny),
                                       cmocka_unit_test(no_rows),     cmocka_unit_test(lapacke_doors),
                                       cmocka_unit_test(workspaces),  cmocka_unit_test(gelss),
                                       cmocka_unit_test(bad_input)};
    return tt_run(tests);
}
