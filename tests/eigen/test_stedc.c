/* stedc, stevd and sterf: tridiagonal matrices of many kinds, through all doors; bad input. */
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tridiagonal.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { MOST = 320 };

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static void judge(const char *what, struct check_matrix A, const double *w, const void *z, int ldz)
{
    const int n = (int)A.n;
    double residual[2] = {0, 0}, error = 0;

    if (z) assert_int_equal(check_syevd(&A, n, w, z, ldz, residual), 0);
    assert_int_equal(check_eigenvalues(&A, w, &error), 0);
    tt_expect("|T Z - Z w|", A.type, residual[0], 0, "%s, n = %d", what, n);
    tt_expect("|Z^H Z - I|", A.type, residual[1], 0, "%s, n = %d", what, n);
    tt_expect("|w - LAPACK's|", A.type, error, 0, "%s, n = %d", what, n);
}

/* A reflection (column-major, ld n), whose elements are as near as they can be, and Q T Q^H. */
static void *unitary(enum tw_type t, int n)
{
    void *q = tt_array(t, n, n);
    tt_z v[MOST];
    double sum = 0;

    for (int i = 0; i < n; i++) {
        v[i] = tt_uniform(31, i, 0) + (tt_complex(t) ? tt_uniform(32, i, 0) * I : 0);
        sum += creal(v[i] * conj(v[i]));
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, q, (size_t)(i + j * n), (i == j) - 2 * v[i] * conj(v[j]) / sum);
    return q;
}
static void *product(enum tw_type t, int n, const void *q, const double *d, const double *e)
{
    tt_z *x = tt_full(TT_GENERAL, t, 'G', 'N', n, n, q, n), *xt = calloc((size_t)n * (size_t)n + 1, sizeof *xt),
         *xh = tt_op('C', n, n, tt_full(TT_GENERAL, t, 'G', 'N', n, n, q, n)),
         *y = calloc((size_t)n * (size_t)n + 1, sizeof *y);
    void *a = tt_array(t, n, n);

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            xt[i + j * n] = x[i + j * n] * d[j] + (j > 0 ? x[i + (j - 1) * n] * e[j - 1] : 0) +
                            (j + 1 < n ? x[i + (j + 1) * n] * e[j] : 0);
    tt_multiply(n, n, n, 1, xt, xh, 0, y);
    for (int i = 0; i < n * n; i++)
        tt_put(t, a, (size_t)i, y[i]);
    free(x), free(xt), free(xh), free(y);
    return a;
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

/* Z in tiles of nb; V also from a Z that is not the identity. */
static void matrix_door(enum tt_storage s, enum tw_type t, enum tt_tridiagonal kind, int n, int nb)
{
    const int ldz = n + 1;
    void *z = tt_array(t, ldz, n), *q = unitary(t, n), *a, *ab = tt_array(t, 2, n);
    double d[MOST], e[MOST], w[MOST];
    const struct check_band band = tt_band_of_tridiagonal(t, n, ab);
    const struct check_matrix T = check_of_band(&band);
    struct tt_place p;

    tt_tridiagonal(t, kind, n, d, e);
    tt_put_tridiagonal(t, n, d, e, ab);
    tt_expect_info(tw_stedc(TW_COMPZ_N, n, d, e, w, NULL), 0, "%s", tt_tridiagonals[kind]);
    judge(tt_tridiagonals[kind], T, w, NULL, n);
    tt_expect_info(tw_stedc(TW_COMPZ_I, n, d, e, w, tt_enter(&p, s, t, TW_GENERAL, n, n, z, ldz, nb)), 0, "%s",
                   tt_tridiagonals[kind]);
    tt_leave(&p);
    judge(tt_tridiagonals[kind], T, w, z, ldz);
    if (!tt_complex(t)) {
        memcpy(w, d, (size_t)n * sizeof *w); /* over the diagonal */
        tt_expect_info(tw_stevd(TW_VECTORS, n, w, e, w, tt_enter(&p, s, t, TW_GENERAL, n, n, z, ldz, nb)), 0, "%s",
                       tt_tridiagonals[kind]);
        tt_leave(&p);
        judge(tt_tridiagonals[kind], T, w, z, ldz);
        tt_expect_info(tw_stevd(TW_NOVECTORS, n, d, e, w, NULL), 0, "%s", tt_tridiagonals[kind]);
        judge(tt_tridiagonals[kind], T, w, NULL, n);
    }
    tt_expect_info(tw_sterf(n, d, e, w), 0, "%s", tt_tridiagonals[kind]);
    judge(tt_tridiagonals[kind], T, w, NULL, n);
    if (n == 0) goto out; /* no leading dimension for Q */
    a = product(t, n, q, d, e);
    tt_expect_info(tw_stedc(TW_COMPZ_V, n, d, e, w, tt_enter(&p, s, t, TW_GENERAL, n, n, q, n, nb)), 0, "%s",
                   tt_tridiagonals[kind]);
    tt_leave(&p);
    if (kind != TT_T_HUGE && kind != TT_T_TINY) /* whose product is out of range */
        judge("Q T Q^H", check_of_array(&(struct check_array){CHECK_HERMITIAN, t, TW_LOWER, TW_NONUNIT, n, n, a, n}), w,
              q, n);
    free(a);
out:
    free(z), free(q), free(ab);
}

static void sizes(void **state)
{
    static const int ns[] = {0, 1, 2, 3, 5, 24, 25, 26, 33, 97};
    (void)state;
    setenv("TILEWORK_LEAF", "11", 1);
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(ns); k++)
            matrix_door(k % 3 == 2 ? TT_WRAPPED : TT_CREATED, t, TT_T_RANDOM, ns[k], k % 2 ? 16 : 40);
    unsetenv("TILEWORK_LEAF");
}

static void kinds(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (enum tt_tridiagonal kind = TT_T_RANDOM; kind < TT_TRIDIAGONALS; kind++) {
            setenv("TILEWORK_LEAF", kind % 3 == 0 ? "1" : kind % 3 == 1 ? "7" : "24", 1);
            matrix_door(TT_FROM_LAPACK, t, kind, 63 + 7 * (int)kind % 40, 32);
        }
    unsetenv("TILEWORK_LEAF");
    matrix_door(TT_CREATED, TW_DOUBLE, TT_T_GLUED, 300, 128); /* leaves as they are */
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

enum who { STEDC, STEVD, STERF };
/* One call: d, e of the real type, z; work < 0: the LAPACK door; else LAPACKE's, with work 1: _work and lengths
 * `size`. */
struct call {
    enum who who;
    enum tw_type t;
    int layout, work;
    char z;
    int n, ldz;
    void *d, *e, *array;
    int size[3];
    void *space;
};
static tw_int made(const struct call *c)
{
    static lapack_int iwork[20000];
    static double rwork[100000];
    const int s = c->t == TW_FLOAT, n = c->n, ldz = c->ldz, l = c->layout, *size = c->size;
    float *fd = c->d, *fe = c->e;
    double *d = c->d, *e = c->e;

    if (c->who == STERF) {
        if (c->work < 0) return s ? tw_ssterf(n, fd, fe) : tw_dsterf(n, d, e);
        if (c->work) return s ? tw_LAPACKE_ssterf_work(n, fd, fe) : tw_LAPACKE_dsterf_work(n, d, e);
        return s ? tw_LAPACKE_ssterf(n, fd, fe) : tw_LAPACKE_dsterf(n, d, e);
    }
    if (c->who == STEVD) {
        if (c->work < 0) return s ? tw_sstevd(c->z, n, fd, fe, c->array, ldz) : tw_dstevd(c->z, n, d, e, c->array, ldz);
        if (c->work)
            return s ? tw_LAPACKE_sstevd_work(l, c->z, n, fd, fe, c->array, ldz, c->space, size[0], iwork, size[2])
                     : tw_LAPACKE_dstevd_work(l, c->z, n, d, e, c->array, ldz, c->space, size[0], iwork, size[2]);
        return s ? tw_LAPACKE_sstevd(l, c->z, n, fd, fe, c->array, ldz)
                 : tw_LAPACKE_dstevd(l, c->z, n, d, e, c->array, ldz);
    }
    switch (c->t) {
    case TW_FLOAT:
        if (c->work < 0) return tw_sstedc(c->z, n, fd, fe, c->array, ldz);
        return c->work ? tw_LAPACKE_sstedc_work(l, c->z, n, fd, fe, c->array, ldz, c->space, size[0], iwork, size[2])
                       : tw_LAPACKE_sstedc(l, c->z, n, fd, fe, c->array, ldz);
    case TW_DOUBLE:
        if (c->work < 0) return tw_dstedc(c->z, n, d, e, c->array, ldz);
        return c->work ? tw_LAPACKE_dstedc_work(l, c->z, n, d, e, c->array, ldz, c->space, size[0], iwork, size[2])
                       : tw_LAPACKE_dstedc(l, c->z, n, d, e, c->array, ldz);
    case TW_COMPLEX_FLOAT:
        if (c->work < 0) return tw_cstedc(c->z, n, fd, fe, c->array, ldz);
        return c->work ? tw_LAPACKE_cstedc_work(l, c->z, n, fd, fe, c->array, ldz, c->space, size[0],
                                                (float *)(void *)rwork, size[1], iwork, size[2])
                       : tw_LAPACKE_cstedc(l, c->z, n, fd, fe, c->array, ldz);
    default:
        if (c->work < 0) return tw_zstedc(c->z, n, d, e, c->array, ldz);
        return c->work ? tw_LAPACKE_zstedc_work(l, c->z, n, d, e, c->array, ldz, c->space, size[0], rwork, size[1],
                                                iwork, size[2])
                       : tw_LAPACKE_zstedc(l, c->z, n, d, e, c->array, ldz);
    }
}

/* Every function of a routine, for a z; residuals with what it leaves. */
static void one_door(enum who who, enum tw_type t, int layout, int work, char job)
{
    enum { N = 70, LDZ = 75 };
    const enum tw_type real = t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? TW_FLOAT : TW_DOUBLE;
    double d[N], e[N], w[N];
    void *ab = tt_array(t, 2, N), *q = unitary(t, N), *a, *z = tt_array(t, LDZ, N), *array = tt_array(t, LDZ, N),
         *rd = tt_array(real, N, 1), *re = tt_array(real, N, 1), *space = malloc(100000 * tt_size(t));
    struct call c = {who, t, layout, work, job, N, LDZ, rd, re, array, {100000, 100000, 20000}, space};

    tt_tridiagonal(t, TT_T_RANDOM, N, d, e);
    tt_put_tridiagonal(t, N, d, e, ab);
    for (int i = 0; i < N; i++)
        tt_put(real, rd, (size_t)i, d[i]), tt_put(real, re, (size_t)i, i + 1 < N ? e[i] : 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, array, tt_layout_at(layout, i, j, LDZ), tt_get(t, q, (size_t)(i + j * N)));
    if (work > 0 && who != STERF) {
        const int full[3] = {100000, 100000, 20000}, query[3] = {-1, -1, -1};
        memcpy(c.size, query, sizeof query);
        assert_int_equal(made(&c), 0);
        assert_true(creal(tt_get(t, space, 0)) >= 1);
        memcpy(c.size, full, sizeof full);
        c.size[0] = 0;
        assert_int_equal(made(&c), -9);
        memcpy(c.size, full, sizeof full);
        c.size[2] = 0;
        assert_int_equal(made(&c), tt_complex(t) ? -13 : -11);
        memcpy(c.size, full, sizeof full);
    }
    tt_expect_info(made(&c), 0, "%c", job);
    for (int i = 0; i < N; i++)
        w[i] = creal(tt_get(real, rd, (size_t)i));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, z, (size_t)(i + j * LDZ), tt_get(t, array, tt_layout_at(layout, i, j, LDZ)));
    if (job == 'V' && who == STEDC) {
        a = product(t, N, q, d, e);
        judge("LAPACK's names",
              check_of_array(&(struct check_array){CHECK_HERMITIAN, t, TW_LOWER, TW_NONUNIT, N, N, a, N}), w, z, LDZ);
        free(a);
    } else {
        const struct check_band band = tt_band_of_tridiagonal(t, N, ab);
        const struct check_matrix T = check_of_band(&band);
        judge("LAPACK's names", T, w, job == 'N' || job == 'n' ? NULL : z, LDZ);
    }
    free(ab), free(q), free(z), free(array), free(rd), free(re), free(space);
}

static void doors(void **state)
{
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    (void)state;
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
        setenv("TILEWORK_LEAF", "20", 1);
        FOR_TYPES(t)
            for (int l = 0; l < 2; l++)
                for (int work = l ? 0 : -1; work < 2; work++)
                    for (const char *job = "NIVv"; *job; job++) {
                        if (*job != 'v') one_door(STEDC, t, layouts[l], work, *job);
                        if (!tt_complex(t) && *job != 'I') one_door(STEVD, t, layouts[l], work, *job);
                        if (!tt_complex(t) && *job == 'N' && l == 0) one_door(STERF, t, layouts[l], work, *job);
                    }
        unsetenv("TILEWORK_LEAF");
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void not_finite(void **state)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    enum { N = 40 };
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int tiles = 0; tiles < 2; tiles++)
            for (int in_e = 0; in_e < 2; in_e++) {
                double d[N], e[N], z[N * N];
                setenv("TILEWORK_CROSSOVER", tiles ? "0" : "1000", 1);
                for (int job = 0; job < 3; job++) {
                    tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
                    (in_e ? e : d)[N - 2] = bad[k];
                    tt_expect_info(job == 2 ? tw_dsterf(N, d, e)
                                   : job    ? tw_dstevd('V', N, d, e, z, N)
                                            : tw_dstedc('I', N, d, e, z, N),
                                   N, "%g", bad[k]);
                    assert_true(isnan(d[0]) && isnan(d[N - 1]));
                }
                unsetenv("TILEWORK_CROSSOVER");
            }
}

/* A NaN in what is multiplied by the eigenvectors stays in its rows: the values are there, as by LAPACK's own. */
static void not_finite_in_z(void **state)
{
    enum { N = 40 };
    (void)state;
    FOR_TYPES(t)
        for (int tiles = 0; tiles < 2; tiles++) {
            const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
            double d[N], e[N];
            float fd[N], fe[N];
            void *z = tt_array(t, N, N);

            setenv("TILEWORK_CROSSOVER", tiles ? "0" : "1000", 1);
            tt_tridiagonal(t, TT_T_RANDOM, N, d, e);
            for (int i = 0; i < N; i++)
                fd[i] = (float)d[i], fe[i] = (float)e[i];
            for (int i = 0; i < N * N; i++)
                tt_put(t, z, (size_t)i, i % (N + 1) == 0);
            tt_put(t, z, 5, NAN);
            tt_expect_info(t == TW_FLOAT           ? tw_sstedc('V', N, fd, fe, z, N)
                           : t == TW_DOUBLE        ? tw_dstedc('V', N, d, e, z, N)
                           : t == TW_COMPLEX_FLOAT ? tw_cstedc('V', N, fd, fe, z, N)
                                                   : tw_zstedc('V', N, d, e, z, N),
                           0, "NaN in z");
            for (int i = 0; i < N; i++) {
                assert_true(isfinite(single ? (double)fd[i] : d[i]));
                assert_true(isfinite(creal(tt_get(t, z, (size_t)(i * N + 6)))));
            }
            unsetenv("TILEWORK_CROSSOVER");
            free(z);
        }
}

static void refusals(void **state)
{
    double d[4] = {1, 2, 3, 4}, e[3] = {1, 1, 1}, w[4], z[16] = {0}, nan = NAN;
    float fd[4] = {0};
    tw_matrix *A, *B, *C;
    (void)state;
    assert_int_equal(tw_dstedc('X', 4, d, e, z, 4), -1);
    assert_int_equal(tw_dstedc('I', -1, d, e, z, 4), -2);
    assert_int_equal(tw_dstedc('I', 4, NULL, e, z, 4), -3);
    assert_int_equal(tw_dstedc('I', 4, d, NULL, z, 4), -4);
    assert_int_equal(tw_dstedc('I', 4, d, e, NULL, 4), -5);
    assert_int_equal(tw_dstedc('I', 4, d, e, z, 3), -6);
    assert_int_equal(tw_dstedc('N', 4, d, e, NULL, 0), -6);
    assert_int_equal(tw_dstedc('I', 0, NULL, NULL, NULL, 1), 0);
    assert_int_equal(tw_dstedc('N', 1, &nan, NULL, NULL, 1), 1);
    assert_int_equal(tw_dstevd('I', 4, d, e, z, 4), -1);
    assert_int_equal(tw_dstevd('V', -1, d, e, z, 4), -2);
    assert_int_equal(tw_dstevd('V', 4, d, e, z, 3), -6);
    assert_int_equal(tw_dsterf(-1, d, e), -1);
    assert_int_equal(tw_dsterf((tw_int)1 << 30, d, e), -1);
    assert_int_equal(tw_dsterf(INT64_MAX, d, e), -1);
    assert_int_equal(tw_dsterf(4, NULL, e), -2);
    assert_int_equal(tw_ssterf(4, fd, NULL), -3);
    assert_int_equal(tw_LAPACKE_dstedc(7, 'I', 4, d, e, z, 4), -1);
    assert_int_equal(tw_LAPACKE_dstedc(LAPACK_ROW_MAJOR, 'I', 4, d, e, z, 3), -7);
    assert_int_equal(tw_LAPACKE_dstevd(LAPACK_ROW_MAJOR, 'N', 4, d, e, z, 3), -7);
    z[5] = NAN;
    assert_int_equal(tw_LAPACKE_dstedc(LAPACK_COL_MAJOR, 'V', 4, d, e, z, 4), -6);
    e[1] = NAN;
    assert_int_equal(tw_LAPACKE_dstedc(LAPACK_COL_MAJOR, 'I', 4, d, e, z, 4), -5);
    assert_int_equal(tw_LAPACKE_dstevd(LAPACK_COL_MAJOR, 'N', 4, d, e, z, 4), -5);
    assert_int_equal(tw_LAPACKE_dsterf(4, d, e), -3);
    d[0] = NAN;
    assert_int_equal(tw_LAPACKE_dstevd(LAPACK_COL_MAJOR, 'V', 4, d, e, z, 4), -4);
    assert_int_equal(tw_LAPACKE_dsterf(4, d, e), -2);
    d[0] = e[1] = 1;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_COMPLEX_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_stedc((enum tw_compz)'X', 4, d, e, w, A), -1);
    assert_int_equal(tw_stedc(TW_COMPZ_I, -1, d, e, w, A), -2);
    assert_int_equal(tw_stedc(TW_COMPZ_I, 4, NULL, e, w, A), -3);
    assert_int_equal(tw_stedc(TW_COMPZ_I, 4, d, NULL, w, A), -4);
    assert_int_equal(tw_stedc(TW_COMPZ_I, 4, d, e, NULL, A), -5);
    assert_int_equal(tw_stedc(TW_COMPZ_I, 4, d, e, w, NULL), -6);
    assert_int_equal(tw_stedc(TW_COMPZ_I, 4, d, e, w, B), -6);
    assert_int_equal(tw_stedc(TW_COMPZ_N, 4, d, e, w, A), -6);
    assert_int_equal(tw_stedc_async(TW_COMPZ_I, 4, d, e, w, A, NULL), -7);
    assert_int_equal(tw_stevd(TW_VECTORS, 4, d, e, w, C), -6);
    assert_int_equal(tw_stevd((enum tw_jobz)'I', 4, d, e, w, A), -1);
    assert_int_equal(tw_sterf(-1, d, e, w), -1);
    assert_int_equal(tw_sterf(4, d, e, NULL), -4);
    assert_int_equal(tw_sterf_async(4, d, e, w, NULL), -5);
    d[0] = 1e300; /* which float does not have */
    tw_matrix_destroy(C);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_stedc(TW_COMPZ_I, 4, d, e, w, C), 4);
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(C);
}

/* Z of one routine in the product of the next, and the queue's order. */
static void queued(void **state)
{
    enum { N = 130 };
    (void)state;
    setenv("TILEWORK_LEAF", "20", 1);
    FOR_TYPES(t) {
        void *z = tt_array(t, N, N), *g = tt_array(t, N, N), *ab = tt_array(t, 2, N);
        double d[N], e[N], w[3][N];
        const struct check_band band = tt_band_of_tridiagonal(t, N, ab);
        const struct check_matrix T = check_of_band(&band);
        tw_sequence *seq;
        tw_matrix *Z, *G;

        tt_tridiagonal(t, TT_T_RANDOM, N, d, e);
        tt_put_tridiagonal(t, N, d, e, ab);
        assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, N, 50, NULL), 0);
        assert_int_equal(tw_matrix_create(&G, t, TW_GENERAL, N, N, 32, NULL), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_laset_async(TW_GENERAL, (tw_scalar){0, 0}, (tw_scalar){1, 0}, Z, seq), 0);
        assert_int_equal(tw_stedc_async(TW_COMPZ_V, N, d, e, w[0], Z, seq), 0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, Z, Z, (tw_scalar){0, 0}, G, seq),
                         0);
        assert_int_equal(tw_sterf_async(N, d, e, w[1], seq), 0);
        assert_int_equal(tw_stevd_async(TW_NOVECTORS, N, d, e, w[2], NULL, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(Z, z, N), 0);
        assert_int_equal(tw_matrix_to_lapack(G, g, N), 0);
        judge("queued", T, w[0], z, N);
        judge("queued", T, w[1], NULL, N);
        judge("queued", T, w[2], NULL, N);
        for (int i = 0; i < N; i++)
            tt_put(t, g, (size_t)i * (N + 1), tt_get(t, g, (size_t)i * (N + 1)) - 1);
        tt_expect("|Z^H Z - I|, queued", t, check_norm_ge(t, N, N, g, N) / (N * tt_eps(t)), 0, "n = %d", N);
        tw_matrix_destroy(Z), tw_matrix_destroy(G);
        free(z), free(g), free(ab);
    }
    unsetenv("TILEWORK_LEAF");
}

/* Several cores bring a merge's columns, and turn them in pairs: the same bits as one core's. Glued matrices and
 * clusters have many rotations. */
static void teams(void **state)
{
    enum { N = 1000, KINDS = 3 };
    static const enum tt_tridiagonal some[KINDS] = {TT_T_RANDOM, TT_T_GLUED, TT_T_CLUSTERED};
    static double d[N], e[N], w[2][2 * KINDS][N];
    void *z[2][2 * KINDS];
    (void)state;
    setenv("TILEWORK_LEAF", "64", 1);
    for (int team = 0; team < 2; team++) {
        assert_int_equal(tw_finalize(), 0); /* the variable is read at the start */
        if (!team) setenv("TILEWORK_TEAM", "1", 1);
        for (int c = 0; c < 2 * KINDS; c++) {
            const enum tw_type t = c < KINDS ? TW_FLOAT : TW_DOUBLE;
            tw_matrix *Z;

            tt_tridiagonal(t, some[c % KINDS], N, d, e);
            z[team][c] = tt_array(t, N, N);
            assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, N, 0, NULL), 0);
            tt_expect_info(tw_stedc(TW_COMPZ_I, N, d, e, w[team][c], Z), 0, "%s", tt_tridiagonals[some[c % KINDS]]);
            assert_int_equal(tw_matrix_to_lapack(Z, z[team][c], N), 0);
            tw_matrix_destroy(Z);
            if (team) {
                void *ab = tt_array(t, 2, N);
                const struct check_band band = tt_band_of_tridiagonal(t, N, ab);
                tt_put_tridiagonal(t, N, d, e, ab);
                judge(tt_tridiagonals[some[c % KINDS]], check_of_band(&band), w[1][c], z[1][c], N);
                free(ab);
            }
        }
        unsetenv("TILEWORK_TEAM");
    }
    for (int c = 0; c < 2 * KINDS; c++) {
        assert_memory_equal(w[0][c], w[1][c], sizeof w[0][c]);
        assert_memory_equal(z[0][c], z[1][c], (size_t)N * N * tt_size(c < KINDS ? TW_FLOAT : TW_DOUBLE));
        free(z[0][c]), free(z[1][c]);
    }
    unsetenv("TILEWORK_LEAF");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes),           cmocka_unit_test(kinds),
                                       cmocka_unit_test(doors),           cmocka_unit_test(not_finite),
                                       cmocka_unit_test(not_finite_in_z), cmocka_unit_test(refusals),
                                       cmocka_unit_test(queued),          tt_test_of_bits(teams)};
    return tt_run(tests);
}
