/* Is there room for what a routine holds at the same time? Asked before any work. Temporaries may live on GPUs
 * alone. */
#include <math.h>
#include "algorithms/eigen/eigen_loops.h"
#include "runtime/base/error.h"

static double own(const struct tw_matrix *A)
{
    return A && A->storage == TW_STORAGE_POOL ? (double)A->bytes : 0;
}

int tw_eigen_memory(const char *who, double temporaries, const struct tw_matrix *A, const struct tw_matrix *B,
                    const struct tw_matrix *Z)
{
    const char *source = "";
    const double bytes = (tw_gpus() > 0 ? 0 : temporaries) + own(A) + (B == A ? 0 : own(B)) +
                         (Z == A || Z == B ? 0 : own(Z)),
                 limit = (double)tw_host_memory_limit(&source);

    if (limit <= 0 || bytes <= limit) return 0;
    return tw_fail(TW_E_MEMORY,
                   "%s needs about %.0f bytes (%.2f GiB) of host memory for its matrices and its own; the limit is "
                   "%.0f bytes (%.2f GiB, from %s)",
                   who, bytes, bytes / 1073741824.0, limit, limit / 1073741824.0, source);
}

static double square(tw_int n)
{
    return (double)n * (double)n;
}

/* The copy of a triangle, or reflectors written out. */
double tw_sytrd_bytes(enum tw_type type, tw_int n)
{
    return (double)tw_sizeof(type) * square(n) / 2;
}

/* The eigenvalue problem; then the eigenvectors, the same with columns scaled, and their product. */
double tw_syfun_bytes(enum tw_type type, tw_int n, tw_int nb)
{
    return fmax(3 * (double)tw_sizeof(type) * square(n), tw_syevd_bytes(type, n, (double)n, nb));
}
