/* Yukawa's kernel for the multipole method for any kernel: Laplace's turns, shifts of its own for every level. */
#include <math.h>

#include "codelets/nbody/series_rotate.h"
#include "kernels/nbody/cpu/more.h"
#include "kernels/nbody/cpu/yukawa.h"

static const struct tw_series_yukawa *kernel_of(const struct tw_series *s)
{
    return s->kernel;
}
/* Times the side of a level's cells. */
static double kappa_of(const struct tw_series *s, int level)
{
    return kernel_of(s)->level[level].kappa;
}

static void p2m(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *M,
                double *work)
{
    tw_nbody_more()->yukawa_from(kernel_of(s)->tables, kappa_of(s, level), p, q, M, work, 0);
}
static void p2l(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *L,
                double *work)
{
    tw_nbody_more()->yukawa_from(kernel_of(s)->tables, kappa_of(s, level), p, q, L, work, 1);
}
static void m2m(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    const struct tw_fmm_tables *t = kernel_of(s)->tables;
    tw_series_rotate_family(t, t->m2m, kernel_of(s)->level[level].m2m, n, pair, work);
}
static void l2l(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    const struct tw_fmm_tables *t = kernel_of(s)->tables;
    tw_series_rotate_family(t, t->l2l, kernel_of(s)->level[level].l2l, n, pair, work);
}
static void m2l(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    tw_series_rotate(kernel_of(s)->tables, kernel_of(s)->level[level].m2l, n, pair, work);
}

/* Values of an expansion at points: the potential and, if wanted, its slopes, in the caller's units. */
static void values(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *E,
                   double *const *out, double *work, int irregular)
{
    const struct tw_fmm_tables *t = kernel_of(s)->tables;
    const size_t stride = (size_t)t->stride;
    const double kappa = kappa_of(s, level);

    if (s->nf == 4) {
        (irregular ? tw_yukawa_slope_multipole : tw_yukawa_slope_local)(
            t, kappa, E, (double *const[3]){work + stride, work + 2 * stride, work + 3 * stride});
        for (size_t k = stride; k < 4 * stride; k++)
            work[k] *= p->inverse * p->inverse;
    }
    for (size_t k = 0; k < stride; k++)
        work[k] = E[k] * p->inverse;
    tw_nbody_more()->yukawa_at(t, kappa, p, s->nf, work, out, irregular);
}
static void l2p(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *L,
                double *const *out, double *work)
{
    values(s, level, p, L, out, work, 0);
}
static void m2p(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *M,
                double *const *out, double *work)
{
    values(s, level, p, M, out, work, 1);
}
static void p2p(const struct tw_series *s, const struct tw_direct *d)
{
    tw_nbody_more()->yukawa_direct(kernel_of(s)->kappa, d);
}

void tw_series_use_yukawa(struct tw_series *s, const struct tw_series_yukawa *kernel)
{
    static const struct tw_series_ops ops = {p2m, p2l, m2m, m2l, l2l, l2p, m2p, p2p, NULL};
    const double p = kernel->tables->p + 1;

    s->ops = &ops;
    s->kernel = kernel;
    for (int level = 0; level <= TW_FMM_DEPTH; level++)
        s->length[level] = kernel->tables->stride;
    s->work = tw_series_rotate_work(kernel->tables);
    s->flops = 4 * p * p * p;
}
