/* Real transforms of any length around one of cuFFT's: what lies before it and behind it, element by element. A row of
 * n points becomes a row of the complex or real transform ("inner"), whose result becomes n points. Compiled for the
 * host too, where the tests run it.
 *
 *   kind         inner                         before                                behind
 *   DHT          R2C of n                      nothing                               H[k] = Re X[k] - Im X[k]
 *   DCT1 DST1    R2C of 2(n-1), 2(n+1)         even, odd extension                   its real part; minus the imaginary
 *                                              part, without X[0]
 *   DCT2 DST2    R2C of n                      even elements, odd ones backwards     times exp(-pi i k / 2n) (J.
 *                                              Makhoul, 1980)
 *   DCT3 DST3    C2R of n                      that backwards                        that backwards
 *   DCT4 DST4    C2C of n/2, even n            (x[2j] + i x[n-1-2j]) f[j]            times f[k], f[j] = exp(-pi i
 *                                              (8j+1) / 8n)
 *                R2C of n, odd n               a permutation with signs              sums over +-45 degrees (S. Chan
 *                                              and K. Ho, 1992)
 *
 * DST 2 is DCT 2 of (-1)^j x[j] backwards; DST 3 and 4 are (-1)^k times DCT 3 and 4 of the input backwards. */
#ifndef TW_KERNELS_FFT_CUDA_REAL_FILTERS_CUH
#define TW_KERNELS_FFT_CUDA_REAL_FILTERS_CUH
#include "kernels/fft/cuda/small_butterflies.cuh"

enum tw_real_method { TW_REAL_T1, TW_REAL_T2, TW_REAL_T3, TW_REAL_T4_EVEN, TW_REAL_T4_ODD, TW_REAL_DHT };

/* A line of an array: elements `stride` apart. */
template <class X> struct tw_real_line {
    X *at;
    int64_t stride;
    TW_MEMBER X &operator[](int64_t j) const
    {
        return at[j * stride];
    }
};
/* Many lines, counted from `first`: `inner` of them lie side by side, then the next `inner` are `outer` elements
 * further. */
struct tw_real_lines {
    int64_t inner, outer, stride, first;
};
template <class X> TW_HOST_DEVICE tw_real_line<X> tw_real_line_of(X *x, const tw_real_lines &l, int64_t number)
{
    number += l.first;
    tw_real_line<X> line = {x + (l.inner == 1 ? number * l.outer : number / l.inner * l.outer + number % l.inner),
                            l.stride};
    return line;
}

/* exp(-pi i t): from a table where there is one. */
template <class R> TW_HOST_DEVICE tw_cx<R> tw_real_root(double t)
{
    double c, s;
#ifdef __CUDA_ARCH__
    sincospi(-t, &s, &c);
#else
    s = sin(-3.14159265358979323846 * t), c = cos(3.14159265358979323846 * t);
#endif
    return tw_make<R>((R)c, (R)s);
}

template <class R, int METHOD> struct tw_real_filter {
    typedef tw_cx<R> C;
    int64_t n;      /* points */
    int64_t length; /* of the inner transform */
    int sine;       /* DST */
    const C *table; /* of factors, NULL: compute them */
    R scale;

    TW_MEMBER C factor(int64_t k) const
    {
        if (table) return table[k];
        return METHOD == TW_REAL_T4_EVEN ? tw_real_root<R>((double)(8 * k + 1) / (double)(8 * n))
                                         : tw_real_root<R>((double)k / (double)(2 * n));
    }
    TW_MEMBER R backwards(const tw_real_line<const R> &x, int64_t j) const /* DST 3 and 4 */
    {
        return x[sine ? n - 1 - j : j];
    }

    /* Element i of the inner transform's input, if that is real. */
    TW_MEMBER R before(const tw_real_line<const R> &x, int64_t i, R *) const
    {
        if (METHOD == TW_REAL_DHT) return x[i];
        if (METHOD == TW_REAL_T1) {
            if (!sine) return x[i < n ? i : length - i];
            if (i == 0 || i == n + 1) return 0;
            return i <= n ? x[i - 1] : -x[length - i - 1];
        }
        if (METHOD == TW_REAL_T2) {
            if (i < (n + 1) / 2) return x[2 * i];
            return sine ? -x[2 * (n - i) - 1] : x[2 * (n - i) - 1];
        }
        /* T4_ODD: element n/2 + 4 i of the extension, of period 4 n, that the cosines have */
        int64_t m = (n / 2 + 4 * i) % (4 * n);
        if (m < n) return backwards(x, m);
        if (m < 2 * n) return -backwards(x, 2 * n - 1 - m);
        if (m < 3 * n) return -backwards(x, m - 2 * n);
        return backwards(x, 4 * n - 1 - m);
    }
    /* … if it is complex. */
    TW_MEMBER C before(const tw_real_line<const R> &x, int64_t i, C *) const
    {
        if (METHOD == TW_REAL_T3)
            return tw_mul_conj(tw_make<R>(backwards(x, i), i == 0 ? (R)0 : -backwards(x, n - i)), factor(i));
        return tw_mul(tw_make<R>(backwards(x, 2 * i), backwards(x, n - 1 - 2 * i)), factor(i));
    }

    /* Point k of the result from the inner transform's, z. (Two points at once from the same element would read half as
     * much, but be slower: the rows of a warp lie in the cache.) */
    TW_MEMBER R behind(const C *z, int64_t k) const
    {
        if (METHOD == TW_REAL_T1) return scale * (sine ? -z[k + 1].y : z[k].x);
        if (METHOD == TW_REAL_DHT) {
            C y = z[k <= n / 2 ? k : n - k];
            return scale * (k <= n / 2 ? y.x - y.y : y.x + y.y);
        }
        if (METHOD == TW_REAL_T2) {
            int64_t j = sine ? n - 1 - k : k, m = j <= n / 2 ? j : n - j;
            C y = tw_mul(z[m], factor(m));
            return 2 * scale * (j <= n / 2 ? y.x : -y.y);
        }
        if (METHOD == TW_REAL_T4_EVEN) {
            int odd = (int)(k & 1);
            int64_t m = odd ? (n - 1 - k) / 2 : k / 2;
            C y = tw_mul(z[m], factor(m));
            return 2 * scale * (!odd ? y.x : sine ? y.y : -y.y);
        }
        /* T4_ODD: the cosine and the sine of (2 k + 1) pi / 4, times sqrt 2 */
        int64_t m = (2 * k + 1) % n;
        int eighth = (int)((2 * k + 1) % 8);
        C y = m <= n / 2 ? z[m] : tw_conj(z[n - m]);
        R sum = (eighth == 1 || eighth == 7 ? y.x : -y.x) + (eighth < 4 ? y.y : -y.y);
        return (R)1.41421356237309504880 * (sine && k % 2 ? -scale : scale) * sum;
    }
    TW_MEMBER R behind(const R *v, int64_t k) const /* T3 */
    {
        R y = v[k % 2 ? n - (k + 1) / 2 : k / 2];
        return (sine && k % 2 ? -scale : scale) * y;
    }
};
#endif
