/* inv(A) from the Cholesky factor: inv(L)^H inv(L) or inv(U) inv(U)^H, in place in the uplo triangle. The product
 * starts on the tiles of the inverted factor that are ready, while others are still being inverted. */
#include "algorithms/dense/dense_loops.h"

static void invert(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A)
{
    tw_trtri_loop(seq, uplo, diag, A, 0);
    tw_lauum_loop(seq, uplo, A, 1);
}

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;

    tw_unless_singular(seq, a->uplo, TW_NONUNIT, a->A, invert); /* singular: the factor stays as it is */
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_trtri(A->type, (double)A->n) + tw_flops_potrf(A->type, (double)A->n);
}

const struct tw_routine tw_routine_potri = {.name = "potri",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_factorization,
                                            .needs = {"Tnn"}};

int tw_potri(enum tw_uplo uplo, tw_matrix *A)
{
    return tw_run(&tw_routine_potri, &(struct args){uplo, A});
}

int tw_potri_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_potri, seq, &(struct args){uplo, A});
}
