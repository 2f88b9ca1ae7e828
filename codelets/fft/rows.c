/* Transforms of whole rows.
 *
 * Arguments  what
 * Buffers    in   R   blocks side by side that make the rows (one if nothing divides them)
 *            out  W   the same
 *            work SCRATCH (on GPUs only) */
#include "codelets/fft/at.h"

static int on_cpu(const struct tw_body *body)
{
    const struct tw_fft_args *g = body->args;
    const struct tw_fft_rows *r = g->what;
    const struct tw_buffer *in = body->buf, *out = g->nout ? body->buf + g->nin : in;
    size_t real = tw_sizeof(r->type) / 2,
           si = r->kind == TW_FFT_R2C || r->kind == TW_FFT_R2R ? real : tw_sizeof(r->type),
           so = r->kind == TW_FFT_C2R || r->kind == TW_FFT_R2R ? real : tw_sizeof(r->type);
    tw_int rows = in->n, done = 0;

    if (!tw_fft_abreast(in, g->nin, si) || !tw_fft_abreast(out, g->nout, so)) return TW_E_INTERNAL;
    while (done < rows) {
        tw_int step = r->many && rows - done >= r->chunk ? r->chunk : 1;
        char *to = (char *)out->ptr + so * (size_t)(done * out->ld);
        tw_fft_kernels(r->type)->run(step > 1 ? r->many : r->one, (const char *)in->ptr + si * (size_t)(done * in->ld),
                                     to);
        if (r->scale != 1)
            for (tw_int k = 0; k < step; k++)
                tw_fft_kernels(r->type)->scale(r->scaled, 1, to + so * (size_t)(k * out->ld), r->scale);
        done += step;
    }
    return 0;
}

static int cpu(const struct tw_body *body)
{
    return tw_fft_run_at(body, on_cpu);
}

static int on_gpu(const struct tw_body *body)
{
    const struct tw_fft_args *g = body->args;
    const struct tw_fft_rows *r = g->what;
    const struct tw_fft_gpu q = tw_fft_gpu_of(body->cuda);
    struct tw_fft_cuda_rows k = tw_fft_cuda_rows_of(r, body->buf[0].n, g->nin, g->nout ? g->nout : g->nin);

    k.in = body->buf;
    k.out = g->nout ? body->buf + g->nin : body->buf;
    return tw_fft_cuda_rows(&q, &k, body->buf[body->nbuf - 1].ptr, body->buf[body->nbuf - 1].bytes);
}

static int cuda(const struct tw_body *body)
{
    return tw_fft_run_at(body, on_gpu);
}

static struct tw_codelet codelet = {
    .name = "fft_rows", .color = 0x2F6690, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

static struct tw_task describe(const struct tw_fft_rows *r, const struct tw_fft_args *args, tw_int rows, int index)
{
    return (struct tw_task){.codelet = &codelet,
                            .type = r->type,
                            .args = args,
                            .args_size = sizeof *args,
                            .flops = r->flops * (double)rows,
                            .size = (double)tw_min(r->m_out, rows),
                            .coord = {index, -1, -1, -1}};
}

void tw_task_fft_rows(struct tw_sequence *seq, const struct tw_fft_rows *r, int priority, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int row)
{
    const struct tw_fft_args args = {.what = r, .nin = nin, .nout = nout};
    struct tw_task task = describe(r, &args, in[0]->n, row);

    task.priority = priority;
    task.place = tw_fft_place(r->gpus, r->parts, row);
    tw_fft_submit_on(seq, &task, r->gpus ? r->work : 0, in, out);
}

void tw_task_fft_rows_at(struct tw_sequence *seq, const struct tw_fft_rows *r, const struct tw_fft_at *t)
{
    const struct tw_fft_args args = {.what = r, .nin = t->nin, .nout = t->nout, .at = t->at};
    struct tw_task task = describe(r, &args, t->at->n, t->index);

    task.bytes = (double)tw_sizeof(r->type) * (double)(r->m_in + r->m_out) * t->at->n;
    tw_fft_submit_at(seq, &task, r->gpus ? r->work : 0, t);
}
