/* One large transform of one dimension of any length, primes among them, as a convolution (Bluestein, IEEE Trans. Audio
 * Electroacoustics 18, 1970): 2 j k = j^2 + k^2 - (k - j)^2, so that with w_j = exp(+- pi i j^2 / n)
 *
 *   X[k] = w_k sum_j (x[j] w_j) conj w_(k - j)
 *
 * is a product with a chirp, a circular convolution of a length M = m1 m2 of small factors, and another product. The
 * convolution is three sets of transforms along columns: of the six steps there and back the middle two work on the
 * same columns, so each column is transformed, multiplied by the chirp's transform (a table, made by the first
 * execution) and transformed back while it is in cache. The products with the chirp are part of reading and storing.
 *
 * Half-complex arrays are read or written as what they are, which shortens M from 2n to 3n/2; a real transform of even
 * length is a complex one of half the length and a pass over pairs. */
#include <math.h>
#include <stdlib.h>
#include <tilework/matrix.h>
#include "algorithms/fft/strips.h"

struct tw_fft_bluestein {
    tw_int n, nin, nout, m1, m2;                   /* transform, elements read and stored, factors of M */
    struct tw_fft_column_plan forward[2], back[2]; /* columns of length m1 and m2 */
    void *chirp, *table;                           /* n and M elements */
    starpu_pthread_mutex_t lock;
    int ready; /* chirp and table: under the lock */
};

/* The complex length, or the real one where that is odd. */
static tw_int length(const struct tw_fft *p)
{
    return p->problem.kind != TW_FFT_C2C && p->points % 2 == 0 ? p->points / 2 : p->points;
}

static int suits(struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;

    return q->rank == 1 && p->transforms == 1 && q->kind != TW_FFT_R2R && q->dim[0].is == 1 && q->dim[0].os == 1 &&
           length(p) > 1 && length(p) < (tw_int)1 << 31;
}

/* The next number from n on that is a multiple of 8 (a cache line of columns) with no prime factor above 7. */
static tw_int convenient(tw_int n)
{
    for (n = tw_fft_ceil(n, 8) * 8;; n += 8) {
        tw_int rest = n;
        for (tw_int f = 2; f <= 7; f++)
            while (rest % f == 0)
                rest /= f;
        if (rest == 1) return n;
    }
}

/* Two convenient factors, one at most four times the other, of the least product >= least. */
static void factors(tw_int least, tw_int *m1, tw_int *m2)
{
    tw_int root = (tw_int)sqrt((double)least);

    *m1 = *m2 = convenient(root + 1);
    for (tw_int b = *m2; b <= 2 * root; b = convenient(b + 1)) {
        tw_int a = convenient(tw_fft_ceil(least, b));
        if (a * b < *m1 * *m2) *m1 = a, *m2 = b;
    }
}

static int prepare(struct tw_fft *p)
{
    struct tw_fft_bluestein *b = p->bluestein = calloc(1, sizeof *b);
    int e = 0;

    if (!b) return tw_fail(TW_E_MEMORY, "fft: no memory for a plan");
    starpu_pthread_mutex_init(&b->lock, NULL);
    b->n = b->nin = b->nout = length(p);
    if (p->problem.kind == TW_FFT_R2C && b->n == p->points) b->nout = b->n / 2 + 1;
    if (p->problem.kind == TW_FFT_C2R && b->n == p->points) b->nin = b->n / 2 + 1;
    factors(b->nin + b->nout - 1, &b->m1, &b->m2);
    p->columns[0].n = b->m1, p->columns[1].n = b->m2;
    p->workspace_bytes = 2 * (size_t)b->m1 * (size_t)b->m2 * tw_sizeof(p->type);
    if (tw_fft_roots_prepare(&p->roots, b->m1 * b->m2) ||
        (b->n != p->points && tw_fft_roots_prepare(&p->half_roots, p->points)))
        return tw_fail(TW_E_MEMORY, "fft: no memory for tables of roots of unity");
    for (int k = 0; k < 2 && !e; k++) {
        tw_int m = k ? b->m2 : b->m1;
        if (!(e = tw_fft_plan_column(p, &b->forward[k], TW_FFT_C2C, m, TW_FFT_FORWARD)))
            e = tw_fft_plan_column(p, &b->back[k], TW_FFT_C2C, m, TW_FFT_BACKWARD);
    }
    return e;
}

static size_t kept(const struct tw_fft *p)
{
    const struct tw_fft_bluestein *b = p->bluestein;
    return b ? (size_t)(b->m1 * b->m2 + b->n) * tw_sizeof(p->type) : 0;
}

static void give_up(struct tw_fft *p)
{
    struct tw_fft_bluestein *b = p->bluestein;

    if (!b) return;
    for (int k = 0; k < 2; k++) {
        tw_fft_release(p->type, b->forward[k].plan);
        tw_fft_release(p->type, b->back[k].plan);
    }
    starpu_pthread_mutex_destroy(&b->lock);
    free(b->chirp);
    free(b->table);
    free(b);
}

/* ---- the convolution --------------------------------------------------------------------------------------------- */

/* x as m1 x m2 -> the first half of the forward six steps, as m2 x m1. */
static struct tw_fft_strips forward(const struct tw_fft *p, const void *x, void *t)
{
    const struct tw_fft_bluestein *b = p->bluestein;
    struct tw_fft_strips s = tw_fft_strips_of(p, &b->forward[0], b->m2, x, b->m2, t, b->m1);

    tw_fft_strips_twist(&s, &p->roots, TW_FFT_FORWARD);
    return s;
}

/* The chirp, and the transform of what is convolved with, divided by M. */
static int make_table(struct tw_sequence *seq, struct tw_fft *p, char *t, char *u)
{
    struct tw_fft_bluestein *b = p->bluestein;
    const size_t bytes = kept(p);
    tw_int m = b->m1 * b->m2;
    struct tw_fft_signs done[3] = {{0}};
    tw_int step = tw_fft_ceil(b->n, tw_fft_parts(p->reproducible));
    struct tw_fft_roots roots = {0};
    struct tw_fft_chirps fill = {.type = p->type};
    struct tw_fft_strips first = forward(p, u, t),
                         second = tw_fft_strips_of(p, &b->forward[1], b->m1, t, b->m1, NULL, b->m1);

    if (bytes < tw_host_memory_limit(NULL)) {
        b->chirp = tw_fft_block((size_t)b->n * tw_sizeof(p->type));
        b->table = tw_fft_block((size_t)m * tw_sizeof(p->type));
    }
    if (!b->chirp || !b->table || tw_fft_roots_prepare(&roots, 2 * b->n)) {
        tw_loop_fail(seq, TW_E_MEMORY, "fft: there are no %zu bytes for the chirp of %lld points", bytes,
                     (long long)b->n);
    } else {
        fill.chirp = (struct tw_fft_chirp){.roots = &roots,
                                           .n = b->n,
                                           .nin = b->nin,
                                           .nout = b->nout,
                                           .length = m,
                                           .sign = p->problem.sign,
                                           .w = b->chirp,
                                           .b = u};
        second.columns.out = b->table;
        second.columns.scale = 1 / (double)m;
        done[0].n = (int)tw_fft_ceil(b->n, step);
        if (!tw_fft_tokens_make(seq, done[0].n, &done[0].token)) {
            for (int k = 0; k < done[0].n; k++)
                tw_task_fft_chirp(seq, &fill, k * step, tw_min(b->n, (k + 1) * step), done[0].token[k]);
            if (tw_fft_strips(seq, &first, &done[0], &done[1])) (void)tw_fft_strips(seq, &second, &done[1], &done[2]);
        }
    }
    tw_loop_wait_own(seq); /* the tasks point to what lies here, and the table is for everybody */
    tw_fft_roots_release(&roots);
    if (!tw_loop_status(seq)) return 0;
    free(b->chirp);
    free(b->table);
    b->chirp = b->table = NULL;
    return -1;
}

static int table_ready(struct tw_sequence *seq, struct tw_fft *p, char *t, char *u)
{
    struct tw_fft_bluestein *b = p->bluestein;
    int ready;

    starpu_pthread_mutex_lock(&b->lock);
    if (!b->ready) b->ready = make_table(seq, p, t, u) == 0;
    ready = b->ready;
    starpu_pthread_mutex_unlock(&b->lock);
    return ready;
}

static int convolution(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, double scale)
{
    const struct tw_fft_bluestein *b = p->bluestein;
    char *t = tw_fft_workspace_take(seq, p, 0), *u = t ? t + p->workspace_bytes / 2 : NULL;
    int real = b->n == p->points ? p->problem.kind : TW_FFT_C2C, tasks = 0;
    struct tw_fft_strips *first = tw_loop_keep(seq, 3 * sizeof *first), *middle, *last;
    struct tw_fft_signs done[3] = {{0}};

    if (t && first && table_ready(seq, p, t, u)) {
        middle = first + 1, last = first + 2;
        *first = forward(p, in, t);
        *middle = tw_fft_strips_of(p, &b->forward[1], b->m1, t, b->m1, u, b->m2);
        *last = tw_fft_strips_of(p, &b->back[0], b->m2, u, b->m2, out, b->m2);
        first->columns.enter = (struct tw_fft_side){.edge = TW_FFT_CHIRP,
                                                    .points = b->nin,
                                                    .real = real == TW_FFT_R2C,
                                                    .half = real == TW_FFT_C2R,
                                                    .chirp = b->chirp};
        tw_fft_strips_twist(middle, &p->roots, TW_FFT_BACKWARD);
        middle->columns.table = b->table;
        middle->columns.ld_table = b->m1;
        middle->columns.back = b->back[1].plan;
        middle->flops *= 2;
        last->columns.leave = (struct tw_fft_side){.edge = TW_FFT_CHIRP,
                                                   .points = b->nout,
                                                   .real = real == TW_FFT_C2R,
                                                   .half = real == TW_FFT_R2C,
                                                   .chirp = b->chirp};
        last->columns.scale = scale;
        tasks = tw_fft_strips(seq, first, NULL, &done[0]);
        if (tasks) tasks += tw_fft_strips(seq, middle, &done[0], &done[1]);
        if (done[1].token) tasks += tw_fft_strips(seq, last, &done[1], &done[2]);
    }
    return tasks;
}

static void run(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus)
{
    int tasks = 0, pairs = p->bluestein->n != p->points;

    (void)gpus; /* CPUs only */
    if (pairs && p->problem.kind == TW_FFT_C2R) {
        tasks = tw_fft_pairs(seq, p, in, out, 1, 1);
        tw_loop_after_all(seq);
        in = out;
    }
    tasks += convolution(seq, p, in, out, pairs && p->problem.kind == TW_FFT_R2C ? 1 : p->scale);
    if (pairs && p->problem.kind == TW_FFT_R2C) {
        tw_loop_after_all(seq);
        tasks += tw_fft_pairs(seq, p, out, out, 0, p->scale);
    }
    atomic_store(&p->tasks, tasks);
}

const struct tw_fft_method tw_fft_by_bluestein = {.name = "bluestein",
                                                  .suits = suits,
                                                  .prepare = prepare,
                                                  .free = give_up,
                                                  .run = run,
                                                  .kept = kept,
                                                  .two_factors = 1};
