/* stevr and stevx: some eigenvalues and eigenvectors of tridiagonal matrices, through all doors; bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tridiagonal.h"
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)
enum { MOST = 320 };

/* m pairs, which are numbers first ... (from 0). */
static void judge(const char *what, enum tw_type t, int n, const double *d, const double *e, int first, int m,
                  const double *w, const void *z, int ldz)
{
    void *ab = tt_array(t, 2, n);
    const struct check_band band = tt_band_of_tridiagonal(t, n, ab);
    const struct check_matrix T = check_of_band(&band);
    double residual[2] = {0, 0}, error = 0;

    tt_put_tridiagonal(t, n, d, e, ab);
    if (z) assert_int_equal(check_syevd(&T, m, w, z, ldz, residual), 0);
    assert_int_equal(check_some_eigenvalues(&T, first, m, w, &error), 0);
    tt_expect("|T Z - Z w|", t, residual[0], 0, "%s, n = %d, %d from %d", what, n, m, first);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, n = %d, %d from %d", what, n, m, first);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, n = %d, %d from %d", what, n, m, first);
    free(ab);
}

/* Numbers il ... iu into a Z with `more` columns than needed; then what an interval around them holds. */
static void matrix_door(enum tw_type t, enum tt_tridiagonal kind, int n, int nb, int il, int iu, int more)
{
    const int ldz = n + 1, m_wanted = iu - il + 1, columns = m_wanted + more;
    const char *what = tt_tridiagonals[kind];
    void *z = tt_array(t, ldz, columns);
    double d[MOST], e[MOST], w[MOST], all[MOST];
    struct tt_place p;
    tw_int m = -1;
    tw_matrix *Z;

    tt_tridiagonal(t, kind, n, d, e);
    for (int i = 0; i < ldz * columns; i++)
        tt_put(t, z, (size_t)i, 77);
    Z = tt_enter(&p, TT_FROM_LAPACK, t, TW_GENERAL, n, columns, z, ldz, nb);
    tt_expect_info(tw_stevr(TW_VECTORS, TW_INDICES, n, d, e, 0, 0, il, iu, &m, w, Z), 0, "%s", what);
    tt_leave(&p);
    assert_int_equal(m, m_wanted);
    judge(what, t, n, d, e, il - 1, (int)m, w, z, ldz);
    for (int j = m_wanted; j < columns; j++) /* stay as they were */
        for (int i = 0; i < n; i++)
            assert_true(creal(tt_get(t, z, (size_t)(i + j * ldz))) == 77);
    m = -1;
    tt_expect_info(tw_stevx(TW_NOVECTORS, TW_INDICES, n, d, e, 0, 0, il, iu, &m, w, NULL), 0, "%s", what);
    assert_int_equal(m, m_wanted);
    judge(what, t, n, d, e, il - 1, (int)m, w, NULL, ldz);
    tt_expect_info(tw_stevr(TW_NOVECTORS, TW_ALL, n, d, e, 0, 0, 0, 0, &m, all, NULL), 0, "%s", what);
    assert_int_equal(m, n);
    judge(what, t, n, d, e, 0, n, all, NULL, ldz);
    { /* an interval whose ends are not near an eigenvalue, if there is such a one */
        const double gap = 1e-3 * fmax(fabs(all[0]), fabs(all[n - 1])),
                     vl = il > 1 ? all[il - 2] / 2 + all[il - 1] / 2 : -INFINITY,
                     vu = iu < n ? all[iu - 1] / 2 + all[iu] / 2 : INFINITY;
        if ((il == 1 || all[il - 1] - all[il - 2] > gap / n) && (iu == n || all[iu] - all[iu - 1] > gap / n)) {
            Z = tt_enter(&p, TT_FROM_LAPACK, t, TW_GENERAL, n, columns, z, ldz, nb);
            tt_expect_info(tw_stevx(TW_VECTORS, TW_INTERVAL, n, d, e, vl, vu, 0, 0, &m, w, Z), 0, "%s", what);
            tt_leave(&p);
            assert_int_equal(m, m_wanted);
            judge(what, t, n, d, e, il - 1, (int)m, w, z, ldz);
            tt_expect_info(tw_stevr(TW_NOVECTORS, TW_INTERVAL, n, d, e, vl, vu, 0, 0, &m, w, NULL), 0, "%s", what);
            assert_int_equal(m, m_wanted);
            judge(what, t, n, d, e, il - 1, (int)m, w, NULL, ldz);
        }
    }
    free(z);
}

static void sizes(void **state)
{
    static const int cases[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 2, 3}, {33, 5, 9}, {64, 1, 7}, {97, 1, 97}, {130, 20, 99}};
    tw_int m = 5;
    (void)state;
    for (enum tw_type t = TW_FLOAT; t <= TW_DOUBLE; t++)
        for (size_t k = 0; k < COUNT(cases); k++) {
            setenv("TILEWORK_LEAF", k % 2 ? "12" : "256", 1);
            matrix_door(t, TT_T_RANDOM, cases[k][0], 24, cases[k][1], cases[k][2], (int)k % 3);
        }
    unsetenv("TILEWORK_LEAF");
    assert_int_equal(tw_stevr(TW_NOVECTORS, TW_ALL, 0, NULL, NULL, 0, 0, 0, 0, &m, NULL, NULL), 0);
    assert_int_equal(m, 0);
}

static void kinds(void **state)
{
    (void)state;
    for (enum tw_type t = TW_FLOAT; t <= TW_DOUBLE; t++)
        for (enum tt_tridiagonal kind = TT_T_RANDOM; kind < TT_TRIDIAGONALS; kind++) {
            setenv("TILEWORK_LEAF", kind % 2 ? "1" : "10", 1);
            matrix_door(t, kind, 63 + 7 * (int)kind % 40, 32, 11, 30 + (int)kind, 2);
        }
    unsetenv("TILEWORK_LEAF");
    matrix_door(TW_DOUBLE, TT_T_GLUED, 300, 96, 1, 30, 0);
}

/* work < 0: the LAPACK door; 0: LAPACKE's; 1: with _work. */
static void one_door(int expert, enum tw_type t, int layout, int work, char jobz, char range)
{
    enum { N = 60, LDZ = 63, IL = 11, IU = 40 };
    static lapack_int iwork[10 * N], each[2 * N];
    static double space[20 * N];
    const int single = t == TW_FLOAT, m_wanted = range == 'A' ? N : IU - IL + 1, vectors = jobz == 'V';
    void *td = tt_array(t, N, 1), *te = tt_array(t, N, 1), *w = tt_array(t, N, 1), *z = tt_array(t, LDZ, LDZ),
         *column = tt_array(t, LDZ, N);
    double d[N], e[N], all[N], got[N], vl, vu;
    tw_int m64 = -1, each64[2 * N], info;
    lapack_int m = -1;

    tt_tridiagonal(t, TT_T_RANDOM, N, d, e);
    for (int i = 0; i < N; i++)
        tt_put(t, td, (size_t)i, d[i]), tt_put(t, te, (size_t)i, i + 1 < N ? e[i] : 0);
    assert_int_equal(tw_sterf(N, d, e, all), 0);
    vl = (all[IL - 2] + all[IL - 1]) / 2, vu = (all[IU - 1] + all[IU]) / 2;
#define FRONT               jobz, range, N, td, te
#define RANGE(R)            (R) vl, (R)vu, IL, IU, 0
#define DOOR(p, name, R)    tw_##p##name(FRONT, RANGE(R), &m64, w, z, LDZ, each64)
#define LAPACKE(p, name, R) tw_LAPACKE_##p##name(layout, FRONT, RANGE(R), &m, w, z, LDZ, each)
#define WORKR(p, R, lwork, liwork)                                                                                     \
    tw_LAPACKE_##p##stevr_work(layout, FRONT, RANGE(R), &m, w, z, LDZ, each, (void *)space, lwork, iwork, liwork)
#define WORKX(p, R) tw_LAPACKE_##p##stevx_work(layout, FRONT, RANGE(R), &m, w, z, LDZ, (void *)space, iwork, each)
    if (work > 0 && !expert) {
        assert_int_equal(single ? WORKR(s, float, -1, -1) : WORKR(d, double, -1, -1), 0);
        assert_true(iwork[0] == 10 * N && creal(tt_get(t, space, 0)) == 20 * N);
        assert_int_equal(single ? WORKR(s, float, 20 * N - 1, 10 * N) : WORKR(d, double, 20 * N - 1, 10 * N), -18);
        assert_int_equal(single ? WORKR(s, float, 20 * N, 10 * N - 1) : WORKR(d, double, 20 * N, 10 * N - 1), -20);
    }
    if (work < 0)
        info = expert ? (single ? DOOR(s, stevx, float) : DOOR(d, stevx, double))
                      : (single ? DOOR(s, stevr, float) : DOOR(d, stevr, double));
    else if (work == 0)
        info = expert ? (single ? LAPACKE(s, stevx, float) : LAPACKE(d, stevx, double))
                      : (single ? LAPACKE(s, stevr, float) : LAPACKE(d, stevr, double));
    else
        info = expert ? (single ? WORKX(s, float) : WORKX(d, double))
                      : (single ? WORKR(s, float, 20 * N, 10 * N) : WORKR(d, double, 20 * N, 10 * N));
    tt_expect_info(info, 0, "%c", range);
    if (work < 0) m = (lapack_int)m64;
    assert_int_equal(m, m_wanted);
    for (int i = 0; i < m && vectors; i++) {
        const tw_int first = work < 0 ? each64[expert ? i : 2 * i] : each[expert ? i : 2 * i];
        assert_int_equal(first, !expert);
        if (!expert) assert_int_equal(work < 0 ? each64[2 * i + 1] : each[2 * i + 1], N);
    }
    for (int i = 0; i < m; i++)
        got[i] = creal(tt_get(t, w, (size_t)i));
    for (int j = 0; j < m && vectors; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, column, (size_t)(i + j * LDZ), tt_get(t, z, tt_layout_at(layout, i, j, LDZ)));
    judge("LAPACK's names", t, N, d, e, range == 'A' ? 0 : IL - 1, (int)m, got, vectors ? column : NULL, LDZ);
    free(td), free(te), free(w), free(z), free(column);
}

static void doors(void **state)
{
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    (void)state;
    setenv("TILEWORK_LEAF", "16", 1);
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
        for (enum tw_type t = TW_FLOAT; t <= TW_DOUBLE; t++)
            for (int c = 0; c < 4; c++)
                for (int work = c & 1 ? 0 : -1; work < 2; work++)
                    for (const char *range = "AVI"; *range; range++)
                        one_door(c / 2, t, layouts[c & 1], work, *range == 'I' && c == 1 ? 'N' : 'V', *range);
    }
    unsetenv("TILEWORK_CROSSOVER");
    unsetenv("TILEWORK_LEAF");
}

/* w has only as many elements as numbers are asked for: a NaN is no reason to write more. */
static void not_finite(void **state)
{
    enum { N = 40 };
    (void)state;
    for (int tiles = 0; tiles < 2; tiles++)
        for (int in_e = 0; in_e < 2; in_e++) {
            double d[N], e[N], w[4] = {0, 0, 0, 77}, z[3 * N];
            tw_int m = 9, each[N];
            setenv("TILEWORK_CROSSOVER", tiles ? "0" : "1000", 1);
            tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
            (in_e ? e : d)[N - 2] = in_e ? INFINITY : NAN;
            tt_expect_info(tw_dstevx('V', 'I', N, d, e, 0, 0, 5, 7, 0, &m, w, z, N, each), N, "stevx");
            assert_true(m == 0 && isnan(w[0]) && isnan(w[2]) && w[3] == 77);
            w[0] = 0, m = 9;
            tt_expect_info(tw_stevr(TW_NOVECTORS, TW_INDICES, N, d, e, 0, 0, 5, 7, &m, w, NULL), N, "stevr");
            assert_true(m == 0 && isnan(w[0]) && isnan(w[2]) && w[3] == 77);
            unsetenv("TILEWORK_CROSSOVER");
        }
}

static void refusals(void **state)
{
    double d[4] = {1, 2, 3, 4}, e[3] = {1, 1, 1}, w[4], z[16];
    tw_int m, each[8];
    lapack_int m32, each32[8];
    tw_matrix *A, *B, *C;
    (void)state;
#define D(jobz, range, n, vl, vu, il, iu, ldz) tw_dstevr(jobz, range, n, d, e, vl, vu, il, iu, 0, &m, w, z, ldz, each)
    assert_int_equal(D('X', 'A', 4, 0, 0, 0, 0, 4), -1);
    assert_int_equal(D('V', 'X', 4, 0, 0, 0, 0, 4), -2);
    assert_int_equal(D('V', 'A', -1, 0, 0, 0, 0, 4), -3);
    assert_int_equal(D('V', 'V', 4, 1, 1, 0, 0, 4), -7);
    assert_int_equal(D('V', 'I', 4, 0, 0, 0, 2, 4), -8);
    assert_int_equal(D('V', 'I', 4, 0, 0, 3, 2, 4), -9);
    assert_int_equal(D('V', 'A', 4, 0, 0, 0, 0, 3), -14);
    assert_int_equal(D('N', 'A', 0, 0, 0, 0, 0, 1), 0);
    assert_int_equal(tw_dstevx('V', 'A', 4, NULL, e, 0, 0, 0, 0, 0, &m, w, z, 4, each), -4);
    assert_int_equal(tw_dstevx('V', 'A', 4, d, NULL, 0, 0, 0, 0, 0, &m, w, z, 4, each), -5);
    assert_int_equal(tw_dstevx('V', 'A', 4, d, e, 0, 0, 0, 0, 0, NULL, w, z, 4, each), -11);
    assert_int_equal(tw_dstevx('V', 'A', 4, d, e, 0, 0, 0, 0, 0, &m, NULL, z, 4, each), -12);
    assert_int_equal(tw_dstevx('V', 'A', 4, d, e, 0, 0, 0, 0, 0, &m, w, NULL, 4, each), -13);
    assert_int_equal(tw_LAPACKE_dstevr(7, 'V', 'A', 4, d, e, 0, 0, 0, 0, 0, &m32, w, z, 4, each32), -1);
    assert_int_equal(tw_LAPACKE_dstevr(LAPACK_ROW_MAJOR, 'V', 'I', 4, d, e, 0, 0, 1, 2, 0, &m32, w, z, 1, each32), -15);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 4, 1, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_COMPLEX_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_stevr((enum tw_jobz)'X', TW_ALL, 4, d, e, 0, 0, 0, 0, &m, w, A), -1);
    assert_int_equal(tw_stevr(TW_VECTORS, (enum tw_which)'X', 4, d, e, 0, 0, 0, 0, &m, w, A), -2);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_INTERVAL, 4, d, e, 2, 1, 0, 0, &m, w, A), -7);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_INDICES, 4, d, e, 2, 1, 0, 3, &m, w, A), -8);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_INDICES, 4, d, e, 2, 1, 2, 5, &m, w, A), -9);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_ALL, 4, d, e, 0, 0, 0, 0, NULL, w, A), -10);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_ALL, 4, d, e, 0, 0, 0, 0, &m, NULL, A), -11);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_INDICES, 4, d, e, 0, 0, 1, 2, &m, w, B), -12);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_ALL, 4, d, e, 0, 0, 0, 0, &m, w, C), -12);
    assert_int_equal(tw_stevr_async(TW_VECTORS, TW_ALL, 4, d, e, 0, 0, 0, 0, &m, w, A, NULL), -13);
    assert_int_equal(tw_stevr(TW_VECTORS, TW_INTERVAL, 4, d, e, -9, 9, 0, 0, &m, w, B), TW_E_MEMORY);
    assert_int_equal(m, 4);
    e[1] = NAN;
    assert_int_equal(tw_LAPACKE_dstevx(LAPACK_COL_MAJOR, 'V', 'A', 4, d, e, 0, 0, 0, 0, 0, &m32, w, z, 4, each32), -6);
    d[0] = NAN;
    assert_int_equal(tw_LAPACKE_dstevx(LAPACK_COL_MAJOR, 'V', 'A', 4, d, e, 0, 0, 0, 0, 0, &m32, w, z, 4, each32), -5);
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(C);
}

/* What cannot fit is refused before any work, with a number of bytes. */
static void memory(void **state)
{
    enum { N = 2000 };
    double *d = calloc(2 * N, sizeof *d), *w = calloc(N, sizeof *w);
    tw_matrix *A, *B, *C, *Z;
    tw_counters c;
    tw_int m;
    tw_machine machine;
    (void)state;
    assert_int_equal(tw_finalize(), 0);
    setenv("TILEWORK_HOST_MEMORY", "72M", 1);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_LOWER, N, N, 500, NULL), 0);
    assert_int_equal(tw_matrix_create_band(&B, TW_DOUBLE, N, N, 2, 0, 100), 0);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, N, N, 500, NULL), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_DOUBLE, TW_GENERAL, N, N, 500, NULL), 0);
    assert_int_equal(tw_laset(TW_LOWER, (tw_scalar){0, 0}, (tw_scalar){1, 0}, A), 0);
    assert_int_equal(tw_machine_info(&machine), 0);
    const int gpus = machine.cuda_devices; /* where temporaries may live: their place is asked for on the way */
    tw_counters_reset();
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        tt_expect_info(call, TW_E_MEMORY, #call);                                                                      \
        assert_non_null(strstr(tw_last_message(), "bytes"));                                                           \
        assert_int_equal(tw_counters_get(&c), 0);                                                                      \
        if (!gpus && c.tasks > 0) fail_msg("%s: %d tasks", #call, (int)c.tasks);                                       \
    } while (0)
    REFUSED(tw_syevd(TW_VECTORS, TW_LOWER, A, w, Z));
    REFUSED(tw_syevr(TW_VECTORS, TW_INDICES, TW_LOWER, A, 0, 0, 1, 1500, &m, w, Z));
    REFUSED(tw_stedc(TW_COMPZ_I, N, d, d + N, w, Z));
    REFUSED(tw_stevd(TW_VECTORS, N, d, d + N, w, Z));
    REFUSED(tw_stevr(TW_VECTORS, TW_ALL, N, d, d + N, 0, 0, 0, 0, &m, w, Z));
    REFUSED(tw_sbevx(TW_VECTORS, TW_ALL, TW_LOWER, B, NULL, 0, 0, 0, 0, &m, w, Z));
    REFUSED(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, C, w, Z));
    REFUSED(tw_sygvx(1, TW_VECTORS, TW_INDICES, TW_LOWER, A, C, 0, 0, 1, 1500, &m, w, Z));
    REFUSED(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, A, w, Z));
    tt_expect_info(tw_stevr(TW_VECTORS, TW_INDICES, 300, d, d + N, 0, 0, 1, 1, &m, w, Z), -12, "another order");
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(C), tw_matrix_destroy(Z);
    assert_int_equal(tw_finalize(), 0);
    unsetenv("TILEWORK_HOST_MEMORY");
    free(d), free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes),    cmocka_unit_test(kinds),
                                       cmocka_unit_test(doors),    cmocka_unit_test(not_finite),
                                       cmocka_unit_test(refusals), cmocka_unit_test(memory)};
    return tt_run(tests);
}
