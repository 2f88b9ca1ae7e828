/* Solve A X = B, A^T X = B or A^H X = B with the factors of P A = L U: exchange rows, solve with L, solve with U;
 * transposed, the other way round. */
#include "algorithms/dense/dense_loops.h"

static void exchange(struct tw_sequence *seq, char direct, struct tw_matrix *ipiv, struct tw_matrix *X)
{
    for (int j = 0; j < X->nt && !tw_loop_status(seq); j++)
        tw_task_laswp(seq, tw_priority(seq, direct == 'F', 1, 1), direct, &X->tile[(size_t)j * (size_t)X->mt], X->mt, 0,
                      ipiv->tile, ipiv->mt, 0);
}

static void solve(struct tw_sequence *seq, enum tw_trans trans, struct tw_matrix *A, struct tw_matrix *ipiv,
                  struct tw_matrix *X)
{
    if (trans == TW_NOTRANS) {
        exchange(seq, 'F', ipiv, X);
        tw_trsm_loop(seq, TW_LEFT, TW_LOWER, trans, TW_UNIT, tw_one, A, X, 0);
        tw_trsm_loop(seq, TW_LEFT, TW_UPPER, trans, TW_NONUNIT, tw_one, A, X, 0);
    } else {
        tw_trsm_loop(seq, TW_LEFT, TW_UPPER, trans, TW_NONUNIT, tw_one, A, X, 0);
        tw_trsm_loop(seq, TW_LEFT, TW_LOWER, trans, TW_UNIT, tw_one, A, X, 0);
        exchange(seq, 'B', ipiv, X);
    }
}

struct args {
    enum tw_trans trans;
    struct tw_matrix *A, *ipiv, *B;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb), *X = A ? tw_facing(seq, TW_LEFT, A, a->B) : NULL;

    if (X) solve(seq, a->trans, A, a->ipiv, X);
    for (int j = 0; X == a->B && j < X->nt; j++)
        for (int i = 0; i < X->mt; i++)
            tw_bring_home(seq, tw_tile(X, i, j));
    tw_retiled_end(seq, a->B, X, 1);
    tw_retiled_end(seq, a->A, A, 0);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_trans(a->trans));
    TW_CHECK(who, 2, tw_bad_square(a->A));
    TW_CHECK(who, 3, tw_bad_pivots(a->ipiv, a->A));
    TW_CHECK(who, 4, tw_bad_general(a->B));
    TW_CHECK(who, 4, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 4, a->A->n != a->B->m ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(who, 4, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    return a->A->n == 0 || a->B->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return 2 * tw_flops_trsm(B->type, 'L', (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_getrs = {
    .name = "getrs",
    .arguments = 4,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, ipiv), TW_OPERAND(TW_RW, B)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_lu,
    .needs = {"nn n1:i nk"}};

int tw_getrs(enum tw_trans trans, tw_matrix *A, tw_matrix *ipiv, tw_matrix *B)
{
    return tw_run(&tw_routine_getrs, &(struct args){trans, A, ipiv, B});
}

int tw_getrs_async(enum tw_trans trans, tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_getrs, seq, &(struct args){trans, A, ipiv, B});
}
