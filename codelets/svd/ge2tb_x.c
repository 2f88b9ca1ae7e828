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

struct args {
    int pieces;
};

static int make_x(const struct tw_body *body)
{
    const int count = ((const struct args *)body->args)->pieces;
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

static struct tw_codelet codelet = {.name = "ge2tb_x", .color = 0x88CCEE,
                                    .rate = TW_RATE_GEMM,
                                    .share = 0.5,
                                    .cpu = make_x,
                                    .cuda = TW_CUDA_BODY(make_x),
                                    .urgent = 1};

void tw_task_ge2tb_x(struct tw_sequence *seq, int priority, struct tw_data *const *X, int count, struct tw_data *G,
                     struct tw_data *V, struct tw_data *T, struct tw_data *XW)
{
    const struct args args = {count};
    const size_t elements = (size_t)V->n * (size_t)tw_column_rounded(G->m);
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "ge2tb_x", count + 5, few);
    int n = 0;

    if (!access) return;
    for (; n < count; n++)
        access[n] = (struct tw_access){X[n], TW_R};
    access[n++] = (struct tw_access){V, TW_R};
    access[n++] = (struct tw_access){T, TW_R};
    access[n++] = (struct tw_access){tw_scratch(elements * tw_sizeof(V->type)), TW_SCRATCH};
    access[n++] = (struct tw_access){XW, TW_W};
    access[n++] = (struct tw_access){G, TW_RW};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = V->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = 3 * tw_flops_gemm(V->type, G->m, V->n, V->n),
                                     .m = G->m,
                                     .n = V->n,
                                     .k = V->n,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}
