/* Iterative refinement: residual and its weights as products of tiles, a look at the backward errors as a task, and a
 * continuation that corrects what can be corrected, or goes on to the estimate of the forward error (estimate.c). */
#include "algorithms/dense/refine.h"
#include <math.h>
#include <stdlib.h>
#include "types/dense/refine.h"

/* One block column; R, W and F have no others. */
struct column {
    struct tw_refinement p;
    int j;
    struct tw_matrix *R, *W, *F; /* n x k: residual, its weights, the forward error's weights */
    struct tw_data *state;
};
#define X(i) tw_tile(c->p.X, i, c->j)

/* ---- op(A), tile by tile ----------------------------------------------------------------------------------------- */

/* Where tile (i, k) of op(A) is stored, and how it is to be read: NULL if it is zero. */
static struct tw_data *stored(const struct tw_refinement *p, int i, int k, char *op)
{
    const int plain = p->trans == TW_NOTRANS || p->structure == TW_STRUCT_HERMITIAN, r = plain ? i : k,
              s = plain ? k : i;
    const int here = p->structure == TW_STRUCT_GENERAL || (p->uplo == TW_LOWER ? r >= s : r <= s);

    *op = plain ? 'N' : (char)p->trans;
    if (here) return tw_tile(p->A, r, s);
    *op = 'C';
    return p->structure == TW_STRUCT_TRIANGULAR ? NULL : tw_tile(p->A, s, r);
}

/* R -= op(A) X of a triangle on the diagonal, which has no product that adds. */
static void less_triangle(struct tw_sequence *seq, int priority, const struct tw_refinement *p, struct tw_data *A,
                          char op, struct tw_data *X, struct tw_data *R)
{
    struct tw_data *t = tw_data_tile(X->type, X->m, X->n);

    if (!t) {
        tw_loop_fail(seq, TW_E_MEMORY, "a residual: %s", tw_last_message());
        return;
    }
    tw_task_lacpy(seq, priority, 'G', X, t);
    tw_task_trmm(seq, priority, 'L', (char)p->uplo, op, (char)p->diag, tw_one, A, t);
    tw_task_geadd(seq, priority, 'N', tw_minus_one, t, tw_one, R);
    tw_data_free_later(t);
}

void tw_residual_loop(struct tw_sequence *seq, const struct tw_refinement *p, int j, struct tw_data *const *R,
                      struct tw_data *const *W)
{
    const int priority = tw_priority(seq, 1, 1, 0), mt = p->X->mt;

    for (int i = 0; i < mt && !tw_loop_status(seq); i++) {
        tw_task_lacpy(seq, priority, 'G', tw_tile(p->B, i, j), R[i]);
        if (W) tw_task_laabs(seq, priority, tw_tile(p->B, i, j), W[i]);
        for (int k = 0; k < mt; k++) {
            const int special = i == k && p->structure != TW_STRUCT_GENERAL;
            struct tw_data *X = tw_tile(p->X, k, j);
            char op;
            struct tw_data *A = stored(p, i, k, &op);
            if (!A) continue;
            if (special && p->structure == TW_STRUCT_TRIANGULAR)
                less_triangle(seq, priority, p, A, op, X, R[i]);
            else if (special)
                tw_task_symm(seq, priority, 1, 'L', (char)p->uplo, tw_minus_one, A, X, tw_one, R[i]);
            else
                tw_task_gemm(seq, priority, op, 'N', tw_minus_one, A, X, tw_one, R[i]);
            if (W)
                tw_task_absmm(seq, priority, p->structure, special ? (char)p->uplo : 'G', (char)p->diag, op, A, X,
                              W[i]);
        }
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void go_on(struct tw_sequence *seq, const void *state, void *p);

static void look(struct tw_sequence *seq, const struct column *c, int first)
{
    static const struct tw_refined modelled[TW_LACN2_MOST];
    const struct tw_use uses[] = {{NULL, c->p.A, TW_R},
                                  {NULL, c->p.inverse.A, TW_R},
                                  {NULL, c->R, TW_RW},
                                  {NULL, c->W, TW_RW},
                                  {NULL, c->F, TW_RW},
                                  {NULL, c->p.B, TW_R},
                                  {NULL, c->p.inverse.ipiv, TW_R}};
    const int known = (int)(sizeof uses / sizeof *uses), mt = c->R->mt;
    struct tw_use *all = malloc(((size_t)known + (size_t)mt) * sizeof *all);
    int nuses = 0;

    if (!all) {
        tw_loop_fail(seq, TW_E_MEMORY, "refinement: no memory for %d operands", known + mt);
        return;
    }
    for (int k = 0; k < known; k++)
        if (uses[k].matrix) all[nuses++] = uses[k];
    for (int i = 0; i < mt; i++)
        all[nuses++] = (struct tw_use){X(i), NULL, c->p.most > 0 ? TW_RW : TW_R};
    tw_residual_loop(seq, &c->p, c->j, c->R->tile, c->W->tile);
    tw_task_berr(seq, tw_priority(seq, 1, 1, 1), first, c->p.most, c->state,
                 &c->p.X->tile[(size_t)c->j * (size_t)c->p.X->mt], c->W->tile, c->F->tile, c->R->tile, mt);
    tw_when(seq, c->state, modelled, all, nuses, go_on, c, sizeof *c);
    free(all);
}

static void correct(struct tw_sequence *seq, const struct column *c)
{
    tw_inverse_loop(seq, &c->p.inverse, c->p.trans, c->R);
    for (int i = 0; i < c->R->mt; i++)
        tw_task_geadd(seq, tw_priority(seq, 1, 1, 0), 'N', tw_one, tw_tile(c->R, i, 0), tw_one, X(i));
}

/* ---- the forward error ------------------------------------------------------------------------------------------- */

/* ferr holds the solutions' norms until then. */
static void finish(struct tw_sequence *seq, const struct tw_lacn2 *s, const struct tw_estimate *e)
{
    (void)seq;
    for (tw_int j = 0; j < e->X->n; j++)
        e->to[j] = e->to[j] != 0 ? s[j].est / e->to[j] : s[j].est;
}

/* |inv(op(A)) diag(w)| in the infinity-norm is the 1-norm of diag(w) inv(op(A))^H. */
static void bound(struct tw_sequence *seq, const struct column *c)
{
    const int plain = c->p.trans == TW_NOTRANS;
    const struct tw_estimate e = {.inverse = c->p.inverse,
                                  .trans = plain ? TW_CONJTRANS : TW_NOTRANS,
                                  .adjoint = plain ? TW_NOTRANS : TW_CONJTRANS,
                                  .X = tw_matrix_temporary(c->R->type, c->R->m, c->R->n, c->R->mb, c->R->nb),
                                  .weights = c->F,
                                  .done = finish,
                                  .to = c->p.ferr + c->j * c->p.X->nb};

    if (e.X)
        tw_estimate_begin(seq, &e);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "an error bound: %s", tw_last_message());
}

static void go_on(struct tw_sequence *seq, const void *state, void *p)
{
    const struct column *c = p;
    const struct tw_refined *s = state;
    const tw_int first = c->j * c->p.X->nb;
    int active = 0;

    for (tw_int j = 0; j < c->R->n; j++)
        active |= s[j].active;
    if (active) {
        correct(seq, c);
        look(seq, c, 0);
        return;
    }
    for (tw_int j = 0; j < c->R->n; j++) {
        c->p.berr[first + j] = s[j].berr;
        c->p.ferr[first + j] = s[j].xnorm;
        if (c->p.steps && *c->p.steps < s[j].steps) *c->p.steps = s[j].steps;
    }
    bound(seq, c);
}

static void one_column(struct tw_sequence *seq, const struct tw_refinement *r, int j)
{
    const enum tw_type t = r->A->type;
    const tw_int n = r->A->n, k = tw_tile_cols(r->X, j), mb = r->X->mb;
    const struct column c = {.p = *r,
                             .j = j,
                             .R = tw_matrix_temporary(t, n, k, mb, k),
                             .W = tw_matrix_temporary(t, n, k, mb, k),
                             .F = tw_matrix_temporary(t, n, k, mb, k),
                             .state = tw_data_vector((size_t)k, sizeof(struct tw_refined), (int[2]){-1, -1})};

    if (c.R && c.W && c.F && c.state) {
        for (int i = 0; i < c.F->mt; i++)
            tw_task_laset(seq, tw_priority(seq, 1, 1, 0), 'G', tw_zero, tw_zero, tw_tile(c.F, i, 0));
        look(seq, &c, 1);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "refinement: three vectors of %lld x %lld: %s", (long long)n, (long long)k,
                     tw_last_message());
    }
    tw_matrix_free_later(c.R);
    tw_matrix_free_later(c.W);
    tw_data_free_later(c.state);
    tw_matrix_free_later(c.F);
}

void tw_refine_loop(struct tw_sequence *seq, const struct tw_refinement *r)
{
    for (int j = 0; j < r->X->nt && !tw_loop_status(seq); j++)
        one_column(seq, r, j);
}

void tw_refine_any_loop(struct tw_sequence *seq, const struct tw_refinement *r)
{
    struct tw_refinement p = *r;
    const tw_int nb = p.A->nb, kb = tw_min(p.X->nb, TW_LACN2_MOST);
    const int general = p.structure == TW_STRUCT_GENERAL; /* others have square tiles, all the same */

    p.A = general ? tw_retiled(seq, r->A, nb, nb) : r->A;
    p.inverse.A = general ? tw_retiled(seq, r->inverse.A, nb, nb) : r->inverse.A;
    p.B = tw_retiled(seq, r->B, nb, kb);
    p.X = tw_retiled(seq, r->X, nb, kb);
    if (p.A && p.inverse.A && p.B && p.X) tw_refine_loop(seq, &p);
    if (general) tw_retiled_end(seq, r->A, p.A, 0);
    if (general) tw_retiled_end(seq, r->inverse.A, p.inverse.A, 0);
    tw_retiled_end(seq, r->B, p.B, 0);
    tw_retiled_end(seq, r->X, p.X, p.most > 0);
}

/* ---- what their rows share --------------------------------------------------------------------------------------- */

const char *tw_bad_factors_of(const struct tw_matrix *A, const struct tw_matrix *AF)
{
    const char *why = tw_bad_pair(A, AF);

    return why ? why : AF->n != A->n ? "its order is not that of A" : AF == A ? "it is the matrix A itself" : NULL;
}

int tw_refine_check(const char *who, int first, const struct tw_refinement *r)
{
    const struct tw_matrix *A = r->A, *B = r->B, *X = r->X;

    TW_CHECK(who, first, tw_bad_side_of(A, B));
    TW_CHECK(who, first + 1, tw_bad_side_of(A, X));
    TW_CHECK(who, first + 1, X->n != B->n ? "its number of columns is not B's" : NULL);
    TW_CHECK(who, first + 1,
             tw_shares(X, B) || tw_shares(X, A) || tw_shares(X, r->inverse.A) ? "it is another operand itself" : NULL);
    TW_CHECK(who, first + 2, r->ferr ? NULL : "NULL");
    TW_CHECK(who, first + 3, r->berr ? NULL : "NULL");
    if (r->steps) *r->steps = 0;
    for (tw_int j = 0; j < X->n; j++)
        r->ferr[j] = r->berr[j] = 0;
    if (A->n == 0 || X->n == 0) return TW_NOTHING;
    return A->n > INT32_MAX ? tw_fail(TW_E_UNSUPPORTED, "%s: the order exceeds 2^31 - 1", who) : 0;
}

/* Two residuals, one correction and five solves; of a triangle, a residual and five solves of half. */
double tw_refine_flops(const struct tw_refinement *r)
{
    const double n = (double)r->X->m;
    return (r->structure == TW_STRUCT_TRIANGULAR ? 3 : 10) * tw_flops_gemm(r->X->type, n, (double)r->X->n, n);
}

double tw_refine_bytes(const struct tw_sizes *s, tw_int nb)
{
    const double size = (double)tw_sizeof(s->type), signs = tw_is_complex(s->type) ? 0 : sizeof(int32_t);
    const int copies = tw_same_cuts(s->k, nb, tw_min(nb, TW_LACN2_MOST)) ? 0 : 2;
    return ((6 + copies) * size + signs) * (double)s->n * (double)s->k;
}
