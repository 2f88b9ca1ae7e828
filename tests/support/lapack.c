/* The installed LAPACK by type. LAPACKE counts its layout argument, so its argument numbers are one too large. */
#include "tt.h"

#include <lapacke.h>

#define CM LAPACK_COL_MAJOR
static int plain(int info)
{
    return info < 0 ? info + 1 : info;
}

#define BY_TYPE(t, name, ...)                                                                                          \
    switch (t) {                                                                                                       \
    case TW_FLOAT: return plain(LAPACKE_s##name##_work(__VA_ARGS__));                                                  \
    case TW_DOUBLE: return plain(LAPACKE_d##name##_work(__VA_ARGS__));                                                 \
    case TW_COMPLEX_FLOAT: return plain(LAPACKE_c##name##_work(__VA_ARGS__));                                          \
    default: return plain(LAPACKE_z##name##_work(__VA_ARGS__));                                                        \
    }

int tt_lapack_potrf(enum tw_type t, char uplo, int n, void *a, int lda)
{
    BY_TYPE(t, potrf, CM, uplo, n, a, lda)
}
int tt_lapack_potrs(enum tw_type t, char uplo, int n, int nrhs, const void *a, int lda, void *b, int ldb)
{
    BY_TYPE(t, potrs, CM, uplo, n, nrhs, a, lda, b, ldb)
}
int tt_lapack_posv(enum tw_type t, char uplo, int n, int nrhs, void *a, int lda, void *b, int ldb)
{
    BY_TYPE(t, posv, CM, uplo, n, nrhs, a, lda, b, ldb)
}
int tt_lapack_potri(enum tw_type t, char uplo, int n, void *a, int lda)
{
    BY_TYPE(t, potri, CM, uplo, n, a, lda)
}
int tt_lapack_lauum(enum tw_type t, char uplo, int n, void *a, int lda)
{
    BY_TYPE(t, lauum, CM, uplo, n, a, lda)
}
int tt_lapack_trtri(enum tw_type t, char uplo, char diag, int n, void *a, int lda)
{
    BY_TYPE(t, trtri, CM, uplo, diag, n, a, lda)
}

int tt_lapack_pocon(enum tw_type t, char uplo, int n, const void *a, int lda, double anorm, double *rcond)
{
    size_t length = (size_t)(n > 0 ? n : 1);
    void *work = calloc(3 * length, 16), *more = calloc(length, 8);
    float r = -1;
    int info;

    if (!work || !more) exit(1);
    *rcond = -1;
    switch (t) {
    case TW_FLOAT: info = LAPACKE_spocon_work(CM, uplo, n, a, lda, (float)anorm, &r, work, more); break;
    case TW_DOUBLE: info = LAPACKE_dpocon_work(CM, uplo, n, a, lda, anorm, rcond, work, more); break;
    case TW_COMPLEX_FLOAT: info = LAPACKE_cpocon_work(CM, uplo, n, a, lda, (float)anorm, &r, work, more); break;
    default: info = LAPACKE_zpocon_work(CM, uplo, n, a, lda, anorm, rcond, work, more);
    }
    if (t == TW_FLOAT || t == TW_COMPLEX_FLOAT) *rcond = r;
    free(work), free(more);
    return plain(info);
}
