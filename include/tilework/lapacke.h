/* Tilework: the LAPACKE door. LAPACKE's exact prototypes under the prefix tw_LAPACKE_: a program that calls LAPACKE
 * changes the prefix and is done. May be included with or without lapacke.h, before or after it, from C and C++.
 *
 * Returned: what LAPACKE returns (-i: argument i is illegal or, with the NaN check on, has a NaN;
 * LAPACK_WORK_MEMORY_ERROR), or a code <= -2001 of tilework/runtime.h; the reason in tw_last_message(). Nothing is
 * printed. Row-major matrices of which one triangle counts are not transposed: their triangles are the other ones of the same array. The routines on
 * general matrices transpose row-major arrays, as LAPACKE does. Workspaces of functions with _work are not used; lwork = -1 asks for the size, and one below
 * LAPACK's least is refused.
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

/* p: LAPACK's letter; T: element type; R: real type; W: type of pocon_work's second workspace (not used, nor is the
 * first). */
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
