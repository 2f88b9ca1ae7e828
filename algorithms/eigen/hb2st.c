/* Stage 2: from a band to a tridiagonal matrix by bulge chasing, as tasks of some steps of some sweeps each
 * (types/eigen/chase.h says which).
 *
 * Task (S, J) follows (S, J - 1) and (S - 1, J + 1): both take token J + 1 or J, as it does. So groups of sweeps run
 * one behind the other, two tasks apart, and all orders that this leaves give the same bits. */
#include <stdlib.h>
#include "algorithms/eigen/chase_private.h"
#include "runtime/base/variables.h"

static void group(struct tw_sequence *seq, const struct tw_chase_kind *kind, struct tw_chase_task *t,
                  const struct tw_chase *u, const struct tw_chase *v)
{
    const struct tw_chase_shape *c = &t->shape;
    const int tasks = tw_chase_tasks(c, t->S), longest = tw_chase_tasks(c, 0) + 2 * tw_chase_groups(c);

    if (!(t->carry = tw_data_tile(t->B->type, c->b, c->depth))) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for its reflectors", kind->name);
        return;
    }
    t->u = u ? u->v[t->S] : NULL;
    t->v = v ? v->v[t->S] : NULL;
    for (t->J = 0; t->J < tasks; t->J++)
        kind->task(seq, tw_priority(seq, longest - 2 * t->S - t->J, longest, 1), t);
    tw_data_free_later(t->carry);
}

static void by_tasks(struct tw_sequence *seq, const struct tw_chase_kind *kind, struct tw_chase_task *t,
                     const struct tw_chase *u, const struct tw_chase *v)
{
    const int tokens = tw_chase_tasks(&t->shape, 0) + 1;
    struct tw_data **token = calloc((size_t)tokens, sizeof *token);
    int missing = !token;

    for (int k = 0; token && k < tokens; k++)
        missing |= !(token[k] = tw_data_token());
    t->token = token;
    if (missing) tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for %d tokens", kind->name, tokens);
    for (t->S = 0; t->S < tw_chase_groups(&t->shape) && !tw_loop_status(seq); t->S++)
        group(seq, kind, t, u, v);
    for (int k = 0; token && k < tokens; k++)
        if (token[k]) tw_data_free_later(token[k]);
    free(token);
}

/* On a GPU: some hundred sweeps in a launch, one launch after the other. */
static void by_sweeps(struct tw_sequence *seq, const struct tw_chase_kind *kind, struct tw_chase_task *t,
                      const struct tw_chase *u, const struct tw_chase *v)
{
    const int groups = tw_chase_groups(&t->shape), most = kind->most(&t->shape);

    for (t->S = 0; t->S < groups && !tw_loop_status(seq); t->S += most)
        kind->sweeps(seq, tw_priority(seq, groups - t->S, groups, 1), t, (int)tw_min(most, groups - t->S),
                     u ? u->v + t->S : NULL, v ? v->v + t->S : NULL);
}

void tw_chase_loop(struct tw_sequence *seq, const struct tw_chase_kind *kind, struct tw_chase_task *t,
                   const struct tw_chase *u, const struct tw_chase *v)
{
    const char *const before = tw_loop_in_stage(seq, kind->stage);

    t->shape = u ? u->shape : v ? v->shape : tw_chase_shape(t->B->n, t->B->b);
    (tw_chase_on_gpu(&t->shape) ? by_sweeps : by_tasks)(seq, kind, t, u, v);
    (void)tw_loop_in_stage(seq, before);
}

int tw_chase_place(int *place)
{
    *place = TW_CHASE_AUTO;
    return tw_variable_word(TW_TILEWORK_CHASE, place);
}

/* TILEWORK_CHASE, or where it is faster: the CPUs' tasks are a hundred times shorter, and a GPU has its block to a
 * sweep. */
int tw_chase_on_gpu(const struct tw_chase_shape *c)
{
    int place;

    (void)tw_chase_place(&place); /* the caller has refused other words */
    if (!tw_chase_sweeps_can(c)) return 0;
    return place == TW_CHASE_AUTO ? tw_gpus() > 0 && c->n >= 2048 && c->b >= 32 : place == TW_CHASE_GPU;
}

void tw_hb2st_loop(struct tw_sequence *seq, struct tw_band *B, struct tw_data *d, struct tw_data *e,
                   struct tw_chase *chase, struct tw_data *info)
{
    static const struct tw_chase_kind kind = {"hb2st", "tridiagonal", tw_task_hb2st, tw_task_hb2st_sweeps,
                                              tw_chase_sweeps_most};
    struct tw_chase_task t = {.B = B, .d = d, .e = e, .info = info};

    if (B->n > 0) tw_chase_loop(seq, &kind, &t, NULL, chase);
}
