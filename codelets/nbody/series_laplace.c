/* Laplace's kernel for the multipole method for any kernel: the expansions of kernels/nbody/cpu, and the lattice. */
#include "codelets/nbody/series_rotate.h"
#include "kernels/nbody/cpu/lattice.h"

/* Of cells of a level. The coefficients of a lower order are the first ones of a higher order. */
static const struct tw_fmm_tables *tables(const struct tw_series *s, int level)
{
    const struct tw_series_laplace *k = s->kernel;
    return level <= TW_SERIES_WIDE ? k->wide : k->tables;
}

static void p2m(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *M,
                double *work)
{
    tw_nbody_cpu()->p2m(tables(s, level), p, q, M, work);
}
static void p2l(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *L,
                double *work)
{
    tw_nbody_cpu()->p2l(tables(s, level), p, q, L, work);
}

static void m2m(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    const struct tw_fmm_tables *t = tables(s, level);
    tw_series_rotate_family(t, t->m2m, t->shift[t->m2m[0].shift], n, pair, work);
    for (int k = 0; k < n && level == TW_SERIES_WIDE + 1; k++) /* the kernel may write into an expansion's padding */
        for (int i = t->nc; i < t->stride; i++)
            pair[k].dst[i] = 0;
}
static void l2l(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    const struct tw_fmm_tables *t = tables(s, level);
    tw_series_rotate_family(t, t->l2l, t->shift[t->l2l[0].shift], n, pair, work);
}
static void m2l(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    const struct tw_fmm_tables *t = tables(s, level);
    tw_series_rotate(t, t->shift, n, pair, work);
}

/* The fields that l2p and m2p evaluate: the potential and, if wanted, its slopes, in the caller's units. */
static const double *fields(const struct tw_fmm_tables *t, int nf, const double *E, double inverse,
                            void (*slope)(const struct tw_fmm_tables *, const double *, double *const[3]), double *work)
{
    const size_t stride = (size_t)t->stride;
    if (nf == 4) {
        slope(t, E, (double *const[3]){work + stride, work + 2 * stride, work + 3 * stride});
        for (size_t k = stride; k < 4 * stride; k++)
            work[k] *= inverse * inverse;
    }
    for (size_t k = 0; k < stride; k++)
        work[k] = E[k] * inverse;
    return work;
}
static void l2p(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *L,
                double *const *out, double *work)
{
    const struct tw_fmm_tables *t = tables(s, level);
    tw_nbody_cpu()->l2p(t, p, s->nf, fields(t, s->nf, L, p->inverse, tw_fmm_slope_local, work), out);
}
static void m2p(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *M,
                double *const *out, double *work)
{
    const struct tw_fmm_tables *t = tables(s, level);
    tw_nbody_cpu()->m2p(t, p, s->nf, fields(t, s->nf, M, p->inverse, tw_fmm_slope_multipole, work), out);
}
static void p2p(const struct tw_series *s, const struct tw_direct *d)
{
    (void)s;
    tw_nbody_cpu()->direct[1](d);
}
static void beyond(const struct tw_series *s, const double *M, double *L)
{
    tw_lattice_apply(((const struct tw_series_laplace *)s->kernel)->lattice, tables(s, 0)->p, M, L);
}

void tw_series_use_laplace(struct tw_series *s, const struct tw_series_laplace *kernel)
{
    static const struct tw_series_ops ops = {p2m, p2l, m2m, m2l, l2l, l2p, m2p, p2p, beyond};
    const double p = kernel->tables->p + 1;

    s->ops = &ops;
    s->kernel = kernel;
    for (int level = 0; level <= TW_FMM_DEPTH; level++)
        s->length[level] = tables(s, level)->stride;
    s->work = tw_series_rotate_work(kernel->wide);
    s->flops = 4 * p * p * p; /* turns 2 x 4/3 p^3, shift 4/3 p^3 */
}
