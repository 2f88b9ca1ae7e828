/* Any transform with any strides: one pass of FFTW over all dimensions where there are enough transforms to share, else
 * two: all dimensions but the first, then the first. Each pass is split along one loop into tasks that work on the
 * user's arrays where they lie; so they are CPU tasks. */
#include "algorithms/fft/fft_plan.h"

static tw_int stored_size(const struct tw_fftw_problem *q, int d, int output)
{
    return d == q->rank - 1 && q->kind == (output ? TW_FFT_R2C : TW_FFT_C2R) ? q->dim[d].n / 2 + 1 : q->dim[d].n;
}

/* The longest loop first: it is the one that is split. */
static void longest_first(struct tw_fftw_problem *q)
{
    for (int l = 1; l < q->nloops; l++)
        if (q->loop[l].n > q->loop[0].n) {
            tw_fft_dim d = q->loop[0];
            q->loop[0] = q->loop[l];
            q->loop[l] = d;
        }
}

static void finish(struct tw_fft *p, struct tw_fft_pass_shape *s)
{
    struct tw_fftw_problem *q = &s->problem;
    size_t real = tw_sizeof(p->type) / 2;

    longest_first(q);
    s->in_bytes = q->kind == TW_FFT_R2C || q->kind == TW_FFT_R2R ? real : 2 * real;
    s->out_bytes = q->kind == TW_FFT_C2R || q->kind == TW_FFT_R2R ? real : 2 * real;
    s->chunk = q->nloops ? tw_fft_ceil(q->loop[0].n, tw_fft_parts(p->reproducible)) : 1;
}

static void all_at_once(struct tw_fft *p)
{
    p->npasses = 1;
    p->pass[0].problem = p->problem;
    finish(p, &p->pass[0]);
}

/* All dimensions but the first. */
static void inner(struct tw_fft *p, struct tw_fft_pass_shape *s)
{
    const struct tw_fftw_problem *q = &p->problem;

    s->problem = *q;
    s->problem.rank = q->rank - 1;
    for (int d = 1; d < q->rank; d++) {
        s->problem.dim[d - 1] = q->dim[d];
        s->problem.r2r[d - 1] = q->r2r[d];
    }
    s->problem.loop[s->problem.nloops++] = q->dim[0];
    finish(p, s);
}

/* The first dimension, in place on the half-complex or complex side (or the output of real ones). */
static void outer(struct tw_fft *p, struct tw_fft_pass_shape *s)
{
    const struct tw_fftw_problem *q = &p->problem;
    int output = q->kind != TW_FFT_C2R;

    s->from_out = output ? 1 : 2;
    s->problem =
        (struct tw_fftw_problem){.kind = q->kind == TW_FFT_R2R ? TW_FFT_R2R : TW_FFT_C2C, .rank = 1, .sign = q->sign};
    s->problem.r2r[0] = q->r2r[0];
    for (int d = 0; d < q->rank; d++) {
        tw_int stride = output ? q->dim[d].os : q->dim[d].is;
        tw_fft_dim dim = {d ? stored_size(q, d, output) : q->dim[0].n, stride, stride};
        if (d == 0)
            s->problem.dim[0] = dim;
        else
            s->problem.loop[s->problem.nloops++] = dim;
    }
    for (int l = 0; l < q->nloops; l++) {
        tw_int stride = output ? q->loop[l].os : q->loop[l].is;
        s->problem.loop[s->problem.nloops++] = (tw_fft_dim){q->loop[l].n, stride, stride};
    }
    finish(p, s);
}

static int suits(struct tw_fft *p)
{
    tw_int longest = 0;

    for (int l = 0; l < p->problem.nloops; l++)
        longest = tw_max(longest, p->problem.loop[l].n);
    if (p->problem.rank == 1 || longest >= tw_fft_parts(p->reproducible)) {
        all_at_once(p);
        return 1;
    }
    p->npasses = 2;
    inner(p, &p->pass[p->problem.kind == TW_FFT_C2R]);
    outer(p, &p->pass[p->problem.kind != TW_FFT_C2R]);
    return 1;
}

static int fill(struct tw_fft *p, struct tw_fft_variant *v, int in_place, int aligned)
{
    for (int k = 0; k < p->npasses; k++) {
        const struct tw_fft_pass_shape *s = &p->pass[k];
        struct tw_fftw_problem q = s->problem;
        tw_int n = q.nloops ? q.loop[0].n : 1;

        if (q.nloops) q.loop[0].n = s->chunk;
        if (!(v->full[k] = tw_fft_variant_plan(p, &q, in_place || s->from_out, aligned))) return 0;
        if (n % s->chunk == 0) continue;
        q.loop[0].n = n % s->chunk;
        if (!(v->rest[k] = tw_fft_variant_plan(p, &q, in_place || s->from_out, aligned))) return 0;
    }
    return 1;
}

static size_t steps(const struct tw_fft *p)
{
    size_t steps = 0;

    for (int k = 0; k < p->npasses; k++)
        if (p->pass[k].problem.nloops)
            steps |= (size_t)p->pass[k].problem.loop[0].is * p->pass[k].in_bytes |
                     (size_t)p->pass[k].problem.loop[0].os * p->pass[k].out_bytes;
    return steps;
}

/* ---- scaling: the output of one step of the split loop as nested loops, merged where they are without gaps ------- */

static void add_level(struct tw_fft_pass *t, tw_int n, tw_int stride)
{
    int at = t->nlevels;

    if (n == 1) return;
    while (at > 0 && t->level[at - 1].stride > stride) {
        t->level[at] = t->level[at - 1];
        at--;
    }
    t->level[at] = (struct tw_fft_level){n, stride};
    t->nlevels++;
}

static void levels(const struct tw_fft_pass_shape *s, size_t real, struct tw_fft_pass *t)
{
    const struct tw_fftw_problem *q = &s->problem;
    tw_int reals = (tw_int)(s->out_bytes / real);
    int kept = 0;

    for (int d = 0; d < q->rank; d++)
        add_level(t, stored_size(q, d, 1), q->dim[d].os * reals);
    for (int l = 1; l < q->nloops; l++)
        add_level(t, q->loop[l].n, q->loop[l].os * reals);
    if (reals == 2) add_level(t, 2, 1);
    for (int l = 1; l < t->nlevels; l++)
        if (t->level[l].stride == t->level[kept].n * t->level[kept].stride)
            t->level[kept].n *= t->level[l].n;
        else
            t->level[++kept] = t->level[l];
    if (t->nlevels == 0) t->level[0] = (struct tw_fft_level){1, 1};
    t->nlevels = kept + 1;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static struct tw_fft_pass describe(const struct tw_fft *p, const struct tw_fft_variant *v, int k, const char *in,
                                   char *out)
{
    const struct tw_fft_pass_shape *s = &p->pass[k];
    struct tw_fft_pass t = {.full = v->full[k], .rest = v->rest[k], .in = in, .out = out, .n = 1, .type = p->type};

    if (s->from_out == 1) t.in = out;
    if (s->from_out == 2) t.out = (char *)in; /* documented: the input of C2R is overwritten */
    t.chunk = s->chunk;
    if (s->problem.nloops) {
        t.n = s->problem.loop[0].n;
        t.in_step = s->in_bytes * (size_t)s->problem.loop[0].is;
        t.out_step = s->out_bytes * (size_t)s->problem.loop[0].os;
    }
    t.scale = k == p->npasses - 1 ? p->scale : 1;
    levels(s, tw_sizeof(p->type) / 2, &t);
    t.flops = p->flops *
              (p->npasses == 1 ? 1
               : s->from_out   ? 1.0 / p->problem.rank
                               : 1 - 1.0 / p->problem.rank) /
              (double)t.n;
    return t;
}

static void run(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus)
{
    const struct tw_fft_variant *v = tw_fft_variant_for(p, in, out);
    struct tw_data **done[2] = {NULL, NULL};
    struct tw_fft_pass *pass = tw_loop_keep(seq, 2 * sizeof *pass);
    int count[2] = {0, 0};

    (void)gpus;
    if (!v) tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
    if (!v || !pass) return;
    for (int k = 0; k < p->npasses; k++) {
        pass[k] = describe(p, v, k, in, out);
        count[k] = (int)tw_fft_ceil(pass[k].n, pass[k].chunk);
        if (tw_fft_tokens_make(seq, count[k], &done[k])) break;
        for (int i = 0; i < count[k]; i++)
            tw_task_fft_pass(seq, &pass[k], i, done[k][i], k ? count[0] : 0, done[0]);
    }
    atomic_store(&p->tasks, count[0] + count[1]);
}

const struct tw_fft_method tw_fft_by_passes = {
    .name = "passes", .suits = suits, .run = run, .fill = fill, .steps = steps};
