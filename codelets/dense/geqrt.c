/* QR of one tile, and the product with its Q: the leaves of trees (algorithms/dense/tree.c).
 *
 * geqrt   Buffers  A     RW       m x n, m >= n: R and V, in LAPACK's storage
 *                  T     W        n x n, zeros below
 *                  work  SCRATCH  tau and the kernels' workspace
 * gemqrt  Arguments  trans: 'N' or 'C'
 *         Buffers  V     R        geqrt's A
 *                  T     R
 *                  C     RW       op(Q) C
 *                  work  SCRATCH */
#include "codelets/dense/dense_bodies.h"

static size_t tau_bytes(enum tw_type type, int n)
{
    return ((size_t)n * tw_sizeof(type) + 255) / 256 * 256;
}

static int factor_cpu(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0], *t = &body->buf[1];
    char *tau = body->buf[2].ptr;

    TW_CPU(body)->geqrf(a->m, a->n, a->ptr, (int)a->ld, tau, t->ptr, (int)t->ld, tau + tau_bytes(body->type, a->n));
    return 0;
}

struct apply_args {
    char trans;
};
static int apply_cpu(const struct tw_body *body)
{
    const struct apply_args *g = body->args;
    const struct tw_buffer *v = &body->buf[0], *t = &body->buf[1], *c = &body->buf[2];

    TW_CPU(body)->larfb('L', tw_real_trans(body->type, g->trans), 'C', c->m, c->n, v->n, v->ptr, (int)v->ld, t->ptr,
                        (int)t->ld, c->ptr, (int)c->ld, body->buf[3].ptr);
    return 0;
}

static int factor_cuda(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0], *t = &body->buf[1], *work = &body->buf[2];
    const size_t before = tau_bytes(body->type, a->n);

    return TW_CUDA(body)->geqrf(body->cuda, a->m, a->n, a->ptr, (int)a->ld, work->ptr, t->ptr, (int)t->ld,
                                (char *)work->ptr + before, work->bytes - before);
}
static int apply_cuda(const struct tw_body *body)
{
    const struct apply_args *g = body->args;
    const struct tw_buffer *v = &body->buf[0], *t = &body->buf[1], *c = &body->buf[2];

    return TW_CUDA(body)->larfb(body->cuda, 'L', tw_real_trans(body->type, g->trans), 'C', c->m, c->n, v->n, v->ptr,
                                (int)v->ld, t->ptr, (int)t->ld, c->ptr, (int)c->ld, body->buf[3].ptr);
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return tw_cuda_kernels[type]->geqrf_work(q, e->v[0], e->v[1], bytes);
}

static struct tw_codelet factor = {.name = "geqrt",
                                   .color = 0xE69F00,
                                   .rate = TW_RATE_POTRF,
                                   .cpu = factor_cpu,
                                   .cuda = TW_CUDA_BODY(factor_cuda)},
                         apply = {.name = "gemqrt",
                                  .color = 0x56B4E9,
                                  .rate = TW_RATE_GEMM,
                                  .cpu = apply_cpu,
                                  .cuda = TW_CUDA_BODY(apply_cuda)};

void tw_task_geqrt(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *T)
{
    const size_t on_cpu = (size_t)A->n * (size_t)A->n * tw_sizeof(A->type),
                 on_gpu = tw_cuda_workspace(workspace, A->type, (struct tw_extent){{A->m, A->n}}),
                 work = tau_bytes(A->type, A->n) + (on_cpu > on_gpu ? on_cpu : on_gpu);
    const struct tw_access access[] = {{A, TW_RW}, {T, TW_W}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &factor,
                                     .type = A->type,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_geqrf(A->type, A->m, A->n),
                                     .m = A->m,
                                     .n = A->n,
                                     .k = A->n,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

void tw_task_gemqrt(struct tw_sequence *seq, int priority, char trans, struct tw_data *V, struct tw_data *T,
                    struct tw_data *C)
{
    const struct apply_args args = {trans};
    const size_t k = (size_t)V->n, work = k * (k + 2 * (size_t)C->n) * tw_sizeof(C->type);
    const struct tw_access access[] = {{V, TW_R}, {T, TW_R}, {C, TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &apply,
                                     .type = C->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = tw_flops_unmqr(C->type, 'L', C->m, C->n, V->n),
                                     .m = C->m,
                                     .n = C->n,
                                     .k = V->n,
                                     .coord = {C->coord[0], C->coord[1], -1, -1}});
}
