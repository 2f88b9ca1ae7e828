/* Reciprocal 1-norm condition number from the Cholesky factor: 1 / (anorm |inv(A)|_1), the norm of the inverse
 * estimated (estimate.c). */
#include "algorithms/dense/estimate.h"

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
    double anorm, *rcond;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const struct tw_inverse inverse = {.of = TW_CHOLESKY_FACTOR, .A = a->A, .uplo = a->uplo};

    tw_condition_loop(seq, &inverse, TW_ONE_NORM, a->anorm, a->rcond);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 3, a->anorm >= 0 ? NULL : "negative or NaN");
    return tw_condition_check(who, 4, a->A, a->anorm, a->rcond);
}

static double flops(const void *p)
{
    return tw_condition_flops(((const struct args *)p)->A, 2);
}

const struct tw_routine tw_routine_pocon = {.name = "pocon",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"Tnn"}};

int tw_pocon(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond)
{
    return tw_run(&tw_routine_pocon, &(struct args){uplo, A, anorm, rcond});
}

int tw_pocon_async(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond, tw_sequence *seq)
{
    return tw_queue(&tw_routine_pocon, seq, &(struct args){uplo, A, anorm, rcond});
}
