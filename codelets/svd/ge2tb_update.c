/* A = A - [V Y] [X W]^H in one tile: both updates of a step of stage 1.
 *
 * Arguments  where the trailing matrix begins; the tile's place; rows of VY and XW before it
 * Buffers    VY  R   all rows
 *            XW  R   all rows
 *            A   RW  the tile */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"

static const tw_scalar one = {1, 0}, minus_one = {-1, 0};

struct args {
    struct tw_trailing trailing;
    int I, K, before;
};

static int update(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *VY = &body->buf[0], *XW = &body->buf[1], *A = &body->buf[2];
    const int i = tw_trailing_skip(&g->trailing, g->I), k = tw_trailing_skip(&g->trailing, g->K);

    return TW_DO(body, gemm, 'N', tw_real_trans(body->type, 'C'), A->m - i, A->n - k, VY->n, minus_one,
                 tw_at(body, VY, g->before + tw_trailing_row(&g->trailing, g->I), 0), VY->ld,
                 tw_at(body, XW, g->before + tw_trailing_row(&g->trailing, g->K), 0), XW->ld, one, tw_at(body, A, i, k),
                 A->ld);
}

static struct tw_codelet codelet = {
    .name = "ge2tb_update", .color = 0x117733, .rate = TW_RATE_GEMM, .cpu = update, .cuda = TW_CUDA_BODY(update)};

void tw_task_ge2tb_update(struct tw_sequence *seq, int priority, const struct tw_trailing *t, int before,
                          const struct tw_ge2tb_pending *pending, struct tw_data *A)
{
    const int I = A->coord[0], K = A->coord[1];
    const struct args args = {*t, I, K, before};
    const double m = A->m - tw_trailing_skip(t, I), n = A->n - tw_trailing_skip(t, K), k = pending->VY->n;
    const struct tw_access access[] = {{pending->VY, TW_R}, {pending->XW, TW_R}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(A->type, m, n, k),
                                     .m = m,
                                     .n = n,
                                     .k = k,
                                     .coord = {I, K, -1, -1}});
}
