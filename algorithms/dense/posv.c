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

static int posv(const char *routine, struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A,
                struct tw_matrix *B)
{
    struct args args = {uplo, A, B};

    TW_CHECK(routine, 1, tw_bad_uplo(uplo));
    TW_CHECK(routine, 2, tw_bad_triangle(A, uplo));
    TW_CHECK(routine, 3, tw_bad_general(B));
    TW_CHECK(routine, 3, tw_bad_pair(A, B));
    TW_CHECK(routine, 3, A->n != B->m ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(routine, 3, A == B ? "it is the matrix A itself" : NULL);
    if (A->n == 0) return 0;
    return tw_dense_call(seq, "posv", loop, &args, sizeof args,
                         tw_flops_potrf(A->type, (double)A->n) +
                             2 * tw_flops_trsm(A->type, 'L', (double)B->m, (double)B->n));
}

int tw_posv(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B)
{
    return posv("tw_posv", NULL, uplo, A, B);
}

int tw_posv_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_posv_async", 4, seq);
    return posv("tw_posv_async", seq, uplo, A, B);
}
