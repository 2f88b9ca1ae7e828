/* A = A - V W^H - W V^H in one tile of the lower triangle: the product [V W] [W V]^H, or her2k on the diagonal.
 *
 * Arguments  where the trailing matrix begins; the tile's place
 * Buffers    VWV  R   [V W V], all rows
 *            A    RW  the tile */
#include "codelets/eigen/eigen_bodies.h"

static const tw_scalar one = {1, 0}, minus_one = {-1, 0};

struct args {
    struct tw_trailing trailing;
    int I, K;
};

static int update(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *VWV = &body->buf[0], *A = &body->buf[1];
    const int i = tw_trailing_skip(&g->trailing, g->I), k = tw_trailing_skip(&g->trailing, g->K), width = VWV->n / 3;
    const tw_int row = tw_trailing_row(&g->trailing, g->I), column = tw_trailing_row(&g->trailing, g->K);
    void *a = tw_at(body, A, i, k);

    if (g->I == g->K)
        return TW_DO(body, her2k, 'L', 'N', A->m - i, width, minus_one, tw_at(body, VWV, row, 0), VWV->ld,
                     tw_at(body, VWV, row, width), VWV->ld, 1, a, A->ld);
    return TW_DO(body, gemm, 'N', tw_real_trans(body->type, 'C'), A->m - i, A->n - k, 2 * width, minus_one,
                 tw_at(body, VWV, row, 0), VWV->ld, tw_at(body, VWV, column, width), VWV->ld, one, a, A->ld);
}

static struct tw_codelet codelet = {
    .name = "he2hb_update", .color = 0x117733, .rate = TW_RATE_GEMM, .cpu = update, .cuda = TW_CUDA_BODY(update)};

void tw_task_he2hb_update(struct tw_sequence *seq, int priority, const struct tw_trailing *t, struct tw_data *VWV,
                          struct tw_data *A)
{
    const int I = A->coord[0], K = A->coord[1];
    const struct args args = {*t, I, K};
    const double m = A->m - tw_trailing_skip(t, I), n = A->n - tw_trailing_skip(t, K), k = 2 * (VWV->n / 3);
    const struct tw_access access[] = {{VWV, TW_R}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(A->type, m, n, k) / (I == K ? 2 : 1),
                                     .m = m,
                                     .n = n,
                                     .k = k,
                                     .coord = {I, K, -1, -1}});
}
