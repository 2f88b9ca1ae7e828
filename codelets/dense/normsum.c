/* What one tile adds to the row and column sums of |a_ij| (one and infinity norms).
 *
 * Arguments  s: how the tile counts; uplo: 'G' for full tiles; diag: 'U' for ones on the diagonal; rows, cols: which
 *            of the two vectors is there
 * Buffers    A     R   m x n
 *            rows  RW  m doubles, += sums over each row; may be absent
 *            cols  RW  n doubles, += sums over each column; may be absent
 * For a diagonal tile of a symmetric or hermitian matrix there is one vector, which counts the mirrored elements,
 * too. */
#include "codelets/dense/dense_bodies.h"

struct args {
    enum tw_structure s;
    char uplo, diag, rows, cols;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    double *rows = g->rows ? body->buf[1].ptr : NULL, *cols = g->cols ? body->buf[1 + g->rows].ptr : NULL;
    TW_CPU(body)->normsum(g->s, g->uplo, g->diag, a->m, a->n, a->ptr, a->ld, rows, cols);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    double *rows = g->rows ? body->buf[1].ptr : NULL, *cols = g->cols ? body->buf[1 + g->rows].ptr : NULL;
    return TW_CUDA(body)->normsum(body->cuda, g->s, g->uplo, g->diag, a->m, a->n, a->ptr, a->ld, rows, cols);
}

static struct tw_codelet codelet = {
    .name = "normsum", .color = 0x66BBAA, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_normsum(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag,
                     struct tw_data *A, struct tw_data *rows, struct tw_data *cols)
{
    const struct args args = {s, uplo, diag, rows != NULL, cols != NULL};
    struct tw_access access[3] = {{A, TW_R}};
    int naccess = 1;

    if (rows) access[naccess++] = (struct tw_access){rows, TW_RW};
    if (cols) access[naccess++] = (struct tw_access){cols, TW_RW};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
