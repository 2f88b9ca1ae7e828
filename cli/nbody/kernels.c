/* The checks of the multipole method's other kernels and boxes. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "checks/scaled.h"
#include "cli/nbody/particles.h"

enum { CHECKED = 30 };

tw_int cli_periodic_error(const tw_particles *p, enum tw_boundary boundary, double side, const double *u,
                          const double *grad, double error[2])
{
    const tw_int step = p->n > CHECKED ? p->n / CHECKED : 1, count = p->n / step;
    const double corner[3] = {0, 0, 0};
    double *x = cli_alloc((double)count * 56, "the check"), *pot = x + 3 * count, *slope = pot + count, e[2] = {0, 0},
           norm[2] = {0, 0};

    if (!x) return -1;
    for (tw_int i = 0; i < 3 * count; i++)
        x[i] = p->x[i / 3 * step * 3 + i % 3];
    const int failed = tw_ewald3d(boundary, corner, side, p->n, p->x, p->q, count, x, pot, slope);
    if (failed) {
        free(x);
        cli_library_error("--check", failed);
        return -1;
    }
    for (tw_int i = 0; i < count; i++) {
        if (u) e[0] += pow(u[i * step] - pot[i], 2), norm[0] += pot[i] * pot[i];
        for (tw_int k = 0; grad && k < 3; k++) {
            e[1] += pow(grad[3 * i * step + k] - slope[3 * i + k], 2);
            norm[1] += slope[3 * i + k] * slope[3 * i + k];
        }
    }
    for (int k = 0; k < 2; k++)
        error[k] = sqrt(norm[k] > 0 ? check_quotient(e[k], norm[k]) : e[k]);
    free(x);
    return count;
}

/* ---- Yukawa's kernel, the plane ---------------------------------------------------------------------------------- */

/* Potential and gradient at particle i; kappa < 0: the logarithm in the plane. */
static void sum(const tw_particles *p, double kappa, tw_int i, long double f[4])
{
    const int plane = kappa < 0;

    for (int k = 0; k < 4; k++)
        f[k] = 0;
    for (tw_int j = 0; j < p->n; j++) {
        long double d[3], r2 = 0; /* its exponents reach below the squares of the smallest distances */
        for (int k = 0; k < 3 - plane; k++) {
            d[k] = p->x[3 * i + k] - p->x[3 * j + k];
            r2 += d[k] * d[k];
        }
        if (r2 < (plane ? 0x1p-2200L : DBL_MIN)) continue; /* tilework/nbody.h */
        const double r = (double)sqrtl(r2);
        const long double w = plane ? p->q[j] * log(r) : p->q[j] * exp(-kappa * r) / r,
                          g = plane ? p->q[j] / r2 : -w * (1 + kappa * r) / r2;
        f[0] += w;
        for (int k = 0; k < 3 - plane; k++)
            f[1 + k] += g * d[k];
    }
}

struct look {
    const tw_particles *p;
    double kappa;
    tw_int step;
    long double (*field)[4];
};
static void look(void *context, long k)
{
    const struct look *l = context;
    sum(l->p, l->kappa, k * l->step, l->field[k]);
}

tw_int cli_kernel_error(const tw_particles *p, double kappa, const double *u, const double *grad, double error[2])
{
    const tw_int step = p->n > 1000 ? p->n / 1000 : 1, count = (p->n + step - 1) / step;
    struct look l = {p, kappa, step, cli_alloc((double)count * sizeof *l.field, "the check")};

    if (!l.field) return -1;
    cli_parallel(count, look, &l);
    cli_field_distance(count, kappa < 0 ? 2 : 3, step, l.field, u, grad, error);
    free(l.field);
    return count;
}
