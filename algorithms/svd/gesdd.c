/* Singular values and vectors of a general matrix by two stages: dense to triangular band (ge2tb), band to bidiagonal
 * (tb2bd), the bidiagonal matrix (bdsdc.c), and back: U = U1 (U2 U3), V = V1 (V2 V3). Where there are many more rows
 * than columns it is R of A's QR factorization that is reduced (Chan, ACM Trans. Math. Softw. 8, 1982), and where there
 * are fewer, A's adjoint. One graph; what waits for a value, without holding up other work, is the reduction: for A's
 * largest element, by which it is decided whether to scale. */
#include <math.h>
#include "algorithms/dense/reflectors.h"
#include "algorithms/dense/tall.h"
#include "algorithms/eigen/from_band.h"
#include "algorithms/svd/gesdd.h"
#include "runtime/base/account.h"
#include "runtime/base/variables.h"
#include "runtime/task/arrays.h"
#include "runtime/task/when.h"

/* One call. X, m x n with m >= n, is A, or its adjoint: what is reduced. */
struct problem {
    enum tw_type type;
    tw_int m, n, nb; /* nb: of X's tiles */
    int b;
    double scale; /* by which X is multiplied */
    double *s, *superb;
    struct tw_matrix *X;
    struct tw_svd_side left, right; /* X's U and V */
    enum tw_route route;
    int some; /* gesvdx: those that are wanted, and to whom their number is told */
    struct tw_wanted wanted;
    tw_int *ns;
};

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

int tw_svd_band(tw_int n)
{
    tw_int b = 64;

    (void)tw_variable_integer(TW_TILEWORK_BAND, &b); /* checked before */
    return (int)tw_max(1, tw_min(b, n - 1));
}
static int by_qr(const struct problem *p)
{
    return tw_svd_by_qr(p->m, p->n);
}
static int by_cholesky(const struct problem *p)
{
    return tw_svd_by_cholesky(p->m, p->n, p->left.to && !p->some ? p->left.columns : 0);
}
/* Rows of X's tiles. */
static tw_int rows_of_tiles(const struct problem *p)
{
    return by_cholesky(p) ? tw_tall_rows_of_products(p->type, p->m, p->n, p->nb) : p->nb;
}
static void no_memory(struct tw_sequence *seq, const char *what)
{
    if (!tw_loop_status(seq)) tw_loop_fail(seq, TW_E_MEMORY, "%s: %s", what, tw_last_message());
}
static struct tw_matrix *temporary(struct tw_sequence *seq, const struct problem *p, tw_int m, tw_int n, tw_int mb,
                                   tw_int nb)
{
    struct tw_matrix *T = tw_matrix_temporary(p->type, m, n, mb, nb);
    if (!T) no_memory(seq, "a matrix of singular vectors");
    return T;
}

/* ---- from and to the caller's matrices --------------------------------------------------------------------------- */

static struct tw_matrix *copy_of(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *A, int adjoint_)
{
    const tw_int mb = rows_of_tiles(p);
    struct tw_matrix *T = adjoint_ ? tw_retiled(seq, A, p->nb, mb) : tw_copied(seq, A, mb, p->nb), *X = T;

    if (!T || !adjoint_) return T;
    X = tw_adjoint(seq, T);
    tw_retiled_end(seq, A, T, 0);
    return X;
}

/* ---- QR first ---------------------------------------------------------------------------------------------------- */

struct tall {
    struct tw_reflectors r;
    struct tw_matrix *tau, *R;
    int explicit;        /* X is Q, and there are no reflectors; */
    struct tw_matrix *S; /* or X inv(S) is (NULL: it is not so) */
};

static struct tw_matrix *triangle(struct tw_sequence *seq, const struct problem *p)
{
    struct tw_matrix *R = temporary(seq, p, p->n, p->n, p->nb, p->nb);

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

static int tall_begin(struct tw_sequence *seq, const struct problem *p, struct tall *t)
{
    const char *const before = tw_loop_in_stage(seq, "qr");

    *t = (struct tall){.explicit = by_cholesky(p)};
    if (t->explicit && tw_tall_as_on_gpus()) t->S = temporary(seq, p, p->n, p->n, p->nb, p->nb);
    if (t->explicit && !tw_loop_status(seq) && (t->R = temporary(seq, p, p->n, p->n, p->nb, p->nb)))
        tw_cholqr_loop(seq, p->X, t->R, t->S, NULL);
    if (!t->explicit && (t->tau = temporary(seq, p, p->n, 1, p->nb, 1)) &&
        !tw_reflectors_begin(seq, &t->r, 'C', p->X, p->n)) {
        tw_factor_q_loop(&t->r, t->tau, NULL);
        t->R = triangle(seq, p);
    }
    (void)tw_loop_in_stage(seq, before);
    return t->R ? 0 : -1;
}
static void tall_end(struct tall *t)
{
    tw_reflectors_end(&t->r);
    if (t->tau) tw_matrix_free_later(t->tau);
    if (t->R) tw_matrix_free_later(t->R);
    if (t->S) tw_matrix_free_later(t->S);
}

/* Z := inv(S) Z, so that X Z is Q Z. */
static void through_s(struct tw_sequence *seq, const struct problem *p, struct tall *t, struct tw_matrix *Z)
{
    const char *const before = tw_loop_in_stage(seq, "back_qr");
    struct tw_matrix *Y = tw_retiled(seq, Z, p->nb, Z->nb);

    if (Y) tw_trsm_loop(seq, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, tw_one, t->S, Y, 0);
    tw_retiled_end(seq, Z, Y, 1);
    (void)tw_loop_in_stage(seq, before);
}

/* Q Z, m x columns, Q being X. Z is given back. */
static struct tw_matrix *times_q(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *Z, tw_int columns)
{
    const char *const before = tw_loop_in_stage(seq, "back_qr");
    struct tw_matrix *Y = temporary(seq, p, p->m, columns, p->X->mb, Z->nb);

    if (Y) tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, p->X, Z, tw_zero, Y);
    tw_matrix_free_later(Z);
    (void)tw_loop_in_stage(seq, before);
    return Y;
}

/* The same at once where the vectors go, block of rows by block of rows, if they are cut as Q is. */
static int times_q_in_place(struct tw_sequence *seq, const struct problem *p, const struct tw_svd_side *side,
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
static struct tw_matrix *through_q(struct tw_sequence *seq, const struct problem *p, struct tall *t,
                                   struct tw_matrix *Z, tw_int columns)
{
    const char *const before = tw_loop_in_stage(seq, "back_qr");
    struct tw_matrix *Y = temporary(seq, p, p->m, columns, p->nb, Z->nb);

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

/* ---- the stages -------------------------------------------------------------------------------------------------- */

struct stages {
    struct problem p;
    struct tall *tall, own; /* NULL, or QR came first */
    struct tw_matrix *A;    /* X or R */
    struct tw_ge2tb q;
    struct tw_band *B;
    struct tw_chase *u, *v;
    struct tw_data *d, *e;
    struct tw_matrix *U, *V; /* the bidiagonal matrix' vectors on their way back; NULL: not asked for, or gone */
};

static struct tw_data *reals(const struct problem *p, tw_int length)
{
    return tw_data_vector_of(tw_real_type(p->type), (size_t)tw_max(1, length), (int[2]){-1, -1});
}

/* Whole blocks of columns of (U3 0; 0 I), or V3. tall: further columns are Q's. */
static struct tw_matrix *side_begin(struct tw_sequence *seq, const struct problem *p, const struct tw_svd_side *side,
                                    tw_int rows, int tall)
{
    const tw_int columns = tall ? tw_min(side->columns, p->n) : side->columns;
    return temporary(seq, p, rows, columns, rows, tw_columns_of_block(columns));
}

static int stages_begin(struct tw_sequence *seq, struct stages *x)
{
    const struct problem *p = &x->p;

    if (tw_ge2tb_begin(seq, &x->q, x->A->m, p->n, p->b)) return -1;
    x->B = tw_band_create_triangular(seq, p->type, p->n, p->b);
    x->u = p->left.to ? tw_chase_create(seq, p->type, p->n, p->b) : NULL;
    x->v = p->right.to ? tw_chase_create(seq, p->type, p->n, p->b) : NULL;
    x->d = reals(p, p->n), x->e = reals(p, p->n - 1);
    if (x->B && x->d && x->e && (!p->left.to || x->u) && (!p->right.to || x->v)) return 0;
    no_memory(seq, "a singular value problem");
    return -1;
}

static void stages_end(struct stages *x)
{
    if (x->d) tw_data_free_later(x->d);
    if (x->e) tw_data_free_later(x->e);
    if (x->U) tw_matrix_free_later(x->U);
    if (x->V) tw_matrix_free_later(x->V);
    tw_chase_free_later(x->u);
    tw_chase_free_later(x->v);
    if (x->B) tw_band_free_later(x->B);
    tw_ge2tb_end(&x->q);
    if (x->tall) tall_end(&x->own);
}
static void release(void *args)
{
    stages_end(args);
}

static void back_bidiagonal(struct tw_sequence *seq, struct stages *x, int right)
{
    struct tw_matrix *Z = right ? x->V : x->U;
    if (Z) tw_chase_apply_loop(seq, right ? x->v : x->u, "back_bidiagonal", Z);
}
static void back_band(struct tw_sequence *seq, struct stages *x, int right)
{
    const struct problem *p = &x->p;
    const struct tw_svd_side *side = right ? &p->right : &p->left;
    struct tw_matrix *Z = right ? x->V : x->U;

    if (!Z) return;
    if (right)
        x->V = NULL;
    else
        x->U = NULL;
    if (right)
        tw_ge2tb_right_loop(seq, &x->q, Z);
    else
        tw_ge2tb_left_loop(seq, &x->q, Z);
    if (!right && x->tall) {
        tw_loop_barrier(seq);
        if (x->own.S) through_s(seq, p, &x->own, Z);
        if (x->own.explicit && times_q_in_place(seq, p, side, Z)) return;
        Z = x->own.explicit ? times_q(seq, p, Z, side->columns) : through_q(seq, p, &x->own, Z, side->columns);
    }
    if (Z) tw_leave_side(seq, side, Z);
}

/* One side after the other; between barriers stage by stage, V first, which has nothing to do behind the last one. */
static void back(struct tw_sequence *seq, struct stages *x)
{
    const int barriers = tw_loop_has_barriers(seq);

    back_bidiagonal(seq, x, 0);
    if (!barriers) back_band(seq, x, 0);
    back_bidiagonal(seq, x, 1);
    tw_loop_barrier(seq);
    back_band(seq, x, 1);
    if (barriers) back_band(seq, x, 0);
}

/* C is there: its values, and vectors on their way back. */
static void solve(struct tw_sequence *seq, struct stages *x, tw_int first, tw_int count)
{
    struct problem *p = &x->p;

    if (p->some) p->left.columns = p->right.columns = count;
    x->U = p->left.to ? side_begin(seq, p, &p->left, x->A->m, x->tall != NULL) : NULL;
    x->V = p->right.to ? side_begin(seq, p, &p->right, p->n, 0) : NULL;
    if ((p->left.to && !x->U) || (p->right.to && !x->V)) return;
    if (p->some) {
        tw_bdsvdx_values_loop(seq, 1 / p->scale, x->d, x->e, first, count, p->s);
        if (x->U || x->V) tw_bdsdc_some_loop(seq, 1, x->d, x->e, first, count, NULL, x->U, x->V);
    } else {
        tw_bdsdc_loop(seq, 1 / p->scale, x->d, x->e, p->s, p->superb, x->U, x->V);
    }
    tw_loop_barrier(seq);
    back(seq, x);
}

/* ---- some of them ------------------------------------------------------------------------------------------------ */

static tw_int room_of(const struct tw_svd_side *side)
{
    return !side->to ? INT64_MAX : side->adjoint ? side->to->m : side->to->n;
}
/* 0, or the sequence has failed. */
static int told(struct tw_sequence *seq, const struct problem *p, tw_int count)
{
    if (p->ns) *p->ns = count;
    return tw_too_many_singular(seq, tw_min(room_of(&p->left), room_of(&p->right)), count);
}

static void counted(struct tw_sequence *seq, const void *value, void *args)
{
    const int64_t *found = value;
    struct stages *x = args;

    if (x->tall) x->tall = &x->own;
    if (!told(seq, &x->p, found[1]) && found[1] > 0) solve(seq, x, found[0], found[1]);
}

/* How many an interval holds is known when C is; the continuation has its own *x then. */
static void count(struct tw_sequence *seq, struct stages *x)
{
    const struct problem *p = &x->p;
    const int64_t modelled[2] = {0, tw_max(1, p->n / 10)};
    const struct tw_use uses[] = {{NULL, p->X, TW_RW}, {NULL, p->left.to, TW_RW}, {NULL, p->right.to, TW_RW}};
    struct tw_data *found = tw_data_vector_of(TW_INT64, 2, (int[2]){-1, -1});
    const char *before;

    if (!found) {
        no_memory(seq, "two numbers");
        stages_end(x);
        return;
    }
    before = tw_loop_in_stage(seq, "solve");
    tw_task_bdsvdx_count(seq, tw_priority(seq, 2, 2, 1), p->wanted.vl * p->scale, p->wanted.vu * p->scale, x->d, x->e,
                         found, tw_info(seq));
    (void)tw_loop_in_stage(seq, before);
    tw_when_owning(seq, found, modelled, uses, 3, counted, release, x, sizeof *x);
    tw_data_free_later(found);
}

/* Numbers that are known before. */
static void numbers(const struct problem *p, tw_int *first, tw_int *count)
{
    const int indices = p->some && p->wanted.which == TW_INDICES;

    *first = indices ? p->wanted.il - 1 : 0;
    *count = indices ? tw_numbers(p->wanted.il, p->wanted.iu) : p->n;
}

/* x, which is given back, has the problem, and what QR made. */
static void two_stages(struct tw_sequence *seq, struct stages *x)
{
    const struct problem *p = &x->p;
    tw_int first, wanted;

    tw_account_figure("route", TW_ROUTE_TWO);
    tw_account_figure("band", p->b);
    x->A = x->tall ? x->own.R : p->X;
    if (!stages_begin(seq, x)) {
        tw_ge2tb_loop(seq, &x->q, x->A, x->B, p->left.to != NULL, p->right.to != NULL);
        tw_loop_barrier(seq);
        tw_tb2bd_loop(seq, x->B, x->d, x->e, x->u, x->v, tw_info(seq));
        tw_loop_barrier(seq);
        if (p->some && p->wanted.which == TW_INTERVAL) {
            count(seq, x);
            return;
        }
        numbers(p, &first, &wanted);
        if ((!p->some || !told(seq, p, wanted)) && wanted > 0) solve(seq, x, first, wanted);
    }
    stages_end(x);
}

static void not_finite(struct tw_sequence *seq, const struct problem *p)
{
    const tw_int known = p->some && p->wanted.which == TW_INDICES ? tw_numbers(p->wanted.il, p->wanted.iu) : p->n;

    for (tw_int i = 0; i < known; i++)
        p->s[i] = NAN;
    if (p->ns) *p->ns = 0;
    tw_loop_info(seq, p->some ? 2 * p->n + 1 : p->n); /* LAPACK's */
}

static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    struct problem *p = args;
    struct stages x = {.tall = NULL};
    const double norm = *(const double *)value;
    const char *before;

    if (!isfinite(norm)) {
        not_finite(seq, p);
        return;
    }
    p->scale = tw_scale_of(p->type, norm);
    before = tw_loop_in_stage(seq, "band");
    if (p->scale != 1) tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){p->scale, 0}, p->X);
    (void)tw_loop_in_stage(seq, before);
    x.p = *p;
    if (by_qr(p)) {
        x.tall = &x.own;
        if (tall_begin(seq, p, &x.own)) {
            tall_end(&x.own);
            return;
        }
        tw_loop_barrier(seq);
    }
    two_stages(seq, &x);
}

/* ---- LAPACK's own, as one task ----------------------------------------------------------------------------------- */

/* m rows and n columns, from (row, column) on, of a matrix in one tile. */
static void copy_part(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *from, tw_int row,
                      tw_int column, tw_int m, tw_int n, struct tw_matrix *to)
{
    const struct tw_block block = {.m = (int)m, .n = (int)n, .ai = (int)row, .aj = (int)column};
    struct tw_matrix *part = m == from->m && n == from->n ? from : temporary(seq, p, m, n, m, n);

    if (part && part != from)
        tw_task_lacpy_block(seq, tw_priority(seq, 1, 1, 1), &block, tw_tile(from, 0, 0), tw_tile(part, 0, 0), 1);
    if (part) tw_copy_home_loop(seq, part, to);
    if (part && part != from) tw_matrix_free_later(part);
}

/* What LAPACK found, m x any and any x n; and of gesvdx what is wanted of it. */
struct by_lapack {
    struct problem p;
    struct tw_matrix *U, *VT;
};
static void selected(struct tw_sequence *seq, const void *value, void *args)
{
    const int64_t *found = value;
    const struct by_lapack *w = args;
    const struct problem *p = &w->p;

    if (told(seq, p, found[1]) || found[1] == 0) return;
    if (p->left.to) copy_part(seq, p, w->U, 0, found[0], w->U->m, found[1], p->left.to);
    if (p->right.to) copy_part(seq, p, w->VT, found[0], 0, found[1], w->VT->n, p->right.to);
}
static void select_some(struct tw_sequence *seq, const struct by_lapack *w)
{
    const struct problem *p = &w->p;
    const int64_t modelled[2] = {0, 1};
    const struct tw_use uses[] = {
        {NULL, w->U, TW_R}, {NULL, w->VT, TW_R}, {NULL, p->left.to, TW_RW}, {NULL, p->right.to, TW_RW}};
    struct tw_data *found = tw_data_vector_of(TW_INT64, 2, (int[2]){-1, -1});

    if (!found) {
        no_memory(seq, "two numbers");
        return;
    }
    tw_task_bdsvdx_select(seq, tw_priority(seq, 1, 1, 1), &p->wanted, p->n, p->s, found, tw_info(seq));
    tw_when(seq, found, modelled, uses, 4, selected, w, sizeof *w);
    tw_data_free_later(found);
}

/* X is A itself here, in one tile. */
static void with_norm_lapack(struct tw_sequence *seq, const void *value, void *args)
{
    struct problem *p = args;
    const tw_int m = p->X->m, n = p->X->n;
    const int vectors = p->left.to || p->right.to,
              all = !p->some && (p->left.columns > p->n || p->right.columns > p->n);
    struct by_lapack w = {.p = *p};

    if (!isfinite(*(const double *)value)) {
        not_finite(seq, p);
        return;
    }
    tw_account_figure("route", TW_ROUTE_LAPACK);
    if (vectors) {
        const tw_int u = all ? m : p->n, v = all ? n : p->n;
        w.U = temporary(seq, p, m, u, m, u);
        w.VT = temporary(seq, p, v, n, v, n);
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

/* ---- the routine ------------------------------------------------------------------------------------------------- */

static void find(struct tw_sequence *seq, struct tw_matrix *A, struct problem p, struct tw_svd_side U,
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
        tw_when(seq, norm, &modelled, all, 3, p.route == TW_ROUTE_LAPACK ? with_norm_lapack : with_norm, &p, sizeof p);
        tw_data_free_later(norm);
    }
    if (p.X) tw_matrix_free_later(p.X);
}

void tw_gesdd_loop(struct tw_sequence *seq, struct tw_matrix *A, double *s, double *superb, struct tw_svd_side U,
                   struct tw_svd_side Vt)
{
    find(seq, A, (struct problem){.s = s, .superb = superb}, U, Vt);
}
void tw_gesvdx_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_wanted wanted, tw_int *ns, double *s,
                    struct tw_svd_side U, struct tw_svd_side Vt)
{
    find(seq, A, (struct problem){.s = s, .some = 1, .wanted = wanted, .ns = ns}, U, Vt);
}

struct args {
    enum tw_svd_job jobu, jobvt;
    struct tw_matrix *A;
    double *s;
    struct tw_matrix *U, *Vt;
    double *superb;
    struct tw_matrix *over; /* A, if it is overwritten */
};

/* Vectors that a job has, and in which matrix. */
static struct tw_svd_side side_of(enum tw_svd_job job, const struct args *a, struct tw_matrix *own, tw_int all)
{
    const tw_int k = tw_min(a->A->m, a->A->n);
    return (struct tw_svd_side){.to = job == TW_SVD_OVERWRITE ? a->A
                                      : job == TW_SVD_NONE    ? NULL
                                                              : own,
                                .columns = job == TW_SVD_ALL ? all : k};
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;

    tw_gesdd_loop(seq, a->A, a->s, a->superb, side_of(a->jobu, a, a->U, a->A->m), side_of(a->jobvt, a, a->Vt, a->A->n));
}

/* A vector matrix of that shape, which is argument i. */
static const char *bad_vectors(const struct tw_matrix *A, const struct tw_matrix *U, tw_int m, tw_int n)
{
    const char *why = tw_bad_general(U);
    if (!why) why = tw_bad_pair(A, U);
    if (!why && U == A) why = "it is the matrix A itself";
    return why ? why : U->m != m || U->n != n ? "its shape is not that of the vectors" : NULL;
}

static const char *bad_job(enum tw_svd_job job)
{
    return job == TW_SVD_ALL || job == TW_SVD_SOME || job == TW_SVD_OVERWRITE || job == TW_SVD_NONE
               ? NULL
               : "not TW_SVD_ALL, TW_SVD_SOME, TW_SVD_OVERWRITE or TW_SVD_NONE";
}
/* A matrix that has to be there, or must not be. */
static const char *bad_side(const struct args *a, enum tw_svd_job job, const struct tw_matrix *U, tw_int m, tw_int n)
{
    if (job == TW_SVD_NONE) return U ? "a matrix, without vectors asked for" : NULL;
    if (job == TW_SVD_OVERWRITE) return U ? "a matrix, though A becomes these vectors" : NULL;
    return bad_vectors(a->A, U, m, n);
}

/* A, s, U and Vt, the first of which is argument `first`. `alone`: either of U and Vt may be missing. */
static int check_matrices(const char *who, int first, const struct args *a, int alone)
{
    const struct tw_matrix *A = a->A;
    tw_int k;
    int e;

    TW_CHECK(who, first, tw_bad_general(A));
    TW_CHECK(who, first, tw_max(A->m, A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    k = tw_min(A->m, A->n);
    TW_CHECK(who, first + 1, a->s || k == 0 ? NULL : "NULL");
    if (a->U || !alone) TW_CHECK(who, first + 2, bad_side(a, a->jobu, a->U, A->m, a->jobu == TW_SVD_ALL ? A->m : k));
    if (a->Vt || !alone)
        TW_CHECK(who, first + 3, bad_side(a, a->jobvt, a->Vt, a->jobvt == TW_SVD_ALL ? A->n : k, A->n));
    TW_CHECK(who, first + 3, a->U && a->U == a->Vt ? "it is U, too" : NULL);
    if (k == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    const struct tw_svd_side U = side_of(a->jobu, a, a->U, A->m), Vt = side_of(a->jobvt, a, a->Vt, A->n);
    return tw_eigen_memory(who, tw_svd_bytes(A->type, A->m, A->n, U.to ? U.columns : 0, Vt.to ? Vt.columns : 0, A->nb),
                           A, a->U, a->Vt);
}

static int check_gesdd(const char *who, void *p)
{
    struct args *a = p;
    const enum tw_svd_job jobz = a->jobu;

    TW_CHECK(who, 1, bad_job(jobz));
    a->jobvt = jobz;
    if (jobz == TW_SVD_OVERWRITE && a->A) {
        const int tall = a->A->m >= a->A->n;
        a->jobu = tall ? TW_SVD_OVERWRITE : TW_SVD_ALL;
        a->jobvt = tall ? TW_SVD_ALL : TW_SVD_OVERWRITE;
    }
    return check_matrices(who, 2, a, jobz == TW_SVD_ALL || jobz == TW_SVD_SOME);
}
static int check_gesvd(const char *who, void *p)
{
    struct args *a = p;

    TW_CHECK(who, 1, bad_job(a->jobu));
    TW_CHECK(who, 2, bad_job(a->jobvt));
    TW_CHECK(who, 2,
             a->jobu == TW_SVD_OVERWRITE && a->jobvt == TW_SVD_OVERWRITE ? "A cannot become both U and Vt" : NULL);
    return check_matrices(who, 3, a, 0);
}

/* What LAPACK's way would take, about: reduction, divide and conquer without deflation and the back-transformations. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)tw_max(a->A->m, a->A->n), n = (double)tw_min(a->A->m, a->A->n);
    return tw_flops_gebrd(a->A->type, m, n) +
           tw_flop_factor(a->A->type) *
               ((a->jobu == TW_SVD_NONE ? 0 : 4 * m * n * n) + (a->jobvt == TW_SVD_NONE ? 0 : 4 * n * n * n));
}

/* On GPUs large tiles, as for eigenvalues: the host takes longer for a panel's products with a tile each than a GPU.
 * One H200, double, seconds of stage 1 with nb as elsewhere (768, 1024, 1408) / 2048 / 4096: n = 4096 0.083 / 0.056 /
 * 0.051, 8192 0.21 / 0.146 / 0.135, 16384 1.09 / 0.57 / 0.50. Matrices that are much taller or wider have a QR
 * factorization first. */
static tw_int large_tiles(const struct tw_sizes *s, tw_int nb)
{
    const tw_int n = tw_min(s->m, s->n), most = tw_max(s->m, s->n);

    if (tw_reproducible() || tw_gpus() == 0 || n < 4096 || most >= n + n / 2) return nb;
    return n <= 8192 ? 2048 : 4096;
}
const struct tw_tuning tw_tuning_svd = {.nb = large_tiles, .not_over_arrays = 1, .crossover = 512};

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const tw_int k = tw_min(s->k, tw_max(s->m, s->n));
    return tw_svd_bytes(s->type, s->m, s->n, tw_min(k, s->m), tw_min(k, s->n), nb);
}

/* As copy_of() cuts X. */
static tw_int tall(const struct tw_sizes *s)
{
    return tw_tall_for_products(s->m, s->n)
               ? tw_tall_rows_of_products(s->type, s->m, s->n, tw_order_of_tiles(s->type, s->n, tw_svd_band(s->n)))
               : 0;
}

#define OPERANDS TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, U), TW_OPERAND(TW_RW, Vt), TW_OPERAND(TW_RW, over))
const struct tw_routine tw_routine_gesdd = {.name = "gesdd",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = OPERANDS,
                                            .check = check_gesdd,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_svd,
                                            .tall = tall,
                                            .needs = {.given = "mn mk kn", .own_bytes = own_bytes}},
                        tw_routine_gesvd = {.name = "gesvd",
                                            .arguments = 7,
                                            .size = sizeof(struct args),
                                            .operand = OPERANDS,
                                            .check = check_gesvd,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_svd,
                                            .tall = tall,
                                            .needs = {.given = "mn mk kn", .own_bytes = own_bytes}};

static struct args arguments(enum tw_svd_job jobu, enum tw_svd_job jobvt, struct tw_matrix *A, double *s,
                             struct tw_matrix *U, struct tw_matrix *Vt, double *superb)
{
    const int over = jobu == TW_SVD_OVERWRITE || jobvt == TW_SVD_OVERWRITE;
    return (struct args){jobu, jobvt, A, s, U, Vt, superb, over ? A : NULL};
}

int tw_gesdd(enum tw_svd_job jobz, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt)
{
    struct args a = arguments(jobz, jobz, A, s, U, Vt, NULL);
    return tw_run(&tw_routine_gesdd, &a);
}

int tw_gesdd_async(enum tw_svd_job jobz, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt, tw_sequence *seq)
{
    struct args a = arguments(jobz, jobz, A, s, U, Vt, NULL);
    return tw_queue(&tw_routine_gesdd, seq, &a);
}

int tw_gesvd(enum tw_svd_job jobu, enum tw_svd_job jobvt, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt,
             double *superb)
{
    struct args a = arguments(jobu, jobvt, A, s, U, Vt, superb);
    return tw_run(&tw_routine_gesvd, &a);
}

int tw_gesvd_async(enum tw_svd_job jobu, enum tw_svd_job jobvt, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt,
                   double *superb, tw_sequence *seq)
{
    struct args a = arguments(jobu, jobvt, A, s, U, Vt, superb);
    return tw_queue(&tw_routine_gesvd, seq, &a);
}
