/* What the files about matrices share: which tiles there are. */
#ifndef TW_RUNTIME_DATA_GRID_H
#define TW_RUNTIME_DATA_GRID_H
#include "runtime/data/data.h"

/* Tile rows first … last - 1 of tile column j are stored. */
void tw_stored_rows(const struct tw_matrix *A, int j, int *first, int *last);
size_t tw_count_tiles(const struct tw_matrix *A);
/* The tile's bytes from its home, without StarPU while no task can have used it, or acquired in main memory ('r' or 'w'). 0 or TW_E_STARPU. */
struct tw_opened {
    char *at;
    size_t ld;
    struct _starpu_data_state *acquired;
};
int tw_open_tile(struct tw_data *d, char mode, struct tw_opened *o);
void tw_close_tile(const struct tw_opened *o);

/* ---- making one (matrix.c) ---- */

struct tw_shape {
    enum tw_type type;
    enum tw_uplo uplo;
    tw_int m, n, mb, nb; /* mb, nb 0: chosen */
    int band;
    tw_int kl, ku;
};
/* The checks that all creators share, and a grid without data. Arguments are counted as in (A, type, uplo, m, n), and `tile` is where mb or nb
 * stands. NULL with *error set. */
struct tw_matrix *tw_grid_new(const char *routine, int *error, const struct tw_shape *s, int tile);
void tw_grid_free(struct tw_matrix *A);
/* Tiles in the pool, for the grid A, which is freed on failure. */
int tw_grid_fill(const char *routine, struct tw_matrix *A, const tw_distribution *dist);
#endif
