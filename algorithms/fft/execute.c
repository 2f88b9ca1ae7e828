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
        if (gpu >= 0) tw_fft_one_gpu_device(seq, p, c->in, c->out, gpu);
        return;
    }
    gpus = p->method == &tw_fft_by_call ? 0 : tw_fft_gpus(p, c->in, c->out, &cpu_rows);
    if (cpu_rows) {
        gpus = tw_fft_hybrid(seq, p, c->in, c->out, gpus, cpu_rows);
        atomic_store(&p->gpus, gpus);
        atomic_store(&p->cpu_rows, gpus ? cpu_rows : 0);
        return;
    }
    if (gpus && !(p->method->splits && p->method->splits(p, c->in, c->out, gpus)))
        gpus = tw_fft_one_gpu_suits(p, c->in, c->out) ? -1 : 0;
    if (gpus && pin(seq, c)) gpus = 0;
    if (gpus < 0 && tw_fft_one_gpu_host(seq, p, c->in, c->out))
        gpus = 0;
    else if (gpus < 0)
        done = 1;
    atomic_store(&p->gpus, gpus < 0 ? 1 : gpus);
    if (!done && p->each && !gpus)
        atomic_store(&p->tasks, tw_fft_one_by_one(seq, p, c->in, c->out, 0, p->transforms, seq));
    else if (!done)
        p->method->run(seq, p, c->in, c->out, gpus);
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
    if (p->method == &tw_fft_by_call && !device_array(in) && !device_array(out)) return tw_fft_call_now(p, in, out);
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
