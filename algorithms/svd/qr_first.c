/* Where there are many more rows than columns it is R of a QR factorization that is reduced (Chan, ACM Trans. Math.
 * Softw. 8, 1982): by reflectors, or of very tall matrices by Cholesky factorizations; and the way from R's left
 * vectors to the matrix' own. */
#include "algorithms/dense/tall.h"
#include "algorithms/svd/gesdd.h"

static struct tw_matrix *triangle(struct tw_sequence *seq, const struct tw_svd_problem *p)
{
    struct tw_matrix *R = tw_svd_temporary(seq, p, p->n, p->n, p->nb, p->nb);

    for (int j = 0; R && j < R->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < R->mt; i++) {
            struct tw_data *from = tw_tile(p->X, i, j), *to = tw_tile(R, i, j);
            const struct tw_block block = {.m = to->m, .n = to->n};
            const int priority = tw_priority(seq, 1, 1, 1);
            if (i >= j) tw_task_laset(seq, priority, 'G', tw_zero, tw_zero, to);
            if (i <= j) tw_task_lacpy_part(seq, priority, i == j ? 'U' : 'G', &block, from, to, i < j);
        }
    return R;
}

int tw_svd_tall_begin(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_svd_tall *t)
{
    const char *const before = tw_loop_in_stage(seq, "qr");

    *t = (struct tw_svd_tall){.explicit = tw_svd_problem_by_cholesky(p)};
    if (t->explicit && tw_tall_as_on_gpus()) t->S = tw_svd_temporary(seq, p, p->n, p->n, p->nb, p->nb);
    if (t->explicit && !tw_loop_status(seq) && (t->R = tw_svd_temporary(seq, p, p->n, p->n, p->nb, p->nb)))
        tw_cholqr_loop(seq, p->X, t->R, t->S, NULL);
    if (!t->explicit && (t->tau = tw_svd_temporary(seq, p, p->n, 1, p->nb, 1)) &&
        !tw_reflectors_begin(seq, &t->r, 'C', p->X, p->n)) {
        tw_factor_q_loop(&t->r, t->tau, NULL);
        t->R = triangle(seq, p);
    }
    (void)tw_loop_in_stage(seq, before);
    return t->R ? 0 : -1;
}
void tw_svd_tall_end(struct tw_svd_tall *t)
{
    tw_reflectors_end(&t->r);
    if (t->tau) tw_matrix_free_later(t->tau);
    if (t->R) tw_matrix_free_later(t->R);
    if (t->S) tw_matrix_free_later(t->S);
}

/* Z := inv(S) Z, so that X Z is Q Z. */
static void through_s(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_svd_tall *t,
                      struct tw_matrix *Z)
{
    const char *const before = tw_loop_in_stage(seq, "back_qr");
    struct tw_matrix *Y = tw_retiled(seq, Z, p->nb, Z->nb);

    if (Y) tw_trsm_loop(seq, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, tw_one, t->S, Y, 0);
    tw_retiled_end(seq, Z, Y, 1);
    (void)tw_loop_in_stage(seq, before);
}

/* Q Z, m x columns, Q being X. Z is given back. */
static struct tw_matrix *times_q(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_matrix *Z,
                                 tw_int columns)
{
    const char *const before = tw_loop_in_stage(seq, "back_qr");
    struct tw_matrix *Y = tw_svd_temporary(seq, p, p->m, columns, p->X->mb, Z->nb);

    if (Y) tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, p->X, Z, tw_zero, Y);
    tw_matrix_free_later(Z);
    (void)tw_loop_in_stage(seq, before);
    return Y;
}

/* The same at once where the vectors go, block of rows by block of rows, if they are cut as Q is. */
static int times_q_in_place(struct tw_sequence *seq, const struct tw_svd_problem *p, const struct tw_svd_side *side,
                            struct tw_matrix *Z)
{
    struct tw_matrix *to = side->to;
    const char *before;

    if (side->adjoint || to->m != p->m || to->n != side->columns || Z->n != to->n ||
        !tw_same_cuts(p->m, to->mb, p->X->mb))
        return 0;
    before = tw_loop_in_stage(seq, "back_qr");
    tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, p->X, Z, tw_zero, to);
    tw_matrix_free_later(Z);
    (void)tw_loop_in_stage(seq, before);
    return 1;
}

/* Q (Z 0; 0 I), m x columns. Z, n rows, is given back. */
static struct tw_matrix *through_q(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_svd_tall *t,
                                   struct tw_matrix *Z, tw_int columns)
{
    const char *const before = tw_loop_in_stage(seq, "back_qr");
    struct tw_matrix *Y = tw_svd_temporary(seq, p, p->m, columns, p->nb, Z->nb);

    for (int j = 0; Y && j < Y->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < Y->mt; i++) {
            const tw_int rows = tw_min(p->nb, p->n - i * p->nb);
            const struct tw_block block = {
                .m = (int)rows, .n = (int)tw_min(Y->nb, Z->n - j * Y->nb), .ai = (int)(i * p->nb)};
            const int piece = rows > 0 && j < Z->nt,
                      whole = piece && block.m == tw_tile_rows(Y, i) && block.n == tw_tile_cols(Y, j);
            if (!whole)
                tw_task_laset_diagonal(seq, tw_priority(seq, 0, 1, 0), tw_zero, tw_one, j * Y->nb - i * p->nb,
                                       tw_tile(Y, i, j));
            if (piece)
                tw_task_lacpy_block(seq, tw_priority(seq, 0, 1, 0), &block, tw_tile(Z, 0, j), tw_tile(Y, i, j), whole);
        }
    tw_matrix_free_later(Z);
    if (Y) tw_apply_q_loop(&t->r, t->tau, 'L', TW_NOTRANS, Y, 0);
    (void)tw_loop_in_stage(seq, before);
    return Y;
}

struct tw_matrix *tw_svd_tall_back(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_svd_tall *t,
                                   const struct tw_svd_side *side, struct tw_matrix *Z)
{
    if (t->S) through_s(seq, p, t, Z);
    if (t->explicit && times_q_in_place(seq, p, side, Z)) return NULL;
    return t->explicit ? times_q(seq, p, Z, side->columns) : through_q(seq, p, t, Z, side->columns);
}
