/* Transposing arrays in main memory, block by block, so that both sides stay in the cache. */
#include "algorithms/lapack/transpose.h"
#include <stdlib.h>
#include "runtime/base/types.h"

#define BLOCK 32

struct sixteen {
    double x[2];
};

#define TRANSPOSE(name, T)                                                                                             \
    static void name(tw_int m, tw_int n, const T *a, tw_int lda, T *b, tw_int ldb)                                     \
    {                                                                                                                  \
        for (tw_int j0 = 0; j0 < n; j0 += BLOCK)                                                                       \
            for (tw_int i0 = 0; i0 < m; i0 += BLOCK)                                                                   \
                for (tw_int i = i0; i < tw_min(i0 + BLOCK, m); i++)                                                    \
                    for (tw_int j = j0; j < tw_min(j0 + BLOCK, n); j++)                                                \
                        b[j + i * ldb] = a[i + j * lda];                                                               \
    }
TRANSPOSE(four, float)
TRANSPOSE(eight, double)
TRANSPOSE(twice_eight, struct sixteen)

void tw_transpose(enum tw_type type, tw_int m, tw_int n, const void *from, tw_int ldf, void *to, tw_int ldt)
{
    switch (tw_sizeof(type)) {
    case 4: four(m, n, from, ldf, to, ldt); break;
    case 8: eight(m, n, from, ldf, to, ldt); break;
    default: twice_eight(m, n, from, ldf, to, ldt);
    }
}

void *tw_transposed_room(enum tw_type type, tw_int m, tw_int n)
{
    const double elements = (double)tw_max(1, m) * (double)tw_max(1, n) + 1;
    return elements < 1e18 ? malloc((size_t)elements * tw_sizeof(type)) : NULL;
}
