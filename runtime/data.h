/* Data objects: what tasks read and write, each behind one StarPU handle, and the matrix, a grid of them. */
#ifndef TW_RUNTIME_DATA_H
#define TW_RUNTIME_DATA_H
#include <tilework/matrix.h>
#include "runtime/types.h"

struct _starpu_data_state; /* starpu_data_handle_t is a pointer to this; StarPU's header stays inside runtime/ */

enum tw_data_kind {
    TW_DATA_TILE,   /* m x n column-major, leading dimension ld */
    TW_DATA_VECTOR, /* m elements of elemsize bytes */
    TW_DATA_SCRATCH /* m bytes of workspace, private to each worker while a task runs; content undefined */
};

struct tw_data {
    struct _starpu_data_state *handle;
    enum tw_data_kind kind;
    enum tw_type type;
    int owner;    /* rank that owns it (0 without MPI) */
    int coord[4]; /* shown in traces; unused ones are -1 */
    int m, n;     /* tiles: rows and columns; vectors and scratch: length and 1 */
    size_t elemsize;
    int on_device;        /* its home is a GPU's memory (a wrapped device array) */
    void *host;           /* vectors: the host copy */
    struct tw_data *next; /* free list */
};

enum tw_storage { TW_STORAGE_POOL, TW_STORAGE_HOST, TW_STORAGE_DEVICE };

struct tw_matrix {
    enum tw_type type;
    enum tw_uplo uplo;
    tw_int m, n, nb;
    int mt, nt; /* tile rows and columns: ceil(m / nb), ceil(n / nb) */
    enum tw_storage storage;
    void *base;   /* pool slab, or the user's array */
    size_t bytes; /* of the slab */
    tw_int lda;   /* of the user's array */
    int device;   /* CUDA device of TW_STORAGE_DEVICE */
    tw_distribution dist;
    struct tw_data **tile; /* mt x nt pointers, column-major; NULL outside the stored triangle */
    struct tw_data *objects;
    long queued; /* routines of the async door that use it and whose loops have not returned; sequence.c's lock */
    struct tw_matrix *previous, *next; /* all matrices that live */
};

/* Tile (i, j), 0-based; NULL outside the stored triangle. */
static inline struct tw_data *tw_tile(const struct tw_matrix *A, int i, int j)
{
    return A->tile[i + (size_t)j * A->mt];
}
static inline int tw_tile_rows(const struct tw_matrix *A, int i)
{
    return (int)tw_min(A->nb, A->m - (tw_int)i * A->nb);
}
static inline int tw_tile_cols(const struct tw_matrix *A, int j)
{
    return (int)tw_min(A->nb, A->n - (tw_int)j * A->nb);
}

/* A temporary vector of `length` elements of `elemsize` bytes; initialised to zero bytes in main memory. */
struct tw_data *tw_data_vector(size_t length, size_t elemsize, const int coord[2]);
/* Give it back once all submitted tasks have used it (returns at once). */
void tw_data_free_later(struct tw_data *d);
/* Wait for its writers and give a host pointer, valid until tw_data_release. mode 'r' or 'w' (read and write). */
void *tw_data_acquire(struct tw_data *d, char mode);
void tw_data_release(struct tw_data *d);
#endif
