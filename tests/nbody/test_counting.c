/* A kernel that counts, through the whole multipole method for any kernel: every stage passes numbers of sources on instead of expansions,
 * so that each target must receive exactly all of them. */
#include "algorithms/nbody/series.h"
#include "points.h"

static void points_to(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *E,
                      double *work)
{
    (void)s, (void)level, (void)work;
    for (int i = 0; i < p->n; i++)
        E[0] += q[i];
}
static void pass(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    (void)s, (void)level, (void)work;
    for (int k = 0; k < n; k++)
        pair[k].dst[0] += pair[k].src[0];
}
static void to_points(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *E,
                      double *const *out, double *work)
{
    (void)s, (void)level, (void)work;
    for (int i = 0; i < p->n; i++)
        out[0][i] += E[0];
}
static void direct(const struct tw_series *s, const struct tw_direct *d)
{
    const double *q = d->source[3];
    (void)s;
    for (int i = 0; i < d->nt; i++)
        for (int j = 0; j < d->ns; j++)
            ((double *)d->pot)[i] += q[j];
}
/* All images beyond the neighbours: as if there were 1000. */
static void beyond(const struct tw_series *s, const double *M, double *L)
{
    (void)s;
    L[0] += 1000 * M[0];
}
static const struct tw_series_ops counting = {points_to, points_to, pass,   pass,  pass,
                                              to_points, to_points, direct, beyond};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct tw_series_problem *q = p;
    struct tw_series_work w = {.s = {.ops = &counting, .work = 8}, .leaf = 20};

    for (int level = 0; level <= TW_FMM_DEPTH; level++)
        w.s.length[level] = 8; /* small W and X cells (up to 4 points) are summed directly, others are not */
    if (!tw_series_run(seq, q, &w)) tw_series_give(seq, q, &w, NULL, NULL);
    tw_series_free(&w);
}

static void count(enum tt_places sources, enum tt_places targets, tw_int n, tw_int m, int nd, double side)
{
    double *y = tt_places(sources, 3, n, 1), *x = tt_places(targets, 3, m, 2), *q = malloc((size_t)(nd * n) * 8),
           *own = malloc((size_t)(nd * n) * 8), *u = malloc((size_t)(nd * m) * 8);
    struct tw_series_problem p = {.type = TW_DOUBLE,
                                  .dim = 3,
                                  .nd = nd,
                                  .ns = n,
                                  .nt = m,
                                  .source = y,
                                  .charge = q,
                                  .target = x,
                                  .pot = own,
                                  .pottarg = u,
                                  .side = side};
    for (tw_int i = 0; i < nd * n; i++)
        q[i] = (double)(1 + i % nd);
    tt_expect_info(tw_call("counting", loop, &p, 1), 0, "counting");
    for (tw_int i = 0; i < nd * (n + m); i++) {
        const tw_int d = i % nd;
        const double got = i < nd * n ? own[i] : u[i - nd * n], want = (side > 0 ? 1027.0 : 1) * (double)((1 + d) * n);
        if (got != want)
            fail_msg("%s, side %g: number %d is %g, not %g", tt_place_name[sources], side, (int)i, got, want);
    }
    free(y), free(x), free(q), free(own), free(u);
}

static void everybody(void **state)
{
    (void)state;
    for (int kind = 0; kind < TT_NPLACES; kind++)
        for (int periodic = 0; periodic < 2; periodic++) {
            count(kind, kind, 3000, 1000, 1, periodic ? 2.5 : 0);
            count(kind, TT_UNIFORM, 800, 3000, 2, periodic ? 1 : 0);
        }
    count(TT_UNIFORM, TT_UNIFORM, 1, 1, 1, 0);
    count(TT_UNIFORM, TT_UNIFORM, 1, 1, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everybody)};
    return tt_run(tests);
}
