/* C = alpha op(A) op(B) + beta C. Each tile of C is a chain of tile products; beta goes into its first link. Where A's
 * and B's tiles do not meet C's and each other, copies of them in such tiles take their place. */
#include <math.h>
#include "algorithms/dense/dense_loops.h"
#include "algorithms/dense/squares.h"

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

void tw_scale_by_power_loop(struct tw_sequence *seq, int e, struct tw_matrix *C)
{
    const int most = tw_is_single(C->type) ? 100 : 1000;

    while (e != 0 && !tw_loop_status(seq)) {
        const int step = e > most ? most : e < -most ? -most : e;
        tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){ldexp(1, step), 0}, C);
        e -= step;
    }
}

void tw_gemm_loop(struct tw_sequence *seq, enum tw_trans ta, enum tw_trans tb, tw_scalar alpha, struct tw_matrix *A0,
                  struct tw_matrix *B0, tw_scalar beta, struct tw_matrix *C)
{
    const int na = ta == TW_NOTRANS, nb = tb == TW_NOTRANS, kt = na ? A0->nt : A0->mt;
    const tw_int inner = na ? A0->nb : A0->mb;
    struct tw_matrix *A, *B;

    if (kt == 0 || tw_is(C->type, alpha, 0)) {
        tw_scale_loop(seq, TW_GENERAL, 0, beta, C); /* as BLAS: A and B are not read */
        return;
    }
    A = tw_retiled(seq, A0, na ? C->mb : inner, na ? inner : C->mb);
    B = tw_retiled(seq, B0, nb ? inner : C->nb, nb ? C->nb : inner);
    if (A && B) {
        const struct tw_factor L = {A, na ? 'N' : 'T'}, R = {B, nb ? 'N' : 'T'};
        struct tw_squares q = tw_squares_begin(seq, C, 'G', kt);
        while (tw_squares_next(&q) && !tw_loop_status(seq)) {
            struct tw_data *tile = tw_tile(C, q.i, q.j);
            tw_squares_fetch(&q, L, R);
            for (int k = 0; k < kt; k++)
                tw_task_gemm(seq, tw_squares_priority(&q, k), (char)ta, (char)tb, alpha, tw_factor_tile(L, q.i, k),
                             tw_factor_tile(R, k, q.j), k == 0 ? beta : tw_one, tile);
            tw_bring_home(seq, tile);
        }
    }
    tw_retiled_end(seq, A0, A, 0);
    tw_retiled_end(seq, B0, B, 0);
}

struct args {
    enum tw_trans ta, tb;
    tw_scalar alpha, beta;
    struct tw_matrix *A, *B, *C;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_gemm_loop(seq, a->ta, a->tb, a->alpha, a->A, a->B, a->beta, a->C);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A, *B = a->B, *C = a->C;
    const int na = a->ta == TW_NOTRANS, nb = a->tb == TW_NOTRANS;

    TW_CHECK(who, 1, tw_bad_trans(a->ta));
    TW_CHECK(who, 2, tw_bad_trans(a->tb));
    TW_CHECK(who, 4, tw_bad_general(A));
    TW_CHECK(who, 5, tw_bad_general(B));
    TW_CHECK(who, 5, tw_bad_pair(A, B));
    TW_CHECK(who, 7, tw_bad_general(C));
    TW_CHECK(who, 7, tw_bad_pair(A, C));
    TW_CHECK(who, 5, (na ? A->n : A->m) != (nb ? B->m : B->n) ? "its shape does not fit A's" : NULL);
    TW_CHECK(who, 7,
             C->m != (na ? A->m : A->n) || C->n != (nb ? B->n : B->m) ? "its shape does not fit A's and B's" : NULL);
    TW_CHECK(who, 7, tw_shares(C, A) || tw_shares(C, B) ? "it is also an input" : NULL);
    return C->m == 0 || C->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_flops_gemm(a->C->type, (double)a->C->m, (double)a->C->n,
                         (double)(a->ta == TW_NOTRANS ? a->A->n : a->A->m));
}

const struct tw_routine tw_routine_gemm = {
    .name = "gemm",
    .arguments = 7,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, B), TW_OPERAND(TW_RW, C)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_product,
    .needs = {"mk kn mn"}};

int tw_gemm(enum tw_trans transa, enum tw_trans transb, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
            tw_matrix *C)
{
    return tw_run(&tw_routine_gemm, &(struct args){transa, transb, alpha, beta, A, B, C});
}

int tw_gemm_async(enum tw_trans transa, enum tw_trans transb, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                  tw_scalar beta, tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gemm, seq, &(struct args){transa, transb, alpha, beta, A, B, C});
}
