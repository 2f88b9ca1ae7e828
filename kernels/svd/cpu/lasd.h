/* CPU kernels of divide and conquer for a bidiagonal matrix' singular values and vectors, one table for each real type.
 * Arrays of reals come as void *.
 *
 * B, upper bidiagonal, is cut before row `cut`: what its row cut - 1 has, alpha and beta, is taken away, and two square
 * matrices remain, of which the first one's last row is zero. Such a part has, as its last column, a null one: a
 * singular value 0 whose left vector is the last unit vector, exactly. A merge is B = U (S + u (alpha l, beta f)) V^T
 * with U, V the halves' vectors, S their values, l the last row of V1, f the first of V2, and u the first half's null
 * column; its singular values are the roots of 1 + sum z(i)^2 / (d(i)^2 - sigma^2). M. Gu and S. C. Eisenstat, SIAM J.
 * Matrix Anal. Appl. 16 (1995), 79-92; LAPACK's lasd1, lasd2, lasd3, lasd4 have the names of the steps. */
#ifndef TW_KERNELS_SVD_CPU_LASD_H
#define TW_KERNELS_SVD_CPU_LASD_H
#include <tilework/runtime.h>
#include "types/eigen/merge.h"

struct tw_lasd_kernels {
    /* s (in any order, the null column's last), U and V (not transposed) of the upper bidiagonal matrix with diagonal d
     * and super-diagonal e, elements at most 1; null: its last row is zero whatever d says. work: tw_lasd_leaf_work(n)
     * bytes. LAPACK's info. */
    int (*leaf)(int n, int null, const void *d, const void *e, void *s, void *u, int ldu, void *v, int ldv, void *work);
    /* As tw_laed_kernels' (kernels/eigen/cpu/laed.h); null: of the second half. d's begin with 0, of the first half's
     * null column; if null, the last of the deflated columns is the merge's own null column, and the first rotation is
     * the right vectors' alone. work: tw_laed_deflate_work(n1 + n2) bytes. */
    void (*deflate)(int n1, int n2, int null, double alpha, double beta, const void *d1, const void *d2, const void *z1,
                    const void *z2, struct tw_merge_head *head, int32_t *plan, void *numbers, void *work);
    /* As tw_laed_kernels', delta(i, j) = d(i)^2 - sigma(first + j)^2. work: k reals. */
    void (*roots)(int m, int k, int first, int count, const void *numbers, void *lambda, void *delta, void *part,
                  void *work);
    /* Left or right singular vectors of diag(d) + e1 z^T. */
    void (*vectors)(int left, int m, int k, int count, const void *numbers, const void *z, const int32_t *place,
                    const void *delta, void *s);
};
extern const struct tw_lasd_kernels tw_cpu_slasd, tw_cpu_dlasd;
static inline const struct tw_lasd_kernels *tw_lasd_kernels(int single)
{
    return single ? &tw_cpu_slasd : &tw_cpu_dlasd;
}
static inline size_t tw_lasd_leaf_work(int n)
{
    const size_t N = (size_t)n;
    return sizeof(double) * (3 * N * N + 4 * N + 8) + sizeof(int) * (8 * N + 8);
}
#endif
