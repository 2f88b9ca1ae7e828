/* Multiplying by the Q of a QR or LQ factorization under the names of LAPACK and LAPACKE: ormqr, ormlq of real types,
 * unmqr, unmlq of complex ones. */
#include "algorithms/lapack/qr.h"

#define MULTIPLY(T, INT, ...)                                                                                          \
    char side, char trans, INT m, INT n, INT k, const T *a, INT lda, const T *tau, T *c, INT ldc
#define MULTIPLY_WORK(T, INT, ...)                                                                                     \
    char side, char trans, INT m, INT n, INT k, const T *a, INT lda, const T *tau, T *c, INT ldc, T *work, INT lwork

TW_LAPACK_ITSELF_NAMED(unmqr, ormqr, MULTIPLY_WORK, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork)
TW_LAPACK_ITSELF_NAMED(unmlq, ormlq, MULTIPLY_WORK, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork)

static tw_int straight_multiply(const char *routine, enum tw_type type, char storev, char side, char trans, int m,
                                int n, int k, const void *a, int lda, const void *tau, void *c, int ldc)
{
    tw_int info;
#define CALL(work, lwork)                                                                                              \
    (storev == 'C' ? lapack_unmqr : lapack_unmlq)[type](side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    return info;
}

static const struct tw_routine *row_of(char storev)
{
    return storev == 'C' ? &tw_routine_unmqr : &tw_routine_unmlq;
}

static tw_int multiply(const char *routine, enum tw_type type, char storev, char side, char trans, tw_int m, tw_int n,
                       tw_int k, const void *a, tw_int lda, const void *tau, void *c, tw_int ldc, struct workspace w)
{
    struct tw_matrix *A, *t, *C = NULL;
    tw_int info, order;

    ARGUMENT(1, (side = letter(side, 'L', 'R')), "neither 'L' nor 'R'");
    ARGUMENT(2, (trans = letter(trans, 'N', tw_is_complex(type) ? 'C' : 'T')),
             tw_is_complex(type) ? "neither 'N' nor 'C'" : "neither 'N' nor 'T'");
    SIZE(3, m);
    SIZE(4, n);
    order = side == 'L' ? m : n;
    ARGUMENT(5, k >= 0 && k <= order, "k < 0 or larger than Q's order");
    ARGUMENT(7, lda >= tw_max(1, storev == 'C' ? order : k), "lda < max(1, rows of A)");
    LD(10, ldc, m);
    WORKSPACE(12, w, side == 'L' ? n : m);
    if (m == 0 || n == 0 || k == 0) return 0;
    ARRAY(6, a);
    ARRAY(8, tau);
    ARRAY(9, c);
    if (straight(row_of(storev), type,
                 order_unless_thin(order_of(tw_flops_unmqr(TW_DOUBLE, side, (double)m, (double)n, (double)k)),
                                   tw_max(k, tw_min(m, n)), tw_max(m, n)),
                 tw_max(order, k), n, lda, ldc))
        return straight_multiply(routine, type, storev, side, trans, (int)m, (int)n, (int)k, a, (int)lda, tau, c,
                                 (int)ldc);
    info = wrap_factors(&A, &t, row_of(storev), type, storev == 'C' ? order : k, storev == 'C' ? k : order, a, lda, k,
                        tau);
    if (!info) info = tw_matrix_wrap(&C, type, TW_GENERAL, m, n, c, ldc, tw_matrix_nb(A));
    if (!info) info = (storev == 'C' ? tw_unmqr : tw_unmlq)((enum tw_side)side, (enum tw_trans)trans, A, t, C);
    return finish(finish(info, A, C), t, NULL);
}

static tw_int lapacke(const struct tw_lapacke *call, char storev, char side, char trans, tw_int m, tw_int n, tw_int k,
                      const void *a, tw_int lda, const void *tau, void *c, tw_int ldc, struct workspace w)
{
    const tw_int order = side == 'L' || side == 'l' ? m : n, a_rows = storev == 'C' ? order : k,
                 a_columns = storev == 'C' ? k : order;
    struct rows A = {call->type, a_rows, a_columns, (void *)a, NULL, lda}, C = {call->type, m, n, c, NULL, ldc};
    tw_int info;

    LAYOUT;
    NOT_NAN(7, nan_general(call, a_rows, a_columns, a, lda));
    NOT_NAN(10, nan_general(call, m, n, c, ldc));
    NOT_NAN(9, tau && k <= order && nan_run(call->type, tau, 0, k));
    ROW_LD(8, lda, a_columns);
    ROW_LD(11, ldc, n);
    if (!ROWS || w.lwork == -1 || k > order)
        return leave(call, multiply(call->lapack, call->type, storev, side, trans, m, n, k, a,
                                    ROWS ? tw_max(1, a_rows) : lda, tau, c, ROWS ? tw_max(1, m) : ldc, w));
    if (rows_begin(&A) || rows_begin(&C)) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    info = multiply(call->lapack, call->type, storev, side, trans, m, n, k, A.mine, tw_max(1, a_rows), tau, C.mine,
                    tw_max(1, m), w);
    rows_end(&A, 0);
    rows_end(&C, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name, storev)                                                                                        \
    static tw_int name(const char *routine, enum tw_type type, char side, char trans, tw_int m, tw_int n, tw_int k,    \
                       const void *a, tw_int lda, const void *tau, void *c, tw_int ldc)                                \
    {                                                                                                                  \
        return multiply(routine, type, storev, side, trans, m, n, k, a, lda, tau, c, ldc, OWN_WORKSPACE);              \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, char side, char trans, tw_int m, tw_int n, tw_int k,   \
                                 const void *a, tw_int lda, const void *tau, void *c, tw_int ldc)                      \
    {                                                                                                                  \
        return lapacke(call, storev, side, trans, m, n, k, a, lda, tau, c, ldc, OWN_WORKSPACE);                        \
    }                                                                                                                  \
    static tw_int lapacke_##name##_work(const struct tw_lapacke *call, char side, char trans, tw_int m, tw_int n,      \
                                        tw_int k, const void *a, tw_int lda, const void *tau, void *c, tw_int ldc,     \
                                        void *work, tw_int lwork)                                                      \
    {                                                                                                                  \
        return lapacke(call, storev, side, trans, m, n, k, a, lda, tau, c, ldc, (struct workspace){work, lwork});      \
    }
#define DOORS(name, storev, TYPES)                                                                                     \
    FUNCTIONS(name, storev)                                                                                            \
    TW_LAPACK_DOOR_##TYPES(name, MULTIPLY, side, trans, m, n, k, a, lda, tau, c, ldc)                                  \
        TW_LAPACKE_CHECKED_##TYPES(name, MULTIPLY, side, trans, m, n, k, a, lda, tau, c, ldc) TW_LAPACKE_WORK_##TYPES( \
            name, MULTIPLY_WORK, lapacke_##name##_work, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork)        \
            TW_LAPACK_ROW(name, TW_LAPACK_WORDS(MULTIPLY), TW_LAPACKE_WORDS(MULTIPLY),                                 \
                          TW_LAPACKE_WORDS(MULTIPLY_WORK))
DOORS(ormqr, 'C', REAL)
DOORS(unmqr, 'C', COMPLEX)
DOORS(ormlq, 'R', REAL)
DOORS(unmlq, 'R', COMPLEX)
