/* What the files about matrices share: which tiles there are. */
#ifndef TW_RUNTIME_DATA_GRID_H
#define TW_RUNTIME_DATA_GRID_H
#include "runtime/data/data.h"

/* Tile rows first … last - 1 of tile column j are stored. */
void tw_stored_rows(const struct tw_matrix *A, int j, int *first, int *last);
size_t tw_count_tiles(const struct tw_matrix *A);
/* The tile's bytes from its home, without StarPU while no task can have used it, or acquired in main memory ('r' or
 * 'w'). 0 or TW_E_STARPU. */
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
/* Bytes of such a matrix where the library keeps its own, with what its columns are padded by. */
double tw_matrix_bytes(const struct tw_shape *s);
/* The checks that all creators share, and a matrix with tiles in the pool. Arguments are counted as in (A, type, uplo,
 * m, n), and `tile` is where mb or nb stands. */
int tw_grid_create(const char *routine, tw_matrix **out, const struct tw_shape *s, int tile,
                   const tw_distribution *dist);
void tw_grid_free(struct tw_matrix *A);
/* TW_E_STATE: the matrix lived through tw_finalize. */
int tw_matrix_gone(const char *routine);
#endif
