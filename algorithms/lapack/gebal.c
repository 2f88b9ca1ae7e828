/* Balancing of general matrices under the names of LAPACK and LAPACKE: LAPACK's own, which reads the matrix some
 * times. */
#include "algorithms/lapack/select.h"

#define GEBAL(T, INT, INTS, R, RS, ...) char job, INT n, T *a, INT lda, INTS *ilo, INTS *ihi, RS *scale

#define ITSELF(t)                                                                                                      \
    static int lapack_##t##gebal(char job, int n, void *a, int lda, lapack_int *ilo, lapack_int *ihi, void *scale)     \
    {                                                                                                                  \
        return LAPACKE_##t##gebal_work(LAPACK_COL_MAJOR, job, n, a, lda, ilo, ihi, scale);                             \
    }
ITSELF(s)
ITSELF(d)
ITSELF(c)
ITSELF(z)
static int (*const lapack_gebal[TW_NTYPES])(char, int, void *, int, lapack_int *, lapack_int *,
                                            void *) = {lapack_sgebal, lapack_dgebal, lapack_cgebal, lapack_zgebal};

static int has_nan(enum tw_type type, tw_int n, const void *a, tw_int lda)
{
    for (tw_int j = 0; j < n; j++)
        if (nan_run(type, a, j * lda, n)) return 1;
    return 0;
}

static tw_int balance(const char *routine, enum tw_type type, size_t int_size, char job, tw_int n, void *a, tw_int lda,
                      void *ilo, void *ihi, void *scale)
{
    lapack_int first = 1, last = 0;
    tw_int info = 0;

    ARGUMENT(1, (job = (char)(letter(job, 'N', 'P') | letter(job, 'S', 'B'))), "not 'N', 'P', 'S' or 'B'");
    SIZE(2, n);
    LD(4, lda, n);
    ARGUMENT(2, n <= INT32_MAX / 4 && lda <= INT32_MAX, "more than 2^29 rows, or too far apart for LAPACK");
    ARRAY(5, ilo);
    ARRAY(6, ihi);
    if (n > 0) {
        ARRAY(3, a);
        ARRAY(7, scale);
        ARGUMENT(3, job == 'N' || job == 'P' || !has_nan(type, n, a, lda), "it holds a NaN");
        tw_account_vendor("gebal", n);
        info = lapack_gebal[type](job, (int)n, a, (int)lda, &first, &last, scale);
    }
    put_int(int_size, ilo, first), put_int(int_size, ihi, last);
    return info;
}

static tw_int gebal(const char *routine, enum tw_type type, char job, tw_int n, void *a, tw_int lda, void *ilo,
                    void *ihi, void *scale)
{
    return balance(routine, type, sizeof(tw_int), job, n, a, lda, ilo, ihi, scale);
}

static tw_int lapacke_gebal(const struct tw_lapacke *call, char job, tw_int n, void *a, tw_int lda, void *ilo,
                            void *ihi, void *scale)
{
    struct rows A = {call->type, n, n, a, NULL, lda};
    const int reads = letter(job, 'P', 'S') != 0 || letter(job, 'B', 'B') != 0;
    tw_int info;

    LAYOUT;
    NOT_NAN(4, reads && nan_general(call, n, n, a, lda));
    ROW_LD(5, lda, n);
    if (!ROWS || !reads)
        return leave(call, balance(call->lapack, call->type, call->int_size, job, n, a, ROWS ? tw_max(1, n) : lda, ilo,
                                   ihi, scale));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = balance(call->lapack, call->type, call->int_size, job, n, A.mine, tw_max(1, n), ilo, ihi, scale);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

TW_LAPACK_DOORS(gebal, GEBAL, job, n, a, lda, ilo, ihi, scale)
