/* Tiles travel ahead of the tasks: to the GPUs in the order in which an algorithm can use them, and home as soon as
 * they are final. */
#include <limits.h>
#include <stdlib.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/staging.h"

/* ---- to a GPU ---------------------------------------------------------------------------------------------------- */

/* The GPUs' memory nodes; how many. */
static int gpu_nodes(unsigned nodes[STARPU_MAXNODES])
{
    int n = 0;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) nodes[n++] = node;
    return n;
}

/* The tile's GPU: block cyclic over a grid of GPUs as square as their number allows, so that a task finds most of its
 * tiles together. */
static int gpu_of(int i, int j, int ngpu)
{
    int rows = 1;
    for (int r = 2; r * r <= ngpu; r++)
        if (ngpu % r == 0) rows = r;
    return i % rows * (ngpu / rows) + j % (ngpu / rows);
}

/* Does any GPU have it, or will soon? */
static int on_its_way(const struct tw_data *d, const unsigned *nodes, int ngpu)
{
    int allocated, valid, requested;

    if (!tw_data_used(d)) return 0;
    for (int g = 0; g < ngpu; g++) {
        starpu_data_query_status(tw_data_used(d), (int)nodes[g], &allocated, &valid, &requested);
        if (valid || requested) return 1;
    }
    return 0;
}

int tw_travels(void)
{
    return tw_rt.ndevices > 0 ? tw_rt.ndevices : tw_rt.config.gpu_tiles > 0;
}

static double bytes_of_tile(const struct tw_matrix *A)
{
    return (double)A->mb * (double)A->nb * (double)tw_sizeof(A->type);
}
static double bytes_of_all(const struct tw_matrix *A)
{
    return bytes_of_tile(A) * (double)A->mt * A->nt * (A->uplo == TW_GENERAL ? 1 : 0.5);
}

/* How many tiles as A's the GPUs hold; LONG_MAX if so many, with room to spare. */
static long room_for(const struct tw_matrix *A, double tiles)
{
    unsigned nodes[STARPU_MAXNODES];
    const int ngpu = gpu_nodes(nodes);
    double bytes = 0;

    if (tw_rt.config.gpu_tiles > 0) return tw_rt.config.gpu_tiles < tiles ? tw_rt.config.gpu_tiles : LONG_MAX;
    for (int g = 0; g < ngpu; g++) {
        const starpu_ssize_t total = starpu_memory_get_total(nodes[g]);
        if (total < 0) return LONG_MAX; /* no limit known */
        bytes += (double)total;
    }
    return ngpu == 0 || 0.7 * bytes >= bytes_of_tile(A) * tiles ? LONG_MAX : (long)(bytes / bytes_of_tile(A));
}

long tw_gpu_tiles(const struct tw_matrix *A)
{
    if (tw_rt.config.gpu_tiles > 0) return room_for(A, (double)A->mt * A->nt);
    return room_for(A, bytes_of_all(A) / bytes_of_tile(A));
}

void tw_done_with(struct tw_sequence *seq, struct tw_data *d)
{
    if (tw_rt.ncuda > 0 && d->home <= 0 && !d->staging && tw_data_used(d) && !tw_sequence_stopped(seq))
        starpu_data_wont_use(tw_data_used(d));
}

int tw_fetch_helps(struct tw_sequence *seq, const struct tw_matrix *const *M, int count)
{
    double tiles = 0; /* of the first one's size */

    if (tw_rt.ndevices == 0 || tw_sequence_stopped(seq) || tw_sequence_outstanding(seq) > 0) return 0;
    for (int k = 0; k < count; k++) {
        if (!M[k]) continue;
        if (M[k]->storage == TW_STORAGE_DEVICE) return 0;
        tiles += bytes_of_all(M[k]) / bytes_of_tile(M[0]);
    }
    return room_for(M[0], tiles) == LONG_MAX; /* else what comes early would push out what is needed now */
}

/* 0, or -1 where no more should be asked for. */
static int fetch_tile(struct tw_sequence *seq, struct tw_data *d, int turn, const unsigned *nodes, int ngpu)
{
    const int above_tasks = 1 << 22; /* what the scheduler fetches for single tasks has priorities up to 2^20 */

    if (on_its_way(d, nodes, ngpu)) return 0;
    if (d->staging) return tw_staging_bring_in(seq, d, 1) ? -1 : 0; /* the task that needs it reports the error */
    if (!tw_data_handle(d)) return -1;
    const unsigned node = nodes[gpu_of((int)tw_max(d->coord[0], 0), (int)tw_max(d->coord[1], 0), ngpu)];
    return starpu_data_prefetch_on_node_prio(tw_data_used(d), node, 1, above_tasks - (int)tw_min(turn, above_tasks / 2))
               ? -1
               : 0;
}

void tw_fetch_tile(struct tw_sequence *seq, struct tw_data *d, int turn)
{
    unsigned nodes[STARPU_MAXNODES];
    const int ngpu = gpu_nodes(nodes);

    if (ngpu > 0) (void)fetch_tile(seq, d, turn, nodes, ngpu);
}

void tw_fetch_ahead(struct tw_sequence *seq, struct tw_matrix *A, int from, int to)
{
    unsigned nodes[STARPU_MAXNODES];
    const int ngpu = gpu_nodes(nodes);

    for (int k = from; k < to; k++) /* row k and column k complete the leading submatrix of order k + 1 */
        for (int l = 0; l <= k; l++)
            for (int side = 0; side < (l < k ? 2 : 1); side++) {
                const int i = side ? l : k, j = side ? k : l;
                struct tw_data *d = i < A->mt && j < A->nt ? tw_tile(A, i, j) : NULL;
                if (d && fetch_tile(seq, d, k, nodes, ngpu)) return;
            }
}

/* ---- and back ---------------------------------------------------------------------------------------------------- */

struct homing {
    struct tw_sequence *seq;
    starpu_data_handle_t handle;
    int node;
};
static void arrived(void *arg)
{
    struct homing *h = arg;
    struct tw_sequence *seq = h->seq;
    starpu_data_release_on_node(h->handle, h->node);
    free(h);
    tw_sequence_end_task(seq);
}

/* 0, or -1: without memory it stays where it is, until it is asked for. */
static int bring(struct tw_sequence *seq, struct tw_data *d, int node)
{
    struct homing *h = malloc(sizeof *h);

    if (!h) return -1;
    *h = (struct homing){seq, tw_data_handle(d), node};
    tw_sequence_begin_callback(seq);
    if (!h->handle || starpu_data_acquire_on_node_cb(h->handle, node, STARPU_R, arrived, h) != 0) {
        free(h);
        tw_sequence_end_task(seq);
        return -1;
    }
    return 0;
}

int tw_bring_home(struct tw_sequence *seq, struct tw_data *d)
{
    if (seq->pending && seq->hooks->home(seq, d)) return 0;
    return tw_bring_home_now(seq, d);
}

int tw_bring_home_now(struct tw_sequence *seq, struct tw_data *d)
{
    if (d->staging && !tw_sequence_stopped(seq)) tw_staging_home(seq, d);
    if (d->home != STARPU_MAIN_RAM || tw_rt.ncuda == 0 || tw_sequence_stopped(seq)) return 0;
    return bring(seq, d, STARPU_MAIN_RAM);
}

void tw_bring_to(struct tw_sequence *seq, struct tw_data *d, int g)
{
    int worker = tw_gpu_worker(g);
    if (worker >= 0 && !tw_sequence_stopped(seq))
        (void)bring(seq, d, (int)starpu_worker_get_memory_node((unsigned)worker));
}
