/* C = alpha op(A) op(B) + beta C. Each tile of C is a chain of tile products; beta goes into its first link. Where A's and B's tiles do not meet
 * C's and each other, copies of them in such tiles take their place. */
#include "algorithms/dense/dense_loops.h"

/* C = beta C: what is left of a BLAS update when alpha or the inner size is 0. */
void tw_scale_loop(struct tw_sequence *seq, enum tw_uplo uplo, int hermitian, tw_scalar beta, struct tw_matrix *C)
{
    const int priority = tw_priority(seq, 0, 1, 0);

    if (tw_is(C->type, beta, 1)) return;
    for (int j = 0; j < C->nt; j++)
        for (int i = uplo == TW_LOWER ? j : 0; i < (uplo == TW_UPPER ? j + 1 : C->mt); i++) {
            const char part = i == j ? (char)uplo : 'G';
            if (tw_is(C->type, beta, 0))
                tw_task_laset(seq, priority, part, tw_zero, tw_zero, tw_tile(C, i, j));
            else
                tw_task_lascl(seq, priority, part, hermitian, beta, tw_tile(C, i, j));
            tw_bring_home(seq, tw_tile(C, i, j));
        }
}

struct args {
    enum tw_trans ta, tb;
    tw_scalar alpha, beta;
    struct tw_matrix *A, *B, *C;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const int na = a->ta == TW_NOTRANS, nb = a->tb == TW_NOTRANS, kt = na ? a->A->nt : a->A->mt;
    const tw_int inner = na ? a->A->nb : a->A->mb;
    struct tw_matrix *A, *B, *C = a->C;
    const double cost = tw_costs_of(C).gemm;

    if (kt == 0 || tw_is(C->type, a->alpha, 0)) {
        tw_scale_loop(seq, TW_GENERAL, 0, a->beta, C); /* as BLAS: A and B are not read */
        return;
    }
    A = tw_retiled(seq, a->A, na ? C->mb : inner, na ? inner : C->mb);
    B = tw_retiled(seq, a->B, nb ? inner : C->nb, nb ? C->nb : inner);
    for (int i = 0; i < C->mt && !tw_loop_status(seq); i++)
        for (int j = 0; j < C->nt; j++) {
            for (int k = 0; k < kt; k++)
                tw_task_gemm(seq, tw_priority(seq, (kt - k) * cost, kt * cost, 0), (char)a->ta, (char)a->tb, a->alpha,
                             na ? tw_tile(A, i, k) : tw_tile(A, k, i), nb ? tw_tile(B, k, j) : tw_tile(B, j, k),
                             k == 0 ? a->beta : tw_one, tw_tile(C, i, j));
            tw_bring_home(seq, tw_tile(C, i, j));
        }
    tw_retiled_end(seq, a->A, A, 0);
    tw_retiled_end(seq, a->B, B, 0);
}

static int gemm(const char *routine, struct tw_sequence *seq, struct args *a)
{
    struct tw_matrix *A = a->A, *B = a->B, *C = a->C;
    tw_int m, n, k, kb;

    TW_CHECK(routine, 1, tw_bad_trans(a->ta));
    TW_CHECK(routine, 2, tw_bad_trans(a->tb));
    TW_CHECK(routine, 4, tw_bad_general(A));
    TW_CHECK(routine, 5, tw_bad_general(B));
    TW_CHECK(routine, 5, tw_bad_pair(A, B));
    TW_CHECK(routine, 7, tw_bad_general(C));
    TW_CHECK(routine, 7, tw_bad_pair(A, C));
    m = a->ta == TW_NOTRANS ? A->m : A->n;
    k = a->ta == TW_NOTRANS ? A->n : A->m;
    kb = a->tb == TW_NOTRANS ? B->m : B->n;
    n = a->tb == TW_NOTRANS ? B->n : B->m;
    TW_CHECK(routine, 5, k != kb ? "its shape does not fit A's" : NULL);
    TW_CHECK(routine, 7, C->m != m || C->n != n ? "its shape does not fit A's and B's" : NULL);
    TW_CHECK(routine, 7, C == A || C == B ? "it is also an input" : NULL);
    if (m == 0 || n == 0) return 0;
    return tw_dense_call(seq, "gemm", loop, a, sizeof *a, tw_flops_gemm(C->type, (double)m, (double)n, (double)k));
}

int tw_gemm(enum tw_trans transa, enum tw_trans transb, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
            tw_matrix *C)
{
    return gemm("tw_gemm", NULL, &(struct args){transa, transb, alpha, beta, A, B, C});
}

int tw_gemm_async(enum tw_trans transa, enum tw_trans transb, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                  tw_scalar beta, tw_matrix *C, tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_gemm_async", 8, seq);
    return gemm("tw_gemm_async", seq, &(struct args){transa, transb, alpha, beta, A, B, C});
}
