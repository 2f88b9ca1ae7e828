/* Numbers of single precision rounded to half precision: 11 significant bits, multiples of 2^-24, none above 65504.
 * Ties go to the even one; what rounds beyond becomes an infinity. In software: compilers' _Float16 is not everywhere,
 * and calls a function for each number where processors lack the instruction. */
#include <math.h>
#include <string.h>
#include "kernels/dense/cpu/typed.h"

#if TW_IS_SINGLE
static inline float half_of(float x)
{
    const float size = fabsf(x), small = (size + 0.75f) - 0.75f; /* below 1/4 the sum's last bit is 2^-24 */
    unsigned bits;
    float normal;

    memcpy(&bits, &size, sizeof bits);
    bits = (bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu;
    memcpy(&normal, &bits, sizeof bits);
    normal = size < 0x1p-14f ? small : size >= 65520 ? INFINITY : normal;
    return x != x ? x : copysignf(normal, x);
}
#else
/* There is none beside double precision: numbers stay what they are. */
static inline R half_of(R x)
{
    return x;
}
#endif

void CPU(half)(int m, int n, const void *a_, int lda, void *b_, int ldb)
{
    enum { PARTS = TW_IS_COMPLEX ? 2 : 1 };

    for (int j = 0; j < n; j++) {
        const R *a = (const R *)TW_AT((const T *)a_, lda, 0, j);
        R *b = (R *)TW_AT((T *)b_, ldb, 0, j);
        for (int i = 0; i < PARTS * m; i++)
            b[i] = half_of(a[i]);
    }
}
