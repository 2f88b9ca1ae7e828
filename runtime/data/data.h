/* Data objects: what tasks read and write, each behind one StarPU handle, and the matrix, a grid of them. */
#ifndef TW_RUNTIME_DATA_DATA_H
#define TW_RUNTIME_DATA_DATA_H
#include <tilework/matrix.h>
#include "runtime/base/buffer.h"
#include "runtime/base/living.h"
#include "runtime/base/types.h"

/* The contract headers are exported from libtilework.so, for the project's own further libraries (libtilework_fft,
 * which is apart because FFTW is GPL). No public header declares these functions: they change without notice. */
#pragma GCC visibility push(default)

struct _starpu_data_state; /* starpu_data_handle_t is a pointer to this; StarPU's header stays inside runtime/ */
struct tw_staging;         /* staging.c */
struct tw_data;

/* A kind of data objects: how its bytes lie, in the forms that StarPU moves, and what a body sees of them. The runtime
 * has those below; a family makes one of its own by filling in such a table. */
enum tw_form {
    TW_FORM_MATRIX, /* n columns of m elements, ld apart */
    TW_FORM_VECTOR, /* m elements */
    TW_FORM_BLOCK,  /* count matrices, `stride` elements apart */
    TW_FORM_NOTHING
};
struct tw_layout {
    int m, n, ld, count;
    size_t stride;
};
struct tw_data_kind {
    const char *name;
    enum tw_form form;
    /* What lies in memory where that is not what the object's own m, n, ld, count and stride say: they are in *l, to be
     * changed. NULL: it is. */
    void (*layout)(const struct tw_data *d, struct tw_layout *l);
    /* From what lies in memory to what a body gets, with the object's `shape`; runs on a worker before the body. NULL:
     * nothing to do. */
    void (*view)(const int shape[4], struct tw_buffer *b);
    /* That a task reads or writes. NULL: all of m x n x count. */
    double (*bytes)(const struct tw_data *d);
};
extern const struct tw_data_kind tw_kind_tile, /* m x n column-major, leading dimension ld */
    tw_kind_vector,                            /* m elements of elemsize bytes */
    tw_kind_batch,                             /* count matrices of one shape behind one handle */
    tw_kind_scratch, /* workspace, private to each worker while a task runs; content undefined */
    tw_kind_token;   /* nothing: orders the tasks that take it, wherever they run */

/* RW_COMMUTE: such accesses one after another may take place in any order; in reproducible mode they keep that of
 * submission. Sums in any order, for example: reduce.h has sums whose parts run side by side. */
enum tw_mode { TW_R = 1, TW_W = 2, TW_RW = 3, TW_SCRATCH = 4, TW_RW_COMMUTE = 8 | TW_RW };
struct tw_access {
    struct tw_data *data;
    enum tw_mode mode;
};

/* The home of what lived through tw_finalize: it gets no handle any more. */
enum { TW_HOME_GONE = -2 };

struct tw_data {
    struct _starpu_data_state *handle; /* NULL until tw_data_handle is called for it */
    const struct tw_data_kind *kind;
    enum tw_type type;
    int owner;       /* rank that owns it (0 without MPI) */
    int coord[4];    /* shown in traces; unused ones are -1 */
    int m, n, count; /* tiles: rows and columns; vectors and scratch: length and 1; count: of a batch, else 1 */
    int ld;          /* tiles: of `host` */
    int shape[4];    /* the kind's own numbers */
    size_t elemsize, stride;
    size_t room; /* bytes that its copies ask memory for, at least its own size; 0: as many as it has */
    /* memory node of its home at `host` (0: main memory); -1: it has none, its copies are where tasks need them; or
     * TW_HOME_GONE */
    int home;
    void *host;                 /* its home; staged tiles: their place in the user's array */
    struct tw_staging *staging; /* staged tiles (staging.h): their matrix' staging; NULL for all others */
    int staging_state;          /* staged tiles: what staging.c knows about them, under the staging's lock */
    int node;               /* staged tiles: the memory node to which they are loaded; held ones: where they are held */
    struct tw_data *next;   /* free list; those that are held */
    int held_back;          /* tasks on it that are not submitted yet (task/when.c) */
    int doomed;             /* given back meanwhile */
    struct tw_matrix *grid; /* doomed with this temporary matrix */
};

/* StarPU's handle takes 4 KiB and some microseconds: it is made when an object is first used. Any thread may ask. NULL
 * without memory. */
struct _starpu_data_state *tw_data_make_handle(struct tw_data *d);
static inline struct _starpu_data_state *tw_data_handle(struct tw_data *d)
{
    struct _starpu_data_state *h = __atomic_load_n(&d->handle, __ATOMIC_ACQUIRE);
    return h ? h : tw_data_make_handle(d);
}
/* The handle if somebody has asked for it: without one no task has used the object, and what it holds is at its
 * home. */
static inline struct _starpu_data_state *tw_data_used(const struct tw_data *d)
{
    return __atomic_load_n(&d->handle, __ATOMIC_ACQUIRE);
}

/* HOST: tiles in place in the user's array; STAGED: over the user's array, but brought to the GPUs and back
 * (staging.h). */
/* NONE: a routine's own temporary, whose tiles have no home. */
enum tw_storage { TW_STORAGE_POOL, TW_STORAGE_HOST, TW_STORAGE_DEVICE, TW_STORAGE_STAGED, TW_STORAGE_NONE };

struct tw_matrix {
    struct tw_living life; /* first: what operands begin with */
    int gone;              /* it lived through tw_finalize: it can only be destroyed */
    enum tw_type type;
    enum tw_uplo uplo;
    tw_int m, n, mb, nb; /* a tile has mb rows and nb columns */
    int mt, nt;          /* tile rows and columns: ceil(m / mb), ceil(n / nb) */
    int band;            /* only the tiles that hold one of kl diagonals below the main one or ku above it are stored */
    tw_int kl, ku;
    enum tw_storage storage;
    void *base;                 /* pool slab, or the user's array */
    size_t bytes;               /* of the slab */
    tw_int lda;                 /* of the user's array */
    int device;                 /* CUDA device of TW_STORAGE_DEVICE */
    struct tw_staging *staging; /* of TW_STORAGE_STAGED */
    tw_distribution dist;
    struct tw_data **tile; /* `tall` x nt pointers, column-major; NULL outside the stored triangle */
    int tall;              /* mt; of a band: the most tiles in one column */
    struct tw_data *objects;
    long doomed; /* tiles that are held back, of a temporary matrix that was given back */
};
/* The same matrix, or two over users' arrays in main memory with an element in common, as far as it can be seen
 * (shares.c). */
int tw_shares(const struct tw_matrix *A, const struct tw_matrix *B);

/* Tile (i, j), 0-based; NULL outside the stored triangle or band. */
struct tw_data *tw_band_tile(const struct tw_matrix *A, int i, int j);
static inline struct tw_data *tw_tile(const struct tw_matrix *A, int i, int j)
{
    return A->band ? tw_band_tile(A, i, j) : A->tile[i + (size_t)j * (size_t)A->mt];
}
static inline int tw_tile_rows(const struct tw_matrix *A, int i)
{
    return (int)tw_min(A->mb, A->m - (tw_int)i * A->mb);
}
static inline int tw_tile_cols(const struct tw_matrix *A, int j)
{
    return (int)tw_min(A->nb, A->n - (tw_int)j * A->nb);
}

/* The part of column c that rows r0 … r0 + rows - 1 hold of the stored triangle of a matrix: [first, last), counted
 * from r0. */
static inline void tw_triangle_part(enum tw_uplo uplo, tw_int c, tw_int r0, tw_int rows, tw_int *first, tw_int *last)
{
    *first = 0;
    *last = rows;
    if (uplo == TW_LOWER) *first = tw_min(tw_max(c - r0, 0), rows);
    if (uplo == TW_UPPER) *last = tw_min(tw_max(c - r0 + 1, 0), rows);
}

/* A temporary vector of `length` elements of `elemsize` bytes; initialised to zero bytes in main memory. */
struct tw_data *tw_data_vector(size_t length, size_t elemsize, const int coord[2]);
/* The same of elements of any type, which it knows: pivots, indices, real values beside a complex matrix. */
struct tw_data *tw_data_vector_of(enum tw_type type, size_t length, const int coord[2]);
/* A temporary m x n tile of any type without content (its first task writes all of it), allocated where tasks need
 * it. */
struct tw_data *tw_data_tile(enum tw_type type, int m, int n);
/* An object of a family's own kind, with the kind's own numbers: temporary, without content; or over an array of the
 * caller's, with leading dimension ld, until tw_data_forget. (i, j) is shown in traces. */
struct tw_data *tw_data_of(const struct tw_data_kind *kind, enum tw_type type, int m, int n, const int shape[4]);
struct tw_data *tw_data_over(const struct tw_data_kind *kind, enum tw_type type, void *ptr, int m, int n, int ld,
                             const int shape[4], int i, int j);
/* `count` m x n matrices behind one handle: temporary, without content and gaps; or, as chunk number `chunk`, over an
 * array of the caller's, with columns ld and matrices `stride` elements apart, until tw_data_forget. NULL without
 * memory, where they overlap, and above 4 GiB. */
struct tw_data *tw_data_batch(enum tw_type type, tw_int m, tw_int n, tw_int count);
struct tw_data *tw_data_batch_over(void *ptr, enum tw_type type, tw_int m, tw_int n, tw_int ld, tw_int stride,
                                   tw_int count, int chunk);
/* Temporaries belong to rank 0 unless their maker says otherwise. */
static inline void tw_data_set_owner(struct tw_data *d, int owner)
{
    d->owner = owner;
}
/* What a task that reads or writes it moves. */
double tw_data_bytes(const struct tw_data *d);
/* A token: orders tasks on memory that StarPU does not know of, or holds (tw_hold). It has no bytes that would have to
 * travel. */
struct tw_data *tw_data_token(void);
/* Workspace: one handle per size serves all tasks (StarPU gives each worker its own buffer). */
struct tw_data *tw_scratch(size_t bytes);
/* Give it back once all submitted tasks have used it (returns at once). */
void tw_data_free_later(struct tw_data *d);
/* An m x n matrix of a routine's own, without content, whose tiles are allocated where tasks need them: NULL, with the
 * message set, without memory. And given back, once all submitted tasks have used it. */
struct tw_matrix *tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb);
void tw_matrix_free_later(struct tw_matrix *A);
/* Wait for its writers and give a host pointer, valid until tw_data_release. mode 'r' or 'w' (read and write). */
void *tw_data_acquire(struct tw_data *d, char mode);
void tw_data_release(struct tw_data *d);

/* An m x n tile held in the memory of GPU g (g < 0: in main memory) until it is let go: `ptr` is valid as long, for
 * tasks on any GPU that is a peer of g, and StarPU neither moves it nor pushes it out. Outside of tasks. 0, or
 * TW_E_MEMORY with the message set. */
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

/* A rectangle of a host array in place: n rows of m contiguous elements, rows ld elements apart. NULL without memory.
 * (i, j) is shown in traces. Sizes are below 2^31. */
struct tw_data *tw_data_rectangle(void *ptr, tw_int m, tw_int n, tw_int ld, size_t elemsize, int i, int j);
/* Wait for its tasks and forget it. keep: the host array receives the last value; otherwise its content is
 * undefined. */
void tw_data_forget(struct tw_data *d, int keep);
/* Pin an array of the caller while its tasks run: 0 (also if it is pinned already), or -1 if that is not possible
 * (pin.c says when), and then it must not be given to GPUs. Several threads may pin the same array. Unpinning what was
 * not pinned is allowed. */
struct tw_pinned {
    void *range;
};
int tw_pin(const void *base, size_t bytes, struct tw_pinned *pinned);
void tw_unpin(struct tw_pinned *pinned);
/* OpenBLAS' complex kernels (0.3.21: dotc, dotu, gemv "N") read elements behind a strided vector's last one: of a
 * tile's row, up to four columns (TW_COLUMNS_BEHIND) behind the tile's end, where no memory may be. So much of it, for
 * columns of up to 4096 elements, follows what the library gets for itself; it is not counted, and nobody touches it
 * but these kernels. */
static inline size_t tw_room_behind(size_t bytes)
{
    return 4 * (bytes < (64 << 10) ? bytes : 64 << 10);
}
/* Pinned where there are GPUs; counted against the host memory limit. NULL with the message set. */
void *tw_pool_alloc(size_t bytes);
void tw_pool_free(void *p, size_t bytes);
/* When the library stops: memory that is still taken becomes plain memory, for free(). */
void tw_pool_let_go(void *p, size_t bytes);
/* The handle is given back when the tasks submitted so far are done; the object itself stays. */
void tw_data_drop(struct tw_data *d);
#pragma GCC visibility pop
#endif
