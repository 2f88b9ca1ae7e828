/* All of a singular value problem by LAPACK's gesdd, as one task; of gesvdx what is wanted of it. */
#include <math.h>
#include "algorithms/svd/gesdd.h"
#include "runtime/base/account.h"
#include "runtime/task/arrays.h"
#include "runtime/task/when.h"

/* m rows and n columns, from (row, column) on, of a matrix in one tile. */
static void copy_part(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_matrix *from, tw_int row,
                      tw_int column, tw_int m, tw_int n, struct tw_matrix *to)
{
    const struct tw_block block = {.m = (int)m, .n = (int)n, .ai = (int)row, .aj = (int)column};
    struct tw_matrix *part = m == from->m && n == from->n ? from : tw_svd_temporary(seq, p, m, n, m, n);

    if (part && part != from)
        tw_task_lacpy_block(seq, tw_priority(seq, 1, 1, 1), &block, tw_tile(from, 0, 0), tw_tile(part, 0, 0), 1);
    if (part) tw_copy_home_loop(seq, part, to);
    if (part && part != from) tw_matrix_free_later(part);
}

/* What LAPACK found, m x any and any x n; and of gesvdx what is wanted of it. */
struct by_lapack {
    struct tw_svd_problem p;
    struct tw_matrix *U, *VT;
};
static void selected(struct tw_sequence *seq, const void *value, void *args)
{
    const int64_t *found = value;
    const struct by_lapack *w = args;
    const struct tw_svd_problem *p = &w->p;

    if (tw_svd_told(seq, p, found[1]) || found[1] == 0) return;
    if (p->left.to) copy_part(seq, p, w->U, 0, found[0], w->U->m, found[1], p->left.to);
    if (p->right.to) copy_part(seq, p, w->VT, found[0], 0, found[1], w->VT->n, p->right.to);
}
static void select_some(struct tw_sequence *seq, const struct by_lapack *w)
{
    const struct tw_svd_problem *p = &w->p;
    const int64_t modelled[2] = {0, 1};
    const struct tw_use uses[] = {
        {NULL, w->U, TW_R}, {NULL, w->VT, TW_R}, {NULL, p->left.to, TW_RW}, {NULL, p->right.to, TW_RW}};
    struct tw_data *found = tw_data_vector_of(TW_INT64, 2, (int[2]){-1, -1});

    if (!found) {
        tw_svd_no_memory(seq, "two numbers");
        return;
    }
    tw_task_bdsvdx_select(seq, tw_priority(seq, 1, 1, 1), &p->wanted, p->n, p->s, found, tw_info(seq));
    tw_when(seq, found, modelled, uses, 4, selected, w, sizeof *w);
    tw_data_free_later(found);
}

/* X is A itself here, in one tile. */
void tw_svd_by_lapack(struct tw_sequence *seq, const void *value, void *problem)
{
    struct tw_svd_problem *p = problem;
    const tw_int m = p->X->m, n = p->X->n;
    const int vectors = p->left.to || p->right.to,
              all = !p->some && (p->left.columns > p->n || p->right.columns > p->n);
    struct by_lapack w = {.p = *p};

    if (!isfinite(*(const double *)value)) {
        tw_svd_not_finite(seq, p);
        return;
    }
    tw_account_figure("route", TW_ROUTE_LAPACK);
    if (vectors) {
        const tw_int u = all ? m : p->n, v = all ? n : p->n;
        w.U = tw_svd_temporary(seq, p, m, u, m, u);
        w.VT = tw_svd_temporary(seq, p, v, n, v, n);
    }
    if (!vectors || (w.U && w.VT)) {
        tw_task_gesdd(seq, tw_priority(seq, 1, 1, 1),
                      !vectors ? 'N'
                      : all    ? 'A'
                               : 'S',
                      tw_tile(p->X, 0, 0), p->s, w.U ? tw_tile(w.U, 0, 0) : NULL, w.VT ? tw_tile(w.VT, 0, 0) : NULL,
                      tw_info(seq));
        if (p->some)
            select_some(seq, &w);
        else if (p->left.to)
            copy_part(seq, p, w.U, 0, 0, m, p->left.columns, p->left.to);
        if (!p->some && p->right.to) copy_part(seq, p, w.VT, 0, 0, p->right.columns, n, p->right.to);
    }
    if (w.U) tw_matrix_free_later(w.U);
    if (w.VT) tw_matrix_free_later(w.VT);
}
