/* A's columns by powers of two, so that no product of two columns overflows or underflows (algorithms/dense/cholqr.c).
 *
 * column_factors  Buffers  forth  W  a number for each column: what it is multiplied with
 *                          back   W  its reciprocal
 *                          even   W  what makes the largest element of a column times `forth` one between 1 and 2
 *                          parts  R  each: the largest |re| + |im| of some of A's rows, doubles
 * scale_columns   Buffers  x      R  a number for each column
 *                          A      RW m x n */
#include <math.h>
#include "codelets/dense/column.h"

/* Sums of products of numbers within 2^-most … 2^most of each other keep all their digits. */
static int most_exponent(enum tw_type type)
{
    return tw_is_single(type) ? 40 : 300;
}
static int largest_exponent(enum tw_type type)
{
    return tw_is_single(type) ? 126 : 1022;
}

static void put(enum tw_type type, void *x, int j, double value)
{
    const int step = tw_is_complex(type) ? 2 : 1;

    if (tw_is_single(type))
        ((float *)x)[j * step] = (float)value;
    else
        ((double *)x)[j * step] = value;
    if (step == 1) return;
    if (tw_is_single(type))
        ((float *)x)[2 * j + 1] = 0;
    else
        ((double *)x)[2 * j + 1] = 0;
}

static int cpu_factors(const struct tw_body *body)
{
    const int most = most_exponent(body->type), end = largest_exponent(body->type);

    for (int j = 0; j < body->buf[0].n; j++) {
        double largest = 0;
        int forth = 0, even = 0;

        for (int k = 3; k < body->nbuf; k++) {
            const double one = ((const double *)body->buf[k].ptr)[j];
            if (!(one <= largest)) largest = one; /* a NaN stays */
        }
        if (largest > 0 && isfinite(largest)) {
            even = tw_max(-end, tw_min(end, -ilogb(largest)));
            if (even < -most || even > most) forth = even, even = 0;
        }
        put(body->type, body->buf[0].ptr, j, ldexp(1, forth));
        put(body->type, body->buf[1].ptr, j, ldexp(1, -forth));
        put(body->type, body->buf[2].ptr, j, ldexp(1, even));
    }
    return 0;
}
static struct tw_codelet factors = {
    .name = "column_factors", .color = 0x66AAEE, .rate = TW_RATE_MEMORY, .cpu = cpu_factors};

void tw_task_column_factors(struct tw_sequence *seq, int priority, struct tw_data *forth, struct tw_data *back,
                            struct tw_data *even, struct tw_data *const *part, int count)
{
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "column_factors", 3 + count, few);

    if (!access) return;
    access[0] = (struct tw_access){forth, TW_W};
    access[1] = (struct tw_access){back, TW_W};
    access[2] = (struct tw_access){even, TW_W};
    for (int i = 0; i < count; i++)
        access[3 + i] = (struct tw_access){part[i], TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = &factors,
                                     .type = forth->type,
                                     .access = access,
                                     .naccess = 3 + count,
                                     .priority = priority,
                                     .size = forth->n,
                                     .coord = {forth->coord[0], forth->coord[1], -1, -1}});
    if (access != few) free(access);
}

/* As a rule there is nothing to scale: then A is not touched. */
static int all_ones(enum tw_type type, const void *x, int n)
{
    const int step = tw_is_complex(type) ? 2 : 1;

    for (int j = 0; j < n; j++)
        if (tw_is_single(type) ? ((const float *)x)[j * step] != 1 : ((const double *)x)[j * step] != 1) return 0;
    return 1;
}

static int cpu_scale(const struct tw_body *body)
{
    const struct tw_buffer *x = &body->buf[0], *a = &body->buf[1];

    if (!all_ones(body->type, x->ptr, a->n))
        TW_CPU(body)->lascl_columns(a->m, a->n, a->ptr, (int)a->ld, x->ptr, a->ptr, (int)a->ld);
    return 0;
}
static int cuda_scale(const struct tw_body *body)
{
    const struct tw_buffer *x = &body->buf[0], *a = &body->buf[1];
    return TW_CUDA(body)->lascl_columns(body->cuda, a->m, a->n, a->ptr, (int)a->ld, x->ptr, a->ptr, (int)a->ld);
}
static struct tw_codelet scale = {.name = "scale_columns",
                                  .color = 0xBBBB66,
                                  .rate = TW_RATE_MEMORY,
                                  .cpu = cpu_scale,
                                  .cuda = TW_CUDA_BODY(cuda_scale)};

void tw_task_scale_columns(struct tw_sequence *seq, int priority, struct tw_data *x, struct tw_data *A)
{
    const struct tw_access access[] = {{x, TW_R}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &scale,
                                     .type = A->type,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .flops = (tw_is_complex(A->type) ? 2.0 : 1.0) * A->m * A->n,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
