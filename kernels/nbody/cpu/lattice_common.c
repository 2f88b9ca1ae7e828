/* Lattice sums S_LM = sum_n G_LM(n) over the points n of Z^3 with max |n_i| >= 2, where
 *
 *     F_lm = r^l P_l^m e^(i m phi) / (l + m)!,   G_lm = (l - m)! P_l^m e^(i m phi) / r^(l + 1),
 *     G_lm(n + x) = sum_jk (-1)^j conj(F_jk(x)) G_(l+j)(m+k)(n).
 *
 * By the cube's symmetry they are real and vanish unless L is even and M a multiple of 4 (and, for L = 2, at all).
 * Small degrees, where the sum over n converges slowly, by Ewald's method (Nijboer and de Wette, Physica 23, 1957);
 * large ones directly. */
#include "kernels/nbody/cpu/lattice.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846264338327950288L

/* Degrees below DIRECT by Ewald's method with sums up to |n_i|, |k_i| <= REACH: e^(-pi 7^2) is 1e-67; the others up to
 * FAR: (FAR / 2)^-DIRECT is 2e-21 of the first shell. */
enum { DIRECT = 26, REACH = 6, FAR = 12 };

struct tw_lattice {
    int degree;    /* largest L */
    double *value; /* S_LM at L / 2 * stride + M / 4 */
    double *basis; /* 1 / sqrt((2 - [m = 0]) (l - m)! (l + m)!) at l (l + 1) / 2 + m: from the basis of tables.h to F */
    int stride;
};

struct harmonics {
    int degree;
    long double *G; /* G_LM at L * (degree + 1) + M, real part */
};

/* Real parts of G_LM(v) for M = 0, 4, 8, … by the recurrence in L. */
static void irregular(const struct harmonics *h, const long double v[3])
{
    const long double r2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    long double c = 1 / sqrtl(r2), s = 0;

    for (int M = 0; M <= h->degree; M++) {
        if (M) {
            const long double f = (2 * M - 1) / r2, next = f * (v[0] * c - v[1] * s);
            s = f * (v[0] * s + v[1] * c);
            c = next;
        }
        if (M % 4) continue;
        long double before = 0, now = c;
        for (int L = M; L <= h->degree; L++) {
            const long double next =
                ((2 * L + 1) * v[2] * now - ((long double)L * L - (long double)M * M) * before) / r2;
            h->G[L * (h->degree + 1) + M] = now;
            before = now;
            now = next;
        }
    }
}

/* Gamma(L + 1/2, x) / Gamma(L + 1/2) for even L < DIRECT. */
static void gammas(long double x, long double Q[DIRECT])
{
    long double q = erfcl(sqrtl(x)), term = expl(-x) * sqrtl(x) / (0.5L * sqrtl(PI)); /* x^(1/2) e^-x / Gamma(3/2) */
    for (int L = 0; L < DIRECT; L++) {
        Q[L] = q;
        q += term;
        term *= x / (L + 1.5L);
    }
}

static void add(struct tw_lattice *t, const struct harmonics *h, int from, int to, const long double *weight, int times,
                long double *sum)
{
    for (int L = from; L < to && L <= t->degree; L += 2)
        for (int M = 0; M <= L; M += 4)
            sum[L / 2 * t->stride + M / 4] += times * (weight ? weight[L] : 1) * h->G[L * (h->degree + 1) + M];
}

/* The vector n >= 0 and its reflections, for both spaces of Ewald's sum and for the direct one. */
static void add_point(struct tw_lattice *t, const struct harmonics *h, const int n[3], long double *sum)
{
    const int most = n[0] > n[1] ? n[0] : n[1], largest = most > n[2] ? most : n[2],
              times = (n[0] ? 2 : 1) * (n[1] ? 2 : 1) * (n[2] ? 2 : 1);
    const long double v[3] = {n[0], n[1], n[2]}, r2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    long double weight[DIRECT];

    if (largest == 0) return;
    irregular(h, v);
    if (largest >= 2) add(t, h, DIRECT, t->degree + 1, NULL, times, sum);
    if (largest > REACH) return;
    gammas(PI * r2, weight);
    /* i^L pi^(L - 1/2) / Gamma(L + 1/2) e^(-pi k^2) H_L(k) / k^2, with H_L = G_L k^(2 L + 1) */
    long double k = expl(-PI * r2) / (PI * sqrtl(r2));
    for (int L = 0; L < DIRECT; L++) {
        weight[L] = weight[L] - (largest == 1) + (L % 4 ? -k : k);
        k *= PI * r2 / (L + 0.5L);
    }
    add(t, h, 4, DIRECT, weight, times, sum);
}

struct tw_lattice *tw_lattice_make(int p)
{
    struct tw_lattice *t = calloc(1, sizeof *t);
    struct harmonics h = {.degree = 2 * p < 4 ? 4 : 2 * p};
    long double *sum = NULL;

    if (!t) return NULL;
    t->degree = h.degree;
    t->stride = h.degree / 4 + 1;
    t->value = calloc((size_t)(h.degree / 2 + 1) * (size_t)t->stride, sizeof *t->value);
    sum = calloc((size_t)(h.degree / 2 + 1) * (size_t)t->stride, sizeof *sum);
    h.G = calloc((size_t)(h.degree + 1) * (size_t)(h.degree + 1), sizeof *h.G);
    t->basis = malloc((size_t)(p + 1) * (size_t)(p + 2) / 2 * sizeof *t->basis);
    if (!t->value || !t->basis || !sum || !h.G) {
        tw_lattice_free(t);
        t = NULL;
    }
    for (int l = 0; t && l <= p; l++)
        for (int m = 0; m <= l; m++)
            t->basis[l * (l + 1) / 2 + m] = 1 / (sqrt((m ? 2 : 1) * tgamma(l - m + 1.0)) * sqrt(tgamma(l + m + 1.0)));
    for (int x = 0; t && x <= FAR; x++)
        for (int y = 0; y <= FAR; y++)
            for (int z = 0; z <= FAR; z++)
                add_point(t, &h, (const int[3]){x, y, z}, sum);
    for (int k = 0; t && k < (h.degree / 2 + 1) * t->stride; k++)
        t->value[k] = (double)sum[k];
    free(sum), free(h.G);
    return t;
}

void tw_lattice_free(struct tw_lattice *t)
{
    if (!t) return;
    free(t->value), free(t->basis);
    free(t);
}

/* sum_lm conj(M_lm) S_(l+j)(m+k), for one j and k. */
static void sum_of(const struct tw_lattice *t, int p, const double *M, int j, int k, double total[2])
{
    total[0] = total[1] = 0;
    for (int l = j % 2; l <= p; l += 2) {
        if (l + j < 4) continue;
        for (int m = -l + ((l - k) % 4 + 4) % 4; m <= l; m += 4) { /* m + k is a multiple of 4 */
            const int a = abs(m), sign = m < 0 && a % 2 ? -1 : 1;
            const double S = t->value[(l + j) / 2 * t->stride + abs(m + k) / 4] * t->basis[l * (l + 1) / 2 + a];
            total[0] += sign * M[l * l + a] * S;
            if (a) total[1] += (m > 0 ? -1 : sign) * M[l * l + l + a] * S;
        }
    }
}

void tw_lattice_apply(const struct tw_lattice *t, int p, const double *M, double *L)
{
    for (int j = 0; j <= p; j++)
        for (int k = 0; k <= j; k++) {
            const double factor = (j % 2 ? -1 : 1) * (k ? 2 : 1) * t->basis[j * (j + 1) / 2 + k];
            double total[2];
            sum_of(t, p, M, j, k, total);
            L[j * j + k] += factor * total[0];
            if (k) L[j * j + j + k] += factor * total[1];
        }
}

long double tw_lattice_self(void)
{
    long double sum = -3; /* the background, -pi / (pi), and the charge's own cloud, -2 */
    for (int x = -REACH; x <= REACH; x++)
        for (int y = -REACH; y <= REACH; y++)
            for (int z = -REACH; z <= REACH; z++) {
                const long double r2 = (long double)(x * x + y * y + z * z);
                if (r2 > 0) sum += erfcl(sqrtl(PI * r2)) / sqrtl(r2) + expl(-PI * r2) / (PI * r2);
            }
    return sum;
}
long double tw_lattice_neighbours(void)
{
    return 6 + 12 / sqrtl(2) + 8 / sqrtl(3);
}
