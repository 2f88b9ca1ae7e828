/* Eigenvectors of balanced matrices become those of the matrices as they were, under the names of LAPACK and LAPACKE:
 * LAPACK's own. */
#include "algorithms/lapack/select.h"

#define GEBAK(T, INT, INTS, R, RS, ...)                                                                                \
    char job, char side, INT n, INT ilo, INT ihi, const RS *scale, INT m, T *v, INT ldv

#define ITSELF(t)                                                                                                      \
    static int lapack_##t##gebak(char job, char side, int n, int ilo, int ihi, const void *scale, int m, void *v,      \
                                 int ldv)                                                                              \
    {                                                                                                                  \
        return LAPACKE_##t##gebak_work(LAPACK_COL_MAJOR, job, side, n, ilo, ihi, scale, m, v, ldv);                    \
    }
ITSELF(s)
ITSELF(d)
ITSELF(c)
ITSELF(z)
static int (*const lapack_gebak[TW_NTYPES])(char, char, int, int, int, const void *, int, void *,
                                            int) = {lapack_sgebak, lapack_dgebak, lapack_cgebak, lapack_zgebak};

/* The rows that changed places are numbers in scale, which LAPACK believes. */
static int rows_exist(enum tw_type type, char job, tw_int n, tw_int ilo, tw_int ihi, const void *scale)
{
    for (tw_int i = 0; (job == 'P' || job == 'B') && i < n; i++) {
        const double row = get_real(type, scale, i);
        if (i + 1 >= ilo && i + 1 <= ihi) continue;
        if (!(row >= 1 && row <= (double)n)) return 0;
    }
    return 1;
}

static tw_int gebak(const char *routine, enum tw_type type, char job, char side, tw_int n, tw_int ilo, tw_int ihi,
                    const void *scale, tw_int m, void *v, tw_int ldv)
{
    ARGUMENT(1, (job = (char)(letter(job, 'N', 'P') | letter(job, 'S', 'B'))), "not 'N', 'P', 'S' or 'B'");
    ARGUMENT(2, (side = letter(side, 'L', 'R')), "neither 'L' nor 'R'");
    SIZE(3, n);
    ARGUMENT(4, ilo >= 1 && ilo <= tw_max(1, n), "not from 1 to max(1, n)");
    ARGUMENT(5, ihi >= tw_min(ilo, n) && ihi <= n, "not from min(ilo, n) to n");
    SIZE(7, m);
    LD(9, ldv, n);
    if (n == 0 || m == 0 || job == 'N') return 0;
    ARGUMENT(3, n <= INT32_MAX / 4 && ldv <= INT32_MAX, "more than 2^29 rows, or too far apart for LAPACK");
    ARGUMENT(7, m <= INT32_MAX, "more columns than LAPACK counts");
    ARRAY(6, scale);
    ARRAY(8, v);
    ARGUMENT(6, rows_exist(type, job, n, ilo, ihi, scale), "a row that is none");
    tw_account_vendor("gebak", n);
    return lapack_gebak[type](job, side, (int)n, (int)ilo, (int)ihi, scale, (int)m, v, (int)ldv);
}

static tw_int lapacke_gebak(const struct tw_lapacke *call, char job, char side, tw_int n, tw_int ilo, tw_int ihi,
                            const void *scale, tw_int m, void *v, tw_int ldv)
{
    struct rows V = {call->type, n, m, v, NULL, ldv};
    tw_int info;

    LAYOUT;
    NOT_NAN(7, nan_reals(call, n, scale));
    NOT_NAN(9, nan_general(call, n, m, v, ldv));
    ROW_LD(10, ldv, m);
    if (!ROWS) return leave(call, gebak(call->lapack, call->type, job, side, n, ilo, ihi, scale, m, v, ldv));
    if (rows_begin(&V)) return no_memory(call->routine);
    info = gebak(call->lapack, call->type, job, side, n, ilo, ihi, scale, m, V.mine, tw_max(1, n));
    rows_end(&V, info >= 0);
    return leave(call, info);
}

TW_LAPACK_DOORS(gebak, GEBAK, job, side, n, ilo, ihi, scale, m, v, ldv)
