/* syrk and herk: C = alpha A A^T + beta C (trans TW_NOTRANS) or alpha A^T A + beta C, herk with A^H, in one triangle
 * of C. */
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_uplo uplo;
    enum tw_trans trans;
    int hermitian; /* herk: alpha and beta are real */
    tw_scalar alpha, beta;
    struct tw_matrix *A, *C;
};

/* The chain of products of one tile of C; beta goes into its first link. */
static void one_tile(struct tw_sequence *seq, const struct args *a, const struct tw_matrix *A, int i, int j, int kt,
                     double cost)
{
    const int plain = a->trans == TW_NOTRANS;
    const char other = a->hermitian ? 'C' : 'T', ta = plain ? 'N' : other, tb = plain ? other : 'N';
    struct tw_data *C = tw_tile(a->C, i, j);

    for (int k = 0; k < kt; k++) {
        const int priority = tw_priority(seq, (kt - k) * cost, kt * cost, 0);
        const tw_scalar beta = k == 0 ? a->beta : tw_one;
        struct tw_data *Ai = plain ? tw_tile(A, i, k) : tw_tile(A, k, i);
        struct tw_data *Aj = plain ? tw_tile(A, j, k) : tw_tile(A, k, j);
        if (i != j)
            tw_task_gemm(seq, priority, ta, tb, a->alpha, Ai, Aj, beta, C);
        else if (a->hermitian)
            tw_task_herk(seq, priority, (char)a->uplo, ta, a->alpha.re, Ai, beta.re, C);
        else
            tw_task_syrk(seq, priority, (char)a->uplo, ta, a->alpha, Ai, beta, C);
    }
    tw_bring_home(seq, C);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A, *C = a->C;
    const int kt = a->trans == TW_NOTRANS ? a->A->nt : a->A->mt, low = a->uplo == TW_LOWER;
    const double cost = tw_costs_of(C).gemm;

    if (kt == 0 || tw_is(C->type, a->alpha, 0)) {
        tw_scale_loop(seq, a->uplo, a->hermitian, a->beta, C); /* as BLAS: A is not read */
        return;
    }
    A = a->trans == TW_NOTRANS ? tw_retiled(seq, a->A, C->nb, a->A->nb) : tw_retiled(seq, a->A, a->A->mb, C->nb);
    for (int j = 0; j < C->nt && !tw_loop_status(seq); j++)
        for (int i = low ? j : 0; i < (low ? C->nt : j + 1); i++)
            one_tile(seq, a, A, i, j, kt, cost);
    tw_retiled_end(seq, a->A, A, 0);
}

static int rank_k(const char *routine, const char *name, struct tw_sequence *seq, struct args *a)
{
    struct tw_matrix *A = a->A, *C = a->C;
    const enum tw_trans wrong = a->hermitian ? TW_TRANS : TW_CONJTRANS;
    tw_int n, k;

    TW_CHECK(routine, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(routine, 2, tw_bad_trans(a->trans));
    TW_CHECK(routine, 4, tw_bad_general(A));
    /* BLAS' rule: complex syrk has no A^H, complex herk has no A^T; for real types both mean the transpose. */
    TW_CHECK(routine, 2, a->trans == wrong && tw_is_complex(A->type) ? "not an operation of this routine" : NULL);
    TW_CHECK(routine, 6, tw_bad_triangle(C, a->uplo));
    TW_CHECK(routine, 6, tw_bad_pair(A, C));
    n = a->trans == TW_NOTRANS ? A->m : A->n;
    k = a->trans == TW_NOTRANS ? A->n : A->m;
    TW_CHECK(routine, 6, C->n != n ? "its order does not fit A's shape" : NULL);
    TW_CHECK(routine, 6, A == C ? "it is also an input" : NULL);
    if (n == 0) return 0;
    return tw_dense_call(seq, name, loop, a, sizeof *a, tw_flops_syrk(C->type, (double)n, (double)k));
}

int tw_syrk(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *C)
{
    return rank_k("tw_syrk", "syrk", NULL, &(struct args){uplo, trans, 0, alpha, beta, A, C});
}

int tw_syrk_async(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *C,
                  tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_syrk_async", 7, seq);
    return rank_k("tw_syrk_async", "syrk", seq, &(struct args){uplo, trans, 0, alpha, beta, A, C});
}

int tw_herk(enum tw_uplo uplo, enum tw_trans trans, double alpha, tw_matrix *A, double beta, tw_matrix *C)
{
    return rank_k("tw_herk", "herk", NULL, &(struct args){uplo, trans, 1, {alpha, 0}, {beta, 0}, A, C});
}

int tw_herk_async(enum tw_uplo uplo, enum tw_trans trans, double alpha, tw_matrix *A, double beta, tw_matrix *C,
                  tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_herk_async", 7, seq);
    return rank_k("tw_herk_async", "herk", seq, &(struct args){uplo, trans, 1, {alpha, 0}, {beta, 0}, A, C});
}
