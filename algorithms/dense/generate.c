/* Fill a matrix from a generator, tile by tile, in parallel. Only tiles that are stored, and of diagonal tiles only
 * the stored triangle, are written. */
#include "algorithms/dense/dense_loops.h"

static int block(const void *generator, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    const int e = tw_generator_block(generator, i0, j0, m, n, a, lda);
    return e < 0 && e > TW_E_MEMORY ? TW_E_INTERNAL : e; /* argument numbers mean nothing to the caller */
}

struct args {
    struct tw_matrix *A;
    const tw_generator *g;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = a->A;

    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < A->mt; i++)
            if (tw_tile(A, i, j))
                tw_task_generate(seq, block, a->g, i == j ? (char)A->uplo : 'G', i * A->mb, j * A->nb,
                                 tw_tile(A, i, j));
}

static int generate(const char *routine, struct tw_sequence *seq, struct tw_matrix *A, const tw_generator *g)
{
    struct args args = {A, g};

    TW_CHECK(routine, 1, A ? NULL : "NULL matrix");
    TW_CHECK(routine, 1, A->band ? "it is a band matrix" : NULL);
    TW_CHECK(routine, 2, g ? NULL : "NULL generator");
    TW_CHECK(routine, 2, tw_generator_type(g) == A->type ? NULL : "it was made for another type");
    /* An empty block behind the last element is inside the generator's matrix only if that is large enough. */
    TW_CHECK(routine, 2,
             tw_generator_block(g, A->m, A->n, 0, 0, NULL, 1) == 0 ? NULL : "it was made for a smaller matrix");
    if (A->m == 0 || A->n == 0) return 0;
    return tw_dense_call(seq, "generate", loop, &args, sizeof args, 0);
}

int tw_matrix_generate(tw_matrix *A, const tw_generator *g)
{
    return generate("tw_matrix_generate", NULL, A, g);
}

/* The generator has to live until the sequence has been waited for. */
int tw_generate_async(tw_matrix *A, const tw_generator *g, tw_sequence *seq)
{
    TW_CHECK_SEQUENCE("tw_generate_async", 3, seq);
    return generate("tw_generate_async", seq, A, g);
}
