/* CPU kernels of the way back through bulge chasing, one table per precision. */
#ifndef TW_KERNELS_EIGEN_CPU_DIAMOND_H
#define TW_KERNELS_EIGEN_CPU_DIAMOND_H
#include <tilework/runtime.h>
#include "types/eigen/chase.h"

typedef void (*tw_diamond_fn)(const struct tw_chase_shape *c, int bundle, int k, const void *diamond, int columns,
                              void *z, int ldz, void *work);
struct tw_diamond_kernels {
    /* Step k of a bundle, H(s, k) H(s + 1, k) ... = I - V T V^H, as types/eigen/chase.h says. v: the reflectors of the
     * bundle's groups of sweeps. work: (2 width + 1) width elements. */
    void (*form)(const struct tw_chase_shape *c, int bundle, int k, const void *const *v, void *to, void *work);
    /* Z = (I - V T V^H) Z on the diamond's rows, by gemm; z: the first row of n, `columns` columns. work: width x
     * columns. */
    tw_diamond_fn apply;
};
extern const struct tw_diamond_kernels *const tw_diamond_kernels[TW_NTYPES];
/* The same as `apply`, by the instruction set's own products, which leave out V's zeros; or `apply`, where bundles are
 * too narrow for them. */
tw_diamond_fn tw_diamond_apply(enum tw_type type, const struct tw_chase_shape *c);
#endif
