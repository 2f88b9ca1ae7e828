/* The GPUs in use, by number, and running something on their workers outside of tasks. */
#include <starpu.h>

#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

static const char *(*status_text)(int);

void tw_cuda_register_status_text(const char *(*text)(int))
{
    status_text = text;
}
const char *tw_cuda_text(int status)
{
    return status_text ? status_text(status) : "a GPU call failed";
}

int tw_worker_count(int *ncuda)
{
    if (ncuda) *ncuda = tw_rt.ncuda;
    return tw_rt.ncpu + tw_rt.ncuda;
}

struct each {
    int (*fn)(const struct tw_cuda *cuda, void *arg);
    void *arg;
    int status;
    starpu_pthread_mutex_t lock;
};

static void on_worker(void *arg)
{
    struct each *e = arg;
    struct tw_cuda cuda = {.stream = tw_stream_local()};

    starpu_pthread_mutex_lock(&e->lock);
    if (!e->status) e->status = e->fn(&cuda, e->arg);
    starpu_pthread_mutex_unlock(&e->lock);
}

/* n workers, or all that drive GPUs (NULL). */
static int on_workers(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg, unsigned n, unsigned *workers)
{
    struct each e = {.fn = fn, .arg = arg};

    starpu_pthread_mutex_init(&e.lock, NULL);
    if (workers)
        starpu_execute_on_specific_workers(on_worker, &e, n, workers, "tw_each_gpu");
    else
        starpu_execute_on_each_worker(on_worker, &e, STARPU_CUDA);
    starpu_pthread_mutex_destroy(&e.lock);
    return e.status;
}

int tw_cuda_on_each_worker(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg)
{
    return tw_rt.ncuda > 0 ? on_workers(fn, arg, 0, NULL) : 0;
}

int tw_cuda_on_each_gpu(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg)
{
    unsigned workers[STARPU_NMAXWORKERS], n = (unsigned)tw_gpus();

    for (unsigned g = 0; g < n; g++)
        workers[g] = (unsigned)tw_gpu_worker((int)g);
    return n > 0 ? on_workers(fn, arg, n, workers) : 0;
}

int tw_cuda_on_gpu(int g, int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg)
{
    const int worker = tw_gpu_worker(g);
    unsigned one = (unsigned)worker;

    return worker < 0 ? TW_E_NO_WORKER : on_workers(fn, arg, 1, &one);
}

/* ---- GPUs by number: in the order of StarPU's workers ---- */

int tw_gpus(void)
{
    return tw_rt.ncuda > 0 ? tw_rt.ndevices : 0;
}

int tw_gpu_worker(int g)
{
    int seen = -1, device = -1;

    for (unsigned w = 0; tw_rt.ncuda > 0 && w < starpu_worker_get_count(); w++) {
        if (starpu_worker_get_type((int)w) != STARPU_CUDA_WORKER || starpu_worker_get_devid((int)w) == device) continue;
        device = starpu_worker_get_devid((int)w); /* a GPU's streams are neighbours */
        if (++seen == g) return (int)w;
    }
    return -1;
}

int tw_gpu_last_worker(int g)
{
    const int first = tw_gpu_worker(g);
    unsigned last;

    if (first < 0) return -1;
    for (last = (unsigned)first; last + 1 < starpu_worker_get_count(); last++)
        if (starpu_worker_get_type((int)last + 1) != STARPU_CUDA_WORKER ||
            starpu_worker_get_devid((int)last + 1) != starpu_worker_get_devid(first))
            break;
    return (int)last;
}

int tw_gpu_streams(int worker)
{
    int n = 0;

    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        n += starpu_worker_get_type((int)w) == STARPU_CUDA_WORKER &&
             starpu_worker_get_devid((int)w) == starpu_worker_get_devid(worker);
    return n;
}

int tw_gpu_device(int g)
{
    int w = tw_gpu_worker(g);
    return w < 0 ? -1 : starpu_worker_get_devid(w);
}

int tw_gpu_of_device(int device)
{
    for (int g = 0; g < tw_gpus(); g++)
        if (tw_gpu_device(g) == device) return g;
    return -1;
}

size_t tw_gpu_shared(void)
{
    size_t least = 0;

    for (int g = 0; g < tw_gpus(); g++) {
        const size_t bytes = tw_device_shared(tw_gpu_device(g));
        if (g == 0 || bytes < least) least = bytes;
    }
    return least;
}

size_t tw_gpu_memory(void)
{
    size_t least = 0;

    for (int g = 0; g < tw_gpus(); g++) {
        starpu_ssize_t total = starpu_memory_get_total(starpu_worker_get_memory_node((unsigned)tw_gpu_worker(g)));
        if (total > 0 && (least == 0 || (size_t)total < least)) least = (size_t)total;
    }
    return least;
}

double tw_link_speed(void)
{
    return 1e9 * tw_profile_link(TW_LINK_BOTH_WAYS) / 2;
}
double tw_link_alone(int from_gpu)
{
    return 1e9 * tw_profile_link(from_gpu ? TW_LINK_FROM_GPU : TW_LINK_TO_GPU);
}
double tw_host_copy_speed(void)
{
    return 1e9 * tw_profile_link(TW_LINK_HOST);
}
