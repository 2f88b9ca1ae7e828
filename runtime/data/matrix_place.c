/* Where a matrix' data is: all of it brought to a GPU, or to main memory. */
#include <stdlib.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/grid.h"
#include "runtime/data/staging.h"

struct latch {
    starpu_pthread_mutex_t lock;
    starpu_pthread_cond_t done;
    size_t left;
    int detached;
};
struct fetched {
    struct latch *latch;
    starpu_data_handle_t handle;
    int node;
};

static void latch_free(struct latch *l)
{
    starpu_pthread_cond_destroy(&l->done);
    starpu_pthread_mutex_destroy(&l->lock);
    free(l);
}

static void latch_down(struct latch *l)
{
    starpu_pthread_mutex_lock(&l->lock);
    int last = --l->left == 0, detached = l->detached;
    if (last) starpu_pthread_cond_broadcast(&l->done);
    starpu_pthread_mutex_unlock(&l->lock);
    if (last && detached) {
        latch_free(l);
        tw_leave();
    }
}

static void tile_arrived(void *arg)
{
    struct fetched *f = arg;
    struct latch *l = f->latch;
    starpu_data_release_on_node(f->handle, f->node);
    free(f);
    latch_down(l);
}

/* Ask for all tiles on a node at once. */
static int fetch_all(struct tw_matrix *A, int node, struct latch *l, int *error)
{
    size_t count = tw_count_tiles(A);

    *error = 0;
    l->left = count + 1;
    for (size_t k = 0; k < count; k++) {
        struct tw_data *d = &A->objects[k];
        struct fetched *f;
        int e;
        if (!tw_data_used(d) && d->home == node) { /* no task has used it */
            latch_down(l);
            continue;
        }
        f = malloc(sizeof *f);
        e = f ? 0 : TW_E_MEMORY;
        if (f) {
            *f = (struct fetched){l, tw_data_handle(d), node};
            e = f->handle ? starpu_data_acquire_on_node_cb(f->handle, node, STARPU_R, tile_arrived, f) : TW_E_MEMORY;
            if (e) free(f);
        }
        if (e) {
            *error = tw_fail(f ? TW_E_STARPU : TW_E_MEMORY, "a tile could not be fetched");
            latch_down(l);
        }
    }
    return *error;
}

static struct latch *latch_new(int detached)
{
    struct latch *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    starpu_pthread_mutex_init(&l->lock, NULL);
    starpu_pthread_cond_init(&l->done, NULL);
    l->detached = detached;
    return l;
}

int tw_release_to_host(tw_matrix *A)
{
    struct latch *l;
    int e;

    if (!A) return tw_illegal("tw_release_to_host", 1, "NULL");
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (A->gone) return tw_matrix_gone("tw_release_to_host");
    tw_living_wait(&A->life);
    if (A->staging) {
        tw_enter();
        e = tw_staging_settle(A->staging, A->objects, tw_count_tiles(A));
        tw_leave();
        return e;
    }
    if (!(l = latch_new(0))) return tw_fail(TW_E_MEMORY, "no memory to wait for tiles");
    tw_enter();
    (void)fetch_all(A, STARPU_MAIN_RAM, l, &e);
    starpu_pthread_mutex_lock(&l->lock);
    l->left--;
    while (l->left > 0)
        starpu_pthread_cond_wait(&l->done, &l->lock);
    starpu_pthread_mutex_unlock(&l->lock);
    tw_leave();
    latch_free(l);
    return e;
}

/* Home is all there is to do; to a GPU, the tiles have to be loaded before they can be asked for. */
static int prefetch_staged(struct tw_matrix *A, int gpu)
{
    int e = 0;

    tw_enter();
    if (gpu < 0)
        tw_staging_send_home(A->objects, tw_count_tiles(A));
    else
        e = tw_staging_bring_in(NULL, A->objects, tw_count_tiles(A));
    tw_leave();
    return e;
}

int tw_prefetch(tw_matrix *A, int gpu)
{
    struct latch *l;
    int e, node = gpu < 0 ? STARPU_MAIN_RAM : -1, seen = 0;

    if (!A) return tw_illegal("tw_prefetch", 1, "NULL");
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (A->gone) return tw_matrix_gone("tw_prefetch");
    for (unsigned n = 0; node < 0 && n < starpu_memory_nodes_get_count(); n++)
        if (starpu_node_get_kind(n) == STARPU_CUDA_RAM && seen++ == gpu) node = (int)n;
    if (node < 0 || gpu < -1) return tw_illegal("tw_prefetch", 2, "no such GPU in use");
    tw_living_wait(&A->life);
    if (A->staging && (e = prefetch_staged(A, gpu))) return e;
    if (A->staging && gpu < 0) return 0;
    if (!(l = latch_new(1))) return tw_fail(TW_E_MEMORY, "no memory to prefetch");
    tw_enter(); /* left by whoever brings the last tile */
    (void)fetch_all(A, node, l, &e);
    latch_down(l);
    return e;
}
