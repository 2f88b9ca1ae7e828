/* Deflation of a merge, and its columns brought into the order of what is left.
 *
 * deflate  e        R       all of T's
 *          d1, d2   R       the halves' eigenvalues
 *          z1, z2   R       the last row of Q1, the first of Q2
 *          head     W       five int64 (struct tw_merge_head)
 *          plan     W       int32, tw_merge_plan_size
 *          numbers  W       reals, tw_merge_numbers_size
 *          work     SCRATCH
 * gather   plan     R
 *          numbers  R
 *          top      W       n1 x (k1 + k2); each of the three only if it has columns
 *          bottom   W       n2 x (k2 + k3)
 *          rest     W       (n1 + n2) x (n1 + n2 - k)
 *          Q1, Q2   R each  pieces */
#include "codelets/eigen/laed_bodies.h"
#include "runtime/task/team.h"

struct deflate_args {
    int cut;
};
struct gather_args {
    struct tw_merge_head head;
    int skip;
    struct tw_dc_shape q1, q2;
};
_Static_assert(sizeof(struct gather_args) <= TW_ARGS_MAX, "arguments of a task");

static int deflate(const struct tw_body *body)
{
    const struct tw_buffer *b = body->buf;
    const int cut = ((const struct deflate_args *)body->args)->cut;

    TW_LAED(body)->deflate(b[1].m, b[2].m, tw_real_at(body, &b[0], (size_t)cut - 1), b[1].ptr, b[2].ptr, b[3].ptr,
                           b[4].ptr, b[5].ptr, b[6].ptr, b[7].ptr, b[8].ptr);
    return 0;
}

static int gather(const struct tw_body *body)
{
    const struct gather_args *g = body->args;
    const int64_t top = g->head.k1 + g->head.k2, bottom = g->head.k2 + g->head.k3,
                  rest = g->q1.rows + g->q2.rows - g->head.k;
    const struct tw_buffer *b = &body->buf[2];
    struct tw_team *team;
    void *to[3] = {top ? b++->ptr : NULL, NULL, NULL};
    to[1] = bottom ? b++->ptr : NULL;
    to[2] = rest ? b++->ptr : NULL;
    const struct tw_merge_columns q1 = tw_dc_in(&g->q1, b), q2 = tw_dc_in(&g->q2, b + g->q1.pieces);
    if (body->cuda)
        return TW_CUDA_LAED(body)->gather(body->cuda, &q1, &q2, &g->head, g->skip, body->buf[0].ptr, body->buf[1].ptr,
                                          to[0], to[1], to[2]);
    /* the last merge's copies are made while nothing else can be done */
    team = tw_team_open(body, (g->q1.rows + g->q2.rows) / 256);
    TW_LAED(body)->gather(&q1, &q2, &g->head, g->skip, body->buf[0].ptr, body->buf[1].ptr, to[0], to[1], to[2], team);
    tw_team_close(team);
    return 0;
}

static struct tw_codelet codelet_deflate = {.name = "laed2",
                                            .color = 0xDDAA33,
                                            .rate = TW_RATE_MEMORY,
                                            .share = 0.1,
                                            .cpu = deflate,
                                            .urgent = 1},
                         codelet_gather = {.name = "laed2_gather",
                                           .color = 0xDDDDDD,
                                           .rate = TW_RATE_MEMORY,
                                           .cpu = gather,
                                           .cuda = TW_CUDA_BODY(gather)};

void tw_task_laed2(struct tw_sequence *seq, int priority, int cut, struct tw_data *e, struct tw_data *d1,
                   struct tw_data *d2, struct tw_data *z1, struct tw_data *z2, struct tw_data *head,
                   struct tw_data *plan, struct tw_data *numbers)
{
    const struct deflate_args args = {cut};
    const struct tw_access access[] = {
        {e, TW_R},    {d1, TW_R},      {d2, TW_R},
        {z1, TW_R},   {z2, TW_R},      {head, TW_W},
        {plan, TW_W}, {numbers, TW_W}, {tw_scratch(tw_laed_deflate_work(d1->m + d2->m)), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_deflate,
                                     .type = d1->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 9,
                                     .priority = priority,
                                     .size = d1->m + d2->m,
                                     .coord = {cut, d1->m + d2->m, -1, -1}});
}

void tw_task_laed2_gather(struct tw_sequence *seq, int priority, const struct tw_merge_head *head, int skip,
                          const struct tw_dc_columns *Q1, const struct tw_dc_columns *Q2, struct tw_data *plan,
                          struct tw_data *numbers, struct tw_data *top, struct tw_data *bottom, struct tw_data *rest)
{
    const struct gather_args args = {*head, skip, tw_dc_shape(Q1), tw_dc_shape(Q2)};
    struct tw_access access[2 * TW_MERGE_PIECES + 5] = {{plan, TW_R}, {numbers, TW_R}};
    int n = 2;

    if (top) access[n++] = (struct tw_access){top, TW_W};
    if (bottom) access[n++] = (struct tw_access){bottom, TW_W};
    if (rest) access[n++] = (struct tw_access){rest, TW_W};
    n += tw_dc_accesses(Q1, access + n);
    n += tw_dc_accesses(Q2, access + n);
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_gather,
                                     .type = numbers->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .size = Q1->rows + Q2->rows,
                                     .coord = {Q1->rows + Q2->rows, -1, -1, -1}});
}
