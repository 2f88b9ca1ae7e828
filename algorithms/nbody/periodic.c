/* The fast multipole method in a periodic box: the walk meets the images of the 26 neighbours (codelets/nbody/walk.c);
 * what lies beyond acts on the root through sums over the lattice (kernels/nbody/cpu/lattice.h); what depends on the
 * boundary at infinity, a polynomial of degree 2, is added to the results.
 *
 * The potential of a unit charge and its background is psi(r) = 1 / r + (images' harmonic part) + 2 pi r^2 / (3 V) +
 * C. */
#include <stdlib.h>

#include "algorithms/nbody/periodic.h"
#include "algorithms/nbody/series.h"

const char *tw_bad_corner(const double *corner)
{
    for (int k = 0; corner && k < 3; k++)
        if (!(fabs(corner[k]) <= TW_NBODY_COORDINATE_MAX))
            return "a coordinate is NaN or beyond the range of coordinates";
    return corner ? NULL : "NULL";
}
const char *tw_bad_side(double side)
{
    return side >= 1e-100 && side <= 1e100 ? NULL : "not between 1e-100 and 1e100";
}
const char *tw_bad_boundary(enum tw_boundary boundary)
{
    return boundary == TW_TINFOIL || boundary == TW_VACUUM ? NULL : "neither TW_TINFOIL nor TW_VACUUM";
}

struct moments { /* of one charge vector, about the box's centre */
    double charge, dipole[3], trace;
};
struct outside {
    const struct moments *moments;
    double side, self; /* self: the images' potential at a unit charge, less that of the 26 neighbours */
    int tinfoil;
};

static struct moments *moments_of(const struct tw_series_problem *q, const double *source)
{
    struct moments *m = calloc((size_t)q->nd, sizeof *m);

    for (tw_int i = 0; m && i < q->ns; i++) {
        double x[3], r2 = 0;
        for (int k = 0; k < 3; k++) {
            x[k] = source[3 * i + k] - q->corner[k] - 0.5 * q->side;
            r2 += x[k] * x[k];
        }
        for (tw_int d = 0; d < q->nd; d++) {
            const double c = tw_number_at(q->type, q->charge, d + q->nd * i);
            m[d].charge += c;
            m[d].trace += c * r2;
            for (int k = 0; k < 3; k++)
                m[d].dipole[k] += c * x[k];
        }
    }
    return m;
}

static void adjust(const void *context, const double *x, tw_int d, int nf, double *value)
{
    const struct outside *o = context;
    const struct moments *m = &o->moments[d];
    const double a = 2 * M_PI / (3 * o->side) / o->side / o->side, r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];

    value[0] += a * (m->charge * r2 + m->trace) + o->self * m->charge;
    for (int k = 0; k < 3; k++) {
        if (o->tinfoil) value[0] -= 2 * a * x[k] * m->dipole[k];
        if (nf == 4) value[1 + k] += 2 * a * (m->charge * x[k] - (o->tinfoil ? m->dipole[k] : 0));
    }
}

/* Order of the expansions of the root and its children. Measured: in the worst case, all charges at the box's corners,
 * a degree more gains a factor of 0.73, so that 70 of them give 1e-11; random charges reach 1e-13 with 40. */
static int wide_order(int order)
{
    return (int)tw_min(order + order / 2 + 6, TW_SERIES_LATTICE_MOST);
}

static double flops(const struct tw_series_problem *q)
{
    const double p = tw_fmm_order(q->eps) + 1, leaf = tw_fmm_leaf((int)p, 1);
    return (double)q->nd * (double)(q->ns + q->nt) * (270 * leaf + 189 / leaf * 4 * p * p * p);
}

/* The images' potential at a unit charge, less that of the 26 neighbours. */
static double self_of(const struct tw_series_problem *q)
{
    return tw_series_lattice_self() / q->side;
}

static void on_cpus(struct tw_sequence *seq, const struct tw_series_problem *q, struct tw_series_work *w)
{
    struct moments *m;

    w->leaf = tw_fmm_leaf(tw_fmm_order(q->eps), q->grad || q->gradtarg ? 4 : 1);
    if (tw_series_run(seq, q, w)) return;
    if ((m = moments_of(q, w->all)))
        tw_series_give(seq, q, w, adjust, &(struct outside){m, q->side, self_of(q), q->boundary == TW_TINFOIL});
    else
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for %lld charge vectors", (long long)q->nd);
    free(m);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct tw_series_problem *q = p;
    const int order = tw_fmm_order(q->eps), wide = wide_order(order);
    const struct tw_lattice *lattice = tw_series_lattice(wide);
    const struct tw_series_laplace kernel = {tw_fmm_tables_get(order), tw_fmm_tables_get(wide), lattice};
    struct tw_series_work w = {0};
    struct tw_gpu_problem gpu = tw_series_for_gpu("tw_fmm3d_periodic", q, TW_GPU_LAPLACE, order, flops(q));
    int way;

    if (!lattice || !kernel.tables || !kernel.wide) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for expansions of order %d", order);
    } else {
        tw_series_use_laplace(&w.s, &kernel);
        gpu.tables = kernel.tables, gpu.wide = kernel.wide, gpu.most_order = wide;
        gpu.first = &w.s;
        gpu.tinfoil = q->boundary == TW_TINFOIL, gpu.self = self_of(q);
        way = tw_gpu_way(seq, &gpu);
        if (way > 0) tw_gpu_loop(seq, &gpu);
        if (way == 0) on_cpus(seq, q, &w);
    }
    tw_series_free(&w);
    tw_fmm_tables_put(kernel.tables), tw_fmm_tables_put(kernel.wide);
}

int tw_periodic_call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q, const double *corner)
{
    int e;

    TW_ARGUMENT(routine, 2, tw_bad_boundary(q->boundary));
    TW_ARGUMENT(routine, 3, tw_bad_corner(corner));
    TW_ARGUMENT(routine, 4, tw_bad_side(q->side));
    for (int k = 0; k < 3; k++)
        q->corner[k] = corner[k];
    if ((e = tw_series_check(routine, q, 3))) return e;
    if (tw_series_trivial(q)) return 0;
    return seq ? tw_call_async(seq, routine + 3, loop, q, sizeof *q, flops(q))
               : tw_call(routine + 3, loop, q, flops(q));
}

#define PROBLEM(t) TW_SERIES_PROBLEM(t, .dim = 3, .boundary = (int)boundary, .side = side)

int tw_fmm3d_periodic(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                      tw_int nsource, const double *source, const double *charge, double *pot, double *grad,
                      tw_int ntarget, const double *target, double *pottarg, double *gradtarg)
{
    return tw_periodic_call("tw_fmm3d_periodic", NULL, PROBLEM(TW_DOUBLE), corner);
}
int tw_sfmm3d_periodic(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                       tw_int nsource, const float *source, const float *charge, float *pot, float *grad,
                       tw_int ntarget, const float *target, float *pottarg, float *gradtarg)
{
    return tw_periodic_call("tw_sfmm3d_periodic", NULL, PROBLEM(TW_FLOAT), corner);
}
int tw_fmm3d_periodic_async(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                            tw_int nsource, const double *source, const double *charge, double *pot, double *grad,
                            tw_int ntarget, const double *target, double *pottarg, double *gradtarg, tw_sequence *seq)
{
    TW_ARGUMENT("tw_fmm3d_periodic_async", 15, seq ? NULL : "NULL sequence");
    return tw_periodic_call("tw_fmm3d_periodic", seq, PROBLEM(TW_DOUBLE), corner);
}
int tw_sfmm3d_periodic_async(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                             tw_int nsource, const float *source, const float *charge, float *pot, float *grad,
                             tw_int ntarget, const float *target, float *pottarg, float *gradtarg, tw_sequence *seq)
{
    TW_ARGUMENT("tw_sfmm3d_periodic_async", 15, seq ? NULL : "NULL sequence");
    return tw_periodic_call("tw_sfmm3d_periodic", seq, PROBLEM(TW_FLOAT), corner);
}
