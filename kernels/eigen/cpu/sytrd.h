/* CPU kernels of the copies between a matrix in LAPACK's storage and the objects of the one-stage reduction, one table
 * per precision. */
#ifndef TW_KERNELS_EIGEN_CPU_SYTRD_H
#define TW_KERNELS_EIGEN_CPU_SYTRD_H
#include <tilework/runtime.h>
#include "types/eigen/sytrd.h"

struct tw_sytrd_kernels {
    /* b(m - 1 - i, n - 1 - j) = a(i, j) */
    void (*reversed)(int m, int n, const void *a, int lda, void *b, int ldb);
    /* The panel's columns of a tile: d, e (of the panel, times scale) and reflectors. v: from row first + 1 on, of the
     * lower form. */
    void (*store)(const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *v, int ldv, const void *d,
                  const void *e, double scale, void *a, int lda);
    /* Reflectors of a tile's columns into v, with ones and zeros; its rows are the matrix': those from first + 1 on, of
     * uplo 'U' those before the last first + 1. */
    void (*load)(const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *a, int lda, void *v,
                 int ldv);
};
extern const struct tw_sytrd_kernels *const tw_sytrd_kernels[TW_NTYPES];
#endif
