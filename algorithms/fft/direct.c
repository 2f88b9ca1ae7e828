/* One call of FFTW for all: small transforms, which tasks would only hold up, in the caller's thread; within a sequence
 * as one task. */
#include "algorithms/fft/fft_plan.h"
#include "runtime/base/doing.h"

static void scale_level(const struct tw_fft *p, int d, char *out)
{
    const struct tw_fftw_problem *q = &p->problem;
    size_t real = tw_sizeof(p->type) / 2;
    int is_real = q->kind == TW_FFT_C2R || q->kind == TW_FFT_R2R, total = q->nloops + q->rank;
    size_t bytes = is_real ? real : 2 * real;
    const tw_fft_dim *dim = d < q->nloops ? &q->loop[d] : &q->dim[d - q->nloops];
    tw_int n = d == total - 1 && q->kind == TW_FFT_R2C ? dim->n / 2 + 1 : dim->n;

    if (d < total - 1)
        for (tw_int i = 0; i < n; i++)
            scale_level(p, d + 1, out + bytes * (size_t)(i * dim->os));
    else if (is_real)
        tw_fft_scale(p->type, n, dim->os, out, p->scale);
    else if (dim->os == 1)
        tw_fft_scale(p->type, 2 * n, 1, out, p->scale);
    else
        for (int part = 0; part < 2; part++)
            tw_fft_scale(p->type, n, 2 * dim->os, out + real * (size_t)part, p->scale);
}

/* One call of FFTW. */
struct call {
    struct tw_fft *p;
    const struct tw_fftw *plan;
    const void *in;
    void *out;
};
static void run(void *arg)
{
    const struct call *c = arg;

    tw_fft_run(c->p->type, c->plan, c->in, c->out);
    if (c->p->scale != 1) scale_level(c->p, 0, c->out);
}

int tw_fft_call_now(struct tw_fft *p, const void *in, void *out)
{
    const struct tw_fft_variant *v = tw_fft_variant_for(p, in, out);

    if (!v) return TW_E_MEMORY;
    tw_straight_begins();
    run(&(struct call){p, v->call, in, out});
    tw_straight_ended(TW_DOING_FFTW);
    return 0;
}

static void by_task(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus)
{
    const struct tw_fft_variant *v = tw_fft_variant_for(p, in, out);
    struct call *c = tw_loop_keep(seq, sizeof *c);

    (void)gpus;
    if (!v) tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
    if (!v || !c) return;
    *c = (struct call){p, v->call, in, out};
    tw_task_fft_call(seq, p->type, run, c, p->flops);
    atomic_store(&p->tasks, 1);
}

static int fill(struct tw_fft *p, struct tw_fft_variant *v, int in_place, int aligned)
{
    struct tw_fftw_problem q = p->problem;
    return (v->call = tw_fft_variant_plan(p, &q, in_place, aligned)) != NULL;
}

const struct tw_fft_method tw_fft_by_call = {.name = "direct", .run = by_task, .fill = fill};
