/* Some eigenvalues and eigenvectors of generalized problems under the names of LAPACK and LAPACKE: sygvx (real types)
 * and hegvx (complex ones). */
#include "algorithms/lapack/range.h"

#define SYGV(T, INT, INTS, more)                                                                                       \
    INT itype, char jobz, char range, char uplo, INT n, T *a, INT lda, T *b, INT ldb, T vl, T vu, INT il, INT iu,      \
        T abstol, INTS *m, T *w, T *z, INT ldz, more
#define HEGV(T, INT, INTS, R, RS, more)                                                                                \
    INT itype, char jobz, char range, char uplo, INT n, T *a, INT lda, T *b, INT ldb, R vl, R vu, INT il, INT iu,      \
        R abstol, INTS *m, RS *w, T *z, INT ldz, more
#define SYGVX(T, INT, INTS, ...)        SYGV(T, INT, INTS, INTS *ifail)
#define HEGVX(T, INT, INTS, R, RS, ...) HEGV(T, INT, INTS, R, RS, INTS *ifail)
#define SYGVX_WORK(T, INT, INTS, ...)   SYGV(T, INT, INTS, T *work), INT lwork, INTS *iwork, INTS *ifail
#define HEGVX_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    HEGV(T, INT, INTS, R, RS, T *work), INT lwork, RS *rwork, INTS *iwork, INTS *ifail

#define PARAMETERS                                                                                                     \
    tw_int itype, char jobz, char range, char uplo, tw_int n, void *a, tw_int lda, void *b, tw_int ldb, double vl,     \
        double vu, tw_int il, tw_int iu, double abstol, void *m, void *w, void *z, tw_int ldz
#define REQUEST                                                                                                        \
    {                                                                                                                  \
        1, jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz, ifail, 8, 1, itype, b, ldb, 0           \
    }

static tw_int sygvx(const char *routine, enum tw_type type, PARAMETERS, void *ifail)
{
    struct request r = REQUEST;
    return tw_door_range(routine, type, &r, &own_workspaces);
}
static tw_int lapacke_sygvx(const struct tw_lapacke *call, PARAMETERS, void *ifail)
{
    struct request r = REQUEST;
    return tw_lapacke_range(call, &r, &own_workspaces);
}
static tw_int lapacke_hegvx_work(const struct tw_lapacke *call, PARAMETERS, void *work, tw_int lwork, void *rwork,
                                 void *iwork, void *ifail)
{
    struct request r = REQUEST;
    return tw_lapacke_range(call, &r,
                            &(struct workspaces){work, rwork, iwork, lwork, INT64_MAX, INT64_MAX, call->int_size});
}
static tw_int lapacke_sygvx_work(const struct tw_lapacke *call, PARAMETERS, void *work, tw_int lwork, void *iwork,
                                 void *ifail)
{
    struct request r = REQUEST;
    return tw_lapacke_range(call, &r,
                            &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, INT64_MAX, call->int_size});
}
#define hegvx(...)         sygvx(__VA_ARGS__)
#define lapacke_hegvx(...) lapacke_sygvx(__VA_ARGS__)

#define ARGUMENTS itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, abstol, m, w, z, ldz
TW_LAPACK_DOOR_REAL(sygvx, SYGVX, ARGUMENTS, ifail)
TW_LAPACKE_CHECKED_REAL(sygvx, SYGVX, ARGUMENTS, ifail)
TW_LAPACKE_WORK_REAL(sygvx, SYGVX_WORK, lapacke_sygvx_work, ARGUMENTS, work, lwork, iwork, ifail)
TW_LAPACK_ROW(sygvx, TW_LAPACK_WORDS(SYGVX), TW_LAPACKE_WORDS(SYGVX), TW_LAPACKE_WORDS(SYGVX_WORK))
TW_LAPACK_DOOR_COMPLEX(hegvx, HEGVX, ARGUMENTS, ifail)
TW_LAPACKE_CHECKED_COMPLEX(hegvx, HEGVX, ARGUMENTS, ifail)
TW_LAPACKE_WORK_COMPLEX(hegvx, HEGVX_WORK, lapacke_hegvx_work, ARGUMENTS, work, lwork, rwork, iwork, ifail)
TW_LAPACK_ROW(hegvx, TW_LAPACK_WORDS(HEGVX), TW_LAPACKE_WORDS(HEGVX), TW_LAPACKE_WORDS(HEGVX_WORK))
