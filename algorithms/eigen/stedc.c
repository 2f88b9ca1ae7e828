/* Eigenvectors of a tridiagonal matrix by divide and conquer: what the tree of dc.c does with one. */
#include "algorithms/eigen/dc.h"

static void begin(struct tw_sequence *seq, int priority, const struct tw_dc *t)
{
    tw_task_laed0_tear(seq, priority, t->leaf, t->d, t->e, t->norm);
}
static void leaf(struct tw_sequence *seq, int priority, const struct tw_dc *t, const struct tw_dc_subproblem *p)
{
    tw_task_laed0_leaf(seq, priority, p->first, t->d, t->e, p->d, p->Q[0].piece[0], tw_info(seq));
}
static void deflate(struct tw_sequence *seq, int priority, const struct tw_dc *t, const struct tw_dc_subproblem *p,
                    const struct tw_dc_subproblem *first, const struct tw_dc_subproblem *second)
{
    tw_task_laed2(seq, priority, second->first, t->e, first->d, second->d, p->z[0], p->z[1], p->head, p->plan,
                  p->numbers);
}
static void vectors(struct tw_sequence *seq, int priority, int side, const struct tw_merge_head *head, int n1,
                    struct tw_data *z, struct tw_data *plan, struct tw_data *numbers, struct tw_data *delta,
                    struct tw_data *top, struct tw_data *bottom, struct tw_data *Q)
{
    (void)side;
    tw_task_laed3(seq, priority, head, n1, z, plan, numbers, delta, top, bottom, Q);
}
static void order(struct tw_sequence *seq, int priority, const struct tw_dc *t, struct tw_data *to,
                  struct tw_data *window, int k, int width)
{
    tw_task_laed0_order(seq, priority, t->scale, t->first, t->part[0].d, t->norm, to, t->w, tw_info(seq), window, k,
                        width);
}

static const struct tw_dc_method method = {.name = "stedc",
                                           .sides = 1,
                                           .begin = begin,
                                           .leaf = leaf,
                                           .deflate = deflate,
                                           .roots = tw_task_laed4,
                                           .vectors = vectors,
                                           .order = order};

void tw_stedc_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first, double *w,
                   struct tw_matrix *S)
{
    tw_dc_loop(seq, &method,
               &(struct tw_dc_problem){.scale = scale, .d = d, .e = e, .first = (int)first, .w = w, .S = {S}});
}
