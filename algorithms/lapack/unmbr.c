/* Multiplying by the Q or the P of a reduction to bidiagonal form under the names of LAPACK and LAPACKE: ormbr of real
 * types, unmbr of complex ones. */
#include "algorithms/lapack/qr.h"
#include "algorithms/svd/svd_loops.h"

#define MULTIPLY(T, INT, ...)                                                                                          \
    char vect, char side, char trans, INT m, INT n, INT k, const T *a, INT lda, const T *tau, T *c, INT ldc
#define MULTIPLY_WORK(T, INT, ...)                                                                                     \
    char vect, char side, char trans, INT m, INT n, INT k, const T *a, INT lda, const T *tau, T *c, INT ldc, T *work,  \
        INT lwork

TW_LAPACK_ITSELF_NAMED(unmbr, ormbr, MULTIPLY_WORK, vect, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork)

/* One call, with LAPACK's arguments. */
struct call {
    char vect, side, trans;
    tw_int m, n, k;
    const void *a;
    tw_int lda;
    const void *tau;
    void *c;
    tw_int ldc;
};

static tw_int straight_multiply(const char *routine, enum tw_type type, const struct call *x)
{
    const struct roomy r = roomy_begin(type, 'R', (int)x->m, (int)x->n, x->c, (int)x->ldc);
    tw_int info;

    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of C", routine);
#define CALL(work, lwork)                                                                                              \
    lapack_unmbr[type](x->vect, x->side, x->trans, (int)x->m, (int)x->n, (int)x->k, x->a, (int)x->lda, x->tau, r.a,    \
                       r.lda, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    roomy_end(&r, info == 0, type, (int)x->m, (int)x->n, x->c, (int)x->ldc);
    return info;
}

static tw_int multiply(const char *routine, enum tw_type type, struct call x, struct workspace w)
{
    struct tw_matrix *A = NULL, *t = NULL, *C = NULL;
    tw_int info, order, least, factors;
    int q;

    ARGUMENT(1, (x.vect = letter(x.vect, 'Q', 'P')), "neither 'Q' nor 'P'");
    ARGUMENT(2, (x.side = letter(x.side, 'L', 'R')), "neither 'L' nor 'R'");
    ARGUMENT(3, (x.trans = letter(x.trans, 'N', tw_is_complex(type) ? 'C' : 'T')),
             tw_is_complex(type) ? "neither 'N' nor 'C'" : "neither 'N' nor 'T'");
    SIZE(4, x.m);
    SIZE(5, x.n);
    SIZE(6, x.k);
    q = x.vect == 'Q', order = x.side == 'L' ? x.m : x.n, least = tw_min(order, x.k);
    LD(8, x.lda, q ? order : least);
    LD(11, x.ldc, x.m);
    WORKSPACE(13, w, x.side == 'L' ? x.n : x.m);
    factors = q ? (order >= x.k ? x.k : order - 1) : (x.k < order ? x.k : order - 1);
    if (x.m == 0 || x.n == 0 || factors == 0) return 0;
    ARRAY(7, x.a);
    ARRAY(9, x.tau);
    ARRAY(10, x.c);
    if (straight(&tw_routine_unmbr, type,
                 order_of(tw_flops_unmqr(TW_DOUBLE, x.side, (double)x.m, (double)x.n, (double)factors)),
                 tw_max(order, x.k), x.n, x.lda, x.ldc))
        return straight_multiply(routine, type, &x);
    info = wrap_for(&A, &tw_routine_unmbr, type, 'G', q ? order : least, q ? least : order, 0, (void *)x.a, x.lda);
    if (!info)
        info = tw_matrix_wrap_tiles(&t, type, TW_GENERAL, factors, 1, (void *)x.tau, factors, tw_matrix_nb(A), 1);
    if (!info) info = tw_matrix_wrap(&C, type, TW_GENERAL, x.m, x.n, x.c, x.ldc, tw_matrix_nb(A));
    if (!info) info = tw_unmbr((enum tw_vect)x.vect, (enum tw_side)x.side, (enum tw_trans)x.trans, x.k, A, t, C);
    return finish(finish(info, A, C), t, NULL);
}

static tw_int lapacke(const struct tw_lapacke *call, struct call x, struct workspace w)
{
    const tw_int order = x.side == 'L' || x.side == 'l' ? x.m : x.n, least = tw_max(0, tw_min(order, x.k));
    const int q = letter(x.vect, 'P', 'P') == 0; /* unknown letters are refused where LAPACK does */
    struct rows A = {call->type, q ? order : least, q ? least : order, (void *)x.a, NULL, x.lda},
                C = {call->type, x.m, x.n, x.c, NULL, x.ldc};
    tw_int info;

    LAYOUT;
    NOT_NAN(8, nan_general(call, q ? order : least, q ? least : order, x.a, x.lda));
    NOT_NAN(11, nan_general(call, x.m, x.n, x.c, x.ldc));
    NOT_NAN(10, x.tau && least > 0 && nan_run(call->type, x.tau, 0, least));
    ROW_LD(9, x.lda, q ? least : order);
    ROW_LD(12, x.ldc, x.n);
    if (!ROWS) return leave(call, multiply(call->lapack, call->type, x, w));
    x.lda = tw_max(1, q ? order : least), x.ldc = tw_max(1, x.m);
    if (w.lwork == -1) return leave(call, multiply(call->lapack, call->type, x, w));
    if (rows_begin(&A) || rows_begin(&C)) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    x.a = A.mine, x.c = C.mine;
    info = multiply(call->lapack, call->type, x, w);
    rows_end(&A, 0);
    rows_end(&C, info >= 0);
    return leave(call, info);
}

#define FUNCTIONS(name)                                                                                                \
    static tw_int name(const char *routine, enum tw_type type, char vect, char side, char trans, tw_int m, tw_int n,   \
                       tw_int k, const void *a, tw_int lda, const void *tau, void *c, tw_int ldc)                      \
    {                                                                                                                  \
        return multiply(routine, type, (struct call){vect, side, trans, m, n, k, a, lda, tau, c, ldc}, OWN_WORKSPACE); \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, char vect, char side, char trans, tw_int m, tw_int n,  \
                                 tw_int k, const void *a, tw_int lda, const void *tau, void *c, tw_int ldc)            \
    {                                                                                                                  \
        return lapacke(call, (struct call){vect, side, trans, m, n, k, a, lda, tau, c, ldc}, OWN_WORKSPACE);           \
    }
FUNCTIONS(ormbr)
FUNCTIONS(unmbr)
static tw_int lapacke_work(const struct tw_lapacke *call, char vect, char side, char trans, tw_int m, tw_int n,
                           tw_int k, const void *a, tw_int lda, const void *tau, void *c, tw_int ldc, void *work,
                           tw_int lwork)
{
    return lapacke(call, (struct call){vect, side, trans, m, n, k, a, lda, tau, c, ldc},
                   (struct workspace){work, lwork});
}

#define DOORS(name, TYPES)                                                                                             \
    TW_LAPACK_DOOR_##TYPES(name, MULTIPLY, vect, side, trans, m, n, k, a, lda, tau, c, ldc)                            \
        TW_LAPACKE_CHECKED_##TYPES(name, MULTIPLY, vect, side, trans, m, n, k, a, lda, tau, c, ldc)                    \
            TW_LAPACKE_WORK_##TYPES(name, MULTIPLY_WORK, lapacke_work, vect, side, trans, m, n, k, a, lda, tau, c,     \
                                    ldc, work, lwork)                                                                  \
                TW_LAPACK_ROW(name, TW_LAPACK_WORDS(MULTIPLY), TW_LAPACKE_WORDS(MULTIPLY),                             \
                              TW_LAPACKE_WORDS(MULTIPLY_WORK))
DOORS(ormbr, REAL)
DOORS(unmbr, COMPLEX)
