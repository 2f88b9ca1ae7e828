/* A batch of transforms in main memory, shared by GPUs and CPUs: the first ones go to the GPUs, the last ones stay.
 * Both set out together; the CPUs' part is a routine in a sequence of its own, since large transforms have stages that
 * wait for each other (one_by_one.c). Only what travels is pinned, and that while the CPUs compute. */
#include "algorithms/fft/strips.h"

/* Transforms first … first + count - 1 in one of the two places. */
struct part {
    struct tw_fft *p;
    const char *in;
    char *out;
    tw_int first, count;
    struct tw_sequence *whole; /* the routine that this is a part of */
    atomic_int *tasks;
    double *end; /* when it was done */
};

static struct tw_fft_rectangle side(const struct part *a, int output)
{
    const struct tw_fft_rows *r = &a->p->rows;
    const size_t whole = tw_sizeof(a->p->type),
                 size = r->kind == TW_FFT_R2R || r->kind == (output ? TW_FFT_C2R : TW_FFT_R2C) ? whole / 2 : whole;
    const tw_int ld = output ? r->ld_out : r->ld_in;
    char *base = output ? a->out : (char *)a->in;

    return (struct tw_fft_rectangle){base + size * (size_t)(a->first * ld), a->count, output ? r->m_out : r->m_in, ld,
                                     size};
}

static int grid(struct tw_sequence *seq, struct tw_fft_grid *g, const struct tw_fft_rectangle *a, tw_int rows)
{
    return tw_fft_grid_make(seq, g, a->base, a->rows, a->cols, a->ld, a->elemsize, rows, a->cols);
}

/* Tasks of `rows` transforms; waits for them. */
static int by_tasks(struct tw_sequence *seq, const struct part *a, struct tw_fft_rows *r, tw_int rows)
{
    const struct tw_fft_rectangle in = side(a, 0), out = side(a, 1);
    struct tw_fft_grid x = {0}, y = {0};
    int tasks = 0;

    if (!grid(seq, &x, &in, rows) && !grid(seq, &y, &out, rows)) {
        r->parts = x.nr;
        tw_fft_rows_prepare(seq, r, rows, a->count % rows, 1, 1);
        for (; tasks < x.nr && !tw_loop_status(a->whole); tasks++) {
            tw_task_fft_rows(seq, r, 0, 1, &x.row[tasks], 1, &y.row[tasks], tasks);
            if (r->gpus) tw_bring_home(seq, y.row[tasks]);
        }
    }
    tw_loop_wait_own(seq);
    tw_fft_grid_free(&x, 0);
    tw_fft_grid_free(&y, 1);
    return tasks;
}

static int on_gpus(struct tw_sequence *seq, const struct part *a, int gpus)
{
    struct tw_fft_rows r = tw_fft_rows_of(a->p, gpus);
    const struct tw_fft_rectangle in = side(a, 0), out = side(a, 1);
    const size_t from = in.elemsize * (size_t)(a->count * in.ld), to = out.elemsize * (size_t)(a->count * out.ld);
    const tw_int rows = tw_fft_ceil(a->count, tw_fft_gpu_parts(tw_max(from, to), 0, gpus));

    return tw_fft_fits(3 * (from + to), gpus) ? by_tasks(seq, a, &r, rows)
                                              : tw_fft_stream_rows(seq, &r, &in, &out, rows);
}

static void on_cpus(struct tw_sequence *seq, void *args)
{
    const struct part *a = args;
    struct tw_fft *p = a->p;
    struct tw_fft_rows r = tw_fft_rows_of(p, 0);
    const struct tw_fft_variant *v;
    tw_int rows;

    if (p->each) {
        atomic_fetch_add(a->tasks, tw_fft_one_by_one(seq, p, a->in, a->out, a->first, a->count, a->whole));
    } else if (!(v = tw_fft_variant_for(p, a->in, a->out))) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
    } else {
        r.many = v->many, r.one = v->one;
        rows = tw_fft_ceil(tw_fft_ceil(a->count, tw_fft_parts(p->reproducible)), r.chunk) * r.chunk;
        atomic_fetch_add(a->tasks, by_tasks(seq, a, &r, tw_min(rows, a->count)));
    }
}

static void staying(struct tw_sequence *seq, void *args)
{
    const struct part *a = args;

    on_cpus(seq, args);
    tw_loop_wait(seq);
    *a->end = tw_now();
}

/* What goes to the GPUs; to the CPUs, too, if it cannot be pinned, or without GPUs. */
static void travelling(struct tw_sequence *seq, struct part *a, int *gpus)
{
    const struct tw_fft_rectangle in = side(a, 0), out = side(a, 1);
    const size_t from = in.elemsize * (size_t)((in.rows - 1) * in.ld + in.cols),
                 to = out.elemsize * (size_t)((out.rows - 1) * out.ld + out.cols);
    struct tw_pinned pinned[2] = {{NULL}, {NULL}};

    if (*gpus && tw_fft_pin(a->in, from, a->out, to, pinned)) *gpus = 0;
    if (*gpus)
        atomic_fetch_add(a->tasks, on_gpus(seq, a, *gpus));
    else
        on_cpus(seq, a);
    tw_loop_wait_own(seq);
    tw_unpin(&pinned[0]);
    tw_unpin(&pinned[1]);
    *a->end = tw_now();
}

/* What the next execution's share is made from. The first one also made plans and found memory. */
static void learn(struct tw_fft *p, const struct tw_fft_speeds *s, tw_int cpu_rows, double on_cpus_for,
                  double on_gpus_for)
{
    struct tw_fft_shared *l = &p->shared;

    starpu_pthread_mutex_lock(&p->lock);
    if (l->runs++ > 0) {
        l->cpu_each = tw_fft_learned(l->cpu_each, on_cpus_for, s->cpu_start, tw_fft_ceil(cpu_rows, s->cpu_at_once));
        l->gpu_each = tw_fft_learned(l->gpu_each, on_gpus_for, s->gpu_start, p->nrows - cpu_rows);
    }
    starpu_pthread_mutex_unlock(&p->lock);
}

int tw_fft_hybrid(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus, tw_int cpu_rows)
{
    const struct tw_fft_speeds speeds = tw_fft_starts(p);
    const double start = tw_now();
    double here_end = start, there_end = start;
    atomic_int tasks = 0;
    struct part here = {p, in, out, p->nrows - cpu_rows, cpu_rows, seq, &tasks, &here_end},
                there = {p, in, out, 0, p->nrows - cpu_rows, seq, &tasks, &there_end};
    tw_sequence *beside;
    int e;

    tw_loop_wait_own(seq); /* what the arrays' content comes from: the other sequence's tasks do not follow it */
    e = tw_sequence_create(&beside);
    if (e) {
        tw_loop_fail(seq, e, "%s", tw_last_message());
        return 0;
    }
    if ((e = tw_call_async(beside, "fft_on_cpus", staying, &here, sizeof here, 0))) {
        tw_loop_fail(seq, e, "%s", tw_last_message());
        (void)tw_sequence_destroy(beside); /* nothing is in it */
        return 0;
    }
    travelling(seq, &there, &gpus);
    if ((e = tw_sequence_destroy(beside))) tw_loop_fail(seq, e, "%s", tw_last_message());
    if (gpus && !tw_loop_status(seq)) learn(p, &speeds, cpu_rows, here_end - start, there_end - start);
    atomic_store(&p->tasks, atomic_load(&tasks));
    return gpus;
}
