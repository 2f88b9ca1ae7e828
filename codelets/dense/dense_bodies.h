/* What the codelets share. Buffers are listed in each file in the order of body->buf. */
#ifndef TW_CODELETS_DENSE_DENSE_BODIES_H
#define TW_CODELETS_DENSE_DENSE_BODIES_H
#include "codelets/dense/dense_tasks.h"
#include "kernels/dense/cpu/dense_cpu.h"
#include "kernels/dense/cuda/dense_cuda.h" /* the tables it declares exist only in builds with CUDA */

/* The order that decides a kernel's efficiency. */
static inline double tw_smallest(int a, int b, int c)
{
    return (double)tw_min(tw_min(a, b), c);
}
/* A^H of a real matrix is A^T: kernels of real types are never given 'C' (some BLAS refuse it in syrk). */
static inline char tw_real_trans(enum tw_type type, char trans)
{
    return trans == 'C' && !tw_is_complex(type) ? 'T' : trans;
}
static inline int tw_is_zero(enum tw_type type, tw_scalar x)
{
    return x.re == 0 && (x.im == 0 || !tw_is_complex(type));
}
/* Numerical infos are combined, the smallest positive one wins: the first failing minor, whichever tile found it. */
static inline void tw_combine_info(int64_t *info, int64_t offset, int k)
{
    if (k > 0 && (*info == 0 || offset + k < *info)) *info = offset + k;
}
#define TW_CPU(body)  tw_cpu_kernels[(body)->type]
#define TW_CUDA(body) tw_cuda_kernels[(body)->type]
#endif
