/* CPU kernels of divide and conquer (types/eigen/merge.h), one table for each real type. Arrays of reals come as void
 * *. */
#ifndef TW_KERNELS_EIGEN_CPU_LAED_H
#define TW_KERNELS_EIGEN_CPU_LAED_H
#include <tilework/runtime.h>
#include "runtime/base/parts.h"
#include "types/eigen/merge.h"

struct tw_laed_kernels {
    /* d (n) and e (n - 1) become those of a matrix whose largest element is 1 (or 0), which it returns, cut down to
     * order `leaf`. */
    double (*tear)(int n, int leaf, void *d, void *e);
    /* Eigenvalues (ascending) and eigenvectors of the tridiagonal matrix with diagonal d and sub-diagonal e, which
     * stay. 0, or LAPACK's info, or -1: no memory. */
    int (*leaf)(int n, const void *d, const void *e, void *w, void *q, int ldq);
    /* d becomes its eigenvalues, ascending; e is used up. LAPACK's info. */
    int (*values)(int n, void *d, void *e);
    /* How many eigenvalues are at most x. */
    int64_t (*below)(int n, const void *d, const void *e, double x);
    /* e: the element at the cut; z1: the last row of Q1, z2: the first row of Q2. work: tw_laed_deflate_work(n1 + n2)
     * bytes. */
    void (*deflate)(int n1, int n2, double e, const void *d1, const void *d2, const void *z1, const void *z2,
                    struct tw_merge_head *head, int32_t *plan, void *numbers, void *work);
    /* The columns that stay, grouped: `top` (n1 x (k1 + k2)) of Q1's rows, `bottom` (n2 x (k2 + k3)) of Q2's; and the
     * deflated ones, rest (m x (m - k)); all without gaps. skip: the first of the rotations, which these columns do not
     * take. The same bits whichever threads are in the team. */
    void (*gather)(const struct tw_merge_columns *q1, const struct tw_merge_columns *q2,
                   const struct tw_merge_head *head, int skip, const int32_t *plan, const void *numbers, void *top,
                   void *bottom, void *rest, struct tw_team *team);
    /* Roots first ... first + count - 1 of k: lambda, and delta(i, j) = d(i) - lambda(first + j), k x count without
     * gaps; and the product over these j of delta(i, j) / (d(i) - d(j)), for j = i of delta(i, i), into part (k). A
     * root that is not found is NaN. k <= 2: delta is the eigenvector itself. */
    void (*roots)(int m, int k, int first, int count, const void *numbers, void *lambda, void *delta, void *part);
    /* z(i) as if the roots were exact: of the parts' product. */
    void (*weights)(int m, int k, int parts, const void *const *part, const void *numbers, void *z);
    /* The eigenvectors of diag(d) + rho z z^T, grouped rows, of length 1: s (k x count). */
    void (*vectors)(int k, int count, const void *z, const int32_t *place, const void *delta, void *s);
    /* at: the places of d's n elements in ascending order. */
    void (*order)(int n, const void *d, int32_t *at);
    /* Columns order[first], order[first + 1], ... to S (rows x count, ld lds), as complex numbers if is_complex; those
     * from number `known` on are the identity's, and rows below Q's are zeros. */
    void (*sort)(const struct tw_merge_columns *from, const int32_t *order, int first, int known, int count,
                 int is_complex, int rows, void *s, int lds);
};
extern const struct tw_laed_kernels tw_cpu_slaed, tw_cpu_dlaed;
static inline const struct tw_laed_kernels *tw_laed_kernels(int single)
{
    return single ? &tw_cpu_slaed : &tw_cpu_dlaed;
}
static inline size_t tw_laed_deflate_work(int m)
{
    return (size_t)m * (4 * sizeof(double) + 3 * sizeof(int32_t)) + 64;
}
#endif
