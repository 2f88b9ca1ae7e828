/* Solve A X = B, A positive definite, by Cholesky in single precision, refined in double: LAPACK's dsposv and zcposv;
 * and with products of half precision's numbers (mixed.c). */
#include "algorithms/dense/gmres.h"
#include "algorithms/dense/mixed.h"

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A, *B, *X;
    int *iter;
    double *berr;
    int half;
};
static struct tw_mixed_problem problem(const struct args *a)
{
    return (struct tw_mixed_problem){.of = TW_CHOLESKY_FACTOR,
                                     .uplo = a->uplo,
                                     .A = a->A,
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

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 2, tw_is_single(a->A->type) ? "its type is not of double precision" : NULL);
    TW_CHECK(who, 2, a->half && a->A->m > TW_HALF_ROWS ? "too many rows" : NULL);
    return tw_mixed_check(who, &p, 3);
}

static double flops(const void *args)
{
    const struct tw_matrix *X = ((const struct args *)args)->X;
    return tw_flops_potrf(X->type, (double)X->m) + 2 * tw_flops_trsm(X->type, 'L', (double)X->m, (double)X->n);
}

const struct tw_routine tw_routine_posv_mixed = {.name = "posv_mixed",
                                                 .arguments = 6,
                                                 .size = sizeof(struct args),
                                                 .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, B),
                                                                        TW_OPERAND(TW_W, X)),
                                                 .check = check,
                                                 .loop = loop,
                                                 .flops = flops,
                                                 .tuning = &tw_tuning_factorization,
                                                 .needs = {"Tnn 2nk", "nn:s nk:s nk"}},
                        tw_routine_posv_half = {
                            .name = "posv_half",
                            .arguments = 6,
                            .size = sizeof(struct args),
                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, B), TW_OPERAND(TW_W, X)),
                            .check = check,
                            .loop = loop,
                            .flops = flops,
                            .tuning = &tw_tuning_factorization,
                            .needs = {"Tnn 2nk", "nn:s nk:s 9nk 9nk 6nk 2n1:d", NULL, tw_gmres_bytes}};

int tw_posv_mixed(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr)
{
    return tw_run(&tw_routine_posv_mixed, &(struct args){uplo, A, B, X, iter, berr, 0});
}

int tw_posv_mixed_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                        tw_sequence *seq)
{
    return tw_queue(&tw_routine_posv_mixed, seq, &(struct args){uplo, A, B, X, iter, berr, 0});
}

int tw_posv_half(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr)
{
    return tw_run(&tw_routine_posv_half, &(struct args){uplo, A, B, X, iter, berr, 1});
}

int tw_posv_half_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                       tw_sequence *seq)
{
    return tw_queue(&tw_routine_posv_half, seq, &(struct args){uplo, A, B, X, iter, berr, 1});
}
