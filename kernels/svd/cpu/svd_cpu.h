/* CPU kernels of singular value problems, one table per precision. Real arrays come as void *. */
#ifndef TW_KERNELS_SVD_CPU_SVD_CPU_H
#define TW_KERNELS_SVD_CPU_SVD_CPU_H
#include <tilework/runtime.h>

struct tw_svd_kernels {
    /* d becomes the singular values, descending, of the upper bidiagonal matrix with diagonal d (n) and super-diagonal
     * e (n - 1), which is used up. Real types only. LAPACK's info of bdsqr without vectors, which is lasq1; -1: no
     * memory. */
    int (*lasq1)(int n, void *d, void *e);
    /* LAPACK's gesdd, s as doubles. LAPACK's info, or -1 without memory. */
    int (*gesdd)(char jobz, int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt);
    /* An upper triangular band's columns as storage has them (kernels/svd/cpu/tb2bd.h), from their first row and column
     * on: R (k x k, upper triangle) on the diagonal, and right of it the adjoint of L (l x k, upper trapezoid; l may be
     * 0). a: element (0, 0) of R; `across` elements to the next one of its row. */
    void (*store_band)(int k, const void *r, int ldr, int l, const void *lh, int ldl, void *a, int across);
    /* Row first + i of C (m x n) divided by s[first + i] and times 2^e, or zeros where that is at most tol. */
    void (*divide_rows)(int m, int n, int first, const double *s, double tol, int e, void *c, int ldc);
    /* The length of each column of R (m x n) times 2^e, then zeros: to is k x n. */
    void (*lengths)(int m, int n, const void *r, int ldr, int e, int k, void *to, int ldt);
};
extern const struct tw_svd_kernels *const tw_svd_kernels[TW_NTYPES];
#endif
