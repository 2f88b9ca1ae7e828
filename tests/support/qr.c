/* QR, LQ and least squares: checkers that apply reflectors one by one in double complex, and LAPACK's routines by
 * type. */
#include "tt.h"

#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>

static double scaled(double error, double norm, double n, double eps)
{
    double value;
    if (isnan(error) || isnan(norm)) return INFINITY;
    if (isinf(norm)) return INFINITY;
    if (error == 0) return 0;
    value = error / (norm * (n > 1 ? n : 1) * eps);
    return isnan(value) ? INFINITY : value;
}

static tt_z *zeros(tw_int m, tw_int n)
{
    tt_z *x = calloc((size_t)(m * n + 1), sizeof *x);
    if (!x) exit(1);
    return x;
}

/* Q = H(1) ... H(k) of QR; of LQ it is the adjoint of that, with v^H in the rows. */
tt_z *tt_q(enum tw_type t, char storev, tw_int order, tw_int k, const void *f, tw_int ldf, const void *tau)
{
    tt_z *q = zeros(order, order), *v = zeros(order, 1), *w = zeros(order, 1);
    const tt_z one = 1, zero = 0;

    for (tw_int i = 0; i < order; i++)
        q[i * (order + 1)] = 1;
    for (tw_int j = k - 1; j >= 0; j--) {
        const int rest = (int)(order - j);
        const tt_z factor = -tt_get(t, tau, (size_t)j);
        v[0] = 1;
        for (tw_int i = 1; i < rest; i++)
            v[i] = storev == 'C' ? tt_get(t, f, (size_t)(j + i + j * ldf))
                                 : conj(tt_get(t, f, (size_t)(j + (j + i) * ldf)));
        cblas_zgemv(CblasColMajor, CblasConjTrans, rest, rest, &one, q + j * (order + 1), (int)order, v, 1, &zero, w,
                    1);
        cblas_zgerc(CblasColMajor, rest, rest, &factor, v, 1, w, 1, q + j * (order + 1), (int)order);
    }
    free(v), free(w);
    return storev == 'C' ? q : tt_op('C', order, order, q);
}

double tt_orthogonality(enum tw_type t, tw_int m, tw_int n, const tt_z *q)
{
    const tw_int k = m < n ? m : n, order = m < n ? n : m;
    tt_z *x = zeros(m, n), *y = zeros(m, n), *r = zeros(k, k);
    double error;

    memcpy(x, q, (size_t)(m * n) * sizeof *x);
    memcpy(y, q, (size_t)(m * n) * sizeof *y);
    for (tw_int i = 0; i < k; i++)
        r[i * (k + 1)] = 1;
    if (m >= n)
        x = tt_op('C', m, n, x);
    else
        y = tt_op('C', m, n, y);
    tt_multiply(k, k, order, -1, x, y, 1, r);
    error = tt_norm('O', k, k, r);
    free(x), free(y), free(r);
    return scaled(error, 1, (double)order, tt_eps(t));
}

double tt_qr_residual(enum tw_type t, char storev, tw_int m, tw_int n, const void *a, tw_int lda, const void *f,
                      tw_int ldf, const void *tau)
{
    const tw_int k = m < n ? m : n, order = storev == 'C' ? m : n;
    tt_z *r = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, lda), *factor = zeros(m, n),
         *q = tt_q(t, storev, order, k, f, ldf, tau);
    const double norm = tt_norm('O', m, n, r);
    double residual, orthogonality = tt_orthogonality(t, order, order, q);

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            if (storev == 'C' ? i <= j : i >= j) factor[i + j * m] = tt_get(t, f, (size_t)(i + j * ldf));
    if (storev == 'C')
        tt_multiply(m, n, m, -1, q, factor, 1, r);
    else
        tt_multiply(m, n, n, -1, factor, q, 1, r);
    residual = scaled(tt_norm('O', m, n, r), norm, (double)(m > n ? m : n), tt_eps(t));
    free(r), free(factor), free(q);
    return orthogonality > residual ? orthogonality : residual;
}

double tt_geqp3_residual(enum tw_type t, tw_int m, tw_int n, const void *a, tw_int lda, const void *f, tw_int ldf,
                         const tw_int *jpvt, const void *tau)
{
    void *p = tt_array(t, lda, n);
    char *seen = calloc((size_t)n + 1, 1);
    double residual = INFINITY;
    tw_int good = 0;

    for (tw_int j = 0; j < n; j++) {
        if (jpvt[j] < 1 || jpvt[j] > n || seen[jpvt[j]]++) break;
        for (tw_int i = 0; i < m; i++)
            tt_put(t, p, (size_t)(i + j * lda), tt_get(t, a, (size_t)(i + (jpvt[j] - 1) * lda)));
        good++;
    }
    if (good == n) residual = tt_qr_residual(t, 'C', m, n, p, lda, f, ldf, tau);
    free(p), free(seen);
    return residual;
}

double tt_qr_condition(enum tw_type t, char storev, tw_int m, tw_int n, const void *f, tw_int ldf)
{
    const tw_int k = m < n ? m : n;
    tt_z *r = tt_full(TT_GENERAL, t, 'G', 'N', k, k, f, ldf);
    double rcond = 1;

    if (k > 0) (void)LAPACKE_ztrcon(LAPACK_COL_MAJOR, '1', storev == 'C' ? 'U' : 'L', 'N', (int)k, r, (int)k, &rcond);
    free(r);
    return rcond > 0 ? 1 / rcond : INFINITY;
}

double tt_gels_residual(enum tw_type t, char trans, tw_int m, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                        const void *b, tw_int ldb, const void *x, tw_int ldx)
{
    const tw_int rows = trans == 'N' ? m : n, cols = trans == 'N' ? n : m, longest = m > n ? m : n;
    tt_z *A = tt_op(trans, m, n, tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, lda)), *adjoint = zeros(rows, cols),
         *r = tt_full(TT_GENERAL, t, 'G', 'N', rows, nrhs, b, ldb),
         *X = tt_full(TT_GENERAL, t, 'G', 'N', cols, nrhs, x, ldx);
    const double anorm = tt_norm('F', rows, cols, A);
    double worst = 0;

    memcpy(adjoint, A, (size_t)(rows * cols) * sizeof *A);
    adjoint = tt_op('C', rows, cols, adjoint);
    for (tw_int j = 0; j < nrhs; j++) {
        const double bnorm = tt_norm('F', rows, 1, r + j * rows), xnorm = tt_norm('F', cols, 1, X + j * cols);
        double one;
        tt_multiply(rows, 1, cols, -1, A, X + j * cols, 1, r + j * rows);
        if (rows >= cols) { /* the residual is orthogonal to A's columns */
            tt_z *g = zeros(cols, 1);
            tt_multiply(cols, 1, rows, 1, adjoint, r + j * rows, 0, g);
            one = scaled(tt_norm('F', cols, 1, g), anorm * (anorm * xnorm + bnorm), (double)longest, tt_eps(t));
            free(g);
        } else { /* A X = B, and X lies in the space of A^H's columns */
            one = scaled(tt_norm('F', rows, 1, r + j * rows), anorm * xnorm + bnorm, (double)longest, tt_eps(t));
        }
        if (!(one <= worst)) worst = one;
    }
    if (rows < cols && nrhs > 0) { /* x - A^H y for the best y, by LAPACK on copies */
        tt_z *w = zeros(cols, nrhs), *qr = zeros(cols, rows);
        memcpy(w, X, (size_t)(cols * nrhs) * sizeof *w);
        memcpy(qr, adjoint, (size_t)(rows * cols) * sizeof *qr);
        if (LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', (int)cols, (int)rows, (int)nrhs, qr, (int)cols, w, (int)cols))
            worst = INFINITY;
        for (tw_int j = 0; j < nrhs; j++) {
            double off = 0, one;
            for (tw_int i = rows; i < cols; i++)
                off = hypot(off, cabs(w[i + j * cols]));
            one = scaled(off, tt_norm('F', cols, 1, X + j * cols), (double)longest, tt_eps(t));
            if (!(one <= worst)) worst = one;
        }
        free(w), free(qr);
    }
    free(A), free(adjoint), free(r), free(X);
    return worst;
}

/* ---- LAPACK's ---------------------------------------------------------------------------------------------------- */

#define BY_TYPE(t, real, complex_, ...)                                                                                \
    switch (t) {                                                                                                       \
    case TW_FLOAT: return LAPACKE_s##real(LAPACK_COL_MAJOR, __VA_ARGS__);                                              \
    case TW_DOUBLE: return LAPACKE_d##real(LAPACK_COL_MAJOR, __VA_ARGS__);                                             \
    case TW_COMPLEX_FLOAT: return LAPACKE_c##complex_(LAPACK_COL_MAJOR, __VA_ARGS__);                                  \
    default: return LAPACKE_z##complex_(LAPACK_COL_MAJOR, __VA_ARGS__);                                                \
    }

int tt_lapack_geqrf(enum tw_type t, int m, int n, void *a, int lda, void *tau)
{
    BY_TYPE(t, geqrf, geqrf, m, n, a, lda, tau)
}
int tt_lapack_gelqf(enum tw_type t, int m, int n, void *a, int lda,
                    void *tau){BY_TYPE(t, gelqf, gelqf, m, n, a, lda, tau)}

/* ---- the LAPACK door --------------------------------------------------------------------------------------------- */

#define DOOR(t, real, complex_, ...)                                                                                   \
    switch (t) {                                                                                                       \
    case TW_FLOAT: return tw_s##real(__VA_ARGS__);                                                                     \
    case TW_DOUBLE: return tw_d##real(__VA_ARGS__);                                                                    \
    case TW_COMPLEX_FLOAT: return tw_c##complex_(__VA_ARGS__);                                                         \
    default: return tw_z##complex_(__VA_ARGS__);                                                                       \
    }

tw_int tt_door_geqrf(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda,
                     void *tau){DOOR(t, geqrf, geqrf, m, n, a, lda, tau)} tw_int
    tt_door_gelqf(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda,
                  void *tau){DOOR(t, gelqf, gelqf, m, n, a, lda, tau)} tw_int
    tt_door_unmqr(enum tw_type t, char side, char trans, tw_int m, tw_int n, tw_int k, const void *a, tw_int lda,
                  const void *tau, void *c,
                  tw_int ldc){DOOR(t, ormqr, unmqr, side, trans, m, n, k, a, lda, tau, c, ldc)} tw_int
    tt_door_unmlq(enum tw_type t, char side, char trans, tw_int m, tw_int n, tw_int k, const void *a, tw_int lda,
                  const void *tau, void *c,
                  tw_int ldc){DOOR(t, ormlq, unmlq, side, trans, m, n, k, a, lda, tau, c, ldc)} tw_int
    tt_door_ungqr(enum tw_type t, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,
                  const void *tau){DOOR(t, orgqr, ungqr, m, n, k, a, lda, tau)} tw_int
    tt_door_unglq(enum tw_type t, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,
                  const void *tau){DOOR(t, orglq, unglq, m, n, k, a, lda, tau)} tw_int
    tt_door_gels(enum tw_type t, char trans, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b, tw_int ldb)
{
    DOOR(t, gels, gels, trans, m, n, nrhs, a, lda, b, ldb)
}
