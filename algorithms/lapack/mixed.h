/* What the doors of mixed precision share: dsgesv, zcgesv, dsposv, zcposv, one function each. */
#ifndef TW_ALGORITHMS_LAPACK_MIXED_H
#define TW_ALGORITHMS_LAPACK_MIXED_H
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "algorithms/lapack/doors.h"
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"
#include "algorithms/lapack/transpose.h"

/* LAPACK's own workspaces: n x nrhs of the type, n (n + nrhs) of its single precision, n real numbers. */
struct mixed_work {
    void *work, *swork, *rwork;
};
static inline int mixed_work_begin(struct mixed_work *w, const char *routine, enum tw_type type, tw_int n, tw_int nrhs)
{
    const size_t size = tw_sizeof(type), order = (size_t)n, k = (size_t)nrhs;

    w->work = malloc(order * (k + 1) * size);
    w->swork = malloc(order * (order + k) * size / 2 + size);
    w->rwork = malloc(order * sizeof(double) + sizeof(double));
    return w->work && w->swork && w->rwork ? 0 : tw_fail(TW_E_MEMORY, "%s: no memory for LAPACK's workspace", routine);
}
static inline void mixed_work_end(struct mixed_work *w)
{
    free(w->work), free(w->swork), free(w->rwork);
}

/* LAPACK takes a NaN for a small residual: factors that overflow in single precision would go unnoticed. */
static inline int mixed_is_finite(tw_int n, tw_int nrhs, const double *x, tw_int ldx, int parts)
{
    int bad = 0;

    for (tw_int j = 0; j < nrhs; j++)
        for (tw_int i = 0; i < parts * n; i++)
            bad |= !isfinite(x[i + parts * j * ldx]);
    return !bad;
}
enum { MIXED_GAVE_UP = -31 }; /* LAPACK's ITER after 30 corrections */

static inline void mixed_copy(enum tw_type type, tw_int n, tw_int nrhs, const void *b, tw_int ldb, void *x, tw_int ldx)
{
    const size_t size = tw_sizeof(type);
    for (tw_int j = 0; j < nrhs; j++)
        memcpy((char *)x + (size_t)(j * ldx) * size, (const char *)b + (size_t)(j * ldb) * size, (size_t)n * size);
}

/* ITER of LAPACKE's width. */
static inline void mixed_iter_out(const struct tw_lapacke *call, tw_int from, void *to)
{
    if (call->int_size == 4)
        *(int32_t *)to = (int32_t)from;
    else
        *(int64_t *)to = from;
}

/* tw_ds##name and tw_zc##name, LAPACKE's with and without _work, of lists of parameters P and, with workspaces, REAL
 * and COMPLEX; the last arguments are all but iter, before which lapacke_NAME gets the workspaces, that it does not
 * use. */
#define MIXED_DOORS(name, P, REAL, COMPLEX, ...)                                                                       \
    TW_LAPACK_DOOR_(name, P, ds, TW_DOUBLE, double, double, __VA_ARGS__, iter)                                         \
    TW_LAPACK_DOOR_(name, P, zc, TW_COMPLEX_DOUBLE, tw_complex_double, double, __VA_ARGS__, iter)                      \
    MIXED_LAPACKE(TW_LAPACKE_32_, name, P, REAL, COMPLEX, __VA_ARGS__)                                                 \
    MIXED_LAPACKE(TW_LAPACKE_64_, name, P, REAL, COMPLEX, __VA_ARGS__)                                                 \
    TW_LAPACK_ROW_NAMED(ds##name, #name, TW_LAPACK_WORDS(P), TW_LAPACKE_WORDS(P), TW_LAPACKE_WORDS(REAL))              \
    TW_LAPACK_ROW_NAMED(zc##name, #name, NULL, NULL, TW_LAPACKE_WORDS(COMPLEX))
#define MIXED_LAPACKE(WIDTH, name, P, REAL, COMPLEX, ...)                                                              \
    WIDTH(name, , P, 1, lapacke_##name, ds, TW_DOUBLE, double, double, float, __VA_ARGS__, NULL, NULL, NULL, iter)     \
    WIDTH(name, _work, REAL, 0, lapacke_##name, ds, TW_DOUBLE, double, double, float, __VA_ARGS__, work, swork, NULL,  \
          iter)                                                                                                        \
    WIDTH(name, , P, 1, lapacke_##name, zc, TW_COMPLEX_DOUBLE, lapack_complex_double, double, lapack_complex_float,    \
          __VA_ARGS__, NULL, NULL, NULL, iter)                                                                         \
    WIDTH(name, _work, COMPLEX, 0, lapacke_##name, zc, TW_COMPLEX_DOUBLE, lapack_complex_double, double,               \
          lapack_complex_float, __VA_ARGS__, work, swork, rwork, iter)
#endif
