/* What the small transforms differ in: how a row of the input becomes M complex points, and how M complex points become
 * a row of the output. One row is read once and written once.
 *
 *   kind     points n of a row     its complex transform
 *   C2C      M                     itself
 *   R2C C2R  2 M                   even and odd elements as one complex number; split (joined) over pairs k, M - k
 *   DHT      2 M                   R2C, H[k] = Re X[k] - Im X[k]
 *   T2       2 M                   DCT 2 by J. Makhoul (A fast cosine transform in one and two dimensions, 1980): R2C
 *                                  of the even elements followed by the odd ones backwards, times exp(-pi i k / 2n)
 *   T3       2 M                   DCT 3, all of that backwards
 *   T4       2 M                   DCT 4: (x[2j] + i x[n-1-2j]) exp(-pi i (8j+1) / 8n), and the same factors behind
 *   T1       M + 1                 DCT 1: R2C of the even extension, of 2 M points
 *
 * flip: C2C backward; T1 … T4 the DST of that number (T1: M - 1 points, odd extension): DST 2 is DCT 2 of (-1)^j x[j]
 * backwards, DST 3 and 4 are (-1)^k times DCT 3 and 4 of the input backwards. Backward transforms are forward ones with
 * real and imaginary parts exchanged on both sides. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_FILTERS_CUH
#define TW_KERNELS_FFT_CUDA_SMALL_FILTERS_CUH
#include "kernels/fft/cuda/small.h"
#include "kernels/fft/cuda/small_core.cuh"

template <class S, int KIND> struct tw_small_filter {
    typedef typename S::R R;
    typedef typename S::C C;
    static constexpr int M = S::M, n = 2 * M;
    static constexpr bool through = (KIND == TW_SMALL_C2C || KIND == TW_SMALL_R2C || KIND == TW_SMALL_DHT),
                          joined = KIND == TW_SMALL_T3, /* in shared memory, between loading and the transform */
        wide = S::T * sizeof(C) >= 32,                  /* a transform's threads touch whole sectors */
        staged_in = KIND != TW_SMALL_T1 && !(through && wide),
                          staged_out = !((KIND == TW_SMALL_C2C || KIND == TW_SMALL_C2R) && wide);

    const struct tw_small_args *a;
    C *shared;
    int64_t first; /* row of the block's first transform */
    int tid;

    TW_MEMBER const C *part(int begin) const
    {
        return (const C *)a->table + begin;
    }
    TW_MEMBER C half_root(int k) const
    {
        return TW_READ_ROOT(part(S::half) + k);
    }
    TW_MEMBER C eighth(int k) const
    {
        return TW_READ_ROOT(part(S::eighth) + k);
    }
    TW_MEMBER C fourth(int k) const
    {
        return TW_READ_ROOT(part(S::fourth) + k);
    }
    TW_MEMBER bool exists(int b) const
    {
        return first + b < a->rows;
    }
    template <class X>
    TW_MEMBER const X *from(int b) const /* the row of transform b of the block; pitches are in elements */
    {
        return (const X *)((const char *)a->in +
                           (first + b) * a->ld_in *
                               (KIND == TW_SMALL_C2C || KIND == TW_SMALL_C2R ? sizeof(C) : sizeof(R)));
    }
    template <class X> TW_MEMBER X *to(int b) const
    {
        return (X *)((char *)a->out +
                     (first + b) * a->ld_out * (KIND == TW_SMALL_C2C || KIND == TW_SMALL_R2C ? sizeof(C) : sizeof(R)));
    }
    TW_MEMBER C *row(int b) const
    {
        return shared + b * S::row;
    }
    TW_MEMBER C &point(int b, int k) const
    {
        return shared[b * S::row + S::at(k)];
    }

    /* ---- loading ------------------------------------------------------------------------------------------------- */

    /* Point j of the extension of a row of DCT 1 or DST 1, of 2 M points; every element is read twice. */
    TW_MEMBER R extended(const R *x, int j) const
    {
        if (!a->flip) return x[j <= M ? j : n - j];
        if (j == 0 || j == M) return 0;
        return j < M ? x[j - 1] : -x[n - j - 1];
    }

    TW_MEMBER void load_direct(C *v) const
    {
        int b = tid / S::T, t = tid % S::T;
        TW_UNROLL
        for (int i = 0; i < S::P; i++) {
            int j = t + S::T * i;
            v[i] = tw_make<R>(0, 0);
            if (!exists(b)) continue;
            if (KIND == TW_SMALL_T1)
                v[i] = tw_make<R>(extended(from<R>(b), 2 * j), extended(from<R>(b), 2 * j + 1));
            else
                v[i] = TW_READ_ONCE(from<C>(b) + j);
        }
        if (KIND == TW_SMALL_C2C && a->flip) TW_UNROLL
        for (int i = 0; i < S::P; i++)
            v[i] = tw_swap(v[i]);
    }

    TW_MEMBER void load_points() const /* T3; C2C, R2C, DHT where few threads work on a transform */
    {
        C v[S::P];
        TW_UNROLL
        for (int i = 0; i < S::P; i++) {
            int e = tid + S::threads * i;
            v[i] = exists(e / M) ? TW_READ_ONCE(from<C>(e / M) + e % M) : tw_make<R>(0, 0);
        }
        TW_UNROLL
        for (int i = 0; i < S::P; i++) {
            int e = tid + S::threads * i;
            point(e / M, e % M) = KIND == TW_SMALL_C2C && a->flip ? tw_swap(v[i]) : v[i];
        }
    }

    struct four {
        C even, odd; /* elements 0 and 1, 2 and 3 */
    };
    static TW_MEMBER four read_four(const R *x)
    {
        four f;
#ifdef __CUDA_ARCH__
        if constexpr (sizeof(R) == 4) {
            float4 y = __ldcs((const float4 *)x);
            f.even = tw_make<R>(y.x, y.y);
            f.odd = tw_make<R>(y.z, y.w);
            return f;
        }
#endif
        f.even = TW_READ_ONCE((const C *)x);
        f.odd = TW_READ_ONCE((const C *)x + 1);
        return f;
    }
    static TW_MEMBER void write_four(R *x, C even, C odd)
    {
#ifdef __CUDA_ARCH__
        if constexpr (sizeof(R) == 4) {
            __stcs((float4 *)x, make_float4(even.x, even.y, odd.x, odd.y));
            return;
        }
#endif
        TW_WRITE_ONCE((C *)x, even);
        TW_WRITE_ONCE((C *)x + 1, odd);
    }

    TW_MEMBER void load_t2() const
    {
        R sign = a->flip ? (R)-1 : (R)1;
        four f[S::P / 2];
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i;
            f[i].even = f[i].odd = tw_make<R>(0, 0);
            if (exists(e / (M / 2))) f[i] = read_four(from<R>(e / (M / 2)) + 4 * (e % (M / 2)));
        }
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), q = e % (M / 2);
            point(b, q) = tw_make<R>(f[i].even.x, f[i].odd.x);
            point(b, M - 1 - q) = tw_make<R>(sign * f[i].odd.y, sign * f[i].even.y);
        }
    }

    /* Points q and M - 1 - q take the first elements of two pairs and, crosswise, the second. */
    TW_MEMBER void load_t4() const
    {
        C v[S::P];
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), q = e % (M / 2);
            v[2 * i] = v[2 * i + 1] = tw_make<R>(0, 0);
            if (!exists(b)) continue;
            v[2 * i] = TW_READ_ONCE((const C *)from<R>(b) + q);
            v[2 * i + 1] = TW_READ_ONCE((const C *)from<R>(b) + M - 1 - q);
        }
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), q = e % (M / 2);
            C x = v[2 * i], y = v[2 * i + 1];
            if (a->flip) x = tw_swap(v[2 * i + 1]), y = tw_swap(v[2 * i]);
            point(b, q) = tw_mul(tw_make<R>(x.x, y.y), fourth(q));
            point(b, M - 1 - q) = tw_mul(tw_make<R>(y.x, x.y), fourth(M - 1 - q));
        }
    }

    /* G[k] and G[M-k] of the half-complex row that a row of C2R is, from memory, or that one of T3 stands for, from
     * shared memory, where load_points has put it. In T3 the middle, its own partner, takes the place of the imaginary
     * parts of G[0] and G[M], which are not looked at: no branch between the loads. */
    TW_MEMBER R real_point(int b, int i) const
    {
        C z = point(b, (a->flip ? n - 1 - i : i) / 2);
        return (a->flip ? n - 1 - i : i) % 2 ? z.y : z.x;
    }
    TW_MEMBER C half_complex(int b, int k) const
    {
        if (KIND == TW_SMALL_C2R) return TW_READ_ONCE(from<C>(b) + k);
        R second = real_point(b, k == 0 ? M / 2 : k == M ? n - M / 2 : n - k);
        return tw_make<R>(real_point(b, k), k == 0 ? second : -second);
    }
    TW_MEMBER void fetch_pairs(C *v) const
    {
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), k = e % (M / 2);
            v[2 * i] = v[2 * i + 1] = tw_make<R>(0, 0);
            if (!exists(b)) continue;
            v[2 * i] = half_complex(b, k);
            v[2 * i + 1] = half_complex(b, M - k);
        }
    }
    /* Z[k] and Z[M-k] of the complex transform from G[k] and G[M-k], parts exchanged. */
    TW_MEMBER void join(int b, int k, C g, C h) const
    {
        C s = g + tw_conj(h), d = tw_mul_conj(g - tw_conj(h), half_root(k));
        point(b, k) = tw_make<R>(s.y + d.x, s.x - d.y);
        if (k != 0) point(b, M - k) = tw_make<R>(d.x - s.y, s.x + d.y);
    }
    TW_MEMBER void join_pairs(const C *v) const
    {
        const R c = (R)0.70710678118654752440;
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), k = e % (M / 2);
            C g = v[2 * i], h = v[2 * i + 1];
            if (k == 0) {
                C z = tw_make<R>(0, 0);
                if (KIND == TW_SMALL_T3)
                    z = tw_mul_conj(tw_make<R>(g.y, h.y), eighth(M / 2));
                else if (exists(b))
                    z = half_complex(b, M / 2);
                point(b, M / 2) = tw_make<R>(-2 * z.y, 2 * z.x);
                g.y = 0;
                h.y = KIND == TW_SMALL_T3 ? -h.x : 0;
            }
            if (KIND == TW_SMALL_T3) {
                C u = eighth(k);
                g = tw_mul_conj(g, u);
                h = tw_mul(tw_make<R>(c * (h.x - h.y), c * (h.x + h.y)), u);
            }
            join(b, k, g, h);
        }
    }

    TW_MEMBER void load(C *v) const
    {
        if (!staged_in)
            load_direct(v);
        else if (KIND == TW_SMALL_T2)
            load_t2();
        else if (KIND == TW_SMALL_T4)
            load_t4();
        else if (KIND == TW_SMALL_C2R)
            fetch_pairs(v), join_pairs(v);
        else
            load_points();
    }
    /* ---- storing ------------------------------------------------------------------------------------------------- */

    TW_MEMBER C scaled(C z) const
    {
        R s = (R)a->scale;
        return tw_make<R>(s * z.x, s * z.y);
    }
    TW_MEMBER C straight(C z) const
    {
        return scaled(KIND == TW_SMALL_C2R || (KIND == TW_SMALL_C2C && a->flip) ? tw_swap(z) : z);
    }

    TW_MEMBER void store_direct(const C *v) const
    {
        int b = tid / S::T, t = tid % S::T;
        if (!exists(b)) return;
        TW_UNROLL
        for (int i = 0; i < S::P; i++)
            TW_WRITE_ONCE(to<C>(b) + t + S::T * i, straight(v[i]));
    }
    TW_MEMBER void store_points() const
    {
        TW_UNROLL
        for (int i = 0; i < S::P; i++) {
            int e = tid + S::threads * i;
            if (exists(e / M)) TW_WRITE_ONCE(to<C>(e / M) + e % M, straight(point(e / M, e % M)));
        }
    }

    TW_MEMBER void put(R *y, int k, R value) const
    {
        TW_WRITE_ONCE(y + (KIND == TW_SMALL_T2 && a->flip ? n - 1 - k : k), (R)a->scale * value);
    }
    /* x = X[k] of the real transform */
    TW_MEMBER void low(int b, int k, C x) const
    {
        R *y = to<R>(b);
        if (KIND == TW_SMALL_R2C)
            TW_WRITE_ONCE(to<C>(b) + k, scaled(x));
        else if (KIND == TW_SMALL_DHT) {
            put(y, k, x.x - x.y);
            if (k != 0) put(y, n - k, x.x + x.y);
        } else if (KIND == TW_SMALL_T2) {
            C r = tw_mul(x, eighth(k));
            put(y, k, 2 * r.x);
            if (k != 0) put(y, n - k, -2 * r.y);
        } else if (!a->flip)
            put(y, k, x.x);
        else if (k != 0)
            put(y, k - 1, -x.y);
    }
    /* x = conj(X[M-k]) */
    TW_MEMBER void high(int b, int k, C x) const
    {
        const R c = (R)1.41421356237309504880;
        R *y = to<R>(b);
        if (KIND == TW_SMALL_R2C)
            TW_WRITE_ONCE(to<C>(b) + M - k, scaled(tw_conj(x)));
        else if (KIND == TW_SMALL_DHT) {
            put(y, M - k, x.x + x.y);
            if (k != 0) put(y, M + k, x.x - x.y);
        } else if (KIND == TW_SMALL_T2) {
            C r = tw_mul(x, eighth(k));
            put(y, M - k, c * (r.x - r.y));
            if (k != 0) put(y, M + k, c * (r.x + r.y));
        } else if (!a->flip)
            put(y, M - k, x.x);
        else if (k != 0)
            put(y, M - k - 1, x.y);
    }
    TW_MEMBER void store_pairs() const
    {
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), k = e % (M / 2);
            C z = point(b, k), y = tw_conj(point(b, k == 0 ? 0 : M - k)), s = z + y, d = tw_times_minus_i(z - y),
              o = tw_mul(d, half_root(k));
            if (!exists(b)) continue;
            low(b, k, tw_make<R>((R)0.5 * (s.x + o.x), (R)0.5 * (s.y + o.y)));
            high(b, k, tw_make<R>((R)0.5 * (s.x - o.x), (R)0.5 * (s.y - o.y)));
            if (k == 0) low(b, M / 2, tw_conj(point(b, M / 2)));
        }
    }

    TW_MEMBER void store_t3() const
    {
        R s = (R)a->scale, sign = a->flip ? -s : s;
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), q = e % (M / 2);
            C z = point(b, q), y = point(b, M - 1 - q); /* parts exchanged */
            if (exists(b))
                write_four(to<R>(b) + 4 * q, tw_make<R>(s * z.y, sign * y.x), tw_make<R>(s * z.x, sign * y.y));
        }
    }
    TW_MEMBER void store_t4() const
    {
        R s = 2 * (R)a->scale, sign = a->flip ? s : -s;
        TW_UNROLL
        for (int i = 0; i < S::P / 2; i++) {
            int e = tid + S::threads * i, b = e / (M / 2), q = e % (M / 2);
            C x = tw_mul(point(b, q), fourth(q)), y = tw_mul(point(b, M - 1 - q), fourth(M - 1 - q));
            if (!exists(b)) continue;
            TW_WRITE_ONCE((C *)to<R>(b) + q, tw_make<R>(s * x.x, sign * y.y));
            TW_WRITE_ONCE((C *)to<R>(b) + M - 1 - q, tw_make<R>(s * y.x, sign * x.y));
        }
    }

    TW_MEMBER void store(const C *v) const
    {
        if (!staged_out)
            store_direct(v);
        else if (KIND == TW_SMALL_C2C || KIND == TW_SMALL_C2R)
            store_points();
        else if (KIND == TW_SMALL_T3)
            store_t3();
        else if (KIND == TW_SMALL_T4)
            store_t4();
        else
            store_pairs();
    }
};
#endif
