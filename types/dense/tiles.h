/* Lists of tiles. A block column: the tiles of one column of a matrix, from some row of tiles down. */
#ifndef TW_TYPES_DENSE_TILES_H
#define TW_TYPES_DENSE_TILES_H

struct tw_tile_at {
    void *ptr; /* first element */
    long long ld;
};
/* m x n elements; row r, 0-based, lies in tile r / mb. */
struct tw_tiles {
    int m, n, mb, count;
    const struct tw_tile_at *at; /* `count` of them */
};
/* Exchanges of rows on a GPU: pivots whose permutation is found at once, and bytes of workspace for exchanges in
 * `count` tiles. */
enum { TW_LASWP_MOST = 1024 };
#define TW_LASWP_BYTES(count) (4 * TW_LASWP_MOST * sizeof(int) + (size_t)(count) * sizeof(struct tw_tile_at))
/* OpenBLAS 0.3.21's cgemv and zgemv read past the last column of their matrix, up to the end of the next ones: so many
 * have to lie behind it. */
enum { TW_COLUMNS_BEHIND = 4 };
/* Whole block columns side by side: m x n elements; (r, c), 0-based, lies in tile r / mb + c / nb * mt. */
struct tw_tile_grid {
    int m, n, mb, nb, mt;
    const struct tw_tile_at *at;
};
#endif
