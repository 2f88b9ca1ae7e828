/* min |B - op(A) X| for every column, A of full rank: by QR where A has as many rows as columns or more, else by LQ;
 * where op(A) has fewer rows than columns, the solution of least norm (Golub, Van Loan, Matrix Computations, 5.3 and
 * 5.6.2), as LAPACK's gels, with its scaling.
 *
 * The solution is made in a copy of B, which tasks put back if no diagonal element of the triangle is zero: B is
 * unchanged when one is, and no loop waits to know. What does wait for a value, without holding up other work, is the
 * factorization: for the sizes of A's and B's largest elements, by which LAPACK decides whether to scale. */
#include "algorithms/dense/least_squares.h"
#include "algorithms/dense/reflectors.h"
#include "algorithms/dense/tall.h"
#include "algorithms/dense/tree.h"

struct args {
    enum tw_trans trans;
    struct tw_matrix *A, *B;
    int lapacks; /* A is left in LAPACK's storage, tau apart: reflectors from top to bottom */
};

/* One call; what its continuations get. */
struct problem {
    enum tw_trans trans;
    char storev;
    int least_norm;      /* op(A) has fewer rows than columns */
    int tree;            /* A = Q R or L Q by a tree of tiles, which is quicker where A is tall or wide */
    struct tw_matrix *A; /* in square tiles */
    struct tw_matrix *X; /* as B; least squares: with its content */
    struct tw_matrix *Y; /* the triangle's right-hand side and solution; least norm: with B's rows that count */
    struct tw_data *b_norm;
    double a_scale, b_scale; /* by which A and B are multiplied */
};

/* ---- scaling ----------------------------------------------------------------------------------------------------- */

static void scale(struct tw_sequence *seq, double by, struct tw_matrix *M)
{
    if (by != 1) tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){by, 0}, M);
}

/* ---- rows of X --------------------------------------------------------------------------------------------------- */

/* X = [Y; 0] */
static void extend(struct tw_sequence *seq, struct tw_matrix *Y, struct tw_matrix *X)
{
    for (int j = 0; j < X->nt; j++)
        for (int i = 0; i < X->mt; i++)
            if (i >= Y->mt || tw_tile(Y, i, j)->m < tw_tile(X, i, j)->m)
                tw_task_laset(seq, tw_priority(seq, 1, 1, 0), 'G', tw_zero, tw_zero, tw_tile(X, i, j));
    tw_copy_rows_loop(seq, Y, X, 0);
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

/* Y becomes the solution with the triangle R or L. */
static void solve_triangle(struct tw_sequence *seq, const struct problem *p)
{
    const enum tw_uplo uplo = p->storev == 'C' ? TW_UPPER : TW_LOWER;

    for (int k = 0; k < p->Y->mt; k++)
        tw_task_trdiag(seq, tw_priority(seq, 1, 1, 1), tw_tile(p->A, k, k), k * p->A->nb, tw_info(seq));
    tw_trsm_loop(seq, TW_LEFT, uplo, p->trans, TW_NONUNIT, tw_one, p->A, p->Y, 0);
    scale(seq, p->a_scale, p->Y);
}

/* The factorization of A, one way or the other. */
struct factors {
    struct tw_tree tree;
    struct tw_reflectors r;
    struct tw_matrix *tau;
};
static void factor(const struct problem *p, struct factors *f, struct tw_matrix *X)
{
    if (p->tree)
        tw_tree_factor_loop(&f->tree, X);
    else
        tw_factor_q_loop(&f->r, f->tau, X);
}
static void apply(const struct problem *p, struct factors *f)
{
    if (p->tree)
        tw_tree_apply_loop(&f->tree, 'L', 'N', p->X, 0);
    else
        tw_apply_q_loop(&f->r, f->tau, 'L', p->storev == 'C' ? TW_NOTRANS : TW_CONJTRANS, p->X, 0);
}

static void solve(struct tw_sequence *seq, const struct problem *p, struct factors *f)
{
    scale(seq, p->a_scale, p->A);
    scale(seq, p->b_scale, p->least_norm ? p->Y : p->X);
    factor(p, f, p->least_norm ? NULL : p->X);
    if (p->least_norm) {
        solve_triangle(seq, p);
        extend(seq, p->Y, p->X);
        apply(p, f);
    } else {
        tw_copy_rows_loop(seq, p->X, p->Y, 1);
        solve_triangle(seq, p);
        tw_copy_rows_loop(seq, p->Y, p->X, 0);
    }
    scale(seq, 1 / p->b_scale, p->X);
}

static void with_norms(struct tw_sequence *seq, const void *b_norm, void *args)
{
    struct problem *p = args;
    const tw_int k = tw_min(p->A->m, p->A->n);
    struct factors f = {.tau = NULL};

    p->b_scale = tw_safe_scale(p->A->type, *(const double *)b_norm);
    if (p->tree) {
        if (!tw_tree_begin(seq, &f.tree, p->storev, p->A, NULL)) solve(seq, p, &f);
        tw_tree_end(&f.tree);
        return;
    }
    if (!(f.tau = tw_matrix_temporary(p->A->type, k, 1, p->A->nb, 1))) {
        tw_loop_fail(seq, TW_E_MEMORY, "gels: %lld factors: %s", (long long)k, tw_last_message());
        return;
    }
    if (!tw_reflectors_begin(seq, &f.r, p->storev, p->A, k)) solve(seq, p, &f);
    tw_reflectors_end(&f.r);
    tw_matrix_free_later(f.tau);
}

static const double modelled_norm = 1;

static void with_norm_of_A(struct tw_sequence *seq, const void *a_norm, void *args)
{
    struct problem *p = args;
    const struct tw_use uses[] = {{NULL, p->A, TW_RW}, {NULL, p->X, TW_RW}, {NULL, p->Y, TW_RW}};

    if (*(const double *)a_norm == 0) { /* the zero matrix has no rank, but a solution */
        tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, p->X);
        return;
    }
    p->a_scale = tw_safe_scale(p->A->type, *(const double *)a_norm);
    tw_when(seq, p->b_norm, &modelled_norm, uses, 3, with_norms, p, sizeof *p);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

static int prepare(struct tw_sequence *seq, const struct args *a, struct problem *p)
{
    const struct tw_matrix *B = a->B;
    const tw_int k = tw_min(a->A->m, a->A->n), nb = a->A->nb;

    *p = (struct problem){.trans = a->trans == TW_NOTRANS ? TW_NOTRANS : TW_CONJTRANS,
                          .storev = a->A->m >= a->A->n ? 'C' : 'R'};
    p->least_norm = (p->storev == 'C') != (a->trans == TW_NOTRANS);
    if (!(p->A = tw_retiled(seq, a->A, nb, nb))) return -1;
    p->tree = !a->lapacks && tw_tree_suits(p->A, p->storev);
    p->Y = tw_matrix_temporary(B->type, k, B->n, nb, B->nb);
    p->X = p->least_norm ? tw_matrix_temporary(B->type, B->m, B->n, nb, B->nb) : tw_copied(seq, a->B, nb, B->nb);
    if (p->X && p->Y) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "gels: a copy of B: %s", tw_last_message());
    return -1;
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct problem p;
    struct tw_data *a_norm = NULL;
    struct tw_matrix *B = NULL;

    if (a->A->m == 0 || a->A->n == 0) {
        tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, a->B);
        return;
    }
    if (!a->lapacks && tw_tall_cut(a->A)) {
        tw_tall_gels_loop(seq, a->trans == TW_NOTRANS ? TW_NOTRANS : TW_CONJTRANS, a->A, a->B);
        return;
    }
    if (!prepare(seq, a, &p) && (B = p.least_norm ? tw_retiled(seq, a->B, p.A->nb, a->B->nb) : a->B)) {
        if (p.least_norm) tw_copy_rows_loop(seq, B, p.Y, 1);
        a_norm = tw_max_norm_tasks(seq, p.A);
        p.b_norm = tw_max_norm_tasks(seq, p.least_norm ? p.Y : p.X);
        if (a_norm && p.b_norm)
            tw_when(seq, a_norm, &modelled_norm,
                    (const struct tw_use[]){
                        {NULL, p.A, TW_RW}, {NULL, p.X, TW_RW}, {NULL, p.Y, TW_RW}, {p.b_norm, NULL, TW_R}},
                    4, with_norm_of_A, &p, sizeof p);
        if (a_norm) tw_data_free_later(a_norm);
        if (p.b_norm) tw_data_free_later(p.b_norm);
        tw_copied_end_if(seq, a->B, p.X, tw_info(seq));
        p.X = NULL;
        tw_retiled_end(seq, a->B, B, 0);
    }
    if (p.X) tw_matrix_free_later(p.X);
    if (p.Y) tw_matrix_free_later(p.Y);
    tw_retiled_end(seq, a->A, p.A, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, tw_bad_trans(a->trans));
    TW_CHECK(who, 2, tw_bad_general(a->A));
    TW_CHECK(who, 1, a->trans == TW_TRANS && tw_is_complex(a->A->type) ? "TW_TRANS, with complex matrices" : NULL);
    TW_CHECK(who, 2, tw_max(a->A->m, a->A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL);
    TW_CHECK(who, 3, tw_bad_general(a->B));
    TW_CHECK(who, 3, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 3, a->B->m != tw_max(a->A->m, a->A->n) ? "its number of rows is not the larger of A's" : NULL);
    TW_CHECK(who, 3, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    if ((e = tw_tall_variable())) return e;
    return a->B->m == 0 || a->B->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)a->A->m, n = (double)a->A->n, k = m < n ? m : n, nrhs = (double)a->B->n;
    const enum tw_type t = a->A->type;
    return (m >= n ? tw_flops_geqrf(t, m, n) : tw_flops_gelqf(t, m, n)) +
           tw_flops_unmqr(t, 'L', (double)a->B->m, nrhs, k) + tw_flops_trsm(t, 'L', k, nrhs);
}

/* Beside X and Y the reflectors and what they are applied to: A's other blocks and X; or the tree; or domains. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const tw_int least = tw_min(s->m, s->n);
    const double tree = tw_tree_elements(s->m, s->n, nb), tall = tw_tall_elements(s->m, s->n, s->k, nb);
    return (double)tw_sizeof(s->type) * (tall > 0   ? tall
                                         : tree > 0 ? tree
                                                    : tw_reflectors_elements(least, nb, (double)least + (double)s->k));
}

static tw_int tall_or_wide(const struct tw_sizes *s, tw_int nb)
{
    return tw_tree_nb(s, tw_tuning_qr.nb(s, nb));
}

static struct tw_crossovers crossovers;
/* QR's, but for tall and wide matrices. */
static const struct tw_tuning tuning = {.seconds = tw_predict_qr,
                                        .nb = tall_or_wide,
                                        .lapack = tw_lapack_qr,
                                        .flops = 4,
                                        .crossovers = &crossovers,
                                        .crossover = 512};

static tw_int tall(const struct tw_sizes *s)
{
    return tw_tall_rows(s->m, s->n);
}

const struct tw_routine tw_routine_gels = {.name = "gels",
                                           .arguments = 3,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, B)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops,
                                           .tuning = &tuning,
                                           .tall = tall,
                                           .needs = {"mn gk", "gk lk", NULL, own_bytes}};

int tw_gels(enum tw_trans trans, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_gels, &(struct args){trans, A, B, 0});
}

int tw_gels_in_lapacks_storage(enum tw_trans trans, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_gels, &(struct args){trans, A, B, 1});
}

int tw_gels_async(enum tw_trans trans, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gels, seq, &(struct args){trans, A, B, 0});
}
