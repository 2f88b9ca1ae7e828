/* The direct sum over all pairs of two tiles of particles.
 *
 * Lanes are targets; every source is broadcast to them. So a target's sum runs over the sources in their order,
 * whatever its lane and the size of the tile: results do not depend on how targets are cut. */
#include "kernels/nbody/cpu/nbody_cpu.h"
#include "kernels/simd.h"

#define ROWS 4 /* most vectors of targets at once, to hide the latency of the square root; 2 with gradients */

struct sums {
    V pot[ROWS], gx[ROWS], gy[ROWS], gz[ROWS];
};
struct targets {
    V x[ROWS], y[ROWS], z[ROWS];
};

/* All sources against `rows` vectors of targets. rows, with_pot, with_grad and soft are constants at every call. */
static inline __attribute__((always_inline)) void block(const struct tw_direct *d, const struct targets *t, int rows,
                                                        int with_pot, int with_grad, int soft, struct sums *out)
{
    const T *sx = d->source[0], *sy = d->source[1], *sz = d->source[2], *q = d->source[3];
    const V soft2 = splat((T)d->soft2), smallest = splat(T_MIN), one = splat(1);
    struct sums s;

    memset(&s, 0, sizeof s);
    for (int j = 0; j < d->ns; j++) {
        const V bx = splat(sx[j]), by = splat(sy[j]), bz = splat(sz[j]), bq = splat(q[j]);
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) {
            const V dx = bx - t->x[r], dy = by - t->y[r], dz = bz - t->z[r], d2 = dx * dx + dy * dy + dz * dz;
            const I apart = ~(d2 < smallest); /* NaN counts as apart, and spreads */
            /* Replace what would be divided by zero before the root, so that no infinity enters. */
            const V h = rsqrt(soft ? d2 + soft2 : (V)(((I)d2 & apart) | ((I)one & ~apart))), w = keep(apart, bq) * h;
            if (with_pot) s.pot[r] += w;
            if (with_grad) {
                const V g = w * (h * h);
                s.gx[r] += g * dx;
                s.gy[r] += g * dy;
                s.gz[r] += g * dz;
            }
        }
    }
    *out = s;
}

static inline __attribute__((always_inline)) void what(const struct tw_direct *d, const struct targets *t, int rows,
                                                       int soft, struct sums *s)
{
    if (!d->grad[0])
        block(d, t, rows, 1, 0, soft, s);
    else if (!d->pot)
        block(d, t, rows, 0, 1, soft, s);
    else
        block(d, t, rows, 1, 1, soft, s);
}

static void add(T *to, const V *from, int n)
{
    T value[ROWS * 16];
    if (!to) return;
    memcpy(value, from, ROWS * sizeof(V));
    for (int k = 0; k < n; k++)
        to[k] += value[k];
}

/* n <= ROWS * VL values; the rest repeats the first one: never far away, never stored. */
static void fetch(V *to, const T *from, int n)
{
    T value[ROWS * 16];
    for (int k = 0; k < ROWS * VL; k++)
        value[k] = from[k < n ? k : 0];
    memcpy(to, value, ROWS * sizeof(V));
}

void TW_NB(direct)(const struct tw_direct *d);
void TW_NB(direct)(const struct tw_direct *d)
{
    const T *const *x = (const T *const *)d->target;
    T *pot = d->pot, *gx = d->grad[0], *gy = d->grad[1], *gz = d->grad[2];
    const int most = (gx ? 2 : ROWS) * VL;

    for (int i = 0; i < d->nt; i += most) {
        const int n = d->nt - i < most ? d->nt - i : most, soft = (T)d->soft2 >= T_MIN;
        struct targets t;
        struct sums s;
        fetch(t.x, x[0] + i, n);
        fetch(t.y, x[1] + i, n);
        fetch(t.z, x[2] + i, n);
        if (n <= VL)
            soft ? what(d, &t, 1, 1, &s) : what(d, &t, 1, 0, &s);
        else if (n <= 2 * VL)
            soft ? what(d, &t, 2, 1, &s) : what(d, &t, 2, 0, &s);
        else
            soft ? what(d, &t, ROWS, 1, &s) : what(d, &t, ROWS, 0, &s);
        add(pot ? pot + i : NULL, s.pot, n);
        if (!gx) continue;
        add(gx + i, s.gx, n);
        add(gy + i, s.gy, n);
        add(gz + i, s.gz, n);
    }
}
