/* Sturm's counts at many points at once, block by block, so that blocks count alike alone and together: how often signs
 * change in the sequence of leading minors of T - x, or, of matrices with sub-diagonal elements so small that minors
 * could leave the range, negative pivots of T - x = L D L^T, one that is nearly 0 counts as negative, as LAPACK's. A
 * minor takes three products and sums where a pivot takes a division. Those of one point wait for one another; those of
 * several vectors of points do not. No product is rounded together with a sum: all instruction sets have the same
 * counts. */
#include <float.h>
#include <math.h>
#include "kernels/eigen/cpu/hb2st_vector.h"
#include "kernels/eigen/cpu/laebz.h"

#if !TW_IS_COMPLEX && !TW_IS_SINGLE
enum { VECTORS = 4, AT_ONCE = VECTORS * VL };

static void by_pivots(int n, const double *d, const double *e2, const V *x, VM *below)
{
    const V tiny = (V){0} + DBL_MIN;
    V pivot[VECTORS];

    for (int v = 0; v < VECTORS; v++) {
        pivot[v] = (V){0} + 1;
        below[v] = (VM){0};
    }
    for (int i = 0; i < n; i++)
        for (int v = 0; v < VECTORS; v++) {
            const V p = d[i] - e2[i] / pivot[v] - x[v];
            const VM near = (p <= tiny) & (p >= -tiny);
            pivot[v] = (V)((near & (VM)(-tiny)) | (~near & (VM)p));
            below[v] -= pivot[v] < 0;
        }
}

/* A product that no sum takes in. */
static inline V rounded(V x)
{
#if defined(TW_ISA_avx512) || defined(TW_ISA_avx2)
    __asm__("" : "+v"(x));
#endif
    return x;
}
typedef uint64_t VU __attribute__((vector_size(BYTES)));
static inline VM signs_differ(V x, V y)
{
    return (VM)((VU)((VM)x ^ (VM)y) >> 63);
}
/* 2^-k for numbers of size 2^k ... 2^(k+1), the larger one's. */
static inline V inverse_size(V x, V y)
{
    const VM exponent = (VM){0} + (INT64_C(2047) << 52), a = (VM)x & exponent, b = (VM)y & exponent;
    return (V)((VM){0} + (INT64_C(2046) << 52) - (VM)blend(a > b, (V)a, (V)b));
}

/* The minor behind p and q, in q's place. */
static inline void next(double d, double e2, V x, V p, V *q, VM *below)
{
    *q = rounded((d - x) * p) - rounded(e2 * *q);
    *below += signs_differ(p, *q);
}

/* Scaled after `every` rows, an even number. A minor that is zero has either sign without a change of what is counted,
 * but for the last one. */
static void by_minors(int n, int every, const double *d, const double *e2, const V *x, VM *below, V *minor, VM *power)
{
    V p[VECTORS], q[VECTORS];
    VM count[VECTORS], scaled[VECTORS];

    for (int v = 0; v < VECTORS; v++) {
        p[v] = (V){0} + 1, q[v] = (V){0};
        count[v] = scaled[v] = (VM){0};
    }
    for (int i = 0, last; i < n; i = last) {
        last = n - i < every ? n : i + every;
        for (; i + 2 <= last; i += 2) {
            for (int v = 0; v < VECTORS; v++)
                next(d[i], e2[i], x[v], p[v], &q[v], &count[v]);
            for (int v = 0; v < VECTORS; v++)
                next(d[i + 1], e2[i + 1], x[v], q[v], &p[v], &count[v]);
        }
        for (int v = 0; v < VECTORS && i < last; v++) { /* n is odd */
            const V old = p[v];
            next(d[i], e2[i], x[v], old, &q[v], &count[v]);
            p[v] = q[v], q[v] = old;
        }
        for (int v = 0; v < VECTORS; v++) {
            const V scale = inverse_size(p[v], q[v]);
            p[v] *= scale, q[v] *= scale;
            scaled[v] += 1023 - (VM)((VU)scale >> 52);
        }
    }
    for (int v = 0; v < VECTORS; v++) {
        below[v] = count[v] + ((p[v] == 0) & (1 - signs_differ(p[v], q[v])));
        minor[v] = p[v], power[v] = scaled[v];
    }
}

/* Where the block that begins at row `from` ends, and in how many of its rows elements of at most 1 in size and its
 * squares beside them take minors from the order of 1 to nowhere near the ends of the range; 0: in one. */
static int block_end(int n, const double *e2, int from, int *every)
{
    enum { CHUNK = 64 };
    V least = (V){0} + 1;
    double lane[VL], lowest = 1;
    int i = from + 1;

    for (; i + CHUNK <= n && lowest > 0; i += CHUNK) {
        V x, some = least;
        for (int k = 0; k < CHUNK; k += VL) {
            x = load(e2 + i + k);
            some = blend(x < some, x, some);
        }
        memcpy(lane, &some, sizeof lane);
        for (int l = 0; l < VL; l++)
            lowest = lane[l] < lowest ? lane[l] : lowest;
        if (lowest == 0) break; /* it ends in this chunk */
        least = some;
    }
    memcpy(lane, &least, sizeof lane);
    lowest = 1;
    for (int l = 0; l < VL; l++)
        lowest = lane[l] < lowest ? lane[l] : lowest;
    for (; i < n && e2[i] != 0; i++)
        lowest = e2[i] < lowest ? e2[i] : lowest;
    *every = lowest > 1e-28 ? 8 : lowest > 1e-56 ? 4 : 0;
    return i;
}

void TW_ISA_NAME(sturm)(int n, const double *d, const double *e2, int count, const double *x, int32_t *below,
                        struct tw_minor *minor)
{
    for (int i = 0; i < count; i++)
        below[i] = 0;
    for (int row = 0, end, every; row < n; row = end) {
        end = block_end(n, e2, row, &every);
        for (int first = 0; first < count; first += AT_ONCE) {
            V at[VECTORS], some_minor[VECTORS];
            VM some_below[VECTORS], some_power[VECTORS];
            double lane[AT_ONCE], lane_minor[AT_ONCE];
            int64_t lane_below[AT_ONCE], lane_power[AT_ONCE];
            for (int i = 0; i < AT_ONCE; i++)
                lane[i] = x[first + i < count ? first + i : count - 1];
            memcpy(at, lane, sizeof at);
            for (int v = 0; v < VECTORS; v++)
                some_minor[v] = (V){0} + NAN, some_power[v] = (VM){0};
            if (every)
                by_minors(end - row, every, d + row, e2 + row, at, some_below, some_minor, some_power);
            else
                by_pivots(end - row, d + row, e2 + row, at, some_below);
            memcpy(lane_below, some_below, sizeof some_below);
            memcpy(lane_minor, some_minor, sizeof some_minor);
            memcpy(lane_power, some_power, sizeof some_power);
            for (int i = 0; i < AT_ONCE && first + i < count; i++) {
                below[first + i] += (int32_t)lane_below[i];
                if (minor) minor[first + i] = (struct tw_minor){end - row == n ? lane_minor[i] : NAN, lane_power[i]};
            }
        }
    }
}
#endif
