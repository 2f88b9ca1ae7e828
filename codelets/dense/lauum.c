/* L^H L (uplo 'L') or U U^H (uplo 'U') of a triangle, over that triangle.
 *
 * Arguments  uplo
 * Buffers    A     RW       n x n; never W: the other triangle may hold something that has to survive
 *            work  SCRATCH  2 n x n elements; only when a GPU is in use */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->lauum(g->uplo, a->m, a->ptr, a->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->lauum(body->cuda, g->uplo, a->m, a->ptr, a->ld, body->buf[1].ptr);
}

static struct tw_codelet codelet = {
    .name = "lauum", .color = 0x882255, .rate = TW_RATE_TRI, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_lauum(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A)
{
    const struct args args = {uplo};
    struct tw_access access[2] = {{A, TW_RW}};
    int naccess = 1;

    if (tw_has_cuda())
        access[naccess++] =
            (struct tw_access){tw_scratch(2 * (size_t)A->m * (size_t)A->m * tw_sizeof(A->type)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flops_potrf(A->type, A->m),
                                     .size = A->m,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

void tw_kernel_lauum(enum tw_type type, char uplo, int n, void *a, int lda)
{
    tw_cpu_kernels[type]->lauum(uplo, n, a, lda);
}
