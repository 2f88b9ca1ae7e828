/* min |B - A X| for every column, and of all such X the shortest, A of any rank: LAPACK's gelsy (Golub, Van Loan,
 * Matrix Computations, 5.5.6). A P = Q R by columns of the largest norm; those columns are kept whose triangle has a
 * condition of at most 1 / rcond, estimated one by one (Bischof, "Incremental condition estimation", SIAM J. Matrix
 * Anal. Appl. 11, 1990); what is to the right of them is taken into the triangle by reflectors from the right.
 *
 * The rank decides what is submitted: a continuation. Where all columns count, the triangle is solved by tiles; else
 * that part is one task, and one for each block column of B. */
#include <math.h>
#include "algorithms/dense/least_squares.h"
#include "algorithms/dense/pivoted.h"
#include "algorithms/dense/reflectors.h"
#include "types/dense/tiles.h"
#include <stdlib.h>

struct args {
    struct tw_matrix *A;
    tw_int *jpvt;
    double rcond;
    int *rank;
    struct tw_matrix *B;
};

/* One call; what its continuations get. */
struct problem {
    struct args user;
    struct tw_matrix *A, *tau; /* in square tiles */
    struct tw_matrix *B;       /* in A's tile rows, max(m, n) of them */
    struct tw_matrix *Y, *X;   /* its first m rows, then Q^H of them; the solution, n rows */
    struct tw_data *jpvt, *rank, *b_norm;
    double a_scale, b_scale; /* by which A and B are multiplied */
};

static void scale(struct tw_sequence *seq, double by, struct tw_matrix *M)
{
    if (by != 1) tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){by, 0}, M);
}
static struct tw_data *const *column(const struct tw_matrix *M, int j)
{
    return &M->tile[(size_t)j * (size_t)M->mt];
}
/* The leading tiles of A, mt x nt, as a list: to be freed. NULL without memory, and then the sequence has failed. */
static struct tw_data **leading(struct tw_sequence *seq, const struct tw_matrix *A, int mt, int nt)
{
    struct tw_data **list = malloc((size_t)mt * (size_t)nt * sizeof *list);

    if (!list) tw_loop_fail(seq, TW_E_MEMORY, "gelsy: no memory for a list of %d x %d tiles", mt, nt);
    for (int j = 0; list && j < nt; j++)
        for (int i = 0; i < mt; i++)
            list[i + j * mt] = tw_tile(A, i, j);
    return list;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static void full_rank(struct tw_sequence *seq, const struct problem *p)
{
    tw_copy_rows_loop(seq, p->Y, p->X, 1);
    tw_trsm_loop(seq, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, tw_one, p->A, p->X, 0);
    if (p->a_scale != 1) tw_scale_loop(seq, TW_UPPER, 0, (tw_scalar){1 / p->a_scale, 0}, p->A); /* as LAPACK */
}

static void least_norm(struct tw_sequence *seq, const struct problem *p, int rank)
{
    const int mt = (int)((rank + p->A->mb - 1) / p->A->mb), priority = tw_priority(seq, 1, 1, 1);
    struct tw_data **list = leading(seq, p->A, mt, p->A->nt),
                   *F = tw_data_tile(p->A->type, rank, (int)p->A->n + TW_COLUMNS_BEHIND),
                   *tau = tw_data_tile(p->A->type, rank, 1);

    if (list && F && tau) {
        tw_task_tzrzf(seq, priority, list, mt, p->A->nt, 1 / p->a_scale, F, tau);
        for (int j = 0; j < p->X->nt; j++)
            tw_task_minimum_norm(seq, priority, F, tau, column(p->Y, j), p->Y->mt, column(p->X, j), p->X->mt);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "gelsy: no memory for %d x %lld elements", rank, (long long)p->A->n);
    }
    tw_data_free_later(F);
    tw_data_free_later(tau);
    free(list);
}

static void with_rank(struct tw_sequence *seq, const void *value, void *args)
{
    const struct problem *p = args;
    const tw_int rank = *(const int64_t *)value;

    *p->user.rank = (int)rank;
    if (rank == 0) {
        tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, p->B);
        return;
    }
    if (rank == p->A->n)
        full_rank(seq, p);
    else
        least_norm(seq, p, (int)rank);
    for (int j = 0; j < p->X->nt; j++)
        tw_task_permute_rows(seq, tw_priority(seq, 1, 1, 0), p->jpvt, column(p->X, j), p->X->mt);
    scale(seq, p->a_scale, p->X);
    scale(seq, 1 / p->b_scale, p->X);
    scale(seq, 1 / p->b_scale, p->Y);
    tw_copy_rows_loop(seq, p->Y, p->B, 0);
    tw_copy_rows_loop(seq, p->X, p->B, 0);
}

/* ---- what comes before ------------------------------------------------------------------------------------------- */

static void factor(struct tw_sequence *seq, const struct problem *p)
{
    static const int64_t modelled = 1;
    const tw_int k = tw_min(p->A->m, p->A->n);
    const int tiles = p->tau->mt;
    const struct tw_use uses[] = {
        {NULL, p->A, TW_RW}, {NULL, p->B, TW_RW}, {NULL, p->Y, TW_RW}, {NULL, p->X, TW_RW}, {p->jpvt, NULL, TW_R}};
    struct tw_data **list = leading(seq, p->A, tiles, tiles);
    struct tw_reflectors r;

    tw_geqp3_loop(seq, p->A, p->jpvt, p->tau);
    tw_jpvt_out(seq, p->jpvt, p->user.jpvt);
    if (list) tw_task_rank(seq, tw_priority(seq, 1, 1, 1), p->user.rcond, (int)k, list, tiles, p->rank);
    free(list);
    if (!tw_reflectors_begin(seq, &r, 'C', p->A, k)) tw_apply_q_loop(&r, p->tau, 'L', TW_CONJTRANS, p->Y, 0);
    tw_reflectors_end(&r);
    tw_when(seq, p->rank, &modelled, uses, sizeof uses / sizeof *uses, with_rank, p, sizeof *p);
}

static void with_norms(struct tw_sequence *seq, const void *b_norm, void *args)
{
    struct problem *p = args;

    p->b_scale = tw_safe_scale(p->A->type, *(const double *)b_norm);
    scale(seq, p->a_scale, p->A);
    scale(seq, p->b_scale, p->Y);
    factor(seq, p);
}

static const double modelled_norm = 1;

static void with_norm_of_A(struct tw_sequence *seq, const void *a_norm, void *args)
{
    struct problem *p = args;
    const struct tw_use uses[] = {{NULL, p->A, TW_RW},   {NULL, p->B, TW_RW},   {NULL, p->Y, TW_RW},
                                  {NULL, p->X, TW_RW},   {NULL, p->tau, TW_RW}, {p->jpvt, NULL, TW_RW},
                                  {p->rank, NULL, TW_RW}};

    if (*(const double *)a_norm == 0) {
        tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, p->B);
        return;
    }
    p->a_scale = tw_safe_scale(p->A->type, *(const double *)a_norm);
    tw_when(seq, p->b_norm, &modelled_norm, uses, sizeof uses / sizeof *uses, with_norms, p, sizeof *p);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

static int prepare(struct tw_sequence *seq, struct problem *p)
{
    struct tw_matrix *A = p->user.A, *B = p->user.B;
    const tw_int nb = A->nb;

    if (!(p->A = tw_retiled(seq, A, nb, nb)) || !(p->B = tw_retiled(seq, B, nb, B->nb))) return -1;
    if (!(p->jpvt = tw_jpvt_in(seq, A->n, p->user.jpvt))) return -1;
    p->tau = tw_matrix_temporary(A->type, tw_min(A->m, A->n), 1, nb, 1);
    p->Y = tw_matrix_temporary(A->type, A->m, B->n, nb, B->nb);
    p->X = tw_matrix_temporary(A->type, A->n, B->n, nb, B->nb);
    p->rank = tw_data_vector(1, sizeof(int64_t), (int[2]){-1, -1});
    if (p->tau && p->Y && p->X && p->rank) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "gelsy: copies of B: %s", tw_last_message());
    return -1;
}

static void loop(struct tw_sequence *seq, void *args)
{
    struct problem p = {.user = *(const struct args *)args};
    struct tw_data *a_norm = NULL;

    if (!prepare(seq, &p)) {
        const struct tw_use uses[] = {{NULL, p.A, TW_RW},    {NULL, p.B, TW_RW},   {NULL, p.Y, TW_RW},
                                      {NULL, p.X, TW_RW},    {NULL, p.tau, TW_RW}, {p.jpvt, NULL, TW_RW},
                                      {p.rank, NULL, TW_RW}, {NULL, NULL, TW_R}};
        struct tw_use all[sizeof uses / sizeof *uses];
        tw_copy_rows_loop(seq, p.B, p.Y, 1);
        a_norm = tw_max_norm_tasks(seq, p.A);
        p.b_norm = tw_max_norm_tasks(seq, p.Y);
        for (size_t k = 0; k < sizeof uses / sizeof *uses; k++)
            all[k] = uses[k];
        all[7].data = p.b_norm;
        if (a_norm && p.b_norm)
            tw_when(seq, a_norm, &modelled_norm, all, sizeof all / sizeof *all, with_norm_of_A, &p, sizeof p);
    }
    tw_data_free_later(a_norm);
    tw_data_free_later(p.b_norm);
    tw_data_free_later(p.jpvt);
    tw_data_free_later(p.rank);
    tw_matrix_free_later(p.tau);
    tw_matrix_free_later(p.Y);
    tw_matrix_free_later(p.X);
    tw_retiled_end(seq, p.user.B, p.B, 1);
    tw_retiled_end(seq, p.user.A, p.A, 1);
}

static int check(const char *who, void *args)
{
    const struct args *a = args;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL);
    TW_CHECK(who, 2, a->jpvt || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 3, isnan(a->rcond) ? "NaN" : NULL);
    TW_CHECK(who, 4, a->rank ? NULL : "NULL");
    TW_CHECK(who, 5, tw_bad_general(a->B));
    TW_CHECK(who, 5, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 5, a->B->m != tw_max(a->A->m, a->A->n) ? "its number of rows is not the larger of A's" : NULL);
    TW_CHECK(who, 5, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    *a->rank = 0;
    return a->A->m == 0 || a->A->n == 0 || a->B->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)a->A->m, n = (double)a->A->n, k = m < n ? m : n, nrhs = (double)a->B->n;
    const enum tw_type t = a->A->type;
    return tw_flops_geqrf(t, m, n) + tw_flops_unmqr(t, 'L', m, nrhs, k) + tw_flops_trsm(t, 'L', k, nrhs);
}

/* One after another: geqp3's, reflectors applied to Y, and, of a rank that is not full, the triangle and what is right
 * of it. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const tw_int least = tw_min(s->m, s->n);
    const double reflectors = tw_reflectors_elements(least, nb, (double)s->k),
                 rest = (double)least * ((double)s->n + TW_COLUMNS_BEHIND);
    return (double)tw_sizeof(s->type) * fmax(fmax(reflectors, rest), tw_pivoted_elements(s->m, s->n, nb));
}

const struct tw_routine tw_routine_gelsy = {.name = "gelsy",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, B)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_exchanges,
                                            .needs = {"mn gk", "mk nk l1", NULL, own_bytes}};

int tw_gelsy(tw_matrix *A, tw_int *jpvt, double rcond, int *rank, tw_matrix *B)
{
    return tw_run(&tw_routine_gelsy, &(struct args){A, jpvt, rcond, rank, B});
}

int tw_gelsy_async(tw_matrix *A, tw_int *jpvt, double rcond, int *rank, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gelsy, seq, &(struct args){A, jpvt, rcond, rank, B});
}
