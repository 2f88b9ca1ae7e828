/* Sturm's counts at many points at once: negative pivots of T - x = L D L^T, one that is nearly 0 counts as negative, as LAPACK's. Pivots of one point wait for one another's
 * divisions; those of several vectors of points do not. No sum of products is in it: all instruction sets have the same counts. */
#include <float.h>
#include "kernels/eigen/cpu/hb2st_vector.h"
#include "kernels/eigen/cpu/laebz.h"

#if !TW_IS_COMPLEX && !TW_IS_SINGLE
enum { VECTORS = 4, AT_ONCE = VECTORS * VL };

static void some(int n, const double *d, const double *e2, const V *x, VM *below)
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

void TW_ISA_NAME(sturm)(int n, const double *d, const double *e2, int count, const double *x, int32_t *below)
{
    for (int first = 0; first < count; first += AT_ONCE) {
        V at[VECTORS];
        VM some_below[VECTORS];
        double lane[AT_ONCE];
        int64_t lane_below[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            lane[i] = x[first + i < count ? first + i : count - 1];
        memcpy(at, lane, sizeof at);
        some(n, d, e2, at, some_below);
        memcpy(lane_below, some_below, sizeof some_below);
        for (int i = 0; i < AT_ONCE && first + i < count; i++)
            below[first + i] = (int32_t)lane_below[i];
    }
}
#endif
