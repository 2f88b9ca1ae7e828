/* sbevx and hbevx: some eigenvalues and eigenvectors of band matrices, and Q, through all doors; bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { MOST = 140 };

/* LAPACK's band array; what is none of the matrix' is NaN (tt_array's). */
static void fill(enum tw_type t, double factor, char uplo, int n, int kd, void *ab, int ldab)
{
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= kd && j + k < n; k++) {
            const tt_z x = factor * (tt_uniform(7, j + k, j) + (tt_complex(t) && k ? tt_uniform(8, j + k, j) * I : 0));
            if (uplo == 'L')
                tt_put(t, ab, (size_t)(k + j * ldab), x);
            else
                tt_put(t, ab, (size_t)(kd - k + (j + k) * ldab), conj(x));
        }
}
static tt_z element(enum tw_type t, char uplo, int kd, const void *ab, int ldab, int i, int j)
{
    const int low = i > j ? i : j, high = i > j ? j : i;
    tt_z x;

    if (low - high > kd) return 0;
    if (uplo == 'L')
        x = tt_get(t, ab, (size_t)(low - high + high * ldab));
    else
        x = conj(tt_get(t, ab, (size_t)(kd + high - low + low * ldab)));
    return i == j ? creal(x) : i > j ? x : conj(x);
}

/* Q^H Q = I, and Q^H A Q is tridiagonal and real. */
static void judge_q(const char *what, enum tw_type t, char uplo, int n, int kd, const void *ab, int ldab, const void *q,
                    int ldq)
{
    tt_z *product = calloc((size_t)(n * n + 1), sizeof *product);
    double norm = 0, orthogonality = 0, outside = 0;

    for (int i = 0; i < n; i++)
        for (int k = i > kd ? i - kd : 0; k < n && k <= i + kd; k++) {
            const tt_z x = element(t, uplo, kd, ab, ldab, i, k);
            for (int j = 0; j < n; j++)
                product[i + j * n] += x * tt_get(t, q, (size_t)(k + (size_t)j * (size_t)ldq));
            norm = fmax(norm, cabs(x));
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            tt_z x = 0, y = i == j ? -1 : 0;
            for (int k = 0; k < n; k++) {
                const tt_z left = conj(tt_get(t, q, (size_t)(k + (size_t)i * (size_t)ldq)));
                x += left * product[k + j * n];
                y += left * tt_get(t, q, (size_t)(k + (size_t)j * (size_t)ldq));
            }
            outside = fmax(outside, abs(i - j) > 1 ? cabs(x) : fabs(cimag(x)));
            orthogonality = isnan(cabs(y)) ? NAN : fmax(orthogonality, cabs(y));
        }
    tt_expect("|Q^H Q - I|", t, orthogonality / (n * tt_eps(t)), 1, "%s, %c, n = %d, kd = %d", what, uplo, n, kd);
    tt_expect("Q^H A Q beside T", t, norm > 0 ? outside / (n * tt_eps(t) * norm) : outside, 1,
              "%s, %c, n = %d, kd = %d", what, uplo, n, kd);
    free(product);
}

static void judge(const char *what, enum tw_type t, char uplo, int n, int kd, const void *ab, int ldab, int first,
                  int m, const double *w, const void *z, int ldz)
{
    const struct check_band band = {t, (enum tw_uplo)uplo, n, kd, ab, ldab};
    const struct check_matrix A = check_of_band(&band);
    double residual[2] = {0, 0}, error = 0;

    if (z) assert_int_equal(check_syevd(&A, m, w, z, ldz, residual), 0);
    assert_int_equal(check_some_eigenvalues(&A, first, m, w, &error), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "%s, %c, n = %d, kd = %d, %d from %d", what, uplo, n, kd, m, first);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, %c, n = %d, kd = %d, %d from %d", what, uplo, n, kd, m, first);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, %c, n = %d, kd = %d, %d from %d", what, uplo, n, kd, m, first);
}

/* Numbers il ... iu, with Q or without, then the interval around them, which may hold no others; what Z has besides
 * stays. */
static void matrix_door(enum tw_type t, double factor, char uplo, int n, int kd, int nb, int il, int iu)
{
    const int ldab = kd + 2, ldz = n + 1, wanted = iu - il + 1, columns = wanted + 1;
    void *ab = tt_array(t, ldab, n), *z = tt_array(t, ldz, columns), *q = tt_array(t, ldz, n);
    double w[MOST], all[MOST], vl, vu;
    struct tt_place pz, pq;
    tw_matrix *A, *Z, *Q;
    tw_int m = -1;

    fill(t, factor, uplo, n, kd, ab, ldab);
    for (int i = 0; i < ldz * columns; i++)
        tt_put(t, z, (size_t)i, 77);
    assert_int_equal(tw_matrix_create_band(&A, t, n, n, uplo == 'L' ? kd : 0, uplo == 'U' ? kd : 0, nb), 0);
    assert_int_equal(tw_matrix_set_band(A, ab, ldab), 0);
    Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, n, columns, z, ldz, 37);
    Q = tt_enter(&pq, TT_CREATED, t, TW_GENERAL, n, n, q, ldz, 29);
    tt_expect_info(
        tw_sbevx(TW_VECTORS, TW_INDICES, (enum tw_uplo)uplo, A, wanted % 2 ? Q : NULL, 0, 0, il, iu, &m, w, Z), 0,
        "n = %d", n);
    tt_leave(&pz);
    tt_leave(&pq);
    assert_int_equal(m, wanted);
    judge("numbers", t, uplo, n, kd, ab, ldab, il - 1, wanted, w, z, ldz);
    if (wanted % 2 && factor == 1) judge_q("numbers", t, uplo, n, kd, ab, ldab, q, ldz);
    for (int i = 0; i < n; i++)
        assert_true(creal(tt_get(t, z, (size_t)(i + wanted * ldz))) == 77);
    tt_expect_info(tw_sbevd(TW_NOVECTORS, (enum tw_uplo)uplo, A, all, NULL), 0, "n = %d", n);
    vl = il > 1 ? (all[il - 2] + all[il - 1]) / 2 : -INFINITY, vu = iu < n ? (all[iu - 1] + all[iu]) / 2 : INFINITY;
    tt_expect_info(tw_sbevx(TW_NOVECTORS, TW_INTERVAL, (enum tw_uplo)uplo, A, NULL, vl, vu, 0, 0, &m, w, NULL), 0,
                   "n = %d", n);
    assert_int_equal(m, wanted);
    judge("interval", t, uplo, n, kd, ab, ldab, il - 1, wanted, w, NULL, ldz);
    Z = tt_enter(&pz, TT_FROM_LAPACK, t, TW_GENERAL, n, columns, z, ldz, 20);
    Q = tt_enter(&pq, TT_FROM_LAPACK, t, TW_GENERAL, n, n, q, ldz, 20);
    tt_expect_info(tw_sbevx(TW_VECTORS, TW_INTERVAL, (enum tw_uplo)uplo, A, Q, vl, vu, 0, 0, &m, w, Z), 0, "n = %d", n);
    tt_leave(&pz), tt_leave(&pq);
    assert_int_equal(m, wanted);
    judge("interval", t, uplo, n, kd, ab, ldab, il - 1, wanted, w, z, ldz);
    if (factor == 1) judge_q("interval", t, uplo, n, kd, ab, ldab, q, ldz);
    tw_matrix_destroy(A);
    free(ab), free(z), free(q);
}

static void sizes(void **state)
{
    static const int cases[][5] = {{1, 0, 16, 1, 1},  {1, 4, 16, 1, 1},   {2, 1, 1, 2, 2},     {3, 2, 2, 1, 2},
                                   {33, 0, 16, 2, 9}, {40, 1, 16, 7, 40}, {70, 7, 24, 11, 31}, {90, 20, 0, 1, 90}};
    (void)state;
    setenv("TILEWORK_LEAF", "25", 1);
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(cases); k++)
            matrix_door(t, 1, (k + t) % 2 ? 'L' : 'U', cases[k][0], cases[k][1], cases[k][2], cases[k][3], cases[k][4]);
    FOR_TYPES(t)
        for (int large = 0; large < 2; large++)
            matrix_door(t, pow(10, (large ? 1 : -1) * (tw_type_real(t) == TW_FLOAT ? 37 : 305)), large ? 'L' : 'U', 60,
                        5, 16, 3, 20);
    unsetenv("TILEWORK_LEAF");
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

struct call {
    int layout, work; /* work < 0: the LAPACK door; 0: LAPACKE's; 1: with _work */
    enum tw_type t;
    char jobz, range, uplo;
    int n, kd, ldab, ldq, il, iu, ldz;
    double vl, vu;
    void *ab, *q, *w, *z;
    tw_int m;
};
static tw_int made(struct call *c)
{
    static lapack_int iwork[5 * MOST], each[MOST];
    static tw_int each64[MOST];
    static double space[20 * MOST], rwork[8 * MOST];
    const float fl = (float)c->vl, fu = (float)c->vu;
    float *fw = c->w;
    double *w = c->w;
    lapack_int m = -1;
    tw_int info;

#define FRONT(vl, vu, M, w)                                                                                            \
    c->jobz, c->range, c->uplo, c->n, c->kd, c->ab, c->ldab, c->q, c->ldq, vl, vu, c->il, c->iu, 0, M, w, c->z, c->ldz
#define DOOR(p, name, vl, vu, w, ...)                                                                                  \
    (c->work < 0 ? tw_##p##name(FRONT(vl, vu, &c->m, w), each64)                                                       \
     : c->work == 0                                                                                                    \
         ? tw_LAPACKE_##p##name(c->layout, FRONT(vl, vu, &m, w), each)                                                 \
         : tw_LAPACKE_##p##name##_work(c->layout, FRONT(vl, vu, &m, w), (void *)space, __VA_ARGS__ iwork, each))
#define RWORK (void *)rwork,
    for (int i = 0; i < MOST; i++)
        each[i] = 5, each64[i] = 5;
    switch (c->t) {
    case TW_FLOAT: info = DOOR(s, sbevx, fl, fu, fw, ); break;
    case TW_DOUBLE: info = DOOR(d, sbevx, c->vl, c->vu, w, ); break;
    case TW_COMPLEX_FLOAT: info = DOOR(c, hbevx, fl, fu, fw, RWORK); break;
    default: info = DOOR(z, hbevx, c->vl, c->vu, w, RWORK);
    }
    if (c->work >= 0) c->m = m;
    for (int i = 0; i < MOST && info == 0 && c->jobz == 'V'; i++)
        assert_int_equal(c->work < 0 ? each64[i] : each[i], i < c->m ? 0 : 5);
    return info;
}

static void one_door(enum tw_type t, int layout, int work, char job, char range, char uplo)
{
    enum { N = 40, KD = 6, LDQ = 43, IL = 11, IU = 30 };
    const int first = range == 'A' ? 0 : IL - 1, m = range == 'A' ? N : IU - IL + 1,
              ldab = layout == LAPACK_ROW_MAJOR ? N + 2 : KD + 3;
    void *column = tt_array(t, KD + 1, N), *ab = tt_array(t, N + 2, N), *z = tt_array(t, LDQ, N),
         *q = tt_array(t, LDQ, N), *array = tt_array(t, LDQ, N), *w = tt_array(tw_type_real(t), N, 1);
    double values[N] = {0};
    struct call c = {layout, work, t, job, range, uplo, N, KD, ldab, LDQ, IL, IU, LDQ, 0, 0, ab, q, w, array, -1};
    tw_matrix *B;

    fill(t, 1, uplo, N, KD, column, KD + 1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= KD; i++)
            tt_put(t, ab, tt_layout_at(layout, i, j, ldab), tt_get(t, column, (size_t)(i + j * (KD + 1))));
    if (range == 'V') {
        assert_int_equal(tw_matrix_create_band(&B, t, N, N, uplo == 'L' ? KD : 0, uplo == 'U' ? KD : 0, 16), 0);
        assert_int_equal(tw_matrix_set_band(B, column, KD + 1), 0);
        assert_int_equal(tw_sbevd(TW_NOVECTORS, (enum tw_uplo)uplo, B, values, NULL), 0);
        tw_matrix_destroy(B);
        c.vl = (values[IL - 2] + values[IL - 1]) / 2, c.vu = (values[IU - 1] + values[IU]) / 2;
    }
    tt_expect_info(made(&c), 0, "%c %c", job, range);
    assert_int_equal(c.m, m);
    for (int i = 0; i < m; i++)
        values[i] = creal(tt_get(tw_type_real(t), w, (size_t)i));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, z, (size_t)(i + j * LDQ), tt_get(t, array, tt_layout_at(layout, i, j, LDQ)));
    judge("LAPACK's names", t, uplo, N, KD, column, KD + 1, first, m, values, job == 'V' ? z : NULL, LDQ);
    if (job == 'V' && range == 'V') {
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                tt_put(t, z, (size_t)(i + j * LDQ), tt_get(t, q, tt_layout_at(layout, i, j, LDQ)));
        judge_q("LAPACK's names", t, uplo, N, KD, column, KD + 1, z, LDQ);
    }
    free(column), free(ab), free(z), free(q), free(array), free(w);
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
                    for (const char *range = "AVI"; *range; range++)
                        if (straight || *range == "AVI"[((int)t + l + work + 1) % 3]) /* tiles take more time */
                            one_door(t, layouts[l], work, *range == 'A' && work ? 'N' : 'V', *range, work ? 'U' : 'L');
    }
    unsetenv("TILEWORK_CROSSOVER");
    unsetenv("TILEWORK_LEAF");
}

/* Under LAPACK's names, straight: matrices near the ends of the range. */
static void scaled(void **state)
{
    enum { N = 30, KD = 4 };
    (void)state;
    FOR_TYPES(t)
        for (int large = 0; large < 2; large++) {
            void *column = tt_array(t, KD + 1, N), *ab = tt_array(t, KD + 1, N), *z = tt_array(t, N, N),
                 *q = tt_array(t, N, N), *w = tt_array(tw_type_real(t), N, 1);
            struct call c = {LAPACK_COL_MAJOR, -1, t, 'V', 'I', 'L', N, KD, KD + 1, N, 2, 9, N, 0, 0, ab, q, w, z, -1};
            double values[N];

            fill(t, pow(10, (large ? 1 : -1) * (tw_type_real(t) == TW_FLOAT ? 37 : 305)), 'L', N, KD, column, KD + 1);
            for (size_t i = 0; i < (KD + 1) * N; i++)
                tt_put(t, ab, i, tt_get(t, column, i));
            tt_expect_info(made(&c), 0, "scaled");
            for (int i = 0; i < 8; i++)
                values[i] = creal(tt_get(tw_type_real(t), w, (size_t)i));
            judge("scaled", t, 'L', N, KD, column, KD + 1, 1, 8, values, z, N);
            free(column), free(ab), free(z), free(q), free(w);
        }
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void refusals_of_lapack(void **state)
{
    double ab[20] = {0}, w[4], z[16], q[16];
    tw_int m, each[8];
    lapack_int m32, each32[8];
    (void)state;
#define D(jobz, range, uplo, n, kd, ldab, ldq, vl, vu, il, iu, ldz)                                                    \
    tw_dsbevx(jobz, range, uplo, n, kd, ab, ldab, q, ldq, vl, vu, il, iu, 0, &m, w, z, ldz, each)
    assert_int_equal(D('X', 'A', 'L', 4, 1, 2, 4, 0, 0, 0, 0, 4), -1);
    assert_int_equal(D('V', 'X', 'L', 4, 1, 2, 4, 0, 0, 0, 0, 4), -2);
    assert_int_equal(D('V', 'A', 'X', 4, 1, 2, 4, 0, 0, 0, 0, 4), -3);
    assert_int_equal(D('V', 'A', 'L', -1, 1, 2, 4, 0, 0, 0, 0, 4), -4);
    assert_int_equal(D('V', 'A', 'L', 4, -1, 2, 4, 0, 0, 0, 0, 4), -5);
    assert_int_equal(D('V', 'A', 'L', 4, 2, 2, 4, 0, 0, 0, 0, 4), -7);
    assert_int_equal(D('V', 'A', 'L', 4, 1, 2, 3, 0, 0, 0, 0, 4), -9);
    assert_int_equal(D('V', 'V', 'L', 4, 1, 2, 4, 1, 1, 0, 0, 4), -11);
    assert_int_equal(D('V', 'I', 'L', 4, 1, 2, 4, 0, 0, 0, 2, 4), -12);
    assert_int_equal(D('V', 'I', 'L', 4, 1, 2, 4, 0, 0, 3, 2, 4), -13);
    assert_int_equal(D('V', 'I', 'L', 4, 1, 2, 4, 0, 0, 3, 5, 4), -13);
    assert_int_equal(D('V', 'A', 'L', 4, 1, 2, 4, 0, 0, 0, 0, 3), -18);
    assert_int_equal(D('N', 'A', 'L', 4, 1, 2, 0, 0, 0, 0, 0, 1), 0); /* q is nothing then */
    assert_int_equal(D('N', 'A', 'L', 0, 0, 1, 1, 0, 0, 0, 0, 1), 0);
    assert_int_equal(m, 0);
    assert_int_equal(tw_dsbevx('V', 'A', 'L', 4, 1, NULL, 2, q, 4, 0, 0, 0, 0, 0, &m, w, z, 4, each), -6);
    assert_int_equal(tw_dsbevx('V', 'A', 'L', 4, 1, ab, 2, NULL, 4, 0, 0, 0, 0, 0, &m, w, z, 4, each), -8);
    assert_int_equal(tw_dsbevx('V', 'A', 'L', 4, 1, ab, 2, q, 4, 0, 0, 0, 0, 0, NULL, w, z, 4, each), -15);
    assert_int_equal(tw_dsbevx('V', 'A', 'L', 4, 1, ab, 2, q, 4, 0, 0, 0, 0, 0, &m, NULL, z, 4, each), -16);
    assert_int_equal(tw_dsbevx('V', 'A', 'L', 4, 1, ab, 2, q, 4, 0, 0, 0, 0, 0, &m, w, NULL, 4, each), -17);
    setenv("TILEWORK_CROSSOVER", "0", 1); /* z over q */
    assert_int_equal(tw_dsbevx('V', 'A', 'L', 4, 1, ab, 2, q, 4, 0, 0, 0, 0, 0, &m, w, q, 4, each), -17);
    unsetenv("TILEWORK_CROSSOVER");
#define E(layout, range, kd, ldab, ldq, vl, abstol, ldz)                                                               \
    tw_LAPACKE_dsbevx(layout, 'V', range, 'L', 4, kd, ab, ldab, q, ldq, vl, 2, 1, 4, abstol, &m32, w, z, ldz, each32)
    assert_int_equal(E(7, 'A', 1, 2, 4, 0, 0, 4), -1);
    assert_int_equal(E(LAPACK_ROW_MAJOR, 'A', -1, 4, 4, 0, 0, 4), -6);
    assert_int_equal(E(LAPACK_ROW_MAJOR, 'A', 1, 3, 4, 0, 0, 4), -8);
    assert_int_equal(E(LAPACK_ROW_MAJOR, 'A', 1, 4, 3, 0, 0, 4), -10);
    assert_int_equal(E(LAPACK_ROW_MAJOR, 'I', 1, 4, 4, 0, 0, 3), -19);
    assert_int_equal(E(LAPACK_COL_MAJOR, 'V', 1, 2, 4, NAN, 0, 4), -11);
    assert_int_equal(E(LAPACK_COL_MAJOR, 'A', 1, 2, 4, 0, NAN, 4), -15);
    ab[3] = NAN;
    assert_int_equal(E(LAPACK_COL_MAJOR, 'A', 1, 2, 4, 0, 0, 4), -7);
    for (int tiles = 0; tiles < 2; tiles++) {
        setenv("TILEWORK_CROSSOVER", tiles ? "0" : "1000", 1);
        w[2] = 7;
        assert_int_equal(D('V', 'I', 'L', 4, 1, 2, 4, 0, 0, 2, 3, 4), 4);
        assert_true(isnan(w[0]) && isnan(w[1]) && w[2] == 7 && m == 0); /* as many as were asked for */
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* Denormal numbers, which have few digits: the reduction scales them, straight and by tiles, and Q is unitary. */
static void denormal(void **state)
{
    enum { N = 6, KD = 2 };
    (void)state;
    for (int straight = 0; straight < 2; straight++)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            tt_z ab[(KD + 1) * N] = {0}, q[N * N], z[N * N];
            double w[N];
            tw_int m, ifail[N];

            fill(TW_COMPLEX_DOUBLE, 1e-320, *uplo, N, KD, ab, KD + 1);
            setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
            tt_expect_info(tw_zhbevx('V', 'A', *uplo, N, KD, ab, KD + 1, q, N, 0, 0, 0, 0, 0, &m, w, z, N, ifail), 0,
                           "denormal");
            unsetenv("TILEWORK_CROSSOVER");
            for (int j = 0; j < N; j++)
                for (int k = 0; k <= j; k++) {
                    tt_z of_q = 0, of_z = 0;
                    for (int i = 0; i < N; i++) {
                        of_q += conj(q[i + k * N]) * q[i + j * N];
                        of_z += conj(z[i + k * N]) * z[i + j * N];
                    }
                    assert_true(cabs(of_q - (j == k)) < 1e-14 && cabs(of_z - (j == k)) < 1e-14);
                }
        }
}

static void refusals(void **state)
{
    double ab[12] = {0}, w[4];
    tw_matrix *A, *Z, *C, *Q;
    tw_int m;
    (void)state;
    assert_int_equal(tw_matrix_create_band(&A, TW_DOUBLE, 4, 4, 1, 0, 2), 0);
    assert_int_equal(tw_matrix_set_band(A, ab, 2), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_DOUBLE, TW_GENERAL, 4, 2, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&Q, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
#define CALL(...) tw_sbevx(__VA_ARGS__)
    assert_int_equal(CALL((enum tw_jobz)'X', TW_ALL, TW_LOWER, A, NULL, 0, 0, 0, 0, &m, w, NULL), -1);
    assert_int_equal(CALL(TW_NOVECTORS, (enum tw_which)'X', TW_LOWER, A, NULL, 0, 0, 0, 0, &m, w, NULL), -2);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, (enum tw_uplo)'X', A, NULL, 0, 0, 0, 0, &m, w, NULL), -3);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, Q, NULL, 0, 0, 0, 0, &m, w, NULL), -4);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, A, Q, 0, 0, 0, 0, &m, w, NULL), -5);
    assert_int_equal(CALL(TW_VECTORS, TW_INDICES, TW_LOWER, A, Z, 0, 0, 1, 2, &m, w, Z), -5);
    assert_int_equal(CALL(TW_VECTORS, TW_INDICES, TW_LOWER, A, C, 0, 0, 1, 2, &m, w, Z), -5);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INTERVAL, TW_LOWER, A, NULL, NAN, 0, 0, 0, &m, w, NULL), -6);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INTERVAL, TW_LOWER, A, NULL, 1, 1, 0, 0, &m, w, NULL), -7);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INDICES, TW_LOWER, A, NULL, 0, 0, 0, 1, &m, w, NULL), -8);
    assert_int_equal(CALL(TW_NOVECTORS, TW_INDICES, TW_LOWER, A, NULL, 0, 0, 3, 2, &m, w, NULL), -9);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, A, NULL, 0, 0, 0, 0, NULL, w, NULL), -10);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, A, NULL, 0, 0, 0, 0, &m, NULL, NULL), -11);
    assert_int_equal(CALL(TW_NOVECTORS, TW_ALL, TW_LOWER, A, NULL, 0, 0, 0, 0, &m, w, Z), -12);
    assert_int_equal(CALL(TW_VECTORS, TW_ALL, TW_LOWER, A, NULL, 0, 0, 0, 0, &m, w, Z), -12);
    assert_int_equal(CALL(TW_VECTORS, TW_ALL, TW_LOWER, A, Q, 0, 0, 0, 0, &m, w, Q), -12);
    assert_int_equal(CALL(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, NULL, -1, 1, 0, 0, &m, w, Z), TW_E_MEMORY);
    assert_int_equal(m, 4); /* more than Z has columns */
    assert_int_equal(tw_sbevx_async(TW_NOVECTORS, TW_ALL, TW_LOWER, A, NULL, 0, 0, 0, 0, &m, w, NULL, NULL), -13);
    tw_matrix_destroy(A), tw_matrix_destroy(Z), tw_matrix_destroy(C), tw_matrix_destroy(Q);
}

/* Q and Z of one call, multiplied by what comes behind it in the queue: Z = Q S. */
static void queued(void **state)
{
    enum { N = 110, KD = 9, K = 30 };
    (void)state;
    FOR_TYPES(t) {
        void *ab = tt_array(t, KD + 1, N), *g = tt_array(t, K, K), *q = tt_array(t, N, N);
        double w[N];
        tw_sequence *seq;
        tw_matrix *A, *Z, *Q, *S, *G;
        tw_int m;

        fill(t, 1, 'L', N, KD, ab, KD + 1);
        assert_int_equal(tw_matrix_create_band(&A, t, N, N, KD, 0, 16), 0);
        assert_int_equal(tw_matrix_set_band(A, ab, KD + 1), 0);
        assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, K, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&Q, t, TW_GENERAL, N, N, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&S, t, TW_GENERAL, N, K, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&G, t, TW_GENERAL, K, K, 32, NULL), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_sbevx_async(TW_VECTORS, TW_INDICES, TW_LOWER, A, Q, 0, 0, 5, 34, &m, w, Z, seq), 0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, Q, Z, (tw_scalar){0, 0}, S, seq),
                         0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, S, S, (tw_scalar){0, 0}, G, seq),
                         0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(m, K);
        assert_int_equal(tw_matrix_to_lapack(G, g, K), 0);
        assert_int_equal(tw_matrix_to_lapack(Q, q, N), 0);
        judge_q("queued", t, 'L', N, KD, ab, KD + 1, q, N);
        for (int i = 0; i < K; i++)
            tt_put(t, g, (size_t)i * (K + 1), tt_get(t, g, (size_t)i * (K + 1)) - 1);
        tt_expect("|S^H S - I|, queued", t, check_norm_ge(t, K, K, g, K) / (N * tt_eps(t)), 0, "n = %d", N);
        tw_matrix_destroy(A), tw_matrix_destroy(Z), tw_matrix_destroy(Q), tw_matrix_destroy(S), tw_matrix_destroy(G);
        free(ab), free(g), free(q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(doors),
        cmocka_unit_test(scaled),
        cmocka_unit_test(denormal),
        cmocka_unit_test(refusals_of_lapack),
        cmocka_unit_test(refusals),
        cmocka_unit_test(queued),
    };
    return tt_run(tests);
}
