/* The Q of a reduction to tridiagonal form itself, over its reflectors: LAPACK's orgtr and ungtr. */
#include "algorithms/eigen/trd_apply.h"
#include "runtime/base/error.h"

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A, *tau;
};

static void form(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    const tw_int n = a->A->n;
    struct tw_trd_apply f = {.seq = seq, .uplo = a->uplo, .A = a->A, .side = 'L', .op = 'N', .identity = 1};

    if (!(f.C = tw_matrix_temporary(a->A->type, n, n, n, tw_columns_of_block(n)))) {
        tw_loop_fail(seq, TW_E_MEMORY, "Q of order %lld: %s", (long long)n, tw_last_message());
        return;
    }
    for (int j = 0; j < f.C->nt; j++)
        tw_task_laset_diagonal(seq, tw_priority(seq, 1, 2, 0), tw_zero, tw_one, j * f.C->nb, tw_tile(f.C, 0, j));
    if (!tw_trd_begin(&f, a->tau)) tw_trd_blocks(&f);
    tw_trd_end(&f);
    tw_copy_loop(seq, f.C, a->A, 1);
    tw_matrix_free_later(f.C);
}

static int check_form(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_square(a->A));
    TW_CHECK(who, 2, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 3, tw_bad_trd_tau(a->tau, a->A));
    return a->A->n == 0 ? TW_NOTHING : tw_eigen_memory(who, 2 * tw_sytrd_bytes(a->A->type, a->A->n), a->A, NULL, NULL);
}

static double flops_form(const void *p)
{
    const struct args *a = p;
    const double n = (double)a->A->n - 1;
    return tw_flops_ungqr(a->A->type, n, n, n);
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return 2 * tw_sytrd_bytes(s->type, s->n) + tw_trd_bytes(s->type, s->n);
}

const struct tw_routine tw_routine_ungtr = {.name = "ungtr",
                                            .arguments = 3,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, tau)),
                                            .check = check_form,
                                            .loop = form,
                                            .flops = flops_form,
                                            .needs = {.given = "nn n1", .own_bytes = own_bytes}};

int tw_ungtr(enum tw_uplo uplo, tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_ungtr, &(struct args){uplo, A, tau});
}

int tw_ungtr_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_ungtr, seq, &(struct args){uplo, A, tau});
}
