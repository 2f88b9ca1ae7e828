/* Executing plans: in the caller's thread, as a routine, or as part of a sequence. */
#include <stdint.h>
#include "algorithms/fft/strips.h"

static int check(const char *routine, struct tw_fft *p, const void *in, const void *out)
{
    uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;

    if (!p) return tw_illegal(routine, 1, "NULL");
    if (!in) return tw_illegal(routine, 2, "NULL");
    if (!out) return tw_illegal(routine, 3, "NULL");
    if (a == b && !p->can_be_in_place)
        return tw_illegal(routine, 3, "in place, but the plan's strides of input and output differ");
    if (a != b && a < b + p->out_bytes && b < a + p->in_bytes)
        return tw_illegal(routine, 3, "it overlaps the input without being the same array");
    return 0;
}

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

static int call(struct tw_fft *p, const void *in, void *out)
{
    const struct tw_fft_variant *v = tw_fft_variant_for(p, in, out);

    if (!v) return TW_E_MEMORY;
    run(&(struct call){p, v->call, in, out});
    return 0;
}

static void call_by_task(struct tw_sequence *seq, struct tw_fft *p, const void *in, void *out)
{
    const struct tw_fft_variant *v = tw_fft_variant_for(p, in, out);
    struct call *c = tw_loop_keep(seq, sizeof *c);

    if (!v) tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
    if (!v || !c) return;
    *c = (struct call){p, v->call, in, out};
    tw_task_fft_call(seq, p->type, run, c, p->flops);
    atomic_store(&p->tasks, 1);
}

/* Are the arrays on a GPU? *gpu: on which; -1 after the sequence has failed since they are not on the same one. */
static int on_device(struct tw_sequence *seq, const struct tw_fft_call *c, int *gpu)
{
    int other, in = tw_fft_where(c->in, gpu), out = tw_fft_where(c->out, &other);

    if (in != TW_FFT_IN_GPU && out != TW_FFT_IN_GPU) return 0;
    if (*gpu >= 0 && *gpu == other) return 1;
    tw_loop_fail(seq, TW_E_UNSUPPORTED, "fft: both arrays have to lie in main memory, or on one of the GPUs in use");
    *gpu = -1;
    return 1;
}

/* Whether several tasks do it on GPUs, or one task on one. Batches always: their transfers overlap both ways. Of others a graph hides the
 * computing behind the transfers, or uses several GPUs, at the price of some more transfers: below these sizes that does not pay. Real
 * transforms of one dimension have a pass on the CPUs: one GPU does them at once, if it can. */
static int splits_on_gpus(const struct tw_fft *p, const void *in, const void *out, int gpus)
{
    const size_t bytes = tw_max(p->in_bytes, p->out_bytes), several = (size_t)1 << 27;

    if (p->method == TW_FFT_BY_SLABS && (p->rows.whole || !tw_fft_whole_suits(p, in, out))) return 1;
    if (p->method == TW_FFT_BY_SLABS) return bytes >= (gpus > 1 ? several : (size_t)1 << 30);
    if (p->method != TW_FFT_BY_SIX_STEPS) return 0;
    if (!tw_fft_whole_suits(p, in, out)) return 1;
    if (p->problem.kind != TW_FFT_C2C) return 0;
    return bytes >= (gpus > 1 ? several : (size_t)(tw_fft_triple_suits(p) ? 1 : 12) << 28);
}

static void by_method(struct tw_sequence *seq, const struct tw_fft_call *c, int gpus)
{
    struct tw_fft *p = c->plan;

    switch (p->method) {
    case TW_FFT_BY_CALL: call_by_task(seq, p, c->in, c->out); break;
    case TW_FFT_BY_SIX_STEPS: tw_fft_sixstep(seq, p, c->in, c->out, gpus); break;
    case TW_FFT_BY_SLABS: tw_fft_slabs(seq, p, c->in, c->out, gpus); break;
    case TW_FFT_BY_ODD_STEPS: tw_fft_odd(seq, p, c->in, c->out); break;
    case TW_FFT_BY_BLUESTEIN: tw_fft_bluestein(seq, p, c->in, c->out); break;
    case TW_FFT_BY_FOLDING: tw_fft_folded(seq, p, c->in, c->out); break;
    default: tw_fft_passes(seq, p, c->in, c->out);
    }
}

struct pins {
    struct tw_pinned pinned[2];
};
static void unpin(void *arg)
{
    struct pins *pins = arg;
    tw_unpin(&pins->pinned[0]);
    tw_unpin(&pins->pinned[1]);
}

/* Until the routine's tasks are done. 0, or -1: the arrays cannot be pinned. */
static int pin(struct tw_sequence *seq, const struct tw_fft_call *c)
{
    const struct tw_fft *p = c->plan;
    struct pins *pins = tw_loop_keep(seq, sizeof *pins);
    int e;

    if (!pins) return -1;
    e = tw_fft_pin(c->in, p->in_bytes, c->out, p->out_bytes, pins->pinned);
    if (e) { /* executions before this one may have pinned a part of them */
        unpin(pins);
        tw_loop_wait_own(seq);
        e = tw_fft_pin(c->in, p->in_bytes, c->out, p->out_bytes, pins->pinned);
    }
    tw_loop_finally(seq, unpin, pins);
    return e;
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct tw_fft_call *c = args;
    struct tw_fft *p = c->plan;
    tw_int cpu_rows = 0;
    int gpu, gpus, done = 0;

    atomic_store(&p->cpu_rows, 0);
    if (on_device(seq, c, &gpu)) {
        atomic_store(&p->gpus, 1);
        if (gpu >= 0) tw_fft_whole_device(seq, p, c->in, c->out, gpu);
        return;
    }
    gpus = p->method == TW_FFT_BY_CALL ? 0 : tw_fft_gpus(p, c->in, c->out, &cpu_rows);
    if (cpu_rows) {
        gpus = tw_fft_both(seq, p, c->in, c->out, gpus, cpu_rows);
        atomic_store(&p->gpus, gpus);
        atomic_store(&p->cpu_rows, gpus ? cpu_rows : 0);
        return;
    }
    if (gpus && !splits_on_gpus(p, c->in, c->out, gpus)) gpus = tw_fft_whole_suits(p, c->in, c->out) ? -1 : 0;
    if (gpus && pin(seq, c)) gpus = 0;
    if (gpus < 0 && tw_fft_whole_host(seq, p, c->in, c->out))
        gpus = 0;
    else if (gpus < 0)
        done = 1;
    atomic_store(&p->gpus, gpus < 0 ? 1 : gpus);
    if (!done && p->turn && !gpus)
        atomic_store(&p->tasks, tw_fft_turns(seq, p, c->in, c->out, 0, p->transforms, seq));
    else if (!done)
        by_method(seq, c, gpus);
}

static int overwrites_input(const struct tw_fft *p)
{
    return p->problem.kind == TW_FFT_C2R && p->problem.rank > 1;
}

/* Known only while the library runs: asking CUDA starts it, which takes a second. */
static int device_array(const void *array)
{
    int gpu;
    return tw_has_cuda() && tw_fft_where(array, &gpu) == TW_FFT_IN_GPU;
}

int tw_fft_execute(tw_fft *p, const void *in, void *out)
{
    struct tw_fft_call args = {p, in, out};
    int e = check("tw_fft_execute", p, in, out);

    if (e) return e;
    if (p->method == TW_FFT_BY_CALL && !device_array(in) && !device_array(out)) return call(p, in, out);
    return tw_call("fft", loop, &args, p->flops);
}

int tw_fft_execute_async(tw_fft *p, const void *in, void *out, tw_sequence *seq)
{
    struct tw_fft_call args = {p, in, out};
    int e = check("tw_fft_execute_async", p, in, out);

    if (e) return e;
    if (!seq) return tw_illegal("tw_fft_execute_async", 4, "NULL");
    /* the input of some transforms is overwritten, too */
    const struct tw_range range[] = {{in, p->in_bytes, overwrites_input(p) || in == out ? TW_RW : TW_R},
                                     {out, p->out_bytes, TW_RW}};
    return tw_call_arrays_async(seq, "fft", loop, &args, sizeof args, p->flops, range, 2);
}
