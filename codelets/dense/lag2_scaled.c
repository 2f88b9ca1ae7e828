/* Into the other precision with scalings, so that numbers of any size fit; and Cholesky's scalings. On CPUs: A is read
 * where it was made.
 *
 * lag2_scaled     Arguments  uplo: 'G' (all), 'L' or 'U'; rows, columns: are there such scalings? one: the same are
 *                            both
 *                 Buffers    work  SCRATCH  to single precision: A's size
 *                            A     R   m x n
 *                            r, c  R   doubles, those that there are
 *                            B     W   diag(r) A diag(c), of the other type; what is not written is undefined
 * rsqrt_diagonal  Arguments  offset
 *                 Buffers    info   RW  offset + the place of the first a_ii that is not positive, if it was 0 or
 *                                       larger
 *                            A      R
 *                            scale  W   1 / sqrt(a_ii), or 1 */
#include <math.h>
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
    int rows, columns, one;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[1], *b = &body->buf[body->nbuf - 1];
    const struct tw_cpu_kernels *k = tw_cpu_kernels[TW_DOUBLE];
    const double *r = g->rows ? body->buf[2].ptr : NULL,
                 *c = g->columns ? body->buf[2 + (g->rows && !g->one)].ptr : NULL;

    if (body->type == TW_DOUBLE) {
        double *work = body->buf[0].ptr;
        k->lacpy(g->uplo, a->m, a->n, a->ptr, a->ld, work, a->m);
        k->laqge(g->uplo, 0, a->m, a->n, work, a->m, r, c);
        (void)k->lag2(g->uplo, a->m, a->n, work, a->m, b->ptr, b->ld);
    } else {
        (void)TW_CPU(body)->lag2(g->uplo, a->m, a->n, a->ptr, a->ld, b->ptr, b->ld);
        k->laqge(g->uplo, 0, b->m, b->n, b->ptr, b->ld, r, c);
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "lag2_scaled", .color = 0xAA99CC, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_lag2_scaled(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *r,
                         struct tw_data *c, struct tw_data *B)
{
    const struct args args = {uplo, r != NULL, c != NULL, r == c};
    const size_t work = A->type == TW_DOUBLE ? (size_t)A->m * (size_t)A->n * sizeof(double) : 1;
    struct tw_access access[5] = {{tw_scratch(work), TW_SCRATCH}, {A, TW_R}};
    int naccess = 2;

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
    double *scale = body->buf[2].ptr;
    int bad = 0;

    for (int i = 0; i < a->n; i++) {
        const double x = ((const double *)a->ptr)[(size_t)i * (size_t)(a->ld + 1)];
        if (!(x > 0) && !bad) bad = i + 1;
        scale[i] = x > 0 && isfinite(x) ? 1 / sqrt(x) : 1;
    }
    tw_combine_info(body->buf[0].ptr, g->offset, bad);
    return 0;
}

static struct tw_codelet diagonal = {
    .name = "rsqrt_diagonal", .color = 0x66AABB, .rate = TW_RATE_MEMORY, .cpu = cpu_diagonal};

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
