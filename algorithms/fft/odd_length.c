/* One large real transform of one dimension whose length is odd, n = n1 n2, at half the cost of a complex one:
 *
 *   x as n1 x n2:  T[j2][k1] = exp(-2 pi i j2 k1 / n) sum_j1 x[j1][j2] exp(-2 pi i j1 k1 / n1)   for k1 <= n1 / 2: real
 *                  columns j2
 *   T as n2 x m:   X[k2 n1 + k1] = sum_j2 T[j2][k1] exp(-2 pi i j2 k2 / n2)                     m = n1 / 2 + 1 complex
 *                  columns k1
 *
 * Of X the elements beyond n / 2 are the conjugates of those that the columns n1 - k1, which no task computes, would
 * give. Back, the same in the other order. */
#include <stdlib.h>
#include "algorithms/fft/strips.h"

struct tw_fft_odd_length {
    struct tw_fft_column_plan real, complex; /* columns of length n1 and n2 */
};

static int suits(struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;

    return q->rank == 1 && p->transforms == 1 && (q->kind == TW_FFT_R2C || q->kind == TW_FFT_C2R) &&
           q->dim[0].is == 1 && q->dim[0].os == 1 && p->points % 2 && tw_fft_divide(p->points) > 0;
}

static int prepare(struct tw_fft *p)
{
    tw_int n1 = tw_fft_divide(p->points), n2 = p->points / n1;
    struct tw_fft_odd_length *o = p->odd = calloc(1, sizeof *o);
    int e;

    if (!o || tw_fft_roots_prepare(&p->roots, p->points))
        return tw_fail(TW_E_MEMORY, "fft: no memory for tables of roots of unity");
    p->workspace_bytes = (size_t)n2 * (size_t)(n1 / 2 + 1) * tw_sizeof(p->type);
    p->columns[0].n = n1, p->columns[1].n = n2;
    if ((e = tw_fft_plan_column(p, &o->real, p->problem.kind, n1, p->problem.sign))) return e;
    return tw_fft_plan_column(p, &o->complex, TW_FFT_C2C, n2, p->problem.sign);
}

static void give_up(struct tw_fft *p)
{
    if (!p->odd) return;
    tw_fft_release(p->type, p->odd->real.plan);
    tw_fft_release(p->type, p->odd->complex.plan);
    free(p->odd);
}

static void run(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus)
{
    const struct tw_fft_odd_length *o = p->odd;
    tw_int n1 = o->real.n, n2 = o->complex.n, m = n1 / 2 + 1;
    const struct tw_fft_side half = {.edge = TW_FFT_HALF, .points = p->points}, reals = {.edge = TW_FFT_REALS};
    struct tw_fft_signs done[2] = {{0}};
    struct tw_fft_strips *first = tw_loop_keep(seq, 2 * sizeof *first), *second;
    void *work = tw_fft_workspace_take(seq, p, 0);
    int tasks = 0;

    (void)gpus; /* CPUs only */
    if (!first || !work) return;
    second = first + 1;
    if (p->problem.kind == TW_FFT_R2C) {
        *first = tw_fft_strips_of(p, &o->real, n2, in, n2, work, m);
        first->columns.enter = reals;
        *second = tw_fft_strips_of(p, &o->complex, m, work, m, out, n1);
        second->columns.leave = half;
    } else {
        *first = tw_fft_strips_of(p, &o->complex, m, in, n1, work, n2);
        first->columns.enter = half;
        *second = tw_fft_strips_of(p, &o->real, n2, work, n2, out, n2);
        second->columns.leave = reals;
    }
    tw_fft_strips_twist(first, &p->roots, p->problem.sign);
    second->columns.scale = p->scale;
    tasks = tw_fft_strips(seq, first, NULL, &done[0]);
    if (tasks) tasks += tw_fft_strips(seq, second, &done[0], &done[1]);
    atomic_store(&p->tasks, tasks);
}

const struct tw_fft_method tw_fft_by_odd_length = {
    .name = "six-step", .suits = suits, .prepare = prepare, .free = give_up, .run = run, .two_factors = 1};
