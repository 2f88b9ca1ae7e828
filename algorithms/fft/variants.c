/* FFTW's plans of a transform, made when they are first needed and shared with every other plan that needs the same. */
#include "algorithms/fft/fft_plan.h"

const struct tw_fftw *tw_fft_variant_plan(struct tw_fft *p, struct tw_fftw_problem *q, int in_place, int aligned)
{
    q->in_place = in_place;
    q->aligned = aligned;
    q->preserve = 1;
    q->rigor = p->problem.rigor;
    return tw_fft_prepare(p->type, q, p->time_limit);
}

/* Do all parts of the arrays begin where FFTW likes it, if the arrays do? */
static int steps_aligned(const struct tw_fft *p)
{
    const size_t steps = p->method->steps ? p->method->steps(p) : 0;
    return tw_fft_aligned(p->type, (const void *)(uintptr_t)(4096 + (steps & 4095)));
}

const struct tw_fft_variant *tw_fft_variant_for(struct tw_fft *p, const void *in, const void *out)
{
    int in_place = in == out, aligned = tw_fft_aligned(p->type, in) && tw_fft_aligned(p->type, out) && steps_aligned(p),
        ok = 1;
    struct tw_fft_variant *v = &p->variant[in_place][aligned];

    if (atomic_load_explicit(&v->ready, memory_order_acquire)) return v;
    starpu_pthread_mutex_lock(&p->lock);
    if (!atomic_load(&v->ready)) {
        ok = !p->method->fill || p->method->fill(p, v, in_place, aligned);
        if (ok) atomic_store_explicit(&v->ready, 1, memory_order_release);
    }
    starpu_pthread_mutex_unlock(&p->lock);
    if (ok) return v;
    tw_fail(TW_E_MEMORY, "FFTW found no plan for this transform: memory is short");
    return NULL;
}

/* A few columns at once: up to a mebibyte of them, so that the buffer stays in a core's second-level cache, and at
 * least a cache line of them. */
int tw_fft_plan_column(struct tw_fft *p, struct tw_fft_column_plan *c, enum tw_fft_kind kind, tw_int n, int sign)
{
    tw_int line = (tw_int)(64 / tw_sizeof(p->type)), room = kind == TW_FFT_C2C ? n : n / 2 + 1,
           chunk = ((tw_int)1 << 20) / (room * (tw_int)tw_sizeof(p->type)) / line * line;
    struct tw_fftw_problem q = {.kind = kind, .rank = 1, .nloops = 1, .sign = sign};

    c->n = n;
    c->chunk = chunk = tw_max(line, tw_min(chunk, 32));
    /* not a power of two: columns would fall into the same cache sets */
    c->pitch = tw_fft_ceil(room, line) * line + line;
    q.dim[0] = (tw_fft_dim){n, 1, 1};
    q.loop[0] =
        (tw_fft_dim){chunk, kind == TW_FFT_R2C ? 2 * c->pitch : c->pitch, kind == TW_FFT_C2R ? 2 * c->pitch : c->pitch};
    q.in_place = q.aligned = 1;
    q.rigor = p->problem.rigor;
    c->plan = tw_fft_prepare(p->type, &q, p->time_limit);
    return c->plan ? 0
                   : tw_fail(TW_E_MEMORY, "FFTW found no plan for transforms of length %lld: memory is short",
                             (long long)n);
}

int tw_fft_plan_columns(struct tw_fft *p, int which, tw_int n)
{
    return tw_fft_plan_column(p, &p->columns[which], TW_FFT_C2C, n, p->problem.sign);
}

void tw_fft_variants_free(struct tw_fft *p)
{
    for (int in_place = 0; in_place < 2; in_place++)
        for (int aligned = 0; aligned < 2; aligned++) {
            struct tw_fft_variant *v = &p->variant[in_place][aligned];
            tw_fft_release(p->type, v->call);
            tw_fft_release(p->type, v->many);
            tw_fft_release(p->type, v->one);
            for (int k = 0; k < 2; k++) {
                tw_fft_release(p->type, v->full[k]);
                tw_fft_release(p->type, v->rest[k]);
            }
        }
    for (int k = 0; k < 2; k++)
        tw_fft_release(p->type, p->columns[k].plan);
}
