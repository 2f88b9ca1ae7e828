/* The expert driver of general systems: scaled if that pays, factored, the condition estimated, solved, refined, its
 * errors bounded (LAPACK's gesvx). */
#include "algorithms/dense/expert.h"

struct args {
    enum tw_fact fact;
    enum tw_trans trans;
    struct tw_matrix *A, *AF, *ipiv;
    int *equed;
    double *r, *c;
    struct tw_matrix *B, *X;
    double *rcond, *ferr, *berr, *rpivot;
    int *steps;
};

static int by_rows(const struct args *a)
{
    return *a->equed == 'R' || *a->equed == 'B';
}
static int by_columns(const struct args *a)
{
    return *a->equed == 'C' || *a->equed == 'B';
}
/* op(A)'s rows and columns. */
static int scales_b(const struct args *a)
{
    return a->trans == TW_NOTRANS ? by_rows(a) : by_columns(a);
}
static int scales_x(const struct args *a)
{
    return a->trans == TW_NOTRANS ? by_columns(a) : by_rows(a);
}

/* As far as it pays: geequ and laqge. A row or column of zeros is left to the factorization to tell. */
static void equilibrate(struct tw_sequence *seq, const struct args *a)
{
    struct tw_data *info = tw_data_vector(1, sizeof(int64_t), (int[2]){-1, -1});
    const int64_t modelled = 0;
    double rowcnd = 1, colcnd = 1, amax = 1;
    int64_t zero = 0;

    if (!info) {
        tw_loop_fail(seq, TW_E_MEMORY, "gesvx: no memory for an info");
        return;
    }
    tw_geequ_loop(seq, a->A, a->r, a->c, &rowcnd, &colcnd, &amax, 0, info);
    tw_loop_settle(seq); /* scalings and spreads are there */
    if (!tw_loop_value(seq, info, &modelled, &zero) && zero == 0) {
        const int rows = tw_spread_pays(rowcnd) || tw_size_pays(a->A->type, amax), columns = colcnd < 0.1;
        *a->equed = rows && columns ? 'B' : rows ? 'R' : columns ? 'C' : 'N';
    }
    tw_data_free_later(info);
}

/* The first k columns of M's first m rows, in a matrix of their own. */
static struct tw_matrix *leading(struct tw_sequence *seq, struct tw_matrix *M, tw_int m, tw_int k)
{
    struct tw_matrix *T = tw_matrix_temporary(M->type, m, k, M->mb, M->nb);

    for (int j = 0; T && j < T->nt; j++)
        for (int i = 0; i < T->mt; i++)
            tw_task_lacpy_block(seq, tw_priority(seq, 1, 1, 1),
                                &(struct tw_block){.m = tw_tile_rows(T, i), .n = tw_tile_cols(T, j)}, tw_tile(M, i, j),
                                tw_tile(T, i, j), 1);
    if (!T) tw_loop_fail(seq, TW_E_MEMORY, "gesvx: the columns before a zero pivot: %s", tw_last_message());
    return T;
}

/* max |a_ij| / max |u_ij| of the first k columns. AF has square tiles. */
static void pivot_growth(struct tw_sequence *seq, const struct args *a, struct tw_matrix *AF, tw_int k)
{
    const tw_int n = AF->n;
    struct tw_matrix *A = k < n ? leading(seq, a->A, n, k) : a->A, *U = k < n ? leading(seq, AF, k, k) : AF;
    double largest = 0, u = 0;

    if (A && U && tw_norm_value(seq, tw_max_norm_tasks(seq, A), &largest) &&
        tw_norm_value(seq, tw_max_norm_of_upper(seq, U), &u))
        *a->rpivot = u == 0 ? 1 : largest / u;
    if (A != a->A) tw_matrix_free_later(A);
    if (U != AF) tw_matrix_free_later(U);
}

/* With A as it is to be factored, and B as it is to be solved. */
static void factor_and_solve(struct tw_sequence *seq, const struct args *a, struct tw_matrix *AF, struct tw_data *x,
                             double spread)
{
    const enum tw_norm norm = a->trans == TW_NOTRANS ? TW_ONE_NORM : TW_INF_NORM;
    const struct tw_refinement r =
        tw_lu_refinement(a->trans, a->A, AF, a->ipiv, a->B, a->X, a->ferr, a->berr, a->steps);
    double anorm = 0;
    int64_t info;

    if (a->fact != TW_FACT_GIVEN) {
        tw_copy_loop(seq, a->A, AF, 0);
        tw_getrf_loop(seq, AF, a->ipiv, NULL);
    }
    info = a->fact == TW_FACT_GIVEN ? 0 : tw_info_value(seq);
    if (info >= 0) pivot_growth(seq, a, AF, info > 0 ? (tw_int)info : AF->n);
    if (info != 0) return;
    if (!tw_norm_value(seq, tw_sum_norm_tasks(seq, norm, TW_STRUCT_GENERAL, TW_GENERAL, TW_NONUNIT, a->A, 1), &anorm))
        return;
    tw_expert_solve(seq, &r, norm, anorm, a->rcond);
    tw_expert_end(seq, &r, x, spread, *a->rcond);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const int equilibrates = a->fact == TW_FACT_EQUILIBRATE;
    const tw_int n = a->A->n, nb = a->AF->nb;
    struct tw_data *r = NULL, *c = NULL;
    struct tw_matrix *AF = NULL;
    int failed = 0;

    if (equilibrates) equilibrate(seq, a);
    if (by_rows(a)) failed |= !(r = tw_scalings(seq, a->r, n));
    if (by_columns(a)) failed |= !(c = tw_scalings(seq, a->c, n));
    if (!failed && !tw_loop_status(seq)) {
        const int plain = a->trans == TW_NOTRANS;
        if (equilibrates) tw_laqge_loop(seq, TW_GENERAL, 0, a->A, r, c);
        if (scales_b(a)) tw_laqge_loop(seq, TW_GENERAL, 0, a->B, plain ? r : c, NULL);
        AF = tw_retiled_for(seq, a->AF, nb, nb, a->fact == TW_FACT_GIVEN);
        if (AF)
            factor_and_solve(seq, a, AF, scales_x(a) ? (plain ? c : r) : NULL,
                             scales_x(a) ? tw_spread_of(a->A->type, plain ? a->c : a->r, n) : 1);
        tw_retiled_end(seq, a->AF, AF, a->fact != TW_FACT_GIVEN);
    }
    tw_data_free_later(r);
    tw_data_free_later(c);
}

static const char *bad_scalings(const struct args *a, int are, const double *s)
{
    if (!s) return a->fact == TW_FACT_EQUILIBRATE || (a->fact == TW_FACT_GIVEN && are) ? "NULL" : NULL;
    return a->fact == TW_FACT_GIVEN && are && !(tw_spread_of(a->A->type, s, a->A->n) > 0) ? "a scaling is not positive"
                                                                                          : NULL;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_refinement r = {
        .A = a->A, .inverse = {.A = a->AF}, .B = a->B, .X = a->X, .ferr = a->ferr, .berr = a->berr, .steps = a->steps};
    int e;

    TW_CHECK(who, 1, tw_bad_fact(a->fact));
    TW_CHECK(who, 2, tw_bad_trans(a->trans));
    TW_CHECK(who, 3, tw_bad_square(a->A));
    TW_CHECK(who, 4, tw_bad_square(a->AF));
    TW_CHECK(who, 4, tw_bad_factors_of(a->A, a->AF));
    TW_CHECK(who, 5, tw_bad_pivots(a->ipiv, a->AF));
    TW_CHECK(who, 6, a->equed ? NULL : "NULL");
    if (a->fact != TW_FACT_GIVEN) *a->equed = TW_EQUED_NONE;
    TW_CHECK(who, 6,
             *a->equed == 'N' || by_rows(a) || by_columns(a) ? NULL : "not TW_EQUED_NONE, _ROWS, _COLUMNS or _BOTH");
    TW_CHECK(who, 7, bad_scalings(a, by_rows(a), a->r));
    TW_CHECK(who, 8, bad_scalings(a, by_columns(a), a->c));
    TW_CHECK(who, 9, tw_bad_side_of(a->A, a->B));
    TW_CHECK(who, 9, tw_shares(a->B, a->A) || tw_shares(a->B, a->AF) ? "it is another operand itself" : NULL);
    TW_CHECK(who, 11, a->rcond ? NULL : "NULL");
    TW_CHECK(who, 14, a->rpivot ? NULL : "NULL");
    if ((e = tw_expert_check(who, 9, 12, &r)) && e != TW_NOTHING) return e;
    *a->rcond = a->A->n == 0 ? 1 : 0;
    *a->rpivot = a->A->n == 0 ? 1 : 0;
    return e;
}

static double flops(const void *p)
{
    const struct args *a = p;
    const double n = (double)a->A->n;
    return tw_expert_flops(a->fact == TW_FACT_GIVEN ? 0 : tw_flops_getrf(a->A->type, n, n), TW_STRUCT_GENERAL, a->X);
}

const struct tw_routine tw_routine_gesvx = {.name = "gesvx",
                                            .arguments = 15,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, AF),
                                                                   TW_OPERAND(TW_RW, ipiv), TW_OPERAND(TW_RW, B),
                                                                   TW_OPERAND(TW_W, X)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_lu,
                                            .needs = {.given = "2nn n1:i 2nk", .own_bytes = tw_refine_bytes}};

int tw_gesvx(enum tw_fact fact, enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv, int *equed,
             double *r, double *c, tw_matrix *B, tw_matrix *X, double *rcond, double *ferr, double *berr,
             double *rpivot, int *steps)
{
    return tw_run(&tw_routine_gesvx,
                  &(struct args){fact, trans, A, AF, ipiv, equed, r, c, B, X, rcond, ferr, berr, rpivot, steps});
}

int tw_gesvx_async(enum tw_fact fact, enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv, int *equed,
                   double *r, double *c, tw_matrix *B, tw_matrix *X, double *rcond, double *ferr, double *berr,
                   double *rpivot, int *steps, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gesvx, seq,
                    &(struct args){fact, trans, A, AF, ipiv, equed, r, c, B, X, rcond, ferr, berr, rpivot, steps});
}
