/* Two stages: dense to triangular band (ge2tb), band to bidiagonal (tb2bd), the bidiagonal matrix (bdsdc.c), and back:
 * U = U1 (U2 U3), V = V1 (V2 V3). How many values an interval holds is known when the bidiagonal matrix is there; a
 * continuation goes on then. */
#include "algorithms/eigen/footprint.h"
#include "algorithms/svd/gesdd.h"
#include "runtime/base/account.h"
#include "runtime/task/arrays.h"
#include "runtime/task/when.h"

struct stages {
    struct tw_svd_problem p;
    struct tw_svd_tall *tall, own; /* NULL, or QR came first */
    struct tw_matrix *A;           /* X or R */
    struct tw_ge2tb q;
    struct tw_band *B;
    struct tw_chase *u, *v;
    struct tw_data *d, *e;
    struct tw_matrix *U, *V; /* the bidiagonal matrix' vectors on their way back; NULL: not asked for, or gone */
};

static struct tw_data *reals(const struct tw_svd_problem *p, tw_int length)
{
    return tw_data_vector_of(tw_real_type(p->type), (size_t)tw_max(1, length), (int[2]){-1, -1});
}

/* Whole blocks of columns of (U3 0; 0 I), or V3. tall: further columns are Q's. */
static struct tw_matrix *side_begin(struct tw_sequence *seq, const struct tw_svd_problem *p,
                                    const struct tw_svd_side *side, tw_int rows, int tall)
{
    const tw_int columns = tall ? tw_min(side->columns, p->n) : side->columns;
    return tw_svd_temporary(seq, p, rows, columns, rows, tw_columns_of_block(columns));
}

static int stages_begin(struct tw_sequence *seq, struct stages *x)
{
    const struct tw_svd_problem *p = &x->p;

    if (tw_ge2tb_begin(seq, &x->q, x->A->m, p->n, p->b)) return -1;
    x->B = tw_band_create_triangular(seq, p->type, p->n, p->b);
    x->u = p->left.to ? tw_chase_create(seq, p->type, p->n, p->b) : NULL;
    x->v = p->right.to ? tw_chase_create(seq, p->type, p->n, p->b) : NULL;
    x->d = reals(p, p->n), x->e = reals(p, p->n - 1);
    if (x->B && x->d && x->e && (!p->left.to || x->u) && (!p->right.to || x->v)) return 0;
    tw_svd_no_memory(seq, "a singular value problem");
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
    if (x->tall) tw_svd_tall_end(&x->own);
}
static void release(void *args)
{
    stages_end(args);
}

static void back_bidiagonal(struct tw_sequence *seq, struct stages *x, int right)
{
    const struct tw_svd_problem *p = &x->p;
    struct tw_matrix *Z = right ? x->V : x->U;
    const struct tw_footprint f = {.type = p->type,
                                   .n = p->n,
                                   .b = p->b,
                                   .sides = 2,
                                   .wanted = (p->left.to != NULL) + (p->right.to != NULL),
                                   .columns = Z ? (double)tw_min(Z->n, p->n) : 0};

    if (Z) tw_chase_apply_loop(seq, right ? x->v : x->u, "back_bidiagonal", Z, tw_footprint_late(&f));
}
static void back_band(struct tw_sequence *seq, struct stages *x, int right)
{
    const struct tw_svd_problem *p = &x->p;
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
        Z = tw_svd_tall_back(seq, p, &x->own, side, Z);
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
    struct tw_svd_problem *p = &x->p;

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

static void counted(struct tw_sequence *seq, const void *value, void *args)
{
    const int64_t *found = value;
    struct stages *x = args;

    if (x->tall) x->tall = &x->own;
    if (!tw_svd_told(seq, &x->p, found[1]) && found[1] > 0) solve(seq, x, found[0], found[1]);
}

/* How many an interval holds is known when C is; the continuation has its own *x then. */
static void count(struct tw_sequence *seq, struct stages *x)
{
    const struct tw_svd_problem *p = &x->p;
    const int64_t modelled[2] = {0, tw_max(1, p->n / 10)};
    const struct tw_use uses[] = {{NULL, p->X, TW_RW}, {NULL, p->left.to, TW_RW}, {NULL, p->right.to, TW_RW}};
    struct tw_data *found = tw_data_vector_of(TW_INT64, 2, (int[2]){-1, -1});
    const char *before;

    if (!found) {
        tw_svd_no_memory(seq, "two numbers");
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
static void numbers(const struct tw_svd_problem *p, tw_int *first, tw_int *count)
{
    const int indices = p->some && p->wanted.which == TW_INDICES;

    *first = indices ? p->wanted.il - 1 : 0;
    *count = indices ? tw_numbers(p->wanted.il, p->wanted.iu) : p->n;
}

void tw_svd_two_stages(struct tw_sequence *seq, const struct tw_svd_problem *problem, const struct tw_svd_tall *t)
{
    struct stages x = {.p = *problem, .A = problem->X};
    const struct tw_svd_problem *const p = &x.p;
    tw_int first, wanted;

    if (t) x.tall = &x.own, x.own = *t, x.A = t->R;
    tw_account_figure("route", TW_ROUTE_TWO);
    tw_account_figure("band", p->b);
    if (!stages_begin(seq, &x)) {
        tw_ge2tb_loop(seq, &x.q, x.A, x.B, p->left.to != NULL, p->right.to != NULL);
        tw_loop_barrier(seq);
        tw_tb2bd_loop(seq, x.B, x.d, x.e, x.u, x.v, tw_info(seq));
        tw_loop_barrier(seq);
        if (p->some && p->wanted.which == TW_INTERVAL) {
            count(seq, &x);
            return;
        }
        numbers(p, &first, &wanted);
        if ((!p->some || !tw_svd_told(seq, p, wanted)) && wanted > 0) solve(seq, &x, first, wanted);
    }
    stages_end(&x);
}
