/* B = alpha op(A) B or alpha B op(A), A triangular, in place: each row (column) of tiles is multiplied while those it
 * still needs hold their old content. */
#include "algorithms/dense/dense_loops.h"

#define B(i, j) tw_tile(B, i, j)
/* Tile (i, j) of op(A), before its own transposition. */
#define OP(i, j) (trans == TW_NOTRANS ? tw_tile(A, i, j) : tw_tile(A, j, i))

/* op(A) block upper triangular: row r needs the rows below, so go down; else up. */
static void left(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_scalar alpha,
                 struct tw_matrix *A, struct tw_matrix *B)
{
    const int down = (uplo == TW_UPPER) == (trans == TW_NOTRANS), mt = B->mt;
    const struct tw_costs c = tw_costs_of(B);
    const double step = c.trmm + c.gemm, total = mt * step;

    for (int s = 0; s < mt && !tw_loop_status(seq); s++) {
        const int r = down ? s : mt - 1 - s, from = down ? r + 1 : 0, to = down ? mt : r;
        for (int j = 0; j < B->nt; j++) {
            tw_task_trmm(seq, tw_priority(seq, (mt - s) * step, total, 1), 'L', (char)uplo, (char)trans, (char)diag,
                         alpha, tw_tile(A, r, r), B(r, j));
            for (int k = from; k < to; k++)
                tw_task_gemm(seq, tw_priority(seq, (mt - s) * step - c.trmm, total, 0), (char)trans, 'N', alpha,
                             OP(r, k), B(k, j), tw_one, B(r, j));
            tw_bring_home(seq, B(r, j));
        }
    }
}

/* op(A) block lower triangular: column r needs the columns on its right, so go to the right; else to the left. */
static void right(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_scalar alpha,
                  struct tw_matrix *A, struct tw_matrix *B)
{
    const int forward = (uplo == TW_LOWER) == (trans == TW_NOTRANS), nt = B->nt;
    const struct tw_costs c = tw_costs_of(B);
    const double step = c.trmm + c.gemm, total = nt * step;

    for (int s = 0; s < nt && !tw_loop_status(seq); s++) {
        const int r = forward ? s : nt - 1 - s, from = forward ? r + 1 : 0, to = forward ? nt : r;
        for (int i = 0; i < B->mt; i++) {
            tw_task_trmm(seq, tw_priority(seq, (nt - s) * step, total, 1), 'R', (char)uplo, (char)trans, (char)diag,
                         alpha, tw_tile(A, r, r), B(i, r));
            for (int k = from; k < to; k++)
                tw_task_gemm(seq, tw_priority(seq, (nt - s) * step - c.trmm, total, 0), 'N', (char)trans, alpha,
                             B(i, k), OP(k, r), tw_one, B(i, r));
            tw_bring_home(seq, B(i, r));
        }
    }
}

void tw_trmm_loop(struct tw_sequence *seq, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag,
                  tw_scalar alpha, struct tw_matrix *A, struct tw_matrix *B)
{
    (side == TW_LEFT ? left : right)(seq, uplo, trans, diag, alpha, A, B);
}

struct args {
    enum tw_side side;
    enum tw_uplo uplo;
    enum tw_trans trans;
    enum tw_diag diag;
    tw_scalar alpha;
    struct tw_matrix *A, *B;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *B;

    if (tw_is(a->B->type, a->alpha, 0)) {
        tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, a->B); /* A is not read, nor is B */
        return;
    }
    B = tw_facing(seq, a->side, a->A, a->B);
    if (B) tw_trmm_loop(seq, a->side, a->uplo, a->trans, a->diag, a->alpha, a->A, B);
    tw_retiled_end(seq, a->B, B, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A, *B = a->B;

    TW_CHECK(who, 1, tw_bad_side(a->side));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 3, tw_bad_trans(a->trans));
    TW_CHECK(who, 4, tw_bad_diag(a->diag));
    TW_CHECK(who, 6, tw_bad_triangle(A, a->uplo));
    TW_CHECK(who, 7, tw_bad_general(B));
    TW_CHECK(who, 7, tw_bad_pair(A, B));
    TW_CHECK(who, 7, A->n != (a->side == TW_LEFT ? B->m : B->n) ? "its shape does not fit A's" : NULL);
    TW_CHECK(who, 7, tw_shares(A, B) ? "it is the matrix A itself" : NULL);
    return B->m == 0 || B->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_flops_trsm(a->B->type, (char)a->side, (double)a->B->m, (double)a->B->n);
}

const struct tw_routine tw_routine_trmm = {.name = "trmm",
                                           .arguments = 7,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops,
                                           .tuning = &tw_tuning_product,
                                           .needs = {"Tmm mn"}};

int tw_trmm(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
            tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_trmm, &(struct args){side, uplo, transa, diag, alpha, A, B});
}

int tw_trmm_async(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
                  tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_trmm, seq, &(struct args){side, uplo, transa, diag, alpha, A, B});
}
