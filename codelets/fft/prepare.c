/* Before tasks are submitted: cuFFT's plans on every GPU, and how much workspace a task takes. */
#include "codelets/fft/fft_bodies.h"

struct tw_fft_cuda_rows tw_fft_cuda_rows_of(const struct tw_fft_rows *r, tw_int rows, int nin, int nout)
{
    return (struct tw_fft_cuda_rows){.single = tw_is_single(r->type),
                                     .kind = r->kind,
                                     .sign = r->sign,
                                     .rank = r->rank,
                                     .n = {r->n[0], r->n[1], r->n[2]},
                                     .r2r = {r->r2r[0], r->r2r[1], r->r2r[2]},
                                     .rows = rows,
                                     .m_in = r->m_in,
                                     .m_out = r->m_out,
                                     .pad_in = r->pad_in,
                                     .pad_out = r->pad_out,
                                     .scaled = r->scaled,
                                     .scale = r->scale,
                                     .nin = nin,
                                     .nout = nout};
}

struct request {
    const struct tw_fft_cols *c; /* NULL: rows */
    struct tw_fft_cuda_rows rows;
    tw_int size[2];
    size_t bytes;
    char message[512];
};

static void larger(size_t *bytes, size_t candidate)
{
    if (candidate > *bytes) *bytes = candidate;
}

static int columns(const struct tw_fft_gpu *q, void *arg)
{
    struct request *r = arg;
    size_t bytes = 0;

    for (int k = 0; k < 2; k++) {
        if (r->size[k] == 0) continue;
        const int e = tw_fft_cuda_columns_plan(tw_is_single(r->c->type), r->c->n, r->size[k], r->c->ld, &bytes, q);
        if (e) return e;
        larger(&r->bytes, bytes);
    }
    return 0;
}

static int rows(const struct tw_fft_gpu *q, void *arg)
{
    struct request *r = arg;
    size_t bytes = 0;

    for (int k = 0; k < 2; k++) {
        if (r->size[k] == 0) continue;
        r->rows.rows = r->size[k];
        const int e = tw_fft_cuda_rows_plan(&r->rows, &bytes, q);
        if (e) return e;
        larger(&r->bytes, bytes);
    }
    return 0;
}

static int prepare(const struct tw_cuda *cuda, void *arg)
{
    struct request *r = arg;
    return tw_fft_gpu_plan(cuda, r->c ? columns : rows, arg, r->message);
}

void tw_fft_cols_prepare(struct tw_sequence *seq, struct tw_fft_cols *c, tw_int w, tw_int last)
{
    struct request r = {.c = c, .size = {w, last}};

    if (c->gpus == 0) return;
    if (tw_cuda_on_each_gpu(prepare, &r)) tw_loop_fail(seq, TW_E_DEVICE, "%s", r.message);
    c->work = r.bytes;
}

void tw_fft_rows_prepare(struct tw_sequence *seq, struct tw_fft_rows *t, tw_int count, tw_int last, int nin, int nout)
{
    struct request r = {.rows = tw_fft_cuda_rows_of(t, count, nin, nout), .size = {count, last}};

    if (t->gpus == 0) return;
    if (tw_cuda_on_each_gpu(prepare, &r)) tw_loop_fail(seq, TW_E_DEVICE, "%s", r.message);
    t->work = r.bytes;
}
