/* Rectangles of host arrays as data objects, and facts, for the FFT family. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/internal.h"

struct tw_data *tw_data_rectangle(void *ptr, tw_int m, tw_int n, tw_int ld, size_t elemsize, int i, int j)
{
    struct tw_data *d;

    if (m > INT32_MAX || n > INT32_MAX || ld > INT32_MAX || !(d = calloc(1, sizeof *d))) return NULL;
    *d =
        (struct tw_data){.kind = TW_DATA_TILE, .m = (int)m, .n = (int)n, .elemsize = elemsize, .coord = {i, j, -1, -1}};
    starpu_matrix_data_register(&d->handle, STARPU_MAIN_RAM, (uintptr_t)ptr, (uint32_t)ld, (uint32_t)m, (uint32_t)n,
                                elemsize);
    if (!d->handle) {
        free(d);
        return NULL;
    }
    starpu_data_set_coordinates(d->handle, 2, i, j);
    return d;
}

void tw_data_forget(struct tw_data *d, int keep)
{
    if (!d) return;
    if (keep)
        starpu_data_unregister(d->handle);
    else
        starpu_data_unregister_no_coherency(d->handle);
    free(d);
}

int tw_worker_count(int *ncuda)
{
    if (ncuda) *ncuda = tw_rt.ncuda;
    return tw_rt.ncpu + tw_rt.ncuda;
}

#ifdef TILEWORK_CUDA
struct each {
    int (*fn)(const struct tw_cuda *cuda, void *arg);
    void *arg;
    int status;
    starpu_pthread_mutex_t lock;
};

static void on_worker(void *arg)
{
    struct each *e = arg;
    struct tw_cuda cuda = {.stream = starpu_cuda_get_local_stream()};

    starpu_pthread_mutex_lock(&e->lock);
    if (!e->status) e->status = e->fn(&cuda, e->arg);
    starpu_pthread_mutex_unlock(&e->lock);
}
#endif

int tw_cuda_on_each_worker(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg)
{
#ifdef TILEWORK_CUDA
    struct each e = {.fn = fn, .arg = arg};

    if (tw_rt.ncuda == 0) return 0;
    starpu_pthread_mutex_init(&e.lock, NULL);
    starpu_execute_on_each_worker(on_worker, &e, STARPU_CUDA);
    starpu_pthread_mutex_destroy(&e.lock);
    return e.status;
#else
    (void)fn, (void)arg;
    return 0;
#endif
}

int tw_cache_dir(char *path, size_t length)
{
    struct tw_config c = tw_rt.config;

    if (!c.cache_dir[0] && tw_config_cache_dir(&c)) return TW_E_OPTION;
    if (!c.cache_dir[0] || (size_t)snprintf(path, length, "%s", c.cache_dir) >= length) return TW_E_IO;
    return 0;
}
