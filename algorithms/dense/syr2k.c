/* syr2k and her2k: C = alpha A B^T + alpha B A^T + beta C (trans TW_NOTRANS) or alpha A^T B + alpha B^T A + beta C,
 * her2k with ^H and conj(alpha) in the second product, in one triangle of C. */
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_uplo uplo;
    enum tw_trans trans;
    int hermitian; /* her2k: beta is real */
    tw_scalar alpha, beta;
    struct tw_matrix *A, *B, *C;
};

/* The chain of products of one tile of C; beta goes into its first link. */
static void one_tile(struct tw_sequence *seq, const struct args *a, const struct tw_matrix *A,
                     const struct tw_matrix *B, int i, int j, int kt, double cost)
{
    const int plain = a->trans == TW_NOTRANS;
    const char other = a->hermitian ? 'C' : 'T', ta = plain ? 'N' : other, tb = plain ? other : 'N';
    const tw_scalar second = {a->alpha.re, a->hermitian ? -a->alpha.im : a->alpha.im};
    struct tw_data *C = tw_tile(a->C, i, j);

#define TILE(X, r) (plain ? tw_tile(X, r, k) : tw_tile(X, k, r))
    for (int k = 0; k < kt; k++) {
        const int priority = tw_priority(seq, 2 * (kt - k) * cost, 2 * kt * cost, 0);
        const tw_scalar beta = k == 0 ? a->beta : tw_one;
        if (i == j) {
            tw_task_syr2k(seq, priority, a->hermitian, (char)a->uplo, ta, a->alpha, TILE(A, i), TILE(B, i), beta, C);
        } else {
            tw_task_gemm(seq, priority, ta, tb, a->alpha, TILE(A, i), TILE(B, j), beta, C);
            tw_task_gemm(seq, priority, ta, tb, second, TILE(B, i), TILE(A, j), tw_one, C);
        }
    }
#undef TILE
    tw_bring_home(seq, C);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A, *B, *C = a->C;
    const int plain = a->trans == TW_NOTRANS, kt = plain ? a->A->nt : a->A->mt, low = a->uplo == TW_LOWER;
    const tw_int inner = plain ? a->A->nb : a->A->mb;
    const double cost = tw_costs_of(C).gemm;

    if (kt == 0 || tw_is(C->type, a->alpha, 0)) {
        tw_scale_loop(seq, a->uplo, a->hermitian, a->beta, C); /* as BLAS: A and B are not read */
        return;
    }
    A = plain ? tw_retiled(seq, a->A, C->nb, inner) : tw_retiled(seq, a->A, inner, C->nb);
    B = plain ? tw_retiled(seq, a->B, C->nb, inner) : tw_retiled(seq, a->B, inner, C->nb);
    for (int j = 0; A && B && j < C->nt && !tw_loop_status(seq); j++)
        for (int i = low ? j : 0; i < (low ? C->nt : j + 1); i++)
            one_tile(seq, a, A, B, i, j, kt, cost);
    tw_retiled_end(seq, a->A, A, 0);
    tw_retiled_end(seq, a->B, B, 0);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A, *B = a->B, *C = a->C;
    const enum tw_trans wrong = a->hermitian ? TW_TRANS : TW_CONJTRANS;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_trans(a->trans));
    TW_CHECK(who, 4, tw_bad_general(A));
    /* BLAS' rule: complex syr2k has no A^H, complex her2k has no A^T; for real types both mean the transpose. */
    TW_CHECK(who, 2, a->trans == wrong && tw_is_complex(A->type) ? "not an operation of this routine" : NULL);
    TW_CHECK(who, 5, tw_bad_general(B));
    TW_CHECK(who, 5, tw_bad_pair(A, B));
    TW_CHECK(who, 5, A->m != B->m || A->n != B->n ? "its shape is not A's" : NULL);
    TW_CHECK(who, 7, tw_bad_triangle(C, a->uplo));
    TW_CHECK(who, 7, tw_bad_pair(A, C));
    TW_CHECK(who, 7, C->n != (a->trans == TW_NOTRANS ? A->m : A->n) ? "its order does not fit A's shape" : NULL);
    TW_CHECK(who, 7, tw_shares(A, C) || tw_shares(B, C) ? "it is also an input" : NULL);
    return C->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return 2 * tw_flops_syrk(a->C->type, (double)a->C->n, (double)(a->trans == TW_NOTRANS ? a->A->n : a->A->m));
}

const struct tw_routine tw_routine_syr2k = {
    .name = "syr2k",
    .arguments = 7,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, B), TW_OPERAND(TW_RW, C)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_product,
    .needs = {"2nk Tnn"}};

const struct tw_routine tw_routine_her2k = {
    .name = "her2k",
    .arguments = 7,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, B), TW_OPERAND(TW_RW, C)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_product,
    .needs = {"2nk Tnn"}};

int tw_syr2k(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
             tw_matrix *C)
{
    return tw_run(&tw_routine_syr2k, &(struct args){uplo, trans, 0, alpha, beta, A, B, C});
}

int tw_syr2k_async(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
                   tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_syr2k, seq, &(struct args){uplo, trans, 0, alpha, beta, A, B, C});
}

int tw_her2k(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B, double beta,
             tw_matrix *C)
{
    return tw_run(&tw_routine_her2k, &(struct args){uplo, trans, 1, alpha, {beta, 0}, A, B, C});
}

int tw_her2k_async(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B, double beta,
                   tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_her2k, seq, &(struct args){uplo, trans, 1, alpha, {beta, 0}, A, B, C});
}
