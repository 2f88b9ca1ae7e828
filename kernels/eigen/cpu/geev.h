/* CPU kernels of the eigenvalue problem of a general matrix, before and behind its reduction to Hessenberg form, one
 * table per precision. */
#ifndef TW_KERNELS_EIGEN_CPU_GEEV_H
#define TW_KERNELS_EIGEN_CPU_GEEV_H
#include <stdint.h>
#include <tilework/runtime.h>
#include "types/eigen/geev.h"

struct tw_geev_kernels {
    /* Brings A's largest element into the middle of the range, where it is near its ends, and balances A (LAPACK's
     * gebal with that job). scale: n real numbers, for `finish`. one: the 1-norm is wanted. */
    void (*balance)(char job, int one, int n, void *a, int lda, void *scale, struct tw_geev_head *head);
    /* H, in rows and columns ilo ... ihi Hessenberg, becomes its Schur form T, Z (NULL: not wanted) Z times its
     * vectors; eigenvalues, real and imaginary parts, of A as it was, NaN where they did not converge. Of Z there may
     * be `rows` rows alone (only of orders that LAPACK takes for large; n: all). wr, wi and pair may be NULL. pair: of
     * each column of T 0; of two that have conjugate eigenvalues 1 and 2. LAPACK's info of hseqr; -1: no memory.
     * Eigenvalues do not depend on Z. */
    int (*schur)(int n, const struct tw_geev_head *head, void *h, int ldh, void *z, int ldz, int rows, double *wr,
                 double *wi, int32_t *pair);
    /* T's right (side 'R') or left ('L') eigenvectors first ... first + count - 1, which part no pair: x has `count`
     * columns and of their rows those that are not zero, the first first + count or the last n - first. 0, or -1
     * without memory. */
    int (*solve)(char side, int n, int first, int count, const void *t, int ldt, void *x, int ldx);
    /* Eigenvectors of the balanced matrix, n x count, become A's, of length 1, as LAPACK's geev leaves them. pair: of
     * these columns. */
    void (*finish)(char side, int n, int count, const struct tw_geev_head *head, const void *scale, const int32_t *pair,
                   void *v, int ldv);
};
extern const struct tw_geev_kernels *const tw_geev_kernels[TW_NTYPES];
#endif
