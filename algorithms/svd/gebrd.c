/* Reduction of a general matrix to bidiagonal form in one stage, A = Q B P^H, by Householder reflectors: LAPACK's
 * gebrd, with its storage.
 *
 * Every column and every row need a product with all of the matrix behind them, which is most of the time, so that
 * there is no look-ahead: panel and update take turns. The matrix is a copy in whole block columns: a panel reads those
 * behind it, and the update, A - [V X] [Y U]^H, is one task for each of them; on a GPU it is one block column, and
 * stays there. Where m < n it is A's adjoint that is reduced: its upper bidiagonal form is A's lower one, and its
 * reflectors lie where LAPACK has A's. */
#include <stdlib.h>
#include "algorithms/eigen/one_stage.h"
#include "algorithms/svd/svd_loops.h"
#include "codelets/eigen/sytrd_tasks.h"
#include "codelets/svd/gebrd_tasks.h"

struct args {
    struct tw_matrix *A;
    double *d, *e;
    struct tw_matrix *tauq, *taup;
};

struct reduction {
    struct tw_sequence *seq;
    struct tw_matrix *X; /* in whole block columns; m >= n */
    struct tw_data *d, *e, *tauq, *taup;
    int place, panel;
};

static int step(const struct reduction *r, int first)
{
    struct tw_matrix *X = r->X;
    const int m = (int)X->m, n = (int)X->n, width = (int)X->nb, k = first / width,
              columns = (int)tw_min(tw_min(r->panel, (k + 1) * width - first), n - first), behind = n - first - columns;
    const struct tw_gebrd_panel p = {m, n, first, columns, width, r->place};
    const int priority = tw_priority(r->seq, n - first, n, 1);
    const struct tw_gebrd_left left = {.VX = tw_panel_object(X->type, m - first, 2 * columns),
                                       .YU = tw_panel_object(X->type, n - first, 2 * columns),
                                       .rows = behind ? tw_panel_object(X->type, behind, columns) : NULL};

    if (left.VX && left.YU && (left.rows || !behind)) {
        tw_task_gebrd_panel(r->seq, priority, &p, &X->tile[k], X->nt - k, r->d, r->e, r->tauq, r->taup, &left);
        for (int j = (first + columns) / width; behind && j < X->nt; j++)
            tw_task_gebrd_update(r->seq, priority, &p, j * X->nb, &left, tw_tile(X, 0, j));
    } else {
        tw_loop_fail(r->seq, TW_E_MEMORY, "gebrd: no memory for a panel of %d rows", m - first);
    }
    if (left.VX) tw_data_free_later(left.VX);
    if (left.YU) tw_data_free_later(left.YU);
    if (left.rows) tw_data_free_later(left.rows);
    return columns;
}

static struct tw_data *column(struct tw_sequence *seq, enum tw_type type, tw_int length)
{
    struct tw_data *x = tw_data_tile(type, (int)tw_max(1, length), 1);

    if (x)
        tw_task_laset(seq, tw_priority(seq, 1, 1, 1), 'G', tw_zero, tw_zero, x);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "gebrd: no memory for %lld numbers", (long long)length);
    return x;
}

/* Two products for each column and its row; the updates are as many flops. */
static int place_of(const struct tw_matrix *A)
{
    const double m = (double)tw_max(A->m, A->n), n = (double)tw_min(A->m, A->n), elements = n * n * (m - n / 3);
    const struct tw_one_stage p = {
        .type = A->type, .m = m, .n = n, .steps = 2 * n, .elements = elements, .flops = 2 * elements};
    return tw_one_stage_place(&p);
}

/* A, or its adjoint, in whole block columns. */
static struct tw_matrix *copy_of(struct tw_sequence *seq, struct tw_matrix *A, int place, int panel)
{
    const tw_int m = tw_max(A->m, A->n), n = tw_min(A->m, A->n), width = tw_one_stage_width(place, n, panel);
    struct tw_matrix *T, *X;

    if (A->m >= A->n) return tw_copied(seq, A, m, width);
    T = tw_retiled(seq, A, width, m);
    X = T ? tw_adjoint(seq, T) : NULL;
    tw_retiled_end(seq, A, T, 0);
    return X;
}

/* X's content into A. */
static void leave_matrix(struct tw_sequence *seq, struct tw_matrix *X, struct tw_matrix *A)
{
    struct tw_matrix *H = A->m >= A->n ? X : tw_adjoint(seq, X);

    if (H) tw_copy_loop(seq, H, A, 1);
    if (H && H != X) tw_matrix_free_later(H);
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    const enum tw_type type = a->A->type, real = tw_real_type(type);
    const tw_int n = tw_min(a->A->m, a->A->n);
    const int wide = a->A->m < a->A->n, place = place_of(a->A),
              panel = place == TW_ON_CPUS ? TW_GEBRD_PANEL : TW_GEBRD_PANEL_ON_GPU;
    struct reduction r = {.seq = seq,
                          .X = copy_of(seq, a->A, place, panel),
                          .d = column(seq, real, n),
                          .e = column(seq, real, n - 1),
                          .tauq = column(seq, type, n),
                          .taup = column(seq, type, n),
                          .place = place,
                          .panel = panel};

    if (r.X && r.d && r.e && r.tauq && r.taup) {
        for (int first = 0; first < n && !tw_loop_status(seq);)
            first += step(&r, first);
        leave_matrix(seq, r.X, a->A);
        tw_task_sytrd_leave(seq, tw_priority(seq, 1, 1, 0), 'L', 1, r.d, r.e, a->d, a->e);
        tw_tau_out(seq, TW_LOWER, n, wide ? r.taup : r.tauq, a->tauq);
        tw_tau_out(seq, TW_LOWER, n, wide ? r.tauq : r.taup, a->taup);
    }
    if (r.X) tw_matrix_free_later(r.X);
    if (r.d) tw_data_free_later(r.d);
    if (r.e) tw_data_free_later(r.e);
    if (r.tauq) tw_data_free_later(r.tauq);
    if (r.taup) tw_data_free_later(r.taup);
}

static const char *bad_factors(const struct tw_matrix *tau, const struct tw_matrix *A)
{
    const char *why = tw_bad_general(tau);
    if (why) return why;
    if (tau == A) return "it is the matrix A itself";
    if (tau->type != A->type) return "its type differs from A's";
    return tau->n != 1 || tau->m != tw_min(A->m, A->n) ? "it is not a column of min(m, n) elements" : NULL;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    tw_int k;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    k = tw_min(a->A->m, a->A->n);
    TW_CHECK(who, 2, k > 0 && !a->d ? "NULL" : NULL);
    TW_CHECK(who, 3, k > 1 && !a->e ? "NULL" : NULL);
    TW_CHECK(who, 4, bad_factors(a->tauq, a->A));
    TW_CHECK(who, 5, bad_factors(a->taup, a->A));
    TW_CHECK(who, 5, a->taup == a->tauq ? "it is tauq itself" : NULL);
    return k == 0 ? TW_NOTHING
                  : tw_eigen_memory(who, (double)a->A->m * (double)a->A->n * (double)tw_sizeof(a->A->type), a->A, NULL,
                                    NULL);
}

static double flops(const void *args)
{
    const struct args *a = args;
    return tw_flops_gebrd(a->A->type, (double)tw_max(a->A->m, a->A->n), (double)tw_min(a->A->m, a->A->n));
}

/* The copy, and a panel's reflectors with what they are multiplied with. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const double m = (double)s->m, n = (double)s->n, least = m < n ? m : n;
    (void)nb;
    return (double)tw_sizeof(s->type) * (m * n + TW_GEBRD_PANEL * (2 * m + 2 * n + least) + 2 * least);
}

const struct tw_routine tw_routine_gebrd = {
    .name = "gebrd",
    .arguments = 5,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, tauq), TW_OPERAND(TW_W, taup)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .needs = {.given = "mn 2l1", .own_bytes = own_bytes}};

int tw_gebrd(tw_matrix *A, double *d, double *e, tw_matrix *tauq, tw_matrix *taup)
{
    return tw_run(&tw_routine_gebrd, &(struct args){A, d, e, tauq, taup});
}

int tw_gebrd_async(tw_matrix *A, double *d, double *e, tw_matrix *tauq, tw_matrix *taup, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gebrd, seq, &(struct args){A, d, e, tauq, taup});
}
