/* Multiplying by the Q of a reduction to tridiagonal form under the names of LAPACK and LAPACKE: ormtr of real types,
 * unmtr of complex ones. */
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/lapack/qr.h"

#define MULTIPLY(T, INT, ...)                                                                                          \
    char side, char uplo, char trans, INT m, INT n, const T *a, INT lda, const T *tau, T *c, INT ldc
#define MULTIPLY_WORK(T, INT, ...)                                                                                     \
    char side, char uplo, char trans, INT m, INT n, const T *a, INT lda, const T *tau, T *c, INT ldc, T *work, INT lwork

TW_LAPACK_ITSELF_NAMED(unmtr, ormtr, MULTIPLY_WORK, side, uplo, trans, m, n, a, lda, tau, c, ldc, work, lwork)

static tw_int straight_multiply(const char *routine, enum tw_type type, char side, char uplo, char trans, int m, int n,
                                const void *a, int lda, const void *tau, void *c, int ldc)
{
    const struct roomy r = roomy_begin(type, 'R', m, n, c, ldc);
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of C", routine);
#define CALL(work, lwork) lapack_unmtr[type](side, uplo, trans, m, n, a, lda, tau, r.a, r.lda, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, m, n, c, ldc);
    return info;
}

static tw_int multiply(const char *routine, enum tw_type type, char side, char uplo, char trans, tw_int m, tw_int n,
                       const void *a, tw_int lda, const void *tau, void *c, tw_int ldc, struct workspace w)
{
    struct tw_matrix *A = NULL, *t = NULL, *C = NULL;
    tw_int info, order;

    ARGUMENT(1, (side = letter(side, 'L', 'R')), "neither 'L' nor 'R'");
    UPLO(2);
    ARGUMENT(3, (trans = letter(trans, 'N', tw_is_complex(type) ? 'C' : 'T')),
             tw_is_complex(type) ? "neither 'N' nor 'C'" : "neither 'N' nor 'T'");
    SIZE(4, m);
    SIZE(5, n);
    order = side == 'L' ? m : n;
    LD(7, lda, order);
    LD(10, ldc, m);
    WORKSPACE(12, w, side == 'L' ? n : m);
    if (m == 0 || n == 0 || order == 1) return 0;
    ARRAY(6, a);
    ARRAY(8, tau);
    ARRAY(9, c);
    if (straight(&tw_routine_unmtr, type,
                 order_of(tw_flops_unmqr(TW_DOUBLE, side, (double)m, (double)n, (double)order - 1)), order, n, lda,
                 ldc))
        return straight_multiply(routine, type, side, uplo, trans, (int)m, (int)n, a, (int)lda, tau, c, (int)ldc);
    info = wrap_triangle(&A, &tw_routine_unmtr, type, uplo, order, a, lda);
    if (!info)
        info = tw_matrix_wrap_tiles(&t, type, TW_GENERAL, order - 1, 1, (void *)tau, order - 1, tw_matrix_nb(A), 1);
    if (!info) info = tw_matrix_wrap(&C, type, TW_GENERAL, m, n, c, ldc, tw_matrix_nb(A));
    if (!info) info = tw_unmtr((enum tw_side)side, (enum tw_uplo)uplo, (enum tw_trans)trans, A, t, C);
    return finish(finish(info, A, C), t, NULL);
}

static tw_int lapacke(const struct tw_lapacke *call, char side, char uplo, char trans, tw_int m, tw_int n,
                      const void *a, tw_int lda, const void *tau, void *c, tw_int ldc, struct workspace w)
{
    const tw_int order = side == 'L' || side == 'l' ? m : n;
    struct rows A = {call->type, order, order, (void *)a, NULL, lda}, C = {call->type, m, n, c, NULL, ldc};
    tw_int info;

    LAYOUT;
    NOT_NAN(7, nan_triangle(call, uplo, 'N', order, a, lda));
    NOT_NAN(10, nan_general(call, m, n, c, ldc));
    NOT_NAN(9, tau && order > 1 && nan_run(call->type, tau, 0, order - 1));
    ROW_LD(8, lda, order);
    ROW_LD(11, ldc, n);
    if (!ROWS || w.lwork == -1)
        return leave(call, multiply(call->lapack, call->type, side, uplo, trans, m, n, a, ROWS ? tw_max(1, order) : lda,
                                    tau, c, ROWS ? tw_max(1, m) : ldc, w));
    if (rows_begin(&A) || rows_begin(&C)) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    info = multiply(call->lapack, call->type, side, uplo, trans, m, n, A.mine, tw_max(1, order), tau, C.mine,
                    tw_max(1, m), w);
    rows_end(&A, 0);
    rows_end(&C, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name)                                                                                                \
    static tw_int name(const char *routine, enum tw_type type, char side, char uplo, char trans, tw_int m, tw_int n,   \
                       const void *a, tw_int lda, const void *tau, void *c, tw_int ldc)                                \
    {                                                                                                                  \
        return multiply(routine, type, side, uplo, trans, m, n, a, lda, tau, c, ldc, OWN_WORKSPACE);                   \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, char side, char uplo, char trans, tw_int m, tw_int n,  \
                                 const void *a, tw_int lda, const void *tau, void *c, tw_int ldc)                      \
    {                                                                                                                  \
        return lapacke(call, side, uplo, trans, m, n, a, lda, tau, c, ldc, OWN_WORKSPACE);                             \
    }
FUNCTIONS(ormtr)
FUNCTIONS(unmtr)
static tw_int lapacke_work(const struct tw_lapacke *call, char side, char uplo, char trans, tw_int m, tw_int n,
                           const void *a, tw_int lda, const void *tau, void *c, tw_int ldc, void *work, tw_int lwork)
{
    return lapacke(call, side, uplo, trans, m, n, a, lda, tau, c, ldc, (struct workspace){work, lwork});
}

#define DOORS(name, TYPES)                                                                                             \
    TW_LAPACK_DOOR_##TYPES(name, MULTIPLY, side, uplo, trans, m, n, a, lda, tau, c, ldc)                               \
        TW_LAPACKE_CHECKED_##TYPES(name, MULTIPLY, side, uplo, trans, m, n, a, lda, tau, c, ldc)                       \
            TW_LAPACKE_WORK_##TYPES(name, MULTIPLY_WORK, lapacke_work, side, uplo, trans, m, n, a, lda, tau, c, ldc,   \
                                    work, lwork)                                                                       \
                TW_LAPACK_ROW(name, TW_LAPACK_WORDS(MULTIPLY), TW_LAPACKE_WORDS(MULTIPLY),                             \
                              TW_LAPACKE_WORDS(MULTIPLY_WORK))
DOORS(ormtr, REAL)
DOORS(unmtr, COMPLEX)
