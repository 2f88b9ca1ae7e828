/* Solve A X = B by LU. The solve with L runs along with the factorization, as if B's columns were further ones of A;
 * then comes that with U. Both work on a copy of B, which tasks put back if info is 0 by then: B is unchanged when it
 * is not, as LAPACK has it, and no loop waits to know. */
#include "algorithms/dense/dense_loops.h"

struct args {
    struct tw_matrix *A, *ipiv, *B;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb),
                     *X = A && a->B->n > 0 ? tw_copied(seq, a->B, A->nb, a->B->nb) : NULL;

    if (A && (X || a->B->n == 0)) tw_getrf_loop(seq, A, a->ipiv, X);
    if (X) tw_trsm_loop(seq, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, tw_one, A, X, 0);
    tw_copied_end_if(seq, a->B, X, tw_info(seq));
    tw_retiled_end(seq, a->A, A, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_square(a->A));
    TW_CHECK(who, 1, a->A->m > INT32_MAX ? "more than 2^31 - 1 rows" : NULL);
    TW_CHECK(who, 2, tw_bad_pivots(a->ipiv, a->A));
    TW_CHECK(who, 3, tw_bad_general(a->B));
    TW_CHECK(who, 3, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 3, a->A->n != a->B->m ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(who, 3, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return tw_flops_getrf(B->type, (double)B->m, (double)B->m) +
           2 * tw_flops_trsm(B->type, 'L', (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_gesv = {
    .name = "gesv",
    .arguments = 3,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, ipiv), TW_OPERAND(TW_RW, B)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_lu,
    .needs = {"nn n1:i nk", "nk"}};

int tw_gesv(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B)
{
    return tw_run(&tw_routine_gesv, &(struct args){A, ipiv, B});
}

int tw_gesv_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gesv, seq, &(struct args){A, ipiv, B});
}
