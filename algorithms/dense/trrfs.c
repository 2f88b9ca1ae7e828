/* Bounds of the errors of solutions of op(A) X = B, A triangular (refine.c). There is nothing to be refined:
 * substitution is as good as that. */
#include "algorithms/dense/refine.h"

struct args {
    enum tw_uplo uplo;
    enum tw_trans trans;
    enum tw_diag diag;
    struct tw_matrix *A;
    struct tw_matrix *B;
    struct tw_matrix *X;
    double *ferr;
    double *berr;
};

static struct tw_refinement of(const struct args *a)
{
    return (struct tw_refinement){.structure = TW_STRUCT_TRIANGULAR,
                                  .uplo = a->uplo,
                                  .diag = a->diag,
                                  .trans = a->trans,
                                  .inverse = {.of = TW_TRIANGLE, .A = a->A, .uplo = a->uplo, .diag = a->diag},
                                  .A = a->A,
                                  .B = a->B,
                                  .X = a->X,
                                  .ferr = a->ferr,
                                  .berr = a->berr};
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
    TW_CHECK(who, 2, tw_bad_trans(a->trans));
    TW_CHECK(who, 3, tw_bad_diag(a->diag));
    TW_CHECK(who, 4, tw_bad_triangle(a->A, a->uplo));
    return tw_refine_check(who, 5, &r);
}

static double flops(const void *p)
{
    const struct tw_refinement r = of(p);
    return tw_refine_flops(&r);
}

const struct tw_routine tw_routine_trrfs = {
    .name = "trrfs",
    .arguments = 8,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, B), TW_OPERAND(TW_R, X)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .needs = {.given = "Tnn 2nk", .own = "nk", .own_bytes = tw_refine_bytes}};

int tw_trrfs(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B, tw_matrix *X,
             double *ferr, double *berr)
{
    return tw_run(&tw_routine_trrfs, &(struct args){uplo, trans, diag, A, B, X, ferr, berr});
}

int tw_trrfs_async(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B, tw_matrix *X,
                   double *ferr, double *berr, tw_sequence *seq)
{
    return tw_queue(&tw_routine_trrfs, seq, &(struct args){uplo, trans, diag, A, B, X, ferr, berr});
}
