/* symm and hemm: C = alpha A B + beta C (side left) or alpha B A + beta C (right), A symmetric or hermitian, one
 * triangle of it stored. What the other triangle would hold is the transpose of the stored tile. */
#include "algorithms/dense/dense_loops.h"
#include "algorithms/dense/squares.h"

struct args {
    enum tw_side side;
    enum tw_uplo uplo;
    int hermitian;
    tw_scalar alpha, beta;
    struct tw_matrix *A, *B, *C;
};

/* The k-th link of the chain of tile (i, j): A(i, k) B(k, j), or B(i, k) A(k, j); (row, col) is A's. */
static void link(struct tw_sequence *seq, int priority, const struct args *a, struct tw_factor A, struct tw_data *B,
                 tw_scalar beta, struct tw_data *C, int row, int col)
{
    const char op = !tw_factor_swaps(A.stored, row, col) ? 'N' : a->hermitian ? 'C' : 'T';
    struct tw_data *tile = tw_factor_tile(A, row, col);

    if (row == col)
        tw_task_symm(seq, priority, a->hermitian, (char)a->side, (char)a->uplo, a->alpha, tile, B, beta, C);
    else if (a->side == TW_LEFT)
        tw_task_gemm(seq, priority, op, 'N', a->alpha, tile, B, beta, C);
    else
        tw_task_gemm(seq, priority, 'N', op, a->alpha, B, tile, beta, C);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const int left = a->side == TW_LEFT, kt = a->A->nt, reads = !tw_is(a->C->type, a->beta, 0);
    struct tw_matrix *B, *C;

    if (tw_is(a->C->type, a->alpha, 0)) {
        tw_scale_loop(seq, TW_GENERAL, 0, a->beta, a->C); /* as BLAS: A and B are not read */
        return;
    }
    C = left ? tw_retiled_for(seq, a->C, a->A->nb, a->C->nb, reads)
             : tw_retiled_for(seq, a->C, a->C->mb, a->A->nb, reads);
    B = C ? tw_retiled(seq, a->B, C->mb, C->nb) : NULL;
    if (B) {
        const struct tw_factor A = {a->A, (char)a->uplo}, other = {B, 'N'};
        struct tw_squares q = tw_squares_begin(seq, C, 'G', kt);
        while (tw_squares_next(&q) && !tw_loop_status(seq)) {
            struct tw_data *tile = tw_tile(C, q.i, q.j);
            tw_squares_fetch(&q, left ? A : other, left ? other : A);
            for (int k = 0; k < kt; k++)
                link(seq, tw_squares_priority(&q, k), a, A, left ? tw_tile(B, k, q.j) : tw_tile(B, q.i, k),
                     k == 0 ? a->beta : tw_one, tile, left ? q.i : k, left ? k : q.j);
            if (C == a->C) tw_bring_home(seq, tile);
        }
    }
    tw_retiled_end(seq, a->B, B, 0);
    tw_retiled_end(seq, a->C, C, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A, *B = a->B, *C = a->C;

    TW_CHECK(who, 1, tw_bad_side(a->side));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 4, tw_bad_triangle(A, a->uplo));
    TW_CHECK(who, 5, tw_bad_general(B));
    TW_CHECK(who, 5, tw_bad_pair(A, B));
    TW_CHECK(who, 5, A->n != (a->side == TW_LEFT ? B->m : B->n) ? "its shape does not fit A's" : NULL);
    TW_CHECK(who, 7, tw_bad_general(C));
    TW_CHECK(who, 7, tw_bad_pair(A, C));
    TW_CHECK(who, 7, C->m != B->m || C->n != B->n ? "its shape is not B's" : NULL);
    TW_CHECK(who, 7, tw_shares(C, A) || tw_shares(C, B) ? "it is also an input" : NULL);
    return C->m == 0 || C->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_flops_gemm(a->C->type, (double)a->C->m, (double)a->C->n, (double)a->A->n);
}

const struct tw_routine tw_routine_symm = {
    .name = "symm",
    .arguments = 7,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, B), TW_OPERAND(TW_RW, C)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_product,
    .needs = {"Tmm 2mn"}};

const struct tw_routine tw_routine_hemm = {
    .name = "hemm",
    .arguments = 7,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, B), TW_OPERAND(TW_RW, C)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_product,
    .needs = {"Tmm 2mn"}};

int tw_symm(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
            tw_matrix *C)
{
    return tw_run(&tw_routine_symm, &(struct args){side, uplo, 0, alpha, beta, A, B, C});
}

int tw_symm_async(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
                  tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_symm, seq, &(struct args){side, uplo, 0, alpha, beta, A, B, C});
}

int tw_hemm(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
            tw_matrix *C)
{
    return tw_run(&tw_routine_hemm, &(struct args){side, uplo, 1, alpha, beta, A, B, C});
}

int tw_hemm_async(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
                  tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_hemm, seq, &(struct args){side, uplo, 1, alpha, beta, A, B, C});
}
