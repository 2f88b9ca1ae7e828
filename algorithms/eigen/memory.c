/* Is there room for what a routine holds at the same time? Asked before any work. Temporaries may live on GPUs
 * alone. */
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
                   "%s needs at least %.0f bytes (%.2f GiB) of host memory for its matrices and its own; the limit is "
                   "%.0f bytes (%.2f GiB, from %s)",
                   who, bytes, bytes / 1073741824.0, limit, limit / 1073741824.0, source);
}

static double square(tw_int n)
{
    return (double)n * (double)n;
}

/* Stage 1's reflectors stay until the last vectors have gone back; those, real ones at first, are made in the last
 * merge. */
double tw_syevd_bytes(enum tw_type type, tw_int n, double columns)
{
    const double size = (double)tw_sizeof(type), real = (double)tw_sizeof(tw_real_type(type));
    return size * square(n) / 2 + real * (double)n * columns;
}

/* The copy of a triangle, or reflectors written out. */
double tw_sytrd_bytes(enum tw_type type, tw_int n)
{
    return (double)tw_sizeof(type) * square(n) / 2;
}

/* The last merge has its halves' eigenvectors and its own. */
double tw_stedc_bytes(enum tw_type type, tw_int n, double columns)
{
    return (double)tw_sizeof(tw_real_type(type)) * (square(n) / 2 + (double)n * columns);
}

/* The eigenvectors and the same with columns scaled; as their product grows, its factors go. */
double tw_syfun_bytes(enum tw_type type, tw_int n)
{
    return 2 * (double)tw_sizeof(type) * square(n);
}
