/* Solve A X = B by LU in single precision, refined in double: LAPACK's dsgesv and zcgesv; and with products of half
 * precision's numbers (mixed.c). */
#include "algorithms/dense/gmres.h"
#include "algorithms/dense/mixed.h"

struct args {
    struct tw_matrix *A, *ipiv, *B, *X;
    int *iter;
    double *berr;
    int half;
};
static struct tw_mixed_problem problem(const struct args *a)
{
    return (struct tw_mixed_problem){.of = TW_LU_FACTORS,
                                     .A = a->A,
                                     .ipiv = a->ipiv,
                                     .B = a->B,
                                     .X = a->X,
                                     .iter = a->iter,
                                     .berr = a->berr,
                                     .half = a->half};
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct tw_mixed_problem p = problem(args);
    tw_mixed_loop(seq, &p);
}

static int check(const char *who, void *args)
{
    const struct args *a = args;
    const struct tw_mixed_problem p = problem(a);

    TW_CHECK(who, 1, tw_bad_square(a->A));
    TW_CHECK(who, 1, tw_is_single(a->A->type) ? "its type is not of double precision" : NULL);
    TW_CHECK(who, 1, a->A->m > (a->half ? TW_HALF_ROWS : INT32_MAX) ? "too many rows" : NULL);
    TW_CHECK(who, 2, tw_bad_pivots(a->ipiv, a->A));
    return tw_mixed_check(who, &p, 3);
}

static double flops(const void *args)
{
    const struct tw_matrix *X = ((const struct args *)args)->X;
    return tw_flops_getrf(X->type, (double)X->m, (double)X->m) +
           2 * tw_flops_trsm(X->type, 'L', (double)X->m, (double)X->n);
}

const struct tw_routine tw_routine_gesv_mixed = {.name = "gesv_mixed",
                                                 .arguments = 6,
                                                 .size = sizeof(struct args),
                                                 .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, ipiv),
                                                                        TW_OPERAND(TW_R, B), TW_OPERAND(TW_W, X)),
                                                 .check = check,
                                                 .loop = loop,
                                                 .flops = flops,
                                                 .tuning = &tw_tuning_lu,
                                                 .needs = {"nn n1:i 2nk", "nn:s nk:s nk"}},
                        tw_routine_gesv_half = {
                            .name = "gesv_half",
                            .arguments = 6,
                            .size = sizeof(struct args),
                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, ipiv), TW_OPERAND(TW_R, B),
                                                   TW_OPERAND(TW_W, X)),
                            .check = check,
                            .loop = loop,
                            .flops = flops,
                            .tuning = &tw_tuning_lu,
                            .needs = {"nn n1:i 2nk", "nn:s nk:s 9nk 9nk 6nk 2n1:d", NULL, tw_gmres_bytes}};

int tw_gesv_mixed(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr)
{
    return tw_run(&tw_routine_gesv_mixed, &(struct args){A, ipiv, B, X, iter, berr, 0});
}

int tw_gesv_mixed_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                        tw_sequence *seq)
{
    return tw_queue(&tw_routine_gesv_mixed, seq, &(struct args){A, ipiv, B, X, iter, berr, 0});
}

int tw_gesv_half(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr)
{
    return tw_run(&tw_routine_gesv_half, &(struct args){A, ipiv, B, X, iter, berr, 1});
}

int tw_gesv_half_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                       tw_sequence *seq)
{
    return tw_queue(&tw_routine_gesv_half, seq, &(struct args){A, ipiv, B, X, iter, berr, 1});
}
