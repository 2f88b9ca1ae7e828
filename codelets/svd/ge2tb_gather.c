/* A column of stage 1, or a row as its adjoint, taken out of A's tiles and brought up to date with the step before it:
 * so that it can be factored while that one's update of the rest of A is still going on.
 *
 * Arguments  skip: the rows and columns of the first tile before the first; k: rows of a row; tiles; pending: whether
 *            there is VY, XW
 * Buffers    A       R each  a block column's tiles from the diagonal down, or a block row's from the diagonal to the
 *                            right
 *            P or G  W       rows x k
 *            VY, XW  R       of the step before (if there was one) */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"

static const tw_scalar one = {1, 0}, minus_one = {-1, 0};

struct args {
    int skip, k, tiles, pending;
};

static int column(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *P = &body->buf[g->tiles], *VY = P + 1, *XW = P + 2;

    for (int i = 0, row = 0; i < g->tiles; i++) {
        const struct tw_buffer *a = &body->buf[i];
        const int from = i == 0 ? g->skip : 0;
        TW_STEP(TW_DO(body, lacpy, 'G', a->m - from, P->n, tw_at(body, a, from, g->skip), a->ld, tw_at(body, P, row, 0),
                      P->ld));
        row += a->m - from;
    }
    if (!g->pending) return 0;
    return TW_DO(body, gemm, 'N', tw_real_trans(body->type, 'C'), P->m, P->n, VY->n, minus_one, VY->ptr, VY->ld,
                 XW->ptr, XW->ld, one, P->ptr, P->ld);
}

static int row(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *G = &body->buf[g->tiles], *VY = G + 1, *XW = G + 2;
    const char C = tw_real_trans(body->type, 'C');

    for (int i = 0, at = 0; i < g->tiles; i++) {
        const struct tw_buffer *a = &body->buf[i];
        const int from = i == 0 ? g->skip + g->k : 0;
        if (a->n <= from) continue;
        TW_STEP(TW_DO(body, transpose, C, g->k, a->n - from, tw_at(body, a, g->skip, from), a->ld,
                      tw_at(body, G, at, 0), G->ld));
        at += a->n - from;
    }
    if (!g->pending) return 0;
    return TW_DO(body, gemm, 'N', C, G->m, G->n, VY->n, minus_one, tw_at(body, XW, g->k, 0), XW->ld, VY->ptr, VY->ld,
                 one, G->ptr, G->ld);
}

static struct tw_codelet codelet_column = {.name = "ge2tb_column",
                                           .color = 0xDDCC77,
                                           .rate = TW_RATE_MEMORY,
                                           .cpu = column,
                                           .cuda = TW_CUDA_BODY(column),
                                           .urgent = 1},
                         codelet_row = {.name = "ge2tb_row",
                                        .color = 0xDDAA33,
                                        .rate = TW_RATE_MEMORY,
                                        .cpu = row,
                                        .cuda = TW_CUDA_BODY(row),
                                        .urgent = 1};

static void submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, const struct args *args,
                   struct tw_data *const *tile, const struct tw_ge2tb_pending *pending, struct tw_data *to)
{
    const double inner = pending->VY ? pending->VY->n : 0;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, codelet->name, args->tiles + 3, few);
    int n = 0;

    if (!access) return;
    for (; n < args->tiles; n++)
        access[n] = (struct tw_access){tile[n], TW_R};
    access[n++] = (struct tw_access){to, TW_W};
    if (args->pending) access[n++] = (struct tw_access){pending->VY, TW_R};
    if (args->pending) access[n++] = (struct tw_access){pending->XW, TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = to->type,
                                     .args = args,
                                     .args_size = sizeof *args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(to->type, to->m, to->n, inner),
                                     .m = to->m,
                                     .n = to->n,
                                     .k = inner,
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}

void tw_task_ge2tb_column(struct tw_sequence *seq, int priority, int skip, struct tw_data *const *tile, int count,
                          const struct tw_ge2tb_pending *pending, struct tw_data *P)
{
    submit(seq, priority, &codelet_column, &(struct args){skip, P->n, count, pending->VY != NULL}, tile, pending, P);
}
void tw_task_ge2tb_row(struct tw_sequence *seq, int priority, int skip, struct tw_data *const *tile, int count,
                       const struct tw_ge2tb_pending *pending, int k, struct tw_data *G)
{
    submit(seq, priority, &codelet_row, &(struct args){skip, k, count, pending->VY != NULL}, tile, pending, G);
}
