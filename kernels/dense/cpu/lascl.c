/* A tile or a triangle times to / from, by factors that stay in range. */
#include "kernels/dense/cpu/typed.h"
#include "kernels/dense/scale_steps.h"

void CPU(lascl)(char uplo, int m, int n, double from, double to, void *a, int lda)
{
    struct tw_scale s = {(R)from, (R)to, 0};
    while (!s.done) {
        R factor = tw_scale_step(&s);
        for (int j = 0; j < n; j++) {
            T *column = TW_AT((T *)a, lda, 0, j);
            int first = uplo == 'L' ? j : 0, last = uplo == 'U' ? tw_min(j + 1, m) : m;
            for (int i = first; i < last; i++)
                column[i] *= factor;
        }
    }
}
