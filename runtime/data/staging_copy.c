/* How a staged tile travels: a CPU worker cuts it into boxes that fit a slot of pinned memory. With two slots it packs
 * one box while the GPU's copy engine takes the other one away (in), or unpacks one while the next arrives (out).
 *
 * Only the stored part is read from the user's array or written to it. A box holds the rectangle around that part, so
 * its other corner carries whatever the slot held before: nothing ever looks at it. */
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/staging.h"

enum { SLOTS = 2, DEVICES = STARPU_MAXCUDADEVS > 0 ? STARPU_MAXCUDADEVS : 1 };

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

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

/* ---- lanes: the slots and streams of one CPU worker -------------------------------------------------------------- */

struct lane {
    char *slot[SLOTS];
    struct {
        int open;
        void *stream, *done[SLOTS];
    } gpu[DEVICES];
};
static struct lane lanes[STARPU_NMAXWORKERS];
static char *slab; /* all slots */
static size_t slab_bytes, slot_bytes;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

static int open_gpu(struct lane *l, int device)
{
    if (device < 0 || device >= DEVICES || tw_device_set(device) || tw_stream_create(&l->gpu[device].stream)) return 1;
    for (int k = 0; k < SLOTS; k++)
        if (tw_event_create(&l->gpu[device].done[k], 0)) {
            while (k-- > 0)
                tw_event_destroy(l->gpu[device].done[k]);
            tw_stream_destroy(l->gpu[device].stream);
            return 1;
        }
    l->gpu[device].open = 1;
    return 0;
}

static void close_gpus(struct lane *l)
{
    for (int device = 0; device < DEVICES; device++) {
        if (!l->gpu[device].open) continue;
        (void)tw_device_set(device); /* nothing is under way: what fails here has no one to tell */
        for (int k = 0; k < SLOTS; k++)
            tw_event_destroy(l->gpu[device].done[k]);
        tw_stream_destroy(l->gpu[device].stream);
        l->gpu[device].open = 0;
    }
}

/* Streams for every pair of CPU worker and GPU. This thread's current device stays what it was. */
static int open_gpus(struct lane *l)
{
    int before, e = 0;

    if (tw_rt.ncuda == 0) return 0;
    if (tw_device_get(&before)) return 1;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count() && !e; node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) e = open_gpu(l, starpu_memory_node_get_devid(node));
    (void)tw_device_set(before);
    return e;
}

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
        slot_bytes = tw_rt.config.staging_slot;
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

/* ---- between slot and tile --------------------------------------------------------------------------------------- */

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

static const char *text(int e)
{
    return e ? tw_device_text(e) : NULL;
}

static const char *start(struct lane *l, const struct tw_trip *t, const struct box *b, int k, int to_tile)
{
    size_t bytes = (size_t)b->rows * t->elemsize, pitch = t->ld * t->elemsize;
    void *stream;
    int e;

    if (t->device < 0) {
        move_in_memory(t, b, l->slot[k], to_tile);
        return NULL;
    }
    stream = l->gpu[t->device].stream;
    if (to_tile)
        e = tw_device_enqueue_lines(in_tile(t, b), pitch, l->slot[k], bytes, bytes, (size_t)b->cols, TW_WAY_IN, stream);
    else
        e = tw_device_enqueue_lines(l->slot[k], bytes, in_tile(t, b), pitch, bytes, (size_t)b->cols, TW_WAY_OUT,
                                    stream);
    return text(e ? e : tw_event_record(l->gpu[t->device].done[k], stream));
}
static const char *finish(struct lane *l, const struct tw_trip *t, int k)
{
    return t->device < 0 ? NULL : text(tw_event_wait(l->gpu[t->device].done[k]));
}
/* A worker's current device is its own business: StarPU sets it before each of its own calls. */
static const char *begin(struct lane *l, const struct tw_trip *t)
{
    if (t->device < 0) return NULL;
    if (!l->gpu[t->device].open) return "no stream to this GPU";
    return text(tw_device_set(t->device));
}
/* After a failure nothing may still be using the slots. */
static void drain(struct lane *l, const struct tw_trip *t)
{
    if (t->device >= 0 && l->gpu[t->device].open) (void)tw_stream_wait(l->gpu[t->device].stream);
}

/* ---- the two ways ------------------------------------------------------------------------------------------------ */

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
