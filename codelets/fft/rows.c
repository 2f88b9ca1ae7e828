/* Transforms of whole rows.
 *
 * Arguments  what
 * Buffers    in   R   blocks side by side that make the rows (one if nothing divides them)
 *            out  W   the same
 *            work SCRATCH (on GPUs only) */
#include "codelets/fft/at.h"

struct args {
    const struct tw_fft_rows *r;
    int nin, nout;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_fft_rows *r = g->r;
    const struct tw_buffer *in = body->buf, *out = g->nout ? body->buf + g->nin : in;
    size_t real = r->k->bytes / 2, si = r->kind == TW_FFT_R2C || r->kind == TW_FFT_R2R ? real : r->k->bytes,
           so = r->kind == TW_FFT_C2R || r->kind == TW_FFT_R2R ? real : r->k->bytes;
    tw_int rows = in->n, done = 0;

    if (!tw_fft_abreast(in, g->nin, si) || !tw_fft_abreast(out, g->nout, so)) return TW_E_INTERNAL;
    while (done < rows) {
        tw_int step = r->many && rows - done >= r->chunk ? r->chunk : 1;
        char *to = (char *)out->ptr + so * (size_t)(done * out->ld);
        r->k->run(step > 1 ? r->many : r->one, (const char *)in->ptr + si * (size_t)(done * in->ld), to);
        if (r->scale != 1)
            for (tw_int k = 0; k < step; k++)
                r->k->scale(r->scaled, 1, to + so * (size_t)(k * out->ld), r->scale);
        done += step;
    }
    return 0;
}

#ifdef TILEWORK_CUDA
static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_fft_rows *r = g->r;
    struct tw_fft_cuda_rows k = tw_fft_cuda_rows_of(r, body->buf[0].n, g->nin, g->nout ? g->nout : g->nin);

    k.in = body->buf;
    k.out = g->nout ? body->buf + g->nin : body->buf;
    return tw_fft_cuda_rows(body->cuda, &k, body->buf[body->nbuf - 1].ptr, body->buf[body->nbuf - 1].bytes);
}
#endif

static struct tw_codelet codelet = {
    .name = "fft_rows", .color = 0x2F6690, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_fft_rows(struct tw_sequence *seq, const struct tw_fft_rows *r, int priority, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int row)
{
    struct args args = {r, nin, nout};
    struct tw_access *access = malloc((size_t)(nin + nout + 1) * sizeof *access);
    int n = 0;

    if (!access) {
        tw_loop_fail(seq, TW_E_MEMORY, "fft_rows: no memory for a task's operands");
        return;
    }
    for (int k = 0; k < nin; k++)
        access[n++] = (struct tw_access){in[k], TW_R};
    for (int k = 0; k < nout; k++)
        access[n++] = (struct tw_access){out[k], TW_W};
    if (r->gpus) access[n++] = (struct tw_access){tw_scratch(r->work), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = r->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = r->flops * in[0]->n,
                                     .size = (double)tw_min(r->m_out, in[0]->n),
                                     .coord = {row, -1, -1, -1},
                                     .place = tw_fft_place(r->gpus, r->parts, row)});
    free(access);
}

/* ---- on memory that is only pointed to ---- */

struct args_at {
    struct args same;
    const struct tw_buffer *at;
};

static int cpu_at(const struct tw_body *body)
{
    const struct args_at *g = body->args;
    return tw_fft_run_at(body, cpu, &g->same, g->at, g->same.nin + g->same.nout);
}

#ifdef TILEWORK_CUDA
static int cuda_at(const struct tw_body *body)
{
    const struct args_at *g = body->args;
    return tw_fft_run_at(body, cuda, &g->same, g->at, g->same.nin + g->same.nout);
}
#endif

static struct tw_codelet codelet_at = {
    .name = "fft_rows", .color = 0x2F6690, .rate = TW_RATE_MEMORY, .cpu = cpu_at, .cuda = TW_CUDA_BODY(cuda_at)};

void tw_task_fft_rows_at(struct tw_sequence *seq, const struct tw_fft_rows *r, const struct tw_fft_at *t)
{
    const struct args_at args = {{r, t->nin, t->nout}, t->at};

    tw_fft_submit_at(seq,
                     &(struct tw_task){.codelet = &codelet_at,
                                       .type = r->type,
                                       .args = &args,
                                       .args_size = sizeof args,
                                       .flops = r->flops * t->at->n,
                                       .bytes = (double)r->k->bytes * (double)(r->m_in + r->m_out) * t->at->n,
                                       .size = (double)tw_min(r->m_out, t->at->n),
                                       .coord = {t->index, -1, -1, -1}},
                     r->gpus ? r->work : 0, t);
}
