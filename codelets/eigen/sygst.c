/* A hermitian diagonal tile to the standard form of a generalized eigenvalue problem.
 *
 * Arguments  itype: 1, 2, 3; uplo
 * Buffers    A     RW       n x n; never W: the other triangle may hold something that has to survive
 *            B     R        n x n, the Cholesky factor
 *            work  SCRATCH  2 n x n elements; only when a GPU is in use */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/eigen_tasks.h"

struct args {
    int itype;
    char uplo;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    TW_CPU(body)->sygst(g->itype, g->uplo, a->m, a->ptr, a->ld, b->ptr, b->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    return TW_CUDA(body)->sygst(body->cuda, g->itype, g->uplo, a->m, a->ptr, a->ld, b->ptr, b->ld, body->buf[2].ptr);
}

static struct tw_codelet codelet = {
    .name = "sygst", .color = 0xAA4499, .rate = TW_RATE_TRI, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_sygst(struct tw_sequence *seq, int priority, int itype, char uplo, struct tw_data *A, struct tw_data *B)
{
    const struct args args = {itype, uplo};
    struct tw_access access[3] = {{A, TW_RW}, {B, TW_R}};
    int naccess = 2;

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
                                     .flops = tw_flops_sygst(A->type, A->m),
                                     .size = A->m,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

void tw_kernel_sygst(enum tw_type type, int itype, char uplo, int n, void *a, int lda, const void *b, int ldb)
{
    tw_cpu_kernels[type]->sygst(itype, uplo, n, a, lda, b, ldb);
}
