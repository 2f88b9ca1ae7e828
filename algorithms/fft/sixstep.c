/* One large transform of one dimension, n = n1 n2, as two sets of transforms along columns (the four-step method of
 * Gentleman and Sande 1966, with the transposes of Bailey 1990 fused into reading and writing):
 *
 *   x as n1 x n2:  T[j2][k1] = exp(-+ 2 pi i j2 k1 / n) sum_j1 x[j1][j2] exp(-+ 2 pi i j1 k1 / n1)      a task per
 *                  block of columns j2
 *   T as n2 x n1:  X[k2][k1] = sum_j2 T[j2][k1] exp(-+ 2 pi i j2 k2 / n2)                               a task per
 *                  block of columns k1
 *
 * A real transform of even length 2h is a complex one of length h and one further pass over pairs of elements. */
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <tilework/matrix.h>
#include "algorithms/fft/fft_plan.h"

/* The largest divisor up to the square root; 0 if the two factors are too unlike for tasks along both. */
tw_int tw_fft_divide(tw_int n)
{
    tw_int d = (tw_int)sqrtl((long double)n);

    while (d * d > n)
        d--;
    for (; d > 1; d--)
        if (n % d == 0) return n / d <= 256 * d && n / d < 1 << 24 ? d : 0;
    return 0;
}

static tw_int complex_length(const struct tw_fft *p)
{
    return p->problem.kind == TW_FFT_C2C ? p->points : p->points / 2;
}

static int suits(struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;

    if (q->rank != 1 || p->transforms != 1 || q->kind == TW_FFT_R2R || q->dim[0].is != 1 || q->dim[0].os != 1) return 0;
    if (q->kind != TW_FFT_C2C && p->points % 2) return 0;
    return tw_fft_divide(complex_length(p)) > 0;
}

static int prepare(struct tw_fft *p)
{
    tw_int n = complex_length(p), n1 = tw_fft_divide(n);
    int e;

    p->workspace_bytes = (size_t)n * tw_sizeof(p->type);
    if (tw_fft_roots_prepare(&p->roots, n) ||
        (p->problem.kind != TW_FFT_C2C && tw_fft_roots_prepare(&p->half_roots, 2 * n)))
        return tw_fail(TW_E_MEMORY, "fft: no memory for tables of roots of unity");
    if ((e = tw_fft_plan_columns(p, 0, n1))) return e;
    return tw_fft_plan_columns(p, 1, n / n1);
}

/* ---- memory between the two halves ------------------------------------------------------------------------------- */

/* Kept with the plan: fresh pages cost as much as a third of the transform. For GPUs it is pinned, and the pool keeps
 * it. */
struct work {
    struct tw_fft *p;
    void *w;
    int gpus;
};
static void give(void *arg)
{
    struct work *work = arg;
    struct tw_fft *p = work->p;
    void *w = work->w;

    if (work->gpus) {
        tw_pool_free(w, p->workspace_bytes);
        return;
    }
    starpu_pthread_mutex_lock(&p->lock);
    if (!p->workspace) {
        p->workspace = w;
        w = NULL;
    }
    starpu_pthread_mutex_unlock(&p->lock);
    free(w); /* another execution of the same plan was faster */
}
static int same(const void *arg, const void *key)
{
    const struct work *a = arg, *b = key;
    return a->p == b->p && !a->gpus == !b->gpus;
}

void *tw_fft_workspace_take(struct tw_sequence *seq, struct tw_fft *p, int gpus)
{
    struct work *work = tw_loop_ending(seq, give, same, &(struct work){p, NULL, gpus});
    void *w = NULL;

    if (work) return work->w;
    if (!(work = tw_loop_keep(seq, sizeof *work))) return NULL;
    if (gpus) {
        w = tw_pool_alloc(p->workspace_bytes);
    } else {
        starpu_pthread_mutex_lock(&p->lock);
        w = p->workspace;
        p->workspace = NULL;
        starpu_pthread_mutex_unlock(&p->lock);
        if (!w && p->workspace_bytes < tw_host_memory_limit(NULL) &&
            posix_memalign(&w, 2 << 20, p->workspace_bytes) == 0)
            (void)madvise(w, p->workspace_bytes, MADV_HUGEPAGE); /* advice only */
    }
    if (!w) {
        tw_loop_fail(seq, TW_E_MEMORY, "fft: there are no %zu bytes for the workspace", p->workspace_bytes);
        return NULL;
    }
    *work = (struct work){p, w, gpus};
    tw_loop_finally(seq, give, work);
    return tw_loop_status(seq) ? NULL : w;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Columns of a part. */
static tw_int block(const struct tw_fft *p, int second, int gpus)
{
    const tw_int columns = p->columns[second ? 0 : 1].n, multiple = gpus ? 32 : p->columns[second].chunk;
    tw_int parts = gpus ? tw_fft_gpu_parts(p->workspace_bytes, (size_t)columns * tw_sizeof(p->type), gpus)
                        : tw_fft_parts(p->reproducible);

    return tw_min(columns, tw_fft_ceil(tw_fft_ceil(columns, parts), multiple) * multiple);
}

static struct tw_fft_cols stage(const struct tw_fft *p, int which, int gpus)
{
    double n = (double)p->columns[which].n, total = (double)p->columns[0].n * (double)p->columns[1].n;
    return (struct tw_fft_cols){.plan = p->columns[which].plan,
                                .n = p->columns[which].n,
                                .chunk = p->columns[which].chunk,
                                .pitch = p->columns[which].pitch,
                                .sign = p->problem.sign,
                                .scale = 1,
                                .flops = p->flops / 2 * n / total,
                                .type = p->type,
                                .gpus = gpus};
}

/* On the CPUs: every task of the second half needs something of every task of the first. */
static int in_main_memory(struct tw_sequence *seq, const struct tw_fft_sixstep *h)
{
    const int nx = (int)tw_fft_ceil(h->x.cols, h->w1), ny = (int)tw_fft_ceil(h->y.cols, h->w2);
    struct tw_buffer *b = tw_loop_keep(seq, (size_t)(nx + ny) * 2 * sizeof *b);
    struct tw_data **done;

    if (!b || tw_fft_tokens_make(seq, nx + ny, &done)) return 0;
    for (int q = 0; q < nx; q++, b += 2) {
        b[0] = tw_fft_columns_at(&h->x, q * h->w1, h->w1);
        b[1] = tw_fft_rows_at(&h->t, q * h->w1, h->w1);
        tw_task_fft_cols_at(
            seq, &h->first, q * h->w1,
            &(struct tw_fft_at){
                .at = b, .nin = 1, .nout = 1, .done = done[q], .place = TW_ON_CPUS, .index = q, .priority = 1});
    }
    for (int r = 0; r < ny; r++, b += 2) {
        b[0] = tw_fft_columns_at(&h->t, r * h->w2, h->w2);
        b[1] = tw_fft_columns_at(&h->y, r * h->w2, h->w2);
        tw_task_fft_cols_at(seq, &h->second, r * h->w2,
                            &(struct tw_fft_at){.at = b,
                                                .nin = 1,
                                                .nout = 1,
                                                .done = done[nx + r],
                                                .after = done,
                                                .nafter = nx,
                                                .place = TW_ON_CPUS,
                                                .index = r});
    }
    return nx + ny;
}

static int complex_transform(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, double scale,
                             int gpus)
{
    const tw_int n1 = p->columns[0].n, n2 = p->columns[1].n;
    const size_t size = tw_sizeof(p->type);
    /* the first half's kernels write into the memory of other GPUs */
    const int together = gpus > 1 && !tw_gpu_peers() ? 1 : gpus;
    const int fits = gpus && tw_fft_fits(5 * p->workspace_bytes / 2, together);
    struct tw_fft_sixstep *h = tw_loop_keep(seq, sizeof *h);
    int tasks = -1;

    if (!h) return 0;
    *h = (struct tw_fft_sixstep){.first = stage(p, 0, fits ? together : gpus),
                                 .second = stage(p, 1, fits ? together : gpus),
                                 .x = {(char *)in, n1, n2, n2, size},
                                 .t = {NULL, n2, n1, n1, size},
                                 .y = {out, n2, n1, n1, size},
                                 .w1 = block(p, 0, fits ? together : gpus),
                                 .w2 = block(p, 1, fits ? together : gpus)};
    h->first.transposed = 1;
    h->first.roots = &p->roots;
    h->second.scale = scale;
    if (fits && together == 1 && tw_fft_triple_suits(p)) tasks = tw_fft_triple(seq, p, in, out, scale, 0);
    if (fits && tasks < 0) tasks = tw_fft_sixstep_gpus(seq, h, together, 0);
    if (tasks >= 0) return tasks;
    if (!(h->t.base = tw_fft_workspace_take(seq, p, gpus))) return 0;
    if (gpus) {
        tasks = tw_fft_stream_columns(seq, &h->first, &h->x, &h->t, h->w1);
        tasks += tw_fft_stream_columns(seq, &h->second, &h->t, &h->y, h->w2);
    } else {
        tasks = in_main_memory(seq, h);
    }
    return tasks;
}

/* The pass over pairs before (join) or after the complex transform. */
int tw_fft_pairs(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int join, double scale)
{
    struct tw_fft_real_pairs *h = tw_loop_keep(seq, sizeof *h);
    tw_int n = p->points / 4 + 1, step = tw_fft_ceil(n, tw_fft_parts(p->reproducible));
    struct tw_data **done;
    int count = (int)tw_fft_ceil(n, step);

    if (!h || tw_fft_tokens_make(seq, count, &done)) return 0;
    *h = (struct tw_fft_real_pairs){
        .join = join,
        .type = p->type,
        .split = {.h = p->points / 2, .in = in, .out = out, .roots = &p->half_roots, .scale = scale}};
    for (int k = 0; k < count; k++)
        tw_task_fft_real_pairs(seq, h, k * step, tw_min(n, (k + 1) * step), done[k]);
    return count;
}

static void run(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus)
{
    int tasks = 0;

    switch (p->problem.kind) {
    case TW_FFT_R2C:
        tasks = complex_transform(seq, p, in, out, 1, gpus);
        tw_loop_after_all(seq);
        tasks += tw_fft_pairs(seq, p, out, out, 0, p->scale);
        break;
    case TW_FFT_C2R:
        tasks = tw_fft_pairs(seq, p, in, out, 1, 1);
        tw_loop_after_all(seq);
        tasks += complex_transform(seq, p, out, out, p->scale, gpus);
        break;
    default: tasks = complex_transform(seq, p, in, out, p->scale, gpus);
    }
    atomic_store(&p->tasks, tasks);
}

/* A graph hides the computing behind the transfers, or uses several GPUs, at the price of some more transfers: below
 * these sizes that does not pay. Real transforms have a pass on the CPUs: one GPU does them at once, if it can. */
static int splits(const struct tw_fft *p, const void *in, const void *out, int gpus)
{
    const size_t bytes = tw_max(p->in_bytes, p->out_bytes);

    if (!tw_fft_one_gpu_suits(p, in, out)) return 1;
    if (p->problem.kind != TW_FFT_C2C) return 0;
    return bytes >= (gpus > 1 ? (size_t)1 << 27 : (size_t)(tw_fft_triple_suits(p) ? 1 : 12) << 28);
}

const struct tw_fft_method tw_fft_by_six_steps = {
    .name = "six-step", .suits = suits, .prepare = prepare, .run = run, .splits = splits, .two_factors = 1};
