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

static int potrs(const char *routine, struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A,
                 struct tw_matrix *B)
{
    struct args args = {uplo, A, B};

    TW_CHECK(routine, 1, tw_bad_uplo(uplo));
    TW_CHECK(routine, 2, tw_bad_triangle(A, uplo));
    TW_CHECK(routine, 3, tw_bad_general(B));
    TW_CHECK(routine, 3, tw_bad_pair(A, B));
    TW_CHECK(routine, 3, A->n != B->m ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(routine, 3, A == B ? "it is the matrix A itself" : NULL);
    if (A->n == 0 || B->n == 0) return 0;
    return tw_dense_call(seq, "potrs", loop, &args, sizeof args,
                         2 * tw_flops_trsm(A->type, 'L', (double)B->m, (double)B->n));
}

int tw_potrs(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B)
{
    return potrs("tw_potrs", NULL, uplo, A, B);
}

int tw_potrs_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_potrs_async", 4, seq);
    return potrs("tw_potrs_async", seq, uplo, A, B);
}
