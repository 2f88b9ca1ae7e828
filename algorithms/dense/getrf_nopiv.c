/* LU factorization without row exchanges, A = L U: the right-looking tile algorithm, as Cholesky's (potrf.c) with a row
 * of solves beside the column (Golub and Van Loan, "Matrix Computations", 4th edition, section 3.2.10). Nothing keeps
 * the elements from growing: for matrices that need no pivoting, or with refinement. */
#include "algorithms/dense/dense_loops.h"

/* Bottom levels in closed form: the longest way from a task to the end goes along the diagonal, so that
 *   getrf(k)      f + (steps-1-k)(t + g + f)
 *   trsm(i, k)    t, then the gemms and the trsms that follow in row (or column) i up to the diagonal, its last gemm
 *                 and its getrf
 *   gemm(i, j, k) the gemms left on that tile, then its getrf or trsm */
struct getrf_nopiv {
    struct tw_sequence *seq;
    struct tw_matrix *A;
    struct tw_data *info;
    int steps;
    double f, t, g; /* seconds of a getrf, a trsm, a gemm */
    double total;   /* length of the critical path */
};
#define T(i, j)     tw_tile(f->A, i, j)
#define PANEL(lev)  tw_priority(f->seq, lev, f->total, 1)
#define UPDATE(lev) tw_priority(f->seq, lev, f->total, 0)

static double level_getrf(const struct getrf_nopiv *f, int k)
{
    return f->f + (f->steps - 1 - k) * (f->t + f->g + f->f);
}
static double level_trsm(const struct getrf_nopiv *f, int i, int k)
{
    if (i >= f->steps) return f->t + (f->steps - k - 1) * (f->g + f->t);
    return f->t + (i - k - 1) * (f->g + f->t) + f->g + level_getrf(f, i);
}
static double level_gemm(const struct getrf_nopiv *f, int i, int j, int k)
{
    const int own = i < j ? i : j;
    return (own - k) * f->g + (i == j ? level_getrf(f, i) : level_trsm(f, i + j - own, own));
}

static void step(const struct getrf_nopiv *f, int k)
{
    const int mt = f->A->mt, nt = f->A->nt;

    tw_task_getrf_nopiv(f->seq, PANEL(level_getrf(f, k)), T(k, k), k * f->A->nb, f->info);
    tw_bring_home(f->seq, T(k, k));
    for (int i = k + 1; i < mt; i++) {
        tw_task_trsm(f->seq, PANEL(level_trsm(f, i, k)), 'R', 'U', 'N', 'N', tw_one, T(k, k), T(i, k));
        tw_bring_home(f->seq, T(i, k));
    }
    for (int j = k + 1; j < nt; j++) {
        tw_task_trsm(f->seq, PANEL(level_trsm(f, j, k)), 'L', 'L', 'N', 'U', tw_one, T(k, k), T(k, j));
        tw_bring_home(f->seq, T(k, j));
        for (int i = k + 1; i < mt; i++)
            tw_task_gemm(f->seq, UPDATE(level_gemm(f, i, j, k)), 'N', 'N', tw_minus_one, T(i, k), T(k, j), tw_one,
                         T(i, j));
    }
}

void tw_getrf_nopiv_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_data *info)
{
    const struct tw_costs c = tw_costs_of(A);
    struct getrf_nopiv f = {
        .seq = seq, .A = A, .info = info, .steps = (int)tw_min(A->mt, A->nt), .t = c.trsm, .g = c.gemm};

    f.f = tw_cost(TW_RATE_POTRF, A->type, tw_flops_getrf(A->type, (double)A->nb, (double)A->nb), (double)A->nb);
    f.total = level_getrf(&f, 0);
    for (int k = 0; k < f.steps && !tw_loop_status(seq); k++)
        step(&f, k);
}

struct args {
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);

    if (!A) return;
    tw_getrf_nopiv_loop(seq, A, tw_info(seq));
    tw_retiled_end(seq, a->A, A, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_getrf(A->type, (double)A->m, (double)A->n);
}

const struct tw_routine tw_routine_getrf_nopiv = {.name = "getrf_nopiv",
                                                  .arguments = 1,
                                                  .size = sizeof(struct args),
                                                  .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                                  .check = check,
                                                  .loop = loop,
                                                  .flops = flops,
                                                  .tuning = &tw_tuning_factorization,
                                                  .needs = {"mn"}};

int tw_getrf_nopiv(tw_matrix *A)
{
    return tw_run(&tw_routine_getrf_nopiv, &(struct args){A});
}

int tw_getrf_nopiv_async(tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_getrf_nopiv, seq, &(struct args){A});
}
