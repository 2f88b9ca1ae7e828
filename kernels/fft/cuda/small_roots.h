/* Filling the tables of roots of unity that the small transforms read, rounded from long double. C++, host only. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_ROOTS_H
#define TW_KERNELS_FFT_CUDA_SMALL_ROOTS_H
#include <cmath>

/* exp(-2 pi i k / order) */
template <class C> static inline C tw_root_of(long double k, long double order)
{
    const long double angle = -2 * 3.14159265358979323846264338327950288L * k / order;
    C z;
    z.x = (decltype(z.x))cosl(angle);
    z.y = (decltype(z.x))sinl(angle);
    return z;
}

/* S::total complex numbers: see struct tw_small_shape. */
template <class S> static void tw_small_fill(void *memory)
{
    typedef typename S::C C;
    static const int of16[] = {1, 2, 3, 4, 8, 12}, others[] = {1, 2, 3, 4};
    C *table = (C *)memory, *at = table;

    for (int s = 1; s < S::passes; s++) {
        const int *power = S::radix(s) == 16 ? of16 : others;
        for (int e = 0; e < tw_small_roots(S::radix(s)); e++)
            for (int j = 0; j < S::before(s); j++)
                *at++ = tw_root_of<C>((long double)power[e] * j, (long double)S::before(s) * S::radix(s));
    }
    for (int k = 0; k <= S::M / 2; k++) {
        table[S::half + k] = tw_root_of<C>(k, 2 * S::M);
        table[S::eighth + k] = tw_root_of<C>(k, 8 * S::M);
    }
    for (int k = 0; k < S::M; k++)
        table[S::fourth + k] = tw_root_of<C>(8 * k + 1, 32 * S::M);
}
#endif
