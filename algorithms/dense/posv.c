/* Solve A X = B, A positive definite: factor, then solve. The solve is submitted once the factor's info is known to
 * be 0, so that B is unchanged when it is not, as LAPACK has it. */
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A, *B;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;

    tw_potrf_loop(seq, a->uplo, a->A);
    if (a->B->n == 0 || tw_info_wait(seq) != 0) return;
    tw_potrs_loop(seq, a->uplo, a->A, a->B);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 3, tw_bad_general(a->B));
    TW_CHECK(who, 3, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 3, a->A->n != a->B->m ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(who, 3, a->A == a->B ? "it is the matrix A itself" : NULL);
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return tw_flops_potrf(B->type, (double)B->m) + 2 * tw_flops_trsm(B->type, 'L', (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_posv = {.name = "posv",
                                           .arguments = 3,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, B)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops};

int tw_posv(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_posv, &(struct args){uplo, A, B});
}

int tw_posv_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_posv, seq, &(struct args){uplo, A, B});
}
