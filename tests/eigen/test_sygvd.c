/* sygst, sygvd and sygvx, and under LAPACK's names hegst, hegvd, sygv, hegv, hegvx: residuals by itype, through all
 * doors; B not positive definite; bad input. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)

static struct check_array hermitian(enum tw_type t, char uplo, int n, const void *a, int lda)
{
    return (struct check_array){CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, a, lda};
}

/* One problem: A random, B well-conditioned, of size 1; NaN in the other triangles. */
struct pencil {
    enum tw_type t;
    int itype, n, ld;
    char uplo;
    void *a, *b;     /* as given */
    void *f, *g, *z; /* worked on */
    double *w;
};
static void begin(struct pencil *p, enum tw_type t, int itype, char uplo, int n, int ld)
{
    *p = (struct pencil){.t = t, .itype = itype, .n = n, .ld = ld, .uplo = uplo};
    p->a = tt_array(t, ld, n), p->b = tt_array(t, ld, n), p->z = tt_array(t, ld, n);
    p->w = malloc(((size_t)n + 1) * sizeof *p->w);
    tt_random(t, uplo, n, n, p->a, ld, 5);
    tt_spd(t, uplo, n, p->b, ld, 3);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const size_t at = (size_t)i + (size_t)j * (size_t)ld;
            if (uplo == 'L' ? i >= j : i <= j) tt_put(t, p->b, at, tt_get(t, p->b, at) / n);
            if (i == j) tt_put(t, p->a, at, creal(tt_get(t, p->a, at)));
        }
    p->f = tt_copy(t, ld, n, p->a), p->g = tt_copy(t, ld, n, p->b);
}
static void end(struct pencil *p)
{
    free(p->a), free(p->b), free(p->f), free(p->g), free(p->z), free(p->w);
}

static void judge(const struct pencil *p, const char *what, const double *w, const void *z)
{
    const struct check_array a = hermitian(p->t, p->uplo, p->n, p->a, p->ld),
                             b = hermitian(p->t, p->uplo, p->n, p->b, p->ld);
    const struct check_matrix A = check_of_array(&a), B = check_of_array(&b);
    double residual[2];

    assert_int_equal(check_sygvd(p->itype, &A, &B, p->n, w, z, p->ld, residual), 0);
    tt_expect("the problem", p->t, residual[0], 0, "%s, itype %d, %c, n = %d", what, p->itype, p->uplo, p->n);
    tt_expect("Z^H B Z", p->t, residual[1], 0, "%s, itype %d, %c, n = %d", what, p->itype, p->uplo, p->n);
}
static void judge_factor(const struct pencil *p)
{
    tt_expect("|B - L L^H|", p->t, tt_potrf_residual(p->t, p->uplo, p->n, p->b, p->ld, p->g, p->ld), 0, "n = %d", p->n);
}

/* The form in f, the factor in g. */
static void judge_form(const struct pencil *p, const char *what)
{
    const struct check_array a = hermitian(p->t, p->uplo, p->n, p->a, p->ld);
    const struct check_matrix A = check_of_array(&a);
    double residual;

    assert_int_equal(check_sygst(p->itype, &A, (enum tw_uplo)p->uplo, p->f, p->ld, p->g, p->ld, &residual), 0);
    tt_expect("standard form", p->t, residual, 0, "%s, itype %d, %c, n = %d", what, p->itype, p->uplo, p->n);
}

/* ---- sygst ------------------------------------------------------------------------------------------------------- */

static void form(enum tw_type t, int itype, char uplo, int n, int nb_a, int nb_b)
{
    struct pencil p;
    struct tt_place pa, pb;
    tw_matrix *A, *B;

    begin(&p, t, itype, uplo, n, n + 2);
    if (n) assert_int_equal(tt_lapack_potrf(t, uplo, n, p.g, p.ld), 0);
    A = tt_enter(&pa, n % 2 ? TT_WRAPPED : TT_CREATED, t, (enum tw_uplo)uplo, n, n, p.f, p.ld, nb_a);
    B = tt_enter(&pb, TT_FROM_LAPACK, t, (enum tw_uplo)uplo, n, n, p.g, p.ld, nb_b);
    tt_expect_info(tw_sygst(itype, (enum tw_uplo)uplo, A, B), 0, "itype %d %c n = %d", itype, uplo, n);
    tt_leave(&pa), tt_leave(&pb);
    judge_form(&p, "tiles");
    assert_int_equal(tt_touched(t, uplo, n, n, p.f, p.ld), 0);
    end(&p);
}
static void forms(void **state)
{
    static const int sizes[][3] = {{0, 4, 4},    {1, 4, 4},    {7, 16, 16},  {33, 8, 8},
                                   {64, 16, 16}, {97, 24, 24}, {61, 13, 20}, {90, 128, 128}};
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(sizes); k++)
            for (int itype = 1; itype <= 3; itype++)
                for (const char *uplo = "LU"; *uplo; uplo++)
                    form(t, itype, *uplo, sizes[k][0], sizes[k][1], sizes[k][2]);
}

/* ---- sygvd ------------------------------------------------------------------------------------------------------- */

/* A in tiles of nb_a, B of nb_b, Z of nb_z or A itself (nb_z = 0). */
static void matrix_door(enum tw_type t, int itype, char uplo, int n, int nb_a, int nb_b, int nb_z)
{
    struct tt_place pa, pb, pz;
    tw_matrix *A, *B, *Z;
    struct pencil p;
    double *values = malloc(((size_t)n + 1) * sizeof *values), largest = 0, error = 0;

    begin(&p, t, itype, uplo, n, n + 1);
    A = tt_enter(&pa, TT_CREATED, t, (enum tw_uplo)uplo, n, n, p.f, p.ld, nb_a);
    B = tt_enter(&pb, TT_WRAPPED, t, (enum tw_uplo)uplo, n, n, p.g, p.ld, nb_b);
    tt_expect_info(tw_sygvd(itype, TW_NOVECTORS, (enum tw_uplo)uplo, A, B, values, NULL), 0, "n = %d", n);
    tt_leave(&pa), tt_leave(&pb);
    assert_memory_equal(p.f, p.a, (size_t)p.ld * (size_t)n * tt_size(t));
    judge_factor(&p);
    memcpy(p.g, p.b, (size_t)p.ld * (size_t)n * tt_size(t));
    A = tt_enter(&pa, TT_FROM_LAPACK, t, TW_GENERAL, n, n, p.f, p.ld, nb_a);
    B = tt_enter(&pb, TT_CREATED, t, (enum tw_uplo)uplo, n, n, p.g, p.ld, nb_b);
    Z = nb_z ? tt_enter(&pz, TT_CREATED, t, TW_GENERAL, n, n, p.z, p.ld, nb_z) : A;
    tt_expect_info(tw_sygvd(itype, TW_VECTORS, (enum tw_uplo)uplo, A, B, p.w, Z), 0, "n = %d", n);
    if (nb_z) tt_leave(&pz);
    tt_leave(&pa), tt_leave(&pb);
    if (nb_z) assert_memory_equal(p.f, p.a, (size_t)p.ld * (size_t)n * tt_size(t));
    judge(&p, "matrix door", p.w, nb_z ? p.z : p.f);
    judge_factor(&p);
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(p.w[i]));
        error = fmax(error, fabs(p.w[i] - values[i]));
    }
    tt_expect("values alone", t, largest > 0 ? error / (largest * n * tt_eps(t)) : error, 0, "n = %d", n);
    free(values);
    end(&p);
}
static void problems(void **state)
{
    static const int sizes[][4] = {{0, 4, 4, 4},  {1, 4, 4, 0},     {2, 4, 4, 3},
                                   {33, 8, 8, 0}, {64, 64, 64, 64}, {97, 24, 40, 31}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(sizes); k++)
            for (int itype = 1; itype <= 3; itype++)
                for (const char *uplo = "LU"; *uplo; uplo++)
                    matrix_door(t, itype, *uplo, sizes[k][0], sizes[k][1], sizes[k][2], sizes[k][3]);
    unsetenv("TILEWORK_BAND");
}

/* Inputs of any size: B's scale goes into the eigenvalues of itype 1 as its inverse. */
static void known(void **state)
{
    enum { N = 60 };
    double b[N * N] = {0}, a[N * N] = {0}, w[N], worst = 0;
    tw_matrix *A, *B;
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    for (int i = 0; i < N; i++) { /* diagonal: the quotients are known */
        a[i * (N + 1)] = (i * 7 % N - 20) * 1e-100;
        b[i * (N + 1)] = 1e-200;
    }
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, N, N, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_LOWER, N, N, 16, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, N), 0);
    assert_int_equal(tw_matrix_set_lapack(B, b, N), 0);
    tt_expect_info(tw_sygvd(1, TW_NOVECTORS, TW_LOWER, A, B, w, NULL), 0, "diagonal");
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(w[i] / 1e100 - (i - 20)));
    tt_expect("known values", TW_DOUBLE, worst / (N * 40 * tt_eps(TW_DOUBLE)), 0, "n = %d", N);
    tw_matrix_destroy(A), tw_matrix_destroy(B);
    unsetenv("TILEWORK_BAND");
}

/* ---- what fails -------------------------------------------------------------------------------------------------- */

static void not_definite(void **state)
{
    enum { N = 90 };
    (void)state;
    FOR_TYPES(t)
        for (int k = 1; k <= N; k += 44)
            for (const char *uplo = "LU"; *uplo; uplo++)
                for (int itype = 1; itype <= 3; itype += 2) {
                    struct pencil p;
                    struct tt_place pa, pb;
                    tw_matrix *A, *B;
                    begin(&p, t, itype, *uplo, N, N);
                    tt_spd_failing(t, *uplo, N, p.g, N, 3, k);
                    p.w[0] = 17;
                    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, N, N, p.f, N, 24);
                    B = tt_enter(&pb, TT_CREATED, t, (enum tw_uplo) * uplo, N, N, p.g, N, 24);
                    tt_expect_info(tw_sygvd(itype, TW_VECTORS, (enum tw_uplo) * uplo, A, B, p.w, A), N + k, "minor %d",
                                   k);
                    tt_leave(&pa), tt_leave(&pb);
                    assert_memory_equal(p.f, p.a, (size_t)N * N * tt_size(t));
                    assert_true(p.w[0] == 17);
                    end(&p);
                }
}

static void not_finite(void **state)
{
    enum { N = 50 };
    (void)state;
    FOR_TYPES(t)
        for (int which = 0; which < 2; which++) {
            struct pencil p;
            struct tt_place pa, pb, pz;
            tw_matrix *A, *B, *Z;
            begin(&p, t, 1, 'L', N, N);
            tt_put(t, which ? p.g : p.f, 30 + 7 * N, NAN);
            A = tt_enter(&pa, TT_CREATED, t, TW_LOWER, N, N, p.f, N, 16);
            B = tt_enter(&pb, TT_CREATED, t, TW_LOWER, N, N, p.g, N, 16);
            Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, N, p.z, N, 16);
            tt_expect_info(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, B, p.w, Z), which ? N + 31 : N, "NaN");
            tt_leave(&pa), tt_leave(&pb), tt_leave(&pz);
            if (!which) assert_true(isnan(p.w[0]) && isnan(p.w[N - 1]));
            assert_int_equal(tt_touched(t, 'G', 0, N, p.z, N), 0); /* still as fresh memory is */
            end(&p);
        }
}

static void refusals(void **state)
{
    double w[4];
    tw_matrix *A, *B, *C, *S, *U;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_GENERAL, 3, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_UPPER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_sygvd(0, TW_VECTORS, TW_LOWER, A, B, w, A), -1);
    assert_int_equal(tw_sygvd(4, TW_VECTORS, TW_LOWER, A, B, w, A), -1);
    assert_int_equal(tw_sygvd(1, (enum tw_jobz)'X', TW_LOWER, A, B, w, A), -2);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, (enum tw_uplo)'X', A, B, w, A), -3);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, NULL, B, w, A), -4);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, U, B, w, A), -4);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, NULL, w, A), -5);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, A, w, A), -5);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, C, w, A), -5);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, S, w, A), -5);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, B, NULL, A), -6);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, B, w, NULL), -7);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, B, w, B), -7);
    assert_int_equal(tw_sygvd(1, TW_VECTORS, TW_LOWER, A, B, w, S), -7);
    assert_int_equal(tw_sygvd(1, TW_NOVECTORS, TW_LOWER, A, B, w, A), -7);
    assert_int_equal(tw_sygvd_async(1, TW_NOVECTORS, TW_LOWER, A, B, w, NULL, NULL), -8);
    assert_int_equal(tw_sygst(0, TW_LOWER, A, B), -1);
    assert_int_equal(tw_sygst(1, (enum tw_uplo)'X', A, B), -2);
    assert_int_equal(tw_sygst(1, TW_LOWER, U, B), -3);
    assert_int_equal(tw_sygst(1, TW_LOWER, A, A), -4);
    assert_int_equal(tw_sygst(1, TW_LOWER, A, C), -4);
    assert_int_equal(tw_sygst(1, TW_LOWER, A, S), -4);
    assert_int_equal(tw_sygst_async(1, TW_LOWER, A, B, NULL), -5);
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(C), tw_matrix_destroy(S), tw_matrix_destroy(U);
}

/* ---- in a graph -------------------------------------------------------------------------------------------------- */

/* A problem queued behind one that fails, whose factor of B is used again afterwards. */
static void queued(void **state)
{
    enum { N = 100 };
    (void)state;
    setenv("TILEWORK_BAND", "16", 1);
    FOR_TYPES(t)
        for (int itype = 1; itype <= 3; itype++) {
            struct pencil p, q;
            tw_sequence *seq;
            tw_matrix *A, *B, *Z, *Y;
            begin(&p, t, itype, 'L', N, N), begin(&q, t, itype, 'L', N, N);
            assert_int_equal(tw_matrix_create(&A, t, TW_LOWER, N, N, 32, NULL), 0);
            assert_int_equal(tw_matrix_create(&B, t, TW_LOWER, N, N, 32, NULL), 0);
            assert_int_equal(tw_matrix_create(&Z, t, TW_GENERAL, N, N, 32, NULL), 0);
            assert_int_equal(tw_matrix_create(&Y, t, TW_GENERAL, N, N, 32, NULL), 0);
            assert_int_equal(tw_matrix_set_lapack(A, p.a, N), 0);
            assert_int_equal(tw_matrix_set_lapack(B, p.b, N), 0);
            assert_int_equal(tw_matrix_set_lapack(Y, p.z, N), 0); /* NaN */
            assert_int_equal(tw_sequence_create(&seq), 0);
            assert_int_equal(tw_sygvd_async(itype, TW_VECTORS, TW_LOWER, A, B, p.w, Z, seq), 0);
            assert_int_equal(tw_lacpy_async(TW_GENERAL, Z, Y, seq), 0);
            assert_int_equal(tw_lauum_async(TW_LOWER, B, seq), 0); /* B is written behind the eigenvectors' solve */
            assert_int_equal(tw_sequence_wait(seq), 0);
            assert_int_equal(tw_sequence_destroy(seq), 0);
            assert_int_equal(tw_matrix_to_lapack(Y, q.z, N), 0);
            judge(&p, "queued", p.w, q.z);
            tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(Z), tw_matrix_destroy(Y);
            end(&p), end(&q);
        }
    unsetenv("TILEWORK_BAND");
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static void to_doubles(enum tw_type t, int n, const void *from, double *w)
{
    for (int i = 0; i < n; i++)
        w[i] = t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? (double)((const float *)from)[i] : ((const double *)from)[i];
}
/* gv: sygv and hegv, else sygvd and hegvd. */
static tw_int lapack(int gv, enum tw_type t, int itype, char jobz, char uplo, tw_int n, void *a, tw_int lda, void *b,
                     tw_int ldb, void *w)
{
#define ARGUMENTS itype, jobz, uplo, n, a, lda, b, ldb, w
    switch (t) {
    case TW_FLOAT: return gv ? tw_ssygv(ARGUMENTS) : tw_ssygvd(ARGUMENTS);
    case TW_DOUBLE: return gv ? tw_dsygv(ARGUMENTS) : tw_dsygvd(ARGUMENTS);
    case TW_COMPLEX_FLOAT: return gv ? tw_chegv(ARGUMENTS) : tw_chegvd(ARGUMENTS);
    default: return gv ? tw_zhegv(ARGUMENTS) : tw_zhegvd(ARGUMENTS);
    }
#undef ARGUMENTS
}
static tw_int form_lapack(enum tw_type t, int itype, char uplo, tw_int n, void *a, tw_int lda, const void *b,
                          tw_int ldb)
{
    switch (t) {
    case TW_FLOAT: return tw_ssygst(itype, uplo, n, a, lda, b, ldb);
    case TW_DOUBLE: return tw_dsygst(itype, uplo, n, a, lda, b, ldb);
    case TW_COMPLEX_FLOAT: return tw_chegst(itype, uplo, n, a, lda, b, ldb);
    default: return tw_zhegst(itype, uplo, n, a, lda, b, ldb);
    }
}

/* Straight and by tiles. */
static void lapack_doors(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (int k = 0; k < 24; k++) {
            const int itype = 1 + k % 3, n = k % 2 ? 70 : 97, gv = k / 6 % 2;
            const char uplo = "LUlu"[k / 3 % 4];
            struct pencil p;
            double raw[100];
            begin(&p, t, itype, uplo == 'l' ? 'L' : uplo == 'u' ? 'U' : uplo, n, n + 3);
            if (k < 12) setenv("TILEWORK_CROSSOVER", "0", 1);
            tt_expect_info(lapack(gv, t, itype, k % 5 ? 'V' : 'v', uplo, n, p.f, p.ld, p.g, p.ld, raw), 0, "vectors");
            to_doubles(t, n, raw, p.w);
            judge(&p, "LAPACK's name", p.w, p.f);
            judge_factor(&p);
            memcpy(p.f, p.a, (size_t)p.ld * (size_t)n * tt_size(t));
            tt_expect_info(form_lapack(t, itype, uplo, n, p.f, p.ld, p.g, p.ld), 0, "form");
            judge_form(&p, "LAPACK's name");
            memcpy(p.f, p.a, (size_t)p.ld * (size_t)n * tt_size(t));
            memcpy(p.g, p.b, (size_t)p.ld * (size_t)n * tt_size(t));
            tt_put(t, p.g, (size_t)40 * (size_t)(p.ld + 1), -1);
            tt_expect_info(lapack(gv, t, itype, 'V', uplo, n, p.f, p.ld, p.g, p.ld, raw), n + 41, "not definite");
            assert_memory_equal(p.f, p.a, (size_t)p.ld * (size_t)n * tt_size(t));
            memcpy(p.g, p.b, (size_t)p.ld * (size_t)n * tt_size(t));
            tt_put(t, p.f, p.uplo == 'L' ? 9 : 9 * (size_t)p.ld, INFINITY);
            tt_expect_info(lapack(gv, t, itype, 'N', uplo, n, p.f, p.ld, p.g, p.ld, raw), n, "infinity");
            to_doubles(t, n, raw, p.w);
            assert_true(isnan(p.w[0]) && isnan(p.w[n - 1]));
            unsetenv("TILEWORK_CROSSOVER");
            end(&p);
        }
    unsetenv("TILEWORK_BAND");
}

static int lapacke(int gv, int work, enum tw_type t, int layout, int itype, char jobz, char uplo, int n, void *a,
                   int lda, void *b, int ldb, void *w, void *space, int lwork)
{
    static lapack_int iwork[4000];
    static double rwork[60000];
    void *const r = rwork;
#define ARGUMENTS layout, itype, jobz, uplo, n, a, lda, b, ldb, w
    switch (t) {
    case TW_FLOAT:
        return gv ? (work ? tw_LAPACKE_ssygv_work(ARGUMENTS, space, lwork) : tw_LAPACKE_ssygv(ARGUMENTS))
                  : (work ? tw_LAPACKE_ssygvd_work(ARGUMENTS, space, lwork, iwork, 4000)
                          : tw_LAPACKE_ssygvd(ARGUMENTS));
    case TW_DOUBLE:
        return gv ? (work ? tw_LAPACKE_dsygv_work(ARGUMENTS, space, lwork) : tw_LAPACKE_dsygv(ARGUMENTS))
                  : (work ? tw_LAPACKE_dsygvd_work(ARGUMENTS, space, lwork, iwork, 4000)
                          : tw_LAPACKE_dsygvd(ARGUMENTS));
    case TW_COMPLEX_FLOAT:
        return gv ? (work ? tw_LAPACKE_chegv_work(ARGUMENTS, space, lwork, r) : tw_LAPACKE_chegv(ARGUMENTS))
                  : (work ? tw_LAPACKE_chegvd_work(ARGUMENTS, space, lwork, r, 60000, iwork, 4000)
                          : tw_LAPACKE_chegvd(ARGUMENTS));
    default:
        return gv ? (work ? tw_LAPACKE_zhegv_work(ARGUMENTS, space, lwork, r) : tw_LAPACKE_zhegv(ARGUMENTS))
                  : (work ? tw_LAPACKE_zhegvd_work(ARGUMENTS, space, lwork, r, 60000, iwork, 4000)
                          : tw_LAPACKE_zhegvd(ARGUMENTS));
    }
#undef ARGUMENTS
}
static int form_lapacke(int work, enum tw_type t, int layout, int itype, char uplo, int n, void *a, int lda,
                        const void *b, int ldb)
{
#define ARGUMENTS layout, itype, uplo, n, a, lda, b, ldb
    switch (t) {
    case TW_FLOAT: return work ? tw_LAPACKE_ssygst_work(ARGUMENTS) : tw_LAPACKE_ssygst(ARGUMENTS);
    case TW_DOUBLE: return work ? tw_LAPACKE_dsygst_work(ARGUMENTS) : tw_LAPACKE_dsygst(ARGUMENTS);
    case TW_COMPLEX_FLOAT: return work ? tw_LAPACKE_chegst_work(ARGUMENTS) : tw_LAPACKE_chegst(ARGUMENTS);
    default: return work ? tw_LAPACKE_zhegst_work(ARGUMENTS) : tw_LAPACKE_zhegst(ARGUMENTS);
    }
#undef ARGUMENTS
}

/* `to` in the other layout's order, if it is row-major. */
static void laid(const struct pencil *p, int layout, const void *from, void *to, int back)
{
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < p->n; i++) {
            const size_t column = (size_t)i + (size_t)j * (size_t)p->ld, other = tt_layout_at(layout, i, j, p->ld);
            tt_put(p->t, to, back ? column : other, tt_get(p->t, from, back ? other : column));
        }
}

static void lapacke_doors(void **state)
{
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    enum { N = 60 };
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (int k = 0; k < 24; k++) {
            const int itype = 1 + k % 3, work = k / 3 % 2, gv = k / 6 % 2, layout = layouts[k / 12];
            const char uplo = "LU"[k % 2];
            struct pencil p;
            void *space = malloc(60000 * tt_size(t)), *swap = tt_array(t, N + 5, N);
            double raw[N];
            begin(&p, t, itype, uplo, N, N + 5);
            laid(&p, layout, p.a, p.f, 0), laid(&p, layout, p.b, p.g, 0);
#define CALL(f, g, lwork) lapacke(gv, work, t, layout, itype, 'V', uplo, N, f, p.ld, g, p.ld, raw, space, lwork)
            if (work) {
                assert_int_equal(CALL(p.f, p.g, -1), 0);
                assert_true(creal(tt_get(t, space, 0)) >= 2 * N - 1);
                assert_int_equal(CALL(p.f, p.g, 10), -12);
            }
            assert_int_equal(CALL(p.f, p.g, 60000), 0);
            to_doubles(t, N, raw, p.w);
            laid(&p, layout, p.f, swap, 1);
            judge(&p, "LAPACKE's name", p.w, swap);
            laid(&p, layout, p.a, p.f, 0);
            assert_int_equal(form_lapacke(work, t, layout, itype, uplo, N, p.f, p.ld, p.g, p.ld), 0);
            laid(&p, layout, p.f, swap, 1);
            memcpy(p.f, swap, (size_t)p.ld * N * tt_size(t));
            laid(&p, layout, p.g, swap, 1);
            memcpy(p.g, swap, (size_t)p.ld * N * tt_size(t));
            judge_factor(&p);
            judge_form(&p, "LAPACKE's name");
            if (!work) {
                laid(&p, layout, p.a, p.f, 0), laid(&p, layout, p.b, p.g, 0);
                tt_put(t, p.g, 0, NAN);
                assert_int_equal(CALL(p.f, p.g, 0), -8);
                assert_int_equal(form_lapacke(work, t, layout, itype, uplo, N, p.f, p.ld, p.g, p.ld), -7);
                tt_put(t, p.f, 0, NAN);
                assert_int_equal(CALL(p.f, p.g, 0), -6);
                assert_int_equal(form_lapacke(work, t, layout, itype, uplo, N, p.f, p.ld, p.g, p.ld), -5);
            }
            free(space), free(swap);
            end(&p);
        }
    unsetenv("TILEWORK_BAND");
    unsetenv("TILEWORK_CROSSOVER");
}

#undef CALL

static void lapack_refusals(void **state)
{
    double a[16] = {0}, b[16] = {0}, w[4];
    (void)state;
    for (int gv = 0; gv < 2; gv++) {
#define CALL(...) lapack(gv, TW_DOUBLE, __VA_ARGS__)
        assert_int_equal(CALL(0, 'N', 'L', 4, a, 4, b, 4, w), -1);
        assert_int_equal(CALL(1, 'X', 'L', 4, a, 4, b, 4, w), -2);
        assert_int_equal(CALL(1, 'N', 'X', 4, a, 4, b, 4, w), -3);
        assert_int_equal(CALL(1, 'N', 'L', -1, a, 4, b, 4, w), -4);
        assert_int_equal(CALL(1, 'N', 'L', 4, NULL, 4, b, 4, w), -5);
        assert_int_equal(CALL(1, 'N', 'L', 4, a, 3, b, 4, w), -6);
        assert_int_equal(CALL(1, 'N', 'L', 4, a, 4, NULL, 4, w), -7);
        assert_int_equal(CALL(1, 'N', 'L', 4, a, 4, b, 3, w), -8);
        assert_int_equal(CALL(1, 'N', 'L', 4, a, 4, b, 4, NULL), -9);
        assert_int_equal(CALL(1, 'N', 'L', 0, NULL, 1, NULL, 1, NULL), 0);
#undef CALL
#define CALL(...) lapacke(gv, 0, TW_DOUBLE, __VA_ARGS__, NULL, 0)
        assert_int_equal(CALL(7, 1, 'N', 'L', 4, a, 4, b, 4, w), -1);
        assert_int_equal(CALL(LAPACK_ROW_MAJOR, 9, 'N', 'L', 4, a, 4, b, 4, w), -2);
        assert_int_equal(CALL(LAPACK_ROW_MAJOR, 1, 'N', 'L', 4, a, 3, b, 4, w), -7);
        assert_int_equal(CALL(LAPACK_ROW_MAJOR, 1, 'N', 'L', 4, a, 4, b, 3, w), -9);
#undef CALL
    }
    assert_int_equal(tw_dsygst(4, 'L', 4, a, 4, b, 4), -1);
    assert_int_equal(tw_dsygst(1, 'X', 4, a, 4, b, 4), -2);
    assert_int_equal(tw_dsygst(1, 'L', -4, a, 4, b, 4), -3);
    assert_int_equal(tw_dsygst(1, 'L', 4, NULL, 4, b, 4), -4);
    assert_int_equal(tw_dsygst(1, 'L', 4, a, 2, b, 4), -5);
    assert_int_equal(tw_dsygst(1, 'L', 4, a, 4, NULL, 4), -6);
    assert_int_equal(tw_dsygst(1, 'L', 4, a, 4, b, 2), -7);
    assert_int_equal(tw_LAPACKE_dsygst(LAPACK_ROW_MAJOR, 1, 'L', 4, a, 3, b, 4), -6);
    assert_int_equal(tw_LAPACKE_dsygst(LAPACK_ROW_MAJOR, 1, 'L', 4, a, 4, b, 3), -8);
    assert_int_equal(tw_LAPACKE_dsygst(LAPACK_ROW_MAJOR, 1, 'L', 4, a, 3, b, 3), -6);
}

/* Arrays that overlap, by tiles: the numbers are LAPACK's. */
static void overlaps(void **state)
{
    double a[16] = {0}, b[16] = {0}, w[4], z[16], work[8];
    tw_int m, each[8];
    int iwork[8], found;
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    assert_int_equal(tw_dsygvd(1, 'V', 'L', 4, a, 4, a, 4, w), -7);
    assert_int_equal(tw_dsygst(1, 'L', 4, a, 4, a, 4), -6);
    assert_int_equal(tw_dsygvx(1, 'V', 'A', 'L', 4, a, 4, a, 4, 0, 0, 0, 0, 0, &m, w, z, 4, each), -8);
    assert_int_equal(tw_dsygvx(1, 'V', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0, &m, w, a, 4, each), -17);
    assert_int_equal(tw_dsygvx(1, 'V', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0, &m, w, b, 4, each), -17);
    assert_int_equal(tw_LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', 4, a, 4, a, 4, w), -8);
    assert_non_null(strstr(tw_last_message(), "overlaps"));
    unsetenv("TILEWORK_CROSSOVER");
    /* 8 n for n = 1, too, unlike syevx */
    a[0] = b[0] = 1;
    for (int straight = 0; straight < 2; straight++)
        assert_int_equal(tw_LAPACKE_dsygvx_work(LAPACK_COL_MAJOR, 1, 'N', 'A', 'L', 1, a, 1, b, 1, 0, 0, 0, 0, 0,
                                                &found, w, z, 1, work, straight ? 8 : 7, iwork, iwork),
                         straight ? 0 : -21);
}

/* ---- sygvx ------------------------------------------------------------------------------------------------------- */

/* m pairs from number first (from 0) on. */
static void judge_some(const struct pencil *p, const char *what, int first, int m, const double *w, const void *z)
{
    const struct check_array a = hermitian(p->t, p->uplo, p->n, p->a, p->ld),
                             b = hermitian(p->t, p->uplo, p->n, p->b, p->ld);
    const struct check_matrix A = check_of_array(&a), B = check_of_array(&b);
    double residual[2] = {0, 0}, error;

    if (z) assert_int_equal(check_sygvd(p->itype, &A, &B, m, w, z, p->ld, residual), 0);
    assert_int_equal(check_generalized_values(p->itype, &A, &B, first, m, w, &error), 0);
    tt_expect("some of the problem", p->t, residual[0], 0, "%s, itype %d, %c, n = %d", what, p->itype, p->uplo, p->n);
    tt_expect("some Z^H B Z", p->t, residual[1], 0, "%s, itype %d, %c, n = %d", what, p->itype, p->uplo, p->n);
    tt_expect("some values", p->t, error, 0, "%s, itype %d, %c, n = %d", what, p->itype, p->uplo, p->n);
}

static void some(enum tw_type t, int itype, char uplo, int n, int nb, int nb_b, int il, int iu)
{
    const int columns = iu - il + 3 < n ? iu - il + 3 : n;
    struct tt_place pa, pb, pz;
    tw_matrix *A, *B, *Z;
    struct pencil p;
    double all[200], vl, vu;
    tw_int m = -1;

    begin(&p, t, itype, uplo, n, n + 1);
    A = tt_enter(&pa, TT_CREATED, t, (enum tw_uplo)uplo, n, n, p.f, p.ld, nb);
    B = tt_enter(&pb, TT_CREATED, t, (enum tw_uplo)uplo, n, n, p.g, p.ld, nb_b);
    tt_expect_info(tw_sygvd(itype, TW_NOVECTORS, (enum tw_uplo)uplo, A, B, all, NULL), 0, "all");
    for (int turn = 0; turn < 4; turn++) { /* indices and an interval, with vectors and without */
        const enum tw_which which = turn & 1 ? TW_INTERVAL : TW_INDICES;
        vl = il > 1 ? (all[il - 2] + all[il - 1]) / 2 : all[0] - 1;
        vu = iu < n ? (all[iu - 1] + all[iu]) / 2 : all[n - 1] + 1;
        assert_int_equal(tw_matrix_set_lapack(B, p.b, p.ld), 0);
        Z = turn & 2 ? NULL : tt_enter(&pz, TT_CREATED, t, TW_GENERAL, n, columns, p.z, p.ld, nb + 5);
        tt_expect_info(
            tw_sygvx(itype, Z ? TW_VECTORS : TW_NOVECTORS, which, (enum tw_uplo)uplo, A, B, vl, vu, il, iu, &m, p.w, Z),
            0, "some");
        assert_int_equal(m, iu - il + 1);
        if (Z) tt_leave(&pz);
        judge_some(&p, "matrix door", il - 1, (int)m, p.w, Z ? p.z : NULL);
        if (Z) /* further columns stay */
            assert_int_equal(
                tt_touched(t, 'G', 0, columns - m, (char *)p.z + (size_t)m * (size_t)p.ld * tt_size(t), p.ld), 0);
    }
    tt_leave(&pa), tt_leave(&pb);
    assert_memory_equal(p.f, p.a, (size_t)p.ld * (size_t)n * tt_size(t));
    judge_factor(&p);
    end(&p);
}
static void some_of_them(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (int itype = 1; itype <= 3; itype++)
            for (const char *uplo = "LU"; *uplo; uplo++) {
                some(t, itype, *uplo, 60, 16, 16, 1, 60);
                some(t, itype, *uplo, 97, 24, 40, 30, 47);
                some(t, itype, *uplo, 33, 64, 8, 33, 33);
            }
    unsetenv("TILEWORK_BAND");
}

/* LAPACK's name (layout 0), LAPACKE's, and that with _work. */
static int some_doors(int layout, int work, enum tw_type t, int itype, char jobz, char range, char uplo, int n, void *a,
                      int lda, void *b, int ldb, double vl, double vu, int il, int iu, lapack_int *m, void *w, void *z,
                      int ldz, void *space, int lwork, lapack_int *ifail)
{
    static lapack_int iwork[1000];
    static double rwork[2000];
    void *const r = rwork;
    tw_int many = -1, failed[200];
    tw_int info;
#define ARGUMENTS(R) itype, jobz, range, uplo, n, a, lda, b, ldb, (R)vl, (R)vu, il, iu, 0
    if (!layout) {
        info = t == TW_FLOAT           ? tw_ssygvx(ARGUMENTS(float), &many, w, z, ldz, failed)
               : t == TW_DOUBLE        ? tw_dsygvx(ARGUMENTS(double), &many, w, z, ldz, failed)
               : t == TW_COMPLEX_FLOAT ? tw_chegvx(ARGUMENTS(float), &many, w, z, ldz, failed)
                                       : tw_zhegvx(ARGUMENTS(double), &many, w, z, ldz, failed);
        *m = (lapack_int)many;
        for (int i = 0; info >= 0 && jobz == 'V' && i < many; i++)
            ifail[i] = (lapack_int)failed[i];
        return (int)info;
    }
#define REST m, w, z, ldz
    switch (t) {
    case TW_FLOAT:
        return work ? tw_LAPACKE_ssygvx_work(layout, ARGUMENTS(float), REST, space, lwork, iwork, ifail)
                    : tw_LAPACKE_ssygvx(layout, ARGUMENTS(float), REST, ifail);
    case TW_DOUBLE:
        return work ? tw_LAPACKE_dsygvx_work(layout, ARGUMENTS(double), REST, space, lwork, iwork, ifail)
                    : tw_LAPACKE_dsygvx(layout, ARGUMENTS(double), REST, ifail);
    case TW_COMPLEX_FLOAT:
        return work ? tw_LAPACKE_chegvx_work(layout, ARGUMENTS(float), REST, space, lwork, r, iwork, ifail)
                    : tw_LAPACKE_chegvx(layout, ARGUMENTS(float), REST, ifail);
    default:
        return work ? tw_LAPACKE_zhegvx_work(layout, ARGUMENTS(double), REST, space, lwork, r, iwork, ifail)
                    : tw_LAPACKE_zhegvx(layout, ARGUMENTS(double), REST, ifail);
    }
#undef REST
#undef ARGUMENTS
}

static void some_by_lapack(void **state)
{
    enum { N = 66, IL = 20, IU = 31 };
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (int k = tt_complex(t); k < 36; k += 2 - (k % 5 == 0)) {
            const int itype = 1 + k % 3, door = k / 3 % 4, work = door == 3 || k % 2,
                      layout = door == 0   ? 0
                               : door == 1 ? LAPACK_COL_MAJOR
                                           : LAPACK_ROW_MAJOR;
            const char range = "IVA"[k / 12], uplo = "LU"[k % 2];
            const int first = range == 'A' ? 0 : IL - 1, wanted = range == 'A' ? N : IU - IL + 1;
            lapack_int m = -1, ifail[200];
            void *space = malloc(2000 * tt_size(t)), *swap = tt_array(t, N + 2, N);
            struct pencil p;
            double raw[N], all[N], vl, vu;
            begin(&p, t, itype, uplo, N, N + 2);
            tt_expect_info(lapack(0, t, itype, 'N', uplo, N, p.f, p.ld, p.g, p.ld, raw), 0, "all");
            to_doubles(t, N, raw, all);
            vl = (all[IL - 2] + all[IL - 1]) / 2, vu = (all[IU - 1] + all[IU]) / 2;
            laid(&p, layout == LAPACK_ROW_MAJOR ? layout : LAPACK_COL_MAJOR, p.a, p.f, 0);
            laid(&p, layout == LAPACK_ROW_MAJOR ? layout : LAPACK_COL_MAJOR, p.b, p.g, 0);
            if (k % 4 < 2) setenv("TILEWORK_CROSSOVER", "0", 1);
#define CALL(lwork, a, b)                                                                                              \
    some_doors(layout, work, t, itype, 'V', range, uplo, N, a, p.ld, b, p.ld, vl, vu, IL, IU, &m, raw, p.z, p.ld,      \
               space, lwork, ifail)
            if (layout && work) {
                assert_int_equal(CALL(-1, p.f, p.g), 0);
                assert_true(creal(tt_get(t, space, 0)) >= 2 * N);
                assert_int_equal(CALL(5, p.f, p.g), -21);
            }
            assert_int_equal(CALL(2000, p.f, p.g), 0);
            assert_int_equal(m, wanted);
            for (int i = 0; i < m; i++)
                assert_int_equal(ifail[i], 0);
            to_doubles(t, (int)m, raw, p.w);
            for (int j = 0; j < m; j++)
                for (int i = 0; i < N; i++)
                    tt_put(t, swap, (size_t)i + (size_t)j * (size_t)p.ld,
                           tt_get(t, p.z, tt_layout_at(layout ? layout : LAPACK_COL_MAJOR, i, j, p.ld)));
            judge_some(&p, "LAPACK's name", first, (int)m, p.w, swap);
            if (layout != LAPACK_ROW_MAJOR) judge_factor(&p);
            laid(&p, layout == LAPACK_ROW_MAJOR ? layout : LAPACK_COL_MAJOR, p.a, p.f, 0);
            laid(&p, layout == LAPACK_ROW_MAJOR ? layout : LAPACK_COL_MAJOR, p.b, p.g, 0);
            tt_put(t, p.g, (size_t)40 * (size_t)(p.ld + 1), -1);
            assert_int_equal(CALL(2000, p.f, p.g), N + 41);
            assert_int_equal(m, 0);
            if (layout && !work) {
                tt_put(t, p.g, 0, NAN);
                assert_int_equal(CALL(0, p.f, p.g), -9);
                tt_put(t, p.f, 0, NAN);
                assert_int_equal(CALL(0, p.f, p.g), -7);
            }
#undef CALL
            unsetenv("TILEWORK_CROSSOVER");
            free(space), free(swap);
            end(&p);
        }
    unsetenv("TILEWORK_BAND");
}

static void some_refusals(void **state)
{
    double a[16] = {0}, b[16] = {0}, z[16], w[4];
    tw_int m, ifail[4];
    tw_matrix *A, *B, *Z, *C;
    (void)state;
#define CALL(...) tw_dsygvx(__VA_ARGS__, &m, w, z, 4, ifail)
    assert_int_equal(CALL(0, 'N', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0), -1);
    assert_int_equal(CALL(1, 'X', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0), -2);
    assert_int_equal(CALL(1, 'N', 'X', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0), -3);
    assert_int_equal(CALL(1, 'N', 'A', 'X', 4, a, 4, b, 4, 0, 0, 0, 0, 0), -4);
    assert_int_equal(CALL(1, 'N', 'A', 'L', -1, a, 4, b, 4, 0, 0, 0, 0, 0), -5);
    assert_int_equal(CALL(1, 'N', 'A', 'L', 4, NULL, 4, b, 4, 0, 0, 0, 0, 0), -6);
    assert_int_equal(CALL(1, 'N', 'A', 'L', 4, a, 3, b, 4, 0, 0, 0, 0, 0), -7);
    assert_int_equal(CALL(1, 'N', 'A', 'L', 4, a, 4, NULL, 4, 0, 0, 0, 0, 0), -8);
    assert_int_equal(CALL(1, 'N', 'A', 'L', 4, a, 4, b, 3, 0, 0, 0, 0, 0), -9);
    assert_int_equal(CALL(1, 'N', 'V', 'L', 4, a, 4, b, 4, 1, 1, 0, 0, 0), -11);
    assert_int_equal(CALL(1, 'N', 'I', 'L', 4, a, 4, b, 4, 0, 0, 0, 2, 0), -12);
    assert_int_equal(CALL(1, 'N', 'I', 'L', 4, a, 4, b, 4, 0, 0, 2, 1, 0), -13);
    assert_int_equal(CALL(1, 'N', 'I', 'L', 4, a, 4, b, 4, 0, 0, 2, 5, 0), -13);
#undef CALL
    assert_int_equal(tw_dsygvx(1, 'V', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0, NULL, w, z, 4, ifail), -15);
    assert_int_equal(tw_dsygvx(1, 'V', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0, &m, NULL, z, 4, ifail), -16);
    assert_int_equal(tw_dsygvx(1, 'V', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0, &m, w, NULL, 4, ifail), -17);
    assert_int_equal(tw_dsygvx(1, 'V', 'A', 'L', 4, a, 4, b, 4, 0, 0, 0, 0, 0, &m, w, z, 3, ifail), -18);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_DOUBLE, TW_GENERAL, 4, 2, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
#define CALL(itype, jobz, which, uplo, A, B, vl, vu, il, iu, m, w, Z)                                                  \
    tw_sygvx(itype, (enum tw_jobz)jobz, (enum tw_which)which, (enum tw_uplo)uplo, A, B, vl, vu, il, iu, m, w, Z)
    assert_int_equal(CALL(4, 'V', 'I', 'L', A, B, 0, 0, 1, 2, &m, w, Z), -1);
    assert_int_equal(CALL(1, 'X', 'I', 'L', A, B, 0, 0, 1, 2, &m, w, Z), -2);
    assert_int_equal(CALL(1, 'V', 'X', 'L', A, B, 0, 0, 1, 2, &m, w, Z), -3);
    assert_int_equal(CALL(1, 'V', 'I', 'X', A, B, 0, 0, 1, 2, &m, w, Z), -4);
    assert_int_equal(CALL(1, 'V', 'I', 'L', Z, B, 0, 0, 1, 2, &m, w, Z), -5);
    assert_int_equal(CALL(1, 'V', 'I', 'L', A, C, 0, 0, 1, 2, &m, w, Z), -6);
    assert_int_equal(CALL(1, 'V', 'V', 'L', A, B, 1, 0, 1, 2, &m, w, Z), -8);
    assert_int_equal(CALL(1, 'V', 'I', 'L', A, B, 0, 0, 0, 2, &m, w, Z), -9);
    assert_int_equal(CALL(1, 'V', 'I', 'L', A, B, 0, 0, 1, 5, &m, w, Z), -10);
    assert_int_equal(CALL(1, 'V', 'I', 'L', A, B, 0, 0, 1, 2, NULL, w, Z), -11);
    assert_int_equal(CALL(1, 'V', 'I', 'L', A, B, 0, 0, 1, 2, &m, NULL, Z), -12);
    assert_int_equal(CALL(1, 'V', 'I', 'L', A, B, 0, 0, 1, 3, &m, w, Z), -13);
    assert_int_equal(CALL(1, 'V', 'I', 'L', A, B, 0, 0, 1, 2, &m, w, A), -13);
    assert_int_equal(CALL(1, 'N', 'I', 'L', A, B, 0, 0, 1, 2, &m, w, Z), -13);
    assert_int_equal(tw_sygvx_async(1, TW_NOVECTORS, TW_ALL, TW_LOWER, A, B, 0, 0, 0, 0, &m, w, NULL, NULL), -14);
#undef CALL
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(Z), tw_matrix_destroy(C);
}

/* The check of an interval's eigenvalues alone: right ones pass, each kind of wrong ones is found. A = diag(0, 2, 4,
 * ...), B = 2 I. */
static void check_of_intervals(void **state)
{
    enum { N = 9 };
    double a[N * N] = {0}, b[N * N] = {0}, w[N], error;
    const struct check_array arrays[] = {{CHECK_HERMITIAN, TW_DOUBLE, TW_LOWER, TW_NONUNIT, N, N, a, N},
                                         {CHECK_HERMITIAN, TW_DOUBLE, TW_LOWER, TW_NONUNIT, N, N, b, N}};
    const struct check_matrix A = check_of_array(&arrays[0]), B = check_of_array(&arrays[1]);
    static const struct {
        double vl, vu;
        int first, count, right;
    } cases[] = {{1.5, 4.5, 2, 3, 1}, {1, 4, 2, 3, 1},   {1, 4, 1, 4, 1},     {1.5, 4.5, 2, 2, 0}, {1.5, 4.5, 3, 3, 0},
                 {1.5, 4.5, 1, 4, 0}, {50, 60, 0, 0, 1}, {1.5, 4.5, 0, 0, 0}, {-1, 90, 0, N, 1}};

    (void)state;
    for (int i = 0; i < N; i++)
        a[i * (N + 1)] = 2 * i, b[i * (N + 1)] = 2;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int i = 0; i < cases[k].count; i++)
            w[i] = cases[k].first + i;
        assert_int_equal(check_generalized_interval(1, &A, &B, cases[k].vl, cases[k].vu, cases[k].count, w, &error), 0);
        if (cases[k].right)
            assert_true(error < 3);
        else
            assert_false(error < 30);
    }
    for (int i = 0; i < 3; i++)
        w[i] = 2 + i + 1e-9;
    assert_int_equal(check_generalized_interval(1, &A, &B, 1.5, 4.5, 3, w, &error), 0);
    assert_false(error < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),         cmocka_unit_test(problems),      cmocka_unit_test(known),
        cmocka_unit_test(not_definite),  cmocka_unit_test(not_finite),    cmocka_unit_test(refusals),
        cmocka_unit_test(lapack_doors),  cmocka_unit_test(lapacke_doors), cmocka_unit_test(lapack_refusals),
        cmocka_unit_test(overlaps),      cmocka_unit_test(some_of_them),  cmocka_unit_test(some_by_lapack),
        cmocka_unit_test(some_refusals), cmocka_unit_test(queued),        cmocka_unit_test(check_of_intervals)};
    return tt_run(tests);
}
