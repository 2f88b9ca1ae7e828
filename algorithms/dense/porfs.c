/* Refine solutions of A X = B that a Cholesky factor gave, and bound their errors (refine.c). */
#include "algorithms/dense/refine.h"

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
    struct tw_matrix *AF;
    struct tw_matrix *B;
    struct tw_matrix *X;
    double *ferr;
    double *berr;
    int *steps;
};

static struct tw_refinement of(const struct args *a)
{
    return tw_cholesky_refinement(a->uplo, a->A, a->AF, a->B, a->X, a->ferr, a->berr, a->steps);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct tw_refinement r = of(p);
    tw_refine_any_loop(seq, &r);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_refinement r = of(a);

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 3, tw_bad_triangle(a->AF, a->uplo));
    TW_CHECK(who, 3, tw_bad_factors_of(a->A, a->AF));
    TW_CHECK(who, 3, tw_same_cuts(a->A->n, a->A->nb, a->AF->nb) ? NULL : "its tiles are not of A's order");
    return tw_refine_check(who, 4, &r);
}

static double flops(const void *p)
{
    const struct tw_refinement r = of(p);
    return tw_refine_flops(&r);
}

const struct tw_routine tw_routine_porfs = {
    .name = "porfs",
    .arguments = 8,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, AF), TW_OPERAND(TW_R, B), TW_OPERAND(TW_RW, X)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .needs = {.given = "2Tnn 2nk", .own_bytes = tw_refine_bytes}};

int tw_porfs(enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, tw_matrix *B, tw_matrix *X, double *ferr, double *berr,
             int *steps)
{
    return tw_run(&tw_routine_porfs, &(struct args){uplo, A, AF, B, X, ferr, berr, steps});
}

int tw_porfs_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, tw_matrix *B, tw_matrix *X, double *ferr,
                   double *berr, int *steps, tw_sequence *seq)
{
    return tw_queue(&tw_routine_porfs, seq, &(struct args){uplo, A, AF, B, X, ferr, berr, steps});
}
