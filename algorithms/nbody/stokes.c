/* Stokes flow by four harmonic sums with gradients (Tornberg and Greengard, J. Comput. Phys. 227, 2008): with r = x -
 * y,
 *
 *     f_i / r + (f . r) r_i / r^3 = f_i / r - x_k d_i (f_k / r) + d_i (f . y / r),      f . r / r^3 = -d_k (f_k / r)
 *
 * so that the charges are the force's three components and f . y. Places are taken from the middle of all points, and
 * the harmonic sums are a little more accurate than asked for, since their terms cancel in part. */
#include <float.h>
#include <stdlib.h>

#include "algorithms/nbody/fmm.h"
#include "algorithms/nbody/series.h"
#include "codelets/range.h"

struct flow {
    const struct tw_series_problem *q;
    double middle[3], *source, *target, *charge;
    double *pot[2], *grad[2]; /* at the sources, at the targets: 4 nd x n, 4 nd x 3 x n */
};

/* Points relative to the middle; of sources also the charges. */
struct moving {
    const struct flow *f;
    const void *from;
    double *to, *charge;
};
static void move(void *context, int part, tw_int begin, tw_int end)
{
    const struct moving *m = context;
    const struct tw_series_problem *q = m->f->q;
    (void)part;
    for (tw_int i = 3 * begin; i < 3 * end; i++)
        m->to[i] = tw_number_at(q->type, m->from, i) - m->f->middle[i % 3];
    for (tw_int j = begin; j < end && m->charge; j++)
        for (tw_int d = 0; d < q->nd; d++) {
            double *c = m->charge + 4 * (d + q->nd * j);
            c[3] = 0;
            for (int k = 0; k < 3; k++) {
                c[k] = tw_number_at(q->type, q->charge, d + q->nd * (k + 3 * j));
                c[3] += c[k] * m->to[3 * j + k];
            }
        }
}

static int prepare(struct tw_sequence *seq, struct flow *f)
{
    const struct tw_series_problem *q = f->q;
    const struct tw_points source = {.type = q->type, .xyz = q->source, .n = q->ns},
                           target = {.type = q->type, .xyz = q->target, .n = q->nt};
    const int wanted[2] = {q->pot || q->grad, q->pottarg || q->gradtarg};
    struct tw_box box;

    tw_box_empty(&box);
    tw_box_add(&box, &source);
    if (wanted[1]) tw_box_add(&box, &target);
    for (int k = 0; k < 3; k++)
        f->middle[k] = 0.5 * box.low[k] + 0.5 * box.high[k];
    const tw_int nt = wanted[1] ? q->nt : 0;
    f->source = malloc((size_t)q->ns * 3 * sizeof(double) + 1);
    f->target = malloc((size_t)nt * 3 * sizeof(double) + 1);
    f->charge = malloc((size_t)q->ns * 4 * (size_t)q->nd * sizeof(double) + 1);
    if (!f->source || !f->target || !f->charge) return TW_E_MEMORY;
    tw_range_run(seq, move, &(struct moving){f, q->source, f->source, f->charge}, q->ns);
    tw_range_run(seq, move, &(struct moving){f, q->target, f->target, NULL}, nt);
    for (int k = 0; k < 2; k++) {
        const size_t n = (size_t)(k ? q->nt : q->ns) * 4 * (size_t)q->nd + 1;
        if (!wanted[k]) continue;
        f->pot[k] = malloc(n * sizeof(double));
        f->grad[k] = malloc(3 * n * sizeof(double));
        if (!f->pot[k] || !f->grad[k]) return TW_E_MEMORY;
    }
    return 0;
}

/* The flow at points x from the harmonic sums there: part k of f. */
struct combining {
    const struct flow *f;
    int k;
    const double *x;
    void *velocity, *pressure;
};
static void combine(void *context, int part, tw_int begin, tw_int end)
{
    const struct combining *c = context;
    const struct flow *f = c->f;
    const tw_int nd = f->q->nd, four = 4 * nd;
    (void)part;
    for (tw_int i = begin; i < end; i++)
        for (tw_int d = 0; d < nd; d++) {
            const double *u = f->pot[c->k] + four * i + 4 * d, *g = f->grad[c->k] + four * 3 * i + 4 * d;
            for (int a = 0; c->velocity && a < 3; a++) {
                double v = u[a] + g[3 + four * a];
                for (int b = 0; b < 3; b++)
                    v -= c->x[3 * i + b] * g[b + four * a];
                tw_add_at(f->q->type, c->velocity, d + nd * (a + 3 * i), v);
            }
            if (c->pressure) tw_add_at(f->q->type, c->pressure, d + nd * i, -(g[0] + g[1 + four] + g[2 + 2 * four]));
        }
}

static void loop(struct tw_sequence *seq, void *p)
{
    struct flow f = {.q = p};
    const struct tw_series_problem *q = p;

    if (prepare(seq, &f)) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for the flow of %lld forces", (long long)q->ns);
    } else if (!tw_loop_status(seq)) {
        struct tw_fmm_problem harmonic = {.source = {TW_DOUBLE, f.source, q->ns},
                                          .target = {TW_DOUBLE, f.target, f.pot[1] ? q->nt : 0},
                                          .nd = 4 * q->nd,
                                          .charge = f.charge,
                                          .pot = f.pot[0],
                                          .grad = f.grad[0],
                                          .pottarg = f.pot[1],
                                          .gradtarg = f.grad[1],
                                          .order = tw_fmm_order(q->eps / 10)};
        tw_fmm_loop(seq, &harmonic);
        if (!tw_loop_status(seq)) {
            tw_range_run(seq, combine, &(struct combining){&f, 0, f.source, q->pot, q->grad}, f.pot[0] ? q->ns : 0);
            tw_range_run(seq, combine, &(struct combining){&f, 1, f.target, q->pottarg, q->gradtarg},
                         f.pot[1] ? q->nt : 0);
        }
    }
    free(f.source), free(f.target), free(f.charge);
    for (int k = 0; k < 2; k++)
        free(f.pot[k]), free(f.grad[k]);
}

/* Nothing to sum: zeros. Velocities have three components, pressures one: the other way round than potentials and
 * gradients. */
static int trivial(const struct tw_series_problem *q)
{
    struct tw_series_problem turned = *q;
    turned.pot = q->grad, turned.grad = q->pot;
    turned.pottarg = q->gradtarg, turned.gradtarg = q->pottarg;
    return tw_series_trivial(&turned);
}

static int call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q)
{
    char text[128];
    int e;

    TW_ARGUMENT(routine, 2, q->nd >= 1 && q->nd <= 256 ? NULL : "not between 1 and 256");
    if ((e = tw_series_check(routine, q, 0))) return e;
    TW_ARGUMENT(routine, 5, tw_bad_numbers_by_tasks(q->type, q->charge, 3 * q->nd * q->ns, DBL_MAX, text));
    if (trivial(q)) return 0;
    const double bytes = (double)((q->pot || q->grad ? q->ns : 0) + q->nt) * (double)q->nd * 4 * 2 * 4 * 8 +
                         (double)q->ns * 8 * (6 + 4 * (double)q->nd),
                 most = (double)tw_host_memory_limit(NULL);
    if (bytes > most)
        return tw_fail(TW_E_MEMORY, "%s needs %.0f MB of main memory beside its expansions, %.0f MB may be used",
                       routine, bytes * 1e-6, most * 1e-6);
    const double flops = tw_fmm_flops(&(struct tw_fmm_problem){.source = {TW_DOUBLE, NULL, q->ns},
                                                               .target = {TW_DOUBLE, NULL, q->nt},
                                                               .nd = 4 * q->nd,
                                                               .order = tw_fmm_order(q->eps / 10)});
    return seq ? tw_call_async(seq, routine + 3, loop, q, sizeof *q, flops) : tw_call(routine + 3, loop, q, flops);
}

#define PROBLEM(t)                                                                                                     \
    (&(struct tw_series_problem){.type = t,                                                                            \
                                 .dim = 3,                                                                             \
                                 .nd = nd,                                                                             \
                                 .ns = nsource,                                                                        \
                                 .nt = ntarget,                                                                        \
                                 .source = source,                                                                     \
                                 .charge = force,                                                                      \
                                 .target = target,                                                                     \
                                 .pot = velocity,                                                                      \
                                 .grad = pressure,                                                                     \
                                 .pottarg = velocitytarg,                                                              \
                                 .gradtarg = pressuretarg,                                                             \
                                 .eps = eps})

int tw_stokes3d(double eps, tw_int nd, tw_int nsource, const double *source, const double *force, double *velocity,
                double *pressure, tw_int ntarget, const double *target, double *velocitytarg, double *pressuretarg)
{
    return call("tw_stokes3d", NULL, PROBLEM(TW_DOUBLE));
}
int tw_sstokes3d(double eps, tw_int nd, tw_int nsource, const float *source, const float *force, float *velocity,
                 float *pressure, tw_int ntarget, const float *target, float *velocitytarg, float *pressuretarg)
{
    return call("tw_sstokes3d", NULL, PROBLEM(TW_FLOAT));
}
int tw_stokes3d_async(double eps, tw_int nd, tw_int nsource, const double *source, const double *force,
                      double *velocity, double *pressure, tw_int ntarget, const double *target, double *velocitytarg,
                      double *pressuretarg, tw_sequence *seq)
{
    TW_ARGUMENT("tw_stokes3d_async", 12, seq ? NULL : "NULL sequence");
    return call("tw_stokes3d", seq, PROBLEM(TW_DOUBLE));
}
int tw_sstokes3d_async(double eps, tw_int nd, tw_int nsource, const float *source, const float *force, float *velocity,
                       float *pressure, tw_int ntarget, const float *target, float *velocitytarg, float *pressuretarg,
                       tw_sequence *seq)
{
    TW_ARGUMENT("tw_sstokes3d_async", 12, seq ? NULL : "NULL sequence");
    return call("tw_sstokes3d", seq, PROBLEM(TW_FLOAT));
}
