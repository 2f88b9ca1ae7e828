/* The expert driver of positive definite systems: scaled if that pays, factored, the condition estimated, solved,
 * refined, its errors bounded (LAPACK's posvx). */
#include "algorithms/dense/expert.h"

struct args {
    enum tw_fact fact;
    enum tw_uplo uplo;
    struct tw_matrix *A, *AF;
    int *equed;
    double *s;
    struct tw_matrix *B, *X;
    double *rcond, *ferr, *berr;
    int *steps;
};

/* If it pays: poequ and laqsy. A diagonal element that is not positive is left to the factorization to tell. */
static void equilibrate(struct tw_sequence *seq, const struct args *a)
{
    struct tw_data *info = tw_data_vector(1, sizeof(int64_t), (int[2]){-1, -1});
    const int64_t modelled = 0;
    double scond = 0, amax = 0;
    int64_t bad = 0;

    if (!info) {
        tw_loop_fail(seq, TW_E_MEMORY, "posvx: no memory for an info");
        return;
    }
    tw_poequ_loop(seq, a->A, a->s, &scond, &amax, 0, info);
    tw_loop_settle(seq); /* scalings and spread are there */
    if (!tw_loop_value(seq, info, &modelled, &bad) && bad == 0 &&
        (tw_spread_pays(scond) || tw_size_pays(a->A->type, amax)))
        *a->equed = TW_EQUED_YES;
    tw_data_free_later(info);
}

/* With A as it is to be factored, and B as it is to be solved. */
static void factor_and_solve(struct tw_sequence *seq, const struct args *a, struct tw_data *x, double spread)
{
    const struct tw_refinement r = tw_cholesky_refinement(a->uplo, a->A, a->AF, a->B, a->X, a->ferr, a->berr, a->steps);
    double anorm = 0;

    if (a->fact != TW_FACT_GIVEN) {
        tw_copy_part_loop(seq, a->uplo, a->A, a->AF, 0);
        tw_potrf_loop(seq, a->uplo, a->AF);
        if (tw_info_value(seq) != 0) return;
    }
    if (!tw_norm_value(seq, tw_sum_norm_tasks(seq, TW_ONE_NORM, TW_STRUCT_HERMITIAN, a->uplo, TW_NONUNIT, a->A, 1),
                       &anorm))
        return;
    tw_expert_solve(seq, &r, TW_ONE_NORM, anorm, a->rcond);
    tw_expert_end(seq, &r, x, spread, *a->rcond);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_data *s = NULL;

    if (a->fact == TW_FACT_EQUILIBRATE) equilibrate(seq, a);
    if (*a->equed == TW_EQUED_YES && !(s = tw_scalings(seq, a->s, a->A->n))) return;
    if (s && a->fact == TW_FACT_EQUILIBRATE) tw_laqge_loop(seq, a->uplo, 1, a->A, s, s);
    if (s) tw_laqge_loop(seq, TW_GENERAL, 0, a->B, s, NULL);
    if (!tw_loop_status(seq)) factor_and_solve(seq, a, s, s ? tw_spread_of(a->A->type, a->s, a->A->n) : 1);
    tw_data_free_later(s);
}

static const char *bad_scalings(const struct args *a)
{
    const int are = a->fact == TW_FACT_GIVEN && *a->equed == TW_EQUED_YES;

    if (!a->s) return are || a->fact == TW_FACT_EQUILIBRATE ? "NULL" : NULL;
    return are && !(tw_spread_of(a->A->type, a->s, a->A->n) > 0) ? "a scaling is not positive" : NULL;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_refinement r = {
        .A = a->A, .inverse = {.A = a->AF}, .B = a->B, .X = a->X, .ferr = a->ferr, .berr = a->berr, .steps = a->steps};
    int e;

    TW_CHECK(who, 1, tw_bad_fact(a->fact));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 3, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 4, tw_bad_triangle(a->AF, a->uplo));
    TW_CHECK(who, 4, tw_bad_factors_of(a->A, a->AF));
    TW_CHECK(who, 4, tw_same_cuts(a->A->n, a->A->nb, a->AF->nb) ? NULL : "its tiles are not those of A");
    TW_CHECK(who, 5, a->equed ? NULL : "NULL");
    if (a->fact != TW_FACT_GIVEN) *a->equed = TW_EQUED_NONE;
    TW_CHECK(who, 5,
             *a->equed == TW_EQUED_NONE || *a->equed == TW_EQUED_YES ? NULL : "neither TW_EQUED_NONE nor TW_EQUED_YES");
    TW_CHECK(who, 6, bad_scalings(a));
    TW_CHECK(who, 7, tw_bad_side_of(a->A, a->B));
    TW_CHECK(who, 7, tw_shares(a->B, a->A) || tw_shares(a->B, a->AF) ? "it is another operand itself" : NULL);
    TW_CHECK(who, 9, a->rcond ? NULL : "NULL");
    if ((e = tw_expert_check(who, 7, 10, &r)) && e != TW_NOTHING) return e;
    *a->rcond = a->A->n == 0 ? 1 : 0;
    return e;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_expert_flops(a->fact == TW_FACT_GIVEN ? 0 : tw_flops_potrf(a->A->type, (double)a->A->n),
                           TW_STRUCT_HERMITIAN, a->X);
}

const struct tw_routine tw_routine_posvx = {
    .name = "posvx",
    .arguments = 12,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, AF), TW_OPERAND(TW_RW, B), TW_OPERAND(TW_W, X)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_factorization,
    .needs = {.given = "2Tnn 2nk", .on_gpus = "nb", .own_bytes = tw_refine_bytes}};

int tw_posvx(enum tw_fact fact, enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, int *equed, double *s, tw_matrix *B,
             tw_matrix *X, double *rcond, double *ferr, double *berr, int *steps)
{
    return tw_run(&tw_routine_posvx, &(struct args){fact, uplo, A, AF, equed, s, B, X, rcond, ferr, berr, steps});
}

int tw_posvx_async(enum tw_fact fact, enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, int *equed, double *s,
                   tw_matrix *B, tw_matrix *X, double *rcond, double *ferr, double *berr, int *steps, tw_sequence *seq)
{
    return tw_queue(&tw_routine_posvx, seq,
                    &(struct args){fact, uplo, A, AF, equed, s, B, X, rcond, ferr, berr, steps});
}
