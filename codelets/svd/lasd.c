/* What divide and conquer for a bidiagonal matrix (kernels/svd/cpu/lasd.h) has of its own: leaves, deflation, roots,
 * vectors, and the values in order.
 *
 * leaf     info     R        of what made the matrix: larger than 0, it is not finite
 *          d, e     R        of all of it
 *          s        W        m: the part's singular values; NaN, if they are not found
 *          U, V     W        m x m
 *          work     SCRATCH
 * deflate  d, e     R        all of the matrix'
 *          d1, d2   R        the halves' values
 *          z1, z2   R        the last row of V1, the first of V2
 *          head, plan, numbers  W  (types/eigen/merge.h)
 *          work     SCRATCH
 * roots    numbers  R
 *          lambda   W        `count` of them
 *          part     W        k
 *          delta    W        k x count
 *          work     SCRATCH  k reals
 * vectors  as laed3's (codelets/eigen/laed3.c)
 * order    d        R        n values
 *          e        R        what is left of the super-diagonal
 *          norm     R
 *          info     RW       becomes 1 if a value is NaN
 *          work     SCRATCH  n int32
 *          order    W        int32, as many as are wanted, if there is one
 *          window   W        two int32, if there is one */
#include <math.h>
#include <string.h>
#include "codelets/eigen/laed_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/lasd.h"
#include "kernels/svd/cuda/lasd_cuda.h"

#define LASD(body)      tw_lasd_kernels(tw_is_single((body)->type))
#define CUDA_LASD(body) tw_cuda_lasd_kernels(tw_is_single((body)->type))

struct leaf_args {
    int first, null;
};
struct deflate_args {
    int cut, null;
};
struct roots_args {
    int m, k, first;
};
struct order_args {
    double scale, *s, *superb;
    int first, count, values, ordered, windowed, k, width;
};

static int leaf(const struct tw_body *body)
{
    const struct leaf_args *g = body->args;
    const struct tw_buffer *d = &body->buf[1], *e = &body->buf[2], *s = &body->buf[3], *U = &body->buf[4],
                           *V = &body->buf[5];
    const size_t at = (size_t)g->first * tw_sizeof(body->type);

    memset(s->ptr, 0xff, s->bytes); /* NaN */
    if (*(const int64_t *)body->buf[0].ptr != 0) return 0;
    if (LASD(body)->leaf(s->m, g->null, (const char *)d->ptr + at, (const char *)e->ptr + at, s->ptr, U->ptr, U->ld,
                         V->ptr, V->ld, body->buf[6].ptr))
        memset(s->ptr, 0xff, s->bytes);
    return 0;
}

static int deflate(const struct tw_body *body)
{
    const struct deflate_args *g = body->args;
    const struct tw_buffer *b = body->buf;
    const size_t at = (size_t)g->cut - 1;

    LASD(body)->deflate(b[2].m, b[3].m, g->null, tw_real_at(body, &b[0], at), tw_real_at(body, &b[1], at), b[2].ptr,
                        b[3].ptr, b[4].ptr, b[5].ptr, b[6].ptr, b[7].ptr, b[8].ptr, b[9].ptr);
    return 0;
}

static int roots(const struct tw_body *body)
{
    const struct roots_args *g = body->args;
    const struct tw_buffer *numbers = &body->buf[0], *lambda = &body->buf[1], *part = &body->buf[2],
                           *delta = &body->buf[3];
    if (body->cuda)
        return CUDA_LASD(body)->roots(body->cuda, g->m, g->k, g->first, delta->n, numbers->ptr, lambda->ptr, delta->ptr,
                                      part->ptr);
    LASD(body)->roots(g->m, g->k, g->first, delta->n, numbers->ptr, lambda->ptr, delta->ptr, part->ptr,
                      body->buf[4].ptr);
    return 0;
}

static int vectors(const struct tw_body *body)
{
    const struct tw_merge_vectors v = tw_merge_vectors(body);
    const int left = v.side == 0;
    if (body->cuda)
        TW_STEP(CUDA_LASD(body)->vectors(body->cuda, left, v.m, v.k, v.count, v.numbers, v.z, v.place, v.delta, v.s));
    else
        LASD(body)->vectors(left, v.m, v.k, v.count, v.numbers, v.z, v.place, v.delta, v.s);
    return tw_merge_products(body);
}

static int order(const struct tw_body *body)
{
    const struct order_args *g = body->args;
    const struct tw_buffer *d = &body->buf[0], *e = &body->buf[1];
    const double norm = *(const double *)body->buf[2].ptr;
    int64_t *info = body->buf[3].ptr;
    int32_t *at = body->buf[4].ptr, *to = g->ordered ? body->buf[5].ptr : NULL;
    const int n = d->m;

    TW_LAED(body)->order(n, d->ptr, at);
    for (int i = 0; i < n; i++)
        if (*info == 0 && isnan(tw_real_at(body, d, (size_t)i))) tw_combine_info(info, 0, 1);
    for (int i = 0; g->s && i < g->values; i++)
        g->s[i] = *info != 0 ? NAN : tw_real_at(body, d, (size_t)at[n - 1 - g->first - i]) * norm * g->scale;
    for (int i = 0; to && i < g->count; i++)
        to[i] = at[n - 1 - g->first - i];
    if (g->windowed) tw_dc_window(g->k, g->width, g->count, to, body->buf[6].ptr);
    if (!g->s) return 0;
    for (int i = 0; g->superb && i + 1 < n; i++)
        g->superb[i] = *info != 0 ? tw_real_at(body, e, (size_t)i) * norm * g->scale : 0;
    tw_body_result(body, &(struct tw_buffer){.ptr = g->s, .m = g->values, .n = 1, .ld = g->values, .count = 1}, 1);
    return 0;
}

static struct tw_codelet codelet_leaf = {
    .name = "lasd0", .color = 0x882255, .rate = TW_RATE_TRI, .share = 0.3, .cpu = leaf};
static struct tw_codelet codelet_deflate = {
    .name = "lasd2", .color = 0xDDAA33, .rate = TW_RATE_MEMORY, .share = 0.1, .cpu = deflate, .urgent = 1};
/* A core has some 5 GF of divisions, a GPU hundreds. */
static struct tw_codelet codelet_roots = {
    .name = "lasd4", .color = 0x44AA99, .rate = TW_RATE_TRI, .share = 0.06, .cpu = roots, .cuda = TW_CUDA_BODY(roots)};
static struct tw_codelet codelet_vectors = {.name = "lasd3",
                                            .color = 0x117733,
                                            .rate = TW_RATE_GEMM,
                                            .share = 0.9,
                                            .cpu = vectors,
                                            .cuda = TW_CUDA_BODY(vectors)};
static struct tw_codelet codelet_order = {
    .name = "lasd0_order", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = order};

void tw_task_lasd0(struct tw_sequence *seq, int priority, int first, int null, struct tw_data *d, struct tw_data *e,
                   struct tw_data *s, struct tw_data *U, struct tw_data *V, struct tw_data *info)
{
    const struct leaf_args args = {first, null};
    const struct tw_access access[] = {{info, TW_R},
                                       {d, TW_R},
                                       {e, TW_R},
                                       {s, TW_W},
                                       {U, TW_W},
                                       {V, TW_W},
                                       {tw_scratch(tw_lasd_leaf_work(s->m)), TW_SCRATCH}};
    const double n = s->m;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_leaf,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 7,
                                     .priority = priority,
                                     .flops = 16 * n * n * n / 3,
                                     .size = n,
                                     .coord = {first, -1, -1, -1}});
}

void tw_task_lasd2(struct tw_sequence *seq, int priority, int cut, int null, struct tw_data *d, struct tw_data *e,
                   struct tw_data *d1, struct tw_data *d2, struct tw_data *z1, struct tw_data *z2, struct tw_data *head,
                   struct tw_data *plan, struct tw_data *numbers)
{
    const struct deflate_args args = {cut, null};
    const struct tw_access access[] = {{d, TW_R},       {e, TW_R},
                                       {d1, TW_R},      {d2, TW_R},
                                       {z1, TW_R},      {z2, TW_R},
                                       {head, TW_W},    {plan, TW_W},
                                       {numbers, TW_W}, {tw_scratch(tw_laed_deflate_work(d1->m + d2->m)), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_deflate,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 10,
                                     .priority = priority,
                                     .size = d1->m + d2->m,
                                     .coord = {cut, d1->m + d2->m, -1, -1}});
}

void tw_task_lasd4(struct tw_sequence *seq, int priority, int m, int k, int first, struct tw_data *numbers,
                   struct tw_data *lambda, struct tw_data *delta, struct tw_data *part)
{
    const struct roots_args args = {m, k, first};
    const struct tw_access access[] = {{numbers, TW_R},
                                       {lambda, TW_W},
                                       {part, TW_W},
                                       {delta, TW_W},
                                       {tw_scratch((size_t)k * tw_sizeof(numbers->type)), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_roots,
                                     .type = numbers->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 5,
                                     .priority = priority,
                                     .flops = 80.0 * k * delta->n, /* about six steps of some ten flops for each term */
                                     .size = delta->n,
                                     .coord = {m, first, -1, -1}});
}

void tw_task_lasd3(struct tw_sequence *seq, int priority, int side, const struct tw_merge_head *head, int n1,
                   struct tw_data *z, struct tw_data *plan, struct tw_data *numbers, struct tw_data *delta,
                   struct tw_data *top, struct tw_data *bottom, struct tw_data *Q)
{
    tw_submit_vectors(seq, priority, &codelet_vectors, side, head, n1, z, plan, numbers, delta, top, bottom, Q);
}

void tw_task_lasd0_order(struct tw_sequence *seq, int priority, double scale, struct tw_data *d, struct tw_data *e,
                         struct tw_data *norm, const struct tw_lasd_order *to, struct tw_data *info)
{
    const struct order_args args = {.scale = scale,
                                    .s = to->s,
                                    .superb = to->superb,
                                    .first = to->first,
                                    .count = to->count,
                                    .values = to->values,
                                    .ordered = to->order != NULL,
                                    .windowed = to->window != NULL,
                                    .k = to->k,
                                    .width = to->width};
    const struct tw_access access[] = {{d, TW_R},
                                       {e, TW_R},
                                       {norm, TW_R},
                                       {info, TW_RW},
                                       {tw_scratch((size_t)d->m * sizeof(int32_t)), TW_SCRATCH},
                                       {to->order, TW_W},
                                       {to->window, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_order,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 5 + args.ordered + args.windowed,
                                     .priority = priority,
                                     .size = d->m,
                                     .coord = {-1, -1, -1, -1}});
}
