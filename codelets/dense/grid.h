/* Tasks on whole block columns, side by side, with kernels that work on the tiles where they lie. */
#ifndef TW_CODELETS_DENSE_GRID_H
#define TW_CODELETS_DENSE_GRID_H
#include "codelets/dense/column.h"

struct tw_grid_seen {
    struct tw_tile_grid grid;
    struct tw_tile_at *at, few[TW_COLUMN_FEW];
};
/* The mt x nt tiles that are buffers from `first` on. 0 or TW_E_MEMORY; tw_grid_end in any case. */
static inline int tw_grid_begin(struct tw_grid_seen *g, const struct tw_body *body, int first, int mt, int nt)
{
    const struct tw_buffer *b = &body->buf[first], *last = &b[mt * nt - 1];

    g->at = mt * nt <= TW_COLUMN_FEW ? g->few : malloc((size_t)(mt * nt) * sizeof *g->at);
    if (!g->at) return TW_E_MEMORY;
    for (int i = 0; i < mt * nt; i++)
        g->at[i] = (struct tw_tile_at){b[i].ptr, b[i].ld};
    g->grid = (struct tw_tile_grid){(mt - 1) * b->m + last->m, (nt - 1) * b->n + last->n, b->m, b->n, mt, g->at};
    return 0;
}
static inline void tw_grid_end(struct tw_grid_seen *g)
{
    if (g->at != g->few) free(g->at);
}
#endif
