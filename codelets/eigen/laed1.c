/* What a merge begins and ends with: z, from rows of both halves' eigenvectors; and its eigenvalues put together.
 *
 * row     z        W      as many elements as Q has columns
 *         Q        R each pieces
 * values  d        W      the eigenvalues, in the order of the columns
 *         numbers  R
 *         lambda   R each lists of roots */
#include <string.h>
#include "codelets/eigen/laed_bodies.h"

struct args {
    int row, pieces, k;
};

static int row(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *z = &body->buf[0];
    char *to = z->ptr;

    for (int p = 0; p < g->pieces; p++) {
        const struct tw_buffer *q = &body->buf[1 + p];
        TW_STEP(TW_DO(body, lacpy, 'G', 1, q->n, tw_at(body, q, g->row, 0), q->ld, to, 1));
        to += (size_t)q->n * tw_sizeof(body->type);
    }
    return 0;
}

static int values(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *d = &body->buf[0], *numbers = &body->buf[1];
    const size_t size = tw_sizeof(body->type);
    char *to = d->ptr;

    for (int p = 0; p < g->pieces; p++) {
        const struct tw_buffer *lambda = &body->buf[2 + p];
        memcpy(to, lambda->ptr, (size_t)lambda->m * size);
        to += (size_t)lambda->m * size;
    }
    memcpy(to, (const char *)numbers->ptr + (size_t)TW_MERGE_DEFLATED * (size_t)d->m * size,
           (size_t)(d->m - g->k) * size);
    return 0;
}

static struct tw_codelet codelet_row = {.name = "laed1_row",
                                        .color = 0xBBBBBB,
                                        .rate = TW_RATE_MEMORY,
                                        .cpu = row,
                                        .cuda = TW_CUDA_BODY(row)},
                         codelet_values = {
                             .name = "laed1_values", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = values};

void tw_task_laed1_row(struct tw_sequence *seq, int priority, int last, const struct tw_dc_columns *Q,
                       struct tw_data *z)
{
    const struct args args = {last ? Q->rows - 1 : 0, Q->pieces, 0};
    struct tw_access access[TW_MERGE_PIECES + 1] = {{z, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_row,
                                     .type = z->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1 + tw_dc_accesses(Q, access + 1),
                                     .priority = priority,
                                     .size = 1,
                                     .coord = {-1, -1, -1, -1}});
}

void tw_task_laed1_values(struct tw_sequence *seq, int priority, int k, struct tw_data *const *lambda, int lists,
                          struct tw_data *numbers, struct tw_data *d)
{
    const struct args args = {0, lists, k};
    struct tw_access access[TW_MERGE_PIECES + 2] = {{d, TW_W}, {numbers, TW_R}};

    for (int p = 0; p < lists; p++)
        access[2 + p] = (struct tw_access){lambda[p], TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_values,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2 + lists,
                                     .priority = priority,
                                     .size = 1,
                                     .coord = {-1, -1, -1, -1}});
}
