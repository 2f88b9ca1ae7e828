/* X = (A^H V) T of a step of stage 1, and its row of A, kept as the adjoint G, updated with it: G - X V^H.
 *
 * Arguments  pieces of A^H V
 * Buffers    X'    R each   rows one after another
 *            V     R        k rows, and those below
 *            T     R        k x k
 *            work  SCRATCH  X' in one piece
 *            XW    W        n x any: X goes into its first k columns
 *            G     RW       n x k */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"

static const tw_scalar zero = {0, 0}, one = {1, 0}, minus_one = {-1, 0};

static int make_x(const struct tw_body *body)
{
    const int count = ((const struct tw_pieces_args *)body->args)->pieces;
    const struct tw_buffer *V = &body->buf[count], *T = V + 1, *work = V + 2, *XW = V + 3, *G = V + 4;
    const int n = G->m, k = V->n;
    char *x = work->ptr;

    for (int i = 0, row = 0; i < count; row += body->buf[i++].m)
        TW_STEP(TW_DO(body, lacpy, 'G', body->buf[i].m, k, body->buf[i].ptr, body->buf[i].ld,
                      x + (size_t)row * tw_sizeof(body->type), n));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', n, k, k, one, G->ptr, G->ld, V->ptr, V->ld, one, x, n));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', n, k, k, one, x, n, T->ptr, T->ld, zero, XW->ptr, XW->ld));
    return TW_DO(body, gemm, 'N', tw_real_trans(body->type, 'C'), n, k, k, minus_one, XW->ptr, XW->ld, V->ptr, V->ld,
                 one, G->ptr, G->ld);
}

static struct tw_codelet codelet = {.name = "ge2tb_x",
                                    .color = 0x88CCEE,
                                    .rate = TW_RATE_GEMM,
                                    .share = 0.5,
                                    .cpu = make_x,
                                    .cuda = TW_CUDA_BODY(make_x),
                                    .urgent = 1};

void tw_task_ge2tb_x(struct tw_sequence *seq, int priority, struct tw_data *const *X, int count, struct tw_data *G,
                     struct tw_data *V, struct tw_data *T, struct tw_data *XW)
{
    const size_t elements = (size_t)V->n * (size_t)tw_column_rounded(G->m);
    const struct tw_access others[] = {
        {V, TW_R}, {T, TW_R}, {tw_scratch(elements * tw_sizeof(V->type)), TW_SCRATCH}, {XW, TW_W}, {G, TW_RW}};

    tw_submit_pieces(seq, priority, &codelet, X, count, others, 5, G->m, V->n, V->n);
}
