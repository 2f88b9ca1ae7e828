/* The expert drivers' common parts. Their loops wait for values, as they go on: the scalings, the factorization's info,
 * norms, and in the end the condition. */
#include "algorithms/dense/expert.h"

double tw_expert_flops(double factorization, enum tw_structure structure, struct tw_matrix *X)
{
    const struct tw_refinement r = {.structure = structure, .X = X};
    return factorization + tw_refine_flops(&r) + 2 * tw_flops_trsm(X->type, 'L', (double)X->m, (double)X->n);
}

int tw_expert_check(const char *who, int first, int bounds, const struct tw_refinement *r)
{
    const struct tw_matrix *A = r->A, *B = r->B, *X = r->X;

    TW_CHECK(who, first + 1, tw_bad_side_of(A, X));
    TW_CHECK(who, first + 1, X->n != B->n ? "its number of columns is not B's" : NULL);
    TW_CHECK(who, first + 1,
             tw_shares(X, B) || tw_shares(X, A) || tw_shares(X, r->inverse.A) ? "it is another operand itself" : NULL);
    TW_CHECK(who, bounds, r->ferr || X->n == 0 ? NULL : "NULL");
    TW_CHECK(who, bounds + 1, r->berr || X->n == 0 ? NULL : "NULL");
    if (r->steps) *r->steps = 0;
    for (tw_int j = 0; j < X->n; j++)
        r->ferr[j] = r->berr[j] = 0;
    if (A->n == 0) return TW_NOTHING;
    return A->n > INT32_MAX - 3 ? tw_fail(TW_E_UNSUPPORTED, "%s: the order exceeds 2^31 - 4", who) : 0;
}

struct tw_data *tw_scalings(struct tw_sequence *seq, const double *s, tw_int n)
{
    struct tw_data *d = tw_data_vector((size_t)n, sizeof(double), (int[2]){-1, -1});

    if (d)
        memcpy(d->host, s, (size_t)n * sizeof *s);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for %lld scalings", (long long)n);
    return d;
}

void tw_laqge_loop(struct tw_sequence *seq, enum tw_uplo uplo, int hermitian, struct tw_matrix *M, struct tw_data *r,
                   struct tw_data *c)
{
    for (int j = 0; j < M->nt && !tw_loop_status(seq); j++)
        for (int i = uplo == TW_LOWER ? j : 0; i < (uplo == TW_UPPER ? j + 1 : M->mt); i++)
            tw_task_laqge(seq, tw_priority(seq, 1, 1, 1), uplo != TW_GENERAL && i == j ? (char)uplo : 'G',
                          hermitian && i == j, tw_tile(M, i, j), r, i * M->mb, c, j * M->nb);
}

int tw_norm_value(struct tw_sequence *seq, struct tw_data *norm, double *value)
{
    const double modelled = 1;
    int e;

    if (!norm) return 0;
    e = tw_loop_value(seq, norm, &modelled, value);
    tw_data_free_later(norm);
    return !e;
}

int64_t tw_info_value(struct tw_sequence *seq)
{
    const int64_t modelled = 0;
    int64_t info = 0;

    return tw_loop_value(seq, tw_info(seq), &modelled, &info) ? -1 : info;
}

void tw_expert_solve(struct tw_sequence *seq, const struct tw_refinement *r, enum tw_norm norm, double anorm,
                     double *rcond)
{
    const tw_int nb = r->inverse.A->nb;
    struct tw_matrix *X;

    if (anorm > 0 && isfinite(anorm)) tw_condition_loop(seq, &r->inverse, norm, anorm, rcond);
    if (r->X->n > 0 && (X = tw_retiled_for(seq, r->X, nb, r->X->nb, 0))) {
        tw_copy_loop(seq, r->B, X, 0);
        tw_inverse_loop(seq, &r->inverse, r->trans, X);
        tw_retiled_end(seq, r->X, X, 1);
        tw_refine_any_loop(seq, r);
    }
    tw_loop_settle(seq);
}

void tw_expert_end(struct tw_sequence *seq, const struct tw_refinement *r, struct tw_data *x, double spread,
                   double rcond)
{
    if (tw_loop_status(seq)) return;
    if (x) tw_laqge_loop(seq, TW_GENERAL, 0, r->X, x, NULL);
    for (tw_int j = 0; x && j < r->X->n; j++)
        r->ferr[j] /= spread;
    if (rcond < tw_type_eps(r->A->type)) tw_loop_info(seq, r->A->n + 1);
}
