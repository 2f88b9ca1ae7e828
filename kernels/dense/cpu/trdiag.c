/* First exactly zero element of a triangle's diagonal: LAPACK's info of a singular triangle. */
#include "kernels/dense/cpu/typed.h"

int CPU(trdiag)(int n, const void *a_, int lda)
{
    const T *a = a_;
    for (int i = 0; i < n; i++)
        if (*TW_AT(a, lda, i, i) == 0) return i + 1;
    return 0;
}
