/* The logarithm in the plane for the multipole method for any kernel. The octree's cells all lie in one layer, so that
 * it is a quadtree. */
#include <math.h>

#include "codelets/nbody/series.h"
#include "kernels/nbody/cpu/more.h"

enum { AT_ONCE = 256 };

static const struct tw_plane *tables(const struct tw_series *s)
{
    return s->kernel;
}

static void p2m(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *M,
                double *work)
{
    (void)level, (void)work;
    tw_nbody_more()->plane_p2m(tables(s), p, q, M);
}
static void p2l(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *L,
                double *work)
{
    (void)level, (void)work;
    tw_nbody_more()->plane_p2l(tables(s), p, q, L);
}

static void translate(const struct tw_series *s, const struct tw_plane_kind *kind, int level, int n,
                      const struct tw_series_pair *pair, double *work)
{
    const struct tw_plane *t = tables(s);
    const double unit = s->tree.side / (double)(1 << level);
    struct tw_plane_pair some[AT_ONCE];

    for (int first = 0; first < n; first += AT_ONCE) {
        const int count = (int)tw_min(AT_ONCE, n - first);
        for (int k = 0; k < count; k++) {
            const struct tw_series_pair *p = &pair[first + k];
            const int x = p->way[0], y = p->way[1], far = kind == &t->m2l;
            some[k] = (struct tw_plane_pair){p->src, p->dst, far ? 7 * (x + 3) + y + 3 : 2 * x + y,
                                             far ? log(unit * hypot(x, y)) : 0};
        }
        tw_nbody_more()->plane_translate(t, kind, count, some, work);
    }
}
static void m2m(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    translate(s, &tables(s)->m2m, level, n, pair, work);
}
static void m2l(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    translate(s, &tables(s)->m2l, level, n, pair, work);
}
static void l2l(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    translate(s, &tables(s)->l2l, level, n, pair, work);
}
static void l2p(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *L,
                double *const *out, double *work)
{
    (void)level, (void)work;
    tw_nbody_more()->plane_l2p(tables(s), p, L, out);
}
static void m2p(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *M,
                double *const *out, double *work)
{
    (void)level, (void)work;
    tw_nbody_more()->plane_m2p(tables(s), p, M, out);
}
static void p2p(const struct tw_series *s, const struct tw_direct *d)
{
    (void)s;
    tw_nbody_more()->plane_direct(d);
}

void tw_series_use_plane(struct tw_series *s, const struct tw_plane *kernel)
{
    static const struct tw_series_ops ops = {p2m, p2l, m2m, m2l, l2l, l2p, m2p, p2p, NULL};

    s->ops = &ops;
    s->kernel = kernel;
    for (int level = 0; level <= TW_FMM_DEPTH; level++)
        s->length[level] = TW_PLANE_LENGTH(kernel);
    s->work = TW_PLANE_WORK(kernel);
    s->flops = 4.0 * (kernel->p + 1) * (kernel->p + 1);
}
