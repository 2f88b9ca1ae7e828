/* Divide and conquer's beginning and end: T is scaled and cut, its parts are solved, and at last everything is brought
 * into order.
 *
 * enter   d, e   W      n, max(1, n - 1)
 * tear    d, e   RW     n, n - 1
 *         norm   W      one double
 * leaf    d, e   R      of all of T
 *         w      W      m: the part's eigenvalues
 *         Q      W      m x m
 *         info   R      of what made T; a part whose eigenvalues are not found has NaN
 * order   d      R      n eigenvalues
 *         norm   R
 *         order  W      int32, as many as are wanted
 *         info   RW     becomes 1 if a wanted eigenvalue is NaN
 *         window W      two int32, if there is one
 *         work   SCRATCH n int32
 * sort    order  R
 *         S      W      n x any; of a complex type, or real
 *         Q      R each pieces */
#include <math.h>
#include <string.h>
#include "codelets/eigen/laed_bodies.h"

struct args {
    int leaf, first;
    struct tw_dc_shape shape;
};

struct enter_args {
    const double *d, *e;
};

static void put_reals(const struct tw_body *body, const struct tw_buffer *to, const double *from, int n)
{
    for (int i = 0; i < n; i++)
        if (tw_is_single(body->type))
            ((float *)to->ptr)[i] = (float)from[i];
        else
            ((double *)to->ptr)[i] = from[i];
}

static int enter(const struct tw_body *body)
{
    const struct enter_args *g = body->args;
    const struct tw_buffer *d = &body->buf[0], *e = &body->buf[1];

    put_reals(body, d, g->d, d->m);
    memset(e->ptr, 0, e->bytes);
    put_reals(body, e, g->e, d->m - 1);
    return 0;
}

static int tear(const struct tw_body *body)
{
    const struct tw_buffer *d = &body->buf[0], *e = &body->buf[1], *norm = &body->buf[2];
    *(double *)norm->ptr = TW_LAED(body)->tear(d->m, ((const struct args *)body->args)->leaf, d->ptr, e->ptr);
    return 0;
}

static int leaf(const struct tw_body *body)
{
    const int first = ((const struct args *)body->args)->first;
    const struct tw_buffer *info = &body->buf[0], *d = &body->buf[1], *e = &body->buf[2], *w = &body->buf[3],
                           *Q = &body->buf[4];
    const size_t at = (size_t)first * (tw_is_single(body->type) ? sizeof(float) : sizeof(double));
    int k;

    memset(w->ptr, 0xff, w->bytes);
    if (*(const int64_t *)info->ptr != 0) return 0; /* T is not finite */
    k = TW_LAED(body)->leaf(w->m, (const char *)d->ptr + at, (const char *)e->ptr + at, w->ptr, Q->ptr, Q->ld);
    if (k < 0) return tw_fail(TW_E_MEMORY, "stedc: no memory for a part of order %d", w->m);
    if (k > 0) memset(w->ptr, 0xff, w->bytes); /* NaN */
    return 0;
}

struct order_args {
    double scale, *w;
    int first, k, width, windowed;
};

static int order(const struct tw_body *body)
{
    const struct order_args *g = body->args;
    const struct tw_buffer *d = &body->buf[0], *wanted = &body->buf[2];
    const double norm = *(const double *)body->buf[1].ptr;
    int32_t *at = body->buf[4 + g->windowed].ptr;

    TW_LAED(body)->order(d->m, d->ptr, at);
    memcpy(wanted->ptr, at + g->first, (size_t)wanted->m * sizeof *at);
    at = wanted->ptr;
    for (int i = 0; i < wanted->m; i++)
        if (isnan(g->w[i] = tw_real_at(body, d, (size_t)at[i]) * norm * g->scale))
            tw_combine_info(body->buf[3].ptr, 0, 1);
    if (g->windowed) tw_dc_window(g->k, g->width, wanted->m, at, body->buf[4].ptr);
    tw_body_result(body, &(struct tw_buffer){.ptr = g->w, .m = wanted->m, .n = 1, .ld = wanted->m, .count = 1}, 1);
    return 0;
}

static int sort(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *at = &body->buf[0], *S = &body->buf[1];
    const struct tw_merge_columns from = tw_dc_in(&g->shape, &body->buf[2]);
    const int z = tw_is_complex(body->type);
    if (body->cuda)
        return TW_CUDA_LAED(body)->sort(body->cuda, &from, at->ptr, g->first, at->m, S->n, z, S->m, S->ptr, S->ld);
    TW_LAED(body)->sort(&from, at->ptr, g->first, at->m, S->n, z, S->m, S->ptr, S->ld);
    return 0;
}

static struct tw_codelet
    codelet_enter = {.name = "laed0_enter", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .cpu = enter},
    codelet_tear = {.name = "laed0_tear", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = tear},
    codelet_leaf = {.name = "stedc", .color = 0x882255, .rate = TW_RATE_TRI, .share = 0.5, .cpu = leaf},
    codelet_order = {.name = "laed0_order", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = order},
    codelet_sort = {
        .name = "laed0_sort", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .cpu = sort, .cuda = TW_CUDA_BODY(sort)};

static void submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, enum tw_type type,
                   const struct args *args, const struct tw_access *access, int naccess, double flops, double size,
                   int at)
{
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = type,
                                     .args = args,
                                     .args_size = sizeof *args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = flops,
                                     .size = size,
                                     .coord = {at, -1, -1, -1}});
}

void tw_task_laed0_enter(struct tw_sequence *seq, int priority, const double *from_d, const double *from_e,
                         struct tw_data *d, struct tw_data *e)
{
    const struct enter_args args = {from_d, from_e};
    const struct tw_access access[] = {{d, TW_W}, {e, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_enter,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .bytes = 16.0 * d->m,
                                     .size = d->m,
                                     .coord = {-1, -1, -1, -1}});
}

void tw_task_laed0_tear(struct tw_sequence *seq, int priority, int leaf_order, struct tw_data *d, struct tw_data *e,
                        struct tw_data *norm)
{
    const struct tw_access access[] = {{d, TW_RW}, {e, TW_RW}, {norm, TW_W}};
    submit(seq, priority, &codelet_tear, d->type, &(struct args){.leaf = leaf_order}, access, 3, 0, d->m, -1);
}

void tw_task_laed0_leaf(struct tw_sequence *seq, int priority, int first, struct tw_data *d, struct tw_data *e,
                        struct tw_data *w, struct tw_data *Q, struct tw_data *info)
{
    const struct tw_access access[] = {{info, TW_R}, {d, TW_R}, {e, TW_R}, {w, TW_W}, {Q, TW_W}};
    const double n = w->m;
    submit(seq, priority, &codelet_leaf, d->type, &(struct args){.first = first}, access, 5, 8 * n * n * n / 3, n,
           first);
}

void tw_task_laed0_order(struct tw_sequence *seq, int priority, double scale, int first, struct tw_data *d,
                         struct tw_data *norm, struct tw_data *order_, double *w, struct tw_data *info,
                         struct tw_data *window, int k, int width)
{
    const struct order_args args = {scale, w, first, k, width, window != NULL};
    struct tw_access access[6] = {{d, TW_R}, {norm, TW_R}, {order_, TW_W}, {info, TW_RW}};
    int naccess = 4;

    if (window) access[naccess++] = (struct tw_access){window, TW_W};
    access[naccess++] = (struct tw_access){tw_scratch((size_t)d->m * sizeof(int32_t)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_order,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = d->m,
                                     .coord = {-1, -1, -1, -1}});
}

void tw_task_laed0_sort(struct tw_sequence *seq, int priority, int first, const struct tw_dc_columns *Q,
                        struct tw_data *order_, struct tw_data *S)
{
    struct tw_access access[TW_MERGE_PIECES + 2] = {{order_, TW_R}, {S, TW_W}};
    const int naccess = 2 + tw_dc_accesses(Q, access + 2);
    submit(seq, priority, &codelet_sort, S->type, &(struct args){.first = first, .shape = tw_dc_shape(Q)}, access,
           naccess, 0, S->n, first);
}
