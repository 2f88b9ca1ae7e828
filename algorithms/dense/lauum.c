/* L^H L or U U^H of a triangular matrix, in place (the paper that trtri.c names). */
#include "algorithms/dense/dense_loops.h"

#define A(i, j)              tw_tile(A, i, j)
#define PRIORITY(row, panel) tw_priority(seq, (A->nt - (row)) * step, A->nt * step, panel)

/* Row m of the product, L(m,m)^H times row m of L and what the rows below add, takes row m's place: the rows above it
 * are done with that then. Rows become final one after another, the short ones first, and travel home while the others
 * are computed. Behind a routine that makes L row by row (`rows_come`) they all wait for its last row; what each row of
 * L gives is then added as it comes. */
static void lower(struct tw_sequence *seq, struct tw_matrix *A, int rows_come)
{
    const struct tw_costs c = tw_costs_of(A);
    const double step = c.trmm + c.gemm;

    for (int m = 0; m < A->nt && !tw_loop_status(seq); m++) {
        for (int n = 0; n < m; n++)
            tw_task_trmm(seq, PRIORITY(m, 1), 'L', 'L', 'C', 'N', tw_one, A(m, m), A(m, n));
        tw_task_lauum(seq, PRIORITY(m, 1), 'L', A(m, m));
        for (int k = m + 1; k < A->nt; k++) {
            for (int n = 0; n < m; n++)
                tw_task_gemm(seq, PRIORITY(rows_come ? k : m, 0), 'C', 'N', tw_one, A(k, m), A(k, n), tw_one, A(m, n));
            tw_task_herk(seq, PRIORITY(rows_come ? k : m, 0), 'L', 'C', 1, A(k, m), 1, A(m, m));
        }
        for (int n = 0; n <= m; n++)
            tw_bring_home(seq, A(m, n));
    }
}

/* The same with columns. */
static void upper(struct tw_sequence *seq, struct tw_matrix *A, int rows_come)
{
    const struct tw_costs c = tw_costs_of(A);
    const double step = c.trmm + c.gemm;

    for (int n = 0; n < A->nt && !tw_loop_status(seq); n++) {
        for (int m = 0; m < n; m++)
            tw_task_trmm(seq, PRIORITY(n, 1), 'R', 'U', 'C', 'N', tw_one, A(n, n), A(m, n));
        tw_task_lauum(seq, PRIORITY(n, 1), 'U', A(n, n));
        for (int k = n + 1; k < A->nt; k++) {
            for (int m = 0; m < n; m++)
                tw_task_gemm(seq, PRIORITY(rows_come ? k : n, 0), 'N', 'C', tw_one, A(m, k), A(n, k), tw_one, A(m, n));
            tw_task_herk(seq, PRIORITY(rows_come ? k : n, 0), 'U', 'N', 1, A(n, k), 1, A(n, n));
        }
        for (int m = 0; m <= n; m++)
            tw_bring_home(seq, A(m, n));
    }
}

void tw_lauum_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, int rows_come)
{
    (uplo == TW_LOWER ? lower : upper)(seq, A, rows_come);
}

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_lauum_loop(seq, a->uplo, a->A, 0);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_potrf(A->type, (double)A->n);
}

const struct tw_routine tw_routine_lauum = {.name = "lauum",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_factorization,
                                            .needs = {"Tnn"}};

int tw_lauum(enum tw_uplo uplo, tw_matrix *A)
{
    return tw_run(&tw_routine_lauum, &(struct args){uplo, A});
}

int tw_lauum_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_lauum, seq, &(struct args){uplo, A});
}
