/* A singular value problem from the caller's matrix on: its copy, or its adjoint's where there are fewer rows than
 * columns; which way it goes. One graph; what waits for a value, without holding up other work, is the reduction: for
 * A's largest element, by which it is decided whether to scale. */
#include <math.h>
#include "algorithms/dense/tall.h"
#include "algorithms/eigen/from_band.h"
#include "algorithms/svd/gesdd.h"
#include "runtime/base/variables.h"
#include "runtime/task/arrays.h"
#include "runtime/task/when.h"

int tw_svd_band(tw_int n)
{
    tw_int b = 64;

    (void)tw_variable_integer(TW_TILEWORK_BAND, &b); /* checked before */
    return (int)tw_max(1, tw_min(b, n - 1));
}
int tw_svd_problem_by_cholesky(const struct tw_svd_problem *p)
{
    return tw_svd_by_cholesky(p->m, p->n, p->left.to && !p->some ? p->left.columns : 0);
}
/* Rows of X's tiles. */
static tw_int rows_of_tiles(const struct tw_svd_problem *p)
{
    return tw_svd_problem_by_cholesky(p) ? tw_tall_rows_of_products(p->type, p->m, p->n, p->nb) : p->nb;
}
void tw_svd_no_memory(struct tw_sequence *seq, const char *what)
{
    if (!tw_loop_status(seq)) tw_loop_fail(seq, TW_E_MEMORY, "%s: %s", what, tw_last_message());
}
struct tw_matrix *tw_svd_temporary(struct tw_sequence *seq, const struct tw_svd_problem *p, tw_int m, tw_int n,
                                   tw_int mb, tw_int nb)
{
    struct tw_matrix *T = tw_matrix_temporary(p->type, m, n, mb, nb);
    if (!T) tw_svd_no_memory(seq, "a matrix of singular vectors");
    return T;
}

static struct tw_matrix *copy_of(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_matrix *A,
                                 int adjoint_)
{
    const tw_int mb = rows_of_tiles(p);
    struct tw_matrix *T = adjoint_ ? tw_retiled(seq, A, p->nb, mb) : tw_copied(seq, A, mb, p->nb), *X = T;

    if (!T || !adjoint_) return T;
    X = tw_adjoint(seq, T);
    tw_retiled_end(seq, A, T, 0);
    return X;
}

static tw_int room_of(const struct tw_svd_side *side)
{
    return !side->to ? INT64_MAX : side->adjoint ? side->to->m : side->to->n;
}
int tw_svd_told(struct tw_sequence *seq, const struct tw_svd_problem *p, tw_int count)
{
    if (p->ns) *p->ns = count;
    return tw_too_many_singular(seq, tw_min(room_of(&p->left), room_of(&p->right)), count);
}

void tw_svd_not_finite(struct tw_sequence *seq, const struct tw_svd_problem *p)
{
    const tw_int known = p->some && p->wanted.which == TW_INDICES ? tw_numbers(p->wanted.il, p->wanted.iu) : p->n;

    for (tw_int i = 0; i < known; i++)
        p->s[i] = NAN;
    if (p->ns) *p->ns = 0;
    tw_loop_info(seq, p->some ? 2 * p->n + 1 : p->n); /* LAPACK's */
}

static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    struct tw_svd_problem *p = args;
    struct tw_svd_tall t;
    const double norm = *(const double *)value;
    const char *before;

    if (!isfinite(norm)) {
        tw_svd_not_finite(seq, p);
        return;
    }
    p->scale = tw_scale_of(p->type, norm);
    before = tw_loop_in_stage(seq, "band");
    if (p->scale != 1) tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){p->scale, 0}, p->X);
    (void)tw_loop_in_stage(seq, before);
    if (!tw_svd_by_qr(p->m, p->n)) {
        tw_svd_two_stages(seq, p, NULL);
        return;
    }
    if (tw_svd_tall_begin(seq, p, &t)) {
        tw_svd_tall_end(&t);
        return;
    }
    tw_loop_barrier(seq);
    tw_svd_two_stages(seq, p, &t);
}

static void find(struct tw_sequence *seq, struct tw_matrix *A, struct tw_svd_problem p, struct tw_svd_side U,
                 struct tw_svd_side Vt)
{
    static const double modelled = 1;
    const int wide = A->m < A->n;
    const struct tw_use uses[] = {{U.token, U.to, TW_RW}, {Vt.token, Vt.to, TW_RW}};
    const char *before;
    struct tw_data *norm;

    p.type = A->type, p.m = tw_max(A->m, A->n), p.n = tw_min(A->m, A->n), p.scale = 1;
    p.left = (struct tw_svd_side){.to = U.to, .columns = U.columns};
    p.right = (struct tw_svd_side){.to = Vt.to, .columns = Vt.columns, .adjoint = 1};
    for (tw_int i = 0; p.superb && i + 1 < p.n; i++)
        p.superb[i] = 0;      /* all converged, if no task says otherwise */
    (void)tw_route(&p.route); /* checked before */
    p.b = tw_svd_band(p.n);
    p.nb = tw_order_of_tiles(A->type, tw_min(A->nb, tw_max(A->m, A->n)), p.b);
    before = tw_loop_in_stage(seq, p.route == TW_ROUTE_LAPACK ? NULL : "band"); /* of which A's copy is the beginning */
    if (p.route == TW_ROUTE_LAPACK) {
        p.X = tw_copied(seq, A, A->m, A->n);
    } else {
        if (wide)
            p.left = (struct tw_svd_side){.to = Vt.to, .columns = Vt.columns, .adjoint = 1},
            p.right = (struct tw_svd_side){.to = U.to, .columns = U.columns};
        p.X = copy_of(seq, &p, A, wide);
    }
    norm = p.X ? tw_max_norm_tasks(seq, p.X) : NULL;
    (void)tw_loop_in_stage(seq, before);
    if (norm) {
        const struct tw_use all[] = {{NULL, p.X, TW_RW}, uses[0], uses[1]};
        tw_when(seq, norm, &modelled, all, 3, p.route == TW_ROUTE_LAPACK ? tw_svd_by_lapack : with_norm, &p, sizeof p);
        tw_data_free_later(norm);
    }
    if (p.X) tw_matrix_free_later(p.X);
}

void tw_gesdd_loop(struct tw_sequence *seq, struct tw_matrix *A, double *s, double *superb, struct tw_svd_side U,
                   struct tw_svd_side Vt)
{
    find(seq, A, (struct tw_svd_problem){.s = s, .superb = superb}, U, Vt);
}
void tw_gesvdx_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_wanted wanted, tw_int *ns, double *s,
                    struct tw_svd_side U, struct tw_svd_side Vt)
{
    find(seq, A, (struct tw_svd_problem){.s = s, .some = 1, .wanted = wanted, .ns = ns}, U, Vt);
}
