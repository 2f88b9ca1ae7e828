/* Eigenvalues and eigenvectors of symmetric (sbevd, real types) and hermitian band matrices (hbevd, complex ones) under
 * the names of LAPACK and LAPACKE. By tiles ab stays as it is. */
#include "algorithms/lapack/band.h"

#define SBEVD(T, INT, ...) char jobz, char uplo, INT n, INT kd, T *ab, INT ldab, T *w, T *z, INT ldz
#define SBEVD_WORK(T, INT, INTS, ...)                                                                                  \
    char jobz, char uplo, INT n, INT kd, T *ab, INT ldab, T *w, T *z, INT ldz, T *work, INT lwork, INTS *iwork,        \
        INT liwork
#define HBEVD(T, INT, INTS, R, RS, ...) char jobz, char uplo, INT n, INT kd, T *ab, INT ldab, RS *w, T *z, INT ldz
#define HBEVD_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    char jobz, char uplo, INT n, INT kd, T *ab, INT ldab, RS *w, T *z, INT ldz, T *work, INT lwork, RS *rwork,         \
        INT lrwork, INTS *iwork, INT liwork

#define ITSELF(p, name)                                                                                                \
    static int lapack_##p##name(char jobz, char uplo, int n, int kd, void *ab, int ldab, void *w, void *z, int ldz)    \
    {                                                                                                                  \
        return LAPACKE_##p##name(LAPACK_COL_MAJOR, jobz, uplo, n, kd, ab, ldab, w, z, ldz);                            \
    }
ITSELF(s, sbevd)
ITSELF(d, sbevd)
ITSELF(c, hbevd)
ITSELF(z, hbevd)
static int (*const lapack_sbevd[TW_NTYPES])(char, char, int, int, void *, int, void *, void *,
                                            int) = {lapack_ssbevd, lapack_dsbevd, lapack_chbevd, lapack_zhbevd};

static tw_int tiles(const char *routine, enum tw_type type, char jobz, char uplo, tw_int n, tw_int kd, void *ab,
                    tw_int ldab, void *w, void *z, tw_int ldz)
{
    double *values = values_begin(type, n, w);
    struct tw_matrix *A = NULL, *Z = NULL;
    tw_int info;

    if (!values) return no_memory_for_values(routine, n);
    info = tw_matrix_create_band(&A, type, n, n, uplo == 'L' ? kd : 0, uplo == 'U' ? kd : 0, 0);
    if (!info) info = tw_matrix_set_band(A, ab, ldab);
    if (!info && jobz == 'V') info = wrap_for(&Z, &tw_routine_sbevd, type, 'G', n, n, n, z, ldz);
    if (!info) info = tw_sbevd((enum tw_jobz)jobz, (enum tw_uplo)uplo, A, values, Z);
    values_end(type, info >= 0 ? n : 0, values, w);
    return finish(info, A, Z);
}

static struct least least_of(enum tw_type type, int vectors, tw_int n)
{
    tw_int all;

    n = counted(n), all = 2 * n * n;
    if (n <= 1) return (struct least){1, tw_is_complex(type), 1};
    if (!tw_is_complex(type)) return (struct least){vectors ? 1 + 5 * n + all : 2 * n, 0, vectors ? 3 + 5 * n : 1};
    return vectors ? (struct least){all, 1 + 5 * n + all, 3 + 5 * n} : (struct least){n, n, 1};
}

static tw_int solve(const char *routine, enum tw_type type, char jobz, char uplo, tw_int n, tw_int kd, void *ab,
                    tw_int ldab, void *w, void *z, tw_int ldz, const struct workspaces *work)
{
    tw_int info;

    ARGUMENT(1, (jobz = letter(jobz, 'N', 'V')), "neither 'N' nor 'V'");
    UPLO(2);
    SIZE(3, n);
    SIZE(4, kd);
    ARGUMENT(6, ldab > kd, "ldab < kd + 1");
    ARGUMENT(9, ldz >= (jobz == 'V' ? tw_max(1, n) : 1), "ldz < max(1, n)");
    if ((info = enter_workspaces(routine, type, 10, least_of(type, jobz == 'V', n), work))) return info < 0 ? info : 0;
    if (n == 0) return 0;
    ARRAY(5, ab);
    ARRAY(7, w);
    ARGUMENT(8, z || jobz == 'N', "NULL");
    if (kd > INT32_MAX / 2 || !by_lapack(&tw_routine_sbevd, "sbevd", 0, type, n, n, ldab, ldz))
        return tiles(routine, type, jobz, uplo, n, kd, ab, ldab, w, z, ldz);
    band_real_diagonal(type, uplo, n, kd, ab, ldab);
    if (!isfinite(band_largest(type, uplo, n, kd, ab, ldab))) return no_values(type, n, w);
    if (kd > n - 1) { /* LAPACK does not scale such a band, and of one row it takes the first element of ab */
        if (uplo == 'U') ab = (char *)ab + (size_t)(kd - (n - 1)) * tw_sizeof(type);
        kd = n - 1;
    }
    return told(routine, lapack_sbevd[type](jobz, uplo, (int)n, (int)kd, ab, (int)ldab, w, z, (int)ldz));
}

static tw_int lapacke(const struct tw_lapacke *call, char jobz, char uplo, tw_int n, tw_int kd, void *ab, tw_int ldab,
                      void *w, void *z, tw_int ldz, const struct workspaces *work)
{
    const int vectors = jobz == 'V' || jobz == 'v';
    struct rows AB = {call->type, kd + 1, n, ab, NULL, ldab}, Z = {call->type, n, n, NULL, NULL, ldz};
    tw_int info;

    LAYOUT;
    NOT_NAN(6, nan_band(call, uplo, n, kd, ab, ldab));
    if (ROWS && ldab < n) return tw_illegal(call->routine, 7, "ldab < n");
    ROW_LD(10, ldz, n);
    if (!ROWS || is_query(work) || kd < 0)
        return leave(call, solve(call->lapack, call->type, jobz, uplo, n, kd, ab, ROWS ? tw_max(1, kd + 1) : ldab, w, z,
                                 ROWS ? tw_max(1, n) : ldz, work));
    if (rows_begin(&AB)) return no_memory(call->routine);
    Z.user = z;
    if (vectors && z && !(Z.mine = tw_transposed_room(call->type, n, n))) {
        rows_end(&AB, 0);
        return no_memory(call->routine);
    }
    info = solve(call->lapack, call->type, jobz, uplo, n, kd, AB.mine, kd + 1, w, Z.mine, tw_max(1, n), work);
    rows_end(&Z, info >= 0);
    rows_end(&AB, 0);
    return leave(call, info);
}

#define PARAMETERS char jobz, char uplo, tw_int n, tw_int kd, void *ab, tw_int ldab, void *w, void *z, tw_int ldz
#define ARGUMENTS  jobz, uplo, n, kd, ab, ldab, w, z, ldz
#define FUNCTIONS(name)                                                                                                \
    static tw_int name(const char *routine, enum tw_type type, PARAMETERS)                                             \
    {                                                                                                                  \
        return solve(routine, type, ARGUMENTS, &own_workspaces);                                                       \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, PARAMETERS)                                            \
    {                                                                                                                  \
        return lapacke(call, ARGUMENTS, &own_workspaces);                                                              \
    }
FUNCTIONS(sbevd)
FUNCTIONS(hbevd)

static tw_int lapacke_sbevd_work(const struct tw_lapacke *call, PARAMETERS, void *work, tw_int lwork, void *iwork,
                                 tw_int liwork)
{
    return lapacke(call, ARGUMENTS, &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, liwork, call->int_size});
}
static tw_int lapacke_hbevd_work(const struct tw_lapacke *call, PARAMETERS, void *work, tw_int lwork, void *rwork,
                                 tw_int lrwork, void *iwork, tw_int liwork)
{
    return lapacke(call, ARGUMENTS, &(struct workspaces){work, rwork, iwork, lwork, lrwork, liwork, call->int_size});
}

TW_LAPACK_DOOR_REAL(sbevd, SBEVD, ARGUMENTS)
TW_LAPACKE_CHECKED_REAL(sbevd, SBEVD, ARGUMENTS)
TW_LAPACKE_WORK_REAL(sbevd, SBEVD_WORK, lapacke_sbevd_work, ARGUMENTS, work, lwork, iwork, liwork)
TW_LAPACK_ROW(sbevd, TW_LAPACK_WORDS(SBEVD), TW_LAPACKE_WORDS(SBEVD), TW_LAPACKE_WORDS(SBEVD_WORK))
TW_LAPACK_DOOR_COMPLEX(hbevd, HBEVD, ARGUMENTS)
TW_LAPACKE_CHECKED_COMPLEX(hbevd, HBEVD, ARGUMENTS)
TW_LAPACKE_WORK_COMPLEX(hbevd, HBEVD_WORK, lapacke_hbevd_work, ARGUMENTS, work, lwork, rwork, lrwork, iwork, liwork)
TW_LAPACK_ROW(hbevd, TW_LAPACK_WORDS(HBEVD), TW_LAPACKE_WORDS(HBEVD), TW_LAPACKE_WORDS(HBEVD_WORK))
