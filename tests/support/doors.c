/* The LAPACK door by type. */
#include "tt.h"

#define BY_TYPE(t, name, ...)                                                                                          \
    switch (t) {                                                                                                       \
    case TW_FLOAT: return tw_s##name(__VA_ARGS__);                                                                     \
    case TW_DOUBLE: return tw_d##name(__VA_ARGS__);                                                                    \
    case TW_COMPLEX_FLOAT: return tw_c##name(__VA_ARGS__);                                                             \
    default: return tw_z##name(__VA_ARGS__);                                                                           \
    }

tw_int tt_door_potrf(enum tw_type t, char uplo, tw_int n, void *a,
                     tw_int lda){BY_TYPE(t, potrf, uplo, n, a, lda)} tw_int
    tt_door_potrs(enum tw_type t, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, void *b,
                  tw_int ldb){BY_TYPE(t, potrs, uplo, n, nrhs, a, lda, b, ldb)} tw_int
    tt_door_posv(enum tw_type t, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b,
                 tw_int ldb){BY_TYPE(t, posv, uplo, n, nrhs, a, lda, b, ldb)} tw_int
    tt_door_potri(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda){BY_TYPE(t, potri, uplo, n, a, lda)} tw_int
    tt_door_lauum(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda){BY_TYPE(t, lauum, uplo, n, a, lda)} tw_int
    tt_door_trtri(enum tw_type t, char uplo, char diag, tw_int n, void *a,
                  tw_int lda){BY_TYPE(t, trtri, uplo, diag, n, a, lda)}

tw_int tt_door_pocon(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, double anorm, double *rcond)
{
    float r = -1;
    tw_int info;

    if (t == TW_DOUBLE) return tw_dpocon(uplo, n, a, lda, anorm, rcond);
    if (t == TW_COMPLEX_DOUBLE) return tw_zpocon(uplo, n, a, lda, anorm, rcond);
    info = t == TW_FLOAT ? tw_spocon(uplo, n, a, lda, (float)anorm, &r) : tw_cpocon(uplo, n, a, lda, (float)anorm, &r);
    *rcond = r;
    return info;
}

/* ---- BLAS-3 ------------------------------------------------------------------------------------------------- */

/* Scalars as the type has them. */
#define BLAS_BY_TYPE(t, real, complex, ...)                                                                            \
    {                                                                                                                  \
        switch (t) {                                                                                                   \
        case TW_FLOAT: {                                                                                               \
            const float AL = (float)alpha, BE = (float)beta;                                                           \
            (void)BE;                                                                                                  \
            return tw_s##real(__VA_ARGS__);                                                                            \
        }                                                                                                              \
        case TW_DOUBLE: {                                                                                              \
            const double AL = alpha, BE = beta;                                                                        \
            (void)BE;                                                                                                  \
            return tw_d##real(__VA_ARGS__);                                                                            \
        }                                                                                                              \
        case TW_COMPLEX_FLOAT: {                                                                                       \
            const float AL = (float)alpha, BE = (float)beta;                                                           \
            (void)BE;                                                                                                  \
            return tw_c##complex(__VA_ARGS__);                                                                         \
        }                                                                                                              \
        default: {                                                                                                     \
            const double AL = alpha, BE = beta;                                                                        \
            (void)BE;                                                                                                  \
            return tw_z##complex(__VA_ARGS__);                                                                         \
        }                                                                                                              \
        }                                                                                                              \
    }
/* clang-format off */
tw_int tt_door_gemm(enum tw_type t, char ta, char tb, tw_int m, tw_int n, tw_int k, double alpha, const void *a,
                    tw_int lda, const void *b, tw_int ldb, double beta, void *c, tw_int ldc)
    BLAS_BY_TYPE(t, gemm, gemm, ta, tb, m, n, k, AL, a, lda, b, ldb, BE, c, ldc)

tw_int tt_door_hemm(enum tw_type t, char side, char uplo, tw_int m, tw_int n, double alpha, const void *a, tw_int lda,
                    const void *b, tw_int ldb, double beta, void *c, tw_int ldc)
    BLAS_BY_TYPE(t, symm, hemm, side, uplo, m, n, AL, a, lda, b, ldb, BE, c, ldc)

tw_int tt_door_herk(enum tw_type t, char uplo, char trans, tw_int n, tw_int k, double alpha, const void *a, tw_int lda,
                    double beta, void *c, tw_int ldc)
    BLAS_BY_TYPE(t, syrk, herk, uplo, trans, n, k, AL, a, lda, BE, c, ldc)

tw_int tt_door_her2k(enum tw_type t, char uplo, char trans, tw_int n, tw_int k, double alpha, const void *a, tw_int lda,
                     const void *b, tw_int ldb, double beta, void *c, tw_int ldc)
    BLAS_BY_TYPE(t, syr2k, her2k, uplo, trans, n, k, AL, a, lda, b, ldb, BE, c, ldc)

/* These have no beta. */
enum { beta = 0 };
tw_int tt_door_trmm(enum tw_type t, char side, char uplo, char trans, char diag, tw_int m, tw_int n, double alpha,
                    const void *a, tw_int lda, void *b, tw_int ldb)
    BLAS_BY_TYPE(t, trmm, trmm, side, uplo, trans, diag, m, n, AL, a, lda, b, ldb)

tw_int tt_door_trsm(enum tw_type t, char side, char uplo, char trans, char diag, tw_int m, tw_int n, double alpha,
                    const void *a, tw_int lda, void *b, tw_int ldb)
    BLAS_BY_TYPE(t, trsm, trsm, side, uplo, trans, diag, m, n, AL, a, lda, b, ldb)
    /* clang-format on */
