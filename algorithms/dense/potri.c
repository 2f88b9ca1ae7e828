/* inv(A) from the Cholesky factor: inv(L)^H inv(L) or inv(U) inv(U)^H, in place in the uplo triangle. The product
 * starts on the tiles of the inverted factor that are ready, while others are still being inverted. */
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;

    if (tw_trdiag_loop(seq, a->A) > 0) return; /* singular: the factor stays as it is */
    tw_trtri_loop(seq, a->uplo, TW_NONUNIT, a->A, 0);
    tw_lauum_loop(seq, a->uplo, a->A);
}

static int potri(const char *routine, struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A)
{
    struct args args = {uplo, A};

    TW_CHECK(routine, 1, tw_bad_uplo(uplo));
    TW_CHECK(routine, 2, tw_bad_triangle(A, uplo));
    if (A->n == 0) return 0;
    return tw_dense_call(seq, "potri", loop, &args, sizeof args,
                         tw_flops_trtri(A->type, (double)A->n) + tw_flops_potrf(A->type, (double)A->n));
}

int tw_potri(enum tw_uplo uplo, tw_matrix *A)
{
    return potri("tw_potri", NULL, uplo, A);
}

int tw_potri_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_potri_async", 3, seq);
    return potri("tw_potri_async", seq, uplo, A);
}
