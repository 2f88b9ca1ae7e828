/* W of a panel of stage 1, W = X' T - V (T^H (V^H X') T) / 2 with X' = A V, put between two copies of V: A's update is
 * then the product [V W] [W V]^H.
 *
 * Arguments  pieces of X'
 * Buffers    X'   R each   rows one after another
 *            V    R        m x k
 *            T    R        k x k
 *            VWV  W        m x 3 k
 *            work SCRATCH  2 k x k elements, and X' in one piece */
#include <string.h>
#include "codelets/eigen/eigen_bodies.h"

static const tw_scalar zero = {0, 0}, one = {1, 0}, minus_half = {-0.5, 0};

static int make_w(const struct tw_body *body)
{
    const int count = ((const struct tw_pieces_args *)body->args)->pieces;
    const struct tw_buffer *V = &body->buf[count], *T = V + 1, *VWV = V + 2, *work = V + 3;
    const int m = V->m, k = V->n;
    const char C = tw_real_trans(body->type, 'C');
    const size_t square = (size_t)k * (size_t)k * tw_sizeof(body->type);
    char *s = work->ptr, *ts = s + square, *x = ts + square;
    void *W = tw_at(body, VWV, 0, k);

    for (int i = 0, row = 0; i < count; row += body->buf[i++].m)
        TW_STEP(TW_DO(body, lacpy, 'G', body->buf[i].m, k, body->buf[i].ptr, body->buf[i].ld,
                      x + (size_t)row * tw_sizeof(body->type), m));
    TW_STEP(TW_DO(body, gemm, C, 'N', k, k, m, one, V->ptr, V->ld, x, m, zero, s, k));
    TW_STEP(TW_DO(body, gemm, C, 'N', k, k, k, one, T->ptr, T->ld, s, k, zero, ts, k));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', k, k, k, one, ts, k, T->ptr, T->ld, zero, s, k));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', m, k, k, one, x, m, T->ptr, T->ld, zero, W, VWV->ld));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', m, k, k, minus_half, V->ptr, V->ld, s, k, one, W, VWV->ld));
    TW_STEP(TW_DO(body, lacpy, 'G', m, k, V->ptr, V->ld, VWV->ptr, VWV->ld));
    return TW_DO(body, lacpy, 'G', m, k, V->ptr, V->ld, tw_at(body, VWV, 0, 2 * k), VWV->ld);
}

static struct tw_codelet codelet = {.name = "he2hb_w",
                                    .color = 0x88CCEE,
                                    .rate = TW_RATE_GEMM,
                                    .share = 0.5,
                                    .cpu = make_w,
                                    .cuda = TW_CUDA_BODY(make_w),
                                    .urgent = 1};

void tw_submit_pieces(struct tw_sequence *seq, int priority, struct tw_codelet *which, struct tw_data *const *X,
                      int count, const struct tw_access *others, int n, tw_int m, tw_int columns, tw_int k)
{
    const struct tw_pieces_args args = {count};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, which->name, count + n, few);
    const enum tw_type type = others[0].data->type;

    if (!access) return;
    for (int i = 0; i < count; i++)
        access[i] = (struct tw_access){X[i], TW_R};
    memcpy(access + count, others, (size_t)n * sizeof *others);
    tw_submit(seq, &(struct tw_task){.codelet = which,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = count + n,
                                     .priority = priority,
                                     .flops = 3 * tw_flops_gemm(type, (double)m, (double)columns, (double)k),
                                     .m = (double)m,
                                     .n = (double)columns,
                                     .k = (double)k,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}

void tw_task_he2hb_w(struct tw_sequence *seq, int priority, struct tw_data *const *X, int count, struct tw_data *V,
                     struct tw_data *T, struct tw_data *VWV)
{
    const size_t k = (size_t)V->n, elements = k * (2 * k + (size_t)tw_column_rounded(V->m));
    const struct tw_access others[] = {
        {V, TW_R}, {T, TW_R}, {VWV, TW_W}, {tw_scratch(elements * tw_sizeof(V->type)), TW_SCRATCH}};

    tw_submit_pieces(seq, priority, &codelet, X, count, others, 4, V->m, V->n, V->n);
}
