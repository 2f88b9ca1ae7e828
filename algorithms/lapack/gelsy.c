/* Least squares of matrices of any rank under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/qr.h"

#define GELSY(T, INT, INTS, R, ...)                                                                                    \
    INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, INTS *jpvt, R rcond, INTS *rank
#define GELSY_REAL(T, INT, INTS, R, ...)                                                                               \
    INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, INTS *jpvt, R rcond, INTS *rank, T *work, INT lwork
#define GELSY_COMPLEX(T, INT, INTS, R, RS, ...)                                                                        \
    INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, INTS *jpvt, R rcond, INTS *rank, T *work, INT lwork, RS *rwork

#define WITH_RWORK , rwork
#define ITSELF(p, R, more)                                                                                             \
    static int lapack_##p##gelsy(int m, int n, int nrhs, void *a, int lda, void *b, int ldb, int *jpvt, double rcond,  \
                                 int *rank, void *work, int lwork, void *rwork)                                        \
    {                                                                                                                  \
        (void)rwork;                                                                                                   \
        return LAPACKE_##p##gelsy_work(LAPACK_COL_MAJOR, m, n, nrhs, a, lda, b, ldb, jpvt, (R)rcond, rank, work,       \
                                       lwork more);                                                                    \
    }
ITSELF(s, float, )
ITSELF(d, double, )
ITSELF(c, float, WITH_RWORK)
ITSELF(z, double, WITH_RWORK)
static int (*const lapack_gelsy[TW_NTYPES])(int, int, int, void *, int, void *, int, int *, double, int *, void *, int,
                                            void *) = {lapack_sgelsy, lapack_dgelsy, lapack_cgelsy, lapack_zgelsy};

/* A call; jpvt and rank are tw_int. */
struct problem {
    const char *routine;
    enum tw_type type;
    tw_int m, n, nrhs;
    void *a;
    tw_int lda;
    void *b;
    tw_int ldb;
    tw_int *jpvt;
    double rcond;
    tw_int *rank;
};

static tw_int straight_gelsy(const struct problem *p)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const int m = (int)p->m, n = (int)p->n;
    const struct roomy r = roomy_begin(type, 'R', m, n, p->a, (int)p->lda);
    int *few = malloc((size_t)n * sizeof *few), rank = 0;
    double *rwork = malloc(2 * (size_t)n * sizeof *rwork);
    tw_int info = TW_E_MEMORY;

    if (few && rwork && r.a) {
        for (int j = 0; j < n; j++)
            few[j] = p->jpvt[j] != 0;
#define CALL(work, lwork)                                                                                              \
    lapack_gelsy[type](m, n, (int)p->nrhs, r.a, r.lda, p->b, (int)p->ldb, few, p->rcond, &rank, work, lwork, rwork)
        STRAIGHT(info, CALL);
#undef CALL
        *p->rank = rank;
        for (int j = 0; j < n && rank > 0; j++) /* rank 0: the zero matrix, nothing was chosen */
            p->jpvt[j] = few[j];
    } else {
        tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A and the numbers of its columns", routine);
    }
    roomy_end(&r, info == 0, type, m, n, p->a, (int)p->lda);
    free(few), free(rwork);
    return info;
}

static tw_int by_tiles(const struct problem *p)
{
    const tw_int longest = tw_max(p->m, p->n);
    struct tw_matrix *A, *B = NULL;
    int rank = 0;
    tw_int info = wrap_for(&A, &tw_routine_gelsy, p->type, 'G', p->m, p->n, p->nrhs, p->a, p->lda);

    if (!info) info = tw_matrix_wrap(&B, p->type, TW_GENERAL, longest, p->nrhs, p->b, p->ldb, tw_matrix_nb(A));
    if (!info) info = tw_gelsy(A, p->jpvt, p->rcond, &rank, B);
    *p->rank = rank;
    return finish(info, A, B);
}

static tw_int solve(const struct problem *p, struct workspace w)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int m = p->m, n = p->n, nrhs = p->nrhs, longest = tw_max(m, n), k = tw_min(m, n), lda = p->lda;

    SIZE(1, m);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, m);
    ARGUMENT(7, p->ldb >= tw_max(1, longest), "ldb < max(1, m, n)");
    const tw_int few = tw_min(k, INT32_MAX), columns = tw_min(n, INT32_MAX), /* sums that do not overflow */
        sides = tw_min(nrhs, INT32_MAX);
    WORKSPACE(12, w,
              !tw_is_complex(type) && (k == 0 || nrhs == 0) ? 1
                                                            : few + tw_max(2 * few, tw_max(columns + 1, few + sides)));
    ARRAY(10, p->rank);
    *p->rank = 0;
    if (k == 0 || nrhs == 0) return 0;
    ARRAY(4, p->a);
    ARRAY(6, p->b);
    ARRAY(8, p->jpvt);
    if (straight(&tw_routine_gelsy, type,
                 order_unless_thin(order_of(tw_flops_geqrf(TW_DOUBLE, (double)longest, (double)k) +
                                            4 * (double)longest * (double)k * (double)nrhs),
                                   longest, tw_max(k, nrhs)),
                 n, nrhs, lda, p->ldb))
        return straight_gelsy(p);
    return by_tiles(p);
}

static tw_int gelsy(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                    void *b, tw_int ldb, tw_int *jpvt, double rcond, tw_int *rank)
{
    return solve(&(struct problem){routine, type, m, n, nrhs, a, lda, b, ldb, jpvt, rcond, rank}, OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b,
                      tw_int ldb, void *jpvt, double rcond, void *rank, struct workspace w)
{
    const tw_int longest = tw_max(m, n);
    const int query = w.lwork == -1;
    struct rows A = {call->type, m, n, a, NULL, lda}, B = {call->type, longest, nrhs, b, NULL, ldb};
    tw_int *wide, info, found = 0;

    LAYOUT;
    NOT_NAN(5, nan_general(call, m, n, a, lda));
    NOT_NAN(7, nan_general(call, longest, nrhs, b, ldb));
    if (call->checks && tw_LAPACKE_get_nancheck() && rcond != rcond)
        return tw_illegal(call->routine, 10, "it is a NaN");
    ROW_LD(6, lda, n);
    ROW_LD(8, ldb, nrhs);
    if (!(wide = tw_pivots_room(n)) || (ROWS && !query && (rows_begin(&A) || rows_begin(&B)))) {
        rows_end(&A, 0), free(wide);
        return no_memory(call->routine);
    }
    if (jpvt && !query) tw_pivots_in(call, n, jpvt, wide);
    info = solve(&(struct problem){call->lapack, call->type, m, n, nrhs, ROWS && !query ? A.mine : a,
                                   ROWS ? tw_max(1, m) : lda, ROWS && !query ? B.mine : b,
                                   ROWS ? tw_max(1, longest) : ldb, jpvt ? wide : NULL, rcond, rank ? &found : NULL},
                 w);
    if (info >= 0 && jpvt && !query) tw_pivots_out(call, n, wide, jpvt);
    if (info >= 0 && rank && !query) tw_pivots_out(call, 1, &found, rank);
    rows_end(&A, info >= 0), rows_end(&B, info >= 0);
    free(wide);
    return leave(call, info);
}

static tw_int lapacke_gelsy(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                            void *b, tw_int ldb, void *jpvt, double rcond, void *rank)
{
    return lapacke(call, m, n, nrhs, a, lda, b, ldb, jpvt, rcond, rank, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b,
                           tw_int ldb, void *jpvt, double rcond, void *rank, void *work, tw_int lwork, void *rwork)
{
    (void)rwork;
    return lapacke(call, m, n, nrhs, a, lda, b, ldb, jpvt, rcond, rank, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(gelsy, GELSY, m, n, nrhs, a, lda, b, ldb, jpvt, (double)rcond, rank)
TW_LAPACKE_CHECKED(gelsy, GELSY, m, n, nrhs, a, lda, b, ldb, jpvt, (double)rcond, rank)
TW_LAPACKE_WORK_REAL(gelsy, GELSY_REAL, lapacke_work, m, n, nrhs, a, lda, b, ldb, jpvt, (double)rcond, rank, work,
                     lwork, NULL)
TW_LAPACKE_WORK_COMPLEX(gelsy, GELSY_COMPLEX, lapacke_work, m, n, nrhs, a, lda, b, ldb, jpvt, (double)rcond, rank, work,
                        lwork, rwork)
TW_LAPACK_ROW(gelsy, TW_LAPACK_WORDS(GELSY), TW_LAPACKE_WORDS(GELSY), TW_LAPACKE_WORDS(GELSY_REAL))
TW_LAPACK_ROW_NAMED(gelsy_complex, "gelsy", NULL, NULL, TW_LAPACKE_WORDS(GELSY_COMPLEX))
