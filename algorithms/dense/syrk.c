/* syrk and herk: C = alpha A A^T + beta C (trans TW_NOTRANS) or alpha A^T A + beta C, herk with A^H, in one triangle
 * of C. */
#include "algorithms/dense/dense_loops.h"
#include "algorithms/dense/squares.h"

struct args {
    enum tw_uplo uplo;
    enum tw_trans trans;
    int hermitian; /* herk: alpha and beta are real */
    tw_scalar alpha, beta;
    struct tw_matrix *A, *C;
};

/* The chain of products of the tile whose turn it is; beta goes into its first link. */
static void one_tile(const struct args *a, const struct tw_squares *q, struct tw_factor L)
{
    const char other = a->hermitian ? 'C' : 'T', ta = L.stored == 'N' ? 'N' : other, tb = L.stored == 'N' ? other : 'N';
    struct tw_data *C = tw_tile(a->C, q->i, q->j);

    for (int k = 0; k < q->links; k++) {
        const int priority = tw_squares_priority(q, k);
        const tw_scalar beta = k == 0 ? a->beta : tw_one;
        struct tw_data *Ai = tw_factor_tile(L, q->i, k), *Aj = tw_factor_tile(L, q->j, k);
        if (q->i != q->j)
            tw_task_gemm(q->seq, priority, ta, tb, a->alpha, Ai, Aj, beta, C);
        else if (a->hermitian)
            tw_task_herk(q->seq, priority, (char)a->uplo, ta, a->alpha.re, Ai, beta.re, C);
        else
            tw_task_syrk(q->seq, priority, (char)a->uplo, ta, a->alpha, Ai, beta, C);
    }
    tw_bring_home(q->seq, C);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A, *C = a->C;
    const int kt = a->trans == TW_NOTRANS ? a->A->nt : a->A->mt;

    if (kt == 0 || tw_is(C->type, a->alpha, 0)) {
        tw_scale_loop(seq, a->uplo, a->hermitian, a->beta, C); /* as BLAS: A is not read */
        return;
    }
    A = a->trans == TW_NOTRANS ? tw_retiled(seq, a->A, C->nb, a->A->nb) : tw_retiled(seq, a->A, a->A->mb, C->nb);
    if (A) {
        const struct tw_factor L = {A, a->trans == TW_NOTRANS ? 'N' : 'T'};
        struct tw_squares q = tw_squares_begin(seq, C, (char)a->uplo, kt);
        while (tw_squares_next(&q) && !tw_loop_status(seq)) {
            tw_squares_fetch(&q, L, (struct tw_factor){NULL, 'N'});
            one_tile(a, &q, L);
        }
    }
    tw_retiled_end(seq, a->A, A, 0);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A, *C = a->C;
    const enum tw_trans wrong = a->hermitian ? TW_TRANS : TW_CONJTRANS;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_trans(a->trans));
    TW_CHECK(who, 4, tw_bad_general(A));
    /* BLAS' rule: complex syrk has no A^H, complex herk has no A^T; for real types both mean the transpose. */
    TW_CHECK(who, 2, a->trans == wrong && tw_is_complex(A->type) ? "not an operation of this routine" : NULL);
    TW_CHECK(who, 6, tw_bad_triangle(C, a->uplo));
    TW_CHECK(who, 6, tw_bad_pair(A, C));
    TW_CHECK(who, 6, C->n != (a->trans == TW_NOTRANS ? A->m : A->n) ? "its order does not fit A's shape" : NULL);
    TW_CHECK(who, 6, tw_shares(A, C) ? "it is also an input" : NULL);
    return C->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_flops_syrk(a->C->type, (double)a->C->n, (double)(a->trans == TW_NOTRANS ? a->A->n : a->A->m));
}

const struct tw_routine tw_routine_syrk = {.name = "syrk",
                                           .arguments = 6,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, C)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops,
                                           .tuning = &tw_tuning_product,
                                           .needs = {"nk Tnn"}};

const struct tw_routine tw_routine_herk = {.name = "herk",
                                           .arguments = 6,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, C)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops,
                                           .tuning = &tw_tuning_product,
                                           .needs = {"nk Tnn"}};

int tw_syrk(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *C)
{
    return tw_run(&tw_routine_syrk, &(struct args){uplo, trans, 0, alpha, beta, A, C});
}

int tw_syrk_async(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *C,
                  tw_sequence *seq)
{
    return tw_queue(&tw_routine_syrk, seq, &(struct args){uplo, trans, 0, alpha, beta, A, C});
}

int tw_herk(enum tw_uplo uplo, enum tw_trans trans, double alpha, tw_matrix *A, double beta, tw_matrix *C)
{
    return tw_run(&tw_routine_herk, &(struct args){uplo, trans, 1, {alpha, 0}, {beta, 0}, A, C});
}

int tw_herk_async(enum tw_uplo uplo, enum tw_trans trans, double alpha, tw_matrix *A, double beta, tw_matrix *C,
                  tw_sequence *seq)
{
    return tw_queue(&tw_routine_herk, seq, &(struct args){uplo, trans, 1, {alpha, 0}, {beta, 0}, A, C});
}
