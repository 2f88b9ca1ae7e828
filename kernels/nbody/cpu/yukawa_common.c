/* Yukawa's translations along z. M2L by projection: the function to be translated is evaluated on a sphere around the
 * new centre, at the nodes of a Gauss-Legendre formula, and its product with each harmonic is summed. Other than
 * recurrences in the degree this is stable for every kappa: an error of rounding on the sphere stays one inside it. M2M
 * and L2L the same way where kappa is not small. */
#include "kernels/nbody/cpu/tables.h"
#include "kernels/nbody/cpu/yukawa.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 0.8660254037844386 /* of the sphere: the cell's corners lie on it */

/* ---- functions of the radius ------------------------------------------------------------------------------------- */

/* The power series: sum_k (z^2 / 2)^k / (k! (2 l + 3) (2 l + 5)…(2 l + 2 k + 1)). */
static double series(int l, double z)
{
    const double x = 0.5 * z * z;
    double term = 1, sum = 1;
    for (int k = 1; term > 1e-18 * sum; k++) {
        term *= x / (k * (2.0 * l + 2 * k + 1));
        sum += term;
    }
    return sum;
}

void tw_yukawa_regular(int p, double z, double *f)
{
    double above = series(p + 1, z);
    f[p] = series(p, z);
    for (int l = p; l > 0; l--) { /* downwards: all terms are positive */
        f[l - 1] = f[l] + z * z * above / ((2.0 * l + 1) * (2 * l + 3));
        above = f[l];
    }
}

void tw_yukawa_irregular(int p, double z, double *g)
{
    g[0] = exp(-z);
    if (p > 0) g[1] = (1 + z) * g[0];
    for (int l = 1; l < p; l++)
        g[l + 1] = g[l] + z * z * g[l - 1] / ((2.0 * l - 1) * (2 * l + 1));
}

int tw_yukawa_order(int p, double kappa, int most)
{
    const double a = 0.6, b = 2, allowed = pow(a / b, p) * exp(fmax(0, kappa - 8) - kappa * (b - a));
    double f[128], g[128];

    if (most > 127) most = 127;
    tw_yukawa_regular(most, kappa * a, f);
    tw_yukawa_irregular(most, kappa * b, g);
    while (p < most && pow(a / b, p) * f[p] * g[p] > allowed)
        p++;
    p += (int)(0.75 * fmin(kappa, 8)); /* where screening is felt, the facing sides of two cells count most */
    return p < most ? p : most;
}

/* ---- translations ------------------------------------------------------------------------------------------------ */

struct projection {
    const struct tw_fmm_tables *t;
    int nodes;
    double *node, *weight;
    double *basis, *values; /* nodes x (p + 1): harmonics times weights; the function, of one order m */
    double *radial;         /* of the functions at a node: nodes x (p + 1) */
};

static void legendre(int n, double *node, double *weight)
{
    for (int k = 0; k < n; k++) {
        double x = cos(M_PI * (k + 0.75) / (n + 0.5)), slope = 1;
        for (int step = 0; step < 8; step++) {
            double before = 0, now = 1;
            for (int l = 0; l < n; l++) {
                const double next = ((2 * l + 1) * x * now - l * before) / (l + 1);
                before = now;
                now = next;
            }
            slope = n * (before - x * now) / (1 - x * x);
            x -= now / slope;
        }
        node[k] = x;
        weight[k] = 2 / ((1 - x * x) * slope * slope);
    }
}

static void projection_free(struct projection *j)
{
    free(j->node), free(j->weight), free(j->basis), free(j->values), free(j->radial);
}
static int projection_make(struct projection *j, const struct tw_fmm_tables *t)
{
    const size_t n = (size_t)(2 * t->p + 24), terms = n * (size_t)(t->p + 1);
    *j = (struct projection){.t = t,
                             .nodes = (int)n,
                             .node = malloc(n * sizeof(double)),
                             .weight = malloc(n * sizeof(double)),
                             .basis = malloc(terms * sizeof(double)),
                             .values = malloc(terms * sizeof(double)),
                             .radial = malloc(terms * sizeof(double))};
    if (!j->node || !j->weight || !j->basis || !j->values || !j->radial) return -1;
    legendre((int)n, j->node, j->weight);
    return 0;
}

/* N_lm P_l^m(cosine) for l = m…p, at to[l]. */
static void harmonics(const struct tw_fmm_tables *t, int m, double sine, double cosine, double *to)
{
    double now = 1, before = 0;
    for (int k = 1; k <= m; k++)
        now *= t->diagonal[k] * sine;
    for (int l = m; l <= t->p; l++) {
        to[l] = now;
        if (l == t->p) break;
        const int at = (l + 1) * (l + 2) / 2 + m;
        const double next = t->a[at] * cosine * now - t->b[at] * before;
        before = now;
        now = next;
    }
}

/* Where node q's point lies, seen from the old centre: scale * x + d z. */
static double moved(const struct projection *j, int q, double scale, double d, double *sine, double *cosine)
{
    const double z = scale * RADIUS * j->node[q] + d, flat = scale * RADIUS * sqrt(1 - j->node[q] * j->node[q]),
                 r = hypot(z, flat);
    *sine = flat / r;
    *cosine = z / r;
    return r;
}

/* Coefficients of what each function (of degree l, at kappa `from`) is around the new centre (degree k, kappa `to`), in
 * blocks as the tables' shifts: element (row, column) is (k, l), or (l, k) if transposed. */
static void project(struct projection *j, double scale, double d, int irregular, double from, double to, double factor,
                    int transposed, double *out)
{
    const struct tw_fmm_tables *t = j->t;
    const int n = t->p + 1;
    double inside[128], sine, cosine;

    tw_yukawa_regular(t->p, to * RADIUS, inside);
    for (int q = 0; q < j->nodes; q++) {
        const double r = moved(j, q, scale, d, &sine, &cosine);
        double *radial = j->radial + (ptrdiff_t)q * n, power = irregular ? 1 / r : 1;
        (irregular ? tw_yukawa_irregular : tw_yukawa_regular)(t->p, from * r, radial);
        for (int l = 0; l < n; l++, power *= irregular ? 1 / r : r)
            radial[l] *= power;
    }
    for (int m = 0; m < n; m++) {
        const int size = n - m;
        double *block = out + t->shift_at[m], radius = 1;
        for (int q = 0; q < j->nodes; q++) {
            double *value = j->values + (ptrdiff_t)q * n;
            moved(j, q, scale, d, &sine, &cosine);
            harmonics(t, m, sine, cosine, value);
            for (int l = m; l < n; l++)
                value[l] *= j->radial[(ptrdiff_t)q * n + l];
            harmonics(t, m, sqrt(1 - j->node[q] * j->node[q]), j->node[q], j->basis + (ptrdiff_t)q * n);
        }
        for (int k = 0; k < n; k++, radius *= RADIUS) {
            double row[128] = {0};
            if (k < m) continue;
            for (int q = 0; q < j->nodes; q++) {
                const double w = j->weight[q] * j->basis[(ptrdiff_t)q * n + k], *value = j->values + (ptrdiff_t)q * n;
                for (int l = m; l < n; l++)
                    row[l] += w * value[l];
            }
            const double norm = factor * (2 * k + 1) / (m ? 4 : 2) / (radius * inside[k]);
            for (int l = m; l < n; l++)
                block[transposed ? (l - m) * size + k - m : (k - m) * size + l - m] = norm * row[l];
        }
    }
}

static double *numbers(const struct tw_fmm_tables *t)
{
    double *p = NULL; /* the kernel loads single elements: any alignment would do */
    return posix_memalign((void **)&p, 64, (size_t)t->shift_at[t->p + 1] * sizeof *p) ? NULL : p;
}

/* Between a parent, with this kappa, and its child, d along z. Around the child's centre the parent's functions are
 * A_l = sum_j W_jl A_j; with u_k = sqrt(k^2 - m^2) the derivative along z gives
 *
 *     u_j+1 W_j+1,l = u_l W_j,l-1 + kappa^2 (u_l+1 / ((2 l + 1) (2 l + 3)) W_j,l+1 - u_j / ((2 j - 1) (2 j + 1))
 *     W_j-1,l),
 *
 * from W_ml = sqrt((l + m)! / (l - m)! / (2 m)!) d^(l - m) f_l(kappa d). Unlike a projection this keeps what is of
 * order kappa^(j - l) as small as it is; deep trees pass expansions through many levels, and then it matters. For kappa
 * <= 2 it is stable. */
static int family(const struct tw_fmm_tables *t, double kappa, double d, double *m2m, double *l2l)
{
    const int p = t->p, wide = 2 * p + 2;
    double *f = malloc((size_t)(4 * wide) * sizeof *f), *before = f + wide, *now = before + wide, *next = now + wide;

    if (!f) return -1;
    tw_yukawa_regular(2 * p + 1, kappa * d, f);
    for (int m = 0; m <= p; m++) {
        const int size = p - m + 1;
        double lead = 1, *up = m2m + t->shift_at[m], *down = l2l + t->shift_at[m];
        for (int l = m; l < wide; l++) {
            if (l > m) lead *= d * sqrt((double)(l + m) / (l - m));
            now[l] = lead * f[l];
            before[l] = 0;
        }
        for (int j = m; j <= p; j++) {
            for (int l = m; l <= p;
                 l++) { /* the child's unit is half as long; a local expansion has 1 / unit in front */
                up[(l - m) * size + j - m] = ldexp(now[l], -j);
                down[(j - m) * size + l - m] = ldexp(now[l], -j - 1);
            }
            for (int l = m; l < 2 * p + 1 - j; l++) {
                const double u = sqrt((double)(l - m) * (l + m)), over = sqrt((double)(l + 1 - m) * (l + 1 + m)),
                             uj = sqrt((double)(j - m) * (j + m)), above = sqrt((double)(j + 1 - m) * (j + 1 + m));
                next[l] = ((l > m ? u * now[l - 1] : 0) +
                           kappa * kappa *
                               (over / ((2.0 * l + 1) * (2 * l + 3)) * now[l + 1] -
                                (j > m ? uj / ((2.0 * j - 1) * (2 * j + 1)) * before[l] : 0))) /
                          above;
            }
            double *swap = before;
            before = now, now = next, next = swap;
        }
    }
    free(f);
    return 0;
}

int tw_yukawa_level_make(struct tw_yukawa_level *y, const struct tw_fmm_tables *t, double kappa)
{
    struct projection j;
    int e = projection_make(&j, t);

    *y = (struct tw_yukawa_level){
        .kappa = kappa, .m2l = calloc((size_t)t->nshifts, sizeof *y->m2l), .m2m = numbers(t), .l2l = numbers(t)};
    if (!y->m2l || !y->m2m || !y->l2l) e = -1;
    if (!e) {
        const double d = sqrt(3) / 4; /* the parent's kappa is twice the child's; its side, too */
        if (2 * kappa <= 2) {
            e = family(t, 2 * kappa, d, y->m2m, y->l2l);
        } else {
            project(&j, 0.5, d, 0, 2 * kappa, kappa, 1, 1, y->m2m);
            project(&j, 0.5, d, 0, 2 * kappa, kappa, 0.5, 0, y->l2l);
        }
    }
    for (int way = 0; way < 343 && !e; way++) {
        const int v[3] = {way / 49 - 3, way / 7 % 7 - 3, way % 7 - 3}, r2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (abs(v[0]) < 2 && abs(v[1]) < 2 && abs(v[2]) < 2) continue;
        double **shift = &y->m2l[t->m2l[t->m2l_class[way]].shift];
        if (*shift) continue;
        if (!(*shift = numbers(t)))
            e = -1;
        else
            project(&j, 1, sqrt(r2), 1, kappa, kappa, 1, 0, *shift);
    }
    projection_free(&j);
    return e;
}

void tw_yukawa_level_free(struct tw_yukawa_level *y, const struct tw_fmm_tables *t)
{
    for (int k = 0; y->m2l && k < t->nshifts; k++)
        free(y->m2l[k]);
    free(y->m2l), free(y->m2m), free(y->l2l);
}

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

/* kappa^2 / ((2 l - 1) (2 l + 1)), l: the degree of coefficient k. */
static double back(int k, double kappa)
{
    const double l = floor(sqrt(k + 0.5));
    return kappa * kappa / ((2 * l - 1) * (2 * l + 1));
}

/* With D and U from tables.h (grad R_l = D, grad S_l = -U): grad A_l = D A_l-1 + kappa^2 / ((2 l + 1) (2 l + 3)) U
 * A_l+1 and grad B_l = -U B_l+1 - kappa^2 / ((2 l - 1) (2 l + 1)) D B_l-1. */
void tw_yukawa_slope_local(const struct tw_fmm_tables *t, double kappa, const double *E, double *const G[3])
{
    tw_fmm_slope_local(t, E, G);
    for (int axis = 0; axis < 3; axis++)
        for (const struct tw_fmm_slope *s = t->slope[axis]; s < t->slope[axis] + t->nslope[axis]; s++)
            G[axis][s->from] += back(s->from, kappa) * s->value * E[s->to];
}
void tw_yukawa_slope_multipole(const struct tw_fmm_tables *t, double kappa, const double *E, double *const G[3])
{
    tw_fmm_slope_multipole(t, E, G);
    for (int axis = 0; axis < 3; axis++)
        for (const struct tw_fmm_slope *s = t->slope[axis]; s < t->slope[axis] + t->nslope[axis]; s++)
            G[axis][s->to] -= back(s->from, kappa) * s->value * E[s->from];
}
