/* Solve A X = B by LU without row exchanges, refined on a copy of A; where that falls short, by LU with them, as gesv
 * (mixed.c). Refinement makes such factors as good as pivoted ones while the growth of U's elements times the condition
 * leaves it digits to gain (Li and Demmel, "Making sparse Gaussian elimination scalable by static pivoting", SC
 * 1998). */
#include "algorithms/dense/mixed.h"

struct args {
    struct tw_matrix *A, *ipiv, *B;
    int *iter;
    double *growth, *berr;
};

/* X is a copy of B until its info is known, as gesv's. */
static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *X = tw_matrix_temporary(a->B->type, a->B->m, a->B->n, a->A->nb, a->B->nb);

    if (!X) {
        tw_loop_fail(seq, TW_E_MEMORY, "gesv_nopiv: room for the solutions: %s", tw_last_message());
        return;
    }
    tw_mixed_loop(seq, &(struct tw_mixed_problem){.of = TW_LU_FACTORS,
                                                  .A = a->A,
                                                  .ipiv = a->ipiv,
                                                  .B = a->B,
                                                  .X = X,
                                                  .iter = a->iter,
                                                  .berr = a->berr,
                                                  .nopiv = 1,
                                                  .growth = a->growth});
    tw_copied_end_if(seq, a->B, X, tw_info(seq));
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_square(a->A));
    TW_CHECK(who, 1, a->A->m > INT32_MAX ? "more than 2^31 - 1 rows" : NULL);
    TW_CHECK(who, 2, tw_bad_pivots(a->ipiv, a->A));
    TW_CHECK(who, 3, tw_bad_side_of(a->A, a->B));
    TW_CHECK(who, 3, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    TW_CHECK(who, 4, a->iter ? NULL : "NULL");
    *a->iter = 0;
    if (a->growth) *a->growth = a->A->n == 0 ? 1 : -1;
    if (a->berr) *a->berr = a->A->n == 0 ? 0 : -1;
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return tw_flops_getrf(B->type, (double)B->m, (double)B->m) +
           2 * tw_flops_trsm(B->type, 'L', (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_gesv_nopiv = {
    .name = "gesv_nopiv",
    .arguments = 6,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, ipiv), TW_OPERAND(TW_RW, B)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_factorization,
    .needs = {"nn n1:i nk", "nn 2nk"}};

int tw_gesv_nopiv(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, int *iter, double *growth, double *berr)
{
    return tw_run(&tw_routine_gesv_nopiv, &(struct args){A, ipiv, B, iter, growth, berr});
}

int tw_gesv_nopiv_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, int *iter, double *growth, double *berr,
                        tw_sequence *seq)
{
    return tw_queue(&tw_routine_gesv_nopiv, seq, &(struct args){A, ipiv, B, iter, growth, berr});
}
