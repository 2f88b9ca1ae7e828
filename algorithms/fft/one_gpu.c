/* Transforms that one GPU computes at once, by one plan of cuFFT or, real to real, by passes around some: of arrays on
 * a GPU, and of host arrays that fit there where the other methods do not apply. */
#include "algorithms/fft/fft_plan.h"

/* cuFFT's layout: strides from the last dimension on, each a multiple of the next, and one loop. Real to real: any. */
static int nested(const struct tw_fftw_problem *q)
{
    if (q->kind == TW_FFT_R2R) return 1;
    for (int d = 1; d < q->rank; d++)
        if (q->dim[d - 1].is % q->dim[d].is || q->dim[d - 1].os % q->dim[d].os) return 0;
    return q->nloops < 2;
}

static tw_int stored(const struct tw_fftw_problem *q, int output)
{
    tw_int count = 1;

    for (int l = 0; l < q->nloops; l++)
        count *= q->loop[l].n;
    for (int d = 0; d < q->rank; d++)
        count *= d == q->rank - 1 && q->kind == (output ? TW_FFT_R2C : TW_FFT_C2R) ? q->dim[d].n / 2 + 1 : q->dim[d].n;
    return count;
}

static size_t element(const struct tw_fft *p, int output)
{
    return p->problem.kind == (output ? TW_FFT_C2R : TW_FFT_R2C) || p->problem.kind == TW_FFT_R2R
               ? tw_sizeof(p->type) / 2
               : tw_sizeof(p->type);
}

static int dense(const struct tw_fft *p, int output)
{
    return (output ? p->out_bytes : p->in_bytes) == element(p, output) * (size_t)stored(&p->problem, output);
}

static struct tw_fft_many describe(const struct tw_fft *p, const void *in, void *out)
{
    const struct tw_fftw_problem *q = &p->problem;
    struct tw_fft_many w = {.type = p->type,
                            .kind = q->kind,
                            .sign = q->sign,
                            .rank = q->rank,
                            .in_place = in == out,
                            .dense = dense(p, 1),
                            .batch = q->nloops ? q->loop[0].n : 1,
                            .idist = q->nloops ? q->loop[0].is : 1,
                            .odist = q->nloops ? q->loop[0].os : 1,
                            .in_bytes = p->in_bytes,
                            .out_bytes = p->out_bytes,
                            .nloops = q->nloops,
                            .scale = p->scale,
                            .flops = p->flops,
                            .from = in,
                            .to = out};
    for (int d = 0; d < q->rank; d++)
        w.n[d] = q->dim[d].n, w.is[d] = q->dim[d].is, w.os[d] = q->dim[d].os, w.r2r[d] = (enum tw_fft_r2r)q->r2r[d];
    for (int l = 0; l < q->nloops; l++)
        w.loop[l] = q->loop[l];
    return w;
}

int tw_fft_one_gpu_suits(const struct tw_fft *p, const void *in, const void *out)
{
    /* What lies in the output's gaps belongs to others, and would travel with it; the input's are only read. */
    if (!nested(&p->problem) || (!dense(p, 0) && p->problem.kind != TW_FFT_R2R) || !dense(p, 1)) return 0;
    if (in == out && p->in_bytes != p->out_bytes) return 0;
    return p->in_bytes / element(p, 0) <= INT32_MAX && p->out_bytes / element(p, 1) <= INT32_MAX &&
           tw_fft_fits(2 * (p->in_bytes + p->out_bytes), 1);
}

/* Asking the GPU's worker for the workspace takes longer than many a transform: the plan remembers it. */
static int prepare(struct tw_sequence *seq, struct tw_fft *p, struct tw_fft_many *w)
{
    atomic_size_t *known = w->gpu < TW_FFT_MAX_GPUS ? &p->one_gpu_work[w->gpu][w->in_place] : NULL;

    if (known && (w->work = atomic_load(known)) > 0) return 0;
    if (tw_fft_many_prepare(seq, w)) return -1;
    w->work = tw_max(1, w->work);
    if (known) atomic_store(known, w->work);
    return 0;
}

/* The host arrays as data objects. */
struct sides {
    struct tw_data *x, *y; /* the same one in place */
};
static void forget(void *arg)
{
    struct sides *s = arg;
    if (s->x != s->y) tw_data_forget(s->x, 0);
    tw_data_forget(s->y, 1);
}

int tw_fft_one_gpu_host(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out)
{
    struct tw_fft_many *w = tw_loop_keep(seq, sizeof *w);
    const size_t si = element(p, 0), so = element(p, 1);
    const tw_int ni = (tw_int)(p->in_bytes / si), no = (tw_int)(p->out_bytes / so);
    struct sides *s = tw_loop_keep(seq, sizeof *s);

    if (!w || !s) return 0;
    *w = describe(p, in, out);
    w->from = w->to = NULL;           /* StarPU's buffers on the GPU, whatever the alignment here */
    if (prepare(seq, p, w)) return 0; /* the sequence has failed */
    if (!tw_fft_fits(p->in_bytes + p->out_bytes + w->work, 1)) return -1;
    s->x = tw_data_rectangle((char *)in, ni, 1, ni, si, 0, 0);
    s->y = in == out ? s->x : tw_data_rectangle(out, no, 1, no, so, 0, 0);
    tw_loop_finally(seq, forget, s);
    if (!s->x || !s->y) {
        tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory for data objects");
    } else {
        tw_task_fft_many(seq, w, s->x, in == out ? NULL : s->y);
        tw_bring_home(seq, s->y);
    }
    atomic_store(&p->tasks, 1);
    return 0;
}

/* Lines of the output along the last dimension without gaps: what the GPU's scaling asks for. */
static int scalable(const struct tw_fft *p)
{
    return p->problem.kind == TW_FFT_R2R || p->scale == 1 || dense(p, 1) || p->problem.dim[p->problem.rank - 1].os == 1;
}

void tw_fft_one_gpu_device(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpu)
{
    struct tw_fft_many *w = tw_loop_keep(seq, sizeof *w);

    if (!w) return;
    *w = describe(p, in, out);
    w->gpu = gpu;
    if (!nested(&p->problem) || !scalable(p)) {
        tw_loop_fail(
            seq, TW_E_UNSUPPORTED,
            "fft: arrays on a GPU are transformed where cuFFT knows their layout: complex or half-complex, one "
            "loop of transforms, each stride a multiple of the next, or real to real%s",
            scalable(p) ? "" : ", lines without gaps if the result is scaled");
        return;
    }
    if (prepare(seq, p, w)) return;
    if (!tw_fft_fits(w->work, 1)) {
        tw_loop_fail(seq, TW_E_MEMORY, "fft: the GPU has no room for a workspace of %zu bytes", w->work);
        return;
    }
    tw_task_fft_many(seq, w, NULL, NULL);
    atomic_store(&p->tasks, 1);
}

void tw_fft_one_gpu_block(struct tw_sequence *seq, struct tw_fft *p, struct tw_data *block)
{
    struct tw_fft_many w = describe(p, NULL, NULL);

    if (!prepare(seq, p, &w)) tw_task_fft_many(seq, &w, block, NULL);
    tw_loop_wait(seq);
    atomic_store(&p->tasks, 1);
}
