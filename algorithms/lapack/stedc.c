/* Eigenvalues and eigenvectors of tridiagonal matrices under the names of LAPACK and LAPACKE: stedc, four types of Z. d
 * becomes the eigenvalues; e, which LAPACK's destroys, stays. */
#include "algorithms/lapack/values.h"

#define STEDC(T, INT, INTS, R, RS, ...) char compz, INT n, RS *d, RS *e, T *z, INT ldz
#define STEDC_WORK(T, INT, INTS, ...)                                                                                  \
    char compz, INT n, T *d, T *e, T *z, INT ldz, T *work, INT lwork, INTS *iwork, INT liwork
#define COMPLEX_WORK(T, INT, INTS, R, RS, ...)                                                                         \
    char compz, INT n, RS *d, RS *e, T *z, INT ldz, T *work, INT lwork, RS *rwork, INT lrwork, INTS *iwork, INT liwork

static tw_int tiles(const char *routine, enum tw_type type, char compz, tw_int n, void *d, void *e, void *z, tw_int ldz)
{
    struct tw_matrix *Z = NULL;
    struct reals r;
    tw_int info;

    if (reals_begin(&r, type, n, d, e)) return no_memory_for_values(routine, n);
    info = compz == 'N' ? 0 : wrap_for(&Z, &tw_routine_stedc, type, 'G', n, n, n, z, ldz);
    if (!info) info = tw_stedc((enum tw_compz)compz, n, r.d, r.e, r.d, Z);
    info = finish(info, Z, NULL);
    reals_end(&r, type, info >= 0 ? n : 0, d);
    return info;
}

/* LAPACK's least workspaces, its small parts being of order 25. */
static struct least least_of(enum tw_type type, char compz, tw_int n)
{
    const int is_complex = tw_is_complex(type);
    tw_int log = 0, all;

    n = counted(n), all = n * n;
    while ((tw_int)1 << log < n)
        log++;
    if (n <= 1 || compz == 'N') return (struct least){1, is_complex, 1};
    if (n <= 25) return is_complex ? (struct least){1, 2 * (n - 1), 1} : (struct least){2 * (n - 1), 0, 1};
    if (compz == 'I')
        return is_complex ? (struct least){1, 1 + 4 * n + 2 * all, 3 + 5 * n}
                          : (struct least){1 + 4 * n + all, 0, 3 + 5 * n};
    return is_complex ? (struct least){all, 1 + 3 * n + 2 * n * log + 4 * all, 6 + 6 * n + 5 * n * log}
                      : (struct least){1 + 3 * n + 2 * n * log + 4 * all, 0, 6 + 6 * n + 5 * n * log};
}

/* ---- LAPACK itself --------------------------------------------------------------------------------------------------
 * Not LAPACKE's function with workspaces of its own, which looks for NaN in z and then says so with its own number. */

#define REAL(p)                                                                                                        \
    static int lapack_##p##stedc(char compz, int n, void *d, void *e, void *z, int ldz, void *work, const int *l,      \
                                 void *rwork, int *iwork)                                                              \
    {                                                                                                                  \
        (void)rwork;                                                                                                   \
        return LAPACKE_##p##stedc_work(LAPACK_COL_MAJOR, compz, n, d, e, z, ldz, work, l[0], iwork, l[2]);             \
    }
#define COMPLEX(p)                                                                                                     \
    static int lapack_##p##stedc(char compz, int n, void *d, void *e, void *z, int ldz, void *work, const int *l,      \
                                 void *rwork, int *iwork)                                                              \
    {                                                                                                                  \
        return LAPACKE_##p##stedc_work(LAPACK_COL_MAJOR, compz, n, d, e, z, ldz, work, l[0], rwork, l[1], iwork,       \
                                       l[2]);                                                                          \
    }
REAL(s)
REAL(d)
COMPLEX(c)
COMPLEX(z)
static int (*const lapack_stedc[TW_NTYPES])(char, int, void *, void *, void *, int, void *, const int *, void *,
                                            int *) = {lapack_sstedc, lapack_dstedc, lapack_cstedc, lapack_zstedc};

static tw_int straight_stedc(const char *routine, enum tw_type type, char compz, tw_int n, void *d, void *e, void *z,
                             tw_int ldz)
{
    const struct least least = least_of(type, compz, n);
    const int l[3] = {(int)least.work, (int)least.rwork, (int)least.iwork};
    void *work = malloc((size_t)least.work * tw_sizeof(type)),
         *rwork = malloc((size_t)tw_max(1, least.rwork) * tw_sizeof(tw_real_type(type)));
    int *iwork = malloc((size_t)least.iwork * sizeof *iwork);
    tw_int info;

    if (work && rwork && iwork)
        info = lapack_stedc[type](compz, (int)n, d, e, z, (int)ldz, work, l, rwork, iwork);
    else
        info = tw_fail(TW_E_MEMORY, "%s: no memory for LAPACK's workspace", routine);
    free(work), free(rwork), free(iwork);
    return info;
}

static tw_int solve(const char *routine, enum tw_type type, char compz, tw_int n, void *d, void *e, void *z, tw_int ldz,
                    const struct workspaces *work)
{
    tw_int info;

    ARGUMENT(1, (compz = (char)(letter(compz, 'N', 'I') | letter(compz, 'V', 'V'))), "not 'N', 'I' or 'V'");
    SIZE(2, n);
    ARGUMENT(6, ldz >= (compz == 'N' ? 1 : tw_max(1, n)), "ldz < max(1, n)");
    if ((info = enter_workspaces(routine, type, 7, least_of(type, compz, n), work))) return info < 0 ? info : 0;
    if (n == 0) return 0;
    ARRAY(3, d);
    ARGUMENT(4, e || n == 1, "NULL");
    ARGUMENT(5, z || compz == 'N', "NULL");
    if (!by_lapack(&tw_routine_stedc, "stedc", 0, type, n, 0, ldz, 0))
        return tiles(routine, type, compz, n, d, e, z, ldz);
    if (!reals_finite(type, n, d) || !reals_finite(type, n - 1, e)) return no_values(type, n, d);
    return straight_stedc(routine, type, compz, n, d, e, z, ldz);
}

static tw_int lapacke(const struct tw_lapacke *call, char compz, tw_int n, void *d, void *e, void *z, tw_int ldz,
                      const struct workspaces *work)
{
    const int given = compz == 'V' || compz == 'v', made = given || compz == 'I' || compz == 'i';
    struct rows Z = {call->type, n, n, z, NULL, ldz};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_reals(call, n, d));
    NOT_NAN(5, nan_reals(call, n - 1, e));
    if (given) NOT_NAN(6, nan_general(call, n, n, z, ldz));
    ROW_LD(7, ldz, n);
    if (!ROWS || !made || is_query(work))
        return leave(call, solve(call->lapack, call->type, compz, n, d, e, z, ROWS ? tw_max(1, n) : ldz, work));
    if (rows_begin(&Z)) return no_memory(call->routine);
    info = solve(call->lapack, call->type, compz, n, d, e, Z.mine, tw_max(1, n), work);
    rows_end(&Z, info >= 0);
    return leave(call, info);
}

static tw_int stedc(const char *routine, enum tw_type type, char compz, tw_int n, void *d, void *e, void *z, tw_int ldz)
{
    return solve(routine, type, compz, n, d, e, z, ldz, &own_workspaces);
}
static tw_int lapacke_stedc(const struct tw_lapacke *call, char compz, tw_int n, void *d, void *e, void *z, tw_int ldz)
{
    return lapacke(call, compz, n, d, e, z, ldz, &own_workspaces);
}
static tw_int lapacke_stedc_work(const struct tw_lapacke *call, char compz, tw_int n, void *d, void *e, void *z,
                                 tw_int ldz, void *work, tw_int lwork, void *iwork, tw_int liwork)
{
    return lapacke(call, compz, n, d, e, z, ldz,
                   &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, liwork, call->int_size});
}
static tw_int complex_work(const struct tw_lapacke *call, char compz, tw_int n, void *d, void *e, void *z, tw_int ldz,
                           void *work, tw_int lwork, void *rwork, tw_int lrwork, void *iwork, tw_int liwork)
{
    return lapacke(call, compz, n, d, e, z, ldz,
                   &(struct workspaces){work, rwork, iwork, lwork, lrwork, liwork, call->int_size});
}

TW_LAPACK_DOOR(stedc, STEDC, compz, n, d, e, z, ldz)
TW_LAPACKE_CHECKED(stedc, STEDC, compz, n, d, e, z, ldz)
TW_LAPACKE_WORK_REAL(stedc, STEDC_WORK, lapacke_stedc_work, compz, n, d, e, z, ldz, work, lwork, iwork, liwork)
TW_LAPACKE_WORK_COMPLEX(stedc, COMPLEX_WORK, complex_work, compz, n, d, e, z, ldz, work, lwork, rwork, lrwork, iwork,
                        liwork)
TW_LAPACK_ROW(stedc, TW_LAPACK_WORDS(STEDC), TW_LAPACKE_WORDS(STEDC), TW_LAPACKE_WORDS(STEDC_WORK))
TW_LAPACK_ROW_NAMED(stedc_complex, "stedc", NULL, NULL, TW_LAPACKE_WORDS(COMPLEX_WORK))
