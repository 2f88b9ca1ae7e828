/* Expansions from points (P2M, P2L) and at points (L2P, M2P). Lanes are points; the harmonics of a lane come from their
 * recurrences in l and m, one order m after the other, so that only two degrees are alive. */
#include "kernels/nbody/cpu/nbody_cpu.h"
#include "kernels/simd.h"

/* One vector of points, relative to the cell's centre. Regular harmonics: R_l from R_l-1 and R_l-2. Irregular ones,
 * S_l = R_l / r^(2l+1): each degree divided by r^2. */
struct lanes {
    V x, y, z, r2; /* of the regular ones; of the irregular ones x, y, z are divided by r^2 and r2 is 1 / r^2 */
    V c, s;        /* R_mm */
};

static void fetch(const struct tw_fmm_points *s, int i, int n, V xyz[3])
{
    const double *const from[3] = {s->x + i, s->y + i, s->z + i};
    for (int axis = 0; axis < 3; axis++) {
        double value[VL];
        for (int k = 0; k < VL; k++)
            value[k] = (from[axis][k < n ? k : 0] - s->centre[axis]) * s->inverse;
        xyz[axis] = load(value);
    }
}

static struct lanes begin(const struct tw_fmm_points *s, int i, int n, int irregular)
{
    struct lanes v;
    V xyz[3];
    fetch(s, i, n, xyz);
    v.x = xyz[0], v.y = xyz[1], v.z = xyz[2];
    v.r2 = v.x * v.x + v.y * v.y + v.z * v.z;
    v.c = splat(1);
    v.s = splat(0);
    if (irregular) {
        const V inverse = 1 / v.r2;
        double root[VL];
        store(root, inverse);
        for (int k = 0; k < VL; k++)
            root[k] = sqrt(root[k]);
        v.c = load(root);
        v.r2 = inverse;
        v.x *= inverse, v.y *= inverse, v.z *= inverse;
    }
    return v;
}

/* From R_m-1,m-1 to R_mm. */
static inline void next_order(struct lanes *v, const struct tw_fmm_tables *t, int m)
{
    const V d = splat(t->diagonal[m]), c = d * (v->x * v->c - v->y * v->s);
    v->s = d * (v->x * v->s + v->y * v->c);
    v->c = c;
}

/* The coefficients of order m, degree by degree: visit(l, C, S). */
#define FOR_DEGREES(t, v, m, l, c, s)                                                                                  \
    V c = (v).c, s = (v).s, c_1 = splat(0), s_1 = splat(0);                                                            \
    for (int l = (m); l <= (t)->p; step_degree(t, &(v), m, ++l, &c, &s, &c_1, &s_1))
static inline void step_degree(const struct tw_fmm_tables *t, const struct lanes *v, int m, int l, V *c, V *s, V *c_1,
                               V *s_1)
{
    if (l > t->p) return;
    const int at = l * (l + 1) / 2 + m;
    const V a = splat(t->a[at]) * v->z, b = splat(t->b[at]) * v->r2, cc = a * *c - b * *c_1, ss = a * *s - b * *s_1;
    *c_1 = *c, *s_1 = *s;
    *c = cc, *s = ss;
}

static double sum(V v)
{
    double s = 0;
    for (int k = 0; k < VL; k++)
        s += v[k];
    return s;
}

/* E += sum q R or q S. Lane sums first (work holds nc vectors), then across lanes. */
static void from_points(const struct tw_fmm_tables *t, const struct tw_fmm_points *p, const double *q, double *E,
                        double *work, int irregular)
{
    if (p->n <= 0) return;
    memset(work, 0, (size_t)t->nc * sizeof(V));
    for (int i = 0; i < p->n; i += VL) {
        const int n = p->n - i < VL ? p->n - i : VL;
        struct lanes v = begin(p, i, n, irregular);
        double charge[VL];
        for (int k = 0; k < VL; k++)
            charge[k] = k < n ? q[i + k] : 0;
        v.c *= load(charge); /* all harmonics are linear in R_00 */
        for (int m = 0; m <= t->p; m++) {
            if (m) next_order(&v, t, m);
            FOR_DEGREES(t, v, m, l, c, s)
            {
                double *to = work + (ptrdiff_t)(l * l + m) * VL;
                store(to, load(to) + c);
                if (!m) continue;
                to += (ptrdiff_t)l * VL;
                store(to, load(to) + s);
            }
        }
    }
    for (int k = 0; k < t->nc; k++)
        E[k] += sum(load(work + (ptrdiff_t)k * VL));
}

static inline __attribute__((always_inline)) void at_points(const struct tw_fmm_tables *t,
                                                            const struct tw_fmm_points *p, int nf, const double *E,
                                                            double *const *out, int irregular)
{
    for (int i = 0; i < p->n; i += VL) {
        const int n = p->n - i < VL ? p->n - i : VL;
        struct lanes v = begin(p, i, n, irregular);
        V value[4] = {{0}};
        for (int m = 0; m <= t->p; m++) {
            if (m) next_order(&v, t, m);
            FOR_DEGREES(t, v, m, l, c, s)
            {
                const double *e = E + l * l + m;
#pragma GCC unroll 4
                for (int f = 0; f < nf; f++) {
                    value[f] += splat(e[f * t->stride]) * c;
                    if (m) value[f] += splat(e[f * t->stride + l]) * s;
                }
            }
        }
        for (int f = 0; f < nf; f++) {
            double back[VL];
            store(back, value[f]);
            for (int k = 0; k < n; k++)
                out[f][i + k] += back[k];
        }
    }
}
static void evaluate(const struct tw_fmm_tables *t, const struct tw_fmm_points *p, int nf, const double *E,
                     double *const *out, int irregular)
{
    if (nf == 1)
        at_points(t, p, 1, E, out, irregular);
    else
        at_points(t, p, 4, E, out, irregular);
}

void TW_NB(p2m)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, const double *q, double *M, double *work);
void TW_NB(p2m)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, const double *q, double *M, double *work)
{
    from_points(t, s, q, M, work, 0);
}
void TW_NB(p2l)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, const double *q, double *L, double *work);
void TW_NB(p2l)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, const double *q, double *L, double *work)
{
    from_points(t, s, q, L, work, 1);
}
void TW_NB(l2p)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, int nf, const double *E,
                double *const *out);
void TW_NB(l2p)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, int nf, const double *E,
                double *const *out)
{
    evaluate(t, s, nf, E, out, 0);
}
void TW_NB(m2p)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, int nf, const double *E,
                double *const *out);
void TW_NB(m2p)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, int nf, const double *E,
                double *const *out)
{
    evaluate(t, s, nf, E, out, 1);
}
