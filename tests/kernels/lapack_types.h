/* LAPACK's routines for a tile of any type, where a kernel is compared with them. */
#ifndef TW_TESTS_KERNELS_LAPACK_TYPES_H
#define TW_TESTS_KERNELS_LAPACK_TYPES_H
#include <lapacke.h>
#include "kernels/tiles.h"

/* LAPACKE_?name(LAPACK_COL_MAJOR, arguments...), the tile's type deciding the letter; elements as void *. */
#define LAPACK_CALL(type, name, ...)                                                                                   \
    ((type) == TW_FLOAT           ? LAPACKE_s##name(LAPACK_COL_MAJOR, __VA_ARGS__)                                     \
     : (type) == TW_DOUBLE        ? LAPACKE_d##name(LAPACK_COL_MAJOR, __VA_ARGS__)                                     \
     : (type) == TW_COMPLEX_FLOAT ? LAPACKE_c##name(LAPACK_COL_MAJOR, __VA_ARGS__)                                     \
                                  : LAPACKE_z##name(LAPACK_COL_MAJOR, __VA_ARGS__))

static inline int lapack_getrf(struct tile *a, int *ipiv)
{
    return (int)LAPACK_CALL(a->type, getrf_work, a->m, a->n, (void *)a->p, a->ld, ipiv);
}

static inline int lapack_geqr2(struct tile *a, void *tau, void *work)
{
    return (int)LAPACK_CALL(a->type, geqr2_work, a->m, a->n, (void *)a->p, a->ld, tau, work);
}

static inline int lapack_gelq2(struct tile *a, void *tau, void *work)
{
    return (int)LAPACK_CALL(a->type, gelq2_work, a->m, a->n, (void *)a->p, a->ld, tau, work);
}
#endif
