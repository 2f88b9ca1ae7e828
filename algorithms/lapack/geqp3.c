/* QR with column pivoting under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/qr.h"
#include "algorithms/dense/pivoted.h"

#define GEQP3(T, INT, INTS, ...)      INT m, INT n, T *a, INT lda, INTS *jpvt, T *tau
#define GEQP3_REAL(T, INT, INTS, ...) INT m, INT n, T *a, INT lda, INTS *jpvt, T *tau, T *work, INT lwork
#define GEQP3_COMPLEX(T, INT, INTS, R, RS, ...)                                                                        \
    INT m, INT n, T *a, INT lda, INTS *jpvt, T *tau, T *work, INT lwork, RS *rwork

#define WITH_RWORK , rwork
#define ITSELF(p, more)                                                                                                \
    static int lapack_##p##geqp3(int m, int n, void *a, int lda, int *jpvt, void *tau, void *work, int lwork,          \
                                 void *rwork)                                                                          \
    {                                                                                                                  \
        (void)rwork;                                                                                                   \
        return LAPACKE_##p##geqp3_work(LAPACK_COL_MAJOR, m, n, a, lda, jpvt, tau, work, lwork more);                   \
    }
ITSELF(s, )
ITSELF(d, )
ITSELF(c, WITH_RWORK)
ITSELF(z, WITH_RWORK)
static int (*const lapack_geqp3[TW_NTYPES])(int, int, void *, int, int *, void *, void *, int,
                                            void *) = {lapack_sgeqp3, lapack_dgeqp3, lapack_cgeqp3, lapack_zgeqp3};

static tw_int straight_geqp3(const char *routine, enum tw_type type, int m, int n, void *a, int lda, tw_int *jpvt,
                             void *tau)
{
    const struct roomy r = roomy_begin(type, 'R', m, n, a, lda);
    int *few = malloc((size_t)n * sizeof *few);
    double *rwork = malloc(2 * (size_t)n * sizeof *rwork);
    tw_int info;

    if (!few || !rwork || !r.a) {
        roomy_end(&r, 0, type, m, n, a, lda);
        free(few), free(rwork);
        return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A and the numbers of its columns", routine);
    }
    for (int j = 0; j < n; j++)
        few[j] = jpvt[j] != 0;
#define CALL(work, lwork) lapack_geqp3[type](m, n, r.a, r.lda, few, tau, work, lwork, rwork)
    STRAIGHT(info, CALL);
#undef CALL
    for (int j = 0; j < n && info == 0; j++)
        jpvt[j] = few[j];
    roomy_end(&r, info == 0, type, m, n, a, lda);
    free(few), free(rwork);
    return info;
}

static tw_int factor(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, tw_int *jpvt,
                     void *tau, struct workspace w)
{
    struct tw_matrix *A, *t;
    tw_int info;

    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    const tw_int few = tw_min(n, INT32_MAX); /* sums that do not overflow; more are refused below */
    WORKSPACE(8, w, m == 0 || n == 0 ? 1 : tw_is_complex(type) ? few + 1 : 3 * few + 1);
    if (m == 0) tw_jpvt_of_no_rows(n, jpvt); /* NULL is nobody's */
    if (m == 0 || n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, jpvt);
    ARRAY(6, tau);
    if (straight(&tw_routine_geqp3, type,
                 order_unless_thin(order_of(tw_flops_geqrf(TW_DOUBLE, (double)m, (double)n)), m, n), n, 0, lda, 0))
        return straight_geqp3(routine, type, (int)m, (int)n, a, (int)lda, jpvt, tau);
    info = wrap_factors(&A, &t, &tw_routine_geqp3, type, m, n, a, lda, tw_min(m, n), tau);
    if (!info) info = tw_geqp3(A, jpvt, t);
    return finish(info, A, t);
}

static tw_int geqp3(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, tw_int *jpvt,
                    void *tau)
{
    return factor(routine, type, m, n, a, lda, jpvt, tau, OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *jpvt, void *tau,
                      struct workspace w)
{
    struct rows A = {call->type, m, n, a, NULL, lda};
    tw_int *wide, info;

    LAYOUT;
    NOT_NAN(4, nan_general(call, m, n, a, lda));
    ROW_LD(5, lda, n);
    if (!(wide = tw_pivots_room(n)) || (ROWS && w.lwork != -1 && rows_begin(&A))) {
        free(wide);
        return no_memory(call->routine);
    }
    if (jpvt && w.lwork != -1) tw_pivots_in(call, n, jpvt, wide);
    info = factor(call->lapack, call->type, m, n, ROWS && w.lwork != -1 ? A.mine : a, ROWS ? tw_max(1, m) : lda,
                  jpvt ? wide : NULL, tau, w);
    if (info >= 0 && jpvt && w.lwork != -1) tw_pivots_out(call, n, wide, jpvt);
    rows_end(&A, info >= 0);
    free(wide);
    return leave(call, info);
}

static tw_int lapacke_geqp3(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *jpvt,
                            void *tau)
{
    return lapacke(call, m, n, a, lda, jpvt, tau, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *jpvt,
                           void *tau, void *work, tw_int lwork, void *rwork)
{
    (void)rwork;
    return lapacke(call, m, n, a, lda, jpvt, tau, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(geqp3, GEQP3, m, n, a, lda, jpvt, tau)
TW_LAPACKE_CHECKED(geqp3, GEQP3, m, n, a, lda, jpvt, tau)
TW_LAPACKE_WORK_REAL(geqp3, GEQP3_REAL, lapacke_work, m, n, a, lda, jpvt, tau, work, lwork, NULL)
TW_LAPACKE_WORK_COMPLEX(geqp3, GEQP3_COMPLEX, lapacke_work, m, n, a, lda, jpvt, tau, work, lwork, rwork)
TW_LAPACK_ROW(geqp3, TW_LAPACK_WORDS(GEQP3), TW_LAPACKE_WORDS(GEQP3), TW_LAPACKE_WORDS(GEQP3_REAL))
TW_LAPACK_ROW_NAMED(geqp3_complex, "geqp3", NULL, NULL, TW_LAPACKE_WORDS(GEQP3_COMPLEX))
