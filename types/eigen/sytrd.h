/* Where LAPACK's sytrd has what a panel of it leaves: what the copies between tiles and the panel's own objects go
 * by. */
#ifndef TW_TYPES_EIGEN_SYTRD_H
#define TW_TYPES_EIGEN_SYTRD_H

/* Columns first ... first + columns - 1 of a matrix of order n in its lower form; with uplo 'U' rows and columns are
 * counted from the end, which makes LAPACK's upper form the lower one. Reflectors are the first k of these columns,
 * from row first + 1 on. */
struct tw_sytrd_panel {
    int n, first, columns, k;
    char uplo;
};
/* A tile: its first element and its size. */
struct tw_sytrd_tile {
    int row, column, m, n;
};
/* The tile's columns that are the panel's, [*from, *to), counted in the tile. */
static inline void tw_sytrd_columns(const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, int columns,
                                    int *from, int *to)
{
    const int low = p->uplo == 'L' ? p->first : p->n - p->first - columns, high = low + columns;

    *from = low > t->column ? low - t->column : 0;
    *to = high < t->column + t->n ? high - t->column : t->n;
}
#endif
