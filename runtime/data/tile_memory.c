/* Memory of matrix tiles on GPUs. StarPU calls cudaMalloc for each tile above 4 MiB: 0.08 ms, and 0.33 where GPUs reach
 * each other's memory, one at a time over all of them, so that the first factorization of a size took up to ten times
 * as long as the next one on four GPUs. Here tiles are cut from pieces of up to 256 MiB.
 *
 * It is StarPU's matrix interface, identity and all, but for where memory comes from and goes to. Pieces are StarPU's
 * allocations: its count of what is used, and STARPU_LIMIT_CUDA_MEM, know whole pieces (as they do the 32 MiB from
 * which it cuts what is small itself), and where one cannot be had, a tile is asked for by itself and StarPU, told that
 * there is no memory, throws out what it can. A piece without tiles goes back at once: tiles are given back only where
 * somebody needs the memory, or at the end; until then StarPU keeps them for the next matrix. */
#include <errno.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "runtime/data/data.h"
#include "runtime/data/pieces.h"
#include "runtime/data/tile_memory.h"

static void *get(void *whose, size_t bytes);
static void give(void *whose, void *piece, size_t bytes);

static struct tw_pieces pieces[STARPU_MAXNODES] = {
    [0 ... STARPU_MAXNODES - 1] = TW_PIECES(get, give, NULL, 0) /* a node's number is its index */
};
static struct starpu_data_interface_ops own; /* StarPU's, changed; filled in once */

static void *get(void *whose, size_t bytes)
{
    return (void *)starpu_malloc_on_node((unsigned)((struct tw_pieces *)whose - pieces), bytes);
}
static void give(void *whose, void *piece, size_t bytes)
{
    starpu_free_on_node((unsigned)((struct tw_pieces *)whose - pieces), (uintptr_t)piece, bytes);
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

/* What StarPU cuts from pieces of its own, of 32 MiB, is left to it where memory is little: vectors and workspaces need
 * room there, too. */
enum { STARPU_CUTS = 4 << 20, LEAST = 512 << 10, PLENTY = 64 << 20 };

static int for_us(unsigned node, size_t bytes)
{
    if (tw_rt.config.piece_main) return 1;
    return bytes > (pieces[node].most < PLENTY ? STARPU_CUTS : LEAST);
}

/* In main memory a tile has the room that kernels of OpenBLAS may read behind it. */
static size_t host_bytes(size_t bytes)
{
    return bytes + tw_room_behind(bytes);
}

static starpu_ssize_t allocate(void *interface, unsigned node)
{
    struct starpu_matrix_interface *tile = interface;
    void *at = for_us(node, tile->allocsize) ? tw_pieces_take(&pieces[node], tile->allocsize) : NULL;

    if (!at && starpu_node_get_kind(node) != STARPU_CPU_RAM)
        return starpu_interface_matrix_ops.allocate_data_on_node(interface, node);
    if (!at) at = (void *)starpu_malloc_on_node(node, host_bytes(tile->allocsize));
    if (!at) return -ENOMEM;
    tile->ptr = tile->dev_handle = (uintptr_t)at;
    tile->offset = 0;
    tile->ld = tile->nx;
    return (starpu_ssize_t)tile->allocsize;
}

static void give_back(void *interface, unsigned node)
{
    struct starpu_matrix_interface *tile = interface;

    switch (tw_pieces_return(&pieces[node], (void *)tile->dev_handle)) {
    case 1: tile->ptr = tile->dev_handle = 0; break;
    case 0:
        if (starpu_node_get_kind(node) != STARPU_CPU_RAM) {
            starpu_interface_matrix_ops.free_data_on_node(interface, node);
            break;
        }
        starpu_free_on_node(node, tile->dev_handle, host_bytes(tile->allocsize));
        tile->ptr = tile->dev_handle = 0;
        break;
    default: tw_log(TW_LOG_ERROR, "a tile was given back that is none, on memory node %u: its memory is lost", node);
    }
}

/* StarPU takes a buffer of one handle for another one if these two numbers are equal, and the sizes, too. A tile's
 * buffer must not become one of a handle that StarPU frees by itself: for equal sizes the numbers differ. */
static uint32_t kinship(starpu_data_handle_t handle)
{
    return ~starpu_interface_matrix_ops.alloc_footprint(handle);
}

/* ---- registering ------------------------------------------------------------------------------------------------- */

void tw_tile_memory_choose(void)
{
    own = starpu_interface_matrix_ops;
    own.allocate_data_on_node = allocate;
    own.free_data_on_node = give_back;
    own.alloc_footprint = kinship;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++) {
        const enum starpu_node_kind kind = starpu_node_get_kind(node);
        const starpu_ssize_t total = starpu_memory_get_total(node);
        size_t most = tw_rt.config.piece;

        /* So that what lies idle in pieces is little, and pieces become empty while some of their tiles are in use
         * elsewhere. */
        if (total > 0 && !tw_rt.config.piece_main && (size_t)total / 64 < most) most = (size_t)total / 64 >> 20 << 20;
        if (kind != STARPU_CUDA_RAM && !(kind == STARPU_CPU_RAM && tw_rt.config.piece_main)) most = 0;
        pieces[node].source.whose = &pieces[node];
        tw_pieces_choose(&pieces[node], most);
    }
}

void tw_tile_register(starpu_data_handle_t *handle, int home, uintptr_t at, uint32_t ld, uint32_t m, uint32_t n,
                      size_t elemsize, size_t bytes)
{
    struct starpu_matrix_interface tile = {.id = STARPU_MATRIX_INTERFACE_ID,
                                           .ptr = at,
                                           .dev_handle = at,
                                           .nx = m,
                                           .ny = n,
                                           .ld = ld,
                                           .elemsize = elemsize,
                                           .allocsize = bytes};

    /* In a program's own StarPU everything is StarPU's: it may go on when this library is gone. */
    if (tw_rt.owns_starpu && tw_rt.config.piece > 0)
        starpu_data_register(handle, home, &tile, &own);
    else
        starpu_matrix_data_register_allocsize(handle, home, at, ld, m, n, elemsize, bytes);
}

void tw_tile_memory(unsigned node, struct tw_tile_memory *m)
{
    struct tw_pieces *p = &pieces[node];

    starpu_pthread_mutex_lock(&p->lock);
    *m = (struct tw_tile_memory){p->held, p->taken, p->count, p->blocks, p->got};
    starpu_pthread_mutex_unlock(&p->lock);
}
