/* The reduction to tridiagonal form in one stage under the names of LAPACK and LAPACKE: sytrd of real types, hetrd of
 * complex ones. */
#include "algorithms/lapack/values.h"

#define SYTRD(T, INT, ...)                   char uplo, INT n, T *a, INT lda, T *d, T *e, T *tau
#define SYTRD_WORK(T, INT, ...)              char uplo, INT n, T *a, INT lda, T *d, T *e, T *tau, T *work, INT lwork
#define HETRD(T, INT, INTS, R, RS, ...)      char uplo, INT n, T *a, INT lda, RS *d, RS *e, T *tau
#define HETRD_WORK(T, INT, INTS, R, RS, ...) char uplo, INT n, T *a, INT lda, RS *d, RS *e, T *tau, T *work, INT lwork

TW_LAPACK_ITSELF_NAMED(hetrd, sytrd, HETRD_WORK, uplo, n, a, lda, d, e, tau, work, lwork)

static tw_int straight_reduce(const char *routine, enum tw_type type, char uplo, int n, void *a, int lda, void *d,
                              void *e, void *tau)
{
    const struct roomy r = roomy_begin(type, 'R', n, n, a, lda);
    const size_t size = tw_sizeof(type);
    char *factors =
        calloc((size_t)n + 64, size); /* zhemv, which puts a vector there on the way, goes past its end, too */
    tw_int info = TW_E_MEMORY;

    if (r.a && factors) {
#define CALL(work, lwork) lapack_hetrd[type](uplo, n, r.a, r.lda, d, e, factors, work, lwork)
        STRAIGHT(info, CALL);
#undef CALL
        if (n > 1) memcpy(tau, factors, (size_t)(n - 1) * size);
    } else {
        info = tw_fail(TW_E_MEMORY, "%s: no memory for a copy of the matrix", routine);
    }
    roomy_end(&r, info == 0, type, n, n, a, lda);
    free(factors);
    return info;
}

static tw_int tiles(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda, void *d, void *e,
                    void *tau)
{
    double *diagonal = values_begin(type, n, d), *beside = values_begin(type, n - 1, e);
    struct tw_matrix *A = NULL, *t = NULL;
    tw_int info =
        diagonal && (beside || n == 1)
            ? wrap_triangle(&A, &tw_routine_sytrd, type, uplo, n, a, lda)
            : tw_fail(TW_E_MEMORY, "%s: no memory for a tridiagonal matrix of order %lld", routine, (long long)n);

    if (!info && n > 1) info = tw_matrix_wrap_tiles(&t, type, TW_GENERAL, n - 1, 1, tau, n - 1, tw_matrix_nb(A), 1);
    if (!info) info = tw_sytrd((enum tw_uplo)uplo, A, diagonal, beside, t);
    info = finish(info, A, t);
    values_end(type, info >= 0 ? n : 0, diagonal, d);
    values_end(type, info >= 0 ? n - 1 : 0, beside, e);
    return info;
}

static tw_int reduce(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda, void *d, void *e,
                     void *tau, struct workspace w)
{
    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    WORKSPACE(9, w, 1);
    if (n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, d);
    ARGUMENT(6, e || n == 1, "NULL");
    ARGUMENT(7, tau || n == 1, "NULL");
    if (straight(&tw_routine_sytrd, type, (double)n, n, 0, lda, 0))
        return straight_reduce(routine, type, uplo, (int)n, a, (int)lda, d, e, tau);
    return tiles(routine, type, uplo, n, a, lda, d, e, tau);
}

static tw_int lapacke(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda, void *d, void *e,
                      void *tau, struct workspace w)
{
    struct rows A = {call->type, n, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_triangle(call, uplo, 'N', n, a, lda));
    ROW_LD(5, lda, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, reduce(call->lapack, call->type, uplo, n, a, ROWS ? tw_max(1, n) : lda, d, e, tau, w));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = reduce(call->lapack, call->type, uplo, n, A.mine, tw_max(1, n), d, e, tau, w);
    rows_end(&A, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name)                                                                                                \
    static tw_int name(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda, void *d,      \
                       void *e, void *tau)                                                                             \
    {                                                                                                                  \
        return reduce(routine, type, uplo, n, a, lda, d, e, tau, OWN_WORKSPACE);                                       \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda, void *d,     \
                                 void *e, void *tau)                                                                   \
    {                                                                                                                  \
        return lapacke(call, uplo, n, a, lda, d, e, tau, OWN_WORKSPACE);                                               \
    }
FUNCTIONS(sytrd)
FUNCTIONS(hetrd)
static tw_int lapacke_work(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda, void *d, void *e,
                           void *tau, void *work, tw_int lwork)
{
    return lapacke(call, uplo, n, a, lda, d, e, tau, (struct workspace){work, lwork});
}

#define DOORS(name, P, TYPES)                                                                                          \
    TW_LAPACK_DOOR_##TYPES(name, P, uplo, n, a, lda, d, e, tau)                                                        \
        TW_LAPACKE_CHECKED_##TYPES(name, P, uplo, n, a, lda, d, e, tau)                                                \
            TW_LAPACKE_WORK_##TYPES(name, P##_WORK, lapacke_work, uplo, n, a, lda, d, e, tau, work, lwork)             \
                TW_LAPACK_ROW(name, TW_LAPACK_WORDS(P), TW_LAPACKE_WORDS(P), TW_LAPACKE_WORDS(P##_WORK))
DOORS(sytrd, SYTRD, REAL)
DOORS(hetrd, HETRD, COMPLEX)
