/* A few large transforms of one dimension on the CPUs: one after another, each by tasks that all cores share, since
 * what a single core transforms by itself passes over memory much more often. (GPUs take whole transforms, as rows:
 * slabs.c.) */
#include "algorithms/fft/strips.h"

/* From this size on (bytes of both arrays of one transform) the cores do better together. */
#define TOGETHER ((size_t)32 << 20)

static int suits(const struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;

    if (q->rank != 1 || q->kind == TW_FFT_R2R || q->dim[0].is != 1 || q->dim[0].os != 1 || q->nloops != 1) return 0;
    return (p->in_bytes + p->out_bytes) / (size_t)p->transforms >= TOGETHER;
}

int tw_fft_one_by_one_prepare(struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;
    tw_fft_options o;

    if (p->method == &tw_fft_by_call || !suits(p)) return 0;
    tw_fft_options_init(&o);
    o.norm = p->norm;
    o.rigor = q->rigor;
    o.time_limit = p->time_limit;
    o.path = TW_FFT_TASKS;
    return tw_fft_plan_guru(&p->each, p->type, q->kind, 1, q->dim, 0, NULL, q->sign, &o);
}

int tw_fft_one_by_one(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, tw_int first, tw_int count,
                      struct tw_sequence *whole)
{
    const struct tw_fft_dim *loop = &p->problem.loop[0];
    struct tw_fft *each = p->each;
    size_t real = tw_sizeof(p->type) / 2, is = (size_t)loop->is * (p->problem.kind == TW_FFT_R2C ? real : 2 * real),
           os = (size_t)loop->os * (p->problem.kind == TW_FFT_C2R ? real : 2 * real);
    int tasks = 0;

    for (tw_int k = first; k < first + count && !tw_loop_status(seq) && !tw_loop_status(whole); k++) {
        each->method->run(seq, each, in + is * (size_t)k, out + os * (size_t)k, 0);
        tw_loop_after_all(seq); /* the next one has the same workspace */
        tasks += atomic_load(&each->tasks);
    }
    return tasks;
}

void tw_fft_one_by_one_info(struct tw_fft *p, tw_fft_info *info)
{
    tw_fft_info each;

    if (tw_fft_get_info(p->each, &each)) return;
    info->path = each.path;
    info->workspace = each.workspace;
    info->n1 = each.n1, info->n2 = each.n2;
}
