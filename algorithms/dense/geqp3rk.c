/* QR with column pivoting up to a rank: geqp3's blocks (geqp3.c) until no column that is left counts, or a given number
 * of them is done; LAPACK's geqp3rk.
 *
 * A block's task ends where that is so, and a continuation looks after each block whether there is another one: what is
 * behind the last one is not touched. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/type.h>
#include "algorithms/dense/pivoted.h"
#include "algorithms/dense/pivoted_random.h"
#include "types/dense/pivot_stop.h"

struct args {
    struct tw_matrix *A;
    struct tw_rank_ends ends;
    struct tw_matrix *tau;
};

/* One call; its continuations hand it on. */
struct call {
    struct tw_pivoted f;
    struct tw_rank_ends ends;
    int block, owners;
};
static void release(void *args)
{
    struct call *c = *(struct call **)args;

    if (--c->owners > 0) return;
    tw_pivoted_end(&c->f);
    tw_data_free_later(c->f.stop);
    tw_data_free_later(c->f.jpvt);
    free(c);
}

void tw_rank_told(const struct tw_rank_ends *ends, const struct tw_pivot_stop *s, tw_int least)
{
    const int whole = s->k == least;

    *ends->k = s->k;
    *ends->maxc2nrmk = whole ? 0 : s->largest;
    *ends->relmaxc2nrmk = whole || s->first == 0 ? 0 : s->k == 0 && !s->nan ? 1 : s->largest / s->first;
}

static void finish(struct tw_sequence *seq, struct call *c, const struct tw_pivot_stop *s)
{
    tw_rank_told(&c->ends, s, tw_min(c->f.A->m, c->f.A->n));
    tw_pivoted_finish(&c->f, c->block + 1);
    for (int k = c->block + 1; k < c->f.blocks; k++)
        tw_task_laset(seq, tw_priority(seq, 0, 1, 0), 'G', tw_zero, tw_zero, tw_tile(c->f.tau, k, 0));
    tw_jpvt_out(seq, c->f.jpvt, c->ends.jpvt);
}

static void block(struct tw_sequence *seq, struct call *c);

static void after_block(struct tw_sequence *seq, const void *value, void *args)
{
    const struct tw_pivot_stop *s = value;
    struct call *c = *(struct call **)args;

    if (!s->stopped || s->k > (int64_t)c->block * c->f.A->nb) tw_pivoted_update(&c->f, c->block);
    if (s->stopped || c->block + 1 == c->f.blocks) {
        finish(seq, c, s);
    } else {
        c->block++;
        block(seq, c);
    }
}

static void block(struct tw_sequence *seq, struct call *c)
{
    static const struct tw_pivot_stop modelled = {0};
    const struct tw_use uses[] = {{NULL, c->f.A, TW_RW}, {NULL, c->f.tau, TW_RW}, {c->f.jpvt, NULL, TW_RW}};

    if (tw_pivoted_panel(&c->f, c->block)) return;
    c->owners++;
    tw_when_owning(seq, c->f.stop, &modelled, uses, 3, after_block, release, &c, sizeof c);
}

struct tw_data *tw_pivot_stop_of(enum tw_type type, const struct tw_rank_ends *a)
{
    const int single = tw_is_single(type);
    const double least = 2 * (single ? (double)FLT_MIN : DBL_MIN), eps = tw_type_eps(type);
    struct tw_data *d = tw_data_vector(1, sizeof(struct tw_pivot_stop), (int[2]){-1, -1});

    if (d)
        *(struct tw_pivot_stop *)d->host =
            (struct tw_pivot_stop){.abstol = a->abstol >= 0 ? fmax(a->abstol, least) : -1,
                                   .reltol = a->reltol >= 0 ? fmax(a->reltol, eps) : -1,
                                   .kmax = a->kmax};
    return d;
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);
    struct call *c = A ? calloc(1, sizeof *c) : NULL;

    if (c) {
        struct tw_data *jpvt = tw_data_vector_of(TW_INT32, (size_t)A->n, (int[2]){-1, -1}),
                       *stop = tw_pivot_stop_of(A->type, &a->ends);
        const int failed = tw_pivoted_begin(&c->f, seq, A, jpvt, a->tau);

        c->f.stop = stop, c->ends = a->ends, c->owners = 1;
        if (jpvt) memset(jpvt->host, 0, (size_t)A->n * sizeof(int32_t)); /* none is to come first */
        if (!failed && jpvt && stop) block(seq, c);
        if (!jpvt || !stop)
            tw_loop_fail(seq, TW_E_MEMORY, "geqp3rk: no memory for the numbers of %lld columns", (long long)A->n);
        release(&c);
    } else if (A) {
        tw_loop_fail(seq, TW_E_MEMORY, "geqp3rk: no memory");
    }
    tw_retiled_end(seq, a->A, A, 1);
}

static void loop_random(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);

    if (A) tw_geqp3rk_random_loop(seq, A, &a->ends, a->tau);
    tw_retiled_end(seq, a->A, A, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_rank_ends *e = &a->ends;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL);
    TW_CHECK(who, 2, e->kmax < 0 ? "it is negative" : NULL);
    TW_CHECK(who, 3, isnan(e->abstol) ? "NaN" : NULL);
    TW_CHECK(who, 4, isnan(e->reltol) ? "NaN" : NULL);
    TW_CHECK(who, 5, e->k ? NULL : "NULL");
    TW_CHECK(who, 6, e->maxc2nrmk ? NULL : "NULL");
    TW_CHECK(who, 7, e->relmaxc2nrmk ? NULL : "NULL");
    TW_CHECK(who, 8, e->jpvt || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 9, tw_bad_full_tau(a->tau, a->A));
    *e->k = 0, *e->maxc2nrmk = 0, *e->relmaxc2nrmk = 0;
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    const double m = (double)a->A->m, n = (double)a->A->n, k = (double)tw_min(a->ends.kmax, tw_min(a->A->m, a->A->n));
    return tw_flops_geqrf(a->A->type, m, k) + tw_flops_unmqr(a->A->type, 'L', m, n - k, k);
}

#define ROW(name_, loop_, ...)                                                                                         \
    const struct tw_routine tw_routine_##name_ = {.name = #name_,                                                      \
                                                  .arguments = 9,                                                      \
                                                  .size = sizeof(struct args),                                         \
                                                  .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, tau)), \
                                                  .check = check,                                                      \
                                                  .loop = loop_,                                                       \
                                                  .flops = flops,                                                      \
                                                  .tuning = &tw_tuning_exchanges,                                      \
                                                  .needs = {"mn l1", __VA_ARGS__}}
ROW(geqp3rk, loop, NULL, NULL, tw_pivoted_bytes);
/* and, where it ends within a block, R's columns of that with what is applied to them */
ROW(geqp3rk_random, loop_random, TW_SKETCHED_SHAPES " mb 3bb 2fb b1");

int tw_geqp3rk(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k, double *maxc2nrmk,
               double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau)
{
    return tw_run(&tw_routine_geqp3rk,
                  &(struct args){A, {kmax, abstol, reltol, k, maxc2nrmk, relmaxc2nrmk, jpvt}, tau});
}

int tw_geqp3rk_async(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k, double *maxc2nrmk,
                     double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geqp3rk, seq,
                    &(struct args){A, {kmax, abstol, reltol, k, maxc2nrmk, relmaxc2nrmk, jpvt}, tau});
}

int tw_geqp3rk_random(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k, double *maxc2nrmk,
                      double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau)
{
    return tw_run(&tw_routine_geqp3rk_random,
                  &(struct args){A, {kmax, abstol, reltol, k, maxc2nrmk, relmaxc2nrmk, jpvt}, tau});
}

int tw_geqp3rk_random_async(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k, double *maxc2nrmk,
                            double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geqp3rk_random, seq,
                    &(struct args){A, {kmax, abstol, reltol, k, maxc2nrmk, relmaxc2nrmk, jpvt}, tau});
}
