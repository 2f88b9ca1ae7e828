/* Stage 2: from a triangular band to a real bidiagonal matrix by bulge chasing, as tasks of some steps of some sweeps each: those of algorithms/eigen/hb2st.c, since a step from both sides
 * reaches as far as one that is hermitian. Task (S, J) follows (S, J - 1) and (S - 1, J + 1), and all orders that this leaves give the same bits. */
#include <stdlib.h>
#include "algorithms/eigen/chase_kept.h"
#include "algorithms/svd/svd_loops.h"

static void group(struct tw_sequence *seq, struct tw_tb2bd_task *t, const struct tw_chase *u, const struct tw_chase *v)
{
    const struct tw_chase_shape *c = &t->shape;
    const int tasks = tw_chase_tasks(c, t->S), longest = tw_chase_tasks(c, 0) + 2 * tw_chase_groups(c);

    if (!(t->carry = tw_data_tile(t->B->type, c->b, c->depth))) {
        tw_loop_fail(seq, TW_E_MEMORY, "tb2bd: no memory for its reflectors");
        return;
    }
    t->u = u ? u->v[t->S] : NULL;
    t->v = v ? v->v[t->S] : NULL;
    for (t->J = 0; t->J < tasks; t->J++)
        tw_task_tb2bd(seq, tw_priority(seq, longest - 2 * t->S - t->J, longest, 1), t);
    tw_data_free_later(t->carry);
}

static void by_tasks(struct tw_sequence *seq, struct tw_tb2bd_task *t, const struct tw_chase *u,
                     const struct tw_chase *v)
{
    const int signs = tw_chase_tasks(&t->shape, 0) + 1;
    struct tw_data **sign = calloc((size_t)signs, sizeof *sign);
    int missing = !sign;

    for (int k = 0; sign && k < signs; k++)
        missing |= !(sign[k] = tw_data_sign());
    t->sign = sign;
    if (missing) tw_loop_fail(seq, TW_E_MEMORY, "tb2bd: no memory for %d signs", signs);
    for (t->S = 0; t->S < tw_chase_groups(&t->shape) && !tw_loop_status(seq); t->S++)
        group(seq, t, u, v);
    for (int k = 0; sign && k < signs; k++)
        if (sign[k]) tw_data_free_later(sign[k]);
    free(sign);
}

/* On a GPU: some hundred sweeps in a launch, one launch after the other. */
static void by_sweeps(struct tw_sequence *seq, struct tw_tb2bd_task *t, const struct tw_chase *u,
                      const struct tw_chase *v)
{
    const int groups = tw_chase_groups(&t->shape), most = tw_tb2bd_sweeps_most(&t->shape);

    for (t->S = 0; t->S < groups && !tw_loop_status(seq); t->S += most)
        tw_task_tb2bd_sweeps(seq, tw_priority(seq, groups - t->S, groups, 1), t, (int)tw_min(most, groups - t->S),
                             u ? u->v + t->S : NULL, v ? v->v + t->S : NULL);
}

void tw_tb2bd_loop(struct tw_sequence *seq, struct tw_band *B, struct tw_data *d, struct tw_data *e, struct tw_chase *u,
                   struct tw_chase *v, struct tw_data *info)
{
    struct tw_tb2bd_task t = {.shape = u   ? u->shape
                                       : v ? v->shape
                                           : tw_chase_shape(B->n, B->b),
                              .B = B,
                              .d = d,
                              .e = e,
                              .info = info};
    const char *const before = tw_loop_in_stage(seq, "bidiagonal");

    if (tw_chase_on_gpu(&t.shape))
        by_sweeps(seq, &t, u, v);
    else
        by_tasks(seq, &t, u, v);
    (void)tw_loop_in_stage(seq, before);
}
