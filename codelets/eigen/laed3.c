/* A merge's eigenvectors: z as if the roots were exact (Gu, Eisenstat), the vectors of diag(d) + rho z z^T, and their
 * products with the halves' columns.
 *
 * weights  numbers  R
 *          z        W       k
 *          part     R each  k
 * vectors  z        R
 *          plan     R
 *          numbers  R
 *          delta    R       k x count
 *          Q        W       (n1 + n2) x count
 *          work     SCRATCH k x count
 *          top      R       n1 x (k1 + k2); each of the two only if it has columns
 *          bottom   R       n2 x (k2 + k3) */
#include "codelets/eigen/laed_bodies.h"

static const tw_scalar zero = {0, 0}, one = {1, 0};

struct weights_args {
    int m, parts;
};
static int weights(const struct tw_body *body)
{
    const struct weights_args *g = body->args;
    const struct tw_buffer *numbers = &body->buf[0], *z = &body->buf[1];
    const void *part[TW_MERGE_PIECES];

    for (int p = 0; p < g->parts; p++)
        part[p] = body->buf[2 + p].ptr;
    if (body->cuda) return TW_CUDA_LAED(body)->weights(body->cuda, g->m, z->m, g->parts, part, numbers->ptr, z->ptr);
    TW_LAED(body)->weights(g->m, z->m, g->parts, part, numbers->ptr, z->ptr);
    return 0;
}

static int vectors(const struct tw_body *body)
{
    const struct tw_merge_vectors v = tw_merge_vectors(body);
    if (body->cuda)
        TW_STEP(TW_CUDA_LAED(body)->vectors(body->cuda, v.k, v.count, v.z, v.place, v.delta, v.s));
    else
        TW_LAED(body)->vectors(v.k, v.count, v.z, v.place, v.delta, v.s);
    return tw_merge_products(body);
}

static struct tw_codelet codelet_weights = {.name = "laed3_weights",
                                            .color = 0xBBBBBB,
                                            .rate = TW_RATE_MEMORY,
                                            .cpu = weights,
                                            .cuda = TW_CUDA_BODY(weights),
                                            .urgent = 1},
                         codelet_vectors = {.name = "laed3",
                                            .color = 0x117733,
                                            .rate = TW_RATE_GEMM,
                                            .share = 0.9,
                                            .cpu = vectors,
                                            .cuda = TW_CUDA_BODY(vectors)};

void tw_task_laed3_weights(struct tw_sequence *seq, int priority, int m, struct tw_data *const *part, int parts,
                           struct tw_data *numbers, struct tw_data *z)
{
    const struct weights_args args = {m, parts};
    struct tw_access access[TW_MERGE_PIECES + 2] = {{numbers, TW_R}, {z, TW_W}};

    for (int p = 0; p < parts; p++)
        access[2 + p] = (struct tw_access){part[p], TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_weights,
                                     .type = z->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2 + parts,
                                     .priority = priority,
                                     .size = 1,
                                     .coord = {m, -1, -1, -1}});
}

void tw_task_laed3(struct tw_sequence *seq, int priority, const struct tw_merge_head *head, int n1, struct tw_data *z,
                   struct tw_data *plan, struct tw_data *numbers, struct tw_data *delta, struct tw_data *top,
                   struct tw_data *bottom, struct tw_data *Q)
{
    tw_submit_vectors(seq, priority, &codelet_vectors, 0, head, n1, z, plan, numbers, delta, top, bottom, Q);
}

/* ---- what a codelet of vectors consists of, whatever kernel makes them ------------------------------------------- */

struct vectors_args {
    int side, n1, k, k1, k12, k23;
};
enum { Z, PLAN, NUMBERS, DELTA, COLUMNS, WORK, HALVES };

struct tw_merge_vectors tw_merge_vectors(const struct tw_body *body)
{
    const struct vectors_args *g = body->args;
    const struct tw_buffer *b = body->buf;
    return (struct tw_merge_vectors){g->side,
                                     b[COLUMNS].m,
                                     g->k,
                                     b[COLUMNS].n,
                                     b[Z].ptr,
                                     b[NUMBERS].ptr,
                                     tw_merge_plan(b[PLAN].ptr, b[COLUMNS].m).place,
                                     b[DELTA].ptr,
                                     b[WORK].ptr};
}

/* n rows of Q: the product of n x k columns with rows of s. */
static int product(const struct tw_body *body, int n, int k, const struct tw_buffer *columns, int row, void *to)
{
    const struct vectors_args *g = body->args;
    const struct tw_buffer *Q = &body->buf[COLUMNS], *s = &body->buf[WORK];

    if (k == 0) return TW_DO(body, laset, 'G', n, Q->n, zero, zero, to, Q->ld);
    return TW_DO(body, gemm, 'N', 'N', n, Q->n, k, one, columns->ptr, columns->ld,
                 (char *)s->ptr + (size_t)row * tw_sizeof(body->type), g->k, zero, to, Q->ld);
}

int tw_merge_products(const struct tw_body *body)
{
    const struct vectors_args *g = body->args;
    const struct tw_buffer *Q = &body->buf[COLUMNS], *top = &body->buf[HALVES],
                           *bottom = &body->buf[HALVES + (g->k12 > 0)];

    TW_STEP(product(body, g->n1, g->k12, top, 0, Q->ptr));
    return product(body, Q->m - g->n1, g->k23, bottom, g->k1, tw_at(body, Q, g->n1, 0));
}

void tw_submit_vectors(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, int side,
                       const struct tw_merge_head *head, int n1, struct tw_data *z, struct tw_data *plan,
                       struct tw_data *numbers, struct tw_data *delta, struct tw_data *top, struct tw_data *bottom,
                       struct tw_data *Q)
{
    const struct vectors_args args = {
        side, n1, (int)head->k, (int)head->k1, (int)(head->k1 + head->k2), (int)(head->k2 + head->k3)};
    const size_t work = (size_t)args.k * (size_t)Q->n * tw_sizeof(Q->type);
    struct tw_access access[HALVES + 2] = {{z, TW_R},     {plan, TW_R}, {numbers, TW_R},
                                           {delta, TW_R}, {Q, TW_W},    {tw_scratch(work), TW_SCRATCH}};
    int n = HALVES;

    if (top) access[n++] = (struct tw_access){top, TW_R};
    if (bottom) access[n++] = (struct tw_access){bottom, TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = Q->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = 2.0 * Q->n * ((double)n1 * args.k12 + (double)(Q->m - n1) * args.k23),
                                     .m = Q->m / 2.0,
                                     .n = Q->n,
                                     .k = args.k,
                                     .coord = {Q->m, Q->coord[1], -1, -1}});
}
