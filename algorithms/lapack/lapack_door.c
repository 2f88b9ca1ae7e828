/* The LAPACK door: arrays of the user in, LAPACK's info out.
 *
 * Every routine has two ways: straight to LAPACK, without starting anything, where tiles
 * gain nothing (tw_prefers_lapack); else tiles over the user's arrays in place. Checks, their order and numbers are LAPACK's. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <tilework/lapack.h>
#include "algorithms/dense/dense_loops.h"
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapack_door.h"

/* ---- LAPACK itself, by type ------------------------------------------------------------------------------------ */

struct lapack {
    int (*potrf)(char uplo, int n, void *a, int lda);
    int (*potrs)(char uplo, int n, int nrhs, const void *a, int lda, void *b, int ldb);
    int (*potri)(char uplo, int n, void *a, int lda);
    int (*lauum)(char uplo, int n, void *a, int lda);
    int (*trtri)(char uplo, char diag, int n, void *a, int lda);
    int (*pocon)(char uplo, int n, const void *a, int lda, double anorm, double *rcond, void *work, void *more);
    void (*trsm_right)(enum CBLAS_UPLO uplo, enum CBLAS_TRANSPOSE trans, int m, int n, const void *a, int lda, void *b,
                       int ldb);
};

/* R: real type; ONE: alpha = 1 as CBLAS wants it; MORE: pocon's second workspace, of integers or reals. */
#define CALLS(p, R, ONE, MORE)                                                                                         \
    static int p##potrf(char uplo, int n, void *a, int lda)                                                            \
    {                                                                                                                  \
        return LAPACKE_##p##potrf_work(LAPACK_COL_MAJOR, uplo, n, a, lda);                                             \
    }                                                                                                                  \
    static int p##potrs(char uplo, int n, int nrhs, const void *a, int lda, void *b, int ldb)                          \
    {                                                                                                                  \
        return LAPACKE_##p##potrs_work(LAPACK_COL_MAJOR, uplo, n, nrhs, a, lda, b, ldb);                               \
    }                                                                                                                  \
    static int p##potri(char uplo, int n, void *a, int lda)                                                            \
    {                                                                                                                  \
        return LAPACKE_##p##potri_work(LAPACK_COL_MAJOR, uplo, n, a, lda);                                             \
    }                                                                                                                  \
    static int p##lauum(char uplo, int n, void *a, int lda)                                                            \
    {                                                                                                                  \
        return LAPACKE_##p##lauum_work(LAPACK_COL_MAJOR, uplo, n, a, lda);                                             \
    }                                                                                                                  \
    static int p##trtri(char uplo, char diag, int n, void *a, int lda)                                                 \
    {                                                                                                                  \
        return LAPACKE_##p##trtri_work(LAPACK_COL_MAJOR, uplo, diag, n, a, lda);                                       \
    }                                                                                                                  \
    static int p##pocon(char uplo, int n, const void *a, int lda, double anorm, double *rcond, void *work, void *more) \
    {                                                                                                                  \
        R r = 0;                                                                                                       \
        int info = LAPACKE_##p##pocon_work(LAPACK_COL_MAJOR, uplo, n, a, lda, (R)anorm, &r, work, (MORE *)more);       \
        *rcond = r;                                                                                                    \
        return info;                                                                                                   \
    }                                                                                                                  \
    static void p##trsm_right(enum CBLAS_UPLO uplo, enum CBLAS_TRANSPOSE trans, int m, int n, const void *a, int lda,  \
                              void *b, int ldb)                                                                        \
    {                                                                                                                  \
        cblas_##p##trsm(CblasColMajor, CblasRight, uplo, trans, CblasNonUnit, m, n, ONE, a, lda, b, ldb);              \
    }
CALLS(s, float, 1, lapack_int)
CALLS(d, double, 1, lapack_int)
CALLS(c, float, &(float _Complex){1}, float)
CALLS(z, double, &(double _Complex){1}, double)

#define TABLE(p)                                                                                                       \
    {                                                                                                                  \
        p##potrf, p##potrs, p##potri, p##lauum, p##trtri, p##pocon, p##trsm_right                                      \
    }
static const struct lapack lapack[TW_NTYPES] = {TABLE(s), TABLE(d), TABLE(c), TABLE(z)};

/* ---- which way ------------------------------------------------------------------------------------------------- */

/* OpenBLAS 0.3.21's clauum and zlauum read past the end of the array for 'U'; the tiles' kernels do not. */
static int straight_lauum(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    if (!tw_is_complex(type) || uplo == 'L') return lapack[type].lauum(uplo, (int)n, a, (int)lda);
    tw_kernel_lauum(type, uplo, (int)n, a, (int)lda);
    return 0;
}
static int straight_potri(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    int info;
    if (!tw_is_complex(type) || uplo == 'L') return lapack[type].potri(uplo, (int)n, a, (int)lda);
    info = lapack[type].trtri(uplo, 'N', (int)n, a, (int)lda);
    return info ? info : straight_lauum(type, uplo, n, a, lda);
}

static const char *real_at(enum tw_type type, const void *a, tw_int lda, tw_int i)
{
    return (const char *)a + (size_t)i * (size_t)(lda + 1) * tw_sizeof(type);
}
/* OpenBLAS' potrf goes on after a NaN pivot; the reference LAPACK calls it "not positive definite", as our tiles do. */
static tw_int first_nan(enum tw_type type, tw_int n, const void *a, tw_int lda)
{
    for (tw_int i = 0; i < n; i++) {
        const char *p = real_at(type, a, lda, i);
        if (tw_is_single(type) ? isnan(*(const float *)p) : isnan(*(const double *)p)) return i + 1;
    }
    return 0;
}
/* A triangle's first exactly zero diagonal element (1-based), 0 if there is none: some LAPACKs only find the smallest
 * one. */
static tw_int first_zero(enum tw_type type, tw_int n, const void *a, tw_int lda)
{
    for (tw_int i = 0; i < n; i++) {
        const char *p = real_at(type, a, lda, i);
        const double re = tw_is_single(type) ? *(const float *)p : *(const double *)p;
        const double im = !tw_is_complex(type) ? 0
                          : tw_is_single(type) ? ((const float *)p)[1]
                                               : ((const double *)p)[1];
        if (re == 0 && im == 0) return i + 1;
    }
    return 0;
}
static tw_int straight_potrf(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    const tw_int info = lapack[type].potrf(uplo, (int)n, a, (int)lda), nan = first_nan(type, n, a, lda);
    return nan && (info == 0 || nan < info) ? nan : info;
}

/* ---- tiles over the user's arrays ------------------------------------------------------------------------------ */

static int wrap_triangle(struct tw_matrix **A, enum tw_type type, char uplo, tw_int n, const void *a, tw_int lda)
{
    return tw_matrix_wrap(A, type, (enum tw_uplo)uplo, n, n, (void *)a, lda, 0);
}
static int wrap_both(struct tw_matrix **A, struct tw_matrix **B, enum tw_type type, char uplo, tw_int n, const void *a,
                     tw_int lda, tw_int m_b, tw_int n_b, void *b, tw_int ldb)
{
    int e = wrap_triangle(A, type, uplo, n, a, lda);
    *B = NULL;
    if (!e) e = tw_matrix_wrap(B, type, TW_GENERAL, m_b, n_b, b, ldb, tw_matrix_nb(*A));
    return e;
}
/* ---- the routines ---------------------------------------------------------------------------------------------- */

static tw_int potrf(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    if (straight(type, (double)n, n, 0, lda, 0)) return straight_potrf(type, uplo, n, a, lda);
    e = wrap_triangle(&A, type, uplo, n, a, lda);
    return finish(e ? e : tw_potrf((enum tw_uplo)uplo, A), A, NULL);
}

static tw_int potrs(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                    void *b, tw_int ldb)
{
    const double order = cbrt(6.0 * (double)n * (double)n * (double)nrhs);
    struct tw_matrix *A, *B;
    int e;

    UPLO(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(7, ldb, n);
    if (n == 0 || nrhs == 0) return 0;
    ARRAY(4, a);
    ARRAY(6, b);
    if (straight(type, order, n, nrhs, lda, ldb))
        return lapack[type].potrs(uplo, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    e = wrap_both(&A, &B, type, uplo, n, a, lda, n, nrhs, b, ldb);
    return finish(e ? e : tw_potrs((enum tw_uplo)uplo, A, B), A, B);
}

static tw_int posv(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda,
                   void *b, tw_int ldb)
{
    const double order = cbrt((double)n * (double)n * ((double)n + 6.0 * (double)nrhs));
    struct tw_matrix *A, *B;
    tw_int info;

    UPLO(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(7, ldb, n);
    if (n == 0) return 0;
    ARRAY(4, a);
    if (nrhs > 0) ARRAY(6, b);
    if (straight(type, order, n, nrhs, lda, ldb)) {
        info = straight_potrf(type, uplo, n, a, lda);
        if (info || nrhs == 0) return info;
        return lapack[type].potrs(uplo, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    }
    info = wrap_both(&A, &B, type, uplo, n, a, lda, n, nrhs, b, ldb);
    return finish(info ? info : tw_posv((enum tw_uplo)uplo, A, B), A, B);
}

static tw_int potri(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    if (straight(type, (double)n, n, 0, lda, 0)) {
        const tw_int zero = first_zero(type, n, a, lda);
        return zero ? zero : straight_potri(type, uplo, n, a, lda);
    }
    e = wrap_triangle(&A, type, uplo, n, a, lda);
    return finish(e ? e : tw_potri((enum tw_uplo)uplo, A), A, NULL);
}

static tw_int lauum(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    if (straight(type, (double)n, n, 0, lda, 0)) return straight_lauum(type, uplo, n, a, lda);
    e = wrap_triangle(&A, type, uplo, n, a, lda);
    return finish(e ? e : tw_lauum((enum tw_uplo)uplo, A), A, NULL);
}

static tw_int trtri(const char *routine, enum tw_type type, char uplo, char diag, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    DIAG(2);
    SIZE(3, n);
    LD(5, lda, n);
    if (n == 0) return 0;
    ARRAY(4, a);
    if (straight(type, (double)n, n, 0, lda, 0)) {
        const tw_int zero = diag == 'N' ? first_zero(type, n, a, lda) : 0;
        return zero ? zero : lapack[type].trtri(uplo, diag, (int)n, a, (int)lda);
    }
    e = wrap_triangle(&A, type, uplo, n, a, lda);
    return finish(e ? e : tw_trtri((enum tw_uplo)uplo, (enum tw_diag)diag, A), A, NULL);
}

/* Workspaces of small problems sit on the stack. */
static tw_int straight_pocon(enum tw_type type, char uplo, tw_int n, const void *a, tw_int lda, double anorm,
                             double *rcond)
{
    _Alignas(16) char few[4096], few_more[1024];
    const size_t bytes = 3 * (size_t)n * tw_sizeof(type), more_bytes = (size_t)n * sizeof(double);
    void *work = bytes <= sizeof few ? few : malloc(bytes),
         *more = more_bytes <= sizeof few_more ? few_more : malloc(more_bytes);
    tw_int info = TW_E_MEMORY;

    if (work && more)
        info = lapack[type].pocon(uplo, (int)n, a, (int)lda, anorm, rcond, work, more);
    else
        (void)tw_fail(TW_E_MEMORY, "pocon: no memory for %zu bytes of workspace", bytes + more_bytes);
    if (info >= 0) info = 0; /* newer LAPACKs report a NaN as info = 1: here it is rcond = 0 */
    if (!isfinite(*rcond)) *rcond = 0;
    if (work != few) free(work);
    if (more != few_more) free(more);
    return info;
}

static tw_int pocon(const char *routine, enum tw_type type, char uplo, tw_int n, const void *a, tw_int lda,
                    double anorm, double *rcond)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    ARGUMENT(5, anorm >= 0, "negative or NaN");
    *rcond = n == 0 ? 1 : 0;
    if (n == 0 || anorm == 0 || isinf(anorm)) return 0;
    ARRAY(3, a);
    if (straight(type, cbrt(60.0 * (double)n * (double)n), n, 0, lda, 0)) /* five solves with one right-hand side */
        return straight_pocon(type, uplo, n, a, lda, anorm, rcond);
    e = wrap_triangle(&A, type, uplo, n, a, lda);
    return finish(e ? e : tw_pocon((enum tw_uplo)uplo, A, anorm, rcond), A, NULL);
}

/* Y (U^H U) = C: Y = C inv(U) inv(U^H), two solves from the right. */
tw_int tw_lapack_potrs_rows(enum tw_type type, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, void *c,
                            tw_int ldc)
{
    const double order = cbrt(6.0 * (double)n * (double)n * (double)nrhs);
    const enum tw_trans first = uplo == 'U' ? TW_NOTRANS : TW_CONJTRANS,
                        second = uplo == 'U' ? TW_CONJTRANS : TW_NOTRANS;
    struct tw_matrix *A, *C;
    int e;

    if (straight(type, order, n, n, lda, ldc)) {
        const enum CBLAS_UPLO u = uplo == 'U' ? CblasUpper : CblasLower;
        lapack[type].trsm_right(u, uplo == 'U' ? CblasNoTrans : CblasConjTrans, (int)nrhs, (int)n, a, (int)lda, c,
                                (int)ldc);
        lapack[type].trsm_right(u, uplo == 'U' ? CblasConjTrans : CblasNoTrans, (int)nrhs, (int)n, a, (int)lda, c,
                                (int)ldc);
        return 0;
    }
    e = wrap_both(&A, &C, type, uplo, n, a, lda, nrhs, n, c, ldc);
    if (!e) e = tw_trsm(TW_RIGHT, (enum tw_uplo)uplo, first, TW_NONUNIT, tw_one, A, C);
    if (!e) e = tw_trsm(TW_RIGHT, (enum tw_uplo)uplo, second, TW_NONUNIT, tw_one, A, C);
    return finish(e, A, C);
}

/* ---- the public names ------------------------------------------------------------------------------------------ */

#define DOOR(p, TYPE, T, R)                                                                                            \
    tw_int tw_##p##potrf(char uplo, tw_int n, T *a, tw_int lda)                                                        \
    {                                                                                                                  \
        return potrf("tw_" #p "potrf", TYPE, uplo, n, a, lda);                                                         \
    }                                                                                                                  \
    tw_int tw_##p##potrs(char uplo, tw_int n, tw_int nrhs, const T *a, tw_int lda, T *b, tw_int ldb)                   \
    {                                                                                                                  \
        return potrs("tw_" #p "potrs", TYPE, uplo, n, nrhs, a, lda, b, ldb);                                           \
    }                                                                                                                  \
    tw_int tw_##p##posv(char uplo, tw_int n, tw_int nrhs, T *a, tw_int lda, T *b, tw_int ldb)                          \
    {                                                                                                                  \
        return posv("tw_" #p "posv", TYPE, uplo, n, nrhs, a, lda, b, ldb);                                             \
    }                                                                                                                  \
    tw_int tw_##p##potri(char uplo, tw_int n, T *a, tw_int lda)                                                        \
    {                                                                                                                  \
        return potri("tw_" #p "potri", TYPE, uplo, n, a, lda);                                                         \
    }                                                                                                                  \
    tw_int tw_##p##lauum(char uplo, tw_int n, T *a, tw_int lda)                                                        \
    {                                                                                                                  \
        return lauum("tw_" #p "lauum", TYPE, uplo, n, a, lda);                                                         \
    }                                                                                                                  \
    tw_int tw_##p##trtri(char uplo, char diag, tw_int n, T *a, tw_int lda)                                             \
    {                                                                                                                  \
        return trtri("tw_" #p "trtri", TYPE, uplo, diag, n, a, lda);                                                   \
    }                                                                                                                  \
    tw_int tw_##p##pocon(char uplo, tw_int n, const T *a, tw_int lda, R anorm, R *rcond)                               \
    {                                                                                                                  \
        double r = 0;                                                                                                  \
        tw_int info;                                                                                                   \
        if (!rcond) return tw_illegal("tw_" #p "pocon", 6, "NULL");                                                    \
        info = pocon("tw_" #p "pocon", TYPE, uplo, n, a, lda, anorm, &r);                                              \
        *rcond = (R)r;                                                                                                 \
        return info;                                                                                                   \
    }
DOOR(s, TW_FLOAT, float, float)
DOOR(d, TW_DOUBLE, double, double)
DOOR(c, TW_COMPLEX_FLOAT, tw_complex_float, float)
DOOR(z, TW_COMPLEX_DOUBLE, tw_complex_double, double)
