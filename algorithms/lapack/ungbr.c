/* The Q and the P of a reduction to bidiagonal form themselves under the names of LAPACK and LAPACKE: orgbr of real
 * types, ungbr of complex ones. */
#include "algorithms/lapack/qr.h"
#include "algorithms/svd/svd_loops.h"

#define FORM(T, INT, ...)      char vect, INT m, INT n, INT k, T *a, INT lda, const T *tau
#define FORM_WORK(T, INT, ...) char vect, INT m, INT n, INT k, T *a, INT lda, const T *tau, T *work, INT lwork

TW_LAPACK_ITSELF_NAMED(ungbr, orgbr, FORM_WORK, vect, m, n, k, a, lda, tau, work, lwork)

static tw_int straight_form(const char *routine, enum tw_type type, char vect, int m, int n, int k, void *a, int lda,
                            const void *tau)
{
    const struct roomy r = roomy_begin(type, 'R', m, n, a, lda);
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A", routine);
#define CALL(work, lwork) lapack_ungbr[type](vect, m, n, k, r.a, r.lda, tau, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, m, n, a, lda);
    return info;
}

static tw_int form(const char *routine, enum tw_type type, char vect, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,
                   const void *tau, struct workspace w)
{
    static const double no_factors[2] = {0, 0};
    struct tw_matrix *A = NULL, *t = NULL;
    tw_int info, factors;
    int q;

    ARGUMENT(1, (vect = letter(vect, 'Q', 'P')), "neither 'Q' nor 'P'");
    q = vect == 'Q';
    SIZE(2, m);
    ARGUMENT(3, n >= 0 && (q ? n <= m && n >= tw_min(m, k) : m <= n && m >= tw_min(n, k)),
             q ? "not from min(m, k) to m" : "m is not from min(n, k) to n");
    ARGUMENT(4, k >= 0, "k < 0");
    LD(6, lda, m);
    WORKSPACE(9, w, tw_min(m, n));
    if (m == 0 || n == 0) return 0;
    ARRAY(5, a);
    factors = q ? (m >= k ? k : m - 1) : (k < n ? k : n - 1);
    ARGUMENT(7, tau || factors == 0, "NULL");
    if (straight(&tw_routine_ungbr, type,
                 order_of(tw_flops_ungqr(TW_DOUBLE, (double)tw_max(m, n), (double)tw_min(m, n), (double)factors)), n, 0,
                 lda, 0) &&
        k <= INT32_MAX)
        return straight_form(routine, type, vect, (int)m, (int)n, (int)k, a, (int)lda, tau ? tau : no_factors);
    info = wrap_for(&A, &tw_routine_ungbr, type, 'G', m, n, 0, a, lda);
    if (!info && factors > 0)
        info = tw_matrix_wrap_tiles(&t, type, TW_GENERAL, factors, 1, (void *)tau, factors, tw_matrix_nb(A), 1);
    if (!info) info = tw_ungbr((enum tw_vect)vect, k, A, t);
    return finish(info, A, t);
}

static tw_int lapacke(const struct tw_lapacke *call, char vect, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,
                      const void *tau, struct workspace w)
{
    const tw_int order = vect == 'Q' || vect == 'q' ? m : n;
    struct rows A = {call->type, m, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(6, nan_general(call, m, n, a, lda));
    NOT_NAN(8, tau && tw_min(order, k) > 0 && nan_run(call->type, tau, 0, tw_min(order, k)));
    ROW_LD(7, lda, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, form(call->lapack, call->type, vect, m, n, k, a, ROWS ? tw_max(1, m) : lda, tau, w));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = form(call->lapack, call->type, vect, m, n, k, A.mine, tw_max(1, m), tau, w);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name)                                                                                                \
    static tw_int name(const char *routine, enum tw_type type, char vect, tw_int m, tw_int n, tw_int k, void *a,       \
                       tw_int lda, const void *tau)                                                                    \
    {                                                                                                                  \
        return form(routine, type, vect, m, n, k, a, lda, tau, OWN_WORKSPACE);                                         \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, char vect, tw_int m, tw_int n, tw_int k, void *a,      \
                                 tw_int lda, const void *tau)                                                          \
    {                                                                                                                  \
        return lapacke(call, vect, m, n, k, a, lda, tau, OWN_WORKSPACE);                                               \
    }
FUNCTIONS(orgbr)
FUNCTIONS(ungbr)
static tw_int lapacke_work(const struct tw_lapacke *call, char vect, tw_int m, tw_int n, tw_int k, void *a, tw_int lda,
                           const void *tau, void *work, tw_int lwork)
{
    return lapacke(call, vect, m, n, k, a, lda, tau, (struct workspace){work, lwork});
}

#define DOORS(name, TYPES)                                                                                             \
    TW_LAPACK_DOOR_##TYPES(name, FORM, vect, m, n, k, a, lda, tau)                                                     \
        TW_LAPACKE_CHECKED_##TYPES(name, FORM, vect, m, n, k, a, lda, tau)                                             \
            TW_LAPACKE_WORK_##TYPES(name, FORM_WORK, lapacke_work, vect, m, n, k, a, lda, tau, work, lwork)            \
                TW_LAPACK_ROW(name, TW_LAPACK_WORDS(FORM), TW_LAPACKE_WORDS(FORM), TW_LAPACKE_WORDS(FORM_WORK))
DOORS(orgbr, REAL)
DOORS(ungbr, COMPLEX)
