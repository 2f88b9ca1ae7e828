/* The plane's translations: binomials and powers. */
#include "kernels/nbody/cpu/plane.h"

#include <complex.h>
#include <stdlib.h>

static int make_kind(struct tw_plane_kind *k, int p, int directions)
{
    const size_t n = (size_t)(p + 1);
    k->A = calloc(n * n, sizeof(double));
    k->in_powers = calloc((size_t)directions * n * 2, sizeof(double));
    k->out_powers = calloc((size_t)directions * n * 2, sizeof(double));
    return k->A && k->in_powers && k->out_powers ? 0 : -1;
}
static void free_kind(struct tw_plane_kind *k)
{
    free(k->A), free(k->in_powers), free(k->out_powers);
}

static void powers(double *to, int p, double complex z)
{
    double complex power = 1;
    for (int k = 0; k <= p; k++, power *= z) {
        to[2 * k] = creal(power);
        to[2 * k + 1] = cimag(power);
    }
}
static void direction(const struct tw_plane_kind *k, int p, int number, double complex in, double complex out)
{
    powers(k->in_powers + (size_t)number * (size_t)(p + 1) * 2, p, in);
    powers(k->out_powers + (size_t)number * (size_t)(p + 1) * 2, p, out);
}

/* M2L by z: b_l = (-z)^-l (-a_0 / l + sum_k a_k z^-k C(l + k - 1, k - 1)), b_0 = a_0 log z + sum_k a_k z^-k.
 * |z| >= 2: half of z, so that the matrix stays small. */
static void make_m2l(struct tw_plane *t)
{
    const int n = t->p + 1;
    double *A = t->m2l.A;

    for (int k = 1; k < n; k++) {
        A[k] = k == 1 ? 0.5 : 0.5 * A[k - 1];
        A[k * n] = -1.0 / k * A[k];
        for (int l = 1; l < n; l++) /* C(l + k - 1, k - 1) 2^-(l + k) */
            A[l * n + k] = (l == 1 ? k * A[k] : A[(l - 1) * n + k] * (l + k - 1) / l) * 0.5;
    }
    for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++)
            if (abs(i) > 1 || abs(j) > 1)
                direction(&t->m2l, t->p, 7 * (i + 3) + j + 3, 2 / CMPLX(i, j), -2 / CMPLX(i, j));
}

/* The child's centre is c from its parent's, and its unit is half as long.
 * M2M: a'_l = c^l (-a_0 / l + sum_{1 <= k <= l} C(l - 1, k - 1) a_k (2 c)^-k).   L2L: b'_m = (2 c)^-m sum_{l >= m} C(l,
 * m) b_l c^l. */
static void make_family(struct tw_plane *t)
{
    const int n = t->p + 1;
    double *A = t->m2m.A, *B = t->l2l.A;

    A[0] = 1;
    for (int l = 1; l < n; l++) {
        A[l * n] = -1.0 / l;
        for (int k = 1; k <= l; k++)
            A[l * n + k] = k == 1 ? 1 : A[l * n + k - 1] * (l - k + 1) / (k - 1);
    }
    for (int l = 0; l < n; l++)
        for (int m = 0; m <= l; m++)
            B[m * n + l] = m == 0 ? 1 : B[(m - 1) * n + l] * (l - m + 1) / m;
    for (int child = 0; child < 4; child++) {
        const double complex c = CMPLX(child & 2 ? 0.25 : -0.25, child & 1 ? 0.25 : -0.25);
        direction(&t->m2m, t->p, child, 0.5 / c, c);
        direction(&t->l2l, t->p, child, c, 0.5 / c);
    }
}

struct tw_plane *tw_plane_make(int p)
{
    struct tw_plane *t = calloc(1, sizeof *t);

    if (!t) return NULL;
    t->p = p;
    t->half = (p + 8) & ~7;
    if (make_kind(&t->m2l, p, 49) || make_kind(&t->m2m, p, 4) || make_kind(&t->l2l, p, 4)) {
        tw_plane_free(t);
        return NULL;
    }
    make_m2l(t);
    make_family(t);
    return t;
}

void tw_plane_free(struct tw_plane *t)
{
    if (!t) return;
    free_kind(&t->m2l), free_kind(&t->m2m), free_kind(&t->l2l);
    free(t);
}
