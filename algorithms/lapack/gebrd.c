/* The one-stage reduction to bidiagonal form under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/values.h"
#include "algorithms/svd/svd_loops.h"

#define GEBRD(T, INT, INTS, R, RS, ...) INT m, INT n, T *a, INT lda, RS *d, RS *e, T *tauq, T *taup
#define GEBRD_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    INT m, INT n, T *a, INT lda, RS *d, RS *e, T *tauq, T *taup, T *work, INT lwork

TW_LAPACK_ITSELF(gebrd, GEBRD_WORK, m, n, a, lda, d, e, tauq, taup, work, lwork)

/* Where d, e, tauq and taup go. */
struct results {
    void *d, *e, *tauq, *taup;
};

static tw_int straight_reduce(const char *routine, enum tw_type type, int m, int n, void *a, int lda,
                              const struct results *to)
{
    const struct roomy r = roomy_begin(type, 'R', m, n, a, lda);
    double none; /* where there is no e LAPACKE's NULL would do, too */
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A", routine);
#define CALL(work, lwork)                                                                                              \
    lapack_gebrd[type](m, n, r.a, r.lda, to->d, to->e ? to->e : &none, to->tauq, to->taup, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, m, n, a, lda);
    return info;
}

static tw_int tiles(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda,
                    const struct results *to)
{
    const tw_int k = tw_min(m, n);
    double *diagonal = values_begin(type, k, to->d), *beside = values_begin(type, k - 1, to->e);
    struct tw_matrix *A = NULL, *Q = NULL, *P = NULL;
    tw_int info =
        diagonal && (beside || k == 1)
            ? wrap_for(&A, &tw_routine_gebrd, type, 'G', m, n, 0, a, lda)
            : tw_fail(TW_E_MEMORY, "%s: no memory for a bidiagonal matrix of order %lld", routine, (long long)k);

    if (!info) info = tw_matrix_wrap_tiles(&Q, type, TW_GENERAL, k, 1, to->tauq, k, tw_matrix_nb(A), 1);
    if (!info) info = tw_matrix_wrap_tiles(&P, type, TW_GENERAL, k, 1, to->taup, k, tw_matrix_nb(A), 1);
    if (!info) info = tw_gebrd(A, diagonal, beside, Q, P);
    info = finish(finish(info, A, Q), P, NULL);
    values_end(type, info >= 0 ? k : 0, diagonal, to->d);
    values_end(type, info >= 0 ? k - 1 : 0, beside, to->e);
    return info;
}

static tw_int reduce(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, struct results to,
                     struct workspace w)
{
    const tw_int k = tw_min(m, n);

    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    WORKSPACE(10, w, tw_max(m, n));
    if (k == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, to.d);
    ARGUMENT(6, to.e || k == 1, "NULL");
    ARRAY(7, to.tauq);
    ARRAY(8, to.taup);
    if (straight(&tw_routine_gebrd, type,
                 order_unless_thin(order_of(tw_flops_gebrd(TW_DOUBLE, (double)tw_max(m, n), (double)k)), m, n), n, 0,
                 lda, 0))
        return straight_reduce(routine, type, (int)m, (int)n, a, (int)lda, &to);
    return tiles(routine, type, m, n, a, lda, &to);
}

static tw_int lapacke(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, struct results to,
                      struct workspace w)
{
    struct rows A = {call->type, m, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_general(call, m, n, a, lda));
    ROW_LD(5, lda, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, reduce(call->lapack, call->type, m, n, a, ROWS ? tw_max(1, m) : lda, to, w));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = reduce(call->lapack, call->type, m, n, A.mine, tw_max(1, m), to, w);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

static tw_int gebrd(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, void *d, void *e,
                    void *tauq, void *taup)
{
    return reduce(routine, type, m, n, a, lda, (struct results){d, e, tauq, taup}, OWN_WORKSPACE);
}
static tw_int lapacke_gebrd(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *d, void *e,
                            void *tauq, void *taup)
{
    return lapacke(call, m, n, a, lda, (struct results){d, e, tauq, taup}, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *d, void *e,
                           void *tauq, void *taup, void *work, tw_int lwork)
{
    return lapacke(call, m, n, a, lda, (struct results){d, e, tauq, taup}, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(gebrd, GEBRD, m, n, a, lda, d, e, tauq, taup)
TW_LAPACKE_CHECKED(gebrd, GEBRD, m, n, a, lda, d, e, tauq, taup)
TW_LAPACKE_WORK(gebrd, GEBRD_WORK, lapacke_work, m, n, a, lda, d, e, tauq, taup, work, lwork)
TW_LAPACK_ROW(gebrd, TW_LAPACK_WORDS(GEBRD), TW_LAPACKE_WORDS(GEBRD), TW_LAPACKE_WORDS(GEBRD_WORK))
