/* Row exchanges in a block column, by the pivots of one or several panels.
 *
 * Arguments  direct: 'F' in the pivots' order, 'B' the other way; row: rows of the matrix above the block column;
 *            first: that of the first pivot; tiles, pieces: how many
 * Buffers    ipiv  R each   1-based rows of the matrix; what lies outside the block column exchanges nothing
 *            A     RW each  the tiles
 *            work  SCRATCH  for the GPU: what goes where, and the tiles' addresses; only when one is in use */
#include "codelets/dense/column.h"

struct args {
    char direct;
    int tiles, pieces;
    int64_t row, first;
};

/* Piece number s of those to be applied, and where its first pivot stands in the block column. */
static const struct tw_buffer *piece(const struct tw_body *body, int s, int *first)
{
    const struct args *g = body->args;
    const int k = g->direct == 'F' ? s : g->pieces - 1 - s;

    *first = (int)(g->first - g->row);
    for (int i = 0; i < k; i++)
        *first += body->buf[i].m;
    return &body->buf[k];
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_column c;
    int first, e = tw_column_begin(&c, body, g->pieces, g->tiles);

    for (int s = 0; s < g->pieces && !e; s++) {
        const struct tw_buffer *p = piece(body, s, &first);
        TW_CPU(body)->laswp_tiles(g->direct, &c.tiles, first, (int)g->row, p->m, p->ptr);
    }
    tw_column_end(&c);
    return e;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    void *work = body->buf[g->pieces + g->tiles].ptr;
    struct tw_column c;
    int first, e = tw_column_begin(&c, body, g->pieces, g->tiles);

    for (int s = 0; s < g->pieces && !e; s++) {
        const struct tw_buffer *p = piece(body, s, &first);
        e = TW_CUDA(body)->laswp_tiles(body->cuda, g->direct, &c.tiles, work, first, (int)g->row, p->m, p->ptr);
    }
    tw_column_end(&c);
    return e;
}

static struct tw_codelet codelet = {
    .name = "laswp", .color = 0x88CCEE, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda), .urgent = 1};

void tw_task_laswp(struct tw_sequence *seq, int priority, char direct, struct tw_data *const *tile, int count,
                   tw_int row, struct tw_data *const *ipiv, int pieces, tw_int first)
{
    const struct args args = {direct, count, pieces, row, first};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "laswp", pieces + count + 1, few);
    int naccess = 0;

    if (!access) return;
    for (int i = 0; i < pieces; i++)
        access[naccess++] = (struct tw_access){ipiv[i], TW_R};
    for (int i = 0; i < count; i++)
        access[naccess++] = (struct tw_access){tile[i], TW_RW};
    if (tw_has_cuda())
        access[naccess++] = (struct tw_access){tw_scratch(TW_LASWP_BYTES(((size_t)count + 63) / 64 * 64)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = tile[0]->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = tile[0]->n,
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
