/* The Q of a reduction to Hessenberg form, itself and as a factor: LAPACK's orghr, unghr, ormhr, unmhr.
 *
 * Its reflectors lie where those of a reduction of a lower triangle to tridiagonal form do: it is that one's Q. Where
 * ilo or ihi leave rows and columns out, whatever A has there is none of a reflector's: a copy has zeros in its
 * place. */
#include "algorithms/dense/reflectors.h"
#include "algorithms/eigen/trd_apply.h"

struct args {
    enum tw_side side;
    enum tw_trans trans;
    tw_int ilo, ihi;
    struct tw_matrix *A, *tau, *C; /* C NULL: Q itself over A */
};

/* Zeros, and what reflectors have: rows ilo + 1 ... ihi of columns ilo ... ihi - 1. */
static struct tw_matrix *reflectors(struct tw_sequence *seq, const struct args *a)
{
    const struct tw_matrix *A = a->A;
    struct tw_matrix *V = tw_matrix_temporary(A->type, A->n, A->n, A->mb, A->nb);

    if (!V) tw_loop_fail(seq, TW_E_MEMORY, "unghr: %s", tw_last_message());
    for (int j = 0; V && j < V->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < V->mt; i++) {
            const tw_int r0 = tw_max(i * A->mb, a->ilo), r1 = tw_min((i + 1) * A->mb, a->ihi),
                         c0 = tw_max(j * A->nb, a->ilo - 1), c1 = tw_min((j + 1) * A->nb, a->ihi - 1);
            const struct tw_block block = {(int)(r1 - r0),        (int)(c1 - c0),        (int)(r0 - i * A->mb),
                                           (int)(c0 - j * A->nb), (int)(r0 - i * A->mb), (int)(c0 - j * A->nb)};
            tw_task_laset(seq, tw_priority(seq, 1, 1, 0), 'G', tw_zero, tw_zero, tw_tile(V, i, j));
            if (r1 > r0 && c1 > c0)
                tw_task_lacpy_block(seq, tw_priority(seq, 1, 1, 0), &block, tw_tile(A, i, j), tw_tile(V, i, j), 0);
        }
    return V;
}

static void apply(struct tw_sequence *seq, const struct args *a, char op)
{
    const tw_int n = tw_min(a->A->m, a->A->n),
                 lines = !a->C                ? n
                         : a->side == TW_LEFT ? a->C->n
                                              : a->C->m,
                 width = tw_columns_of_block(lines);
    struct tw_matrix *V = a->ilo > 1 || a->ihi < n ? reflectors(seq, a) : a->A;
    struct tw_trd_apply f = {
        .seq = seq, .uplo = TW_LOWER, .A = V, .side = a->C ? (char)a->side : 'L', .op = op, .identity = !a->C};

    if (!V) return;
    if (a->C)
        f.C = a->side == TW_LEFT ? tw_retiled(seq, a->C, a->C->m, width) : tw_retiled(seq, a->C, width, a->C->n);
    else if (!(f.C = tw_matrix_temporary(a->A->type, n, n, n, width)))
        tw_loop_fail(seq, TW_E_MEMORY, "Q of order %lld: %s", (long long)n, tw_last_message());
    for (int j = 0; f.C && !a->C && j < f.C->nt; j++)
        tw_task_laset_diagonal(seq, tw_priority(seq, 1, 2, 0), tw_zero, tw_one, j * f.C->nb, tw_tile(f.C, 0, j));
    if (f.C && !tw_trd_begin(&f, a->tau)) tw_trd_blocks(&f);
    if (f.C) tw_trd_end(&f);
    if (V != a->A) tw_matrix_free_later(V);
    for (int j = 0; f.C && f.C == a->C && j < f.C->nt; j++)
        for (int i = 0; i < f.C->mt; i++)
            tw_bring_home(seq, tw_tile(f.C, i, j));
    if (f.C) tw_retiled_end(seq, a->C ? a->C : a->A, f.C, 1);
}

void tw_unghr_loop(struct tw_sequence *seq, enum tw_side side, char op, tw_int ilo, tw_int ihi, struct tw_matrix *A,
                   struct tw_matrix *tau, struct tw_matrix *C)
{
    apply(seq, &(struct args){.side = side, .ilo = ilo, .ihi = ihi, .A = A, .tau = tau, .C = C}, op);
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;

    apply(seq, a, !a->C || a->trans == TW_NOTRANS ? 'N' : 'C');
}

static int check_range(const char *who, int first, const struct args *a)
{
    const tw_int n = a->A->n;
    TW_CHECK(who, first, a->ilo < 1 || a->ilo > tw_max(1, n) ? "not from 1 to the order of Q" : NULL);
    TW_CHECK(who, first + 1, a->ihi < tw_min(a->ilo, n) || a->ihi > n ? "not from ilo to the order of Q" : NULL);
    return 0;
}

static int check_form(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 3, tw_bad_square(a->A));
    TW_CHECK(who, 3, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    if ((e = check_range(who, 1, a))) return e;
    TW_CHECK(who, 4, tw_bad_trd_tau(a->tau, a->A));
    return a->A->n == 0 ? TW_NOTHING : tw_eigen_memory(who, 2 * tw_sytrd_bytes(a->A->type, a->A->n), a->A, NULL, NULL);
}

static int check_multiply(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, tw_bad_side(a->side));
    TW_CHECK(who, 5, tw_bad_square(a->A));
    TW_CHECK(who, 5, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 2, tw_bad_q_trans(a->trans, a->A));
    if ((e = check_range(who, 3, a))) return e;
    TW_CHECK(who, 6, tw_bad_trd_tau(a->tau, a->A));
    TW_CHECK(who, 7, tw_bad_q_target(a->C, a->A, a->tau));
    TW_CHECK(who, 7, (a->side == TW_LEFT ? a->C->m : a->C->n) != a->A->n ? "its shape does not fit Q's order" : NULL);
    return a->C->m == 0 || a->C->n == 0 || a->A->n <= 1 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    const double n = (double)a->A->n - 1;
    return tw_flops_q(a->C, a->side, a->A, n, n, n);
}

static double own_bytes_form(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return 2 * tw_sytrd_bytes(s->type, s->n) + tw_trd_bytes(s->type, s->n);
}

/* C in whole block columns is a copy as a rule. */
static double own_bytes_multiply(const struct tw_sizes *s, tw_int nb)
{
    const double copy = s->m > nb ? (double)tw_sizeof(s->type) * (double)s->m * (double)s->n : 0;
    return copy + tw_trd_bytes(s->type, s->m);
}

const struct tw_routine tw_routine_unghr = {.name = "unghr",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, tau)),
                                            .check = check_form,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "nn n1", .own_bytes = own_bytes_form}},
                        tw_routine_unmhr = {
                            .name = "unmhr",
                            .arguments = 7,
                            .size = sizeof(struct args),
                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, tau), TW_OPERAND(TW_RW, C)),
                            .check = check_multiply,
                            .loop = loop,
                            .flops = flops,
                            .needs = {.given = "mm m1 mn", .own_bytes = own_bytes_multiply}};

int tw_unghr(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_unghr, &(struct args){TW_LEFT, TW_NOTRANS, ilo, ihi, A, tau, NULL});
}

int tw_unghr_async(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unghr, seq, &(struct args){TW_LEFT, TW_NOTRANS, ilo, ihi, A, tau, NULL});
}

int tw_unmhr(enum tw_side side, enum tw_trans trans, tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau, tw_matrix *C)
{
    return tw_run(&tw_routine_unmhr, &(struct args){side, trans, ilo, ihi, A, tau, C});
}

int tw_unmhr_async(enum tw_side side, enum tw_trans trans, tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau,
                   tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unmhr, seq, &(struct args){side, trans, ilo, ihi, A, tau, C});
}
