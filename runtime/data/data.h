/* Data objects: what tasks read and write, each behind one StarPU handle, and the matrix, a grid of them. */
#ifndef TW_RUNTIME_DATA_DATA_H
#define TW_RUNTIME_DATA_DATA_H
#include <tilework/matrix.h>
#include "runtime/base/types.h"

/* The contract headers are exported from libtilework.so, for the project's own further libraries (libtilework_fft, which is apart
 * because FFTW is GPL). No public header declares these functions: they change without notice. */
#pragma GCC visibility push(default)

struct _starpu_data_state; /* starpu_data_handle_t is a pointer to this; StarPU's header stays inside runtime/ */
struct tw_stage;           /* staging.c */

enum tw_data_kind {
    TW_DATA_TILE,   /* m x n column-major, leading dimension ld */
    TW_DATA_VECTOR, /* m elements of elemsize bytes */
    TW_DATA_SCRATCH, /* m bytes of workspace, private to each worker while a task runs; content undefined */
    TW_DATA_SIGN     /* nothing: orders the tasks that take it, wherever they run */
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
    void *host;           /* vectors: the host copy; staged tiles: their place in the user's array */
    struct tw_stage *stage; /* staged tiles (staging.h): their matrix' staging; NULL for all others */
    int stage_state;        /* staged tiles: what staging.c knows about them, under the staging's lock */
    int stage_node;         /* staged tiles: the memory node to which they are loaded; held ones: where they are held */
    struct tw_data *next; /* free list; those that are held */
};

/* HOST: tiles in place in the user's array; STAGED: over the user's array, but brought to the GPUs and back (staging.h). */
enum tw_storage { TW_STORAGE_POOL, TW_STORAGE_HOST, TW_STORAGE_DEVICE, TW_STORAGE_STAGED };

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
    struct tw_stage *stage; /* of TW_STORAGE_STAGED */
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

/* The part of column c that rows r0 … r0 + rows - 1 hold of the stored triangle of a matrix: [first, last), counted from r0. */
static inline void tw_triangle_part(enum tw_uplo uplo, tw_int c, tw_int r0, tw_int rows, tw_int *first, tw_int *last)
{
    *first = 0;
    *last = rows;
    if (uplo == TW_LOWER) *first = tw_min(tw_max(c - r0, 0), rows);
    if (uplo == TW_UPPER) *last = tw_min(tw_max(c - r0 + 1, 0), rows);
}

/* A temporary vector of `length` elements of `elemsize` bytes; initialised to zero bytes in main memory. */
struct tw_data *tw_data_vector(size_t length, size_t elemsize, const int coord[2]);
/* A temporary m x n tile without content (its first task writes all of it), allocated where tasks need it. */
struct tw_data *tw_data_tile(enum tw_type type, int m, int n);
/* A sign: orders tasks on memory that StarPU does not know of, or holds (tw_hold). It has no bytes that would have to travel. */
struct tw_data *tw_data_sign(void);
/* Give it back once all submitted tasks have used it (returns at once). */
void tw_data_free_later(struct tw_data *d);
/* Wait for its writers and give a host pointer, valid until tw_data_release. mode 'r' or 'w' (read and write). */
void *tw_data_acquire(struct tw_data *d, char mode);
void tw_data_release(struct tw_data *d);

/* An m x n tile held in the memory of GPU g (g < 0: in main memory) until it is let go: `ptr` is valid as long, for tasks on any GPU that is a
 * peer of g, and StarPU neither moves it nor pushes it out. Outside of tasks. 0, or TW_E_MEMORY with the message set. */
struct tw_held {
    struct tw_data *data;
    void *ptr;
    int node;
};
int tw_hold(struct tw_held *h, enum tw_type type, tw_int m, tw_int n, int g);
/* 1 if the kernels of every GPU can write to every other's memory. */
int tw_gpu_peers(void);
/* Its tasks are done. Letting go what was never held is allowed. */
void tw_let_go(struct tw_held *h);

/* A rectangle of a host array in place: n rows of m contiguous elements, rows ld elements apart. NULL without memory. (i, j) is
 * shown in traces. Sizes are below 2^31. */
struct tw_data *tw_data_rectangle(void *ptr, tw_int m, tw_int n, tw_int ld, size_t elemsize, int i, int j);
/* Wait for its tasks and forget it. keep: the host array receives the last value; otherwise its content is undefined. */
void tw_data_forget(struct tw_data *d, int keep);
/* Pin an array of the caller while its tasks run: 0 (also if it is pinned already), or -1 if that is not possible (pin.c says when), and then it
 * must not be given to GPUs. Several threads may pin the same array. Unpinning what was not pinned is allowed. */
struct tw_pinned {
    void *range;
};
int tw_pin(const void *base, size_t bytes, struct tw_pinned *pinned);
void tw_unpin(struct tw_pinned *pinned);
/* Pinned where there are GPUs; counted against the host memory limit. NULL with the message set. */
void *tw_pool_alloc(size_t bytes);
void tw_pool_free(void *p, size_t bytes);
#pragma GCC visibility pop
#endif
