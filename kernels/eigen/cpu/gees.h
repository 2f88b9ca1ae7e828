/* CPU kernels of the Schur form in an order, and of condition numbers, one table per precision. */
#ifndef TW_KERNELS_EIGEN_CPU_GEES_H
#define TW_KERNELS_EIGEN_CPU_GEES_H
#include <tilework/runtime.h>
#include "types/eigen/geev.h"

struct tw_gees_kernels {
    /* What LAPACK's geesx does behind the QR iteration, whose info that is: the eigenvalues that are selected come
     * first (trsen), Z (NULL: not wanted) becomes the original matrix' by gebak, T is scaled back, wr and wi, n
     * doubles, are what T says. Returned: the info, n + 1: they could not be put in order, n + 2: rounding made one of
     * them another; -1: no memory. */
    int (*arrange)(int n, const struct tw_geev_head *head, const struct tw_gees_order *order, int info, void *t,
                   int ldt, void *z, int ldz, const void *scale, double *wr, double *wi, struct tw_gees_found *found);
    /* Condition numbers of eigenvalues (sense 'E'), of eigenvectors ('V', times factor) or both ('B'), first ... first
     * + count - 1, which part no pair; vl and vr: these eigenvectors. s and sep: count doubles. 0, or -1 without
     * memory. */
    int (*conditions)(char sense, int n, int first, int count, const void *t, int ldt, const void *vl, int ldvl,
                      const void *vr, int ldvr, double factor, double *s, double *sep);
};
extern const struct tw_gees_kernels *const tw_gees_kernels[TW_NTYPES];
#endif
