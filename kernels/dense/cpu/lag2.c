/* From one precision to the other of the same kind, LAPACK's ?lag2? and ?lat2?: exact upwards, rounded downwards. */
#include <float.h>
#include "kernels/dense/cpu/typed.h"

#if TW_IS_SINGLE
typedef double other;
#else
typedef float other;
#endif

#if TW_IS_COMPLEX
enum { PARTS = 2 };
#else
enum { PARTS = 1 };
#endif

/* NaN fits: it stays one. */
static int beyond(R x)
{
#if TW_IS_SINGLE
    (void)x;
    return 0;
#else
    return x < -(R)FLT_MAX || x > (R)FLT_MAX;
#endif
}

int CPU(lag2)(char uplo, int m, int n, const void *a_, int lda, void *b_, int ldb)
{
    const R *a = a_;
    other *b = b_;
    int lost = 0;

    for (int j = 0; j < n; j++) {
        const int from = uplo == 'L' ? j : 0, to = uplo == 'U' && j + 1 < m ? j + 1 : m;
        for (int i = PARTS * from; i < PARTS * to; i++) {
            const R x = a[i + PARTS * (size_t)lda * (size_t)j];
            lost |= beyond(x);
            b[i + PARTS * (size_t)ldb * (size_t)j] = (other)x;
        }
    }
    return lost;
}
