/* Transforms along the columns of a stack of blocks.
 *
 * Arguments  what, the number of the first column
 * Buffers    in   R   blocks one below another, all of one width (RW when there is no out: in place)
 *            out  W   blocks one below another, or, transposed, one beside another
 *            work SCRATCH (on GPUs only) */
#include "codelets/fft/at.h"

static int on_cpu(const struct tw_body *body)
{
    const struct tw_fft_args *g = body->args;
    const struct tw_fft_cols *c = g->what;
    const struct tw_buffer *in = body->buf, *out = g->nout ? body->buf + g->nin : in;
    size_t size = tw_sizeof(c->type);
    struct tw_fft_columns k = {.plan = c->plan,
                               .n = c->n,
                               .w = in->m,
                               .chunk = c->chunk,
                               .pitch = c->pitch,
                               .in = in->ptr,
                               .ld_in = in->ld,
                               .out = out->ptr,
                               .ld_out = out->ld,
                               .transposed = c->transposed,
                               .sign = c->sign,
                               .roots = c->roots,
                               .first = g->first,
                               .scale = c->scale,
                               .table = c->table ? c->table + size * (size_t)g->first : NULL,
                               .ld_table = c->ld_table,
                               .back = c->back};

    if (!tw_fft_stacked(in, g->nin, size) ||
        !(c->transposed ? tw_fft_abreast(out, g->nout, size) : tw_fft_stacked(out, g->nout ? g->nout : g->nin, size)))
        return TW_E_INTERNAL;
    return tw_fft_kernels(c->type)->columns(&k) ? TW_E_MEMORY : 0;
}

static int cpu(const struct tw_body *body)
{
    return tw_fft_run_at(body, on_cpu);
}

static int on_gpu(const struct tw_body *body)
{
    const struct tw_fft_args *g = body->args;
    const struct tw_fft_cols *c = g->what;
    const struct tw_fft_gpu q = tw_fft_gpu_of(body->cuda);
    const struct tw_buffer *in = body->buf, *out = g->nout ? body->buf + g->nin : in;
    struct tw_fft_cuda_columns k = {.single = tw_is_single(c->type),
                                    .n = c->n,
                                    .w = in->m,
                                    .sign = c->sign,
                                    .transposed = c->transposed,
                                    .roots = c->roots ? c->roots->n : 0,
                                    .first = g->first,
                                    .scale = c->scale,
                                    .nin = g->nin,
                                    .nout = g->nout ? g->nout : g->nin,
                                    .in = in,
                                    .out = out};

    return tw_fft_cuda_columns(&q, &k, body->buf[body->nbuf - 1].ptr, body->buf[body->nbuf - 1].bytes);
}

static int cuda(const struct tw_body *body)
{
    return tw_fft_run_at(body, on_gpu);
}

static struct tw_codelet codelet = {
    .name = "fft_cols", .color = 0x3A7CA5, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

/* Of w columns. */
static struct tw_task describe(const struct tw_fft_cols *c, const struct tw_fft_args *args, tw_int w, int index)
{
    return (struct tw_task){.codelet = &codelet,
                            .type = c->type,
                            .args = args,
                            .args_size = sizeof *args,
                            .flops = c->flops * (double)w,
                            .size = (double)tw_min(c->n, w),
                            .coord = {index, -1, -1, -1}};
}

void tw_task_fft_cols(struct tw_sequence *seq, const struct tw_fft_cols *c, int priority, tw_int first, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int column)
{
    const struct tw_fft_args args = {.what = c, .first = first, .nin = nin, .nout = nout};
    struct tw_task task = describe(c, &args, in[0]->m, column);

    task.priority = priority;
    task.place = tw_fft_place(c->gpus, c->parts, column);
    tw_fft_submit_on(seq, &task, c->gpus ? c->work : 0, in, out);
}

void tw_task_fft_cols_at(struct tw_sequence *seq, const struct tw_fft_cols *c, tw_int first, const struct tw_fft_at *t)
{
    const struct tw_fft_args args = {.what = c, .first = first, .nin = t->nin, .nout = t->nout, .at = t->at};
    struct tw_task task = describe(c, &args, t->at->m, t->index);

    task.bytes = 2.0 * (double)tw_sizeof(c->type) * (double)c->n * t->at->m;
    tw_fft_submit_at(seq, &task, c->gpus ? c->work : 0, t);
}
