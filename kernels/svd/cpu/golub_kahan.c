/* Sturm's counts of a bidiagonal matrix' Golub-Kahan form at many points at once: negative pivots, a pivot that is
 * nearly 0 counts as negative. q (q / pivot) and not q^2 / pivot: squares may leave the range. Pivots of one point wait
 * for one another's divisions; those of several vectors of points do not. Every step is monotone in x, so that counts
 * are, too, and values come out in their order whatever is looked for beside them. */
#include <float.h>
#include "kernels/eigen/cpu/hb2st_vector.h"
#include "kernels/svd/cpu/golub_kahan.h"

#if !TW_IS_COMPLEX && !TW_IS_SINGLE
enum { VECTORS = 4, AT_ONCE = VECTORS * VL };

static inline V away_from_zero(V p)
{
    const V tiny = (V){0} + DBL_MIN;
    const VM near = (p <= tiny) & (p >= -tiny);
    return (V)((near & (VM)(-tiny)) | (~near & (VM)p));
}

static void some(int length, const double *chain, const V *x, VM *below)
{
    V pivot[VECTORS];

    for (int v = 0; v < VECTORS; v++) {
        pivot[v] = away_from_zero(-x[v]);
        below[v] = (VM){0} - (pivot[v] < 0);
    }
    for (int i = 0; i < length; i++)
        for (int v = 0; v < VECTORS; v++) {
            const V q = (V){0} + chain[i];
            pivot[v] = away_from_zero(-x[v] - q * (q / pivot[v]));
            below[v] -= pivot[v] < 0;
        }
}

void TW_ISA_NAME(gk_count)(int length, const double *chain, int count, const double *x, int32_t *below)
{
    for (int first = 0; first < count; first += AT_ONCE) {
        V at[VECTORS];
        VM some_below[VECTORS];
        double lane[AT_ONCE];
        int64_t lane_below[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            lane[i] = x[first + i < count ? first + i : count - 1];
        memcpy(at, lane, sizeof at);
        some(length, chain, at, some_below);
        memcpy(lane_below, some_below, sizeof some_below);
        for (int i = 0; i < AT_ONCE && first + i < count; i++)
            below[first + i] = (int32_t)lane_below[i];
    }
}
#endif
