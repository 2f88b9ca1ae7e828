/* Do the checkers of eigenvalues and eigenvectors check? In a build with fault injection (TILEWORK_FAULT=1) they have
 * to fail, in others to pass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/blas.h"
#include "checks/checks.h"
#include "tridiagonal.h"
#include "tt.h"

enum { N = 120, NB = 48 };

static int wrong(const char *routine, enum tw_type t, char uplo, const char *what, double residual)
{
    const int failed = tt_judge(residual, 0) == TT_FAIL;
#ifdef TILEWORK_FAULT_INJECTION
    const int bad = !failed;
#else
    const int bad = failed;
#endif
    printf("%c%s %c %-12s %10.3g%s\n", tt_letter(t), routine, uplo, what, residual, bad ? "  WRONG VERDICT" : "");
    return bad;
}
static void tridiagonal(void **state)
{
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        for (const char *compz = "IV"; *compz; compz++) {
            void *ab = tt_array(t, 2, N), *z = tt_array(t, N, N);
            double d[N], e[N], w[N], residual[2] = {0, 0}, error = 0;
            const struct check_band band = tt_band_of_tridiagonal(t, N, ab);
            const struct check_matrix T = check_of_band(&band);
            struct tt_place p;
            tw_int m;

            tt_tridiagonal(t, TT_T_RANDOM, N, d, e);
            tt_put_tridiagonal(t, N, d, e, ab);
            for (int i = 0; i < N * N; i++)
                tt_put(t, z, (size_t)i, i % (N + 1) == 0);
            (void)tw_stedc((enum tw_compz) * compz, N, d, e, w,
                           tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, z, N, NB));
            tt_leave(&p);
            assert_int_equal(check_syevd(&T, N, w, z, N, residual), 0);
            bad += wrong("stedc", t, *compz, "vectors", residual[0] > residual[1] ? residual[0] : residual[1]);
            if (t == TW_DOUBLE) { /* in which it computes */
                (void)tw_sterf(N, d, e, w);
                assert_int_equal(check_eigenvalues(&T, w, &error), 0);
                bad += wrong("sterf", t, 'N', "values", error);
                (void)tw_stebz(TW_INDICES, TW_ENTIRE, N, 0, 0, 31, N, 0, d, e, &m, NULL, w, NULL, NULL);
                assert_int_equal(check_some_eigenvalues(&T, 30, N - 30, w, &error), 0);
                bad += wrong("stebz", t, 'N', "values", error);
            }
            free(ab), free(z);
        }
    assert_int_equal(bad, 0);
}

/* Numbers 20 ... 90. */
static int some(enum tw_type t, char uplo, void *a, const struct check_matrix *A)
{
    void *z = tt_array(t, N, 71);
    double w[N], residual[2] = {0, 0}, error = 0;
    struct tt_place p, pz;
    tw_int m = 0;

    (void)tw_syevr(TW_VECTORS, TW_INDICES, (enum tw_uplo)uplo,
                   tt_enter(&p, TT_CREATED, t, (enum tw_uplo)uplo, N, N, a, N, NB), 0, 0, 20, 90, &m, w,
                   tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, 71, z, N, NB));
    tt_leave(&pz);
    assert_int_equal(m, 71);
    assert_int_equal(check_syevd(A, m, w, z, N, residual), 0);
    (void)tw_syevr(TW_NOVECTORS, TW_INDICES, (enum tw_uplo)uplo, p.A, 0, 0, 20, 90, &m, w, NULL);
    tt_leave(&p);
    assert_int_equal(check_some_eigenvalues(A, 19, m, w, &error), 0);
    free(z);
    return wrong("syevr", t, uplo, "vectors", residual[0] > residual[1] ? residual[0] : residual[1]) +
           wrong("syevr", t, uplo, "values", error);
}

/* Numbers 20 ... 90, and Q, whose columns are orthonormal. */
static int some_of_band(enum tw_type t, char uplo, tw_matrix *B, const struct check_matrix *A)
{
    void *z = tt_array(t, N, 71), *q = tt_array(t, N, N);
    double w[N], residual[2] = {0, 0}, zero[N] = {0}, of_q[2] = {0, 0};
    struct tt_place pz, pq;
    tw_matrix *Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, 71, z, N, NB),
              *Q = tt_enter(&pq, TT_CREATED, t, TW_GENERAL, N, N, q, N, NB);
    const struct check_array none = {CHECK_HERMITIAN, t, TW_LOWER, TW_NONUNIT, N, N, q, N};
    const struct check_matrix any = check_of_array(&none);
    tw_int m = 0;

    (void)tw_sbevx(TW_VECTORS, TW_INDICES, (enum tw_uplo)uplo, B, Q, 0, 0, 20, 90, &m, w, Z);
    tt_leave(&pz), tt_leave(&pq);
    assert_int_equal(check_syevd(A, m, w, z, N, residual), 0);
    assert_int_equal(check_syevd(&any, N, zero, q, N, of_q), 0); /* whose second number is |Q^H Q - I| */
    free(z), free(q);
    return wrong("sbevx", t, uplo, "vectors", residual[0] > residual[1] ? residual[0] : residual[1]) +
           wrong("sbevx", t, uplo, "q", of_q[1]);
}

static void banded(void **state)
{
    enum { KD = 10 };
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            void *ab = tt_array(t, KD + 1, N), *z = tt_array(t, N, N);
            double w[N], residual[2] = {0, 0}, error = 0;
            const struct check_band band = {t, (enum tw_uplo) * uplo, N, KD, ab, KD + 1};
            const struct check_matrix A = check_of_band(&band);
            struct tt_place p;
            tw_matrix *B;

            tt_random(t, 'G', KD + 1, N, ab, KD + 1, 6);
            assert_int_equal(tw_matrix_create_band(&B, t, N, N, *uplo == 'L' ? KD : 0, *uplo == 'U' ? KD : 0, NB), 0);
            assert_int_equal(tw_matrix_set_band(B, ab, KD + 1), 0);
            (void)tw_sbevd(TW_VECTORS, (enum tw_uplo) * uplo, B, w,
                           tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, z, N, NB));
            tt_leave(&p);
            assert_int_equal(check_syevd(&A, N, w, z, N, residual), 0);
            bad += wrong("sbevd", t, *uplo, "vectors", residual[0] > residual[1] ? residual[0] : residual[1]);
            (void)tw_sbevd(TW_NOVECTORS, (enum tw_uplo) * uplo, B, w, NULL);
            assert_int_equal(check_eigenvalues(&A, w, &error), 0);
            bad += wrong("sbevd", t, *uplo, "values", error);
            bad += some_of_band(t, *uplo, B, &A);
            tw_matrix_destroy(B);
            free(ab), free(z);
        }
    assert_int_equal(bad, 0);
}

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* The reduction in one stage, its Q, and a product with that. */
static void one_stage(void **state)
{
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            const enum tw_uplo part = (enum tw_uplo) * uplo;
            void *a = tt_array(t, N, N), *f, *tau = tt_array(t, N, 1), *c = tt_array(t, N, N), *q;
            double d[N], e[N], residual[3];
            const struct check_array array = {CHECK_HERMITIAN, t, part, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            struct tt_place p, pt, pc;
            tw_matrix *F, *S;

            tt_spd(t, *uplo, N, a, N, 3);
            f = tt_copy(t, N, N, a);
            F = tt_enter(&p, TT_CREATED, t, part, N, N, f, N, NB);
            S = tt_enter(&pt, TT_CREATED, t, TW_GENERAL, N - 1, 1, tau, N, NB);
            (void)tw_sytrd(part, F, d, e, S);
            tt_leave(&p), tt_leave(&pt);
            assert_int_equal(check_sytrd(&A, part, f, N, d, e, tau, residual), 0);
            bad += wrong("sytrd", t, *uplo, "form", larger(residual[0], residual[1]));

            /* LAPACK's own, from here on */
            memcpy(f, a, (size_t)N * N * tt_size(t));
            assert_int_equal(check_lapack_sytrd(t, part, N, f, N, d, e, tau), 0);
            q = tt_copy(t, N, N, f);
            for (int i = 0; i < N * N; i++)
                tt_put(t, c, (size_t)i, i % (N + 1) == 0);
            F = tt_enter(&p, TT_CREATED, t, part, N, N, f, N, NB);
            S = tt_enter(&pt, TT_CREATED, t, TW_GENERAL, N - 1, 1, tau, N, NB);
            (void)tw_unmtr(TW_LEFT, part, TW_NOTRANS, F, S, tt_enter(&pc, TT_CREATED, t, TW_GENERAL, N, N, c, N, NB));
            tt_leave(&pc);
            (void)tw_ungtr(part, tt_enter(&pc, TT_CREATED, t, TW_GENERAL, N, N, q, N, NB), S);
            tt_leave(&pc), tt_leave(&p), tt_leave(&pt);
            assert_int_equal(check_trd_q(&A, d, e, c, N, residual), 0);
            bad += wrong("unmtr", t, *uplo, "product", larger(residual[0], residual[1]));
            assert_int_equal(check_trd_q(&A, d, e, q, N, residual), 0);
            bad += wrong("ungtr", t, *uplo, "q", larger(residual[0], residual[1]));
            free(a), free(f), free(tau), free(c), free(q);
        }
    assert_int_equal(bad, 0);
}

static void checkers(void **state)
{
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            void *a = tt_array(t, N, N), *z;
            double w[N], residual[2] = {0, 0}, error = 0;
            const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo) * uplo, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            struct tt_place p;
            tw_matrix *V;

            tt_spd(t, *uplo, N, a, N, 3);
            z = tt_copy(t, N, N, a);
            V = tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, z, N, NB);
            (void)tw_syevd(TW_VECTORS, (enum tw_uplo) * uplo, V, w, V);
            tt_leave(&p);
            assert_int_equal(check_syevd(&A, N, w, z, N, residual), 0);
            bad += wrong("syevd", t, *uplo, "vectors", residual[0] > residual[1] ? residual[0] : residual[1]);
            (void)tw_syevd(TW_NOVECTORS, (enum tw_uplo) * uplo,
                           tt_enter(&p, TT_FROM_LAPACK, t, (enum tw_uplo) * uplo, N, N, a, N, NB), w, NULL);
            tt_leave(&p);
            assert_int_equal(check_eigenvalues(&A, w, &error), 0);
            bad += some(t, *uplo, a, &A);
            bad += wrong("syevd", t, *uplo, "values", error);
            free(a), free(z);
        }
    assert_int_equal(bad, 0);
    assert_int_equal(tw_finalize(), 0);
}

static void generalized(void **state)
{
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        for (int itype = 1; itype <= 3; itype++)
            for (const char *uplo = "LU"; *uplo; uplo++) {
                const enum tw_uplo part = (enum tw_uplo) * uplo;
                void *a = tt_array(t, N, N), *b = tt_array(t, N, N), *c, *f, *z;
                double w[N], residual[2] = {0, 0};
                const struct check_array of_a = {CHECK_HERMITIAN, t, part, TW_NONUNIT, N, N, a, N},
                                         of_b = {CHECK_HERMITIAN, t, part, TW_NONUNIT, N, N, b, N};
                const struct check_matrix A = check_of_array(&of_a), B = check_of_array(&of_b);
                struct tt_place pa, pb;
                tw_matrix *V, *F;

                tt_spd(t, *uplo, N, a, N, 3);
                tt_spd(t, *uplo, N, b, N, 4);
                z = tt_copy(t, N, N, a), c = tt_copy(t, N, N, a), f = tt_copy(t, N, N, b);
                V = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, N, N, z, N, NB);
                F = tt_enter(&pb, TT_CREATED, t, part, N, N, f, N, NB);
                (void)tw_sygvd(itype, TW_VECTORS, part, V, F, w, V);
                tt_leave(&pa), tt_leave(&pb);
                assert_int_equal(check_sygvd(itype, &A, &B, N, w, z, N, residual), 0);
                bad += wrong("sygvd", t, *uplo, "vectors", larger(residual[0], residual[1]));
                memcpy(f, b, (size_t)N * N * tt_size(t));
                assert_int_equal(tt_lapack_potrf(t, *uplo, N, f, N), 0);
                V = tt_enter(&pa, TT_CREATED, t, part, N, N, c, N, NB);
                F = tt_enter(&pb, TT_CREATED, t, part, N, N, f, N, NB);
                (void)tw_sygst(itype, part, V, F);
                tt_leave(&pa), tt_leave(&pb);
                assert_int_equal(check_sygst(itype, &A, part, c, N, f, N, residual), 0);
                bad += wrong("sygst", t, *uplo, "form", residual[0]);
                free(a), free(b), free(c), free(f), free(z);
            }
    assert_int_equal(bad, 0);
    assert_int_equal(tw_finalize(), 0);
}

static void functions(void **state)
{
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        for (enum tw_function f = TW_SQRT; f < TW_FUNCTION; f++) {
            void *a = tt_array(t, N, N), *to;
            double w[N], residual = 0;
            const struct check_array of_a = {CHECK_HERMITIAN, t, TW_LOWER, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&of_a);
            struct tt_place p;
            tw_matrix *F;

            tt_spd(t, 'L', N, a, N, 3);
            for (int j = 0; j < N; j++)
                for (int i = j; i < N; i++)
                    tt_put(t, a, (size_t)i + (size_t)j * N, tt_get(t, a, (size_t)i + (size_t)j * N) / N);
            to = tt_copy(t, N, N, a);
            F = tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, to, N, NB);
            (void)tw_syfun(f, NULL, NULL, TW_LOWER, F, w, F);
            tt_leave(&p);
            assert_int_equal(check_syfun(f, &A, to, N, &residual), 0);
            bad += wrong("syfun", t, (char)('0' + f), "value", residual);
            free(a), free(to);
        }
    assert_int_equal(bad, 0);
    assert_int_equal(tw_finalize(), 0);
}

/* Of a general matrix: eigenvalues with right and left eigenvectors, and alone; the Schur form. */
static void general(void **state)
{
    int bad = 0;

    (void)state;
    TT_TYPES(t)
        for (int jobs = 0; jobs < 4; jobs++) {
            void *a = tt_array(t, N, N), *v = tt_array(t, N, N), *s = tt_array(t, N, N);
            const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            double wr[N], wi[N], residual[2] = {0, 0};
            struct tt_place pa, pv;
            tw_matrix *X, *V;

            tt_random(t, 'G', N, N, a, N, 3);
            X = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, N, N, a, N, NB);
            V = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, N, N, v, N, NB);
            if (jobs == 3) { /* the Schur form, in A's place */
                tw_int sdim;
                memcpy(s, a, N * N * tt_size(t));
                (void)tw_gees(TW_VECTORS, NULL, NULL, X, &sdim, wr, wi, V);
            } else {
                (void)tw_geev(jobs == 1 ? TW_VECTORS : TW_NOVECTORS, jobs == 2 ? TW_VECTORS : TW_NOVECTORS, X, wr, wi,
                              jobs == 1 ? V : NULL, jobs == 2 ? V : NULL);
            }
            tt_leave(&pa), tt_leave(&pv);
            if (jobs == 3) {
                void *const form = tt_copy(t, N, N, a);
                memcpy(a, s, N * N * tt_size(t));
                assert_int_equal(check_gees(&A, wr, wi, form, N, v, N, residual), 0);
                free(form);
            } else if (jobs)
                assert_int_equal(check_geev(&A, wr, wi, jobs == 1, v, N, residual), 0);
            else
                assert_int_equal(check_general_values(&A, wr, wi, &residual[0]), 0);
            bad += wrong(jobs == 3 ? "gees" : "geev", t, "NLRS"[jobs], jobs ? "vectors" : "values",
                         larger(residual[0], residual[1]));
            free(a), free(v), free(s);
        }
    assert_int_equal(bad, 0);
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tridiagonal), cmocka_unit_test(banded),
                                       cmocka_unit_test(one_stage),   cmocka_unit_test(checkers),
                                       cmocka_unit_test(generalized), cmocka_unit_test(functions),
                                       cmocka_unit_test(general)};
    setenv("TILEWORK_FAULT", "1", 1);
    setenv("TILEWORK_BAND", "16", 1);
    return tt_run(tests);
}
