/* The Q of a reduction to tridiagonal form itself under the names of LAPACK and LAPACKE: orgtr of real types, ungtr of
 * complex ones. */
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/lapack/qr.h"

#define FORM(T, INT, ...)      char uplo, INT n, T *a, INT lda, const T *tau
#define FORM_WORK(T, INT, ...) char uplo, INT n, T *a, INT lda, const T *tau, T *work, INT lwork

TW_LAPACK_ITSELF_NAMED(ungtr, orgtr, FORM_WORK, uplo, n, a, lda, tau, work, lwork)

static tw_int straight_form(const char *routine, enum tw_type type, char uplo, int n, void *a, int lda, const void *tau)
{
    const struct roomy r = roomy_begin(type, 'R', n, n, a, lda);
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of A", routine);
#define CALL(work, lwork) lapack_ungtr[type](uplo, n, r.a, r.lda, tau, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, n, n, a, lda);
    return info;
}

static tw_int form(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda, const void *tau,
                   struct workspace w)
{
    static const double no_factors[2] = {0, 0};
    struct tw_matrix *A = NULL, *t = NULL;
    tw_int info;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    WORKSPACE(7, w, n - 1);
    if (n == 0) return 0;
    ARRAY(3, a);
    ARGUMENT(5, tau || n == 1, "NULL");
    if (straight(&tw_routine_ungtr, type, order_of(tw_flops_ungqr(TW_DOUBLE, (double)n, (double)n, (double)n)), n, 0,
                 lda, 0))
        return straight_form(routine, type, uplo, (int)n, a, (int)lda, n > 1 ? tau : no_factors);
    info = wrap_for(&A, &tw_routine_ungtr, type, 'G', n, n, 0, a, lda);
    if (!info && n > 1)
        info = tw_matrix_wrap_tiles(&t, type, TW_GENERAL, n - 1, 1, (void *)tau, n - 1, tw_matrix_nb(A), 1);
    if (!info) info = tw_ungtr((enum tw_uplo)uplo, A, t);
    return finish(info, A, t);
}

static tw_int lapacke(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda, const void *tau,
                      struct workspace w)
{
    struct rows A = {call->type, n, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(6, tau && n > 1 && nan_run(call->type, tau, 0, n - 1));
    ROW_LD(5, lda, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, form(call->lapack, call->type, uplo, n, a, ROWS ? tw_max(1, n) : lda, tau, w));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = form(call->lapack, call->type, uplo, n, A.mine, tw_max(1, n), tau, w);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name)                                                                                                \
    static tw_int name(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda,               \
                       const void *tau)                                                                                \
    {                                                                                                                  \
        return form(routine, type, uplo, n, a, lda, tau, OWN_WORKSPACE);                                               \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda,              \
                                 const void *tau)                                                                      \
    {                                                                                                                  \
        return lapacke(call, uplo, n, a, lda, tau, OWN_WORKSPACE);                                                     \
    }
FUNCTIONS(orgtr)
FUNCTIONS(ungtr)
static tw_int lapacke_work(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda, const void *tau,
                           void *work, tw_int lwork)
{
    return lapacke(call, uplo, n, a, lda, tau, (struct workspace){work, lwork});
}

#define DOORS(name, TYPES)                                                                                             \
    TW_LAPACK_DOOR_##TYPES(name, FORM, uplo, n, a, lda, tau)                                                           \
        TW_LAPACKE_CHECKED_##TYPES(name, FORM, uplo, n, a, lda, tau)                                                   \
            TW_LAPACKE_WORK_##TYPES(name, FORM_WORK, lapacke_work, uplo, n, a, lda, tau, work, lwork)                  \
                TW_LAPACK_ROW(name, TW_LAPACK_WORDS(FORM), TW_LAPACKE_WORDS(FORM), TW_LAPACKE_WORDS(FORM_WORK))
DOORS(orgtr, REAL)
DOORS(ungtr, COMPLEX)
