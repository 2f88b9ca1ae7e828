/* Elements, rows and columns of a list of tiles (types/dense/tiles.h). */
#ifndef TW_KERNELS_DENSE_CPU_TILE_GRID_H
#define TW_KERNELS_DENSE_CPU_TILE_GRID_H
#include <string.h>
#include "kernels/dense/cpu/typed.h"

static inline T *tw_grid_at(const struct tw_tile_grid *a, int r, int c)
{
    const struct tw_tile_at *t = &a->at[r / a->mb + c / a->nb * a->mt];
    return TW_AT((T *)t->ptr, t->ld, r % a->mb, c % a->nb);
}
static inline int tw_grid_ld(const struct tw_tile_grid *a, int i, int j)
{
    return (int)a->at[i + j * a->mt].ld;
}
/* Rows of tile row i from row `from` on, and the first of them in the matrix. */
static inline int tw_grid_rows(const struct tw_tile_grid *a, int i, int from, int *first)
{
    const int end = tw_min(a->m, (i + 1) * a->mb);
    *first = i * a->mb > from ? i * a->mb : from;
    return end - *first;
}
/* Elements from row `from` to row `to` - 1 of column c, out of the tiles or (back) into them. */
static inline void tw_grid_move(const struct tw_tile_grid *a, int from, int to, int c, T *x, int back)
{
    for (int i = from / a->mb, first; i * a->mb < to; i++) {
        const int rows = tw_grid_rows(a, i, from, &first), count = tw_min(rows, to - first);
        T *in = tw_grid_at(a, first, c), *out = x + (first - from);
        memcpy(back ? in : out, back ? out : in, (size_t)count * sizeof(T));
    }
}
#endif
