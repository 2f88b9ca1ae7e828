/* Memory of a GPU, or main memory, that stays where it is: for algorithms whose tasks write into other GPUs' memory
 * themselves. */
#include <stdlib.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static struct tw_data *all; /* that are held */
static size_t held[STARPU_MAXNODES];
/* Of a GPU's memory: StarPU waits for ever for what it cannot push out, so that tasks must be left some. */
#define MOST 0.9

static size_t bytes_of(const struct tw_data *d)
{
    return (size_t)d->m * (size_t)d->n * d->elemsize;
}

static int reserve(int node, size_t bytes)
{
    const starpu_ssize_t total = node == STARPU_MAIN_RAM ? -1 : starpu_memory_get_total((unsigned)node);
    int fits;

    starpu_pthread_mutex_lock(&lock);
    fits = total < 0 || (double)held[node] + (double)bytes <= MOST * (double)total;
    if (fits) __atomic_store_n(&held[node], held[node] + bytes, __ATOMIC_RELAXED);
    starpu_pthread_mutex_unlock(&lock);
    return fits;
}

double tw_held_on(unsigned node)
{
    return (double)__atomic_load_n(&held[node], __ATOMIC_RELAXED);
}

static void remember(struct tw_data *d, int node)
{
    d->node = node;
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
            __atomic_store_n(&held[d->node], held[d->node] - bytes_of(d), __ATOMIC_RELAXED);
            break;
        }
    starpu_pthread_mutex_unlock(&lock);
}

static void give_up(struct tw_data *d)
{
    starpu_data_release_on_node(tw_data_used(d), d->node);
    tw_data_free_later(d);
}

int tw_hold(struct tw_held *h, enum tw_type type, tw_int m, tw_int n, int g)
{
    const int worker = g < 0 ? -1 : tw_gpu_worker(g);

    *h = (struct tw_held){.node = STARPU_MAIN_RAM};
    if (g >= 0 && worker < 0) return tw_fail(TW_E_NO_WORKER, "there is no GPU number %d", g);
    if (g >= 0) h->node = (int)starpu_worker_get_memory_node((unsigned)worker);
    if (m > INT32_MAX || n > INT32_MAX || !(h->data = tw_data_tile(type, (int)m, (int)n)) || !tw_data_handle(h->data)) {
        tw_data_free_later(h->data);
        *h = (struct tw_held){0};
        return tw_fail(TW_E_MEMORY, "no memory for a data object");
    }
    if (!reserve(h->node, bytes_of(h->data))) {
        tw_data_free_later(h->data);
        *h = (struct tw_held){0};
        return tw_fail(TW_E_MEMORY, "%lld x %lld elements do not fit the memory they are meant for", (long long)m,
                       (long long)n);
    }
    (void)starpu_data_acquire_on_node(tw_data_used(h->data), h->node, STARPU_W); /* waits, and does not fail */
    remember(h->data, h->node);
    h->ptr = (void *)starpu_data_handle_to_pointer(tw_data_used(h->data), (unsigned)h->node);
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
        forget(d);
        give_up(d);
    }
}

int tw_gpu_peers(void)
{
    const char *direct =
        getenv("STARPU_ENABLE_CUDA_GPU_GPU_DIRECT"); /* StarPU enables the access, unless told not to */
    int can = !direct || atoi(direct) != 0;

    for (int g = 0; can && g < tw_gpus(); g++)
        for (int h = 0; can && h < tw_gpus(); h++)
            if (g != h) can = tw_device_reaches(tw_gpu_device(g), tw_gpu_device(h));
    return can;
}
