/* Reciprocal condition number in the 1-norm or the infinity-norm from LU factors: 1 / (anorm |inv(A)|), the norm of the
 * inverse estimated (estimate.c). Exchanged columns of inv(A) change neither norm: the pivots are not asked for. */
#include "algorithms/dense/estimate.h"

struct args {
    enum tw_norm norm;
    struct tw_matrix *A;
    double anorm, *rcond;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);
    const struct tw_inverse inverse = {.of = TW_LU_FACTORS, .A = A};

    if (A) tw_condition_loop(seq, &inverse, a->norm, a->anorm, a->rcond);
    tw_retiled_end(seq, a->A, A, 0);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_sum_norm(a->norm));
    TW_CHECK(who, 2, tw_bad_square(a->A));
    TW_CHECK(who, 3, a->anorm >= 0 ? NULL : "negative or NaN");
    return tw_condition_check(who, 4, a->A, a->anorm, a->rcond);
}

static double flops(const void *p)
{
    return tw_condition_flops(((const struct args *)p)->A, 2);
}

const struct tw_routine tw_routine_gecon = {.name = "gecon",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"nn"}};

int tw_gecon(enum tw_norm norm, tw_matrix *A, double anorm, double *rcond)
{
    return tw_run(&tw_routine_gecon, &(struct args){norm, A, anorm, rcond});
}

int tw_gecon_async(enum tw_norm norm, tw_matrix *A, double anorm, double *rcond, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gecon, seq, &(struct args){norm, A, anorm, rcond});
}
