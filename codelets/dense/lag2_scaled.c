/* Into the other precision with scalings, so that numbers of any size fit; and Cholesky's scalings.
 *
 * lag2_scaled     Arguments  uplo: 'G' (all), 'L' or 'U'; rows, columns: are there such scalings? one: the same are
 *                            both
 *                 Buffers    A     R   m x n
 *                            r, c  R   doubles, those that there are
 *                            B     W   diag(r) A diag(c), of the other type; what is not written is undefined
 * rsqrt_diagonal  Arguments  offset
 *                 Buffers    info   RW  offset + the place of the first a_ii that is not positive, if it was 0 or
 *                                       larger
 *                            A      R
 *                            scale  W   1 / sqrt(a_ii), or 1 */
#include "codelets/dense/dense_bodies.h"
#include "kernels/dense/cpu/gmres.h"
#include "kernels/dense/cuda/gmres.h"

struct args {
    char uplo;
    int rows, columns, one;
};

static const double *rows_of(const struct tw_body *body)
{
    const struct args *g = body->args;
    return g->rows ? body->buf[1].ptr : NULL;
}
static const double *columns_of(const struct tw_body *body)
{
    const struct args *g = body->args;
    return g->columns ? body->buf[1 + (g->rows && !g->one)].ptr : NULL;
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[body->nbuf - 1];
    tw_gmres_kernels[body->type]->lag2_scaled(g->uplo, a->m, a->n, a->ptr, a->ld, rows_of(body), columns_of(body),
                                              b->ptr, b->ld);
    return 0;
}
static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[body->nbuf - 1];
    return tw_gmres_cuda_kernels[body->type]->lag2_scaled(body->cuda, g->uplo, a->m, a->n, a->ptr, a->ld, rows_of(body),
                                                          columns_of(body), b->ptr, b->ld);
}

static struct tw_codelet codelet = {
    .name = "lag2_scaled", .color = 0xAA99CC, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_lag2_scaled(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *r,
                         struct tw_data *c, struct tw_data *B)
{
    const struct args args = {uplo, r != NULL, c != NULL, r == c};
    struct tw_access access[4] = {{A, TW_R}};
    int naccess = 1;

    if (r) access[naccess++] = (struct tw_access){r, TW_R};
    if (c && c != r) access[naccess++] = (struct tw_access){c, TW_R};
    access[naccess++] = (struct tw_access){B, TW_W};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .second = TW_SECOND(B->type),
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}

struct diagonal {
    int64_t offset;
};

static int cpu_diagonal(const struct tw_body *body)
{
    const struct diagonal *g = body->args;
    const struct tw_buffer *a = &body->buf[1];
    tw_combine_info(body->buf[0].ptr, g->offset,
                    tw_gmres_kernels[body->type]->rsqrt_diagonal(a->n, a->ptr, a->ld, body->buf[2].ptr));
    return 0;
}
static int cuda_diagonal(const struct tw_body *body)
{
    const struct diagonal *g = body->args;
    const struct tw_buffer *a = &body->buf[1];
    return tw_gmres_cuda_kernels[body->type]->rsqrt_diagonal(body->cuda, a->n, a->ptr, a->ld, body->buf[2].ptr,
                                                             body->buf[0].ptr, g->offset);
}

static struct tw_codelet diagonal = {.name = "rsqrt_diagonal",
                                     .color = 0x66AABB,
                                     .rate = TW_RATE_MEMORY,
                                     .cpu = cpu_diagonal,
                                     .cuda = TW_CUDA_BODY(cuda_diagonal)};

void tw_task_rsqrt_diagonal(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *scale,
                            tw_int offset, struct tw_data *info)
{
    const struct diagonal args = {offset};
    const struct tw_access access[] = {{info, TW_RW}, {A, TW_R}, {scale, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &diagonal,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .size = A->n,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
