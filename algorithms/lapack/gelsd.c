/* Least squares of matrices of any rank by singular values under the names of LAPACK and LAPACKE: gelsd, and gelss,
 * whose A becomes V^H. */
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/singular.h"

#define GELSD(T, INT, INTS, R, RS, ...) INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, RS *s, R rcond, INTS *rank
#define GELSD_REAL(T, INT, INTS, R, RS, ...)                                                                           \
    INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, RS *s, R rcond, INTS *rank, T *work, INT lwork, INTS *iwork
#define GELSD_COMPLEX(T, INT, INTS, R, RS, ...)                                                                        \
    INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, RS *s, R rcond, INTS *rank, T *work, INT lwork, RS *rwork,   \
        INTS *iwork

#define GELSS_REAL(T, INT, INTS, R, RS, ...)                                                                           \
    INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, RS *s, R rcond, INTS *rank, T *work, INT lwork
#define GELSS_COMPLEX(T, INT, INTS, R, RS, ...)                                                                        \
    INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, RS *s, R rcond, INTS *rank, T *work, INT lwork, RS *rwork

#define ITSELF(p, name, R)                                                                                             \
    static int lapack_##p##name(int m, int n, int nrhs, void *a, int lda, void *b, int ldb, void *s, double rcond,     \
                                int *rank)                                                                             \
    {                                                                                                                  \
        return LAPACKE_##p##name(LAPACK_COL_MAJOR, m, n, nrhs, a, lda, b, ldb, s, (R)rcond, rank);                     \
    }
#define ITSELVES(name) ITSELF(s, name, float) ITSELF(d, name, double) ITSELF(c, name, float) ITSELF(z, name, double)
ITSELVES(gelsd)
ITSELVES(gelss)
static int (*const lapack_routine[2][TW_NTYPES])(int, int, int, void *, int, void *, int, void *, double, int *) = {
    {lapack_sgelsd, lapack_dgelsd, lapack_cgelsd, lapack_zgelsd},
    {lapack_sgelss, lapack_dgelss, lapack_cgelss, lapack_zgelss}};

/* A call. */
struct problem {
    int ss; /* gelss */
    const char *routine;
    enum tw_type type;
    tw_int m, n, nrhs;
    void *a;
    tw_int lda;
    void *b;
    tw_int ldb;
    void *s;
    double rcond;
    tw_int *rank;
};

/* B's rows below the m that are read may hold anything, but LAPACKE looks for NaNs there, too. Of no right-hand sides
 * LAPACK says that there are too few, so that one of zeros is made, which *own keeps. NULL: no memory. */
static void *right_sides(const struct problem *p, void **own)
{
    const size_t size = tw_sizeof(p->type), below = (size_t)tw_max(0, p->n - p->m) * size;

    *own = p->nrhs > 0 ? NULL : calloc((size_t)p->ldb, size);
    for (tw_int j = 0; below && j < p->nrhs; j++)
        memset((char *)p->b + (size_t)(j * p->ldb + p->m) * size, 0, below);
    return p->nrhs > 0 ? p->b : *own;
}

static tw_int straight_gelsd(const struct problem *p)
{
    const int m = (int)p->m, n = (int)p->n;
    struct roomy r;
    void *b, *own;
    int rank = 0;
    tw_int info;

    if (!general_finite(p->type, m, n, p->a, p->lda) || !general_finite(p->type, m, p->nrhs, p->b, p->ldb))
        return no_values(p->type, tw_min(m, n), p->s);
    r = roomy_begin(p->type, 'R', m, n, p->a, (int)p->lda);
    b = right_sides(p, &own);
    if (r.a && b)
        info = told(p->routine, lapack_routine[p->ss][p->type](m, n, (int)tw_max(1, p->nrhs), r.a, r.lda, b,
                                                               (int)p->ldb, p->s, p->rcond, &rank));
    else
        info = tw_fail(TW_E_MEMORY, "%s: no memory for a copy of the matrix", p->routine);
    free(own);
    roomy_end(&r, p->ss && info == 0, p->type, m, n, p->a, (int)p->lda);
    *p->rank = rank;
    return info;
}

static tw_int tiles(const struct problem *p)
{
    const tw_int k = tw_min(p->m, p->n);
    double *values = values_begin(p->type, k, p->s);
    struct tw_matrix *A, *B = NULL;
    int rank = 0;
    tw_int info;

    if (!values) return no_memory_for_values(p->routine, k);
    info = wrap_for(&A, p->ss ? &tw_routine_gelss : &tw_routine_gelsd, p->type, 'G', p->m, p->n, k, p->a, p->lda);
    if (!info)
        info = tw_matrix_wrap(&B, p->type, TW_GENERAL, tw_max(p->m, p->n), p->nrhs, p->b, p->ldb, tw_matrix_nb(A));
    if (!info) info = (p->ss ? tw_gelss : tw_gelsd)(A, B, values, p->rcond, &rank);
    values_end(p->type, info >= 0 ? k : 0, values, p->s);
    *p->rank = rank;
    return finish(info, A, B);
}

/* What LAPACK 3.11 refuses to go below. */
static tw_int least_gelsd(enum tw_type type, tw_int m, tw_int n, tw_int nrhs)
{
    const tw_int k = tw_min(m, n), leaf = 25;
    const tw_int longest = m >= n && m >= (tw_int)((float)k * 1.6F) ? n : tw_max(m, n); /* QR first */
    int levels = 0;

    if (k == 0 && type != TW_DOUBLE) return 1; /* dgelsd alone counts its leaf then, too */
    if (tw_is_complex(type)) return m >= n ? 2 * k + tw_max(longest, k * nrhs) : 2 * k + tw_max(n, k * nrhs);
    for (double x = (double)k / (double)(leaf + 1); x >= 1; x /= 2)
        levels++;
    return 3 * k + tw_max(m >= n ? tw_max(longest, nrhs) : tw_max(k, nrhs),
                          9 * k + 2 * k * leaf + 8 * k * levels + k * nrhs + (leaf + 1) * (leaf + 1));
}

static tw_int least_gelss(enum tw_type type, tw_int m, tw_int n, tw_int nrhs)
{
    const tw_int k = tw_min(m, n), most = tw_max(m, n);
    const tw_int longest = m >= (tw_int)((float)k * 1.6F) && m >= n ? n : most; /* QR first */

    if (k == 0) return 1;
    if (tw_is_complex(type)) return 2 * k + tw_max(nrhs, most);
    return tw_max(3 * k + tw_max(longest, nrhs), 5 * k);
}

static tw_int solve(const struct problem *p, struct workspace w)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int m = p->m, n = p->n, nrhs = p->nrhs, lda = p->lda;

    SIZE(1, m);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, m);
    ARGUMENT(7, p->ldb >= tw_max(1, tw_max(m, n)), "ldb < max(1, m, n)");
    WORKSPACE(
        12, w,
        (p->ss ? least_gelss : least_gelsd)(type, tw_min(m, INT32_MAX), tw_min(n, INT32_MAX), tw_min(nrhs, INT32_MAX)));
    ARGUMENT(9, !isnan(p->rcond), "NaN");
    ARRAY(10, p->rank);
    *p->rank = 0;
    if (m == 0 || n == 0) return 0;
    ARRAY(4, p->a);
    if (nrhs > 0) ARRAY(6, p->b);
    ARRAY(8, p->s);
    if (svd_by_lapack(&tw_routine_gelsd, p->ss ? "gelss" : "gelsd", type, m, n, lda, 1, 1) &&
        (double)nrhs * (double)p->ldb <= INT32_MAX)
        return straight_gelsd(p);
    return tiles(p);
}

static tw_int gelsd(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                    void *b, tw_int ldb, void *s, double rcond, tw_int *rank)
{
    return solve(&(struct problem){0, routine, type, m, n, nrhs, a, lda, b, ldb, s, rcond, rank}, OWN_WORKSPACE);
}

static tw_int gelss(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                    void *b, tw_int ldb, void *s, double rcond, tw_int *rank)
{
    return solve(&(struct problem){1, routine, type, m, n, nrhs, a, lda, b, ldb, s, rcond, rank}, OWN_WORKSPACE);
}

static tw_int lapacke(int ss, const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                      void *b, tw_int ldb, void *s, double rcond, void *rank, struct workspace w)
{
    const tw_int longest = tw_max(m, n);
    const int query = w.lwork == -1;
    struct rows A = {call->type, m, n, a, NULL, lda}, B = {call->type, longest, nrhs, b, NULL, ldb};
    tw_int info, found = 0;

    LAYOUT;
    NOT_NAN(5, nan_general(call, m, n, a, lda));
    NOT_NAN(7, nan_general(call, longest, nrhs, b, ldb));
    if (call->checks && tw_LAPACKE_get_nancheck() && rcond != rcond)
        return tw_illegal(call->routine, 10, "it is a NaN");
    ROW_LD(6, lda, n);
    ROW_LD(8, ldb, nrhs);
    if (ROWS && !query && (rows_begin(&A) || rows_begin(&B))) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    info = solve(&(struct problem){ss, call->lapack, call->type, m, n, nrhs, ROWS && !query ? A.mine : a,
                                   ROWS ? tw_max(1, m) : lda, ROWS && !query ? B.mine : b,
                                   ROWS ? tw_max(1, longest) : ldb, s, rcond, rank ? &found : NULL},
                 w);
    if (info >= 0 && rank && !query) tw_pivots_out(call, 1, &found, rank);
    rows_end(&A, ss && info >= 0), rows_end(&B, info >= 0);
    return leave(call, info);
}

static tw_int lapacke_gelsd(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                            void *b, tw_int ldb, void *s, double rcond, void *rank)
{
    return lapacke(0, call, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, OWN_WORKSPACE);
}
static tw_int lapacke_gelss(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                            void *b, tw_int ldb, void *s, double rcond, void *rank)
{
    return lapacke(1, call, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b,
                           tw_int ldb, void *s, double rcond, void *rank, void *work, tw_int lwork, void *rwork,
                           void *iwork)
{
    (void)rwork, (void)iwork;
    return lapacke(0, call, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, (struct workspace){work, lwork});
}
static tw_int gelss_work(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b,
                         tw_int ldb, void *s, double rcond, void *rank, void *work, tw_int lwork, void *rwork)
{
    (void)rwork;
    return lapacke(1, call, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(gelsd, GELSD, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank)
TW_LAPACKE_CHECKED(gelsd, GELSD, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank)
TW_LAPACKE_WORK_REAL(gelsd, GELSD_REAL, lapacke_work, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank, work, lwork,
                     NULL, iwork)
TW_LAPACKE_WORK_COMPLEX(gelsd, GELSD_COMPLEX, lapacke_work, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank, work,
                        lwork, rwork, iwork)
TW_LAPACK_ROW(gelsd, TW_LAPACK_WORDS(GELSD), TW_LAPACKE_WORDS(GELSD), TW_LAPACKE_WORDS(GELSD_REAL))
TW_LAPACK_ROW_NAMED(gelsd_complex, "gelsd", NULL, NULL, TW_LAPACKE_WORDS(GELSD_COMPLEX))

TW_LAPACK_DOOR(gelss, GELSD, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank)
TW_LAPACKE_CHECKED(gelss, GELSD, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank)
TW_LAPACKE_WORK_REAL(gelss, GELSS_REAL, gelss_work, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank, work, lwork,
                     NULL)
TW_LAPACKE_WORK_COMPLEX(gelss, GELSS_COMPLEX, gelss_work, m, n, nrhs, a, lda, b, ldb, s, (double)rcond, rank, work,
                        lwork, rwork)
TW_LAPACK_ROW(gelss, TW_LAPACK_WORDS(GELSD), TW_LAPACKE_WORDS(GELSD), TW_LAPACKE_WORDS(GELSS_REAL))
TW_LAPACK_ROW_NAMED(gelss_complex, "gelss", NULL, NULL, TW_LAPACKE_WORDS(GELSS_COMPLEX))
