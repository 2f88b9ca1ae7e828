/* CPU kernels of GMRES and of the scalings that factors of half precision want, one table per precision; systems of
 * double precision use them. */
#ifndef TW_KERNELS_DENSE_CPU_GMRES_H
#define TW_KERNELS_DENSE_CPU_GMRES_H
#include <tilework/runtime.h>
#include "types/dense/gmres.h"

struct tw_gmres_kernels {
    /* The first vectors, of residuals in x; x becomes what the preconditioner gets. */
    void (*begin)(const struct tw_gmres_block *b);
    /* Step k: x has z, w has - A z; the next vectors, and x as above. 1 if a column is not done. */
    int (*step)(const struct tw_gmres_block *b, int k);
    /* x becomes the correction. */
    void (*end)(const struct tw_gmres_block *b);
    /* B = diag(r) A diag(c) in the other precision of the same kind, scaled in the higher one; NULL: 1. Of the part
     * uplo: 'G', 'L', 'U'. */
    void (*lag2_scaled)(char uplo, int m, int n, const void *a, int lda, const double *r, const double *c, void *b,
                        int ldb);
    /* scale_i = 1 / sqrt(a_ii), or 1; the place from 1 of the first that is not positive, or 0. */
    int (*rsqrt_diagonal)(int n, const void *a, int lda, double *scale);
};
extern const struct tw_gmres_kernels *const tw_gmres_kernels[TW_NTYPES];
#endif
