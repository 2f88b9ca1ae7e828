/* Scaled residuals: those of checks/, and of products by cblas_zgemm on full double complex copies. */
#include "tt.h"

#include <complex.h>
#include <math.h>

#include "checks/checks.h"

/* ---- factorizations and solves: checks/ -------------------------------------------------------------------------- */

/* Above all others: NaN and no memory. */
static double told(int e, const double *residual)
{
    return e || isnan(*residual) ? INFINITY : *residual;
}

static struct check_array array(enum check_structure s, enum tw_type t, char uplo, char diag, tw_int n, const void *a,
                                tw_int lda)
{
    return (struct check_array){s, t, (enum tw_uplo)uplo, (enum tw_diag)diag, n, n, a, lda};
}

double tt_potrf_residual(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, const void *f, tw_int ldf)
{
    const struct check_array s = array(CHECK_HERMITIAN, t, uplo, 'N', n, a, lda);
    const struct check_matrix A = check_of_array(&s);
    double residual = NAN;
    return told(check_potrf(&A, s.uplo, f, ldf, &residual), &residual);
}

double tt_inverse_residual(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, const void *inv, tw_int ldi)
{
    const struct check_array s = array(CHECK_HERMITIAN, t, uplo, 'N', n, a, lda);
    const struct check_matrix A = check_of_array(&s);
    double residual = NAN;
    return told(check_potri(&A, s.uplo, inv, ldi, &residual), &residual);
}

double tt_trtri_residual(enum tw_type t, char uplo, char diag, tw_int n, const void *a, tw_int lda, const void *inv,
                         tw_int ldi)
{
    const struct check_array s = array(CHECK_TRIANGULAR, t, uplo, diag, n, a, lda);
    const struct check_matrix A = check_of_array(&s);
    double residual = NAN;
    return told(check_trtri(&A, s.uplo, s.diag, inv, ldi, &residual), &residual);
}

double tt_lauum_residual(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, const void *p, tw_int ldp)
{
    const struct check_array s = array(CHECK_TRIANGULAR, t, uplo, 'N', n, a, lda);
    const struct check_matrix A = check_of_array(&s);
    double residual = NAN;
    return told(check_lauum(&A, s.uplo, p, ldp, &residual), &residual);
}

double tt_lu_residual(enum tw_type t, tw_int m, tw_int n, const void *a, tw_int lda, const void *f, tw_int ldf,
                      const tw_int *ipiv)
{
    const struct check_array s = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, lda};
    const struct check_matrix A = check_of_array(&s);
    double residual = NAN;
    return told(check_getrf(&A, f, ldf, ipiv, &residual), &residual);
}

static double solve(const struct check_array *s, char trans, tw_int nrhs, const void *b, tw_int ldb, const void *x,
                    tw_int ldx)
{
    const struct check_matrix A = check_of_array(s);
    double residual = NAN;
    return told(check_solve(&A, (enum tw_trans)trans, nrhs, x, ldx, b, ldb, &residual), &residual);
}

double tt_solve_residual(enum tw_type t, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, const void *b,
                         tw_int ldb, const void *x, tw_int ldx)
{
    const struct check_array s = array(CHECK_HERMITIAN, t, uplo, 'N', n, a, lda);
    return solve(&s, 'N', nrhs, b, ldb, x, ldx);
}

double tt_general_solve_residual(enum tw_type t, char trans, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                                 const void *b, tw_int ldb, const void *x, tw_int ldx)
{
    const struct check_array s = array(CHECK_GENERAL, t, 'G', 'N', n, a, lda);
    return solve(&s, trans, nrhs, b, ldb, x, ldx);
}

double tt_triangle_solve_residual(enum tw_type t, char uplo, char trans, char diag, tw_int n, tw_int nrhs,
                                  const void *a, tw_int lda, const void *b, tw_int ldb, const void *x, tw_int ldx)
{
    const struct check_array s = array(CHECK_TRIANGULAR, t, uplo, diag, n, a, lda);
    return solve(&s, trans, nrhs, b, ldb, x, ldx);
}

double tt_general_inverse_residual(enum tw_type t, tw_int n, const void *a, tw_int lda, const void *inv, tw_int ldi)
{
    const struct check_array s = array(CHECK_GENERAL, t, 'G', 'N', n, a, lda);
    const struct check_matrix A = check_of_array(&s);
    double residual = NAN;
    return told(check_getri(&A, inv, ldi, &residual), &residual);
}

/* ---- products and equations, of full double complex matrices ----------------------------------------------------- */

static double scaled(double error, double norm, double n, double eps)
{
    double value;
    if (isnan(error) || isnan(norm)) return INFINITY;
    if (isinf(norm)) return INFINITY;
    if (error == 0) return 0;
    value = error / (norm * (n > 1 ? n : 1) * eps);
    return isnan(value) ? INFINITY : value;
}

static double one_norm(tw_int m, tw_int n, const tt_z *x)
{
    return tt_norm('O', m, n, x);
}

double tt_product_residual(enum tw_type t, char uplo, tw_int m, tw_int n, tw_int k, tt_z alpha, const tt_z *a,
                           const tt_z *b, tt_z beta, const tt_z *c0, const void *c, tw_int ldc)
{
    tt_z *r = tt_full(TT_GENERAL, t, 'G', 'N', m, n, c, ldc);
    tt_z *want = calloc((size_t)(m * n > 0 ? m * n : 1), sizeof *want);
    double norm, error;

    if (!want) exit(1);
    if (cabs(beta) != 0) memcpy(want, c0, (size_t)(m * n) * sizeof *want); /* else c0 is not looked at */
    norm = cabs(beta) * one_norm(m, n, want);
    if (k > 0 && cabs(alpha) != 0) {
        norm += cabs(alpha) * one_norm(m, k, a) * one_norm(k, n, b);
        tt_multiply(m, n, k, alpha, a, b, beta, want);
    } else {
        for (tw_int e = 0; e < m * n; e++)
            want[e] *= beta;
    }
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++) {
            int here = uplo == 'L' ? i >= j : uplo == 'U' ? i <= j : 1;
            r[i + j * m] = here ? r[i + j * m] - want[i + j * m] : 0;
        }
    error = one_norm(m, n, r);
    free(r), free(want);
    return scaled(error, norm, (double)k, tt_eps(t));
}

double tt_equation_residual(enum tw_type t, tw_int m, tw_int n, tw_int k, const tt_z *p, const tt_z *q, const tt_z *w)
{
    tt_z *r = malloc((size_t)(m * n > 0 ? m * n : 1) * sizeof *r);
    double norm = one_norm(m, k, p) * one_norm(k, n, q), error;

    if (!r) exit(1);
    memcpy(r, w, (size_t)(m * n) * sizeof *r);
    tt_multiply(m, n, k, -1, p, q, 1, r);
    error = one_norm(m, n, r);
    free(r);
    return scaled(error, norm, (double)k, tt_eps(t));
}

double tt_difference(enum tw_type t, char uplo, char diag, tw_int m, tw_int n, const void *a, tw_int lda, const void *r,
                     tw_int ldr)
{
    long double error = 0, norm = 0;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++) {
            tt_z want, d;
            if ((uplo == 'L' && i < j) || (uplo == 'U' && i > j) || (diag == 'U' && i == j)) continue;
            want = tt_get(t, r, (size_t)(i + j * ldr));
            d = tt_get(t, a, (size_t)(i + j * lda)) - want;
            error += creal(d) * creal(d) + cimag(d) * cimag(d);
            norm += creal(want) * creal(want) + cimag(want) * cimag(want);
        }
    return scaled((double)sqrtl(error), (double)sqrtl(norm), (double)(m > n ? m : n), tt_eps(t));
}
