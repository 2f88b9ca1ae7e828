/* The multipole method in the plane: direct sums, expansions from and at points, translations. */
#include "kernels/nbody/cpu/plane.h"

#include "kernels/nbody/cpu/nbody_cpu.h"
#include "kernels/simd_math.h"

/* ---- direct sums: lanes are targets ------------------------------------------------------------------------------ */

static V some(const double *from, int n)
{
    double value[VL];
    for (int k = 0; k < VL; k++)
        value[k] = from[k < n ? k : 0];
    return load(value);
}
static void add_some(double *to, int n, V v)
{
    double value[VL];
    store(value, v);
    for (int k = 0; k < n; k++)
        to[k] += value[k];
}

/* Below this the square of a distance has lost bits, or is 0: such pairs are summed with care. */
#define CLOSE 0x1p-960

static int any(I mask)
{
    TI lanes = 0;
    for (int k = 0; k < VL; k++)
        lanes |= mask[k];
    return lanes != 0;
}

/* The pairs that the loop below leaves out: in units of 2^-600 every square is a normal number. Only those at the same
 * place add nothing. */
static __attribute__((noinline)) void close_pairs(const struct tw_direct *d, V tx, V ty, V *u, V *ux, V *uy)
{
    const double *const *s = (const double *const *)d->source;

    for (int j = 0; j < d->ns; j++) {
        const V dx = tx - s[0][j], dy = ty - s[1][j];
        const I close = dx * dx + dy * dy < CLOSE;
        for (int k = 0; k < VL && any(close); k++) {
            const double x = dx[k] * 0x1p600, y = dy[k] * 0x1p600, r2 = x * x + y * y, q = s[3][j];
            if (!close[k] || r2 == 0) continue;
            (*u)[k] += q * (log(r2) - 1200 * 0.69314718055994530942);
            (*ux)[k] += q * (x / r2) * 0x1p600;
            (*uy)[k] += q * (y / r2) * 0x1p600;
        }
    }
}

void TW_NB(plane_direct)(const struct tw_direct *d);
void TW_NB(plane_direct)(const struct tw_direct *d)
{
    const double *const *x = (const double *const *)d->target, *const *y = (const double *const *)d->source;
    double *const pot = d->pot, *gx = d->grad[0], *gy = d->grad[1];

    for (int i = 0; i < d->nt; i += VL) {
        const int n = d->nt - i < VL ? d->nt - i : VL;
        const V tx = some(x[0] + i, n), ty = some(x[1] + i, n);
        V u = {0}, ux = {0}, uy = {0};
        I some_close = {0};
        for (int j = 0; j < d->ns; j++) {
            const V dx = tx - y[0][j], dy = ty - y[1][j], r2 = dx * dx + dy * dy;
            const I close = r2 < CLOSE;
            const V safe = (V)(((I)r2 & ~close) | ((I)splat(1) & close)), q = keep(~close, splat(y[3][j]));
            some_close |= close;
            u += q * vector_log(safe);
            if (!gx) continue;
            const V w = q / safe;
            ux += w * dx;
            uy += w * dy;
        }
        if (any(some_close)) close_pairs(d, tx, ty, &u, &ux, &uy);
        add_some(pot + i, n, 0.5 * u);
        if (!gx) continue;
        add_some(gx + i, n, ux);
        add_some(gy + i, n, uy);
    }
}

/* ---- expansions: lanes are points -------------------------------------------------------------------------------- */

struct lanes {
    V x, y; /* relative to the cell's centre, in units of its side */
};
static struct lanes place(const struct tw_fmm_points *s, int i, int n)
{
    return (struct lanes){(some(s->x + i, n) - s->centre[0]) * s->inverse,
                          (some(s->y + i, n) - s->centre[1]) * s->inverse};
}
static struct lanes invert(struct lanes z)
{
    const V r2 = z.x * z.x + z.y * z.y;
    return (struct lanes){z.x / r2, -z.y / r2};
}
static V charges(const double *q, int n)
{
    double value[VL];
    for (int k = 0; k < VL; k++)
        value[k] = k < n ? q[k] : 0;
    return load(value);
}
static double sum(V v)
{
    double s = 0;
    for (int k = 0; k < VL; k++)
        s += v[k];
    return s;
}

/* E_k -= q z^k / k for k >= 1. */
static void add_powers(const struct tw_plane *t, struct lanes z, V q, double *E)
{
    V re = q, im = {0};
    for (int k = 1; k <= t->p; k++) {
        const V next = re * z.x - im * z.y;
        im = re * z.y + im * z.x;
        re = next;
        E[k] -= sum(re) / k;
        E[t->half + k] -= sum(im) / k;
    }
}

void TW_NB(plane_p2m)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *q, double *M);
void TW_NB(plane_p2m)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *q, double *M)
{
    for (int i = 0; i < s->n; i += VL) {
        const int n = s->n - i < VL ? s->n - i : VL;
        const V charge = charges(q + i, n);
        M[0] += sum(charge);
        add_powers(t, place(s, i, n), charge, M);
    }
}

void TW_NB(plane_p2l)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *q, double *L);
void TW_NB(plane_p2l)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *q, double *L)
{
    for (int i = 0; i < s->n; i += VL) {
        const int n = s->n - i < VL ? s->n - i : VL;
        const struct lanes z = place(s, i, n);
        const V charge = charges(q + i, n), r2 = z.x * z.x + z.y * z.y;
        L[0] += sum(charge * (0.5 * vector_log(r2) - log(s->inverse)));
        add_powers(t, invert(z), charge, L);
    }
}

/* sum_k E_k z^k and its derivative by Horner's rule. */
static void polynomial(const struct tw_plane *t, const double *E, int first, struct lanes z, int with_slope, V f[2],
                       V g[2])
{
    f[0] = f[1] = g[0] = g[1] = splat(0);
    for (int k = t->p; k >= 0; k--) {
        if (with_slope) {
            const V re = g[0] * z.x - g[1] * z.y + f[0];
            g[1] = g[0] * z.y + g[1] * z.x + f[1];
            g[0] = re;
        }
        const V re = f[0] * z.x - f[1] * z.y + (k >= first ? E[k] : 0);
        f[1] = f[0] * z.y + f[1] * z.x + (k >= first ? E[t->half + k] : 0);
        f[0] = re;
    }
}

void TW_NB(plane_l2p)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *L, double *const *out);
void TW_NB(plane_l2p)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *L, double *const *out)
{
    for (int i = 0; i < s->n; i += VL) {
        const int n = s->n - i < VL ? s->n - i : VL;
        V f[2], g[2];
        polynomial(t, L, 0, place(s, i, n), out[1] != NULL, f, g);
        add_some(out[0] + i, n, f[0]);
        if (!out[1]) continue;
        add_some(out[1] + i, n, g[0] * s->inverse);
        add_some(out[2] + i, n, -g[1] * s->inverse);
    }
}

void TW_NB(plane_m2p)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *M, double *const *out);
void TW_NB(plane_m2p)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *M, double *const *out)
{
    const double unit = log(s->inverse);

    for (int i = 0; i < s->n; i += VL) {
        const int n = s->n - i < VL ? s->n - i : VL;
        const struct lanes z = place(s, i, n), w = invert(z);
        V f[2], g[2];
        polynomial(t, M, 1, w, out[1] != NULL, f, g);
        add_some(out[0] + i, n, f[0] + M[0] * (0.5 * vector_log(z.x * z.x + z.y * z.y) - unit));
        if (!out[1]) continue;
        /* d/dz sum a_k w^k = -w^2 g, d/dz a_0 log z = a_0 w */
        const V re = M[0] - (g[0] * w.x - g[1] * w.y), im = -(g[0] * w.y + g[1] * w.x);
        add_some(out[1] + i, n, (re * w.x - im * w.y) * s->inverse);
        add_some(out[2] + i, n, -(re * w.y + im * w.x) * s->inverse);
    }
}

/* ---- translations: lanes are translations ------------------------------------------------------------------------ */

enum { LANES = TW_PLANE_LANES, COLUMNS = 2 * LANES }; /* real parts, then imaginary parts */
#define ROWS 4
#define NV   4 /* vectors side by side in a product */

static inline __attribute__((always_inline)) void rows(int n, const double *A, const double *X, double *Y, int count)
{
    for (int column = 0; column < COLUMNS; column += NV * VL) {
        V c[ROWS][NV];
#pragma GCC unroll 4
        for (int i = 0; i < count; i++)
            for (int v = 0; v < NV; v++)
                c[i][v] = (V){0};
        for (int k = 0; k < n; k++)
            for (int v = 0; v < NV && column + v * VL < COLUMNS; v++) {
                const V x = load(X + (ptrdiff_t)k * COLUMNS + column + v * VL);
#pragma GCC unroll 4
                for (int i = 0; i < count; i++)
                    c[i][v] += splat(A[(ptrdiff_t)i * n + k]) * x;
            }
#pragma GCC unroll 4
        for (int i = 0; i < count; i++)
            for (int v = 0; v < NV && column + v * VL < COLUMNS; v++)
                store(Y + (ptrdiff_t)i * COLUMNS + column + v * VL, c[i][v]);
    }
}

void TW_NB(plane_translate)(const struct tw_plane *t, const struct tw_plane_kind *kind, int n,
                            const struct tw_plane_pair *pair, double *work);
void TW_NB(plane_translate)(const struct tw_plane *t, const struct tw_plane_kind *kind, int n,
                            const struct tw_plane_pair *pair, double *work)
{
    const int order = t->p + 1;
    double *X = work, *Y = X + (ptrdiff_t)t->half * COLUMNS;

    for (int first = 0; first < n; first += LANES) {
        const struct tw_plane_pair *p = pair + first;
        const int count = n - first < LANES ? n - first : LANES;
        for (int i = 0; i < LANES; i++) {
            const struct tw_plane_pair *q = p + (i < count ? i : 0);
            const double *power = kind->in_powers + (ptrdiff_t)q->direction * order * 2;
            for (int k = 0; k < order; k++) {
                const double re = q->src[k], im = q->src[t->half + k];
                X[(ptrdiff_t)k * COLUMNS + i] = re * power[2 * k] - im * power[2 * k + 1];
                X[(ptrdiff_t)k * COLUMNS + LANES + i] = re * power[2 * k + 1] + im * power[2 * k];
            }
        }
        for (int l = 0; l < order; l += ROWS)
            if (order - l >= ROWS)
                rows(order, kind->A + (ptrdiff_t)l * order, X, Y + (ptrdiff_t)l * COLUMNS, ROWS);
            else
                for (int k = l; k < order; k++)
                    rows(order, kind->A + (ptrdiff_t)k * order, X, Y + (ptrdiff_t)k * COLUMNS, 1);
        for (int i = 0; i < count; i++) {
            const double *power = kind->out_powers + (ptrdiff_t)p[i].direction * order * 2;
            double *to = p[i].dst;
            to[0] += p[i].src[0] * p[i].log;
            for (int k = 0; k < order; k++) {
                const double re = Y[(ptrdiff_t)k * COLUMNS + i], im = Y[(ptrdiff_t)k * COLUMNS + LANES + i];
                to[k] += re * power[2 * k] - im * power[2 * k + 1];
                to[t->half + k] += re * power[2 * k + 1] + im * power[2 * k];
            }
        }
    }
}
