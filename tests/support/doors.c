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
