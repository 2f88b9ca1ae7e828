/* Tilework: the LAPACKE door. LAPACKE's exact prototypes under the prefix tw_LAPACKE_: a program that calls LAPACKE
 * changes the prefix and is done. May be included with or without lapacke.h, before or after it, from C and C++.
 *
 * Returned: what LAPACKE returns (-i: argument i is illegal or, with the NaN check on, has a NaN;
 * LAPACK_WORK_MEMORY_ERROR), or a code <= -2001 of tilework/runtime.h; the reason in tw_last_message(). Nothing is
 * printed. Row-major matrices of which one triangle counts are not transposed: their triangles are the other ones of
 * the same array. The routines on general matrices transpose row-major arrays, as LAPACKE does. Workspaces of functions
 * with _work are not used; lwork = -1 asks for the size, and one below LAPACK's least is refused.
 *
 * lapack_int is 32 bits wide, or 64 bits if LAPACK_ILP64 is defined; both are in the library. */
#ifndef TILEWORK_LAPACKE_H
#define TILEWORK_LAPACKE_H

#include <tilework/lapack.h>

#ifndef lapack_int
#if defined(LAPACK_ILP64)
#define lapack_int int64_t
#else
#define lapack_int int32_t
#endif
#endif

#ifndef LAPACK_ROW_MAJOR
#define LAPACK_ROW_MAJOR 101
#define LAPACK_COL_MAJOR 102
#endif
#ifndef LAPACK_WORK_MEMORY_ERROR
#define LAPACK_WORK_MEMORY_ERROR      -1010
#define LAPACK_TRANSPOSE_MEMORY_ERROR -1011
#endif

#ifndef LAPACK_COMPLEX_CUSTOM
#ifndef lapack_complex_float
#define lapack_complex_float tw_complex_float
#endif
#ifndef lapack_complex_double
#define lapack_complex_double tw_complex_double
#endif
#endif

/* The 64-bit functions have their own names in the library; programs see one name. */
#if defined(LAPACK_ILP64)
#define TW_LAPACKE_SYMBOL(name) __asm__(name "_64")
#else
#define TW_LAPACKE_SYMBOL(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The NaN check of the input in the functions without _work: on, unless LAPACKE_NANCHECK=0 is in the environment. */
TW_API void tw_LAPACKE_set_nancheck(int flag);
TW_API int tw_LAPACKE_get_nancheck(void);

/* p: LAPACK's letter; T: element type; R: real type; W: type of the second workspace of pocon_work and its like (not
 * used, nor is the first). */
#define TW_LAPACKE_PROTOTYPES(p, T, R, W)                                                                              \
    TW_API lapack_int tw_LAPACKE_##p##potrf(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "potrf");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##potrf_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "potrf_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##potrs(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, const T *a,   \
                                            lapack_int lda, T *b, lapack_int ldb)                                      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "potrs");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##potrs_work(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs,          \
                                                 const T *a, lapack_int lda, T *b, lapack_int ldb)                     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "potrs_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##posv(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, T *a,          \
                                           lapack_int lda, T *b, lapack_int ldb)                                       \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "posv");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##posv_work(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, T *a,     \
                                                lapack_int lda, T *b, lapack_int ldb)                                  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "posv_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##potri(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "potri");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##potri_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "potri_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##lauum(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "lauum");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##lauum_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "lauum_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##trtri(int matrix_layout, char uplo, char diag, lapack_int n, T *a,               \
                                            lapack_int lda) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trtri");               \
    TW_API lapack_int tw_LAPACKE_##p##trtri_work(int matrix_layout, char uplo, char diag, lapack_int n, T *a,          \
                                                 lapack_int lda) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trtri_work");     \
    TW_API lapack_int tw_LAPACKE_##p##pocon(int matrix_layout, char uplo, lapack_int n, const T *a, lapack_int lda,    \
                                            R anorm, R *rcond) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "pocon");            \
    TW_API lapack_int tw_LAPACKE_##p##pocon_work(int matrix_layout, char uplo, lapack_int n, const T *a,               \
                                                 lapack_int lda, R anorm, R *rcond, T *work, W *more)                  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "pocon_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##getrf(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,       \
                                            lapack_int *ipiv) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "getrf");             \
    TW_API lapack_int tw_LAPACKE_##p##getrf_work(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,  \
                                                 lapack_int *ipiv) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "getrf_work");   \
    TW_API lapack_int tw_LAPACKE_##p##getrs(int matrix_layout, char trans, lapack_int n, lapack_int nrhs, const T *a,  \
                                            lapack_int lda, const lapack_int *ipiv, T *b, lapack_int ldb)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "getrs");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##getrs_work(int matrix_layout, char trans, lapack_int n, lapack_int nrhs,         \
                                                 const T *a, lapack_int lda, const lapack_int *ipiv, T *b,             \
                                                 lapack_int ldb) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "getrs_work");     \
    TW_API lapack_int tw_LAPACKE_##p##gesv(int matrix_layout, lapack_int n, lapack_int nrhs, T *a, lapack_int lda,     \
                                           lapack_int *ipiv, T *b, lapack_int ldb)                                     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesv");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##gesv_work(int matrix_layout, lapack_int n, lapack_int nrhs, T *a,                \
                                                lapack_int lda, lapack_int *ipiv, T *b, lapack_int ldb)                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesv_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##getri(int matrix_layout, lapack_int n, T *a, lapack_int lda,                     \
                                            const lapack_int *ipiv) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "getri");       \
    TW_API lapack_int tw_LAPACKE_##p##getri_work(int matrix_layout, lapack_int n, T *a, lapack_int lda,                \
                                                 const lapack_int *ipiv, T *work, lapack_int lwork)                    \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "getri_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##trtrs(int matrix_layout, char uplo, char trans, char diag, lapack_int n,         \
                                            lapack_int nrhs, const T *a, lapack_int lda, T *b, lapack_int ldb)         \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trtrs");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##trtrs_work(int matrix_layout, char uplo, char trans, char diag, lapack_int n,    \
                                                 lapack_int nrhs, const T *a, lapack_int lda, T *b, lapack_int ldb)    \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trtrs_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gecon(int matrix_layout, char norm, lapack_int n, const T *a, lapack_int lda,    \
                                            R anorm, R *rcond) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gecon");            \
    TW_API lapack_int tw_LAPACKE_##p##gecon_work(int matrix_layout, char norm, lapack_int n, const T *a,               \
                                                 lapack_int lda, R anorm, R *rcond, T *work, W *more)                  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gecon_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##trcon(int matrix_layout, char norm, char uplo, char diag, lapack_int n,          \
                                            const T *a, lapack_int lda, R *rcond)                                      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trcon");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##trcon_work(int matrix_layout, char norm, char uplo, char diag, lapack_int n,     \
                                                 const T *a, lapack_int lda, R *rcond, T *work, W *more)               \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trcon_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gerfs(int matrix_layout, char trans, lapack_int n, lapack_int nrhs, const T *a,  \
                                            lapack_int lda, const T *af, lapack_int ldaf, const lapack_int *ipiv,      \
                                            const T *b, lapack_int ldb, T *x, lapack_int ldx, R *ferr, R *berr)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gerfs");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##gerfs_work(                                                                      \
        int matrix_layout, char trans, lapack_int n, lapack_int nrhs, const T *a, lapack_int lda, const T *af,         \
        lapack_int ldaf, const lapack_int *ipiv, const T *b, lapack_int ldb, T *x, lapack_int ldx, R *ferr, R *berr,   \
        T *work, W *more) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gerfs_work");                                            \
    TW_API lapack_int tw_LAPACKE_##p##porfs(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, const T *a,   \
                                            lapack_int lda, const T *af, lapack_int ldaf, const T *b, lapack_int ldb,  \
                                            T *x, lapack_int ldx, R *ferr, R *berr)                                    \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "porfs");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##porfs_work(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs,          \
                                                 const T *a, lapack_int lda, const T *af, lapack_int ldaf, const T *b, \
                                                 lapack_int ldb, T *x, lapack_int ldx, R *ferr, R *berr, T *work,      \
                                                 W *more) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "porfs_work");            \
    TW_API lapack_int tw_LAPACKE_##p##trrfs(int matrix_layout, char uplo, char trans, char diag, lapack_int n,         \
                                            lapack_int nrhs, const T *a, lapack_int lda, const T *b, lapack_int ldb,   \
                                            const T *x, lapack_int ldx, R *ferr, R *berr)                              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trrfs");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##trrfs_work(int matrix_layout, char uplo, char trans, char diag, lapack_int n,    \
                                                 lapack_int nrhs, const T *a, lapack_int lda, const T *b,              \
                                                 lapack_int ldb, const T *x, lapack_int ldx, R *ferr, R *berr,         \
                                                 T *work, W *more) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trrfs_work");   \
    TW_API lapack_int tw_LAPACKE_##p##geequ(int matrix_layout, lapack_int m, lapack_int n, const T *a, lapack_int lda, \
                                            R *r, R *c, R *rowcnd, R *colcnd, R *amax)                                 \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geequ");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##geequ_work(int matrix_layout, lapack_int m, lapack_int n, const T *a,            \
                                                 lapack_int lda, R *r, R *c, R *rowcnd, R *colcnd, R *amax)            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geequ_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##poequ(int matrix_layout, lapack_int n, const T *a, lapack_int lda, R *s,         \
                                            R *scond, R *amax) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "poequ");            \
    TW_API lapack_int tw_LAPACKE_##p##poequ_work(int matrix_layout, lapack_int n, const T *a, lapack_int lda, R *s,    \
                                                 R *scond, R *amax) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "poequ_work");  \
    TW_API lapack_int tw_LAPACKE_##p##geequb(int matrix_layout, lapack_int m, lapack_int n, const T *a,                \
                                             lapack_int lda, R *r, R *c, R *rowcnd, R *colcnd, R *amax)                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geequb");                                                                  \
    TW_API lapack_int tw_LAPACKE_##p##geequb_work(int matrix_layout, lapack_int m, lapack_int n, const T *a,           \
                                                  lapack_int lda, R *r, R *c, R *rowcnd, R *colcnd, R *amax)           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geequb_work");                                                             \
    TW_API lapack_int tw_LAPACKE_##p##poequb(int matrix_layout, lapack_int n, const T *a, lapack_int lda, R *s,        \
                                             R *scond, R *amax) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "poequb");          \
    TW_API lapack_int tw_LAPACKE_##p##poequb_work(int matrix_layout, lapack_int n, const T *a, lapack_int lda, R *s,   \
                                                  R *scond, R *amax)                                                   \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "poequb_work");                                                             \
    TW_API lapack_int tw_LAPACKE_##p##gesvx(                                                                           \
        int matrix_layout, char fact, char trans, lapack_int n, lapack_int nrhs, T *a, lapack_int lda, T *af,          \
        lapack_int ldaf, lapack_int *ipiv, char *equed, R *r, R *c, T *b, lapack_int ldb, T *x, lapack_int ldx,        \
        R *rcond, R *ferr, R *berr, R *rpivot) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvx");                            \
    TW_API lapack_int tw_LAPACKE_##p##gesvx_work(                                                                      \
        int matrix_layout, char fact, char trans, lapack_int n, lapack_int nrhs, T *a, lapack_int lda, T *af,          \
        lapack_int ldaf, lapack_int *ipiv, char *equed, R *r, R *c, T *b, lapack_int ldb, T *x, lapack_int ldx,        \
        R *rcond, R *ferr, R *berr, T *work, W *more) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvx_work");                \
    TW_API lapack_int tw_LAPACKE_##p##posvx(int matrix_layout, char fact, char uplo, lapack_int n, lapack_int nrhs,    \
                                            T *a, lapack_int lda, T *af, lapack_int ldaf, char *equed, R *s, T *b,     \
                                            lapack_int ldb, T *x, lapack_int ldx, R *rcond, R *ferr, R *berr)          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "posvx");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##posvx_work(                                                                      \
        int matrix_layout, char fact, char uplo, lapack_int n, lapack_int nrhs, T *a, lapack_int lda, T *af,           \
        lapack_int ldaf, char *equed, R *s, T *b, lapack_int ldb, T *x, lapack_int ldx, R *rcond, R *ferr, R *berr,    \
        T *work, W *more) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "posvx_work");                                            \
    TW_API lapack_int tw_LAPACKE_##p##geqrf(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,       \
                                            T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geqrf");                       \
    TW_API lapack_int tw_LAPACKE_##p##geqrf_work(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,  \
                                                 T *tau, T *work, lapack_int lwork)                                    \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geqrf_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gelqf(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,       \
                                            T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelqf");                       \
    TW_API lapack_int tw_LAPACKE_##p##gelqf_work(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,  \
                                                 T *tau, T *work, lapack_int lwork)                                    \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelqf_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##geqp3(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,       \
                                            lapack_int *jpvt, T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geqp3");     \
    TW_API lapack_int tw_LAPACKE_##p##gelsy(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a,      \
                                            lapack_int lda, T *b, lapack_int ldb, lapack_int *jpvt, R rcond,           \
                                            lapack_int *rank) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelsy");             \
    TW_API lapack_int tw_LAPACKE_##p##gels(int matrix_layout, char trans, lapack_int m, lapack_int n, lapack_int nrhs, \
                                           T *a, lapack_int lda, T *b, lapack_int ldb)                                 \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gels");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##gels_work(int matrix_layout, char trans, lapack_int m, lapack_int n,             \
                                                lapack_int nrhs, T *a, lapack_int lda, T *b, lapack_int ldb, T *work,  \
                                                lapack_int lwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gels_work");
#define TW_LAPACKE_REAL_PROTOTYPES(p, T)                                                                               \
    TW_API lapack_int tw_LAPACKE_##p##ormqr(int matrix_layout, char side, char trans, lapack_int m, lapack_int n,      \
                                            lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,              \
                                            lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormqr");               \
    TW_API lapack_int tw_LAPACKE_##p##ormqr_work(int matrix_layout, char side, char trans, lapack_int m, lapack_int n, \
                                                 lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,         \
                                                 lapack_int ldc, T *work, lapack_int lwork)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormqr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##ormlq(int matrix_layout, char side, char trans, lapack_int m, lapack_int n,      \
                                            lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,              \
                                            lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormlq");               \
    TW_API lapack_int tw_LAPACKE_##p##ormlq_work(int matrix_layout, char side, char trans, lapack_int m, lapack_int n, \
                                                 lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,         \
                                                 lapack_int ldc, T *work, lapack_int lwork)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormlq_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##orgqr(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,         \
                                            lapack_int lda, const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orgqr"); \
    TW_API lapack_int tw_LAPACKE_##p##orgqr_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,    \
                                                 lapack_int lda, const T *tau, T *work, lapack_int lwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orgqr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##orglq(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,         \
                                            lapack_int lda, const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orglq"); \
    TW_API lapack_int tw_LAPACKE_##p##orglq_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,    \
                                                 lapack_int lda, const T *tau, T *work, lapack_int lwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orglq_work");
#define TW_LAPACKE_COMPLEX_PROTOTYPES(p, T)                                                                            \
    TW_API lapack_int tw_LAPACKE_##p##unmqr(int matrix_layout, char side, char trans, lapack_int m, lapack_int n,      \
                                            lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,              \
                                            lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmqr");               \
    TW_API lapack_int tw_LAPACKE_##p##unmqr_work(int matrix_layout, char side, char trans, lapack_int m, lapack_int n, \
                                                 lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,         \
                                                 lapack_int ldc, T *work, lapack_int lwork)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmqr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##unmlq(int matrix_layout, char side, char trans, lapack_int m, lapack_int n,      \
                                            lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,              \
                                            lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmlq");               \
    TW_API lapack_int tw_LAPACKE_##p##unmlq_work(int matrix_layout, char side, char trans, lapack_int m, lapack_int n, \
                                                 lapack_int k, const T *a, lapack_int lda, const T *tau, T *c,         \
                                                 lapack_int ldc, T *work, lapack_int lwork)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmlq_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##ungqr(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,         \
                                            lapack_int lda, const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ungqr"); \
    TW_API lapack_int tw_LAPACKE_##p##ungqr_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,    \
                                                 lapack_int lda, const T *tau, T *work, lapack_int lwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ungqr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##unglq(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,         \
                                            lapack_int lda, const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unglq"); \
    TW_API lapack_int tw_LAPACKE_##p##unglq_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int k, T *a,    \
                                                 lapack_int lda, const T *tau, T *work, lapack_int lwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unglq_work");

#define TW_LAPACKE_MIXED_PROTOTYPES(p, T)                                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gesv(int matrix_layout, lapack_int n, lapack_int nrhs, T *a, lapack_int lda,     \
                                           lapack_int *ipiv, T *b, lapack_int ldb, T *x, lapack_int ldx,               \
                                           lapack_int *iter) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesv");               \
    TW_API lapack_int tw_LAPACKE_##p##posv(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, T *a,          \
                                           lapack_int lda, T *b, lapack_int ldb, T *x, lapack_int ldx,                 \
                                           lapack_int *iter) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "posv");
#define TW_LAPACKE_REAL_MIXED_PROTOTYPES(p, T, W)                                                                      \
    TW_API lapack_int tw_LAPACKE_##p##gesv_work(int matrix_layout, lapack_int n, lapack_int nrhs, T *a,                \
                                                lapack_int lda, lapack_int *ipiv, T *b, lapack_int ldb, T *x,          \
                                                lapack_int ldx, T *work, W *swork, lapack_int *iter)                   \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesv_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##posv_work(                                                                       \
        int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, T *a, lapack_int lda, T *b, lapack_int ldb, T *x, \
        lapack_int ldx, T *work, W *swork, lapack_int *iter) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "posv_work");
#define TW_LAPACKE_COMPLEX_MIXED_PROTOTYPES(p, T, W, R)                                                                \
    TW_API lapack_int tw_LAPACKE_##p##gesv_work(int matrix_layout, lapack_int n, lapack_int nrhs, T *a,                \
                                                lapack_int lda, lapack_int *ipiv, T *b, lapack_int ldb, T *x,          \
                                                lapack_int ldx, T *work, W *swork, R *rwork, lapack_int *iter)         \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesv_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##posv_work(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, T *a,     \
                                                lapack_int lda, T *b, lapack_int ldb, T *x, lapack_int ldx, T *work,   \
                                                W *swork, R *rwork, lapack_int *iter)                                  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "posv_work");

#define TW_LAPACKE_REAL_PIVOTED_PROTOTYPES(p, T, R)                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##geqp3_work(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,  \
                                                 lapack_int *jpvt, T *tau, T *work, lapack_int lwork)                  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geqp3_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gelsy_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a, \
                                                 lapack_int lda, T *b, lapack_int ldb, lapack_int *jpvt, R rcond,      \
                                                 lapack_int *rank, T *work, lapack_int lwork)                          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelsy_work");
#define TW_LAPACKE_COMPLEX_PIVOTED_PROTOTYPES(p, T, R)                                                                 \
    TW_API lapack_int tw_LAPACKE_##p##geqp3_work(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,  \
                                                 lapack_int *jpvt, T *tau, T *work, lapack_int lwork, R *rwork)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geqp3_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gelsy_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a, \
                                                 lapack_int lda, T *b, lapack_int ldb, lapack_int *jpvt, R rcond,      \
                                                 lapack_int *rank, T *work, lapack_int lwork, R *rwork)                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelsy_work");

/* The workspaces of the functions with _work are not used, but have to have LAPACK's least sizes. */
#define TW_LAPACKE_EIGEN_PROTOTYPES(p, T, R)                                                                           \
    TW_API lapack_int tw_LAPACKE_##p##stedc(int matrix_layout, char compz, lapack_int n, R *d, R *e, T *z,             \
                                            lapack_int ldz) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stedc");
#define TW_LAPACKE_REAL_EIGEN_PROTOTYPES(p, T)                                                                         \
    TW_API lapack_int tw_LAPACKE_##p##syevd(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,               \
                                            lapack_int lda, T *w) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevd");         \
    TW_API lapack_int tw_LAPACKE_##p##syevd_work(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,          \
                                                 lapack_int lda, T *w, T *work, lapack_int lwork, lapack_int *iwork,   \
                                                 lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevd_work");  \
    TW_API lapack_int tw_LAPACKE_##p##stedc_work(int matrix_layout, char compz, lapack_int n, T *d, T *e, T *z,        \
                                                 lapack_int ldz, T *work, lapack_int lwork, lapack_int *iwork,         \
                                                 lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stedc_work");  \
    TW_API lapack_int tw_LAPACKE_##p##stevd(int matrix_layout, char jobz, lapack_int n, T *d, T *e, T *z,              \
                                            lapack_int ldz) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stevd");               \
    TW_API lapack_int tw_LAPACKE_##p##stevd_work(int matrix_layout, char jobz, lapack_int n, T *d, T *e, T *z,         \
                                                 lapack_int ldz, T *work, lapack_int lwork, lapack_int *iwork,         \
                                                 lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stevd_work");  \
    TW_API lapack_int tw_LAPACKE_##p##sterf(lapack_int n, T *d, T *e) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sterf");     \
    TW_API lapack_int tw_LAPACKE_##p##sterf_work(lapack_int n, T *d, T *e)                                             \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sterf_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##stebz(char range, char order, lapack_int n, T vl, T vu, lapack_int il,           \
                                            lapack_int iu, T abstol, const T *d, const T *e, lapack_int *m,            \
                                            lapack_int *nsplit, T *w, lapack_int *iblock, lapack_int *isplit)          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stebz");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##stebz_work(                                                                      \
        char range, char order, lapack_int n, T vl, T vu, lapack_int il, lapack_int iu, T abstol, const T *d,          \
        const T *e, lapack_int *m, lapack_int *nsplit, T *w, lapack_int *iblock, lapack_int *isplit, T *work,          \
        lapack_int *iwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stebz_work");                                           \
    TW_API lapack_int tw_LAPACKE_##p##syevd_2stage(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,        \
                                                   lapack_int lda, T *w)                                               \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevd_2stage");                                                            \
    TW_API lapack_int tw_LAPACKE_##p##syevd_2stage_work(                                                               \
        int matrix_layout, char jobz, char uplo, lapack_int n, T *a, lapack_int lda, T *w, T *work, lapack_int lwork,  \
        lapack_int *iwork, lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevd_2stage_work");                 \
    TW_API lapack_int tw_LAPACKE_##p##syev(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,                \
                                           lapack_int lda, T *w) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syev");           \
    TW_API lapack_int tw_LAPACKE_##p##syev_work(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,           \
                                                lapack_int lda, T *w, T *work, lapack_int lwork)                       \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syev_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##syev_2stage(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,         \
                                                  lapack_int lda, T *w)                                                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syev_2stage");                                                             \
    TW_API lapack_int tw_LAPACKE_##p##syev_2stage_work(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,    \
                                                       lapack_int lda, T *w, T *work, lapack_int lwork)                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syev_2stage_work");                                                        \
    TW_API lapack_int tw_LAPACKE_##p##sygvd(int matrix_layout, lapack_int itype, char jobz, char uplo, lapack_int n,   \
                                            T *a, lapack_int lda, T *b, lapack_int ldb, T *w)                          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygvd");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##sygvd_work(int matrix_layout, lapack_int itype, char jobz, char uplo,            \
                                                 lapack_int n, T *a, lapack_int lda, T *b, lapack_int ldb, T *w,       \
                                                 T *work, lapack_int lwork, lapack_int *iwork, lapack_int liwork)      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygvd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##sygv(int matrix_layout, lapack_int itype, char jobz, char uplo, lapack_int n,    \
                                           T *a, lapack_int lda, T *b, lapack_int ldb, T *w)                           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygv");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##sygv_work(                                                                       \
        int matrix_layout, lapack_int itype, char jobz, char uplo, lapack_int n, T *a, lapack_int lda, T *b,           \
        lapack_int ldb, T *w, T *work, lapack_int lwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygv_work");              \
    TW_API lapack_int tw_LAPACKE_##p##sygst(int matrix_layout, lapack_int itype, char uplo, lapack_int n, T *a,        \
                                            lapack_int lda, const T *b, lapack_int ldb)                                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygst");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##sygst_work(int matrix_layout, lapack_int itype, char uplo, lapack_int n, T *a,   \
                                                 lapack_int lda, const T *b, lapack_int ldb)                           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygst_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##sygvx(                                                                           \
        int matrix_layout, lapack_int itype, char jobz, char range, char uplo, lapack_int n, T *a, lapack_int lda,     \
        T *b, lapack_int ldb, T vl, T vu, lapack_int il, lapack_int iu, T abstol, lapack_int *m, T *w, T *z,           \
        lapack_int ldz, lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygvx");                                \
    TW_API lapack_int tw_LAPACKE_##p##sygvx_work(                                                                      \
        int matrix_layout, lapack_int itype, char jobz, char range, char uplo, lapack_int n, T *a, lapack_int lda,     \
        T *b, lapack_int ldb, T vl, T vu, lapack_int il, lapack_int iu, T abstol, lapack_int *m, T *w, T *z,           \
        lapack_int ldz, T *work, lapack_int lwork, lapack_int *iwork, lapack_int *ifail)                               \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sygvx_work");
#define TW_LAPACKE_COMPLEX_EIGEN_PROTOTYPES(p, T, R)                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##heevd(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,               \
                                            lapack_int lda, R *w) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevd");         \
    TW_API lapack_int tw_LAPACKE_##p##heevd_work(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,          \
                                                 lapack_int lda, R *w, T *work, lapack_int lwork, R *rwork,            \
                                                 lapack_int lrwork, lapack_int *iwork, lapack_int liwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##stedc_work(int matrix_layout, char compz, lapack_int n, R *d, R *e, T *z,        \
                                                 lapack_int ldz, T *work, lapack_int lwork, R *rwork,                  \
                                                 lapack_int lrwork, lapack_int *iwork, lapack_int liwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stedc_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##heevd_2stage(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,        \
                                                   lapack_int lda, R *w)                                               \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevd_2stage");                                                            \
    TW_API lapack_int tw_LAPACKE_##p##heevd_2stage_work(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,   \
                                                        lapack_int lda, R *w, T *work, lapack_int lwork, R *rwork,     \
                                                        lapack_int lrwork, lapack_int *iwork, lapack_int liwork)       \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevd_2stage_work");                                                       \
    TW_API lapack_int tw_LAPACKE_##p##heev(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,                \
                                           lapack_int lda, R *w) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heev");           \
    TW_API lapack_int tw_LAPACKE_##p##heev_work(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,           \
                                                lapack_int lda, R *w, T *work, lapack_int lwork, R *rwork)             \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heev_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##heev_2stage(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,         \
                                                  lapack_int lda, R *w)                                                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heev_2stage");                                                             \
    TW_API lapack_int tw_LAPACKE_##p##heev_2stage_work(int matrix_layout, char jobz, char uplo, lapack_int n, T *a,    \
                                                       lapack_int lda, R *w, T *work, lapack_int lwork, R *rwork)      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heev_2stage_work");                                                        \
    TW_API lapack_int tw_LAPACKE_##p##hegvd(int matrix_layout, lapack_int itype, char jobz, char uplo, lapack_int n,   \
                                            T *a, lapack_int lda, T *b, lapack_int ldb, R *w)                          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegvd");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##hegvd_work(                                                                      \
        int matrix_layout, lapack_int itype, char jobz, char uplo, lapack_int n, T *a, lapack_int lda, T *b,           \
        lapack_int ldb, R *w, T *work, lapack_int lwork, R *rwork, lapack_int lrwork, lapack_int *iwork,               \
        lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegvd_work");                                           \
    TW_API lapack_int tw_LAPACKE_##p##hegv(int matrix_layout, lapack_int itype, char jobz, char uplo, lapack_int n,    \
                                           T *a, lapack_int lda, T *b, lapack_int ldb, R *w)                           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegv");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##hegv_work(                                                                       \
        int matrix_layout, lapack_int itype, char jobz, char uplo, lapack_int n, T *a, lapack_int lda, T *b,           \
        lapack_int ldb, R *w, T *work, lapack_int lwork, R *rwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegv_work");    \
    TW_API lapack_int tw_LAPACKE_##p##hegst(int matrix_layout, lapack_int itype, char uplo, lapack_int n, T *a,        \
                                            lapack_int lda, const T *b, lapack_int ldb)                                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegst");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##hegst_work(int matrix_layout, lapack_int itype, char uplo, lapack_int n, T *a,   \
                                                 lapack_int lda, const T *b, lapack_int ldb)                           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegst_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##hegvx(                                                                           \
        int matrix_layout, lapack_int itype, char jobz, char range, char uplo, lapack_int n, T *a, lapack_int lda,     \
        T *b, lapack_int ldb, R vl, R vu, lapack_int il, lapack_int iu, R abstol, lapack_int *m, R *w, T *z,           \
        lapack_int ldz, lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegvx");                                \
    TW_API lapack_int tw_LAPACKE_##p##hegvx_work(                                                                      \
        int matrix_layout, lapack_int itype, char jobz, char range, char uplo, lapack_int n, T *a, lapack_int lda,     \
        T *b, lapack_int ldb, R vl, R vu, lapack_int il, lapack_int iu, R abstol, lapack_int *m, R *w, T *z,           \
        lapack_int ldz, T *work, lapack_int lwork, R *rwork, lapack_int *iwork, lapack_int *ifail)                     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hegvx_work");

TW_LAPACKE_REAL_PIVOTED_PROTOTYPES(s, float, float)
TW_LAPACKE_REAL_PIVOTED_PROTOTYPES(d, double, double)
TW_LAPACKE_COMPLEX_PIVOTED_PROTOTYPES(c, lapack_complex_float, float)
TW_LAPACKE_COMPLEX_PIVOTED_PROTOTYPES(z, lapack_complex_double, double)
TW_LAPACKE_MIXED_PROTOTYPES(ds, double)
TW_LAPACKE_MIXED_PROTOTYPES(zc, lapack_complex_double)
TW_LAPACKE_REAL_MIXED_PROTOTYPES(ds, double, float)
TW_LAPACKE_COMPLEX_MIXED_PROTOTYPES(zc, lapack_complex_double, lapack_complex_float, double)
#define TW_LAPACKE_REAL_RANGE_PROTOTYPES(p, T)                                                                         \
    TW_API lapack_int tw_LAPACKE_##p##orgbr(int matrix_layout, char vect, lapack_int m, lapack_int n, lapack_int k,    \
                                            T *a, lapack_int lda, const T *tau)                                        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orgbr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##orgbr_work(int matrix_layout, char vect, lapack_int m, lapack_int n,             \
                                                 lapack_int k, T *a, lapack_int lda, const T *tau, T *work,            \
                                                 lapack_int lwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orgbr_work");   \
    TW_API lapack_int tw_LAPACKE_##p##ormbr(int matrix_layout, char vect, char side, char trans, lapack_int m,         \
                                            lapack_int n, lapack_int k, const T *a, lapack_int lda, const T *tau,      \
                                            T *c, lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormbr");         \
    TW_API lapack_int tw_LAPACKE_##p##ormbr_work(int matrix_layout, char vect, char side, char trans, lapack_int m,    \
                                                 lapack_int n, lapack_int k, const T *a, lapack_int lda, const T *tau, \
                                                 T *c, lapack_int ldc, T *work, lapack_int lwork)                      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormbr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##sytrd(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda, T *d,    \
                                            T *e, T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sytrd");                 \
    TW_API lapack_int tw_LAPACKE_##p##sytrd_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda,     \
                                                 T *d, T *e, T *tau, T *work, lapack_int lwork)                        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sytrd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##orghr(int matrix_layout, lapack_int n, lapack_int ilo, lapack_int ihi, T *a,     \
                                            lapack_int lda, const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orghr"); \
    TW_API lapack_int tw_LAPACKE_##p##orghr_work(int matrix_layout, lapack_int n, lapack_int ilo, lapack_int ihi,      \
                                                 T *a, lapack_int lda, const T *tau, T *work, lapack_int lwork)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orghr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##ormhr(int matrix_layout, char side, char trans, lapack_int m, lapack_int n,      \
                                            lapack_int ilo, lapack_int ihi, const T *a, lapack_int lda, const T *tau,  \
                                            T *c, lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormhr");         \
    TW_API lapack_int tw_LAPACKE_##p##ormhr_work(int matrix_layout, char side, char trans, lapack_int m, lapack_int n, \
                                                 lapack_int ilo, lapack_int ihi, const T *a, lapack_int lda,           \
                                                 const T *tau, T *c, lapack_int ldc, T *work, lapack_int lwork)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormhr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##orgtr(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda,          \
                                            const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orgtr");                 \
    TW_API lapack_int tw_LAPACKE_##p##orgtr_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda,     \
                                                 const T *tau, T *work, lapack_int lwork)                              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "orgtr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##ormtr(int matrix_layout, char side, char uplo, char trans, lapack_int m,         \
                                            lapack_int n, const T *a, lapack_int lda, const T *tau, T *c,              \
                                            lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormtr");               \
    TW_API lapack_int tw_LAPACKE_##p##ormtr_work(int matrix_layout, char side, char uplo, char trans, lapack_int m,    \
                                                 lapack_int n, const T *a, lapack_int lda, const T *tau, T *c,         \
                                                 lapack_int ldc, T *work, lapack_int lwork)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ormtr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##syevr(int matrix_layout, char jobz, char range, char uplo, lapack_int n, T *a,   \
                                            lapack_int lda, T vl, T vu, lapack_int il, lapack_int iu, T abstol,        \
                                            lapack_int *m, T *w, T *z, lapack_int ldz, lapack_int *isuppz)             \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##syevr_work(int matrix_layout, char jobz, char range, char uplo, lapack_int n,    \
                                                 T *a, lapack_int lda, T vl, T vu, lapack_int il, lapack_int iu,       \
                                                 T abstol, lapack_int *m, T *w, T *z, lapack_int ldz,                  \
                                                 lapack_int *isuppz, T *work, lapack_int lwork, lapack_int *iwork,     \
                                                 lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevr_work");  \
    TW_API lapack_int tw_LAPACKE_##p##syevx(int matrix_layout, char jobz, char range, char uplo, lapack_int n, T *a,   \
                                            lapack_int lda, T vl, T vu, lapack_int il, lapack_int iu, T abstol,        \
                                            lapack_int *m, T *w, T *z, lapack_int ldz, lapack_int *ifail)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevx");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##syevx_work(                                                                      \
        int matrix_layout, char jobz, char range, char uplo, lapack_int n, T *a, lapack_int lda, T vl, T vu,           \
        lapack_int il, lapack_int iu, T abstol, lapack_int *m, T *w, T *z, lapack_int ldz, T *work, lapack_int lwork,  \
        lapack_int *iwork, lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "syevx_work");                        \
    TW_API lapack_int tw_LAPACKE_##p##stevr(int matrix_layout, char jobz, char range, lapack_int n, T *d, T *e, T vl,  \
                                            T vu, lapack_int il, lapack_int iu, T abstol, lapack_int *m, T *w, T *z,   \
                                            lapack_int ldz, lapack_int *isuppz)                                        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stevr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##stevr_work(                                                                      \
        int matrix_layout, char jobz, char range, lapack_int n, T *d, T *e, T vl, T vu, lapack_int il, lapack_int iu,  \
        T abstol, lapack_int *m, T *w, T *z, lapack_int ldz, lapack_int *isuppz, T *work, lapack_int lwork,            \
        lapack_int *iwork, lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stevr_work");                        \
    TW_API lapack_int tw_LAPACKE_##p##stevx(int matrix_layout, char jobz, char range, lapack_int n, T *d, T *e, T vl,  \
                                            T vu, lapack_int il, lapack_int iu, T abstol, lapack_int *m, T *w, T *z,   \
                                            lapack_int ldz, lapack_int *ifail)                                         \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stevx");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##stevx_work(int matrix_layout, char jobz, char range, lapack_int n, T *d, T *e,   \
                                                 T vl, T vu, lapack_int il, lapack_int iu, T abstol, lapack_int *m,    \
                                                 T *w, T *z, lapack_int ldz, T *work, lapack_int *iwork,               \
                                                 lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "stevx_work");  \
    TW_API lapack_int tw_LAPACKE_##p##sbevd(int matrix_layout, char jobz, char uplo, lapack_int n, lapack_int kd,      \
                                            T *ab, lapack_int ldab, T *w, T *z, lapack_int ldz)                        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sbevd");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##sbevd_work(int matrix_layout, char jobz, char uplo, lapack_int n, lapack_int kd, \
                                                 T *ab, lapack_int ldab, T *w, T *z, lapack_int ldz, T *work,          \
                                                 lapack_int lwork, lapack_int *iwork, lapack_int liwork)               \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sbevd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##sbevx(                                                                           \
        int matrix_layout, char jobz, char range, char uplo, lapack_int n, lapack_int kd, T *ab, lapack_int ldab,      \
        T *q, lapack_int ldq, T vl, T vu, lapack_int il, lapack_int iu, T abstol, lapack_int *m, T *w, T *z,           \
        lapack_int ldz, lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sbevx");                                \
    TW_API lapack_int tw_LAPACKE_##p##sbevx_work(int matrix_layout, char jobz, char range, char uplo, lapack_int n,    \
                                                 lapack_int kd, T *ab, lapack_int ldab, T *q, lapack_int ldq, T vl,    \
                                                 T vu, lapack_int il, lapack_int iu, T abstol, lapack_int *m, T *w,    \
                                                 T *z, lapack_int ldz, T *work, lapack_int *iwork, lapack_int *ifail)  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "sbevx_work");
#define TW_LAPACKE_COMPLEX_RANGE_PROTOTYPES(p, T, R)                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##ungbr(int matrix_layout, char vect, lapack_int m, lapack_int n, lapack_int k,    \
                                            T *a, lapack_int lda, const T *tau)                                        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ungbr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##ungbr_work(int matrix_layout, char vect, lapack_int m, lapack_int n,             \
                                                 lapack_int k, T *a, lapack_int lda, const T *tau, T *work,            \
                                                 lapack_int lwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ungbr_work");   \
    TW_API lapack_int tw_LAPACKE_##p##unmbr(int matrix_layout, char vect, char side, char trans, lapack_int m,         \
                                            lapack_int n, lapack_int k, const T *a, lapack_int lda, const T *tau,      \
                                            T *c, lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmbr");         \
    TW_API lapack_int tw_LAPACKE_##p##unmbr_work(int matrix_layout, char vect, char side, char trans, lapack_int m,    \
                                                 lapack_int n, lapack_int k, const T *a, lapack_int lda, const T *tau, \
                                                 T *c, lapack_int ldc, T *work, lapack_int lwork)                      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmbr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##hetrd(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda, R *d,    \
                                            R *e, T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hetrd");                 \
    TW_API lapack_int tw_LAPACKE_##p##hetrd_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda,     \
                                                 R *d, R *e, T *tau, T *work, lapack_int lwork)                        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hetrd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##unghr(int matrix_layout, lapack_int n, lapack_int ilo, lapack_int ihi, T *a,     \
                                            lapack_int lda, const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unghr"); \
    TW_API lapack_int tw_LAPACKE_##p##unghr_work(int matrix_layout, lapack_int n, lapack_int ilo, lapack_int ihi,      \
                                                 T *a, lapack_int lda, const T *tau, T *work, lapack_int lwork)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unghr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##unmhr(int matrix_layout, char side, char trans, lapack_int m, lapack_int n,      \
                                            lapack_int ilo, lapack_int ihi, const T *a, lapack_int lda, const T *tau,  \
                                            T *c, lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmhr");         \
    TW_API lapack_int tw_LAPACKE_##p##unmhr_work(int matrix_layout, char side, char trans, lapack_int m, lapack_int n, \
                                                 lapack_int ilo, lapack_int ihi, const T *a, lapack_int lda,           \
                                                 const T *tau, T *c, lapack_int ldc, T *work, lapack_int lwork)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmhr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##ungtr(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda,          \
                                            const T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ungtr");                 \
    TW_API lapack_int tw_LAPACKE_##p##ungtr_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda,     \
                                                 const T *tau, T *work, lapack_int lwork)                              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "ungtr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##unmtr(int matrix_layout, char side, char uplo, char trans, lapack_int m,         \
                                            lapack_int n, const T *a, lapack_int lda, const T *tau, T *c,              \
                                            lapack_int ldc) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmtr");               \
    TW_API lapack_int tw_LAPACKE_##p##unmtr_work(int matrix_layout, char side, char uplo, char trans, lapack_int m,    \
                                                 lapack_int n, const T *a, lapack_int lda, const T *tau, T *c,         \
                                                 lapack_int ldc, T *work, lapack_int lwork)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "unmtr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##heevr(int matrix_layout, char jobz, char range, char uplo, lapack_int n, T *a,   \
                                            lapack_int lda, R vl, R vu, lapack_int il, lapack_int iu, R abstol,        \
                                            lapack_int *m, R *w, T *z, lapack_int ldz, lapack_int *isuppz)             \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##heevr_work(                                                                      \
        int matrix_layout, char jobz, char range, char uplo, lapack_int n, T *a, lapack_int lda, R vl, R vu,           \
        lapack_int il, lapack_int iu, R abstol, lapack_int *m, R *w, T *z, lapack_int ldz, lapack_int *isuppz,         \
        T *work, lapack_int lwork, R *rwork, lapack_int lrwork, lapack_int *iwork, lapack_int liwork)                  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##heevx(int matrix_layout, char jobz, char range, char uplo, lapack_int n, T *a,   \
                                            lapack_int lda, R vl, R vu, lapack_int il, lapack_int iu, R abstol,        \
                                            lapack_int *m, R *w, T *z, lapack_int ldz, lapack_int *ifail)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevx");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##heevx_work(                                                                      \
        int matrix_layout, char jobz, char range, char uplo, lapack_int n, T *a, lapack_int lda, R vl, R vu,           \
        lapack_int il, lapack_int iu, R abstol, lapack_int *m, R *w, T *z, lapack_int ldz, T *work, lapack_int lwork,  \
        R *rwork, lapack_int *iwork, lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "heevx_work");              \
    TW_API lapack_int tw_LAPACKE_##p##hbevd(int matrix_layout, char jobz, char uplo, lapack_int n, lapack_int kd,      \
                                            T *ab, lapack_int ldab, R *w, T *z, lapack_int ldz)                        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hbevd");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##hbevd_work(int matrix_layout, char jobz, char uplo, lapack_int n, lapack_int kd, \
                                                 T *ab, lapack_int ldab, R *w, T *z, lapack_int ldz, T *work,          \
                                                 lapack_int lwork, R *rwork, lapack_int lrwork, lapack_int *iwork,     \
                                                 lapack_int liwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hbevd_work");  \
    TW_API lapack_int tw_LAPACKE_##p##hbevx(                                                                           \
        int matrix_layout, char jobz, char range, char uplo, lapack_int n, lapack_int kd, T *ab, lapack_int ldab,      \
        T *q, lapack_int ldq, R vl, R vu, lapack_int il, lapack_int iu, R abstol, lapack_int *m, R *w, T *z,           \
        lapack_int ldz, lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hbevx");                                \
    TW_API lapack_int tw_LAPACKE_##p##hbevx_work(int matrix_layout, char jobz, char range, char uplo, lapack_int n,    \
                                                 lapack_int kd, T *ab, lapack_int ldab, T *q, lapack_int ldq, R vl,    \
                                                 R vu, lapack_int il, lapack_int iu, R abstol, lapack_int *m, R *w,    \
                                                 T *z, lapack_int ldz, T *work, R *rwork, lapack_int *iwork,           \
                                                 lapack_int *ifail) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hbevx_work");

TW_LAPACKE_REAL_RANGE_PROTOTYPES(s, float)
TW_LAPACKE_REAL_RANGE_PROTOTYPES(d, double)
TW_LAPACKE_COMPLEX_RANGE_PROTOTYPES(c, lapack_complex_float, float)
TW_LAPACKE_COMPLEX_RANGE_PROTOTYPES(z, lapack_complex_double, double)
#define TW_LAPACKE_SVD_PROTOTYPES(p, T, R)                                                                             \
    TW_API lapack_int tw_LAPACKE_##p##gebrd(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda, R *d, \
                                            R *e, T *tauq, T *taup) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gebrd");       \
    TW_API lapack_int tw_LAPACKE_##p##gebrd_work(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,  \
                                                 R *d, R *e, T *tauq, T *taup, T *work, lapack_int lwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gebrd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gehrd(int matrix_layout, lapack_int n, lapack_int ilo, lapack_int ihi, T *a,     \
                                            lapack_int lda, T *tau) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gehrd");       \
    TW_API lapack_int tw_LAPACKE_##p##gehrd_work(int matrix_layout, lapack_int n, lapack_int ilo, lapack_int ihi,      \
                                                 T *a, lapack_int lda, T *tau, T *work, lapack_int lwork)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gehrd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gelss(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a,      \
                                            lapack_int lda, T *b, lapack_int ldb, R *s, R rcond, lapack_int *rank)     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelss");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##gelsd(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a,      \
                                            lapack_int lda, T *b, lapack_int ldb, R *s, R rcond, lapack_int *rank)     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelsd");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##gesvd(int matrix_layout, char jobu, char jobvt, lapack_int m, lapack_int n,      \
                                            T *a, lapack_int lda, R *s, T *u, lapack_int ldu, T *vt, lapack_int ldvt,  \
                                            R *superb) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvd");                    \
    TW_API lapack_int tw_LAPACKE_##p##gesvdx(                                                                          \
        int matrix_layout, char jobu, char jobvt, char range, lapack_int m, lapack_int n, T *a, lapack_int lda, R vl,  \
        R vu, lapack_int il, lapack_int iu, lapack_int *ns, R *s, T *u, lapack_int ldu, T *vt, lapack_int ldvt,        \
        lapack_int *superb) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvdx");                                              \
    TW_API lapack_int tw_LAPACKE_##p##gesdd(int matrix_layout, char jobz, lapack_int m, lapack_int n, T *a,            \
                                            lapack_int lda, R *s, T *u, lapack_int ldu, T *vt, lapack_int ldvt)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesdd");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##bdsqr(int matrix_layout, char uplo, lapack_int n, lapack_int ncvt,               \
                                            lapack_int nru, lapack_int ncc, R *d, R *e, T *vt, lapack_int ldvt, T *u,  \
                                            lapack_int ldu, T *c, lapack_int ldc)                                      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "bdsqr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##bdsqr_work(int matrix_layout, char uplo, lapack_int n, lapack_int ncvt,          \
                                                 lapack_int nru, lapack_int ncc, R *d, R *e, T *vt, lapack_int ldvt,   \
                                                 T *u, lapack_int ldu, T *c, lapack_int ldc, R *work)                  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "bdsqr_work");
#define TW_LAPACKE_REAL_SVD_PROTOTYPES(p, T, R)                                                                        \
    TW_API lapack_int tw_LAPACKE_##p##geev(int matrix_layout, char jobvl, char jobvr, lapack_int n, T *a,              \
                                           lapack_int lda, T *wr, T *wi, T *vl, lapack_int ldvl, T *vr,                \
                                           lapack_int ldvr) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geev");                \
    TW_API lapack_int tw_LAPACKE_##p##geev_work(int matrix_layout, char jobvl, char jobvr, lapack_int n, T *a,         \
                                                lapack_int lda, T *wr, T *wi, T *vl, lapack_int ldvl, T *vr,           \
                                                lapack_int ldvr, T *work, lapack_int lwork)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geev_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##gelss_work(                                                                      \
        int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a, lapack_int lda, T *b, lapack_int ldb,    \
        R *s, R rcond, lapack_int *rank, T *work, lapack_int lwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelss_work");  \
    TW_API lapack_int tw_LAPACKE_##p##bdsdc(int matrix_layout, char uplo, char compq, lapack_int n, T *d, T *e, T *u,  \
                                            lapack_int ldu, T *vt, lapack_int ldvt, T *q, lapack_int *iq)              \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "bdsdc");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##bdsdc_work(int matrix_layout, char uplo, char compq, lapack_int n, T *d, T *e,   \
                                                 T *u, lapack_int ldu, T *vt, lapack_int ldvt, T *q, lapack_int *iq,   \
                                                 T *work, lapack_int *iwork)                                           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "bdsdc_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gelsd_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a, \
                                                 lapack_int lda, T *b, lapack_int ldb, R *s, R rcond,                  \
                                                 lapack_int *rank, T *work, lapack_int lwork, lapack_int *iwork)       \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelsd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##bdsvdx(int matrix_layout, char uplo, char jobz, char range, lapack_int n, T *d,  \
                                             T *e, T vl, T vu, lapack_int il, lapack_int iu, lapack_int *ns, T *s,     \
                                             T *z, lapack_int ldz, lapack_int *superb)                                 \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "bdsvdx");                                                                  \
    TW_API lapack_int tw_LAPACKE_##p##bdsvdx_work(                                                                     \
        int matrix_layout, char uplo, char jobz, char range, lapack_int n, T *d, T *e, T vl, T vu, lapack_int il,      \
        lapack_int iu, lapack_int *ns, T *s, T *z, lapack_int ldz, T *work, lapack_int *iwork)                         \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "bdsvdx_work");                                                             \
    TW_API lapack_int tw_LAPACKE_##p##gesvdx_work(                                                                     \
        int matrix_layout, char jobu, char jobvt, char range, lapack_int m, lapack_int n, T *a, lapack_int lda, R vl,  \
        R vu, lapack_int il, lapack_int iu, lapack_int *ns, R *s, T *u, lapack_int ldu, T *vt, lapack_int ldvt,        \
        T *work, lapack_int lwork, lapack_int *iwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvdx_work");               \
    TW_API lapack_int tw_LAPACKE_##p##gesvd_work(int matrix_layout, char jobu, char jobvt, lapack_int m, lapack_int n, \
                                                 T *a, lapack_int lda, R *s, T *u, lapack_int ldu, T *vt,              \
                                                 lapack_int ldvt, T *work, lapack_int lwork)                           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gesdd_work(int matrix_layout, char jobz, lapack_int m, lapack_int n, T *a,       \
                                                 lapack_int lda, R *s, T *u, lapack_int ldu, T *vt, lapack_int ldvt,   \
                                                 T *work, lapack_int lwork, lapack_int *iwork)                         \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesdd_work");
#define TW_LAPACKE_COMPLEX_SVD_PROTOTYPES(p, T, R)                                                                     \
    TW_API lapack_int tw_LAPACKE_##p##geev(int matrix_layout, char jobvl, char jobvr, lapack_int n, T *a,              \
                                           lapack_int lda, T *w, T *vl, lapack_int ldvl, T *vr, lapack_int ldvr)       \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geev");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##geev_work(                                                                       \
        int matrix_layout, char jobvl, char jobvr, lapack_int n, T *a, lapack_int lda, T *w, T *vl, lapack_int ldvl,   \
        T *vr, lapack_int ldvr, T *work, lapack_int lwork, R *rwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geev_work");  \
    TW_API lapack_int tw_LAPACKE_##p##gelss_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a, \
                                                 lapack_int lda, T *b, lapack_int ldb, R *s, R rcond,                  \
                                                 lapack_int *rank, T *work, lapack_int lwork, R *rwork)                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelss_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gelsd_work(int matrix_layout, lapack_int m, lapack_int n, lapack_int nrhs, T *a, \
                                                 lapack_int lda, T *b, lapack_int ldb, R *s, R rcond,                  \
                                                 lapack_int *rank, T *work, lapack_int lwork, R *rwork,                \
                                                 lapack_int *iwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gelsd_work");  \
    TW_API lapack_int tw_LAPACKE_##p##gesvdx_work(                                                                     \
        int matrix_layout, char jobu, char jobvt, char range, lapack_int m, lapack_int n, T *a, lapack_int lda, R vl,  \
        R vu, lapack_int il, lapack_int iu, lapack_int *ns, R *s, T *u, lapack_int ldu, T *vt, lapack_int ldvt,        \
        T *work, lapack_int lwork, R *rwork, lapack_int *iwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvdx_work");     \
    TW_API lapack_int tw_LAPACKE_##p##gesvd_work(int matrix_layout, char jobu, char jobvt, lapack_int m, lapack_int n, \
                                                 T *a, lapack_int lda, R *s, T *u, lapack_int ldu, T *vt,              \
                                                 lapack_int ldvt, T *work, lapack_int lwork, R *rwork)                 \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesvd_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gesdd_work(int matrix_layout, char jobz, lapack_int m, lapack_int n, T *a,       \
                                                 lapack_int lda, R *s, T *u, lapack_int ldu, T *vt, lapack_int ldvt,   \
                                                 T *work, lapack_int lwork, R *rwork, lapack_int *iwork)               \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gesdd_work");
/* LAPACKE's types of select, LAPACK_S_SELECT2 and so on, under names of their own. */
typedef lapack_int (*tw_lapacke_s_select_fn)(const float *wr, const float *wi);
typedef lapack_int (*tw_lapacke_d_select_fn)(const double *wr, const double *wi);
typedef lapack_int (*tw_lapacke_c_select_fn)(const lapack_complex_float *w);
typedef lapack_int (*tw_lapacke_z_select_fn)(const lapack_complex_double *w);
#define TW_LAPACKE_REAL_SCHUR_PROTOTYPES(p, T, S)                                                                      \
    TW_API lapack_int tw_LAPACKE_##p##hseqr(int matrix_layout, char job, char compz, lapack_int n, lapack_int ilo,     \
                                            lapack_int ihi, T *h, lapack_int ldh, T *wr, T *wi, T *z, lapack_int ldz)  \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hseqr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##hseqr_work(int matrix_layout, char job, char compz, lapack_int n,                \
                                                 lapack_int ilo, lapack_int ihi, T *h, lapack_int ldh, T *wr, T *wi,   \
                                                 T *z, lapack_int ldz, T *work, lapack_int lwork)                      \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hseqr_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##trevc3(int matrix_layout, char side, char howmny, lapack_int *select,            \
                                             lapack_int n, const T *t, lapack_int ldt, T *vl, lapack_int ldvl, T *vr,  \
                                             lapack_int ldvr, lapack_int mm, lapack_int *m)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trevc3");                                                                  \
    TW_API lapack_int tw_LAPACKE_##p##trevc3_work(int matrix_layout, char side, char howmny, lapack_int *select,       \
                                                  lapack_int n, const T *t, lapack_int ldt, T *vl, lapack_int ldvl,    \
                                                  T *vr, lapack_int ldvr, lapack_int mm, lapack_int *m, T *work,       \
                                                  lapack_int lwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trevc3_work"); \
    TW_API lapack_int tw_LAPACKE_##p##geevx(                                                                           \
        int matrix_layout, char balanc, char jobvl, char jobvr, char sense, lapack_int n, T *a, lapack_int lda, T *wr, \
        T *wi, T *vl, lapack_int ldvl, T *vr, lapack_int ldvr, lapack_int *ilo, lapack_int *ihi, T *scale, T *abnrm,   \
        T *rconde, T *rcondv) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geevx");                                             \
    TW_API lapack_int tw_LAPACKE_##p##geevx_work(                                                                      \
        int matrix_layout, char balanc, char jobvl, char jobvr, char sense, lapack_int n, T *a, lapack_int lda, T *wr, \
        T *wi, T *vl, lapack_int ldvl, T *vr, lapack_int ldvr, lapack_int *ilo, lapack_int *ihi, T *scale, T *abnrm,   \
        T *rconde, T *rcondv, T *work, lapack_int lwork, lapack_int *iwork)                                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geevx_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gees(int matrix_layout, char jobvs, char sort, S select, lapack_int n, T *a,     \
                                           lapack_int lda, lapack_int *sdim, T *wr, T *wi, T *vs, lapack_int ldvs)     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gees");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##gees_work(int matrix_layout, char jobvs, char sort, S select, lapack_int n,      \
                                                T *a, lapack_int lda, lapack_int *sdim, T *wr, T *wi, T *vs,           \
                                                lapack_int ldvs, T *work, lapack_int lwork, lapack_int *bwork)         \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gees_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##geesx(int matrix_layout, char jobvs, char sort, S select, char sense,            \
                                            lapack_int n, T *a, lapack_int lda, lapack_int *sdim, T *wr, T *wi, T *vs, \
                                            lapack_int ldvs, T *rconde, T *rcondv)                                     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geesx");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##geesx_work(                                                                      \
        int matrix_layout, char jobvs, char sort, S select, char sense, lapack_int n, T *a, lapack_int lda,            \
        lapack_int *sdim, T *wr, T *wi, T *vs, lapack_int ldvs, T *rconde, T *rcondv, T *work, lapack_int lwork,       \
        lapack_int *iwork, lapack_int liwork, lapack_int *bwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geesx_work");
#define TW_LAPACKE_COMPLEX_SCHUR_PROTOTYPES(p, T, R, S)                                                                \
    TW_API lapack_int tw_LAPACKE_##p##hseqr(int matrix_layout, char job, char compz, lapack_int n, lapack_int ilo,     \
                                            lapack_int ihi, T *h, lapack_int ldh, T *w, T *z, lapack_int ldz)          \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hseqr");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##hseqr_work(                                                                      \
        int matrix_layout, char job, char compz, lapack_int n, lapack_int ilo, lapack_int ihi, T *h, lapack_int ldh,   \
        T *w, T *z, lapack_int ldz, T *work, lapack_int lwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "hseqr_work");       \
    TW_API lapack_int tw_LAPACKE_##p##trevc3(int matrix_layout, char side, char howmny, lapack_int *select,            \
                                             lapack_int n, T *t, lapack_int ldt, T *vl, lapack_int ldvl, T *vr,        \
                                             lapack_int ldvr, lapack_int mm, lapack_int *m)                            \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trevc3");                                                                  \
    TW_API lapack_int tw_LAPACKE_##p##trevc3_work(                                                                     \
        int matrix_layout, char side, char howmny, lapack_int *select, lapack_int n, T *t, lapack_int ldt, T *vl,      \
        lapack_int ldvl, T *vr, lapack_int ldvr, lapack_int mm, lapack_int *m, T *work, lapack_int lwork, R *rwork,    \
        lapack_int lrwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "trevc3_work");                                          \
    TW_API lapack_int tw_LAPACKE_##p##geevx(int matrix_layout, char balanc, char jobvl, char jobvr, char sense,        \
                                            lapack_int n, T *a, lapack_int lda, T *w, T *vl, lapack_int ldvl, T *vr,   \
                                            lapack_int ldvr, lapack_int *ilo, lapack_int *ihi, R *scale, R *abnrm,     \
                                            R *rconde, R *rcondv) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geevx");         \
    TW_API lapack_int tw_LAPACKE_##p##geevx_work(                                                                      \
        int matrix_layout, char balanc, char jobvl, char jobvr, char sense, lapack_int n, T *a, lapack_int lda, T *w,  \
        T *vl, lapack_int ldvl, T *vr, lapack_int ldvr, lapack_int *ilo, lapack_int *ihi, R *scale, R *abnrm,          \
        R *rconde, R *rcondv, T *work, lapack_int lwork, R *rwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geevx_work");   \
    TW_API lapack_int tw_LAPACKE_##p##gees(int matrix_layout, char jobvs, char sort, S select, lapack_int n, T *a,     \
                                           lapack_int lda, lapack_int *sdim, T *w, T *vs, lapack_int ldvs)             \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gees");                                                                    \
    TW_API lapack_int tw_LAPACKE_##p##gees_work(int matrix_layout, char jobvs, char sort, S select, lapack_int n,      \
                                                T *a, lapack_int lda, lapack_int *sdim, T *w, T *vs, lapack_int ldvs,  \
                                                T *work, lapack_int lwork, R *rwork, lapack_int *bwork)                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gees_work");                                                               \
    TW_API lapack_int tw_LAPACKE_##p##geesx(int matrix_layout, char jobvs, char sort, S select, char sense,            \
                                            lapack_int n, T *a, lapack_int lda, lapack_int *sdim, T *w, T *vs,         \
                                            lapack_int ldvs, R *rconde, R *rcondv)                                     \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geesx");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##geesx_work(                                                                      \
        int matrix_layout, char jobvs, char sort, S select, char sense, lapack_int n, T *a, lapack_int lda,            \
        lapack_int *sdim, T *w, T *vs, lapack_int ldvs, R *rconde, R *rcondv, T *work, lapack_int lwork, R *rwork,     \
        lapack_int *bwork) TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "geesx_work");
#define TW_LAPACKE_BALANCE_PROTOTYPES(p, T, R)                                                                         \
    TW_API lapack_int tw_LAPACKE_##p##gebal(int matrix_layout, char job, lapack_int n, T *a, lapack_int lda,           \
                                            lapack_int *ilo, lapack_int *ihi, R *scale)                                \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gebal");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##gebal_work(int matrix_layout, char job, lapack_int n, T *a, lapack_int lda,      \
                                                 lapack_int *ilo, lapack_int *ihi, R *scale)                           \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gebal_work");                                                              \
    TW_API lapack_int tw_LAPACKE_##p##gebak(int matrix_layout, char job, char side, lapack_int n, lapack_int ilo,      \
                                            lapack_int ihi, const R *scale, lapack_int m, T *v, lapack_int ldv)        \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gebak");                                                                   \
    TW_API lapack_int tw_LAPACKE_##p##gebak_work(int matrix_layout, char job, char side, lapack_int n, lapack_int ilo, \
                                                 lapack_int ihi, const R *scale, lapack_int m, T *v, lapack_int ldv)   \
        TW_LAPACKE_SYMBOL("tw_LAPACKE_" #p "gebak_work");

TW_LAPACKE_BALANCE_PROTOTYPES(s, float, float)
TW_LAPACKE_BALANCE_PROTOTYPES(d, double, double)
TW_LAPACKE_BALANCE_PROTOTYPES(c, lapack_complex_float, float)
TW_LAPACKE_BALANCE_PROTOTYPES(z, lapack_complex_double, double)
TW_LAPACKE_REAL_SCHUR_PROTOTYPES(s, float, tw_lapacke_s_select_fn)
TW_LAPACKE_REAL_SCHUR_PROTOTYPES(d, double, tw_lapacke_d_select_fn)
TW_LAPACKE_COMPLEX_SCHUR_PROTOTYPES(c, lapack_complex_float, float, tw_lapacke_c_select_fn)
TW_LAPACKE_COMPLEX_SCHUR_PROTOTYPES(z, lapack_complex_double, double, tw_lapacke_z_select_fn)
TW_LAPACKE_SVD_PROTOTYPES(s, float, float)
TW_LAPACKE_SVD_PROTOTYPES(d, double, double)
TW_LAPACKE_SVD_PROTOTYPES(c, lapack_complex_float, float)
TW_LAPACKE_SVD_PROTOTYPES(z, lapack_complex_double, double)
TW_LAPACKE_REAL_SVD_PROTOTYPES(s, float, float)
TW_LAPACKE_REAL_SVD_PROTOTYPES(d, double, double)
TW_LAPACKE_COMPLEX_SVD_PROTOTYPES(c, lapack_complex_float, float)
TW_LAPACKE_COMPLEX_SVD_PROTOTYPES(z, lapack_complex_double, double)
TW_LAPACKE_EIGEN_PROTOTYPES(s, float, float)
TW_LAPACKE_EIGEN_PROTOTYPES(d, double, double)
TW_LAPACKE_EIGEN_PROTOTYPES(c, lapack_complex_float, float)
TW_LAPACKE_EIGEN_PROTOTYPES(z, lapack_complex_double, double)
TW_LAPACKE_REAL_EIGEN_PROTOTYPES(s, float)
TW_LAPACKE_REAL_EIGEN_PROTOTYPES(d, double)
TW_LAPACKE_COMPLEX_EIGEN_PROTOTYPES(c, lapack_complex_float, float)
TW_LAPACKE_COMPLEX_EIGEN_PROTOTYPES(z, lapack_complex_double, double)
TW_LAPACKE_PROTOTYPES(s, float, float, lapack_int)
TW_LAPACKE_PROTOTYPES(d, double, double, lapack_int)
TW_LAPACKE_PROTOTYPES(c, lapack_complex_float, float, float)
TW_LAPACKE_PROTOTYPES(z, lapack_complex_double, double, double)
TW_LAPACKE_REAL_PROTOTYPES(s, float)
TW_LAPACKE_REAL_PROTOTYPES(d, double)
TW_LAPACKE_COMPLEX_PROTOTYPES(c, lapack_complex_float)
TW_LAPACKE_COMPLEX_PROTOTYPES(z, lapack_complex_double)

#ifdef __cplusplus
}
#endif
#endif
