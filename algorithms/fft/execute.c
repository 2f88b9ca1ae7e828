/* Executing plans: in the caller's thread, as a routine, or as part of a sequence. */
#include <stdint.h>
#include "algorithms/fft/fft.h"

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
    size_t real = p->k->bytes / 2;
    int is_real = q->kind == TW_FFT_C2R || q->kind == TW_FFT_R2R, total = q->nloops + q->rank;
    size_t bytes = is_real ? real : 2 * real;
    const tw_fft_dim *dim = d < q->nloops ? &q->loop[d] : &q->dim[d - q->nloops];
    tw_int n = d == total - 1 && q->kind == TW_FFT_R2C ? dim->n / 2 + 1 : dim->n;

    if (d < total - 1)
        for (tw_int i = 0; i < n; i++)
            scale_level(p, d + 1, out + bytes * (size_t)(i * dim->os));
    else if (is_real)
        p->k->scale(n, dim->os, out, p->scale);
    else if (dim->os == 1)
        p->k->scale(2 * n, 1, out, p->scale);
    else
        for (int part = 0; part < 2; part++)
            p->k->scale(n, 2 * dim->os, out + real * (size_t)part, p->scale);
}

static int call(struct tw_fft *p, const void *in, void *out)
{
    const struct tw_fft_variant *v = tw_fft_variant_for(p, in, out);

    if (!v) return TW_E_MEMORY;
    p->k->run(v->call, in, out);
    if (p->scale != 1) scale_level(p, 0, out);
    return 0;
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct tw_fft_call *c = args;
    struct tw_fft *p = c->plan;

    tw_loop_wait(seq); /* earlier routines of the sequence may use the same arrays under other names */
    switch (p->method) {
    case TW_FFT_BY_CALL:
        if (!tw_loop_status(seq) && call(p, c->in, c->out)) tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
        break;
    case TW_FFT_BY_SIX_STEPS: tw_fft_sixstep(seq, p, c->in, c->out); break;
    case TW_FFT_BY_SLABS: tw_fft_slabs(seq, p, c->in, c->out); break;
    default: tw_fft_passes(seq, p, c->in, c->out);
    }
}

int tw_fft_execute(tw_fft *p, const void *in, void *out)
{
    struct tw_fft_call args = {p, in, out};
    int e = check("tw_fft_execute", p, in, out);

    if (e) return e;
    if (p->method == TW_FFT_BY_CALL) return call(p, in, out);
    return tw_call("fft", loop, &args, p->flops);
}

int tw_fft_execute_async(tw_fft *p, const void *in, void *out, tw_sequence *seq)
{
    struct tw_fft_call args = {p, in, out};
    int e = check("tw_fft_execute_async", p, in, out);

    if (e) return e;
    if (!seq) return tw_illegal("tw_fft_execute_async", 4, "NULL");
    return tw_call_async(seq, "fft", loop, &args, sizeof args, p->flops);
}
