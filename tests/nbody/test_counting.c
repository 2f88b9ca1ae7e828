/* A kernel that counts, through the whole multipole method for any kernel: every pass passes numbers of sources on
 * instead of expansions, so that each target must receive exactly all of them. */
#include "algorithms/nbody/series.h"
#include "nbody/counting.h"
#include "kernels/nbody/cpu/nbody_cpu.h"

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

static void everybody(void **state)
{
    (void)state;
    for (int kind = 0; kind < TT_NPLACES; kind++)
        for (int periodic = 0; periodic < 2; periodic++) {
            tt_count(loop, kind, kind, 3000, 1000, 1, periodic ? 2.5 : 0);
            tt_count(loop, kind, TT_UNIFORM, 800, 3000, 2, periodic ? 1 : 0);
        }
    tt_count(loop, TT_UNIFORM, TT_UNIFORM, 1, 1, 1, 0);
    tt_count(loop, TT_UNIFORM, TT_UNIFORM, 1, 1, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everybody)};
    return tt_run(tests);
}
