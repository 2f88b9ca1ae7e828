/* Estimates of norms of inverses.
 *
 * A turn is a pair of triangular solves, as any other, and a task that looks at the result and puts the next vector in
 * its place. A solve that overflows, which the exponents of ordinary numbers allow even where the inverse is harmless,
 * is repeated tile by tile with exponents of its own (codelets/dense/latrs.c); what is too large even so belongs to a
 * matrix that is singular to the type. */
#include "algorithms/dense/estimate.h"
#include <math.h>

/* ---- inverses ---------------------------------------------------------------------------------------------------- */

/* A triangular solve. */
struct step {
    enum tw_uplo uplo;
    enum tw_trans trans;
    enum tw_diag diag;
};
/* inv(op(A)) as such: returns how many. */
static int steps_of(const struct tw_inverse *v, enum tw_trans trans, struct step s[2])
{
    const int plain = trans == TW_NOTRANS, lower = v->uplo == TW_LOWER;

    switch (v->of) {
    case TW_LU_FACTORS:
        s[!plain] = (struct step){TW_LOWER, trans, TW_UNIT};
        s[plain] = (struct step){TW_UPPER, trans, TW_NONUNIT};
        return 2;
    case TW_CHOLESKY_FACTOR: /* hermitian: whatever trans is */
        s[!lower] = (struct step){v->uplo, TW_NOTRANS, TW_NONUNIT};
        s[lower] = (struct step){v->uplo, TW_CONJTRANS, TW_NONUNIT};
        return 2;
    default: s[0] = (struct step){v->uplo, trans, v->diag}; return 1;
    }
}

static void exchange(struct tw_sequence *seq, char direct, struct tw_matrix *ipiv, struct tw_matrix *X)
{
    for (int j = 0; ipiv && j < X->nt && !tw_loop_status(seq); j++)
        tw_task_laswp(seq, tw_priority(seq, 1, 1, 1), direct, &X->tile[(size_t)j * (size_t)X->mt], X->mt, 0, ipiv->tile,
                      ipiv->mt, 0);
}

void tw_inverse_loop(struct tw_sequence *seq, const struct tw_inverse *v, enum tw_trans trans, struct tw_matrix *X)
{
    struct step s[2];
    const int n = steps_of(v, trans, s);

    if (trans == TW_NOTRANS) exchange(seq, 'F', v->ipiv, X);
    for (int k = 0; k < n; k++)
        tw_trsm_loop(seq, TW_LEFT, s[k].uplo, s[k].trans, s[k].diag, tw_one, v->A, X, 0);
    if (trans != TW_NOTRANS) exchange(seq, 'B', v->ipiv, X);
}

/* ---- the careful solve ------------------------------------------------------------------------------------------- */

static void careful_step(struct tw_sequence *seq, const struct step *s, struct tw_matrix *A, struct tw_matrix *X,
                         struct tw_data *exponents)
{
    const int down = (s->uplo == TW_LOWER) == (s->trans == TW_NOTRANS), mt = X->mt,
              priority = tw_priority(seq, 1, 1, 0);

    for (int k = 0; k < mt && !tw_loop_status(seq); k++) {
        const int r = down ? k : mt - 1 - k;
        tw_task_latrs(seq, priority, (char)s->uplo, (char)s->trans, (char)s->diag, tw_tile(A, r, r), tw_tile(X, r, 0),
                      r, exponents);
        for (int q = k + 1; q < mt; q++) {
            const int i = down ? q : mt - 1 - q;
            tw_task_latrs_update(seq, priority, (char)s->trans,
                                 s->trans == TW_NOTRANS ? tw_tile(A, i, r) : tw_tile(A, r, i), tw_tile(X, r, 0), r,
                                 tw_tile(X, i, 0), i, exponents);
        }
    }
}

static void carefully(struct tw_sequence *seq, const struct tw_estimate *e, enum tw_trans trans)
{
    struct step s[2];
    const int n = steps_of(&e->inverse, trans, s);

    tw_task_latrs_begin(seq, tw_priority(seq, 1, 1, 0), e->exponents, e->own.kept, e->X->tile, e->X->mt);
    for (int k = 0; k < n; k++)
        careful_step(seq, &s[k], e->inverse.A, e->X, e->exponents);
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

static void look(struct tw_sequence *seq, const void *state, void *p);

/* X holds that product, or nothing at the beginning. */
static void step(struct tw_sequence *seq, const struct tw_estimate *e, int product, int is_careful)
{
    static const struct tw_lacn2 modelled[TW_LACN2_MOST] = {[0 ... TW_LACN2_MOST - 1] = {TW_LACN2_DONE, 0, {0}, 1}};
    const struct tw_use uses[] = {{NULL, e->X, TW_RW},       {NULL, e->inverse.A, TW_R},    {e->own.isgn, NULL, TW_RW},
                                  {e->own.v, NULL, TW_RW},   {e->own.kept, NULL, TW_RW},    {e->exponents, NULL, TW_RW},
                                  {e->results, NULL, TW_RW}, {NULL, e->inverse.ipiv, TW_R}, {NULL, e->weights, TW_RW}};
    int nuses = 0;
    struct tw_use there[sizeof uses / sizeof *uses];

    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++)
        if (uses[k].data || uses[k].matrix) there[nuses++] = uses[k];
    tw_task_lacn2(seq, tw_priority(seq, 1, 1, 1), &e->own, product, e->careful && !is_careful,
                  is_careful ? e->exponents : NULL, e->weights ? e->weights->tile : NULL, e->X->tile, e->X->mt);
    tw_when(seq, e->own.state, modelled, there, nuses, look, e, sizeof *e);
}

static void look(struct tw_sequence *seq, const void *state, void *p)
{
    const struct tw_estimate *e = p;
    const struct tw_lacn2 *s = state;
    const int next = tw_lacn2_next(s, (int)e->X->n);

    if (e->careful && s->status == TW_LACN2_OVERFLOW) {
        carefully(seq, e, s->kase == 1 ? e->trans : e->adjoint);
        step(seq, e, s->kase, 1);
    } else if (next) {
        tw_inverse_loop(seq, &e->inverse, next == 1 ? e->trans : e->adjoint, e->X);
        step(seq, e, next, 0);
    } else {
        e->done(seq, s, e);
    }
}

void tw_estimate_begin(struct tw_sequence *seq, const struct tw_estimate *wanted)
{
    struct tw_estimate e = *wanted;
    const int none[2] = {-1, -1};
    const size_t n = (size_t)e.X->m, k = (size_t)e.X->n;

    e.own.state = tw_data_vector(k, sizeof(struct tw_lacn2), none);
    e.own.isgn = tw_data_vector(tw_is_complex(e.X->type) ? 1 : n * k, sizeof(int32_t), none);
    e.own.v = tw_data_vector(n * k, tw_sizeof(e.X->type), none);
    e.own.kept = tw_data_vector(n * k, tw_sizeof(e.X->type), none);
    e.exponents = e.careful ? tw_data_vector((size_t)e.X->mt, sizeof(int64_t), none) : NULL;
    if (e.own.state && e.own.isgn && e.own.v && e.own.kept && (e.exponents || !e.careful))
        step(seq, &e, 0, 0);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "an estimate: no memory for its vectors of %zu x %zu elements", n, k);
    /* the continuations hold them */
    tw_data_free_later(e.own.state);
    tw_data_free_later(e.own.isgn);
    tw_data_free_later(e.own.v);
    tw_data_free_later(e.own.kept);
    tw_data_free_later(e.exponents);
    tw_matrix_free_later(e.X);
}

/* ---- condition numbers ------------------------------------------------------------------------------------------- */

double tw_rcond(double anorm, const struct tw_lacn2 *s)
{
    double r;

    if (s->status != TW_LACN2_DONE || !(s->est > 0) || !isfinite(s->est) || !(anorm > 0) || !isfinite(anorm)) return 0;
    r = 1 / s->est / anorm;
    if (!isfinite(r)) r = 1 / anorm / s->est;
    return isfinite(r) ? r : 1;
}

static void finish(struct tw_sequence *seq, const struct tw_lacn2 *s, const struct tw_estimate *e)
{
    (void)seq;
    *e->to = tw_rcond(e->anorm, s);
}

void tw_condition_loop(struct tw_sequence *seq, const struct tw_inverse *inverse, enum tw_norm norm, double anorm,
                       double *rcond)
{
    const struct tw_matrix *A = inverse->A;
    const int one = norm == TW_ONE_NORM;
    struct tw_estimate e = {.inverse = *inverse,
                            .trans = one ? TW_NOTRANS : TW_CONJTRANS,
                            .adjoint = one ? TW_CONJTRANS : TW_NOTRANS,
                            .X = tw_matrix_temporary(A->type, A->n, 1, A->nb, 1),
                            .careful = 1,
                            .done = finish,
                            .anorm = anorm,
                            .to = rcond};

    if (e.X)
        tw_estimate_begin(seq, &e);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "an estimate: a vector: %s", tw_last_message());
}

int tw_condition_check(const char *who, int at, const struct tw_matrix *A, double anorm, double *rcond)
{
    TW_CHECK(who, at, rcond ? NULL : "NULL");
    *rcond = A->n == 0 ? 1 : 0;
    if (A->n == 0 || anorm == 0 || isinf(anorm)) return TW_NOTHING;
    return A->n > INT32_MAX ? tw_fail(TW_E_UNSUPPORTED, "%s: the order exceeds 2^31 - 1", who) : 0;
}

double tw_condition_flops(const struct tw_matrix *A, int triangles)
{
    return 5 * triangles * tw_flops_trsm(A->type, 'L', (double)A->n, 1);
}
