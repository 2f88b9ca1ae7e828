/* A tile of the trailing matrix times a block of vectors, or its adjoint: what stage 1 does half of its work in.
 *
 * Arguments  where the trailing matrix begins; op: 'N' A's tile times V, 'C' its adjoint times V; hermitian: a diagonal
 *            tile stands for the hermitian matrix of its lower triangle; rows of V before the trailing matrix'; beta
 * Buffers    A  R   a tile
 *            V  R   all rows
 *            X  RW  the rows of A's tile row ('N') or column ('C') that belong to the trailing matrix; W for the first
 *                   product */
#include "codelets/eigen/eigen_bodies.h"

static const tw_scalar one = {1, 0};

struct args {
    struct tw_trailing trailing;
    int I, K; /* A's tile */
    int before;
    char op, hermitian;
    tw_scalar beta;
};

static int multiply(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_trailing *t = &g->trailing;
    const struct tw_buffer *A = &body->buf[0], *V = &body->buf[1], *X = &body->buf[2];
    const int i = tw_trailing_skip(t, g->I), k = tw_trailing_skip(t, g->K), plain = g->op == 'N';
    const void *a = tw_at(body, A, i, k), *v = tw_at(body, V, g->before + tw_trailing_row(t, plain ? g->K : g->I), 0);

    if (g->hermitian && g->I == g->K)
        return TW_DO(body, hemm, 'L', 'L', X->m, X->n, one, a, A->ld, v, V->ld, g->beta, X->ptr, X->ld);
    return TW_DO(body, gemm, plain ? 'N' : tw_real_trans(body->type, 'C'), 'N', X->m, X->n, plain ? A->n - k : A->m - i,
                 one, a, A->ld, v, V->ld, g->beta, X->ptr, X->ld);
}

static struct tw_codelet of_hermitian = {.name = "he2hb_multiply",
                                         .color = 0x332288,
                                         .rate = TW_RATE_GEMM,
                                         .cpu = multiply,
                                         .cuda = TW_CUDA_BODY(multiply)},
                         of_general = {.name = "ge2tb_multiply",
                                       .color = 0x332288,
                                       .rate = TW_RATE_GEMM,
                                       .cpu = multiply,
                                       .cuda = TW_CUDA_BODY(multiply)};

void tw_task_trailing_multiply(struct tw_sequence *seq, int priority, const struct tw_trailing *t, char op,
                               int hermitian, int before, struct tw_data *A, struct tw_data *V, int first,
                               struct tw_data *X)
{
    const int I = A->coord[0], K = A->coord[1];
    const struct args args = {*t, I, K, before, op, (char)hermitian, {!first, 0}};
    const int k = op == 'N' ? A->n - tw_trailing_skip(t, K) : A->m - tw_trailing_skip(t, I);
    const struct tw_access access[] = {{A, TW_R}, {V, TW_R}, {X, first ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = hermitian ? &of_hermitian : &of_general,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(A->type, X->m, X->n, k),
                                     .m = X->m,
                                     .n = X->n,
                                     .k = k,
                                     .coord = {I, K, -1, -1}});
}
