/* Generalized eigenvalue problems under the names of LAPACK and LAPACKE: sygvd and sygv (real types), hegvd and hegv
 * (complex ones), which differ in their workspaces. */
#include "algorithms/lapack/blas.h"
#include "algorithms/lapack/straight.h"
#include "algorithms/lapack/syevd.h"

#define SYGV(T, INT, ...) INT itype, char jobz, char uplo, INT n, T *a, INT lda, T *b, INT ldb, T *w
#define SYGVD_WORK(T, INT, INTS, ...)                                                                                  \
    INT itype, char jobz, char uplo, INT n, T *a, INT lda, T *b, INT ldb, T *w, T *work, INT lwork, INTS *iwork,       \
        INT liwork
#define SYGV_WORK(T, INT, ...)                                                                                         \
    INT itype, char jobz, char uplo, INT n, T *a, INT lda, T *b, INT ldb, T *w, T *work, INT lwork
#define HEGV(T, INT, INTS, R, RS, ...) INT itype, char jobz, char uplo, INT n, T *a, INT lda, T *b, INT ldb, RS *w
#define HEGVD_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    INT itype, char jobz, char uplo, INT n, T *a, INT lda, T *b, INT ldb, RS *w, T *work, INT lwork, RS *rwork,        \
        INT lrwork, INTS *iwork, INT liwork
#define HEGV_WORK(T, INT, INTS, R, RS, ...)                                                                            \
    INT itype, char jobz, char uplo, INT n, T *a, INT lda, T *b, INT ldb, RS *w, T *work, INT lwork, RS *rwork

/* ---- LAPACK itself: what its sygvd does, with the library's own standard form ------------------------------------ */

void tw_straight_pencil(enum tw_type type, int itype, char uplo, int n, int m, const void *b, int ldb, void *z, int ldz)
{
    const tw_scalar alpha = tw_one, beta = tw_zero;
    const int solve = itype != 3;
    const enum CBLAS_TRANSPOSE t = tw_blas_trans(type, (uplo == 'L') == solve ? 'C' : 'N');

    if (solve)
        TW_BLAS(trsm, type, CblasLeft, TW_BLAS_UPLO(uplo), t, CblasNonUnit, n, m, AL, b, ldb, z, ldz);
    else
        TW_BLAS(trmm, type, CblasLeft, TW_BLAS_UPLO(uplo), t, CblasNonUnit, n, m, AL, b, ldb, z, ldz);
}

static tw_int straight_sygvd(const char *routine, enum tw_type type, tw_int itype, char jobz, char uplo, tw_int n,
                             void *a, tw_int lda, void *b, tw_int ldb, void *w)
{
    tw_int info = tw_straight_potrf(type, uplo, n, b, ldb);

    tw_account_vendor("potrf", n);

    if (info) return n + info;
    tw_kernel_sygst(type, (int)itype, uplo, (int)n, a, (int)lda, b, (int)ldb);
    info = tw_straight_syevd(routine, type, jobz, uplo, n, a, lda, w);
    if (!info && jobz == 'V') tw_straight_pencil(type, (int)itype, uplo, (int)n, (int)n, b, (int)ldb, a, (int)lda);
    return info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static tw_int tiles(const char *routine, enum tw_type type, tw_int itype, char jobz, char uplo, tw_int n, void *a,
                    tw_int lda, void *b, tw_int ldb, void *w)
{
    const int vectors = jobz == 'V';
    double *values = values_begin(type, n, w);
    struct tw_matrix *A, *B = NULL;
    tw_int info;

    if (!values) return no_memory_for_values(routine, n);
    info = wrap_for(&A, &tw_routine_sygvd, type, vectors ? 'G' : uplo, n, n, n, a, lda);
    if (!info) info = tw_matrix_wrap(&B, type, (enum tw_uplo)uplo, n, n, b, ldb, tw_matrix_nb(A));
    if (!info)
        info = tw_sygvd((int)itype, vectors ? TW_VECTORS : TW_NOVECTORS, (enum tw_uplo)uplo, A, B, values,
                        vectors ? A : NULL);
    info = overlap(routine, info, 5, 7);
    values_end(type, info >= 0 && info <= n ? n : 0, values, w);
    return finish(info, A, B);
}

static tw_int solve(const char *routine, enum tw_type type, least_fn least, tw_int itype, char jobz, char uplo,
                    tw_int n, void *a, tw_int lda, void *b, tw_int ldb, void *w, const struct workspaces *work)
{
    tw_int info;

    ARGUMENT(1, itype >= 1 && itype <= 3, "not 1, 2 or 3");
    ARGUMENT(2, (jobz = letter(jobz, 'N', 'V')), "neither 'N' nor 'V'");
    UPLO(3);
    SIZE(4, n);
    LD(6, lda, n);
    LD(8, ldb, n);
    if ((info = enter_workspaces(routine, type, 10, least(type, jobz == 'V', n), work))) return info < 0 ? info : 0;
    if (n == 0) return 0;
    ARRAY(5, a);
    ARRAY(7, b);
    ARRAY(9, w);
    if (by_lapack(&tw_routine_sygvd, "syevd", 1, type, n, n, lda, ldb))
        return straight_sygvd(routine, type, itype, jobz, uplo, n, a, lda, b, ldb, w);
    return tiles(routine, type, itype, jobz, uplo, n, a, lda, b, ldb, w);
}

static tw_int lapacke(const struct tw_lapacke *call, least_fn least, tw_int itype, char jobz, char uplo, tw_int n,
                      void *a, tw_int lda, void *b, tw_int ldb, void *w, const struct workspaces *work)
{
    struct rows A = {call->type, n, n, a, NULL, lda}, B = {call->type, n, n, b, NULL, ldb};
    tw_int info;

    LAYOUT;
    NOT_NAN(6, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(8, nan_triangle(call, uplo, 'N', n, b, ldb));
    ROW_LD(7, lda, n);
    ROW_LD(9, ldb, n);
    if (!ROWS || is_query(work))
        return leave(call, solve(call->lapack, call->type, least, itype, jobz, uplo, n, a, ROWS ? tw_max(1, n) : lda, b,
                                 ROWS ? tw_max(1, n) : ldb, w, work));
    if (rows_begin(&A) || rows_begin(&B)) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    info = solve(call->lapack, call->type, least, itype, jobz, uplo, n, A.mine, tw_max(1, n), B.mine, tw_max(1, n), w,
                 work);
    rows_end(&A, info >= 0 && info <= n && (jobz == 'V' || jobz == 'v'));
    rows_end(&B, info >= 0);
    return leave(call, info);
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

#define FUNCTIONS(name, least)                                                                                         \
    static tw_int name(const char *routine, enum tw_type type, tw_int itype, char jobz, char uplo, tw_int n, void *a,  \
                       tw_int lda, void *b, tw_int ldb, void *w)                                                       \
    {                                                                                                                  \
        return solve(routine, type, least, itype, jobz, uplo, n, a, lda, b, ldb, w, &own_workspaces);                  \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, tw_int itype, char jobz, char uplo, tw_int n, void *a, \
                                 tw_int lda, void *b, tw_int ldb, void *w)                                             \
    {                                                                                                                  \
        return lapacke(call, least, itype, jobz, uplo, n, a, lda, b, ldb, w, &own_workspaces);                         \
    }
FUNCTIONS(sygvd, tw_least_syevd)
FUNCTIONS(hegvd, tw_least_syevd)
FUNCTIONS(sygv, tw_least_syev)
FUNCTIONS(hegv, tw_least_syev)

static tw_int lapacke_sygvd_work(const struct tw_lapacke *call, tw_int itype, char jobz, char uplo, tw_int n, void *a,
                                 tw_int lda, void *b, tw_int ldb, void *w, void *work, tw_int lwork, void *iwork,
                                 tw_int liwork)
{
    return lapacke(call, tw_least_syevd, itype, jobz, uplo, n, a, lda, b, ldb, w,
                   &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, liwork, call->int_size});
}
static tw_int lapacke_hegvd_work(const struct tw_lapacke *call, tw_int itype, char jobz, char uplo, tw_int n, void *a,
                                 tw_int lda, void *b, tw_int ldb, void *w, void *work, tw_int lwork, void *rwork,
                                 tw_int lrwork, void *iwork, tw_int liwork)
{
    return lapacke(call, tw_least_syevd, itype, jobz, uplo, n, a, lda, b, ldb, w,
                   &(struct workspaces){work, rwork, iwork, lwork, lrwork, liwork, call->int_size});
}
static tw_int lapacke_sygv_work(const struct tw_lapacke *call, tw_int itype, char jobz, char uplo, tw_int n, void *a,
                                tw_int lda, void *b, tw_int ldb, void *w, void *work, tw_int lwork)
{
    return lapacke(call, tw_least_syev, itype, jobz, uplo, n, a, lda, b, ldb, w,
                   &(struct workspaces){work, NULL, NULL, lwork, INT64_MAX, INT64_MAX, call->int_size});
}
static tw_int lapacke_hegv_work(const struct tw_lapacke *call, tw_int itype, char jobz, char uplo, tw_int n, void *a,
                                tw_int lda, void *b, tw_int ldb, void *w, void *work, tw_int lwork, void *rwork)
{
    (void)rwork; /* it has no length */
    return lapacke_sygv_work(call, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork);
}

#define DOORS(name, SY, HE)                                                                                            \
    TW_LAPACK_DOOR_REAL(sy##name, SYGV, itype, jobz, uplo, n, a, lda, b, ldb, w)                                       \
    TW_LAPACKE_CHECKED_REAL(sy##name, SYGV, itype, jobz, uplo, n, a, lda, b, ldb, w)                                   \
    TW_LAPACK_ROW(sy##name, TW_LAPACK_WORDS(SYGV), TW_LAPACKE_WORDS(SYGV), TW_LAPACKE_WORDS(SY))                       \
    TW_LAPACK_DOOR_COMPLEX(he##name, HEGV, itype, jobz, uplo, n, a, lda, b, ldb, w)                                    \
    TW_LAPACKE_CHECKED_COMPLEX(he##name, HEGV, itype, jobz, uplo, n, a, lda, b, ldb, w)                                \
    TW_LAPACK_ROW(he##name, TW_LAPACK_WORDS(HEGV), TW_LAPACKE_WORDS(HEGV), TW_LAPACKE_WORDS(HE))
DOORS(gvd, SYGVD_WORK, HEGVD_WORK)
DOORS(gv, SYGV_WORK, HEGV_WORK)
#define ALL itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork
TW_LAPACKE_WORK_REAL(sygvd, SYGVD_WORK, lapacke_sygvd_work, ALL, iwork, liwork)
TW_LAPACKE_WORK_COMPLEX(hegvd, HEGVD_WORK, lapacke_hegvd_work, ALL, rwork, lrwork, iwork, liwork)
TW_LAPACKE_WORK_REAL(sygv, SYGV_WORK, lapacke_sygv_work, ALL)
TW_LAPACKE_WORK_COMPLEX(hegv, HEGV_WORK, lapacke_hegv_work, ALL, rwork)
