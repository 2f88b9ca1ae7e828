/* Yukawa's kernel: direct sums, expansions from and at points. As direct.c and harmonics.c, with the functions of the
 * radius. */
#include "kernels/nbody/cpu/yukawa.h"

#include "kernels/nbody/cpu/nbody_cpu.h"
#include "kernels/simd_math.h"

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

/* ---- direct sums: lanes are targets ------------------------------------------------------------------------------ */

void TW_NB(yukawa_direct)(double kappa, const struct tw_direct *d);
void TW_NB(yukawa_direct)(double kappa, const struct tw_direct *d)
{
    const double *const *x = (const double *const *)d->target, *const *y = (const double *const *)d->source;
    double *const pot = d->pot, *const *grad = (double *const *)d->grad;

    for (int i = 0; i < d->nt; i += VL) {
        const int n = d->nt - i < VL ? d->nt - i : VL;
        const V tx = some(x[0] + i, n), ty = some(x[1] + i, n), tz = some(x[2] + i, n);
        V u = {0}, ux = {0}, uy = {0}, uz = {0};
        for (int j = 0; j < d->ns; j++) {
            const V dx = y[0][j] - tx, dy = y[1][j] - ty, dz = y[2][j] - tz, d2 = dx * dx + dy * dy + dz * dz;
            const I apart = ~(d2 < DBL_MIN);
            const V r2 = (V)(((I)d2 & apart) | ((I)splat(1) & ~apart)), h = rsqrt(r2), z = kappa * (r2 * h),
                    w = keep(apart, splat(y[3][j])) * h * vector_exp_minus(z);
            u += w;
            if (!grad[0]) continue;
            const V g = w * (1 + z) * (h * h);
            ux += g * dx;
            uy += g * dy;
            uz += g * dz;
        }
        add_some(pot + i, n, u);
        if (!grad[0]) continue;
        add_some(grad[0] + i, n, ux);
        add_some(grad[1] + i, n, uy);
        add_some(grad[2] + i, n, uz);
    }
}

/* ---- expansions: lanes are points -------------------------------------------------------------------------------- */

enum { MOST = 128 };
struct lanes {
    V x, y, z, r2; /* of irregular harmonics x, y, z are divided by r^2, and r2 is 1 / r^2 */
    V c, s;        /* R_mm, or S_mm */
    V radial[MOST];
};

/* f_l or g_l, by the recurrences of yukawa_common.c. */
static void radial(struct lanes *v, int p, V z2, int irregular)
{
    if (irregular) {
        double root[VL];
        store(root, z2);
        for (int k = 0; k < VL; k++)
            root[k] = sqrt(root[k]);
        const V z = load(root);
        v->radial[0] = vector_exp_minus(z);
        v->radial[1] = (1 + z) * v->radial[0];
        for (int l = 1; l < p; l++)
            v->radial[l + 1] = v->radial[l] + z2 * v->radial[l - 1] * (1 / ((2.0 * l - 1) * (2 * l + 1)));
        return;
    }
    V above = splat(1), top = splat(1), term[2] = {splat(1), splat(1)};
    double most = 0;
    for (int k = 0; k < VL; k++)
        most = z2[k] > most ? z2[k] : most;
    double largest = 1, sum = 1;
    for (int k = 1; largest > 1e-18 * sum; k++) {
        term[0] *= 0.5 * z2 * (1 / (k * (2.0 * p + 2 * k + 1)));
        term[1] *= 0.5 * z2 * (1 / (k * (2.0 * p + 2 * k + 3)));
        top += term[0];
        above += term[1];
        largest *= 0.5 * most / (k * (2.0 * p + 2 * k + 1));
        sum += largest;
    }
    v->radial[p] = top;
    for (int l = p; l > 0; l--) {
        v->radial[l - 1] = v->radial[l] + z2 * above * (1 / ((2.0 * l + 1) * (2 * l + 3)));
        above = v->radial[l];
    }
}

static void begin(struct lanes *v, const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *s, int i,
                  int n, int irregular)
{
    v->x = (some(s->x + i, n) - s->centre[0]) * s->inverse;
    v->y = (some(s->y + i, n) - s->centre[1]) * s->inverse;
    v->z = (some(s->z + i, n) - s->centre[2]) * s->inverse;
    v->r2 = v->x * v->x + v->y * v->y + v->z * v->z;
    v->c = splat(1);
    v->s = splat(0);
    radial(v, t->p, kappa * kappa * v->r2, irregular);
    if (!irregular) return;
    v->c = rsqrt(v->r2);
    v->r2 = 1 / v->r2;
    v->x *= v->r2, v->y *= v->r2, v->z *= v->r2;
}

static inline void next_order(struct lanes *v, const struct tw_fmm_tables *t, int m)
{
    const V d = splat(t->diagonal[m]), c = d * (v->x * v->c - v->y * v->s);
    v->s = d * (v->x * v->s + v->y * v->c);
    v->c = c;
}

/* The harmonics of order m, degree by degree. */
struct degree {
    V c, s, c_1, s_1;
};
static inline void next_degree(struct degree *h, const struct lanes *v, const struct tw_fmm_tables *t, int m, int l)
{
    const int at = l * (l + 1) / 2 + m;
    const V a = splat(t->a[at]) * v->z, b = splat(t->b[at]) * v->r2, c = a * h->c - b * h->c_1,
            s = a * h->s - b * h->s_1;
    h->c_1 = h->c, h->s_1 = h->s;
    h->c = c, h->s = s;
}

static double sum_of(V v)
{
    double s = 0;
    for (int k = 0; k < VL; k++)
        s += v[k];
    return s;
}

static void from_points(const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *p, const double *q,
                        double *E, double *work, int irregular)
{
    if (p->n <= 0) return;
    memset(work, 0, (size_t)t->nc * sizeof(V));
    for (int i = 0; i < p->n; i += VL) {
        const int n = p->n - i < VL ? p->n - i : VL;
        double charge[VL];
        struct lanes v;
        begin(&v, t, kappa, p, i, n, irregular);
        for (int k = 0; k < VL; k++)
            charge[k] = k < n ? q[i + k] : 0;
        v.c *= load(charge);
        for (int m = 0; m <= t->p; m++) {
            if (m) next_order(&v, t, m);
            struct degree h = {v.c, v.s, splat(0), splat(0)};
            for (int l = m; l <= t->p; l++) {
                if (l > m) next_degree(&h, &v, t, m, l);
                double *to = work + (ptrdiff_t)(l * l + m) * VL;
                store(to, load(to) + h.c * v.radial[l]);
                if (!m) continue;
                to += (ptrdiff_t)l * VL;
                store(to, load(to) + h.s * v.radial[l]);
            }
        }
    }
    for (int k = 0; k < t->nc; k++)
        E[k] += sum_of(load(work + (ptrdiff_t)k * VL));
}

static inline __attribute__((always_inline)) void at_points(const struct tw_fmm_tables *t, double kappa,
                                                            const struct tw_fmm_points *p, int nf, const double *E,
                                                            double *const *out, int irregular)
{
    for (int i = 0; i < p->n; i += VL) {
        const int n = p->n - i < VL ? p->n - i : VL;
        struct lanes v;
        V value[4] = {{0}};
        begin(&v, t, kappa, p, i, n, irregular);
        for (int m = 0; m <= t->p; m++) {
            if (m) next_order(&v, t, m);
            struct degree h = {v.c, v.s, splat(0), splat(0)};
            for (int l = m; l <= t->p; l++) {
                if (l > m) next_degree(&h, &v, t, m, l);
                const V c = h.c * v.radial[l], s = h.s * v.radial[l];
                const double *e = E + l * l + m;
#pragma GCC unroll 4
                for (int f = 0; f < nf; f++) {
                    value[f] += splat(e[f * t->stride]) * c;
                    if (m) value[f] += splat(e[f * t->stride + l]) * s;
                }
            }
        }
        for (int f = 0; f < nf; f++)
            add_some(out[f] + i, n, value[f]);
    }
}

void TW_NB(yukawa_from)(const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *p, const double *q,
                        double *E, double *work, int irregular);
void TW_NB(yukawa_from)(const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *p, const double *q,
                        double *E, double *work, int irregular)
{
    from_points(t, kappa, p, q, E, work, irregular);
}
void TW_NB(yukawa_at)(const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *p, int nf,
                      const double *E, double *const *out, int irregular);
void TW_NB(yukawa_at)(const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *p, int nf,
                      const double *E, double *const *out, int irregular)
{
    if (nf == 1)
        at_points(t, kappa, p, 1, E, out, irregular);
    else
        at_points(t, kappa, p, 4, E, out, irregular);
}
