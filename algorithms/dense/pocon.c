/* Reciprocal 1-norm condition number from the Cholesky factor: 1 / (anorm |inv(A)|_1), the norm of the inverse estimated (estimate.c). */
#include <math.h>
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

/* rcond is 0 when A is singular to working precision beyond measure: the inverse's norm overflows, or the factor has a NaN
 * (LAPACK would hand on a NaN, which no comparison catches). anorm: < 0 or NaN is illegal; 0 or Inf give rcond = 0. */
static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(A, a->uplo));
    TW_CHECK(who, 3, a->anorm >= 0 ? NULL : "negative or NaN");
    TW_CHECK(who, 4, a->rcond ? NULL : "NULL");
    *a->rcond = A->n == 0 ? 1 : 0;
    if (A->n == 0 || a->anorm == 0 || isinf(a->anorm)) return TW_NOTHING;
    return A->n > INT32_MAX ? tw_fail(TW_E_UNSUPPORTED, "%s: the order exceeds 2^31 - 1", who) : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return 5 * 2 * tw_flops_trsm(A->type, 'L', (double)A->n, 1); /* five solves, as a rule */
}

const struct tw_routine tw_routine_pocon = {.name = "pocon",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops};

int tw_pocon(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond)
{
    return tw_run(&tw_routine_pocon, &(struct args){uplo, A, anorm, rcond});
}

int tw_pocon_async(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond, tw_sequence *seq)
{
    return tw_queue(&tw_routine_pocon, seq, &(struct args){uplo, A, anorm, rcond});
}
