/* One large real-to-real transform of one dimension, through a transform of the array folded: see
 * kernels/fft/cpu/fold.c. Both the folding and what follows the transform are one pass over memory each, cut into
 * tasks. */
#include <stdlib.h>
#include "algorithms/fft/strips.h"

struct tw_fft_folded {
    enum tw_fft_r2r kind;
    struct tw_fft *inner; /* in place but for the Hartley transform, which needs no folding */
    struct tw_fft_roots roots;
    tw_int before, after; /* steps of the two passes */
};

static int suits(struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;
    int odd_fourth = (q->r2r[0] == TW_FFT_DCT4 || q->r2r[0] == TW_FFT_DST4) && p->points % 2;

    return q->kind == TW_FFT_R2R && q->rank == 1 && p->transforms == 1 && q->dim[0].is == 1 && q->dim[0].os == 1 &&
           p->points > 4 && !odd_fourth;
}

static int prepare(struct tw_fft *p)
{
    struct tw_fft_folded *f = p->folded = calloc(1, sizeof *f);
    enum tw_fft_kind kind = TW_FFT_R2C;
    tw_int n = p->points, length = n, roots = 0;
    tw_fft_options o;
    int e;

    if (!f) return tw_fail(TW_E_MEMORY, "fft: no memory for a plan");
    f->kind = (enum tw_fft_r2r)p->problem.r2r[0];
    f->before = f->after = n / 2 + 1;
    switch (f->kind) {
    case TW_FFT_DCT1:
        length = 2 * (n - 1);
        f->before = f->after = n;
        break;
    case TW_FFT_DST1:
        length = 2 * (n + 1);
        f->before = f->after = n + 1;
        break;
    case TW_FFT_DCT3:
    case TW_FFT_DST3: kind = TW_FFT_C2R; /* fall through */
    case TW_FFT_DCT2:
    case TW_FFT_DST2: roots = 4 * n; break;
    case TW_FFT_DCT4:
    case TW_FFT_DST4:
        kind = TW_FFT_C2C;
        length = n / 2;
        roots = 8 * n;
        break;
    case TW_FFT_DHT: f->before = 0; break;
    }
    if (roots && tw_fft_roots_prepare(&f->roots, roots))
        return tw_fail(TW_E_MEMORY, "fft: no memory for tables of roots of unity");
    tw_fft_options_init(&o);
    o.rigor = p->problem.rigor;
    o.time_limit = p->time_limit;
    o.path = TW_FFT_TASKS;
    if ((e = tw_fft_plan(&f->inner, p->type, kind, 1, &length, 1, TW_FFT_FORWARD, &o))) return e;
    p->workspace_bytes = tw_max(f->inner->in_bytes, f->inner->out_bytes);
    return 0;
}

static size_t kept(const struct tw_fft *p)
{
    return p->folded ? tw_fft_workspace_bytes(p->folded->inner) : 0;
}

static void give_up(struct tw_fft *p)
{
    if (!p->folded) return;
    tw_fft_destroy(p->folded->inner);
    tw_fft_roots_release(&p->folded->roots);
    free(p->folded);
}

static int pass(struct tw_sequence *seq, const struct tw_fft *p, const void *in, void *out, int after)
{
    const struct tw_fft_folded *f = p->folded;
    tw_int steps = after ? f->after : f->before, step = tw_fft_ceil(steps, tw_fft_parts(p->reproducible));
    struct tw_fft_folds *folds = tw_loop_keep(seq, sizeof *folds);
    int count = steps ? (int)tw_fft_ceil(steps, step) : 0;
    struct tw_data **done;

    if (!folds) return 0;
    *folds = (struct tw_fft_folds){
        .after = after,
        .type = p->type,
        .fold = {.kind = f->kind, .n = p->points, .in = in, .out = out, .roots = &f->roots, .scale = p->scale}};
    if (!count || tw_fft_tokens_make(seq, count, &done)) return 0;
    for (int k = 0; k < count; k++)
        tw_task_fft_fold(seq, folds, k * step, tw_min(steps, (k + 1) * step), done[k]);
    tw_loop_after_all(seq);
    return count;
}

static void run(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus)
{
    const struct tw_fft_folded *f = p->folded;
    char *work = tw_fft_workspace_take(seq, p, 0);
    int tasks = 0;

    (void)gpus; /* CPUs only */
    if (work) {
        tasks = pass(seq, p, in, work, 0);
        if (!tw_loop_status(seq)) {
            f->inner->method->run(seq, f->inner, f->before ? work : in, work, 0);
            tasks += atomic_load(&f->inner->tasks);
            tw_loop_after_all(seq);
        }
        if (!tw_loop_status(seq)) tasks += pass(seq, p, work, out, 1);
    }
    atomic_store(&p->tasks, tasks);
}

const struct tw_fft_method tw_fft_by_folding = {
    .name = "folded", .suits = suits, .prepare = prepare, .free = give_up, .run = run, .kept = kept};
