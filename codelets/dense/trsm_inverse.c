/* A panel's solve with a diagonal tile whose inverse M is known: B = B inv(L^H) (uplo 'L') or inv(U^H) B ('U').
 *
 * Arguments  uplo
 * Buffers    A     R        n x n, the factor: what a CPU solves with, and what a GPU refines with where M is
 *                           ill-conditioned
 *            M     R        its inverse, from potrf_inverse
 *            B     RW       m x n ('L') or n x m ('U')
 *            work  SCRATCH  B's size; only when a GPU is in use */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[2];
    const tw_scalar one = {1, 0};
    TW_CPU(body)->trsm(g->uplo == 'L' ? 'R' : 'L', g->uplo, tw_real_trans(body->type, 'C'), 'N', b->m, b->n, one,
                       a->ptr, a->ld, b->ptr, b->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *m = &body->buf[1], *b = &body->buf[2];
    return TW_CUDA(body)->trsm_inverse(body->cuda, g->uplo, b->m, b->n, a->ptr, a->ld, m->ptr, m->ld, b->ptr, b->ld,
                                       body->buf[3].ptr);
}

static struct tw_codelet codelet = {.name = "trsm_inverse",
                                    .color = 0xDDCC77,
                                    .rate = TW_RATE_SYRK,
                                    .cpu = cpu,
                                    .cuda = TW_CUDA_BODY(cuda),
                                    .urgent = 1};

void tw_task_trsm_inverse(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *M,
                          struct tw_data *B)
{
    const struct args args = {uplo};
    struct tw_access access[4] = {{A, TW_R}, {M, TW_R}, {B, TW_RW}};
    int naccess = 3;

    if (tw_has_cuda())
        access[naccess++] = (struct tw_access){tw_scratch((size_t)B->m * (size_t)B->n * B->elemsize), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flops_trsm(B->type, uplo == 'L' ? 'R' : 'L', B->m, B->n),
                                     .m = B->m,
                                     .n = B->n,
                                     .k = uplo == 'L' ? B->n : B->m,
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
