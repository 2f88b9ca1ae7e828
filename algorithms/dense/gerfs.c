/* Refine solutions of op(A) X = B that LU factors gave, and bound their errors (refine.c). */
#include "algorithms/dense/refine.h"

struct args {
    enum tw_trans trans;
    struct tw_matrix *A;
    struct tw_matrix *AF;
    struct tw_matrix *ipiv;
    struct tw_matrix *B;
    struct tw_matrix *X;
    double *ferr;
    double *berr;
    int *steps;
};

static struct tw_refinement of(const struct args *a)
{
    return tw_lu_refinement(a->trans, a->A, a->AF, a->ipiv, a->B, a->X, a->ferr, a->berr, a->steps);
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

    TW_CHECK(who, 1, tw_bad_trans(a->trans));
    TW_CHECK(who, 2, tw_bad_square(a->A));
    TW_CHECK(who, 3, tw_bad_square(a->AF));
    TW_CHECK(who, 3, tw_bad_factors_of(a->A, a->AF));
    TW_CHECK(who, 4, tw_bad_pivots(a->ipiv, a->AF));
    return tw_refine_check(who, 5, &r);
}

static double flops(const void *p)
{
    const struct tw_refinement r = of(p);
    return tw_refine_flops(&r);
}

const struct tw_routine tw_routine_gerfs = {.name = "gerfs",
                                            .arguments = 9,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, AF),
                                                                   TW_OPERAND(TW_R, ipiv), TW_OPERAND(TW_R, B),
                                                                   TW_OPERAND(TW_RW, X)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "2nn n1:i 2nk", .own_bytes = tw_refine_bytes}};

int tw_gerfs(enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X,
             double *ferr, double *berr, int *steps)
{
    return tw_run(&tw_routine_gerfs, &(struct args){trans, A, AF, ipiv, B, X, ferr, berr, steps});
}

int tw_gerfs_async(enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X,
                   double *ferr, double *berr, int *steps, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gerfs, seq, &(struct args){trans, A, AF, ipiv, B, X, ferr, berr, steps});
}
