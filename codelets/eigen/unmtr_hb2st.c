/* Z = Q Z with the reflectors of some bundles of sweeps of bulge chasing, as diamonds.
 *
 * Diamond (bundle, step) follows (bundle, step - 1) and (bundle + 1, step), whose rows it shares; so the last bundle is
 * one step ahead of the one before it, and diamonds of one wave have rows of their own. They go over few columns of Z
 * at a time, which stay in cache meanwhile.
 *
 * Arguments  shape; first, count: bundles
 * Buffers    diamonds  R       ld x (count x steps x 2 width)
 *            Z         RW      n x any
 *            work      SCRATCH width x columns, on GPUs for each bundle */
#include "codelets/eigen/chase_tasks.h"
#include "kernels/eigen/cpu/diamond.h"
#include "kernels/eigen/cuda/diamond.h" /* its table exists only in builds with CUDA */

struct args {
    struct tw_chase_shape shape;
    int first, count;
};
enum { COLUMNS = 240 }; /* at a time, on CPUs: many, and strips of the kernels' */

static const char *diamond(const struct tw_body *body, int i, int k)
{
    const struct args *g = body->args;
    const struct tw_buffer *from = &body->buf[0];
    const int steps = tw_chase_steps(&g->shape, g->first * g->shape.width);
    return (const char *)from->ptr +
           (size_t)(i * steps + k) * (size_t)from->ld * 2 * (size_t)g->shape.width * tw_sizeof(body->type);
}

static void columns(const struct tw_body *body, int first, int count)
{
    const struct args *g = body->args;
    const struct tw_chase_shape *c = &g->shape;
    const struct tw_buffer *z = &body->buf[1], *work = &body->buf[2];
    char *at = (char *)z->ptr + (size_t)first * (size_t)z->ld * tw_sizeof(body->type);
    const tw_diamond_fn apply = tw_diamond_apply(body->type, c);
    const int waves = tw_chase_steps(c, g->first * c->width) + g->count - 1;

    for (int wave = 0; wave < waves; wave++)
        for (int i = g->count - 1; i >= 0; i--) {
            const int k = wave - (g->count - 1 - i), bundle = g->first + i;
            if (k < 0 || k >= tw_chase_steps(c, bundle * c->width)) continue;
            apply(c, bundle, k, diamond(body, i, k), count, at, z->ld, work->ptr);
        }
}

static int cpu(const struct tw_body *body)
{
    const int n = body->buf[1].n;
    for (int first = 0; first < n; first += COLUMNS)
        columns(body, first, (int)tw_min(COLUMNS, n - first));
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *z = &body->buf[1];
    return tw_diamond_cuda[body->type]->apply(body->cuda, &g->shape, g->first, g->count, body->buf[0].ptr, z->n, z->ptr,
                                              z->ld, body->buf[2].ptr);
}

static struct tw_codelet codelet = {
    .name = "unmtr_hb2st", .color = 0x88CCEE, .rate = TW_RATE_GEMM, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

static double flops(const struct tw_chase_shape *c, int first, int count, int columns)
{
    double sum = 0;
    for (int bundle = first; bundle < first + count; bundle++)
        for (int k = 0; k < tw_chase_steps(c, bundle * c->width); k++) {
            const struct tw_diamond d = tw_chase_diamond(c, bundle, k);
            sum += 4.0 * d.rows * d.columns * columns;
        }
    return sum;
}

void tw_task_unmtr_hb2st(struct tw_sequence *seq, int priority, const struct tw_chase_shape *shape, int first,
                         int count, struct tw_data *diamonds, struct tw_data *Z)
{
    const struct args args = {*shape, first, count};
    /* a GPU has all columns of all diamonds of a wave side by side */
    const size_t columns = tw_gpus() > 0 ? (size_t)tw_max((tw_int)count * Z->n, COLUMNS) : COLUMNS;
    const size_t work = (size_t)shape->width * columns * tw_sizeof(Z->type);
    const struct tw_access access[] = {{diamonds, TW_R}, {Z, TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = Z->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flop_factor(Z->type) * flops(shape, first, count, Z->n),
                                     .m = tw_chase_height(shape),
                                     .n = Z->n,
                                     .k = shape->width,
                                     .coord = {first, Z->coord[1], -1, -1}});
}
