/* Y = (A W - V (X^H W)) S of a step of stage 1, where A W is that of A before the step, put beside V; and W beside X:
 * the update of what is left is [V Y] [X W]^H.
 *
 * Arguments  pieces of A W; k: rows of V before the first
 * Buffers    Y'    R each   rows one after another
 *            V     R        k + m rows
 *            W     R        n x l
 *            S     R        l x l
 *            work  SCRATCH  Y' in one piece, k x l elements
 *            XW    RW       n x (k + l), X in its first columns
 *            VY    W        m x (k + l) */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"

static const tw_scalar zero = {0, 0}, one = {1, 0}, minus_one = {-1, 0};

static int make_y(const struct tw_body *body)
{
    const int count = ((const struct tw_pieces_args *)body->args)->pieces;
    const struct tw_buffer *V = &body->buf[count], *W = V + 1, *S = V + 2, *work = V + 3, *XW = V + 4, *VY = V + 5;
    const int m = VY->m, k = V->n, l = W->n;
    const void *below = tw_at(body, V, k, 0);
    char *y = work->ptr, *xw = y + (size_t)m * (size_t)l * tw_sizeof(body->type);

    for (int i = 0, row = 0; i < count; row += body->buf[i++].m)
        TW_STEP(TW_DO(body, lacpy, 'G', body->buf[i].m, l, body->buf[i].ptr, body->buf[i].ld,
                      y + (size_t)row * tw_sizeof(body->type), m));
    TW_STEP(TW_DO(body, gemm, tw_real_trans(body->type, 'C'), 'N', k, l, W->m, one, XW->ptr, XW->ld, W->ptr, W->ld,
                  zero, xw, k));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', m, l, k, minus_one, below, V->ld, xw, k, one, y, m));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', m, l, l, one, y, m, S->ptr, S->ld, zero, tw_at(body, VY, 0, k), VY->ld));
    TW_STEP(TW_DO(body, lacpy, 'G', m, k, below, V->ld, VY->ptr, VY->ld));
    return TW_DO(body, lacpy, 'G', W->m, l, W->ptr, W->ld, tw_at(body, XW, 0, k), XW->ld);
}

static struct tw_codelet codelet = {.name = "ge2tb_y",
                                    .color = 0x44AA99,
                                    .rate = TW_RATE_GEMM,
                                    .share = 0.5,
                                    .cpu = make_y,
                                    .cuda = TW_CUDA_BODY(make_y),
                                    .urgent = 1};

void tw_task_ge2tb_y(struct tw_sequence *seq, int priority, struct tw_data *const *Y, int count, struct tw_data *V,
                     struct tw_data *W, struct tw_data *S, struct tw_data *XW, struct tw_data *VY)
{
    const size_t elements = (size_t)W->n * (size_t)(tw_column_rounded(VY->m) + V->n);
    const struct tw_access others[] = {{V, TW_R},   {W, TW_R},
                                       {S, TW_R},   {tw_scratch(elements * tw_sizeof(V->type)), TW_SCRATCH},
                                       {XW, TW_RW}, {VY, TW_W}};

    tw_submit_pieces(seq, priority, &codelet, Y, count, others, 6, VY->m, W->n, V->n);
}
