/* The parts of geev under their own names, hseqr, gebal, gebak and trevc3: put together they give eigenvectors, which a
 * check judges that knows nothing of them; and bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "general.h"

enum { MOST = 48 };

/* way 0: LAPACK's name, 1: LAPACKE's, 2: with _work, 3: LAPACK's own with _work. Real numbers of any type are in arrays
 * of doubles' size. */
#define EVERY(t, X) ((t) == TW_FLOAT ? X(s) : (t) == TW_DOUBLE ? X(d) : (t) == TW_COMPLEX_FLOAT ? X(c) : X(z))
#define WAYS(p, name, args, space)                                                                                     \
    (way == 0   ? (int)tw_##p##name args(, )                                                                           \
     : way == 1 ? (int)tw_LAPACKE_##p##name args(layout COMMA, )                                                       \
     : way == 2 ? (int)tw_LAPACKE_##p##name##_work args(layout COMMA, space)                                           \
                : (int)LAPACKE_##p##name##_work args(layout COMMA, space))
#define COMMA ,

static int gebal(int way, enum tw_type t, int layout, char job, int n, void *a, int lda, tw_int *ilo, tw_int *ihi,
                 void *scale)
{
    lapack_int lo = -1, hi = -1;
    int info;
#define ARGS(lead, space) (lead job, n, a, lda, LOW, HIGH, scale space)
#define LOW               (way == 0 ? (void *)ilo : (void *)&lo)
#define HIGH              (way == 0 ? (void *)ihi : (void *)&hi)
#define ONE(p)            WAYS(p, gebal, ARGS, )
    info = EVERY(t, ONE);
#undef ONE
#undef ARGS
    if (way > 0) *ilo = lo, *ihi = hi;
    return info;
}
static int gebak(int way, enum tw_type t, int layout, char job, char side, int n, tw_int lo, tw_int hi,
                 const void *scale, int m, void *v, int ldv)
{
    const lapack_int ilo = (lapack_int)lo, ihi = (lapack_int)hi;
#define ARGS(lead, space) (lead job, side, n, ilo, ihi, scale, m, v, ldv space)
#define ONE(p)            WAYS(p, gebak, ARGS, )
    return EVERY(t, ONE);
#undef ONE
#undef ARGS
}
static int hseqr(int way, enum tw_type t, int layout, char job, char compz, int n, tw_int lo, tw_int hi, void *h,
                 int ldh, void *w, void *wi, void *z, int ldz, int lwork)
{
    const lapack_int ilo = (lapack_int)lo, ihi = (lapack_int)hi;
    double work[2 * 64 * MOST];
#define REAL(lead, ...) (lead job, compz, n, ilo, ihi, h, ldh, w, wi, z, ldz __VA_ARGS__)
#define PAIR(lead, ...) (lead job, compz, n, ilo, ihi, h, ldh, w, z, ldz __VA_ARGS__)
#define SPACE           COMMA(void *) work COMMA lwork
    return t == TW_FLOAT           ? WAYS(s, hseqr, REAL, SPACE)
           : t == TW_DOUBLE        ? WAYS(d, hseqr, REAL, SPACE)
           : t == TW_COMPLEX_FLOAT ? WAYS(c, hseqr, PAIR, SPACE)
                                   : WAYS(z, hseqr, PAIR, SPACE);
#undef REAL
#undef PAIR
}
/* LAPACKE has none: there is no way 3. */
static int trevc3(int way, enum tw_type t, int layout, char side, char howmny, int *select, int n, void *s, int lds,
                  void *vl, int ldvl, void *vr, int ldvr, int mm, tw_int *m, int lwork, int lrwork)
{
    double work[2 * 64 * MOST], rwork[MOST];
    tw_int wide[MOST];
    lapack_int narrow[MOST], found = -1;
    int info;

    for (int i = 0; select && i < n; i++)
        wide[i] = narrow[i] = select[i];
#define ONE(p, space)                                                                                                  \
    (way == 0   ? (int)tw_##p##trevc3(side, howmny, wide, n, s, lds, vl, ldvl, vr, ldvr, mm, m)                        \
     : way == 1 ? (int)tw_LAPACKE_##p##trevc3(layout, side, howmny, narrow, n, s, lds, vl, ldvl, vr, ldvr, mm, &found) \
                : (int)tw_LAPACKE_##p##trevc3_work(layout, side, howmny, narrow, n, s, lds, vl, ldvl, vr, ldvr, mm,    \
                                                   &found, (void *)work, lwork space))
    info = t == TW_FLOAT           ? ONE(s, )
           : t == TW_DOUBLE        ? ONE(d, )
           : t == TW_COMPLEX_FLOAT ? ONE(c, COMMA(void *) rwork COMMA lrwork)
                                   : ONE(z, COMMA(void *) rwork COMMA lrwork);
#undef ONE
    if (way > 0) *m = found;
    for (int i = 0; select && i < n; i++)
        select[i] = (int)(way ? narrow[i] : wide[i]);
    return info;
}

/* ---- all of them together ---------------------------------------------------------------------------------------- */

static void turn(enum tw_type t, int layout, int n, void *a)
{
    for (int j = 0; j < n && layout == LAPACK_ROW_MAJOR; j++)
        for (int i = 0; i < j; i++) {
            const tt_z x = tt_get(t, a, (size_t)(i + j * MOST)), y = tt_get(t, a, (size_t)(j + i * MOST));
            tt_put(t, a, (size_t)(i + j * MOST), y), tt_put(t, a, (size_t)(j + i * MOST), x);
        }
}
static int reduce(enum tw_type t, int n, tw_int ilo, tw_int ihi, void *h, void *q, void *tau)
{
    int info;
#define DO(p, unghr)                                                                                                   \
    info = (int)tw_##p##gehrd(n, ilo, ihi, h, MOST, tau), memcpy(q, h, MOST * MOST * tt_size(t)),                      \
    info ? info : (int)tw_##p##unghr(n, ilo, ihi, q, MOST, tau)
    return t == TW_FLOAT           ? (DO(s, orghr))
           : t == TW_DOUBLE        ? (DO(d, orghr))
           : t == TW_COMPLEX_FLOAT ? (DO(c, unghr))
                                   : (DO(z, unghr));
}
/* Vectors' lengths become 1. */
static void normalise(enum tw_type t, int n, int m, const double *wi, void *v)
{
    for (int j = 0; j < m; j++) {
        const int size = !tt_complex(t) && wi[j] != 0 ? 2 : 1;
        double sum = 0;
        for (int k = 0; k < size * n; k++)
            sum += pow(cabs(tt_get(t, v, (size_t)(k % n + (j + k / n) * MOST))), 2);
        for (int k = 0; k < size * n; k++) {
            const size_t at = (size_t)(k % n + (j + k / n) * MOST);
            tt_put(t, v, at, tt_get(t, v, at) / sqrt(sum));
        }
        j += size - 1;
    }
}

static void chain(int way, enum tw_type t, int layout, enum kind kind, int n, char job)
{
    void *a = tt_array(t, MOST, MOST), *h = tt_array(t, MOST, MOST), *q = tt_array(t, MOST, MOST), *v[2],
         *tau = tt_array(t, MOST, 1), *w = tt_array(t, MOST, 1), *imaginary = tt_array(t, MOST, 1), *again, *alone;
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, a, MOST};
    const struct check_matrix A = check_of_array(&array);
    double scale[MOST], wr[MOST], wi[MOST], residual[2];
    tw_int ilo = -1, ihi = -1, m = -1;
    int select[MOST];

    fill(t, kind, n, a, MOST), fill(t, kind, n, h, MOST);
    turn(t, layout, n, h);
    tt_expect_info(gebal(way, t, layout, job, n, h, MOST, &ilo, &ihi, scale), 0, "gebal, way %d", way);
    turn(t, layout, n, h);
    tt_expect_info(reduce(t, n, ilo, ihi, h, q, tau), 0, "gehrd");
    for (int j = 0; j < n; j++)
        for (int i = j + 2; i < n; i++)
            tt_put(t, h, (size_t)(i + j * MOST), 0);
    again = tt_copy(t, MOST, MOST, h), alone = tt_array(t, MOST, MOST);
    turn(t, layout, n, h), turn(t, layout, n, q);
    tt_expect_info(hseqr(way, t, layout, 'S', 'V', n, ilo, ihi, h, MOST, w, imaginary, q, MOST, 3000), 0,
                   "hseqr, way %d", way);
    for (int i = 0; i < n; i++) {
        const tt_z x = tt_get(t, w, (size_t)i);
        wr[i] = creal(x), wi[i] = tt_complex(t) ? cimag(x) : creal(tt_get(t, imaginary, (size_t)i));
    }
    /* compz 'I': the Schur form of the Hessenberg matrix itself */
    turn(t, layout, n, again);
    fill(t, ZERO, MOST, alone, MOST); /* LAPACKE looks for NaNs there, too */
    tt_expect_info(hseqr(way, t, layout, 's', 'i', n, ilo, ihi, again, MOST, w, imaginary, alone, MOST, 3000), 0,
                   "hseqr I");
    turn(t, layout, n, h), turn(t, layout, n, again), turn(t, layout, n, alone);
    assert_true(check_schur_form(t, n, h, MOST, wr, wi));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            assert_true(tt_get(t, h, (size_t)(i + j * MOST)) == tt_get(t, again, (size_t)(i + j * MOST)));
    turn(t, layout, n, h);
    for (int side = 0; side < 2; side++)
        v[side] = tt_copy(t, MOST, MOST, q);
    tt_expect_info(trevc3(way, t, layout, 'B', 'B', NULL, n, h, MOST, v[1], MOST, v[0], MOST, n, &m, 3000, MOST), 0,
                   "trevc3, way %d", way);
    assert_int_equal(m, n);
    for (int side = 0; side < 2; side++) {
        tt_expect_info(gebak(way, t, layout, job, "RL"[side], n, ilo, ihi, scale, n, v[side], MOST), 0, "gebak, way %d",
                       way);
        turn(t, layout, n, v[side]);
        normalise(t, n, n, wi, v[side]);
        assert_int_equal(check_geev(&A, wr, wi, side, v[side], MOST, residual), 0);
        tt_expect("by its parts", t, residual[0], 0, "%s, way %d, side %d", kinds[kind], way, side);
    }
    /* some of them alone, of T: those of a pair that is selected by its second are its two */
    memset(select, 0, sizeof select);
    select[n - 1] = 1;
    tt_expect_info(trevc3(way, t, layout, 'R', 'S', select, n, h, MOST, NULL, 1 + MOST * (layout == LAPACK_ROW_MAJOR),
                          alone, MOST, 2, &m, 3000, MOST),
                   0, "trevc3 S, way %d", way);
    assert_int_equal(m, !tt_complex(t) && wi[n - 1] != 0 ? 2 : 1);
    assert_int_equal(select[n - 1], m == 1);
    assert_int_equal(trevc3(way, t, layout, 'R', 'S', select, n, h, MOST, NULL, 1 + MOST * (layout == LAPACK_ROW_MAJOR),
                            alone, MOST, 0, &m, 3000, MOST),
                     -11 - (way > 0));
    free(a), free(h), free(q), free(v[0]), free(v[1]), free(tau), free(w), free(imaginary), free(again), free(alone);
}
static void parts(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int way = 0; way < 3; way++)
            for (int rows = 0; rows < (way ? 2 : 1); rows++) {
                const int layout = rows ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR;
                chain(way, t, layout, RANDOM, 40, 'B'), chain(way, t, layout, ISOLATED, 45, 'B');
                chain(way, t, layout, ISOLATED, 33, 'P'), chain(way, t, layout, GRADED, 21, 'S');
                chain(way, t, layout, RANDOM, 1, 'N'), chain(way, t, layout, CIRCULANT, 12, 'N');
            }
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

/* By LAPACK's numbers: ours (LAPACKE's are one more), and LAPACK's own. */
static void refusals(void **state)
{
    double a[64], v[64], scale[8] = {1, 1, 1, 1}, w[16], wi[8];
    tw_int lo, hi, m;
    (void)state;
    for (int i = 0; i < 64; i++)
        a[i] = v[i] = i % 7;
    for (int type = 0; type < 2; type++)
        for (int way = 0; way < 4; way++) {
            const enum tw_type t = type ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
            const int more = way > 0, C = LAPACK_COL_MAJOR;
            assert_int_equal(gebal(way, t, C, 'X', 4, a, 4, &lo, &hi, scale), -1 - more);
            assert_int_equal(gebal(way, t, C, 'B', -1, a, 4, &lo, &hi, scale), -2 - more);
            assert_int_equal(gebal(way, t, C, 'B', 4, a, 3, &lo, &hi, scale), -4 - more);
            assert_int_equal(gebal(way, t, C, 'B', 0, a, 1, &lo, &hi, scale), 0);
            assert_int_equal(gebak(way, t, C, 'X', 'R', 4, 1, 4, scale, 4, v, 4), -1 - more);
            assert_int_equal(gebak(way, t, C, 'B', 'X', 4, 1, 4, scale, 4, v, 4), -2 - more);
            assert_int_equal(gebak(way, t, C, 'B', 'R', -1, 1, 4, scale, 4, v, 4), -3 - more);
            assert_int_equal(gebak(way, t, C, 'B', 'R', 4, 0, 4, scale, 4, v, 4), -4 - more);
            assert_int_equal(gebak(way, t, C, 'B', 'R', 4, 1, 5, scale, 4, v, 4), -5 - more);
            assert_int_equal(gebak(way, t, C, 'B', 'R', 4, 1, 4, scale, -1, v, 4), -7 - more);
            assert_int_equal(gebak(way, t, C, 'B', 'R', 4, 1, 4, scale, 4, v, 3), -9 - more);
            assert_int_equal(hseqr(way, t, C, 'X', 'N', 4, 1, 4, a, 4, w, wi, v, 4, 99), -1 - more);
            assert_int_equal(hseqr(way, t, C, 'S', 'X', 4, 1, 4, a, 4, w, wi, v, 4, 99), -2 - more);
            assert_int_equal(hseqr(way, t, C, 'S', 'N', -1, 1, 4, a, 4, w, wi, v, 4, 99), -3 - more);
            assert_int_equal(hseqr(way, t, C, 'S', 'N', 4, 0, 4, a, 4, w, wi, v, 4, 99), -4 - more);
            assert_int_equal(hseqr(way, t, C, 'S', 'N', 4, 1, 5, a, 4, w, wi, v, 4, 99), -5 - more);
            assert_int_equal(hseqr(way, t, C, 'S', 'N', 4, 1, 4, a, 3, w, wi, v, 4, 99), -7 - more);
            assert_int_equal(hseqr(way, t, C, 'S', 'I', 4, 1, 4, a, 4, w, wi, v, 3, 99), -11 + type - more);
            if (way > 1) assert_int_equal(hseqr(way, t, C, 'S', 'I', 4, 1, 4, a, 4, w, wi, v, 4, 3), -14 + type);
            if (way == 0) continue;
            assert_int_equal(gebal(way, t, 7, 'B', 4, a, 4, &lo, &hi, scale), -1);
            assert_int_equal(gebal(way, t, LAPACK_ROW_MAJOR, 'B', 4, a, 3, &lo, &hi, scale), -5);
            assert_int_equal(gebak(way, t, LAPACK_ROW_MAJOR, 'B', 'R', 4, 1, 4, scale, 4, v, 3), -10);
            assert_int_equal(hseqr(way, t, LAPACK_ROW_MAJOR, 'S', 'N', 4, 1, 4, a, 3, w, wi, v, 4, 99), -8);
            assert_int_equal(hseqr(way, t, LAPACK_ROW_MAJOR, 'S', 'N', 4, 1, 4, a, 4, w, wi, v, 1, 99), -12 + type);
        }
    for (int way = 0; way < 3; way++) {
        const int more = way > 0, C = LAPACK_COL_MAJOR;
        const enum tw_type t = TW_COMPLEX_DOUBLE;
        assert_int_equal(trevc3(way, t, C, 'X', 'A', NULL, 4, a, 4, v, 4, v, 4, 4, &m, 99, 4), -1 - more);
        assert_int_equal(trevc3(way, t, C, 'R', 'X', NULL, 4, a, 4, v, 4, v, 4, 4, &m, 99, 4), -2 - more);
        assert_int_equal(trevc3(way, t, C, 'R', 'A', NULL, -1, a, 4, v, 4, v, 4, 4, &m, 99, 4), -4 - more);
        assert_int_equal(trevc3(way, t, C, 'R', 'A', NULL, 4, a, 3, v, 4, v, 4, 4, &m, 99, 4), -6 - more);
        assert_int_equal(trevc3(way, t, C, 'L', 'A', NULL, 4, a, 4, v, 3, v, 4, 4, &m, 99, 4), -8 - more);
        assert_int_equal(trevc3(way, t, C, 'R', 'A', NULL, 4, a, 4, v, 4, v, 3, 4, &m, 99, 4), -10 - more);
        assert_int_equal(trevc3(way, t, C, 'R', 'A', NULL, 4, a, 4, v, 4, v, 4, 3, &m, 99, 4), -11 - more);
        if (way == 2) assert_int_equal(trevc3(way, t, C, 'R', 'A', NULL, 4, a, 4, v, 4, v, 4, 4, &m, 7, 4), -15);
        if (way == 2) assert_int_equal(trevc3(way, t, C, 'R', 'A', NULL, 4, a, 4, v, 4, v, 4, 4, &m, 99, 3), -17);
    }
    assert_int_equal(tw_dgebal('B', 4, NULL, 4, &lo, &hi, scale), -3);
    assert_int_equal(tw_dgebal('B', 4, a, 4, NULL, &hi, scale), -5);
    assert_int_equal(tw_dgebal('B', 4, a, 4, &lo, &hi, NULL), -7);
    assert_int_equal(tw_dgebak('B', 'R', 4, 1, 4, NULL, 4, v, 4), -6);
    assert_int_equal(tw_dgebak('B', 'R', 4, 1, 4, scale, 4, NULL, 4), -8);
    scale[0] = 9; /* no row has this number */
    assert_int_equal(tw_dgebak('P', 'R', 4, 2, 4, scale, 4, v, 4), -6);
    assert_int_equal(tw_dhseqr('S', 'N', 4, 1, 4, NULL, 4, w, wi, v, 4), -6);
    assert_int_equal(tw_dhseqr('S', 'N', 4, 1, 4, a, 4, NULL, wi, v, 4), -8);
    assert_int_equal(tw_dhseqr('S', 'V', 4, 1, 4, a, 4, w, wi, NULL, 4), -10);
    assert_int_equal(tw_dtrevc3('R', 'A', NULL, 4, NULL, 4, v, 4, v, 4, 4, &m), -5);
    assert_int_equal(tw_dtrevc3('R', 'S', NULL, 4, a, 4, v, 4, v, 4, 4, &m), -3);
    assert_int_equal(tw_dtrevc3('R', 'A', NULL, 4, a, 4, v, 4, v, 4, 4, NULL), -12);
}

static void not_finite(void **state)
{
    enum { N = 20 };
    (void)state;
    TT_TYPES(t)
        for (int bad = 0; bad < 2; bad++)
            for (int way = 0; way < 3; way++) {
                void *a = tt_array(t, N, N), *w = tt_array(t, N, 1), *wi = tt_array(t, N, 1);
                double scale[N];
                tw_int lo, hi;

                fill(t, RANDOM, N, a, N);
                tt_put(t, a, 5 + 7 * N, bad ? INFINITY : NAN);
                assert_int_equal(gebal(way, t, LAPACK_COL_MAJOR, 'P', N, a, N, &lo, &hi, scale),
                                 way == 1 && !bad ? -4 : 0);
                assert_int_equal(gebal(way, t, LAPACK_COL_MAJOR, 'B', N, a, N, &lo, &hi, scale), bad ? 0
                                                                                                 : way == 1
                                                                                                     ? -4
                                                                                                     : -3 - (way > 0));
                assert_int_equal(hseqr(way, t, LAPACK_COL_MAJOR, 'S', 'N', N, 1, N - 2, a, N, w, wi, NULL, N, 500),
                                 way == 1 && !bad ? -7 : N - 2);
                for (int i = 0; i < N - 2 && !(way == 1 && !bad); i++)
                    assert_true(isnan(creal(tt_get(t, w, (size_t)i))));
                free(a), free(w), free(wi);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(refusals),
                                       cmocka_unit_test(not_finite)};
    return tt_run(tests);
}
