/* What the doors of the condition numbers share: LAPACK's workspaces. */
#ifndef TW_ALGORITHMS_LAPACK_CONDITION_H
#define TW_ALGORITHMS_LAPACK_CONDITION_H
#include <math.h>
#include <stdlib.h>
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"

/* Both of LAPACK's workspaces for `vectors` vectors of n elements and n integers or 2 n real numbers; those of small
 * problems sit on the stack. */
struct condition_work {
    _Alignas(16) char few[8192];
    void *work, *more;
};
static inline int condition_work_begin(struct condition_work *w, const char *routine, enum tw_type type, tw_int n,
                                       int vectors)
{
    const size_t bytes = ((size_t)vectors * (size_t)n * tw_sizeof(type) + 63) / 64 * 64,
                 more = 2 * (size_t)n * sizeof(double);

    w->work = bytes + more <= sizeof w->few ? w->few : malloc(bytes + more);
    if (!w->work) return tw_fail(TW_E_MEMORY, "%s: no memory for %zu bytes of workspace", routine, bytes + more);
    w->more = (char *)w->work + bytes;
    return 0;
}
static inline void condition_work_end(struct condition_work *w)
{
    if (w->work != w->few) free(w->work);
}
/* LAPACK's rcond, never NaN; newer LAPACKs report one as info = 1, here it is 0. */
static inline tw_int told_condition(tw_int info, double *rcond)
{
    if (!isfinite(*rcond)) *rcond = 0;
    return info > 0 ? 0 : info;
}

#define NORM(i)                                                                                                        \
    ARGUMENT(i, norm == '1' || (norm = (char)(letter(norm, 'O', 'O') | letter(norm, 'I', 'I'))), "not '1', 'O' or 'I'")
static inline enum tw_norm norm_of(char norm)
{
    return norm == 'I' ? TW_INF_NORM : TW_ONE_NORM;
}
/* The same norm of the transpose. Unknown letters stay. */
static inline char other_norm(char norm)
{
    return norm == 'I' || norm == 'i' ? '1' : norm == '1' || norm == 'O' || norm == 'o' ? 'I' : norm;
}
/* Five solves with one right-hand side, each of n^2 multiplications: the order whose Cholesky factorization has as many
 * flops. */
static inline double condition_order(tw_int n)
{
    return cbrt(60.0 * (double)n * (double)n);
}
#endif
