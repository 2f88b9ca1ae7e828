/* What the library keeps for the next call, given back when there may be none for long: pinned memory, workspaces, and
 * what StarPU keeps of the GPUs' memory. */
#include <errno.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"

/* ---- StarPU's allocation cache --------------------------------------------------------------------------------------
 * StarPU 1.4 has no function that empties it, but empties it before it asks again for a buffer that could not be had
 * (starpu_data_interface_ops.allocate_data_on_node: -ENOMEM). So: data of no bytes, of an interface of our own, whose
 * first buffer cannot be had. No bytes, so that there is nothing for which data in use would be thrown out; dontcache,
 * since there is nothing to keep. */

struct nothing {
    int asked; /* how often a buffer was wanted on this node */
};

static void register_nothing(starpu_data_handle_t handle, int home, void *interface)
{
    (void)home;
    for (unsigned node = 0; node < STARPU_MAXNODES; node++)
        *(struct nothing *)starpu_data_get_interface_on_node(handle, node) = *(struct nothing *)interface;
}
static starpu_ssize_t allocate_nothing(void *interface, unsigned node)
{
    struct nothing *n = interface;
    (void)node;
    return n->asked++ == 0 ? -ENOMEM : 0;
}
static void free_nothing(void *interface, unsigned node)
{
    (void)interface, (void)node;
}
static size_t no_bytes(starpu_data_handle_t handle)
{
    (void)handle;
    return 0;
}
static uint32_t one_footprint(starpu_data_handle_t handle)
{
    (void)handle;
    return 0x7477;
}
static int differ(void *a, void *b)
{
    (void)a, (void)b;
    return 0; /* nobody's buffer will do */
}
static int carry_nothing(void *from, unsigned from_node, void *to, unsigned to_node, void *async)
{
    (void)from, (void)from_node, (void)to, (void)to_node, (void)async;
    return 0;
}
static const struct starpu_data_copy_methods no_copies = {.any_to_any = carry_nothing};
static struct starpu_data_interface_ops ops = {.register_data_handle = register_nothing,
                                               .allocate_data_on_node = allocate_nothing,
                                               .free_data_on_node = free_nothing,
                                               .copy_methods = &no_copies,
                                               .get_size = no_bytes,
                                               .footprint = one_footprint,
                                               .compare = differ,
                                               .interfaceid = STARPU_UNKNOWN_INTERFACE_ID,
                                               .interface_size = sizeof(struct nothing),
                                               .dontcache = 1,
                                               .name = "tw_nothing"};

static void empty_cache(unsigned node)
{
    struct nothing n = {0};
    starpu_data_handle_t h;

    if (ops.interfaceid == STARPU_UNKNOWN_INTERFACE_ID)
        ops.interfaceid = (enum starpu_data_interface_id)starpu_data_interface_get_next_id();
    starpu_data_register(&h, -1, &n, &ops);
    if (starpu_data_acquire_on_node(h, (int)node, STARPU_W) == 0) starpu_data_release_on_node(h, (int)node);
    starpu_data_unregister_no_coherency(h);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static double used_by_gpus(void)
{
    double bytes = 0;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) bytes += (double)starpu_memory_get_used(node);
    return bytes;
}

void tw_data_give_back(struct tw_given_back *given)
{
    double before;

    tw_enter(); /* the GPUs' workers are who frees */
    before = used_by_gpus();
    given->workspaces = tw_data_trim();
    given->pinned = tw_pool_clear();
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM || node == STARPU_MAIN_RAM) empty_cache(node);
    given->of_gpus = before - used_by_gpus();
    tw_leave();
}
