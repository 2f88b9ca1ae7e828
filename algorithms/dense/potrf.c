/* Cholesky factorization, A = L L^H or U^H U: the right-looking tile algorithm (Buttari, Langou, Kurzak, Dongarra, "A
 * class of parallel tiled linear algebra algorithms for multicore architectures", Parallel Computing 35, 2009). */
#include "algorithms/dense/dense.h"

/* Bottom levels in closed form: the longest way from a task to the end goes along the diagonal, so that
 *   potrf(k)      p + (nt-1-k)(t + s + p)
 *   trsm(m, k)    t, then the gemms and the trsm that follow in row m up to column m, its last syrk and its potrf
 *   syrk(m, k)    the syrks left on that tile, then potrf(m)
 *   gemm(m, n, k) the gemms left on that tile, then trsm(m, n) */
struct levels {
    struct tw_costs c;
    int nt;
};
static double level_potrf(const struct levels *l, int k)
{
    return l->c.potrf + (l->nt - 1 - k) * (l->c.trsm + l->c.syrk + l->c.potrf);
}
static double level_trsm(const struct levels *l, int m, int k)
{
    return l->c.trsm + (m - k - 1) * (l->c.gemm + l->c.trsm) + l->c.syrk + level_potrf(l, m);
}
static double level_syrk(const struct levels *l, int m, int k)
{
    return (m - k) * l->c.syrk + level_potrf(l, m);
}
static double level_gemm(const struct levels *l, int m, int n, int k)
{
    return (n - k) * l->c.gemm + level_trsm(l, m, n);
}

#define A(i, j)     tw_tile(A, i, j)
#define PANEL(lev)  tw_priority(seq, lev, total, 1)
#define UPDATE(lev) tw_priority(seq, lev, total, 0)

static void lower(struct tw_sequence *seq, struct tw_matrix *A)
{
    const struct levels l = {tw_costs_of(A), A->nt};
    const double total = level_potrf(&l, 0);
    struct tw_data *info = tw_info(seq);

    for (int k = 0; k < A->nt && !tw_loop_status(seq); k++) {
        tw_task_potrf(seq, PANEL(level_potrf(&l, k)), 'L', A(k, k), k * A->nb, info);
        tw_bring_home(seq, A(k, k));
        for (int m = k + 1; m < A->nt; m++) {
            tw_task_trsm(seq, PANEL(level_trsm(&l, m, k)), 'R', 'L', 'C', 'N', tw_one, A(k, k), A(m, k));
            tw_bring_home(seq, A(m, k));
        }
        for (int n = k + 1; n < A->nt; n++) {
            tw_task_herk(seq, UPDATE(level_syrk(&l, n, k)), 'L', 'N', -1, A(n, k), 1, A(n, n));
            for (int m = n + 1; m < A->nt; m++)
                tw_task_gemm(seq, UPDATE(level_gemm(&l, m, n, k)), 'N', 'C', tw_minus_one, A(m, k), A(n, k), tw_one,
                             A(m, n));
        }
    }
}

static void upper(struct tw_sequence *seq, struct tw_matrix *A)
{
    const struct levels l = {tw_costs_of(A), A->nt};
    const double total = level_potrf(&l, 0);
    struct tw_data *info = tw_info(seq);

    for (int k = 0; k < A->nt && !tw_loop_status(seq); k++) {
        tw_task_potrf(seq, PANEL(level_potrf(&l, k)), 'U', A(k, k), k * A->nb, info);
        tw_bring_home(seq, A(k, k));
        for (int n = k + 1; n < A->nt; n++) {
            tw_task_trsm(seq, PANEL(level_trsm(&l, n, k)), 'L', 'U', 'C', 'N', tw_one, A(k, k), A(k, n));
            tw_bring_home(seq, A(k, n));
        }
        for (int m = k + 1; m < A->nt; m++) {
            tw_task_herk(seq, UPDATE(level_syrk(&l, m, k)), 'U', 'C', -1, A(k, m), 1, A(m, m));
            for (int n = m + 1; n < A->nt; n++)
                tw_task_gemm(seq, UPDATE(level_gemm(&l, n, m, k)), 'C', 'N', tw_minus_one, A(k, m), A(k, n), tw_one,
                             A(m, n));
        }
    }
}

void tw_potrf_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A)
{
    if (uplo == TW_LOWER)
        lower(seq, A);
    else
        upper(seq, A);
}

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_potrf_loop(seq, a->uplo, a->A);
}

static int potrf(const char *routine, struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A)
{
    struct args args = {uplo, A};

    TW_CHECK(routine, 1, tw_bad_uplo(uplo));
    TW_CHECK(routine, 2, tw_bad_triangle(A, uplo));
    if (A->n == 0) return 0;
    return tw_dense_call(seq, "potrf", loop, &args, sizeof args, tw_flops_potrf(A->type, (double)A->n));
}

int tw_potrf(enum tw_uplo uplo, tw_matrix *A)
{
    return potrf("tw_potrf", NULL, uplo, A);
}

int tw_potrf_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_potrf_async", 3, seq);
    return potrf("tw_potrf_async", seq, uplo, A);
}
