/* The Q of a reduction to Hessenberg form itself under the names of LAPACK and LAPACKE: orghr of real types, unghr of
 * complex ones. */
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/lapack/qr.h"

#define FORM(T, INT, ...)      INT n, INT ilo, INT ihi, T *a, INT lda, const T *tau
#define FORM_WORK(T, INT, ...) INT n, INT ilo, INT ihi, T *a, INT lda, const T *tau, T *work, INT lwork

TW_LAPACK_ITSELF_NAMED(unghr, orghr, FORM_WORK, n, ilo, ihi, a, lda, tau, work, lwork)

static tw_int straight_form(const char *routine, enum tw_type type, int n, int ilo, int ihi, void *a, int lda,
                            const void *tau)
{
    const struct roomy r = roomy_begin(type, 'R', n, n, a, lda);
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A", routine);
#define CALL(work, lwork) lapack_unghr[type](n, ilo, ihi, r.a, r.lda, tau, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, n, n, a, lda);
    return info;
}

static tw_int form(const char *routine, enum tw_type type, tw_int n, tw_int ilo, tw_int ihi, void *a, tw_int lda,
                   const void *tau, struct workspace w)
{
    static const double no_factors[2] = {0, 0};
    struct tw_matrix *A = NULL, *t = NULL;
    tw_int info;

    SIZE(1, n);
    ARGUMENT(2, ilo >= 1 && ilo <= tw_max(1, n), "not from 1 to max(1, n)");
    ARGUMENT(3, ihi >= tw_min(ilo, n) && ihi <= n, "not from min(ilo, n) to n");
    LD(5, lda, n);
    WORKSPACE(8, w, ihi - ilo);
    if (n == 0) return 0;
    ARRAY(4, a);
    ARGUMENT(6, tau || n == 1, "NULL");
    if (straight(&tw_routine_unghr, type, order_of(tw_flops_ungqr(TW_DOUBLE, (double)n, (double)n, (double)n)), n, 0,
                 lda, 0))
        return straight_form(routine, type, (int)n, (int)ilo, (int)ihi, a, (int)lda, n > 1 ? tau : no_factors);
    info = wrap_for(&A, &tw_routine_unghr, type, 'G', n, n, 0, a, lda);
    if (!info && n > 1)
        info = tw_matrix_wrap_tiles(&t, type, TW_GENERAL, n - 1, 1, (void *)tau, n - 1, tw_matrix_nb(A), 1);
    if (!info) info = tw_unghr(ilo, ihi, A, t);
    return finish(info, A, t);
}

static tw_int lapacke(const struct tw_lapacke *call, tw_int n, tw_int ilo, tw_int ihi, void *a, tw_int lda,
                      const void *tau, struct workspace w)
{
    struct rows A = {call->type, n, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(5, nan_general(call, n, n, a, lda));
    NOT_NAN(7, tau && n > 1 && nan_run(call->type, tau, 0, n - 1));
    ROW_LD(6, lda, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, form(call->lapack, call->type, n, ilo, ihi, a, ROWS ? tw_max(1, n) : lda, tau, w));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = form(call->lapack, call->type, n, ilo, ihi, A.mine, tw_max(1, n), tau, w);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name)                                                                                                \
    static tw_int name(const char *routine, enum tw_type type, tw_int n, tw_int ilo, tw_int ihi, void *a, tw_int lda,  \
                       const void *tau)                                                                                \
    {                                                                                                                  \
        return form(routine, type, n, ilo, ihi, a, lda, tau, OWN_WORKSPACE);                                           \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, tw_int n, tw_int ilo, tw_int ihi, void *a, tw_int lda, \
                                 const void *tau)                                                                      \
    {                                                                                                                  \
        return lapacke(call, n, ilo, ihi, a, lda, tau, OWN_WORKSPACE);                                                 \
    }
FUNCTIONS(orghr)
FUNCTIONS(unghr)
static tw_int lapacke_work(const struct tw_lapacke *call, tw_int n, tw_int ilo, tw_int ihi, void *a, tw_int lda,
                           const void *tau, void *work, tw_int lwork)
{
    return lapacke(call, n, ilo, ihi, a, lda, tau, (struct workspace){work, lwork});
}

#define DOORS(name, TYPES)                                                                                             \
    TW_LAPACK_DOOR_##TYPES(name, FORM, n, ilo, ihi, a, lda, tau)                                                       \
        TW_LAPACKE_CHECKED_##TYPES(name, FORM, n, ilo, ihi, a, lda, tau)                                               \
            TW_LAPACKE_WORK_##TYPES(name, FORM_WORK, lapacke_work, n, ilo, ihi, a, lda, tau, work, lwork)              \
                TW_LAPACK_ROW(name, TW_LAPACK_WORDS(FORM), TW_LAPACKE_WORDS(FORM), TW_LAPACKE_WORDS(FORM_WORK))
DOORS(orghr, REAL)
DOORS(unghr, COMPLEX)
