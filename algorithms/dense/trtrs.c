/* Solve op(A) X = B, A triangular, after a look at its diagonal: where there is an exact zero the info says which one
 * is the first, and B stays. The solve waits for that look as a continuation; tasks beside it go on. */
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_uplo uplo;
    enum tw_trans trans;
    enum tw_diag diag;
    struct tw_matrix *A, *B;
};

static void solve(struct tw_sequence *seq, const struct args *a)
{
    struct tw_matrix *X = tw_facing(seq, TW_LEFT, a->A, a->B);

    if (X) tw_trsm_loop(seq, TW_LEFT, a->uplo, a->trans, a->diag, tw_one, a->A, X, X == a->B);
    tw_retiled_end(seq, a->B, X, 1);
}

static void go_on(struct tw_sequence *seq, const void *info, void *p)
{
    if (*(const int64_t *)info == 0) solve(seq, p);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const struct tw_use uses[] = {{NULL, a->A, TW_R}, {NULL, a->B, TW_RW}};

    if (a->diag == TW_UNIT)
        solve(seq, a);
    else
        tw_when_regular(seq, a->A, uses, 2, go_on, a, sizeof *a);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_trans(a->trans));
    TW_CHECK(who, 3, tw_bad_diag(a->diag));
    TW_CHECK(who, 4, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 5, tw_bad_general(a->B));
    TW_CHECK(who, 5, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 5, a->A->n != a->B->m ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(who, 5, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    return a->A->n == 0 ? TW_NOTHING
                        : 0; /* without right-hand sides zeros are looked for all the same, as LAPACK does */
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return tw_flops_trsm(B->type, 'L', (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_trtrs = {.name = "trtrs",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_factorization,
                                            .needs = {"Tnn nk"}};

int tw_trtrs(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_trtrs, &(struct args){uplo, trans, diag, A, B});
}

int tw_trtrs_async(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B,
                   tw_sequence *seq)
{
    return tw_queue(&tw_routine_trtrs, seq, &(struct args){uplo, trans, diag, A, B});
}
