/* syr2k and her2k: C = alpha A B^T + alpha B A^T + beta C (trans TW_NOTRANS) or alpha A^T B + alpha B^T A + beta C,
 * her2k with ^H and conj(alpha) in the second product, in one triangle of C. */
#include "algorithms/dense/dense_loops.h"
#include "algorithms/dense/squares.h"

struct args {
    enum tw_uplo uplo;
    enum tw_trans trans;
    int hermitian; /* her2k: beta is real */
    tw_scalar alpha, beta;
    struct tw_matrix *A, *B, *C;
};

/* The chain of products of the tile whose turn it is; beta goes into its first link. A's and B's rows are factors. */
static void one_tile(const struct args *a, const struct tw_squares *q, struct tw_factor A, struct tw_factor B)
{
    const char other = a->hermitian ? 'C' : 'T', ta = A.stored == 'N' ? 'N' : other, tb = A.stored == 'N' ? other : 'N';
    const tw_scalar second = {a->alpha.re, a->hermitian ? -a->alpha.im : a->alpha.im};
    struct tw_data *C = tw_tile(a->C, q->i, q->j);

    for (int k = 0; k < q->links; k++) {
        const int priority = tw_squares_priority(q, k);
        const tw_scalar beta = k == 0 ? a->beta : tw_one;
        struct tw_data *Ai = tw_factor_tile(A, q->i, k), *Bi = tw_factor_tile(B, q->i, k);
        if (q->i == q->j) {
            tw_task_syr2k(q->seq, priority, a->hermitian, (char)a->uplo, ta, a->alpha, Ai, Bi, beta, C);
        } else {
            tw_task_gemm(q->seq, priority, ta, tb, a->alpha, Ai, tw_factor_tile(B, q->j, k), beta, C);
            tw_task_gemm(q->seq, priority, ta, tb, second, Bi, tw_factor_tile(A, q->j, k), tw_one, C);
        }
    }
    tw_bring_home(q->seq, C);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A, *B, *C = a->C;
    const int plain = a->trans == TW_NOTRANS, kt = plain ? a->A->nt : a->A->mt;
    const tw_int inner = plain ? a->A->nb : a->A->mb;

    if (kt == 0 || tw_is(C->type, a->alpha, 0)) {
        tw_scale_loop(seq, a->uplo, a->hermitian, a->beta, C); /* as BLAS: A and B are not read */
        return;
    }
    A = plain ? tw_retiled(seq, a->A, C->nb, inner) : tw_retiled(seq, a->A, inner, C->nb);
    B = plain ? tw_retiled(seq, a->B, C->nb, inner) : tw_retiled(seq, a->B, inner, C->nb);
    if (A && B) {
        const struct tw_factor fa = {A, plain ? 'N' : 'T'}, fb = {B, plain ? 'N' : 'T'};
        const struct tw_factor across = {B, plain ? 'T' : 'N'}; /* its columns are B's rows */
        struct tw_squares q = tw_squares_begin(seq, C, (char)a->uplo, kt);
        while (tw_squares_next(&q) && !tw_loop_status(seq)) {
            tw_squares_fetch(&q, fa, across);
            one_tile(a, &q, fa, fb);
        }
    }
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
