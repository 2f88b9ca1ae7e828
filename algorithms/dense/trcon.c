/* Reciprocal condition number of a triangular matrix in the 1-norm or the infinity-norm: its norm, and an estimate of
 * its inverse's (estimate.c) as soon as that is known. */
#include <math.h>
#include "algorithms/dense/estimate.h"

struct args {
    enum tw_norm norm;
    enum tw_uplo uplo;
    enum tw_diag diag;
    struct tw_matrix *A;
    double *rcond;
};

static void go_on(struct tw_sequence *seq, const void *value, void *p)
{
    const struct args *a = p;
    const struct tw_inverse inverse = {.of = TW_TRIANGLE, .A = a->A, .uplo = a->uplo, .diag = a->diag};
    const double anorm = *(const double *)value;

    if (anorm > 0 && isfinite(anorm)) tw_condition_loop(seq, &inverse, a->norm, anorm, a->rcond);
}

static void loop(struct tw_sequence *seq, void *p)
{
    static const double modelled = 1;
    const struct args *a = p;
    struct tw_data *anorm = tw_sum_norm_tasks(seq, a->norm, TW_STRUCT_TRIANGULAR, a->uplo, a->diag, a->A, 1);

    if (!anorm) return;
    tw_when(seq, anorm, &modelled, &(struct tw_use){NULL, a->A, TW_R}, 1, go_on, a, sizeof *a);
    tw_data_free_later(anorm);
}

/* rcond is 0 where A has a zero on its diagonal, a NaN, an infinity, or a norm beyond the numbers; so has its
 * inverse's. */
static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_sum_norm(a->norm));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 3, tw_bad_diag(a->diag));
    TW_CHECK(who, 4, tw_bad_triangle(a->A, a->uplo));
    return tw_condition_check(who, 5, a->A, 1, a->rcond);
}

static double flops(const void *p)
{
    return tw_condition_flops(((const struct args *)p)->A, 1);
}

const struct tw_routine tw_routine_trcon = {.name = "trcon",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"Tnn"}};

int tw_trcon(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *rcond)
{
    return tw_run(&tw_routine_trcon, &(struct args){norm, uplo, diag, A, rcond});
}

int tw_trcon_async(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *rcond,
                   tw_sequence *seq)
{
    return tw_queue(&tw_routine_trcon, seq, &(struct args){norm, uplo, diag, A, rcond});
}
