/* Making the GPUs ready: every kernel is loaded before the first task needs it. */
#include <starpu.h>

#include "runtime/machine/warm.h"
#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

static const struct tw_warm_list *list;
static atomic_int warm[TW_NTYPES];

void tw_warm_register(const struct tw_warm_list *l)
{
    list = l;
}
void tw_warm_forget(void)
{
    for (int t = 0; t < TW_NTYPES; t++)
        atomic_store(&warm[t], 0);
}

struct job {
    enum tw_type type;
    _Atomic int status;                      /* of a kernel */
    _Atomic int cold;                        /* a GPU has no memory free, or failed */
    unsigned char first[STARPU_NMAXWORKERS]; /* of its GPU: it loads what all streams of the GPU share */
};

static void run(void *arg)
{
    struct job *job = arg;
    struct tw_cuda cuda = tw_cuda_local();
    int full = job->first[starpu_worker_get_id_check()], e;
    void *memory = NULL;

    if (tw_device_alloc(&memory, list->bytes(job->type, full))) {
        tw_device_forget_error();
        atomic_store(&job->cold, 1);
        return;
    }
    e = list->run(&cuda, job->type, full, memory);
    if (!e && tw_cuda_urgent_begin(&cuda) == 0) { /* the second stream has handles of its own */
        e = list->run(&cuda, job->type, 0, memory);
        if (tw_cuda_urgent_end(&cuda) != 0) atomic_store(&job->cold, 1);
    }
    if (e) atomic_store(&job->status, e);
    if (tw_stream_wait(cuda.stream)) atomic_store(&job->cold, 1);
    tw_device_free(memory);
}

/* The GPUs side by side; the streams of one GPU in turn, since loading is a matter of the GPU and not of the stream. */
static void warm_all(enum tw_type type)
{
    struct job job = {.type = type};
    unsigned workers[STARPU_NMAXWORKERS], n = 0;
    char seen[STARPU_MAXNODES] = {0};
    double begin = tw_now();

    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        if (starpu_worker_get_type((int)w) != STARPU_CUDA_WORKER) continue;
        unsigned node = starpu_worker_get_memory_node(w);
        job.first[w] = !seen[node];
        seen[node] = 1;
        workers[n++] = w;
    }
    starpu_execute_on_specific_workers(run, &job, n, workers, "tw_warm");
    if (atomic_load(&job.status))
        tw_log(TW_LOG_WARNING, "warming up the GPUs for type %c: %s", tw_letter(type),
               tw_cuda_text(atomic_load(&job.status)));
    else if (atomic_load(&job.cold))
        tw_log(TW_LOG_INFO, "a GPU was not warmed up for type %c: it has no memory free, or failed", tw_letter(type));
    tw_log(TW_LOG_INFO, "GPU kernels of type %c loaded in %.3f s", tw_letter(type), tw_now() - begin);
}

void tw_warm(enum tw_type type)
{
    if (tw_rt.ncuda == 0 || !list || atomic_exchange(&warm[type], 1)) return;
    tw_enter();
    warm_all(type);
    tw_leave();
}
