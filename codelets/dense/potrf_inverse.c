/* Cholesky factor of a diagonal tile and the inverse that its panel is solved with: A = L L^H or U^H U, M = inv(L) or
 * inv(U^H).
 *
 * Arguments  uplo; offset: rows of the matrix above this tile
 * Buffers    A     RW       n x n
 *            M     W        n x n, lower triangular, with its condition (kernels/dense/cpu/dense_cpu.h)
 *            info  RW       as potrf's
 *            work  SCRATCH  cuSOLVER's workspace and ours; only when a GPU is in use */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
    int64_t offset;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *m = &body->buf[1];
    tw_combine_info(body->buf[2].ptr, g->offset,
                    TW_CPU(body)->potrf_inverse(g->uplo, a->m, a->ptr, a->ld, m->ptr, m->ld));
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *m = &body->buf[1], *work = &body->buf[3];
    return TW_CUDA(body)->potrf_inverse(body->cuda, g->uplo, a->m, a->ptr, a->ld, m->ptr, m->ld, work->ptr, work->bytes,
                                        body->buf[2].ptr, g->offset);
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return tw_cuda_kernels[type]->potrf_inverse_work(q, (char)e->v[0], e->v[1], bytes);
}

static struct tw_codelet codelet = {.name = "potrf_inverse",
                                    .color = 0xD55E00,
                                    .rate = TW_RATE_POTRF,
                                    .cpu = cpu,
                                    .cuda = TW_CUDA_BODY(cuda),
                                    .urgent = 1};

void tw_task_potrf_inverse(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *M,
                           tw_int offset, struct tw_data *info)
{
    const struct args args = {uplo, offset};
    struct tw_access access[4] = {{A, TW_RW}, {M, TW_W}, {info, TW_RW}};
    int naccess = 3;

    if (tw_has_cuda())
        access[naccess++] = (struct tw_access){
            tw_scratch(tw_cuda_workspace(workspace, A->type, (struct tw_extent){{uplo, A->m}})), TW_SCRATCH};
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
