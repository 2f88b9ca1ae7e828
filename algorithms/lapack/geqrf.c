/* The QR and LQ factorizations under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/qr.h"

#define FACTOR(T, INT, ...)      INT m, INT n, T *a, INT lda, T *tau
#define FACTOR_WORK(T, INT, ...) INT m, INT n, T *a, INT lda, T *tau, T *work, INT lwork

TW_LAPACK_ITSELF(geqrf, FACTOR_WORK, m, n, a, lda, tau, work, lwork)
TW_LAPACK_ITSELF(gelqf, FACTOR_WORK, m, n, a, lda, tau, work, lwork)

static tw_int straight_factor(const char *routine, enum tw_type type, char storev, int m, int n, void *a, int lda,
                              void *tau)
{
    const struct roomy r = roomy_begin(type, storev, m, n, a, lda);
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A", routine);
#define CALL(work, lwork) (storev == 'C' ? lapack_geqrf : lapack_gelqf)[type](m, n, r.a, r.lda, tau, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, m, n, a, lda);
    return info;
}

static const struct tw_routine *row_of(char storev)
{
    return storev == 'C' ? &tw_routine_geqrf : &tw_routine_gelqf;
}

static tw_int factor(const char *routine, enum tw_type type, char storev, tw_int m, tw_int n, void *a, tw_int lda,
                     void *tau, struct workspace w)
{
    struct tw_matrix *A, *t;
    tw_int info;

    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    WORKSPACE(7, w, storev == 'C' ? n : m);
    if (m == 0 || n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, tau);
    if (straight(row_of(storev), type,
                 order_unless_thin(order_of(tw_flops_geqrf(TW_DOUBLE, (double)m, (double)n)), m, n), n, 0, lda, 0))
        return straight_factor(routine, type, storev, (int)m, (int)n, a, (int)lda, tau);
    info = wrap_factors(&A, &t, row_of(storev), type, m, n, a, lda, tw_min(m, n), tau);
    if (!info) info = storev == 'C' ? tw_geqrf(A, t) : tw_gelqf(A, t);
    return finish(info, A, t);
}

static tw_int lapacke(const struct tw_lapacke *call, char storev, tw_int m, tw_int n, void *a, tw_int lda, void *tau,
                      struct workspace w)
{
    struct rows A = {call->type, m, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_general(call, m, n, a, lda));
    ROW_LD(5, lda, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, factor(call->lapack, call->type, storev, m, n, a, ROWS ? tw_max(1, m) : lda, tau, w));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = factor(call->lapack, call->type, storev, m, n, A.mine, tw_max(1, m), tau, w);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

#define DOORS(name, storev)                                                                                            \
    static tw_int name(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, void *tau)     \
    {                                                                                                                  \
        return factor(routine, type, storev, m, n, a, lda, tau, OWN_WORKSPACE);                                        \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *tau)    \
    {                                                                                                                  \
        return lapacke(call, storev, m, n, a, lda, tau, OWN_WORKSPACE);                                                \
    }                                                                                                                  \
    static tw_int lapacke_##name##_work(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda,        \
                                        void *tau, void *work, tw_int lwork)                                           \
    {                                                                                                                  \
        return lapacke(call, storev, m, n, a, lda, tau, (struct workspace){work, lwork});                              \
    }                                                                                                                  \
    TW_LAPACK_DOOR(name, FACTOR, m, n, a, lda, tau)                                                                    \
    TW_LAPACKE_CHECKED(name, FACTOR, m, n, a, lda, tau)                                                                \
    TW_LAPACKE_WORK(name, FACTOR_WORK, lapacke_##name##_work, m, n, a, lda, tau, work, lwork)                          \
    TW_LAPACK_ROW(name, TW_LAPACK_WORDS(FACTOR), TW_LAPACKE_WORDS(FACTOR), TW_LAPACKE_WORDS(FACTOR_WORK))
DOORS(geqrf, 'C')
DOORS(gelqf, 'R')
