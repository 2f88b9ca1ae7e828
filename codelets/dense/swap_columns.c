/* Column exchanges of blocks of QR with pivoting, in a row of tiles above them.
 *
 * Arguments  pieces: blocks; tiles
 * Buffers    swap  R each   k int32_t, from 0: column j of the block changed places with column swap[j], counted from
 *                           the block's first
 *            A     RW each  the tiles from the first block's column on
 *            list  SCRATCH  the tiles' addresses, for the GPU; only when one is in use */
#include "codelets/dense/grid.h"

struct args {
    int pieces, tiles;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_grid_seen s;
    int e = tw_grid_begin(&s, body, g->pieces, 1, g->tiles);

    for (int p = 0; p < g->pieces && !e; p++)
        TW_CPU(body)->swap_columns(&s.grid, p * s.grid.nb, body->buf[p].m, body->buf[p].ptr);
    tw_grid_end(&s);
    return e;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_tile_at *list = body->buf[g->pieces + g->tiles].ptr;
    struct tw_grid_seen s;
    int e = tw_grid_begin(&s, body, g->pieces, 1, g->tiles);
    const struct tw_tiles row = {s.grid.n, s.grid.m, s.grid.nb, g->tiles, s.grid.at};

    if (!e) e = TW_CUDA(body)->tile_list(body->cuda, &row, list);
    for (int p = 0; p < g->pieces && !e; p++)
        e = TW_CUDA(body)->swap_columns(body->cuda, &row, list, p * s.grid.nb, body->buf[p].m, body->buf[p].ptr);
    tw_grid_end(&s);
    return e;
}

static struct tw_codelet codelet = {
    .name = "swap_columns", .color = 0x88CCDD, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_swap_columns(struct tw_sequence *seq, int priority, struct tw_data *const *tile, int count,
                          struct tw_data *const *swap, int pieces)
{
    const struct args args = {pieces, count};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "swap_columns", pieces + count + 1, few);
    int naccess = 0;

    if (!access) return;
    for (int p = 0; p < pieces; p++)
        access[naccess++] = (struct tw_access){swap[p], TW_R};
    for (int i = 0; i < count; i++)
        access[naccess++] = (struct tw_access){tile[i], TW_RW};
    if (tw_has_cuda())
        access[naccess++] =
            (struct tw_access){tw_scratch(((size_t)count + 63) / 64 * 64 * sizeof(struct tw_tile_at)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = tile[0]->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = tile[0]->m,
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
