/* How a staged tile travels: a CPU worker cuts it into boxes that fit a slot of pinned memory. With two slots it packs one box
 * while the GPU's copy engine takes the other one away (in), or unpacks one while the next arrives (out).
 *
 * Only the stored part is read from the user's array or written to it. A box holds the rectangle around that part, so its other
 * corner carries whatever the slot held before: nothing ever looks at it. */
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/staging.h"
#ifdef TILEWORK_CUDA
#include <cuda_runtime_api.h>
#endif

enum { SLOTS = 2 };

/* ---- boxes ------------------------------------------------------------------------------------------------------------ */

struct box {
    int row, rows, col, cols; /* of the tile; in the slot its columns lie `rows` elements apart */
};
struct walk {
    const struct tw_trip *trip;
    size_t room; /* elements of a slot */
    int col, row;
};

/* Rows of columns col … col + cols - 1 that hold something. */
static void rows_of(const struct tw_trip *t, int col, int cols, tw_int *first, tw_int *last)
{
    tw_int unused;
    *first = 0;
    *last = t->m;
    if (t->part == TW_LOWER) tw_triangle_part(TW_LOWER, col, 0, t->m, first, &unused);
    if (t->part == TW_UPPER) tw_triangle_part(TW_UPPER, col + cols - 1, 0, t->m, &unused, last);
}

/* Whole columns where at least one fits a slot, else pieces of one. */
static int next_box(struct walk *w, struct box *b)
{
    const struct tw_trip *t = w->trip;

    while (w->col < t->last) {
        tw_int first, last, fit = (tw_int)(w->room / (size_t)t->m);
        int cols = (int)tw_min(t->last - w->col, tw_max(fit, 1));
        rows_of(t, w->col, cols, &first, &last);
        first += w->row;
        if (first < last) {
            *b = (struct box){(int)first, (int)tw_min(last - first, (tw_int)(w->room / (size_t)cols)), w->col, cols};
            w->row += b->rows;
            if (first + b->rows < last) return 1;
            w->row = 0;
            w->col += cols;
            return 1;
        }
        w->row = 0;
        w->col += cols;
    }
    return 0;
}

static void copy_box(const struct tw_trip *t, const struct box *b, char *slot, int to_slot)
{
    for (int c = b->col; c < b->col + b->cols; c++) {
        tw_int first, last;
        tw_triangle_part(t->part, c, b->row, b->rows, &first, &last);
        if (first >= last) continue;
        char *in_slot = slot + ((size_t)(c - b->col) * (size_t)b->rows + (size_t)first) * t->elemsize;
        char *in_array = t->array + ((size_t)c * t->lda + (size_t)b->row + (size_t)first) * t->elemsize;
        memcpy(to_slot ? in_slot : in_array, to_slot ? in_array : in_slot, (size_t)(last - first) * t->elemsize);
    }
}

/* ---- lanes: the slots and streams of one CPU worker --------------------------------------------------------------------- */

struct lane {
    char *slot[SLOTS];
#ifdef TILEWORK_CUDA
    struct {
        int open;
        cudaStream_t stream;
        cudaEvent_t done[SLOTS];
    } gpu[STARPU_MAXCUDADEVS];
#endif
};
static struct lane lanes[STARPU_NMAXWORKERS];
static char *slab; /* all slots */
static size_t slab_bytes, slot_bytes;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

#ifdef TILEWORK_CUDA
static int open_gpu(struct lane *l, int device)
{
    if (device < 0 || device >= STARPU_MAXCUDADEVS || cudaSetDevice(device) != cudaSuccess ||
        cudaStreamCreateWithFlags(&l->gpu[device].stream, cudaStreamNonBlocking) != cudaSuccess)
        return 1;
    for (int k = 0; k < SLOTS; k++)
        if (cudaEventCreateWithFlags(&l->gpu[device].done[k], cudaEventDisableTiming) != cudaSuccess) {
            while (k-- > 0)
                (void)cudaEventDestroy(l->gpu[device].done[k]);
            (void)cudaStreamDestroy(l->gpu[device].stream);
            return 1;
        }
    l->gpu[device].open = 1;
    return 0;
}

static void close_gpus(struct lane *l)
{
    for (int device = 0; device < STARPU_MAXCUDADEVS; device++) {
        if (!l->gpu[device].open) continue;
        (void)cudaSetDevice(device); /* nothing is under way: what fails here has no one to tell */
        for (int k = 0; k < SLOTS; k++)
            (void)cudaEventDestroy(l->gpu[device].done[k]);
        (void)cudaStreamDestroy(l->gpu[device].stream);
        l->gpu[device].open = 0;
    }
}

/* Streams for every pair of CPU worker and GPU. This thread's current device stays what it was. */
static int open_gpus(struct lane *l)
{
    int before, e = 0;

    if (tw_rt.ncuda == 0) return 0;
    if (cudaGetDevice(&before) != cudaSuccess) return 1;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count() && !e; node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) e = open_gpu(l, starpu_memory_node_get_devid(node));
    (void)cudaSetDevice(before);
    return e;
}
#else
static int open_gpus(struct lane *l)
{
    (void)l;
    return 0;
}
static void close_gpus(struct lane *l)
{
    (void)l;
}
#endif

static void close_lanes(void)
{
    for (int w = 0; w < STARPU_NMAXWORKERS; w++) {
        close_gpus(&lanes[w]);
        memset(&lanes[w], 0, sizeof lanes[w]);
    }
    tw_pool_free(slab, slab_bytes);
    slab = NULL;
}

int tw_lanes_open(void)
{
    int workers[STARPU_NMAXWORKERS];
    int n, e = 0;

    starpu_pthread_mutex_lock(&lock);
    if (!slab) {
        n = (int)starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, workers, STARPU_NMAXWORKERS);
        slot_bytes = tw_rt.config.stage_slot;
        slab_bytes = (size_t)n * SLOTS * slot_bytes;
        slab = tw_pool_alloc(slab_bytes);
        e = !slab;
        for (int w = 0; w < n && !e; w++) {
            for (int k = 0; k < SLOTS; k++)
                lanes[workers[w]].slot[k] = slab + ((size_t)w * SLOTS + (size_t)k) * slot_bytes;
            e = open_gpus(&lanes[workers[w]]);
        }
        if (e) close_lanes();
    }
    starpu_pthread_mutex_unlock(&lock);
    return e;
}

void tw_lanes_close(void)
{
    starpu_pthread_mutex_lock(&lock);
    if (slab) close_lanes();
    starpu_pthread_mutex_unlock(&lock);
}

/* ---- between slot and tile ------------------------------------------------------------------------------------------------ */

static char *in_tile(const struct tw_trip *t, const struct box *b)
{
    return t->tile + ((size_t)b->col * t->ld + (size_t)b->row) * t->elemsize;
}

static void move_in_memory(const struct tw_trip *t, const struct box *b, char *slot, int to_tile)
{
    size_t bytes = (size_t)b->rows * t->elemsize;

    for (int c = 0; c < b->cols; c++) {
        char *p = in_tile(t, b) + (size_t)c * t->ld * t->elemsize, *q = slot + (size_t)c * bytes;
        memcpy(to_tile ? p : q, to_tile ? q : p, bytes);
    }
}

#ifdef TILEWORK_CUDA
static const char *text(cudaError_t e)
{
    return e == cudaSuccess ? NULL : cudaGetErrorString(e);
}

static const char *start(struct lane *l, const struct tw_trip *t, const struct box *b, int k, int to_tile)
{
    size_t bytes = (size_t)b->rows * t->elemsize, pitch = t->ld * t->elemsize;
    cudaStream_t stream;
    cudaError_t e;

    if (t->device < 0) {
        move_in_memory(t, b, l->slot[k], to_tile);
        return NULL;
    }
    stream = l->gpu[t->device].stream;
    if (to_tile)
        e = cudaMemcpy2DAsync(in_tile(t, b), pitch, l->slot[k], bytes, bytes, (size_t)b->cols, cudaMemcpyHostToDevice,
                              stream);
    else
        e = cudaMemcpy2DAsync(l->slot[k], bytes, in_tile(t, b), pitch, bytes, (size_t)b->cols, cudaMemcpyDeviceToHost,
                              stream);
    return e == cudaSuccess ? text(cudaEventRecord(l->gpu[t->device].done[k], stream)) : text(e);
}
static const char *finish(struct lane *l, const struct tw_trip *t, int k)
{
    return t->device < 0 ? NULL : text(cudaEventSynchronize(l->gpu[t->device].done[k]));
}
/* A worker's current device is its own business: StarPU sets it before each of its own calls. */
static const char *begin(struct lane *l, const struct tw_trip *t)
{
    if (t->device < 0) return NULL;
    if (!l->gpu[t->device].open) return "no stream to this GPU";
    return text(cudaSetDevice(t->device));
}
/* After a failure nothing may still be using the slots. */
static void drain(struct lane *l, const struct tw_trip *t)
{
    if (t->device >= 0 && l->gpu[t->device].open) (void)cudaStreamSynchronize(l->gpu[t->device].stream);
}
#else
static const char *start(struct lane *l, const struct tw_trip *t, const struct box *b, int k, int to_tile)
{
    move_in_memory(t, b, l->slot[k], to_tile);
    return NULL;
}
static const char *finish(struct lane *l, const struct tw_trip *t, int k)
{
    (void)l, (void)t, (void)k;
    return NULL;
}
static const char *begin(struct lane *l, const struct tw_trip *t)
{
    (void)l, (void)t;
    return NULL;
}
static void drain(struct lane *l, const struct tw_trip *t)
{
    (void)l, (void)t;
}
#endif

/* ---- the two ways ------------------------------------------------------------------------------------------------------------ */

static const char *carry_in(struct lane *l, struct walk *w)
{
    const char *why = NULL;
    int busy[SLOTS] = {0};
    struct box b;

    for (int k = 0; !why && next_box(w, &b); k = (k + 1) % SLOTS) {
        if (busy[k]) why = finish(l, w->trip, k);
        if (why) break;
        copy_box(w->trip, &b, l->slot[k], 1);
        why = start(l, w->trip, &b, k, 1);
        busy[k] = 1;
    }
    for (int k = 0; !why && k < SLOTS; k++)
        if (busy[k]) why = finish(l, w->trip, k);
    return why;
}

static const char *carry_out(struct lane *l, struct walk *w)
{
    const char *why = NULL;
    struct box b[SLOTS];
    int busy[SLOTS] = {0};

    for (int k = 0; k < SLOTS && !why; k++)
        if ((busy[k] = next_box(w, &b[k]))) why = start(l, w->trip, &b[k], k, 0);
    for (int k = 0; !why && busy[k]; k = (k + 1) % SLOTS) {
        if ((why = finish(l, w->trip, k))) break;
        copy_box(w->trip, &b[k], l->slot[k], 0);
        if ((busy[k] = next_box(w, &b[k]))) why = start(l, w->trip, &b[k], k, 0);
    }
    return why;
}

static const char *carry(const struct tw_trip *t, const char *(*way)(struct lane *, struct walk *))
{
    struct walk w = {t, slot_bytes / t->elemsize, t->first, 0};
    struct lane *l = &lanes[starpu_worker_get_id_check()];
    const char *why = begin(l, t);

    if (!why) why = way(l, &w);
    if (why) drain(l, t);
    return why;
}

const char *tw_trip_in(const struct tw_trip *t)
{
    return carry(t, carry_in);
}
const char *tw_trip_out(const struct tw_trip *t)
{
    return carry(t, carry_out);
}
