/* Rows and columns of a tile times scalings (LAPACK's laqge, laqsy), on CPUs.
 *
 * Arguments  part, hermitian; row, column: the tile's first in the matrix; rows, columns: are there such scalings?
 *            one: the same are both
 * Buffers    A     RW  m x n
 *            r, c  R   doubles, of all rows and columns; those that there are */
#include "codelets/dense/dense_bodies.h"

struct args {
    int64_t row, column;
    int hermitian, rows, columns, one;
    char part;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    const double *r = g->rows ? (const double *)body->buf[1].ptr + g->row : NULL,
                 *c = g->columns ? (const double *)body->buf[1 + (g->rows && !g->one)].ptr + g->column : NULL;

    TW_CPU(body)->laqge(g->part, g->hermitian, a->m, a->n, a->ptr, a->ld, r, c);
    return 0;
}

static struct tw_codelet codelet = {.name = "laqge", .color = 0x66AAFF, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_laqge(struct tw_sequence *seq, int priority, char part, int hermitian, struct tw_data *A,
                   struct tw_data *r, tw_int row, struct tw_data *c, tw_int column)
{
    const struct args args = {row, column, hermitian, r != NULL, c != NULL, r == c, part};
    struct tw_access access[3] = {{A, TW_RW}};
    int naccess = 1;

    if (r) access[naccess++] = (struct tw_access){r, TW_R};
    if (c && c != r) access[naccess++] = (struct tw_access){c, TW_R};
    if (naccess == 1) return;
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = (tw_is_complex(A->type) ? 2.0 : 1.0) * A->m * A->n,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
