/* The Q of a QR or LQ factorization itself under the names of LAPACK and LAPACKE: orgqr, orglq of real types, ungqr,
 * unglq of complex ones. */
#include "algorithms/lapack/qr.h"

#define FORM(T, INT, ...)      INT m, INT n, INT k, T *a, INT lda, const T *tau
#define FORM_WORK(T, INT, ...) INT m, INT n, INT k, T *a, INT lda, const T *tau, T *work, INT lwork

TW_LAPACK_ITSELF_NAMED(ungqr, orgqr, FORM_WORK, m, n, k, a, lda, tau, work, lwork)
TW_LAPACK_ITSELF_NAMED(unglq, orglq, FORM_WORK, m, n, k, a, lda, tau, work, lwork)

static tw_int straight_form(const char *routine, enum tw_type type, char storev, int m, int n, int k, void *a, int lda,
                            const void *tau)
{
    const struct roomy r = roomy_begin(type, storev, m, n, a, lda);
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A", routine);
#define CALL(work, lwork) (storev == 'C' ? lapack_ungqr : lapack_unglq)[type](m, n, k, r.a, r.lda, tau, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, m, n, a, lda);
    return info;
}

static const struct tw_routine *row_of(char storev)
{
    return storev == 'C' ? &tw_routine_ungqr : &tw_routine_unglq;
}

static tw_int form(const char *routine, enum tw_type type, char storev, tw_int m, tw_int n, tw_int k, void *a,
                   tw_int lda, const void *tau, struct workspace w)
{
    const tw_int lines = storev == 'C' ? n : m, order = storev == 'C' ? m : n;
    static const double no_factors[2] = {0, 0};
    struct tw_matrix *A, *t;
    tw_int info;

    SIZE(1, m);
    ARGUMENT(2, n >= 0 && lines <= order, storev == 'C' ? "n < 0 or n > m" : "n < m");
    ARGUMENT(3, k >= 0 && k <= lines, storev == 'C' ? "k < 0 or k > n" : "k < 0 or k > m");
    LD(5, lda, m);
    WORKSPACE(8, w, lines);
    if (lines == 0) return 0;
    ARRAY(4, a);
    if (k > 0) ARRAY(6, tau);
    if (straight(row_of(storev), type,
                 order_unless_thin(order_of(tw_flops_ungqr(TW_DOUBLE, (double)order, (double)lines, (double)k)), order,
                                   lines),
                 n, 0, lda, 0))
        return straight_form(routine, type, storev, (int)m, (int)n, (int)k, a, (int)lda, k > 0 ? tau : no_factors);
    info = wrap_factors(&A, &t, row_of(storev), type, m, n, a, lda, k, k > 0 ? tau : no_factors);
    if (!info) info = storev == 'C' ? tw_ungqr(A, t) : tw_unglq(A, t);
    return finish(info, A, t);
}

static tw_int lapacke(const struct tw_lapacke *call, char storev, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,
                      const void *tau, struct workspace w)
{
    struct rows A = {call->type, m, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(5, nan_general(call, m, n, a, lda));
    NOT_NAN(7, tau && k <= tw_min(m, n) && nan_run(call->type, tau, 0, k));
    ROW_LD(6, lda, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, form(call->lapack, call->type, storev, m, n, k, a, ROWS ? tw_max(1, m) : lda, tau, w));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = form(call->lapack, call->type, storev, m, n, k, A.mine, tw_max(1, m), tau, w);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name, storev)                                                                                        \
    static tw_int name(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,      \
                       const void *tau)                                                                                \
    {                                                                                                                  \
        return form(routine, type, storev, m, n, k, a, lda, tau, OWN_WORKSPACE);                                       \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,     \
                                 const void *tau)                                                                      \
    {                                                                                                                  \
        return lapacke(call, storev, m, n, k, a, lda, tau, OWN_WORKSPACE);                                             \
    }                                                                                                                  \
    static tw_int lapacke_##name##_work(const struct tw_lapacke *call, tw_int m, tw_int n, tw_int k, void *a,          \
                                        tw_int lda, const void *tau, void *work, tw_int lwork)                         \
    {                                                                                                                  \
        return lapacke(call, storev, m, n, k, a, lda, tau, (struct workspace){work, lwork});                           \
    }
#define DOORS(name, storev, TYPES)                                                                                     \
    FUNCTIONS(name, storev)                                                                                            \
    TW_LAPACK_DOOR_##TYPES(name, FORM, m, n, k, a, lda, tau)                                                           \
        TW_LAPACKE_CHECKED_##TYPES(name, FORM, m, n, k, a, lda, tau)                                                   \
            TW_LAPACKE_WORK_##TYPES(name, FORM_WORK, lapacke_##name##_work, m, n, k, a, lda, tau, work, lwork)         \
                TW_LAPACK_ROW(name, TW_LAPACK_WORDS(FORM), TW_LAPACKE_WORDS(FORM), TW_LAPACKE_WORDS(FORM_WORK))
DOORS(orgqr, 'C', REAL)
DOORS(ungqr, 'C', COMPLEX)
DOORS(orglq, 'R', REAL)
DOORS(unglq, 'R', COMPLEX)
