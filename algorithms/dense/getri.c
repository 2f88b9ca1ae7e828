/* inv(A) from the factors of P A = L U, over them: inv(U) first, then X L = inv(U) is solved for X = inv(A) P^T from
 * the last block column to the first, then X's columns are exchanged (Du Croz and Higham, "Stability of methods for
 * matrix inversion", IMA J. Numer. Anal. 12, 1992: method 1 of section 3, LAPACK's).
 *
 * In block column j the new columns to its right are multiplied with a copy of L's block column and subtracted, and
 * what is left is solved with L's diagonal tile. Rows of tiles do not need each other: only the copies of L are common
 * to all. */
#include "algorithms/dense/dense_loops.h"

#define A(i, j) tw_tile(A, i, j)

struct args {
    struct tw_matrix *A, *ipiv;
};

/* L's block column j from its diagonal tile down, out of A's way: W(0) has U's part of that tile, too. */
static struct tw_matrix *take_l(struct tw_sequence *seq, int priority, struct tw_matrix *A, int j)
{
    struct tw_matrix *W = tw_matrix_temporary(A->type, A->m - j * A->mb, tw_tile_cols(A, j), A->mb, A->nb);

    if (!W) {
        tw_loop_fail(seq, TW_E_MEMORY, "getri: a block column: %s", tw_last_message());
        return NULL;
    }
    for (int i = j; i < A->mt; i++)
        tw_task_lacpy(seq, priority, 'G', A(i, j), tw_tile(W, i - j, 0));
    tw_task_laset(seq, priority, 'G', tw_zero, tw_zero, A(j, j));
    tw_task_lacpy(seq, priority, 'U', tw_tile(W, 0, 0), A(j, j));
    return W;
}

/* X L = inv(U) for block column j of X. */
static void column(struct tw_sequence *seq, struct tw_matrix *A, int j)
{
    const struct tw_costs c = tw_costs_of(A);
    const double total = A->nt * (c.trsm + c.gemm), level = (j + 1) * (c.trsm + c.gemm);
    const int panel = tw_priority(seq, level, total, 1), update = tw_priority(seq, level, total, 0);
    struct tw_matrix *W = take_l(seq, panel, A, j);

    if (!W) return;
    for (int i = 0; i < A->mt; i++) {
        for (int k = j + 1; k < A->nt; k++) /* below the diagonal L was, which the first product overwrites */
            tw_task_gemm(seq, update, 'N', 'N', tw_minus_one, A(i, k), tw_tile(W, k - j, 0),
                         i > j && k == j + 1 ? tw_zero : tw_one, A(i, j));
        tw_task_trsm(seq, panel, 'R', 'L', 'N', 'U', tw_one, tw_tile(W, 0, 0), A(i, j));
    }
    tw_matrix_free_later(W);
}

/* A block row's columns, exchanged as rows of its transpose, which is what the pivots' task does. */
static void exchange(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *ipiv, int i)
{
    const int priority = tw_priority(seq, 0, 1, 0);
    struct tw_matrix *T = tw_matrix_temporary(A->type, A->n, tw_tile_rows(A, i), A->nb, tw_tile_rows(A, i));

    if (!T) {
        tw_loop_fail(seq, TW_E_MEMORY, "getri: a block row: %s", tw_last_message());
        return;
    }
    for (int k = 0; k < A->nt; k++)
        tw_task_transpose(seq, priority, 'T', A(i, k), tw_tile(T, k, 0));
    tw_task_laswp(seq, priority, 'B', T->tile, T->mt, 0, ipiv->tile, ipiv->mt, 0);
    for (int k = 0; k < A->nt; k++) {
        tw_task_transpose(seq, priority, 'T', tw_tile(T, k, 0), A(i, k));
        tw_bring_home(seq, A(i, k));
    }
    tw_matrix_free_later(T);
}

static void invert(struct tw_sequence *seq, const void *info, void *p)
{
    const struct args *a = p;

    if (*(const int64_t *)info != 0) return;
    tw_trtri_loop(seq, TW_UPPER, TW_NONUNIT, a->A, 0);
    for (int j = a->A->nt - 1; j >= 0 && !tw_loop_status(seq); j--)
        column(seq, a->A, j);
    for (int i = 0; i < a->A->mt && !tw_loop_status(seq); i++)
        exchange(seq, a->A, a->ipiv, i);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);
    const struct args then = {A, a->ipiv};
    const struct tw_use uses[] = {{NULL, A, TW_RW}, {NULL, a->ipiv, TW_R}};

    if (!A) return;
    tw_when_regular(seq, A, uses, 2, invert, &then, sizeof then);
    tw_retiled_end(seq, a->A, A, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_square(a->A));
    TW_CHECK(who, 2, tw_bad_pivots(a->ipiv, a->A));
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_getri(A->type, (double)A->n);
}

/* Copies of L's block columns, all of which may be there at a time, and of A's block rows, which wait for the last
 * column. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return (double)tw_sizeof(s->type) * (tw_tile_triangle(s->n, nb) + (double)s->n * (double)s->n);
}

const struct tw_routine tw_routine_getri = {.name = "getri",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, ipiv)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_lu,
                                            .needs = {.given = "nn n1:i", .own_bytes = own_bytes}};

int tw_getri(tw_matrix *A, tw_matrix *ipiv)
{
    return tw_run(&tw_routine_getri, &(struct args){A, ipiv});
}

int tw_getri_async(tw_matrix *A, tw_matrix *ipiv, tw_sequence *seq)
{
    return tw_queue(&tw_routine_getri, seq, &(struct args){A, ipiv});
}
