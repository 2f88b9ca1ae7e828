/* Cholesky factor of a diagonal tile: A = L L^H or U^H U.
 *
 * Arguments  uplo; offset: rows of the matrix above this tile
 * Buffers    A     RW       n x n; never W: the other triangle may hold something that has to survive
 *            info  RW       one int64_t: smallest order of a failing leading minor of the whole matrix, 0 if none
 *            work  SCRATCH  cuSOLVER's workspace and device info; only when a GPU is in use */
#include "codelets/dense/dense_bodies.h"
#include "runtime/task/team.h"

struct args {
    char uplo;
    int64_t offset;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    struct tw_team *team = tw_team_open(body, a->m / 128);
    const int k = team ? TW_CPU(body)->potrf_team(team, g->uplo, a->m, a->ptr, a->ld)
                       : TW_CPU(body)->potrf(g->uplo, a->m, a->ptr, a->ld);

    tw_team_close(team);
    tw_combine_info(body->buf[1].ptr, g->offset, k);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *work = &body->buf[2];
    return TW_CUDA(body)->potrf(body->cuda, g->uplo, a->m, a->ptr, a->ld, work->ptr, work->bytes, body->buf[1].ptr,
                                g->offset);
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return tw_cuda_kernels[type]->potrf_work(q, (char)e->v[0], e->v[1], bytes);
}

static struct tw_codelet codelet = {
    .name = "potrf", .color = 0xD55E00, .rate = TW_RATE_POTRF, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda), .urgent = 1};

void tw_task_potrf(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, tw_int offset,
                   struct tw_data *info)
{
    const struct args args = {uplo, offset};
    struct tw_access access[3] = {{A, TW_RW}, {info, TW_RW}};
    int naccess = 2;

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
