/* Eigenvalues and eigenvectors of real tridiagonal matrices under the names of LAPACK and LAPACKE: stevd. */
#include "algorithms/lapack/values.h"

#define STEVD(T, INT, ...) char jobz, INT n, T *d, T *e, T *z, INT ldz
#define STEVD_WORK(T, INT, INTS, ...)                                                                                  \
    char jobz, INT n, T *d, T *e, T *z, INT ldz, T *work, INT lwork, INTS *iwork, INT liwork

static tw_int lapack_stevd(enum tw_type type, char jobz, int n, void *d, void *e, void *z, int ldz)
{
    return type == TW_FLOAT ? LAPACKE_sstevd(LAPACK_COL_MAJOR, jobz, n, d, e, z, ldz)
                            : LAPACKE_dstevd(LAPACK_COL_MAJOR, jobz, n, d, e, z, ldz);
}

static tw_int tiles(const char *routine, enum tw_type type, char jobz, tw_int n, void *d, void *e, void *z, tw_int ldz)
{
    struct tw_matrix *Z = NULL;
    struct reals r;
    tw_int info;

    if (reals_begin(&r, type, n, d, e)) return no_memory_for_values(routine, n);
    info = jobz == 'N' ? 0 : wrap_for(&Z, &tw_routine_stevd, type, 'G', n, n, n, z, ldz);
    if (!info) info = tw_stevd((enum tw_jobz)jobz, n, r.d, r.e, r.d, Z);
    info = finish(info, Z, NULL);
    reals_end(&r, type, info >= 0 ? n : 0, d);
    return info;
}

static tw_int solve(const char *routine, enum tw_type type, char jobz, tw_int n, void *d, void *e, void *z, tw_int ldz,
                    const struct workspaces *work)
{
    struct least least = {1, 0, 1};
    tw_int info;

    ARGUMENT(1, (jobz = letter(jobz, 'N', 'V')), "neither 'N' nor 'V'");
    SIZE(2, n);
    ARGUMENT(6, ldz >= (jobz == 'N' ? 1 : tw_max(1, n)), "ldz < max(1, n)");
    if (n > 1 && jobz == 'V') {
        const tw_int rows = counted(n);
        least = (struct least){1 + 4 * rows + rows * rows, 0, 3 + 5 * rows};
    }
    if ((info = enter_workspaces(routine, type, 7, least, work))) return info < 0 ? info : 0;
    if (n == 0) return 0;
    ARRAY(3, d);
    ARGUMENT(4, e || n == 1, "NULL");
    ARGUMENT(5, z || jobz == 'N', "NULL");
    if (!by_lapack(&tw_routine_stevd, "stevd", 0, type, n, 0, ldz, 0))
        return tiles(routine, type, jobz, n, d, e, z, ldz);
    if (!reals_finite(type, n, d) || !reals_finite(type, n - 1, e)) return no_values(type, n, d);
    return told(routine, (int)lapack_stevd(type, jobz, (int)n, d, e, z, (int)ldz));
}

static tw_int lapacke(const struct tw_lapacke *call, char jobz, tw_int n, void *d, void *e, void *z, tw_int ldz,
                      const struct workspaces *work)
{
    struct rows Z = {call->type, n, n, z, NULL, ldz};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_reals(call, n, d));
    NOT_NAN(5, nan_reals(call, n - 1, e));
    ROW_LD(7, ldz, n);
    if (!ROWS || !(jobz == 'V' || jobz == 'v') || is_query(work))
        return leave(call, solve(call->lapack, call->type, jobz, n, d, e, z, ROWS ? tw_max(1, n) : ldz, work));
    if (rows_begin(&Z)) return no_memory(call->routine);
    info = solve(call->lapack, call->type, jobz, n, d, e, Z.mine, tw_max(1, n), work);
    rows_end(&Z, info >= 0);
    return leave(call, info);
}

static tw_int stevd(const char *routine, enum tw_type type, char jobz, tw_int n, void *d, void *e, void *z, tw_int ldz)
{
    return solve(routine, type, jobz, n, d, e, z, ldz, &own_workspaces);
}
static tw_int lapacke_stevd(const struct tw_lapacke *call, char jobz, tw_int n, void *d, void *e, void *z, tw_int ldz)
{
    return lapacke(call, jobz, n, d, e, z, ldz, &own_workspaces);
}
static tw_int lapacke_stevd_work(const struct tw_lapacke *call, char jobz, tw_int n, void *d, void *e, void *z,
                                 tw_int ldz, void *work, tw_int lwork, void *iwork, tw_int liwork)
{
    return lapacke(call, jobz, n, d, e, z, ldz,
                   &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, liwork, call->int_size});
}

TW_LAPACK_DOOR_REAL(stevd, STEVD, jobz, n, d, e, z, ldz)
TW_LAPACKE_CHECKED_REAL(stevd, STEVD, jobz, n, d, e, z, ldz)
TW_LAPACKE_WORK_REAL(stevd, STEVD_WORK, lapacke_stevd_work, jobz, n, d, e, z, ldz, work, lwork, iwork, liwork)
TW_LAPACK_ROW(stevd, TW_LAPACK_WORDS(STEVD), TW_LAPACKE_WORDS(STEVD), TW_LAPACKE_WORDS(STEVD_WORK))
