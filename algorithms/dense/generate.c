/* Blocks of a generator's matrix; filling a matrix from it, tile by tile, in parallel. Only tiles that are stored, and
 * of diagonal tiles only the stored triangle, are written. */
#include "algorithms/dense/dense_loops.h"
#include "types/dense/generator.h"

static int check_block(const tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, const void *a, tw_int lda)
{
    const char *routine = "tw_generator_block";

    if (!g) return tw_illegal(routine, 1, "NULL");
    if (i0 < 0 || i0 > g->m) return tw_illegal(routine, 2, "the first row lies outside the generator's matrix");
    if (j0 < 0 || j0 > g->n) return tw_illegal(routine, 3, "the first column lies outside the generator's matrix");
    if (m < 0 || m > g->m - i0) return tw_illegal(routine, 4, "the rows reach beyond the generator's matrix");
    if (n < 0 || n > g->n - j0) return tw_illegal(routine, 5, "the columns reach beyond the generator's matrix");
    if (!a && m > 0 && n > 0) return tw_illegal(routine, 6, "NULL");
    if (lda < tw_max(1, m)) return tw_illegal(routine, 7, "lda must be at least max(1, m)");
    return 0;
}

int tw_generator_block(const tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    const int e = check_block(g, i0, j0, m, n, a, lda);

    if (!e) tw_generate_entries(g, i0, j0, m, n, a, lda);
    return e;
}

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

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A;
    const tw_generator *g = a->g;

    TW_CHECK(who, 1, A ? NULL : "NULL matrix");
    TW_CHECK(who, 1, A->band ? "it is a band matrix" : NULL);
    TW_CHECK(who, 2, g ? NULL : "NULL generator");
    TW_CHECK(who, 2, g->type == A->type ? NULL : "it was made for another type");
    /* An empty block behind the last element is inside the generator's matrix only if that is large enough. */
    TW_CHECK(who, 2, check_block(g, A->m, A->n, 0, 0, NULL, 1) == 0 ? NULL : "it was made for a smaller matrix");
    return A->m == 0 || A->n == 0 ? TW_NOTHING : 0;
}

const struct tw_routine tw_routine_generate = {.name = "generate",
                                               .function = "tw_matrix_generate",
                                               .arguments = 2,
                                               .size = sizeof(struct args),
                                               .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                               .check = check,
                                               .loop = loop,
                                               .needs = {"mn"}};

int tw_matrix_generate(tw_matrix *A, const tw_generator *g)
{
    return tw_run(&tw_routine_generate, &(struct args){A, g});
}

/* The generator has to live until the sequence has been waited for. */
int tw_generate_async(tw_matrix *A, const tw_generator *g, tw_sequence *seq)
{
    return tw_queue(&tw_routine_generate, seq, &(struct args){A, g});
}
