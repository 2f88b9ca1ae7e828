/* Multiplying by the Q of a reduction to tridiagonal form: LAPACK's ormtr and unmtr. */
#include "algorithms/dense/reflectors.h"
#include "algorithms/eigen/trd_apply.h"

struct args {
    enum tw_side side;
    enum tw_uplo uplo;
    enum tw_trans trans;
    struct tw_matrix *A, *tau, *C;
};

static void multiply(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct tw_trd_apply f = {
        .seq = seq, .uplo = a->uplo, .A = a->A, .side = (char)a->side, .op = a->trans == TW_NOTRANS ? 'N' : 'C'};
    const tw_int lines = a->side == TW_LEFT ? a->C->n : a->C->m, width = tw_columns_of_block(lines);

    f.C = a->side == TW_LEFT ? tw_retiled(seq, a->C, a->C->m, width) : tw_retiled(seq, a->C, width, a->C->n);
    if (f.C && !tw_trd_begin(&f, a->tau)) tw_trd_blocks(&f);
    tw_trd_end(&f);
    for (int j = 0; f.C == a->C && j < f.C->nt; j++)
        for (int i = 0; i < f.C->mt; i++)
            tw_bring_home(seq, tw_tile(f.C, i, j));
    tw_retiled_end(seq, a->C, f.C, 1);
}

static int check_multiply(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_side(a->side));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 4, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 3, tw_bad_q_trans(a->trans, a->A));
    TW_CHECK(who, 4, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 5, tw_bad_trd_tau(a->tau, a->A));
    TW_CHECK(who, 6, tw_bad_q_target(a->C, a->A, a->tau));
    TW_CHECK(who, 6, (a->side == TW_LEFT ? a->C->m : a->C->n) != a->A->n ? "its shape does not fit Q's order" : NULL);
    return a->C->m == 0 || a->C->n == 0 || a->A->n <= 1 ? TW_NOTHING : 0;
}

static double flops_multiply(const void *p)
{
    const struct args *a = p;
    return tw_flops_unmqr(a->C->type, (char)a->side, (double)a->C->m, (double)a->C->n, (double)a->A->n - 1);
}

/* C in whole block columns is a copy as a rule. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const double copy = s->m > nb ? (double)tw_sizeof(s->type) * (double)s->m * (double)s->n : 0;
    return copy + tw_trd_bytes(s->type, s->m);
}

const struct tw_routine tw_routine_unmtr = {
    .name = "unmtr",
    .arguments = 6,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, tau), TW_OPERAND(TW_RW, C)),
    .check = check_multiply,
    .loop = multiply,
    .flops = flops_multiply,
    .needs = {.given = "Tmm m1 mn", .own_bytes = own_bytes}};

int tw_unmtr(enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C)
{
    return tw_run(&tw_routine_unmtr, &(struct args){side, uplo, trans, A, tau, C});
}

int tw_unmtr_async(enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, tw_matrix *A, tw_matrix *tau,
                   tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unmtr, seq, &(struct args){side, uplo, trans, A, tau, C});
}
