/* One large transform of one dimension, n = a b c, all of them powers of two, in host memory, through the memory of one
 * GPU: three stages of short transforms, each of which reads and writes the array once.
 *
 *   x[(j1 b + j2) c + j3]   T[k1][j2][j3] = w_n^(k1 (j2 c + j3)) sum_j1 x[j1][j2][j3] w_a^(j1 k1)     part by part of
 *                           (j2, j3), as they arrive
 *                           T[k1][k2][j3] = w_bc^(k2 j3) sum_j2 T[k1][j2][j3] w_b^(j2 k2)             in place, when
 *                           all is there
 *   X[k1 + a (k2 + b k3)]                 = sum_j3 T[k1][k2][j3] w_c^(j3 k3)                          part by part of
 *                                         k2, which leave
 *
 * Every output needs every input, so that the time is that of the two copies and what does not hide behind them. That
 * is the second stage: the last part that arrives and the first that leaves are 1/64 of the array. Two stages
 * (sixstep_gpus.c) leave less in between, but in practice lose more: their parts are made of lines of 64 KiB and less,
 * and after an array has arrived such lines leave at nine tenths of the link's speed for half of the time (measured on
 * an H200; alone they leave at full speed). Here the shortest lines of 2^29 points in double precision have 128 KiB. */
#include "algorithms/fft/fft_plan.h"

enum { NX = 8, NY = 7, SHARES = 64, LEAST = 24, MOST = 33 };
static const int arriving[NX] = {16, 16, 16, 8, 4, 2, 1, 1}, leaving[NY] = {1, 1, 2, 4, 8, 16, 32};

/* Columns (j2, j3) of x, or rows k2 of T. */
struct part {
    tw_int from, to;
};

struct triple {
    struct tw_fft *p;
    const char *in;
    char *out;
    double scale;
    int on_cpus, nx, ny;
    tw_int a, b, c;
    struct part x[NX], y[NY];
    struct tw_held slots, between; /* the parts as they arrive, later as they leave; T */
    struct tw_fft_transfer arrive[NX], leave[NY];
    struct tw_fft_stage_task first[NX], second, third[NY];
    const struct tw_fftw *plan[3]; /* CPU only */
    struct tw_data **token, **arrived, **came, **crossed, **ready, **left;
};

static int cut(tw_int total, const int *share, int count, struct part *part)
{
    tw_int at = 0;
    int parts = 0;

    for (int k = 0, sum = 0; k < count; k++) {
        const tw_int to = total * (sum += share[k]) / SHARES;
        if (to > at) part[parts++] = (struct part){at, to};
        at = to;
    }
    return parts;
}

/* The exponents of a >= b >= c. */
struct factors {
    int a, b, c;
};
static struct factors factors(tw_int n)
{
    int m = 0;

    while ((tw_int)1 << m < n)
        m++;
    return (struct factors){(m + 2) / 3, (m + 1) / 3, m / 3};
}

int tw_fft_triple_suits(const struct tw_fft *p)
{
    const tw_int n = p->roots.n;

    return (n & (n - 1)) == 0 && n >= (tw_int)1 << LEAST && n <= (tw_int)1 << MOST &&
           tw_fft_stage_fits(p->type, (tw_int)1 << factors(n).a);
}

static void shape(struct triple *t)
{
    const struct factors f = factors(t->p->roots.n);

    t->a = (tw_int)1 << f.a, t->b = (tw_int)1 << f.b, t->c = (tw_int)1 << f.c;
    t->nx = cut(t->b * t->c, arriving, NX, t->x);
    t->ny = cut(t->b, leaving, NY, t->y);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

static struct tw_fft_stage_task task_of(const struct triple *t, int which, tw_int n, tw_int cols, tw_int outer)
{
    const struct tw_fft *p = t->p;

    return (struct tw_fft_stage_task){
        .plan = t->plan[which],
        .roots = &p->roots,
        .stage = {.n = n, .cols = cols, .outer = outer, .sign = p->problem.sign, .scale = which == 2 ? t->scale : 1},
        .flops = p->flops / 3 * (double)(n * cols * outer) / (double)p->roots.n,
        .type = p->type};
}

static void compute(struct tw_sequence *seq, const struct triple *t, const struct tw_fft_stage_task *task, int index,
                    struct tw_data *done, struct tw_data **after, int nafter)
{
    tw_task_fft_stage(seq, task,
                      &(struct tw_fft_at){.done = done,
                                          .after = after,
                                          .nafter = nafter,
                                          .place = t->on_cpus ? TW_ON_CPUS : TW_ON_GPU(0),
                                          .index = index,
                                          .priority = 1});
}

static void travel(struct tw_sequence *seq, const struct triple *t, const struct tw_fft_transfer *move, int index,
                   int priority, struct tw_data *done, struct tw_data **after)
{
    tw_task_fft_transfer(seq, t->p->type, move, 1,
                         &(struct tw_fft_at){.done = done,
                                             .after = after,
                                             .nafter = after ? 1 : 0,
                                             .place = t->on_cpus ? TW_ON_CPUS : TW_ON_COPY_STREAM(0),
                                             .index = index,
                                             .priority = priority});
}

static void come(struct tw_sequence *seq, struct triple *t, int q)
{
    const size_t size = tw_sizeof(t->p->type);
    const tw_int from = t->x[q].from, w = t->x[q].to - from, row = t->b * t->c;
    char *here = (char *)t->slots.ptr + size * (size_t)(t->a * from);

    t->arrive[q] = (struct tw_fft_transfer){.to = here,
                                            .from = t->in + size * (size_t)from,
                                            .to_pitch = size * (size_t)w,
                                            .from_pitch = size * (size_t)row,
                                            .width = size * (size_t)w,
                                            .rows = (size_t)t->a,
                                            .target = t->on_cpus ? 0 : 1};
    travel(seq, t, &t->arrive[q], q, 0, t->arrived[q], NULL);
    t->first[q] = task_of(t, 0, t->a, w, 1);
    t->first[q].in = here;
    t->first[q].out = (char *)t->between.ptr + size * (size_t)from;
    t->first[q].stage.in = (struct tw_fft_layout){w, 1, 0};
    t->first[q].stage.out = (struct tw_fft_layout){row, 1, 0};
    t->first[q].stage.roots = t->p->roots.n;
    t->first[q].stage.first = from;
    compute(seq, t, &t->first[q], q, t->came[q], &t->arrived[q], 1);
}

static void cross(struct tw_sequence *seq, struct triple *t)
{
    t->second = task_of(t, 1, t->b, t->c, t->a);
    t->second.in = t->second.out = t->between.ptr;
    t->second.stage.in = t->second.stage.out = (struct tw_fft_layout){t->c, 1, t->b * t->c};
    t->second.stage.roots = t->b * t->c;
    compute(seq, t, &t->second, t->nx, t->crossed[0], t->came, t->nx);
}

/* A part is computed while the one before it leaves, not sooner: kernels slow the copies of short lines, with which it
 * begins. */
static void go(struct tw_sequence *seq, struct triple *t, int r)
{
    const size_t size = tw_sizeof(t->p->type);
    const tw_int from = t->y[r].from, w = t->a * (t->y[r].to - from), row = t->a * t->b;
    char *here = (char *)t->slots.ptr + size * (size_t)(t->a * t->c * from);
    struct tw_data *after[] = {t->crossed[0], r >= 2 ? t->left[r - 2] : NULL};

    t->third[r] = task_of(t, 2, t->c, t->a, t->y[r].to - from);
    t->third[r].in = (char *)t->between.ptr + size * (size_t)(from * t->c);
    t->third[r].out = here;
    t->third[r].stage.in = (struct tw_fft_layout){1, t->b * t->c, t->c};
    t->third[r].stage.out = (struct tw_fft_layout){w, 1, t->a};
    compute(seq, t, &t->third[r], r, t->ready[r], after, r >= 2 ? 2 : 1);
    t->leave[r] = (struct tw_fft_transfer){.to = t->out + size * (size_t)(t->a * from),
                                           .from = here,
                                           .to_pitch = size * (size_t)row,
                                           .from_pitch = size * (size_t)w,
                                           .width = size * (size_t)w,
                                           .rows = (size_t)t->c,
                                           .source = t->on_cpus ? 0 : 1};
    travel(seq, t, &t->leave[r], r, 2, t->left[r], &t->ready[r]);
}

/* ---- what they need ---------------------------------------------------------------------------------------------- */

static int hold(struct triple *t)
{
    const int where = t->on_cpus ? -1 : 0;
    int e = tw_hold(&t->slots, t->p->type, t->b * t->c, t->a, where);

    return e ? e : tw_hold(&t->between, t->p->type, t->b * t->c, t->a, where);
}

static void prepare(struct tw_sequence *seq, struct triple *t)
{
    const tw_int n[3] = {t->a, t->b, t->c};
    struct tw_fftw_problem q = {.kind = TW_FFT_C2C, .rank = 1, .sign = t->p->problem.sign, .in_place = 1, .aligned = 1};

    q.rigor = t->p->problem.rigor;
    for (int k = 0; k < 3; k++) {
        q.dim[0] = (tw_fft_dim){n[k], 1, 1};
        if (!t->on_cpus)
            tw_fft_stage_prepare(seq, t->p->type, n[k]);
        else if (!(t->plan[k] = tw_fft_prepare(t->p->type, &q, t->p->time_limit)))
            tw_loop_fail(seq, TW_E_MEMORY, "FFTW found no plan for a stage: memory is short");
    }
}

static void submit(struct tw_sequence *seq, struct triple *t)
{
    const int tokens = 2 * t->nx + 1 + 2 * t->ny;

    if (tw_fft_tokens_make(seq, tokens, &t->token)) return;
    t->arrived = t->token;
    t->came = t->arrived + t->nx;
    t->crossed = t->came + t->nx;
    t->ready = t->crossed + 1;
    t->left = t->ready + t->ny;
    for (int q = 0; q < t->nx; q++)
        come(seq, t, q);
    cross(seq, t);
    for (int r = 0; r < t->ny; r++)
        go(seq, t, r);
    tw_loop_wait_own(seq);
}

int tw_fft_triple(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, double scale, int on_cpus)
{
    struct triple t = {.p = p, .in = in, .out = out, .scale = scale, .on_cpus = on_cpus};
    int e;

    shape(&t);
    starpu_pthread_mutex_lock(&tw_fft_holding);
    if (!(e = hold(&t))) {
        prepare(seq, &t);
        if (!tw_loop_status(seq)) submit(seq, &t);
    }
    tw_let_go(&t.slots);
    tw_let_go(&t.between);
    starpu_pthread_mutex_unlock(&tw_fft_holding);
    for (int k = 0; k < 3; k++)
        tw_fft_release(p->type, t.plan[k]);
    return e ? -1 : 2 * (t.nx + t.ny) + 1;
}
