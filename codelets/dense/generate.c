/* Fill a tile from a function of (i, j). CPU only: the function is the caller's.
 *
 * Arguments  block, user: the function; uplo: 'G' (all), 'L' or 'U'; i0, j0: the tile's first row and column
 * Buffers    A  W  m x n; RW when only a triangle is written */
#include "codelets/dense/dense_bodies.h"
#include "kernels/dense/cpu/generate.h"

struct args {
    tw_block_fn block;
    const void *user;
    tw_int i0, j0;
    char uplo;
};

/* One triangle, column by column: the other one may belong to the user. */
static int triangle(const struct args *g, const struct tw_buffer *a, size_t elemsize)
{
    for (int j = 0; j < a->n; j++) {
        int from = g->uplo == 'L' ? j : 0, to = g->uplo == 'L' ? a->m : (int)tw_min(j + 1, a->m), e;
        char *column = (char *)a->ptr + ((size_t)j * (size_t)a->ld + (size_t)from) * elemsize;
        if (from < to && (e = g->block(g->user, g->i0 + from, g->j0 + j, to - from, 1, column, a->ld))) return e;
    }
    return 0;
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    if (g->uplo != 'G') return triangle(g, a, tw_sizeof(body->type));
    return g->block(g->user, g->i0, g->j0, a->m, a->n, a->ptr, a->ld);
}

static struct tw_codelet codelet = {.name = "generate", .color = 0xAA4499, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_generate(struct tw_sequence *seq, tw_block_fn block, const void *user, char uplo, tw_int i0, tw_int j0,
                      struct tw_data *A)
{
    const struct args args = {block, user, i0, j0, uplo};
    const struct tw_access access[] = {{A, uplo == 'G' ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

void tw_generate_entries(const struct tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    tw_kernel_generate(g, i0, j0, m, n, a, lda);
}
