/* The Q and the P of a reduction to bidiagonal form, themselves and as factors: LAPACK's orgbr, ungbr, ormbr, unmbr.
 *
 * Of Q, of order m, the reflectors of an m x k matrix with m >= k lie as those of a QR factorization do, else one row
 * lower, as those of a reduction to Hessenberg form; of P, of order n, those of a k x n matrix with k < n lie as an LQ
 * factorization's, else one column further, which makes them the Hessenberg form's in A's adjoint. So it is these
 * routines' loops that do the work. */
#include "algorithms/dense/reflectors.h"
#include "algorithms/eigen/trd_apply.h"
#include "algorithms/svd/svd_loops.h"

struct args {
    enum tw_vect vect;
    enum tw_side side;
    enum tw_trans trans;
    tw_int k;
    struct tw_matrix *A, *tau, *C; /* C NULL: Q or P^H itself over A */
};

static tw_int order_of(const struct args *a)
{
    if (a->C) return a->side == TW_LEFT ? a->C->m : a->C->n;
    return a->vect == TW_VECT_Q ? a->A->m : a->A->n;
}
/* Reflectors begin beside the diagonal. */
static int shifted(const struct args *a)
{
    return a->vect == TW_VECT_Q ? order_of(a) < a->k : order_of(a) <= a->k;
}
static tw_int count_of(const struct args *a)
{
    return shifted(a) ? order_of(a) - 1 : a->k;
}

/* The adjoint of A's rows from the first on, n of them or up to a tile more. */
static struct tw_matrix *adjoint_of_rows(struct tw_sequence *seq, struct tw_matrix *A, tw_int n)
{
    const tw_int rows = tw_min(A->m, (n + A->mb - 1) / A->mb * A->mb);
    struct tw_matrix *T = tw_matrix_temporary(A->type, A->n, rows, A->nb, A->mb);

    if (!T) tw_loop_fail(seq, TW_E_MEMORY, "an adjoint matrix: %s", tw_last_message());
    for (int j = 0; T && j < T->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < T->mt; i++)
            tw_task_transpose(seq, tw_priority(seq, 1, 1, 1), 'C', tw_tile(A, j, i), tw_tile(T, i, j));
    return T;
}

static void off_diagonal(struct tw_sequence *seq, const struct args *a)
{
    const tw_int n = order_of(a);
    const char op = !a->C || a->trans == TW_NOTRANS ? 'N' : 'C';
    struct tw_matrix *V = a->vect == TW_VECT_Q ? a->A : adjoint_of_rows(seq, a->A, n), *H;

    if (!V) return;
    tw_unghr_loop(seq, a->side, op, 1, n, V, a->tau, a->C);
    if (V == a->A) return;
    if (!a->C && (H = tw_adjoint(seq, V))) {
        tw_copy_loop(seq, H, a->A, 1);
        tw_matrix_free_later(H);
    }
    tw_matrix_free_later(V);
}

/* As a QR ('C') or LQ ('R') factorization's. LQ's own Q is P^H. */
static void from_diagonal(struct tw_sequence *seq, const struct args *a, char storev)
{
    const int adjoint = (a->trans != TW_NOTRANS) != (storev == 'R');
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb),
                     *tau = A && a->k > 0 ? tw_retiled(seq, a->tau, A->nb, 1) : NULL,
                     *C = A && a->C ? tw_facing(seq, a->side, A, a->C) : NULL;
    struct tw_reflectors r;

    if (A && (tau || a->k == 0) && (C || !a->C)) {
        if (tw_reflectors_begin(seq, &r, storev, A, a->k))
            ; /* the sequence has failed */
        else if (C)
            tw_apply_q_loop(&r, tau, (char)a->side, adjoint ? TW_CONJTRANS : TW_NOTRANS, C, C == a->C);
        else
            tw_form_q_loop(&r, tau);
        tw_reflectors_end(&r);
    }
    if (a->C) tw_retiled_end(seq, a->C, C, 1);
    if (tau) tw_retiled_end(seq, a->tau, tau, 0);
    tw_retiled_end(seq, a->A, A, !a->C);
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;

    if (shifted(a))
        off_diagonal(seq, a);
    else
        from_diagonal(seq, a, a->vect == TW_VECT_Q ? 'C' : 'R');
}

static const char *bad_vect(enum tw_vect vect)
{
    return vect == TW_VECT_Q || vect == TW_VECT_P ? NULL : "neither TW_VECT_Q nor TW_VECT_P";
}
static const char *bad_factors(const struct args *a)
{
    const tw_int count = count_of(a);
    const char *why = !a->tau && count <= 0 ? NULL : tw_bad_general(a->tau);
    if (why || !a->tau) return why;
    if (a->tau == a->A) return "it is the matrix A itself";
    if (a->tau->type != a->A->type) return "its type differs from A's";
    return a->tau->n != 1 || a->tau->m < count ? "it is not a column with an element for each reflector" : NULL;
}

static int check_form(const char *who, void *p)
{
    const struct args *a = p;
    tw_int lines, order;

    TW_CHECK(who, 1, bad_vect(a->vect));
    TW_CHECK(who, 3, tw_bad_general(a->A));
    TW_CHECK(who, 3, tw_max(a->A->m, a->A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    order = order_of(a), lines = a->vect == TW_VECT_Q ? a->A->n : a->A->m;
    TW_CHECK(who, 2, a->k < 0 ? "k < 0" : NULL);
    TW_CHECK(who, 3, lines > order ? "it has more columns (of P: rows) than the order of Q (P)" : NULL);
    TW_CHECK(who, 3,
             lines < tw_min(order, a->k) ? "it has fewer columns (of P: rows) than there are reflectors" : NULL);
    TW_CHECK(who, 4, bad_factors(a));
    return a->A->m == 0 || a->A->n == 0
               ? TW_NOTHING
               : tw_eigen_memory(who, (double)order * (double)lines * (double)tw_sizeof(a->A->type), a->A, NULL, NULL);
}

static int check_multiply(const char *who, void *p)
{
    const struct args *a = p;
    tw_int order, most;

    TW_CHECK(who, 1, bad_vect(a->vect));
    TW_CHECK(who, 2, tw_bad_side(a->side));
    TW_CHECK(who, 5, tw_bad_general(a->A));
    TW_CHECK(who, 5, tw_max(a->A->m, a->A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    TW_CHECK(who, 3, tw_bad_q_trans(a->trans, a->A));
    TW_CHECK(who, 4, a->k < 0 ? "k < 0" : NULL);
    TW_CHECK(who, 7, tw_bad_q_target(a->C, a->A, a->tau));
    order = order_of(a), most = a->vect == TW_VECT_Q ? a->A->m : a->A->n;
    TW_CHECK(who, 7, order != most ? "its shape does not fit the order of Q (P)" : NULL);
    TW_CHECK(who, 5,
             (a->vect == TW_VECT_Q ? a->A->n : a->A->m) < tw_min(order, a->k)
                 ? "it has fewer columns (of P: rows) than there are reflectors"
                 : NULL);
    TW_CHECK(who, 6, bad_factors(a));
    return a->C->m == 0 || a->C->n == 0 || count_of(a) <= 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    const double count = (double)tw_max(0, count_of(a));
    return tw_flops_q(a->C, a->side, a->A, (double)tw_max(a->A->m, a->A->n), (double)tw_min(a->A->m, a->A->n), count);
}

/* Q where there are more rows than columns, else P, of which more is made: its adjoint, and all of that in whole block
 * columns. */
static double own_bytes_form(const struct tw_sizes *s, tw_int nb)
{
    const int q = s->m > s->n;
    const tw_int order = tw_max(s->m, s->n), least = tw_min(s->m, s->n), b = tw_min(nb, tw_max(1, least));
    const double size = (double)tw_sizeof(s->type), ragged = (double)(least > nb ? least % nb : 0);

    if (q ? order < s->k : order <= s->k)
        return 2 * tw_sytrd_bytes(s->type, order) + tw_trd_bytes(s->type, order) +
               (q ? 0 : size * (double)order * (double)order);
    return size * (double)least * (4 * (double)b + 2 * ragged);
}

/* Q from the left. */
static double own_bytes_multiply(const struct tw_sizes *s, tw_int nb)
{
    const double size = (double)tw_sizeof(s->type), b = (double)tw_min(nb, tw_max(1, tw_min(s->m, s->n))),
                 ragged = (double)(s->k > nb ? s->k % nb : 0);

    if (s->m < s->k) return tw_trd_bytes(s->type, s->m) + (s->m > nb ? size * (double)s->m * (double)s->n : 0);
    return size * (2 * (double)s->k * b + 2 * b * (double)s->n + 2 * ragged * (double)s->n);
}

const struct tw_routine tw_routine_ungbr = {.name = "ungbr",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, tau)),
                                            .check = check_form,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "mn l1", .own_bytes = own_bytes_form}},
                        tw_routine_unmbr = {
                            .name = "unmbr",
                            .arguments = 7,
                            .size = sizeof(struct args),
                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, tau), TW_OPERAND(TW_RW, C)),
                            .check = check_multiply,
                            .loop = loop,
                            .flops = flops,
                            .needs = {.given = "mh h1 mn", .own_bytes = own_bytes_multiply}};

int tw_ungbr(enum tw_vect vect, tw_int k, tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_ungbr, &(struct args){vect, TW_LEFT, TW_NOTRANS, k, A, tau, NULL});
}

int tw_ungbr_async(enum tw_vect vect, tw_int k, tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_ungbr, seq, &(struct args){vect, TW_LEFT, TW_NOTRANS, k, A, tau, NULL});
}

int tw_unmbr(enum tw_vect vect, enum tw_side side, enum tw_trans trans, tw_int k, tw_matrix *A, tw_matrix *tau,
             tw_matrix *C)
{
    return tw_run(&tw_routine_unmbr, &(struct args){vect, side, trans, k, A, tau, C});
}

int tw_unmbr_async(enum tw_vect vect, enum tw_side side, enum tw_trans trans, tw_int k, tw_matrix *A, tw_matrix *tau,
                   tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unmbr, seq, &(struct args){vect, side, trans, k, A, tau, C});
}
