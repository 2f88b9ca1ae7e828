/* Tasks on a block column, a list of tiles: their accesses, and what their bodies see. */
#ifndef TW_CODELETS_DENSE_COLUMN_H
#define TW_CODELETS_DENSE_COLUMN_H
#include <stdlib.h>
#include "codelets/accesses.h"
#include "codelets/dense/dense_bodies.h"
#include "types/dense/tiles.h"

#define TW_COLUMN_FEW TW_ACCESSES_FEW /* tiles for which no memory is asked */

/* ---- submitting ---- */

static inline int tw_column_rows(struct tw_data *const *tile, int count)
{
    return (count - 1) * tile[0]->m + tile[count - 1]->m;
}
/* Panels get smaller: rounded up to quarters of a power of two they share few workspaces. */
static inline int tw_column_rounded(int m)
{
    int step = 1;
    while (step <= m / 8)
        step *= 2;
    return (int)tw_min(((tw_int)m + step - 1) / step * step, INT32_MAX);
}

/* Whether CPUs find the tiles one under the other in one array: of the user's, in place, or of the
 * library's on a machine without GPUs. */
static inline int tw_column_lies_in_array(struct tw_data *const *tile, int count)
{
    for (int i = 0; i < count; i++)
        if (tile[i]->home != 0 || tile[i]->staging || tile[i]->ld < tw_column_rows(tile, count) ||
            (i > 0 &&
             (char *)tile[i]->host != (char *)tile[0]->host + (size_t)i * (size_t)tile[0]->m * tile[0]->elemsize))
            return 0;
    return 1;
}

/* ---- in bodies ---- */

struct tw_column {
    struct tw_tiles tiles;
    struct tw_tile_at *at, few[TW_COLUMN_FEW];
};
/* The column whose tiles are `count` of the buffers, from `first` on. 0 or TW_E_MEMORY; tw_column_end in any case. */
static inline int tw_column_begin(struct tw_column *c, const struct tw_body *body, int first, int count)
{
    const struct tw_buffer *b = &body->buf[first];

    c->at = count <= TW_COLUMN_FEW ? c->few : malloc((size_t)count * sizeof *c->at);
    if (!c->at) return TW_E_MEMORY;
    for (int i = 0; i < count; i++)
        c->at[i] = (struct tw_tile_at){b[i].ptr, b[i].ld};
    c->tiles = (struct tw_tiles){(count - 1) * b[0].m + b[count - 1].m, b[0].n, b[0].m, count, c->at};
    return 0;
}
static inline void tw_column_end(struct tw_column *c)
{
    if (c->at != c->few) free(c->at);
}
/* Rows of tile i. */
static inline int tw_column_tile_rows(const struct tw_tiles *t, int i)
{
    return (int)tw_min(t->mb, t->m - i * t->mb);
}
/* 1 if the tiles lie one under the other in one column-major array. */
static inline int tw_column_is_array(const struct tw_tiles *t, size_t elemsize)
{
    for (int i = 1; i < t->count; i++)
        if (t->at[i].ld != t->at[0].ld || (char *)t->at[i].ptr != (char *)t->at[i - 1].ptr + (size_t)t->mb * elemsize)
            return 0;
    return t->at[0].ld >= t->m;
}
#endif
