/* BLAS, LAPACK and elements by type. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/blas.h"

static CBLAS_TRANSPOSE op(enum tw_trans t)
{
    return t == TW_NOTRANS ? CblasNoTrans : t == TW_TRANS ? CblasTrans : CblasConjTrans;
}
static CBLAS_UPLO triangle(enum tw_uplo u)
{
    return u == TW_UPPER ? CblasUpper : CblasLower;
}
static CBLAS_SIDE side_of(enum tw_side s)
{
    return s == TW_RIGHT ? CblasRight : CblasLeft;
}

void check_gemm(enum tw_type type, enum tw_trans ta, enum tw_trans tb, tw_int m, tw_int n, tw_int k, double alpha,
                const void *a, tw_int lda, const void *b, tw_int ldb, double beta, void *c, tw_int ldc)
{
    const float fa[2] = {(float)alpha, 0}, fb[2] = {(float)beta, 0};
    const double da[2] = {alpha, 0}, db[2] = {beta, 0};
    int im = (int)m, in = (int)n, ik = (int)k, ia = (int)lda, ib = (int)ldb, ic = (int)ldc;

    switch (type) {
    case TW_FLOAT: cblas_sgemm(CblasColMajor, op(ta), op(tb), im, in, ik, fa[0], a, ia, b, ib, fb[0], c, ic); break;
    case TW_DOUBLE: cblas_dgemm(CblasColMajor, op(ta), op(tb), im, in, ik, alpha, a, ia, b, ib, beta, c, ic); break;
    case TW_COMPLEX_FLOAT: cblas_cgemm(CblasColMajor, op(ta), op(tb), im, in, ik, fa, a, ia, b, ib, fb, c, ic); break;
    default: cblas_zgemm(CblasColMajor, op(ta), op(tb), im, in, ik, da, a, ia, b, ib, db, c, ic); break;
    }
}

void check_trmm(enum tw_type type, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag,
                tw_int m, tw_int n, const void *a, tw_int lda, void *b, tw_int ldb)
{
    const float f1[2] = {1, 0};
    const double d1[2] = {1, 0};
    const CBLAS_SIDE s = side_of(side);
    const CBLAS_UPLO u = triangle(uplo);
    const CBLAS_TRANSPOSE t = op(trans);
    const CBLAS_DIAG d = diag == TW_UNIT ? CblasUnit : CblasNonUnit;
    int im = (int)m, in = (int)n, ia = (int)lda, ib = (int)ldb;

    switch (type) {
    case TW_FLOAT: cblas_strmm(CblasColMajor, s, u, t, d, im, in, 1, a, ia, b, ib); break;
    case TW_DOUBLE: cblas_dtrmm(CblasColMajor, s, u, t, d, im, in, 1, a, ia, b, ib); break;
    case TW_COMPLEX_FLOAT: cblas_ctrmm(CblasColMajor, s, u, t, d, im, in, f1, a, ia, b, ib); break;
    default: cblas_ztrmm(CblasColMajor, s, u, t, d, im, in, d1, a, ia, b, ib); break;
    }
}

void check_hemm(enum tw_type type, enum tw_side side, enum tw_uplo uplo, tw_int m, tw_int n, const void *a, tw_int lda,
                const void *b, tw_int ldb, void *c, tw_int ldc)
{
    const float f1[2] = {1, 0}, f0[2] = {0, 0};
    const double d1[2] = {1, 0}, d0[2] = {0, 0};
    const CBLAS_SIDE s = side_of(side);
    const CBLAS_UPLO u = triangle(uplo);
    int im = (int)m, in = (int)n, ia = (int)lda, ib = (int)ldb, ic = (int)ldc;

    switch (type) {
    case TW_FLOAT: cblas_ssymm(CblasColMajor, s, u, im, in, 1, a, ia, b, ib, 0, c, ic); break;
    case TW_DOUBLE: cblas_dsymm(CblasColMajor, s, u, im, in, 1, a, ia, b, ib, 0, c, ic); break;
    case TW_COMPLEX_FLOAT: cblas_chemm(CblasColMajor, s, u, im, in, f1, a, ia, b, ib, f0, c, ic); break;
    default: cblas_zhemm(CblasColMajor, s, u, im, in, d1, a, ia, b, ib, d0, c, ic); break;
    }
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

void check_get(enum tw_type type, const void *a, size_t i, double value[2])
{
    value[1] = 0;
    switch (type) {
    case TW_FLOAT: value[0] = ((const float *)a)[i]; break;
    case TW_DOUBLE: value[0] = ((const double *)a)[i]; break;
    case TW_COMPLEX_FLOAT:
        value[0] = ((const float *)a)[2 * i];
        value[1] = ((const float *)a)[2 * i + 1];
        break;
    default:
        value[0] = ((const double *)a)[2 * i];
        value[1] = ((const double *)a)[2 * i + 1];
        break;
    }
}

void check_set(enum tw_type type, void *a, size_t i, double re, double im)
{
    switch (type) {
    case TW_FLOAT: ((float *)a)[i] = (float)re; break;
    case TW_DOUBLE: ((double *)a)[i] = re; break;
    case TW_COMPLEX_FLOAT:
        ((float *)a)[2 * i] = (float)re;
        ((float *)a)[2 * i + 1] = (float)im;
        break;
    default:
        ((double *)a)[2 * i] = re;
        ((double *)a)[2 * i + 1] = im;
        break;
    }
}

void check_subtract(enum tw_type type, tw_int m, tw_int n, void *y, tw_int ldy, const void *x, tw_int ldx)
{
    const tw_int step = check_is_complex(type) ? 2 : 1, reals = m * step;
    const int single = type == TW_FLOAT || type == TW_COMPLEX_FLOAT;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < reals; i++)
            if (single)
                ((float *)y)[j * ldy * step + i] -= ((const float *)x)[j * ldx * step + i];
            else
                ((double *)y)[j * ldy * step + i] -= ((const double *)x)[j * ldx * step + i];
}

void check_copy(enum tw_type type, tw_int m, tw_int n, const void *from, tw_int ldf, void *to, tw_int ldt)
{
    const size_t size = check_sizeof(type);

    for (tw_int j = 0; j < n && m > 0; j++)
        memcpy((char *)to + (size_t)(j * ldt) * size, (const char *)from + (size_t)(j * ldf) * size, (size_t)m * size);
}

/* Exchanges with rows that are not there are left out. */
void check_exchange(enum tw_type type, tw_int m, tw_int k, tw_int pivots, void *x, tw_int ldx, const tw_int *ipiv,
                    int backward)
{
    double v[2], w[2];

    for (tw_int s = 0; s < pivots; s++) {
        const tw_int i = backward ? pivots - 1 - s : s, p = ipiv[i] - 1;
        if (p == i || p < 0 || p >= m) continue;
        for (tw_int j = 0; j < k; j++) {
            check_get(type, x, (size_t)(i + j * ldx), v);
            check_get(type, x, (size_t)(p + j * ldx), w);
            check_set(type, x, (size_t)(i + j * ldx), w[0], w[1]);
            check_set(type, x, (size_t)(p + j * ldx), v[0], v[1]);
        }
    }
}

void check_clean_triangle(enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda)
{
    size_t size = check_sizeof(type);

    for (tw_int j = 0; j < n; j++) {
        char *column = (char *)a + (size_t)j * (size_t)lda * size;
        if (uplo == TW_LOWER)
            memset(column, 0, (size_t)(j < m ? j : m) * size);
        else if (j + 1 < m)
            memset(column + (size_t)(j + 1) * size, 0, (size_t)(m - j - 1) * size);
    }
}

/* ---- LAPACK ------------------------------------------------------------------------------------------------------ */

int check_lapack_pocon(enum tw_type type, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda, double anorm,
                       double *rcond)
{
    const int layout = LAPACK_COL_MAJOR;
    const char u = (char)uplo;
    float single = 0;
    int in = (int)n, ia = (int)lda, info;

    switch (type) {
    case TW_FLOAT:
        info = LAPACKE_spocon(layout, u, in, a, ia, (float)anorm, &single);
        *rcond = single;
        break;
    case TW_DOUBLE: info = LAPACKE_dpocon(layout, u, in, a, ia, anorm, rcond); break;
    case TW_COMPLEX_FLOAT:
        info = LAPACKE_cpocon(layout, u, in, a, ia, (float)anorm, &single);
        *rcond = single;
        break;
    default: info = LAPACKE_zpocon(layout, u, in, a, ia, anorm, rcond); break;
    }
    return info;
}

int check_lapack_gecon(enum tw_type type, tw_int n, const void *a, tw_int lda, double anorm, double *rcond)
{
    const int layout = LAPACK_COL_MAJOR, in = (int)n, ia = (int)lda;
    float single = 0;
    int info;

    switch (type) {
    case TW_FLOAT: info = LAPACKE_sgecon(layout, '1', in, a, ia, (float)anorm, &single); break;
    case TW_DOUBLE: return LAPACKE_dgecon(layout, '1', in, a, ia, anorm, rcond);
    case TW_COMPLEX_FLOAT: info = LAPACKE_cgecon(layout, '1', in, a, ia, (float)anorm, &single); break;
    default: return LAPACKE_zgecon(layout, '1', in, a, ia, anorm, rcond);
    }
    *rcond = (double)single;
    return info;
}

int check_lapack_trcon(enum tw_type type, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda, double *rcond)
{
    const int layout = LAPACK_COL_MAJOR, in = (int)n, ia = (int)lda;
    const char u = (char)uplo;
    float single = 0;
    int info;

    switch (type) {
    case TW_FLOAT: info = LAPACKE_strcon(layout, '1', u, 'N', in, a, ia, &single); break;
    case TW_DOUBLE: return LAPACKE_dtrcon(layout, '1', u, 'N', in, a, ia, rcond);
    case TW_COMPLEX_FLOAT: info = LAPACKE_ctrcon(layout, '1', u, 'N', in, a, ia, &single); break;
    default: return LAPACKE_ztrcon(layout, '1', u, 'N', in, a, ia, rcond);
    }
    *rcond = (double)single;
    return info;
}

int check_reflect(enum tw_type type, enum tw_trans trans, tw_int m, tw_int k, tw_int reflectors, const void *f,
                  tw_int ldf, const void *tau, void *c, tw_int ldc)
{
    const int layout = LAPACK_COL_MAJOR, im = (int)m, ik = (int)k, ir = (int)reflectors, lf = (int)ldf, lc = (int)ldc,
              lwork = ik > 0 ? 64 * ik + 64 * 80 : 1; /* ormqr's best: nw * nb + 65 * 64 */
    const char real = trans == TW_NOTRANS ? 'N' : 'T', complex_ = trans == TW_NOTRANS ? 'N' : 'C';
    void *work = malloc((size_t)lwork * check_sizeof(type));
    int e;

    if (!work) return TW_E_MEMORY;
    switch (type) {
    case TW_FLOAT: e = LAPACKE_sormqr_work(layout, 'L', real, im, ik, ir, f, lf, tau, c, lc, work, lwork); break;
    case TW_DOUBLE: e = LAPACKE_dormqr_work(layout, 'L', real, im, ik, ir, f, lf, tau, c, lc, work, lwork); break;
    case TW_COMPLEX_FLOAT:
        e = LAPACKE_cunmqr_work(layout, 'L', complex_, im, ik, ir, f, lf, tau, c, lc, work, lwork);
        break;
    default: e = LAPACKE_zunmqr_work(layout, 'L', complex_, im, ik, ir, f, lf, tau, c, lc, work, lwork);
    }
    free(work);
    return e;
}

int check_reflect_trd(enum tw_type type, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, tw_int m, tw_int n,
                      const void *f, tw_int ldf, const void *tau, void *c, tw_int ldc)
{
    const int layout = LAPACK_COL_MAJOR, im = (int)m, in = (int)n, lf = (int)ldf, lc = (int)ldc;
    const int lwork = 64 * (int)(side == TW_LEFT ? n : m) + 64 * 80;
    const char s = (char)side, u = (char)uplo, real = trans == TW_NOTRANS ? 'N' : 'T',
               complex_ = trans == TW_NOTRANS ? 'N' : 'C';
    void *work = malloc((size_t)lwork * check_sizeof(type));
    int e;

    if (!work) return TW_E_MEMORY;
    switch (type) {
    case TW_FLOAT: e = LAPACKE_sormtr_work(layout, s, u, real, im, in, f, lf, tau, c, lc, work, lwork); break;
    case TW_DOUBLE: e = LAPACKE_dormtr_work(layout, s, u, real, im, in, f, lf, tau, c, lc, work, lwork); break;
    case TW_COMPLEX_FLOAT:
        e = LAPACKE_cunmtr_work(layout, s, u, complex_, im, in, f, lf, tau, c, lc, work, lwork);
        break;
    default: e = LAPACKE_zunmtr_work(layout, s, u, complex_, im, in, f, lf, tau, c, lc, work, lwork);
    }
    free(work);
    return e;
}

int check_reflect_brd(enum tw_type type, char vect, enum tw_trans trans, tw_int m, tw_int k, tw_int other,
                      const void *f, tw_int ldf, const void *tau, void *c, tw_int ldc)
{
    const int layout = LAPACK_COL_MAJOR, im = (int)m, ik = (int)k, io = (int)other, lf = (int)ldf, lc = (int)ldc;
    const int lwork = 64 * ik + 64 * 80;
    const char real = trans == TW_NOTRANS ? 'N' : 'T', complex_ = trans == TW_NOTRANS ? 'N' : 'C';
    void *work = malloc((size_t)lwork * check_sizeof(type));
    int e;

    if (!work) return TW_E_MEMORY;
    switch (type) {
    case TW_FLOAT: e = LAPACKE_sormbr_work(layout, vect, 'L', real, im, ik, io, f, lf, tau, c, lc, work, lwork); break;
    case TW_DOUBLE: e = LAPACKE_dormbr_work(layout, vect, 'L', real, im, ik, io, f, lf, tau, c, lc, work, lwork); break;
    case TW_COMPLEX_FLOAT:
        e = LAPACKE_cunmbr_work(layout, vect, 'L', complex_, im, ik, io, f, lf, tau, c, lc, work, lwork);
        break;
    default: e = LAPACKE_zunmbr_work(layout, vect, 'L', complex_, im, ik, io, f, lf, tau, c, lc, work, lwork);
    }
    free(work);
    return e;
}

int check_lapack_geqrf(enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, void *tau)
{
    const int layout = LAPACK_COL_MAJOR, im = (int)m, in = (int)n, ia = (int)lda;

    switch (type) {
    case TW_FLOAT: return LAPACKE_sgeqrf(layout, im, in, a, ia, tau);
    case TW_DOUBLE: return LAPACKE_dgeqrf(layout, im, in, a, ia, tau);
    case TW_COMPLEX_FLOAT: return LAPACKE_cgeqrf(layout, im, in, a, ia, tau);
    default: return LAPACKE_zgeqrf(layout, im, in, a, ia, tau);
    }
}

/* From the end, since doubles are longer. */
void check_widen(tw_int n, void *a)
{
    double *w = a;

    for (tw_int i = n; i-- > 0;) {
        float one;
        memcpy(&one, (const float *)a + i, sizeof one);
        w[i] = (double)one;
    }
}

/* OpenBLAS 0.3.21's cgemv and zgemv read past their matrix' last column: of complex types a copy with room behind
 * it. */
static void *with_room(enum tw_type t, tw_int m, tw_int n, const void *a)
{
    const size_t bytes = (size_t)m * (size_t)n * check_sizeof(t);
    char *copy = calloc(bytes + 4 * (size_t)m * check_sizeof(t) + 256, 1);
    if (copy) memcpy(copy, a, bytes);
    return copy;
}

int check_lapack_gesvd(enum tw_type t, tw_int m, tw_int n, void *a, double *s)
{
    const int layout = LAPACK_COL_MAJOR, im = (int)m, in = (int)n, ld = im > 0 ? im : 1;
    const tw_int k = m < n ? m : n;
    float *single = (float *)(void *)s;
    double *super = malloc((size_t)(k + 1) * sizeof *super), none[2];
    void *copy = with_room(t, m, n, a), *x = none;
    int info = LAPACK_WORK_MEMORY_ERROR;

    if (super && copy) switch (t) {
        case TW_FLOAT:
            info = LAPACKE_sgesvd(layout, 'N', 'N', im, in, copy, ld, single, x, 1, x, 1, (float *)(void *)super);
            break;
        case TW_DOUBLE: info = LAPACKE_dgesvd(layout, 'N', 'N', im, in, copy, ld, s, x, 1, x, 1, super); break;
        case TW_COMPLEX_FLOAT:
            info = LAPACKE_cgesvd(layout, 'N', 'N', im, in, copy, ld, single, x, 1, x, 1, (float *)(void *)super);
            break;
        default: info = LAPACKE_zgesvd(layout, 'N', 'N', im, in, copy, ld, s, x, 1, x, 1, super);
        }
    if (t == TW_FLOAT || t == TW_COMPLEX_FLOAT) check_widen(k, s);
    free(super), free(copy);
    return info;
}

int check_lapack_sytrd(enum tw_type type, enum tw_uplo uplo, tw_int n, void *a, tw_int lda, double *d, double *e,
                       void *tau)
{
    const int layout = LAPACK_COL_MAJOR, in = (int)n, ia = (int)lda;
    const char u = (char)uplo;
    float *sd = (float *)(void *)d, *se = (float *)(void *)e;
    int info;

    switch (type) {
    case TW_FLOAT: info = LAPACKE_ssytrd(layout, u, in, a, ia, sd, se, tau); break;
    case TW_DOUBLE: return LAPACKE_dsytrd(layout, u, in, a, ia, d, e, tau);
    case TW_COMPLEX_FLOAT: info = LAPACKE_chetrd(layout, u, in, a, ia, sd, se, tau); break;
    default: return LAPACKE_zhetrd(layout, u, in, a, ia, d, e, tau);
    }
    check_widen(n, d), check_widen(n - 1, e);
    return info;
}

int check_lapack_syevd(enum tw_type t, char jobz, tw_int n, void *a, double *w)
{
    const lapack_int order = (lapack_int)n;
    float *single = (float *)(void *)w;
    int info;

    switch (t) {
    case TW_FLOAT: info = LAPACKE_ssyevd(LAPACK_COL_MAJOR, jobz, 'L', order, a, order, single); break;
    case TW_DOUBLE: return LAPACKE_dsyevd(LAPACK_COL_MAJOR, jobz, 'L', order, a, order, w);
    case TW_COMPLEX_FLOAT: info = LAPACKE_cheevd(LAPACK_COL_MAJOR, jobz, 'L', order, a, order, single); break;
    case TW_COMPLEX_DOUBLE: return LAPACKE_zheevd(LAPACK_COL_MAJOR, jobz, 'L', order, a, order, w);
    default: return -1;
    }
    check_widen(n, w);
    return info;
}

int check_lapack_sygvd(enum tw_type t, int itype, tw_int n, void *a, void *b, double *w)
{
    const int layout = LAPACK_COL_MAJOR, ld = (int)n;
    float *single = (float *)(void *)w;
    int info;

    switch (t) {
    case TW_FLOAT: info = LAPACKE_ssygvd(layout, itype, 'N', 'L', ld, a, ld, b, ld, single); break;
    case TW_DOUBLE: return LAPACKE_dsygvd(layout, itype, 'N', 'L', ld, a, ld, b, ld, w);
    case TW_COMPLEX_FLOAT: info = LAPACKE_chegvd(layout, itype, 'N', 'L', ld, a, ld, b, ld, single); break;
    default: return LAPACKE_zhegvd(layout, itype, 'N', 'L', ld, a, ld, b, ld, w);
    }
    check_widen(n, w);
    return info;
}
