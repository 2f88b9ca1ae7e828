/* A whole transform, or a batch, on one GPU: GPU only, since a CPU task would be one call of FFTW.
 *
 * Arguments  what
 * Buffers    in    R   the array (RW in place); none where the arrays are the caller's, on the GPU
 *            out   W   (absent in place)
 *            work  SCRATCH */
#include "codelets/fft/fft_bodies.h"

struct args {
    const struct tw_fft_many *w;
};

static struct tw_fft_cuda_many shape(const struct tw_fft_many *w)
{
    struct tw_fft_cuda_many k = {.single = tw_is_single(w->type),
                                 .sign = w->sign,
                                 .rank = w->rank,
                                 .in_place = w->in_place,
                                 .kind = w->kind,
                                 .idist = w->idist,
                                 .odist = w->odist,
                                 .batch = w->batch,
                                 .nloops = w->nloops,
                                 .in_bytes = w->in_bytes,
                                 .out_bytes = w->out_bytes,
                                 .dense = w->dense,
                                 .from = w->from,
                                 .to = w->to,
                                 .scale = w->scale};
    for (int d = 0; d < w->rank; d++)
        k.n[d] = w->n[d], k.is[d] = w->is[d], k.os[d] = w->os[d], k.r2r[d] = w->r2r[d];
    for (int l = 0; l < w->nloops; l++)
        k.loop[l] = w->loop[l];
    return k;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_fft_many *w = ((const struct args *)body->args)->w;
    const struct tw_buffer *buf = body->buf, *work = &body->buf[body->nbuf - 1];
    const void *in = body->nbuf > 1 ? buf[0].ptr : w->from;
    void *out = body->nbuf > 2 ? buf[1].ptr : body->nbuf > 1 ? buf[0].ptr : w->to;
    const struct tw_fft_gpu q = tw_fft_gpu_of(body->cuda);
    struct tw_fft_cuda_many k = shape(w);

    return tw_fft_cuda_many(&q, &k, in, out, work->ptr, work->bytes);
}

static struct tw_codelet codelet = {
    .name = "fft_many", .color = 0x16425B, .rate = TW_RATE_MEMORY, .cuda = TW_CUDA_BODY(cuda)};

struct request {
    struct tw_fft_many *w;
    char message[512];
};

static int plan(const struct tw_fft_gpu *q, void *arg)
{
    struct tw_fft_many *w = ((struct request *)arg)->w;
    const struct tw_fft_cuda_many k = shape(w);
    size_t bytes = 0;
    const int e = tw_fft_cuda_many_plan(&k, &bytes, q);

    if (!e) w->work = bytes;
    return e;
}
static int prepare(const struct tw_cuda *cuda, void *arg)
{
    return tw_fft_gpu_plan(cuda, plan, arg, ((struct request *)arg)->message);
}

int tw_fft_many_prepare(struct tw_sequence *seq, struct tw_fft_many *w)
{
    struct request r = {.w = w};

    if (!tw_cuda_on_gpu(w->gpu, prepare, &r)) return 0;
    tw_loop_fail(seq, TW_E_DEVICE, "%s", *r.message ? r.message : "fft: there is no such GPU");
    return -1;
}

void tw_task_fft_many(struct tw_sequence *seq, const struct tw_fft_many *w, struct tw_data *in, struct tw_data *out)
{
    struct args args = {w};
    struct tw_access access[3];
    int n = 0;

    if (in) access[n++] = (struct tw_access){in, out ? TW_R : TW_RW};
    if (out) access[n++] = (struct tw_access){out, TW_W};
    access[n++] = (struct tw_access){tw_scratch(w->work), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = w->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .flops = w->flops,
                                     .size = (double)w->n[0],
                                     .coord = {0, -1, -1, -1},
                                     .place = TW_ON_GPU(w->gpu)});
}

enum tw_fft_memory tw_fft_where(const void *p, int *gpu)
{
    int pinned = 0, device = -1;

    if (tw_gpus() > 0) pinned = tw_fft_cuda_where(p, &device);
    *gpu = device >= 0 ? tw_gpu_of_device(device) : -1;
    return device >= 0 ? TW_FFT_IN_GPU : pinned ? TW_FFT_PINNED : TW_FFT_PAGEABLE;
}
