/* Transforms along the columns of a stack of blocks.
 *
 * Arguments  what, the number of the first column
 * Buffers    in   R   blocks one below another, all of one width (RW when there is no out: in place)
 *            out  W   blocks one below another, or, transposed, one beside another
 *            work SCRATCH (on GPUs only) */
#include "codelets/fft/at.h"

struct args {
    const struct tw_fft_cols *c;
    tw_int first;
    int nin, nout;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_fft_cols *c = g->c;
    const struct tw_buffer *in = body->buf, *out = g->nout ? body->buf + g->nin : in;
    size_t size = c->k->bytes;
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
    return c->k->columns(&k) ? TW_E_MEMORY : 0;
}

#ifdef TILEWORK_CUDA
static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_fft_cols *c = g->c;
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

    return tw_fft_cuda_columns(body->cuda, &k, body->buf[body->nbuf - 1].ptr, body->buf[body->nbuf - 1].bytes);
}
#endif

static struct tw_codelet codelet = {
    .name = "fft_cols", .color = 0x3A7CA5, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_fft_cols(struct tw_sequence *seq, const struct tw_fft_cols *c, int priority, tw_int first, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int column)
{
    struct args args = {c, first, nin, nout};
    struct tw_access *access = malloc((size_t)(nin + nout + 1) * sizeof *access);
    int n = 0;

    if (!access) {
        tw_loop_fail(seq, TW_E_MEMORY, "fft_cols: no memory for a task's operands");
        return;
    }
    for (int k = 0; k < nin; k++)
        access[n++] = (struct tw_access){in[k], nout ? TW_R : TW_RW};
    for (int k = 0; k < nout; k++)
        access[n++] = (struct tw_access){out[k], TW_W};
    if (c->gpus) access[n++] = (struct tw_access){tw_scratch(c->work), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = c->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = c->flops * in[0]->m,
                                     .size = (double)tw_min(c->n, in[0]->m),
                                     .coord = {column, -1, -1, -1},
                                     .place = tw_fft_place(c->gpus, c->parts, column)});
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
    .name = "fft_cols", .color = 0x3A7CA5, .rate = TW_RATE_MEMORY, .cpu = cpu_at, .cuda = TW_CUDA_BODY(cuda_at)};

void tw_task_fft_cols_at(struct tw_sequence *seq, const struct tw_fft_cols *c, tw_int first, const struct tw_fft_at *t)
{
    const struct args_at args = {{c, first, t->nin, t->nout}, t->at};

    tw_fft_submit_at(seq,
                     &(struct tw_task){.codelet = &codelet_at,
                                       .type = c->type,
                                       .args = &args,
                                       .args_size = sizeof args,
                                       .flops = c->flops * t->at->m,
                                       .bytes = 2.0 * (double)c->k->bytes * (double)c->n * t->at->m,
                                       .size = (double)tw_min(c->n, t->at->m),
                                       .coord = {t->index, -1, -1, -1}},
                     c->gpus ? c->work : 0, t);
}
