/* A panel of stage 1, taken out of A's tiles and brought up to date with the panel before it: so that it can be
 * factored while that one's update of the rest of A is still going on.
 *
 * Arguments  skip: the columns of the tiles before the first; tiles; below: whether there is a P
 * Buffers    A    R  each  the block column's tiles, from the diagonal down
 *            D    W        k x k: the diagonal block, in its lower triangle
 *            P    W        the rows below it (if there are any)
 *            VWV  R        [V W V] of the panel before, whose first row is D's (if there was one) */
#include "codelets/eigen/eigen_bodies.h"

static const tw_scalar one = {1, 0}, minus_one = {-1, 0};

struct args {
    int skip, tiles, below, before;
};

static int copy(const struct tw_body *body, const struct tw_buffer *D, const struct tw_buffer *P)
{
    const struct args *g = body->args;
    const int skip = g->skip;

    TW_STEP(
        TW_DO(body, lacpy, 'L', D->m, D->n, tw_at(body, &body->buf[0], skip, skip), body->buf[0].ld, D->ptr, D->ld));
    for (int i = 0, row = 0; i < g->tiles && g->below; i++) {
        const struct tw_buffer *a = &body->buf[i];
        const int from = i == 0 ? skip + D->m : 0, rows = a->m - from;
        if (rows <= 0) continue;
        TW_STEP(TW_DO(body, lacpy, 'G', rows, D->n, tw_at(body, a, from, skip), a->ld, tw_at(body, P, row, 0), P->ld));
        row += rows;
    }
    return 0;
}

/* Less V W^H + W V^H = [V W] [W V]^H. */
static int subtract(const struct tw_body *body, const struct tw_buffer *VWV, int row, const struct tw_buffer *to)
{
    const int k = VWV->n / 3;

    return TW_DO(body, gemm, 'N', tw_real_trans(body->type, 'C'), to->m, to->n, 2 * k, minus_one,
                 tw_at(body, VWV, row, 0), VWV->ld, tw_at(body, VWV, 0, k), VWV->ld, one, to->ptr, to->ld);
}

static int gather(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *D = &body->buf[g->tiles], *P = D + 1, *VWV = D + 1 + g->below;

    TW_STEP(copy(body, D, P));
    if (g->before) TW_STEP(subtract(body, VWV, 0, D));
    if (g->before && g->below) TW_STEP(subtract(body, VWV, D->m, P));
    return 0;
}

static struct tw_codelet codelet = {.name = "he2hb_gather",
                                    .color = 0xDDCC77,
                                    .rate = TW_RATE_MEMORY,
                                    .cpu = gather,
                                    .cuda = TW_CUDA_BODY(gather),
                                    .urgent = 1};

void tw_task_he2hb_gather(struct tw_sequence *seq, int priority, int skip, struct tw_data *const *tile, int count,
                          struct tw_data *VWV, struct tw_data *D, struct tw_data *P)
{
    const enum tw_type type = D->type;
    const struct args args = {skip, count, P != NULL, VWV != NULL};
    const double rows = D->m + (P ? P->m : 0), inner = VWV ? 2 * (VWV->n / 3) : 0;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "he2hb_gather", count + 3, few);
    int n = 0;

    if (!access) return;
    for (; n < count; n++)
        access[n] = (struct tw_access){tile[n], TW_R};
    access[n++] = (struct tw_access){D, TW_W};
    if (P) access[n++] = (struct tw_access){P, TW_W};
    if (VWV) access[n++] = (struct tw_access){VWV, TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(type, rows, D->n, inner),
                                     .m = rows,
                                     .n = D->n,
                                     .k = inner,
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
