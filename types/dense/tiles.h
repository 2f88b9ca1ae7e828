/* A block column: the tiles of one column of a matrix, from some row of tiles down. */
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
#endif
