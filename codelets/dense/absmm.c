/* Products of absolute values, for error bounds. On CPUs: each element of A is used once for each right-hand side.
 *
 * laabs  W = |B|
 *   Buffers    B R, W W   m x n
 * absmm  W += |op(A)| |X|
 *   Arguments  s: how the tile counts; uplo: 'G' for full tiles; diag: 'U' for ones on the diagonal; trans
 *   Buffers    work SCRATCH, A R, X R, W RW */
#include "codelets/dense/dense_bodies.h"

struct args {
    enum tw_structure s;
    char uplo, diag, trans;
};

static int cpu_abs(const struct tw_body *body)
{
    const struct tw_buffer *b = &body->buf[0], *w = &body->buf[1];
    TW_CPU(body)->laabs(w->m, w->n, b->ptr, b->ld, w->ptr, w->ld);
    return 0;
}

static struct tw_codelet laabs = {.name = "laabs", .color = 0xBB9988, .rate = TW_RATE_MEMORY, .cpu = cpu_abs};

void tw_task_laabs(struct tw_sequence *seq, int priority, struct tw_data *B, struct tw_data *W)
{
    const struct tw_access access[] = {{B, TW_R}, {W, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &laabs,
                                     .type = B->type,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(B->m, B->n, B->n),
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[1], *x = &body->buf[2], *w = &body->buf[3];
    TW_CPU(body)->absmm(g->s, g->uplo, g->diag, g->trans, a->m, a->n, w->n, a->ptr, a->ld, x->ptr, x->ld, w->ptr, w->ld,
                        body->buf[0].ptr);
    return 0;
}

static struct tw_codelet codelet = {.name = "absmm", .color = 0xBB8877, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_absmm(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag, char trans,
                   struct tw_data *A, struct tw_data *X, struct tw_data *W)
{
    const struct args args = {s, uplo, diag, trans};
    const size_t m = (size_t)A->m, n = (size_t)A->n, k = (size_t)W->n;
    const struct tw_access access[] = {
        {tw_scratch((m * n + (m + n) * k) * sizeof(double)), TW_SCRATCH}, {A, TW_R}, {X, TW_R}, {W, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = W->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = 2 * (double)m * (double)n * (double)k,
                                     .size = tw_smallest(A->m, A->n, W->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
