/* Solve A X = B with the Cholesky factor: L (L^H X) = B or U^H (U X) = B. The backward solve starts on the first
 * tiles of X while the forward solve is still at work on the others. */
#include "algorithms/dense/dense_loops.h"

void tw_potrs_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, struct tw_matrix *B)
{
    const enum tw_trans first = uplo == TW_LOWER ? TW_NOTRANS : TW_CONJTRANS,
                        second = uplo == TW_LOWER ? TW_CONJTRANS : TW_NOTRANS;
    struct tw_matrix *X = tw_facing(seq, TW_LEFT, A, B);

    if (!X) return;
    tw_trsm_loop(seq, TW_LEFT, uplo, first, TW_NONUNIT, tw_one, A, X, 0);
    tw_trsm_loop(seq, TW_LEFT, uplo, second, TW_NONUNIT, tw_one, A, X, X == B);
    tw_retiled_end(seq, B, X, 1);
}

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A, *B;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
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
    TW_CHECK(who, 3, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    return a->A->n == 0 || a->B->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return 2 * tw_flops_trsm(B->type, 'L', (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_potrs = {.name = "potrs",
                                            .arguments = 3,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_factorization,
                                            .needs = {"Tnn nk"}};

int tw_potrs(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_potrs, &(struct args){uplo, A, B});
}

int tw_potrs_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_potrs, seq, &(struct args){uplo, A, B});
}
