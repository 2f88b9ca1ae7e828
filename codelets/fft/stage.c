/* A stage of a long transform.
 *
 * Arguments  what
 * Buffers    done  W   a token
 *            after R   tokens */
#include "codelets/fft/at.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fft_stage_task *const *g = body->args;
    const struct tw_fft_stage_task *s = *g;
    /* its first row and column, of those whose neighbours are neighbours in memory */
    const struct tw_buffer result = {
        .ptr = s->out, .m = (int)s->stage.cols, .n = (int)s->stage.n, .ld = (int)s->stage.out.point};

    if (tw_fft_kernels(s->type)->stage(&s->stage, s->plan, s->roots, s->in, s->out)) return TW_E_MEMORY;
    tw_body_result(body, &result, 1);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_fft_stage_task *const *g = body->args;
    const struct tw_fft_stage_task *s = *g;
    const struct tw_fft_gpu q = tw_fft_gpu_of(body->cuda);

    return tw_fft_cuda_stage(&q, tw_is_single(s->type), &s->stage, s->in, s->out);
}

struct request {
    int single;
    tw_int n;
    char message[512];
};

static int plan(const struct tw_fft_gpu *q, void *arg)
{
    const struct request *r = arg;
    return tw_fft_cuda_stage_plan(q, r->single, r->n);
}
static int prepare(const struct tw_cuda *cuda, void *arg)
{
    return tw_fft_gpu_plan(cuda, plan, arg, ((struct request *)arg)->message);
}

int tw_fft_stage_fits(enum tw_type type, tw_int n)
{
    return tw_gpus() == 0 || tw_fft_cuda_stage_shared(tw_is_single(type), n) <= tw_gpu_shared();
}

void tw_fft_stage_prepare(struct tw_sequence *seq, enum tw_type type, tw_int n)
{
    struct request r = {.single = tw_is_single(type), .n = n};
    if (tw_cuda_on_each_gpu(prepare, &r)) tw_loop_fail(seq, TW_E_DEVICE, "%s", r.message);
}

static struct tw_codelet codelet = {
    .name = "fft_stage", .color = 0x16425B, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_fft_stage(struct tw_sequence *seq, const struct tw_fft_stage_task *s, const struct tw_fft_at *t)
{
    const double points = (double)s->stage.n * (double)s->stage.cols * (double)s->stage.outer;

    tw_fft_submit_at(seq,
                     &(struct tw_task){.codelet = &codelet,
                                       .type = s->type,
                                       .args = &s,
                                       .args_size = sizeof s,
                                       .flops = s->flops,
                                       .bytes = 2.0 * (double)tw_sizeof(s->type) * points,
                                       .size = (double)tw_min(s->stage.n, s->stage.cols * s->stage.outer),
                                       .coord = {t->index, -1, -1, -1}},
                     0, t);
}
