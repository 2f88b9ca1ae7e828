/* L^H L or U U^H of a triangular matrix, in place (the paper that trtri.c names). */
#include "algorithms/dense/dense_loops.h"

#define A(i, j)         tw_tile(A, i, j)
#define PRIORITY(panel) tw_priority(seq, (A->nt - k) * step, A->nt * step, panel)

/* Step k: the leading k x k tiles hold the product of the first k rows' part; row k of L adds itself to them and then
 * becomes L(k,k)^H times itself. Row k of the factor is not needed any more. */
static void lower(struct tw_sequence *seq, struct tw_matrix *A)
{
    const struct tw_costs c = tw_costs_of(A);
    const double step = c.trmm + c.gemm;

    for (int k = 0; k < A->nt && !tw_loop_status(seq); k++) {
        for (int n = 0; n < k; n++) {
            tw_task_herk(seq, PRIORITY(0), 'L', 'C', 1, A(k, n), 1, A(n, n));
            for (int m = n + 1; m < k; m++)
                tw_task_gemm(seq, PRIORITY(0), 'C', 'N', tw_one, A(k, m), A(k, n), tw_one, A(m, n));
        }
        for (int n = 0; n < k; n++)
            tw_task_trmm(seq, PRIORITY(1), 'L', 'L', 'C', 'N', tw_one, A(k, k), A(k, n));
        tw_task_lauum(seq, PRIORITY(1), 'L', A(k, k));
    }
}

static void upper(struct tw_sequence *seq, struct tw_matrix *A)
{
    const struct tw_costs c = tw_costs_of(A);
    const double step = c.trmm + c.gemm;

    for (int k = 0; k < A->nt && !tw_loop_status(seq); k++) {
        for (int m = 0; m < k; m++) {
            tw_task_herk(seq, PRIORITY(0), 'U', 'N', 1, A(m, k), 1, A(m, m));
            for (int n = m + 1; n < k; n++)
                tw_task_gemm(seq, PRIORITY(0), 'N', 'C', tw_one, A(m, k), A(n, k), tw_one, A(m, n));
        }
        for (int m = 0; m < k; m++)
            tw_task_trmm(seq, PRIORITY(1), 'R', 'U', 'C', 'N', tw_one, A(k, k), A(m, k));
        tw_task_lauum(seq, PRIORITY(1), 'U', A(k, k));
    }
}

void tw_lauum_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A)
{
    if (uplo == TW_LOWER)
        lower(seq, A);
    else
        upper(seq, A);
    /* Every step adds to every tile above it: all become final at the end only. */
    for (int j = 0; j < A->nt; j++)
        for (int i = uplo == TW_LOWER ? j : 0; i < (uplo == TW_LOWER ? A->nt : j + 1); i++)
            tw_bring_home(seq, A(i, j));
}

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_lauum_loop(seq, a->uplo, a->A);
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
                                            .flops = flops};

int tw_lauum(enum tw_uplo uplo, tw_matrix *A)
{
    return tw_run(&tw_routine_lauum, &(struct args){uplo, A});
}

int tw_lauum_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_lauum, seq, &(struct args){uplo, A});
}
