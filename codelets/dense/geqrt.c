/* QR or LQ of one tile, and the product with its Q: the leaves of trees (algorithms/dense/tree.c), and domains of tall
 * matrices (algorithms/dense/tall.c). Q is that of QR, of A or of its adjoint.
 *
 * geqrt, gelqt; geqrt_tall: geqrt of many more rows than columns, which is predicted otherwise
 *         Arguments  storev: 'C' QR, 'R' LQ
 *         Buffers  A     RW       m x n: R, or L, and V, in LAPACK's storage
 *                  T     W        b x k, k = min(m, n): the triangles of blocks of b columns side by side, zeros below
 *                  work  SCRATCH  the whole triangle, tau and the kernels' workspace
 * gemqrt, gemlqt
 *         Arguments  storev; side: 'L' or 'R'; trans: 'N' or 'C'
 *         Buffers  V     R        geqrt's or gelqt's A
 *                  T     R
 *                  C     RW       op(Q) C ('L') or C op(Q)
 *                  work  SCRATCH */
#include "codelets/dense/dense_bodies.h"

static size_t aligned(size_t elements, enum tw_type type)
{
    return (elements * tw_sizeof(type) + 255) / 256 * 256;
}
/* Of the whole triangle and of tau, before the kernels' workspace. */
static size_t before(enum tw_type type, int k)
{
    return aligned((size_t)k * (size_t)k, type) + aligned((size_t)k, type);
}
static void *element(enum tw_type type, const struct tw_buffer *a, int i, int j)
{
    return (char *)a->ptr + ((size_t)i + (size_t)j * (size_t)a->ld) * tw_sizeof(type);
}

struct args {
    char storev, side, trans;
};

/* The kernel makes one triangle T of all columns; those of blocks of columns lie on its diagonal. */
static int factor_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *t = &body->buf[1];
    const int k = t->n, block = t->m;
    struct tw_buffer whole = {.ptr = body->buf[2].ptr, .ld = k};
    char *tau = (char *)whole.ptr + aligned((size_t)k * (size_t)k, body->type);

    (g->storev == 'C' ? TW_CPU(body)->geqrf : TW_CPU(body)->gelqf)(a->m, a->n, a->ptr, (int)a->ld, tau, whole.ptr, k,
                                                                   tau + aligned((size_t)k, body->type));
    for (int i = 0; i < k; i += block) {
        const int b = (int)tw_min(block, k - i);
        TW_CPU(body)->lacpy('G', b, b, element(body->type, &whole, i, i), k, element(body->type, t, 0, i), (int)t->ld);
    }
    return 0;
}

/* The x-th of the blocks in the order in which they are applied. */
static int nth(const struct args *g, const struct tw_buffer *t, int x)
{
    const int blocks = (t->n + t->m - 1) / t->m;
    return ((g->side == 'L') == (g->trans == 'C') ? x : blocks - 1 - x) * t->m;
}
static int apply_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *v = &body->buf[0], *t = &body->buf[1], *c = &body->buf[2];
    const int left = g->side == 'L';

    for (int x = 0; x * t->m < t->n; x++) {
        const int i = nth(g, t, x), b = (int)tw_min(t->m, t->n - i);
        TW_CPU(body)->larfb(g->side, tw_real_trans(body->type, g->trans), g->storev, left ? c->m - i : c->m,
                            left ? c->n : c->n - i, b, element(body->type, v, i, i), (int)v->ld,
                            element(body->type, t, 0, i), (int)t->ld,
                            element(body->type, c, left ? i : 0, left ? 0 : i), (int)c->ld, body->buf[3].ptr);
    }
    return 0;
}

static int factor_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *t = &body->buf[1], *work = &body->buf[2];
    const int k = t->n, block = t->m;
    const size_t square = aligned((size_t)k * (size_t)k, body->type), used = before(body->type, k);
    struct tw_buffer whole = {.ptr = work->ptr, .ld = k};
    int e = (g->storev == 'C' ? TW_CUDA(body)->geqrf : TW_CUDA(body)->gelqf)(
        body->cuda, a->m, a->n, a->ptr, (int)a->ld, (char *)work->ptr + square, whole.ptr, k, (char *)work->ptr + used,
        work->bytes - used);

    for (int i = 0; i < k && !e; i += block) {
        const int b = (int)tw_min(block, k - i);
        e = TW_CUDA(body)->lacpy(body->cuda, 'G', b, b, element(body->type, &whole, i, i), k,
                                 element(body->type, t, 0, i), (int)t->ld);
    }
    return e;
}
static int apply_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *v = &body->buf[0], *t = &body->buf[1], *c = &body->buf[2];
    const int left = g->side == 'L';
    int e = 0;

    for (int x = 0; x * t->m < t->n && !e; x++) {
        const int i = nth(g, t, x), b = (int)tw_min(t->m, t->n - i);
        e = TW_CUDA(body)->larfb(body->cuda, g->side, tw_real_trans(body->type, g->trans), g->storev,
                                 left ? c->m - i : c->m, left ? c->n : c->n - i, b, element(body->type, v, i, i),
                                 (int)v->ld, element(body->type, t, 0, i), (int)t->ld,
                                 element(body->type, c, left ? i : 0, left ? 0 : i), (int)c->ld, body->buf[3].ptr);
    }
    return e;
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return (e->v[2] ? tw_cuda_kernels[type]->gelqf_work : tw_cuda_kernels[type]->geqrf_work)(q, e->v[0], e->v[1],
                                                                                             bytes);
}

/* Of many rows most is products, on both kinds of workers: at the rate of a Cholesky factorization of so few columns a
 * GPU would seem to take tens of times as long as it does, and cores would take its tasks. */
enum { TALL = 16, ROWS = 4096 };
static struct tw_codelet geqrt = {.name = "geqrt",
                                  .color = 0xE69F00,
                                  .rate = TW_RATE_POTRF,
                                  .cpu = factor_cpu,
                                  .cuda = TW_CUDA_BODY(factor_cuda)},
                         geqrt_tall = {.name = "geqrt_tall",
                                       .color = 0xE69F00,
                                       .rate = TW_RATE_GEMM,
                                       .share = 0.3,
                                       .cpu = factor_cpu,
                                       .cuda = TW_CUDA_BODY(factor_cuda)},
                         gelqt = {.name = "gelqt",
                                  .color = 0xE69F00,
                                  .rate = TW_RATE_POTRF,
                                  .cpu = factor_cpu,
                                  .cuda = TW_CUDA_BODY(factor_cuda)},
                         gemqrt = {.name = "gemqrt",
                                   .color = 0x56B4E9,
                                   .rate = TW_RATE_GEMM,
                                   .cpu = apply_cpu,
                                   .cuda = TW_CUDA_BODY(apply_cuda)},
                         gemlqt = {.name = "gemlqt",
                                   .color = 0x56B4E9,
                                   .rate = TW_RATE_GEMM,
                                   .cpu = apply_cpu,
                                   .cuda = TW_CUDA_BODY(apply_cuda)};

void tw_task_geqrt(struct tw_sequence *seq, int priority, char storev, struct tw_data *A, struct tw_data *T)
{
    const struct args args = {storev, 0, 0};
    const int columns = storev == 'C';
    const size_t on_cpu = (columns ? (size_t)T->n * (size_t)A->n : ((size_t)A->n + (size_t)T->n) * (size_t)A->m) *
                          tw_sizeof(A->type),
                 on_gpu = tw_cuda_workspace(workspace, A->type, (struct tw_extent){{A->m, A->n, !columns}}),
                 work = before(A->type, T->n) + (on_cpu > on_gpu ? on_cpu : on_gpu);
    const struct tw_access access[] = {{A, TW_RW}, {T, TW_W}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = !columns                              ? &gelqt
                                                : A->m >= ROWS && A->m / TALL >= A->n ? &geqrt_tall
                                                                                      : &geqrt,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = columns ? tw_flops_geqrf(A->type, A->m, A->n)
                                                      : tw_flops_gelqf(A->type, A->m, A->n),
                                     .m = A->m,
                                     .n = A->n,
                                     .k = T->n,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

void tw_task_gemqrt(struct tw_sequence *seq, int priority, char storev, char side, char trans, struct tw_data *V,
                    struct tw_data *T, struct tw_data *C)
{
    const struct args args = {storev, side, trans};
    const size_t b = (size_t)T->m, work = b * (b + 2 * (size_t)(side == 'L' ? C->n : C->m)) * tw_sizeof(C->type);
    const struct tw_access access[] = {{V, TW_R}, {T, TW_R}, {C, TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = storev == 'C' ? &gemqrt : &gemlqt,
                                     .type = C->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = tw_flops_unmqr(C->type, side, C->m, C->n, T->n),
                                     .m = C->m,
                                     .n = C->n,
                                     .k = T->n,
                                     .coord = {C->coord[0], C->coord[1], -1, -1}});
}
