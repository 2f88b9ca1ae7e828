/* The multipole method for any kernel: checks, sorting, the tree, results. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/variables.h"
#include "algorithms/nbody/periodic.h"
#include "algorithms/nbody/series.h"
#include "codelets/range.h"

/* ---- arguments --------------------------------------------------------------------------------------------------- */

int tw_series_check(const char *routine, const struct tw_series_problem *q, int shift)
{
    const double limit = q->type == TW_FLOAT ? TW_NBODY_COORDINATE_MAX_FLOAT : TW_NBODY_COORDINATE_MAX,
                 large = INT32_MAX;
    char text[128];
    int e;

    if ((e = tw_variable_check(TW_TILEWORK_FMM_PATH))) return e;
    TW_ARGUMENT(routine, 1, q->eps >= 1e-14 && q->eps < 1 ? NULL : "not in [1e-14, 1)");
    TW_ARGUMENT(routine, 2 + shift, q->nd >= 1 && q->nd <= 1024 ? NULL : "not between 1 and 1024");
    TW_ARGUMENT(routine, 3 + shift, q->ns >= 0 && q->ns <= large / 2 ? NULL : "not between 0 and 2^30");
    TW_ARGUMENT(routine, 8 + shift, q->nt >= 0 && q->nt <= large / 2 ? NULL : "not between 0 and 2^30");
    TW_ARGUMENT(routine, 4 + shift, q->ns && !q->source ? "NULL" : NULL);
    TW_ARGUMENT(routine, 5 + shift, q->ns && !q->charge ? "NULL" : NULL);
    TW_ARGUMENT(routine, 9 + shift, q->nt && !q->target ? "NULL" : NULL);
    TW_ARGUMENT(routine, 4 + shift, tw_bad_numbers_by_tasks(q->type, q->source, q->dim * q->ns, limit, text));
    TW_ARGUMENT(routine, 5 + shift, tw_bad_numbers_by_tasks(q->type, q->charge, q->nd * q->ns, DBL_MAX, text));
    TW_ARGUMENT(routine, 9 + shift, tw_bad_numbers_by_tasks(q->type, q->target, q->dim * q->nt, limit, text));
    return 0;
}

int tw_series_trivial(const struct tw_series_problem *q)
{
    const size_t size = tw_sizeof(q->type) * (size_t)q->nd, ns = (size_t)q->ns, nt = (size_t)q->nt,
                 dim = (size_t)q->dim;
    if (q->ns && (q->pot || q->grad || (q->nt && (q->pottarg || q->gradtarg)))) return 0;
    if (q->pot) memset(q->pot, 0, size * ns);
    if (q->grad) memset(q->grad, 0, dim * size * ns);
    if (q->pottarg) memset(q->pottarg, 0, size * nt);
    if (q->gradtarg) memset(q->gradtarg, 0, dim * size * nt);
    return 1;
}

/* ---- sorted copies ----------------------------------------------------------------------------------------------- */

struct reading {
    const struct tw_series_problem *q;
    const void *from;
    double *to;
};
static void read_some(void *context, int part, tw_int begin, tw_int end)
{
    const struct reading *r = context;
    const struct tw_series_problem *q = r->q;
    (void)part;
    for (tw_int i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            const double x = k < q->dim ? tw_number_at(q->type, r->from, q->dim * i + k) : 0;
            r->to[3 * i + k] = q->side > 0 ? tw_into_box(x, q->corner[k], q->side) : x;
        }
}

struct copies {
    const struct tw_series_problem *q;
    const struct tw_points *p;
    const uint32_t *order;
    tw_int nd;
    double *to;
};
static void copy_some(void *context, int part, tw_int begin, tw_int end)
{
    const struct copies *c = context;
    const double *xyz = c->p->xyz;
    const tw_int n = c->p->n;
    (void)part;
    for (tw_int i = begin; i < end; i++) {
        const tw_int from = c->order[i];
        for (int k = 0; k < 3; k++)
            c->to[i + k * n] = xyz[3 * from + k] - c->p->shift[k];
        for (tw_int d = 0; d < c->nd; d++)
            c->to[i + (3 + d) * n] = tw_number_at(c->q->type, c->q->charge, c->nd * from + d);
    }
}
/* Columns of n doubles: sorted points and, of sources, charges. */
static double *sorted(struct tw_sequence *seq, const struct tw_points *p, const uint32_t *order,
                      const struct tw_series_problem *q, tw_int nd)
{
    struct copies c = {q, p, order, nd, malloc((size_t)p->n * (size_t)(3 + nd) * sizeof(double) + 1)};
    if (c.to) tw_range_run(seq, copy_some, &c, p->n);
    return c.to;
}

static int sort_points(struct tw_sequence *seq, const struct tw_series_problem *q, struct tw_series_work *w)
{
    struct tw_fmm_tree *t = &w->s.tree;
    const int own = q->pot || q->grad;
    double *first = own ? w->all : w->all + 3 * q->ns; /* targets: the sources, too, or not */
    struct tw_points source = {.type = TW_DOUBLE, .xyz = w->all, .n = q->ns},
                     target = {.type = TW_DOUBLE, .xyz = first, .n = w->nt};
    struct tw_box box;
    int e;

    if (q->side > 0) {
        memcpy(t->corner, q->corner, sizeof t->corner);
        t->side = q->side;
    } else {
        tw_box_empty(&box);
        tw_box_add(&box, &source);
        tw_box_add(&box, &target);
        tw_box_shift(&box, source.shift);
        memcpy(target.shift, source.shift, sizeof target.shift);
        tw_box_cube(&box, t->corner, &t->side);
    }
    if ((e = tw_morton_sort_by_tasks(seq, &source, t->corner, t->side, w->key[0], w->order[0]))) return e;
    if (own && w->nt == q->ns) { /* the same points */
        memcpy(w->key[1], w->key[0], (size_t)w->nt * sizeof *w->key[1]);
        memcpy(w->order[1], w->order[0], (size_t)w->nt * sizeof *w->order[1]);
    } else if ((e = tw_morton_sort_by_tasks(seq, &target, t->corner, t->side, w->key[1], w->order[1]))) {
        return e;
    }
    w->source = sorted(seq, &source, w->order[0], q, q->nd);
    w->target = sorted(seq, &target, w->order[1], q, 0);
    return w->source && w->target ? tw_loop_status(seq) : TW_E_MEMORY;
}

static int prepare(struct tw_sequence *seq, const struct tw_series_problem *q, struct tw_series_work *w)
{
    const size_t ns = (size_t)w->ns, nt = (size_t)w->nt;
    int e;

    w->all = malloc((ns + (size_t)q->nt + 1) * 3 * sizeof(double));
    for (int k = 0; k < 2; k++) {
        w->key[k] = malloc(((k ? nt : ns) + 1) * sizeof(uint64_t));
        w->order[k] = malloc(((k ? nt : ns) + 1) * sizeof(uint32_t));
        if (!w->key[k] || !w->order[k]) return TW_E_MEMORY;
    }
    w->result = malloc((nt * (size_t)(w->s.nd * w->s.nf) + 1) * sizeof(double));
    if (!w->all || !w->result) return TW_E_MEMORY;
    tw_range_run(seq, read_some, &(struct reading){q, q->source, w->all}, q->ns);
    tw_range_run(seq, read_some, &(struct reading){q, q->target, w->all + 3 * q->ns}, q->nt);
    if ((e = tw_loop_status(seq)) || (e = sort_points(seq, q, w))) return e;
    if (w->choose && (e = w->choose(w, q))) return e;
    w->s.tree.few = w->s.length[TW_FMM_DEPTH] / 2;
    w->s.tree.periodic = q->side > 0;
    w->s.top = q->side > 0 ? 0 : 2;
    e = tw_fmm_tree_make_by_tasks(seq, &w->s.tree, w->key[0], (int)ns, w->key[1], (int)nt, q->leaf ? q->leaf : w->leaf);
    if (!e && w->with_tree) e = w->with_tree(seq, w, q);
    return e ? e : tw_series_objects_make(w);
}

/* ---- on a GPU ---------------------------------------------------------------------------------------------------- */

struct tw_gpu_problem tw_series_for_gpu(const char *routine, const struct tw_series_problem *q, enum tw_gpu_kind kind,
                                        int order, double cpu_flops)
{
    return (struct tw_gpu_problem){.routine = routine,
                                   .kind = kind,
                                   .space = {.type = q->type,
                                             .dim = q->dim,
                                             .corner = {q->corner[0], q->corner[1], q->corner[2]},
                                             .side = q->side},
                                   .nd = q->nd,
                                   .ns = q->ns,
                                   .nt = q->nt,
                                   .source = q->source,
                                   .charge = q->charge,
                                   .target = q->target,
                                   .pot = q->pot,
                                   .grad = q->grad,
                                   .pottarg = q->pottarg,
                                   .gradtarg = q->gradtarg,
                                   .order = order,
                                   .leaf = q->leaf,
                                   .cpu_flops = cpu_flops,
                                   .tinfoil = -1};
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

/* Points, keys, orders, sorted copies, results; the expansions are counted by the pool. */
static int fits(struct tw_sequence *seq, const struct tw_series_problem *q, const struct tw_series_work *w)
{
    const double nd = (double)q->nd, bytes = (double)w->ns * (60 + 8 * nd) + (double)w->nt * (60 + 8 * nd * w->s.nf),
                 most = (double)tw_host_memory_limit(NULL);
    if (bytes <= most) return 1;
    tw_loop_fail(seq, TW_E_MEMORY,
                 "the multipole method needs %.0f MB of main memory beside its expansions, %.0f MB may be used",
                 bytes * 1e-6, most * 1e-6);
    return 0;
}

int tw_series_run(struct tw_sequence *seq, const struct tw_series_problem *q, struct tw_series_work *w)
{
    int e;

    w->ns = q->ns;
    w->nt = (q->pot || q->grad ? q->ns : 0) + (q->pottarg || q->gradtarg ? q->nt : 0);
    w->s.nd = (int)q->nd;
    w->s.nf = q->grad || q->gradtarg ? 1 + q->dim : 1;
    if (!fits(seq, q, w)) return tw_loop_status(seq);
    e = prepare(seq, q, w);
    if (!e) e = tw_series_submit_passes(seq, w);
    if (e && !tw_loop_status(seq))
        tw_loop_fail(seq, e, "no memory for the multipole method with %lld points", (long long)q->ns);
    tw_loop_wait(seq);
    tw_series_objects_free(w); /* the results are in main memory again */
    return tw_loop_status(seq);
}

struct given {
    const struct tw_series_problem *q;
    const struct tw_series_work *w;
    tw_series_adjust adjust;
    const void *context;
};
static void give_one(const struct given *g, tw_int at)
{
    const struct tw_series_problem *q = g->q;
    const struct tw_series_work *w = g->w;
    const int own = q->pot || q->grad, nf = w->s.nf;
    const tw_int from = w->order[1][at], i = own && from >= q->ns ? from - q->ns : from;
    const int at_source = own && from < q->ns;
    void *pot = at_source ? q->pot : q->pottarg, *grad = at_source ? q->grad : q->gradtarg;
    double x[3], value[4];

    for (int k = 0; k < 3; k++)
        x[k] = w->target[at + k * w->nt] - (q->side > 0 ? q->corner[k] + 0.5 * q->side : 0);
    for (tw_int d = 0; d < q->nd; d++) {
        for (int f = 0; f < nf; f++)
            value[f] = w->result[at + (d * nf + f) * w->nt];
        if (g->adjust) g->adjust(g->context, x, d, nf, value);
        if (pot) tw_add_at(q->type, pot, d + q->nd * i, value[0]);
        for (int k = 0; grad && k < q->dim; k++)
            tw_add_at(q->type, grad, d + q->nd * (k + q->dim * i), value[1 + k]);
    }
}
static void give_some(void *context, int part, tw_int begin, tw_int end)
{
    (void)part;
    for (tw_int i = begin; i < end; i++)
        give_one(context, i);
}
void tw_series_give(struct tw_sequence *seq, const struct tw_series_problem *q, const struct tw_series_work *w,
                    tw_series_adjust adjust, const void *context)
{
    tw_range_run(seq, give_some, &(struct given){q, w, adjust, context}, w->nt);
}

void tw_series_free(struct tw_series_work *w)
{
    tw_series_objects_free(w);
    tw_fmm_tree_free(&w->s.tree);
    for (int k = 0; k < 2; k++)
        free(w->key[k]), free(w->order[k]);
    free(w->all), free(w->source), free(w->target), free(w->result);
}
