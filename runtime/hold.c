/* Memory of a GPU, or main memory, that stays where it is: for algorithms whose tasks write into other GPUs' memory themselves. */
#include <stdlib.h>

#include "runtime/internal.h"
#ifdef TILEWORK_CUDA
#include <cuda_runtime.h>
#endif

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static struct tw_data *all; /* that are held */

static void remember(struct tw_data *d, int node)
{
    d->stage_node = node;
    starpu_pthread_mutex_lock(&lock);
    d->next = all;
    all = d;
    starpu_pthread_mutex_unlock(&lock);
}

static void forget(const struct tw_data *d)
{
    starpu_pthread_mutex_lock(&lock);
    for (struct tw_data **at = &all; *at; at = &(*at)->next)
        if (*at == d) {
            *at = d->next;
            break;
        }
    starpu_pthread_mutex_unlock(&lock);
}

static void give_up(struct tw_data *d)
{
    starpu_data_release_on_node(d->handle, d->stage_node);
    tw_data_free_later(d);
}

int tw_hold(struct tw_held *h, enum tw_type type, tw_int m, tw_int n, int g)
{
    const int worker = g < 0 ? -1 : tw_gpu_worker(g);

    *h = (struct tw_held){.node = STARPU_MAIN_RAM};
    if (g >= 0 && worker < 0) return tw_fail(TW_E_NO_WORKER, "there is no GPU number %d", g);
    if (g >= 0) h->node = (int)starpu_worker_get_memory_node((unsigned)worker);
    if (m > INT32_MAX || n > INT32_MAX || !(h->data = tw_data_tile(type, (int)m, (int)n)))
        return tw_fail(TW_E_MEMORY, "no memory for a data object");
    if (starpu_data_acquire_on_node(h->data->handle, h->node, STARPU_W) != 0) {
        tw_data_free_later(h->data);
        *h = (struct tw_held){0};
        return tw_fail(TW_E_MEMORY, "%lld x %lld elements do not fit the memory they are meant for", (long long)m,
                       (long long)n);
    }
    remember(h->data, h->node);
    h->ptr = (void *)starpu_data_handle_to_pointer(h->data->handle, (unsigned)h->node);
    return 0;
}

void tw_let_go(struct tw_held *h)
{
    if (!h->data) return;
    forget(h->data);
    give_up(h->data);
    *h = (struct tw_held){0};
}

/* At the end: their owners will not touch them any more. */
void tw_hold_clear(void)
{
    while (all) {
        struct tw_data *d = all;
        all = d->next;
        give_up(d);
    }
}

int tw_gpu_peers(void)
{
#ifdef TILEWORK_CUDA
    const char *direct =
        getenv("STARPU_ENABLE_CUDA_GPU_GPU_DIRECT"); /* StarPU enables the access, unless told not to */
    int can = !direct || atoi(direct) != 0;

    for (int g = 0; can && g < tw_gpus(); g++)
        for (int h = 0; can && h < tw_gpus(); h++)
            if (g != h && cudaDeviceCanAccessPeer(&can, tw_gpu_device(g), tw_gpu_device(h)) != cudaSuccess) can = 0;
    return can;
#else
    return 0;
#endif
}
