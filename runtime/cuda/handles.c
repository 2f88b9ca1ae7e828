/* Each CUDA worker's cuBLAS and cuSOLVER handles: a pair for its stream, a pair for a second stream of high priority
 * that tasks of the critical path use, and one for a stream of some of the GPU's multiprocessors (part.h) for what has
 * time.
 *
 * StarPU's own starpu_cusolver_init makes three kinds of handles (dense, sparse, refactorization) for every worker and
 * three more for the main thread, and starpu_cublas_init the old interface's as well; tasks need two per worker. GPUs
 * make theirs side by side, and no status is thrown away. */
#include <starpu.h>
#include <cublas_v2.h>
#include <cusolverDn.h>

#include "runtime/base/error.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/partition.h"
#include "runtime/machine/lane.h"

struct pair {
    cublasHandle_t blas;
    cusolverDnHandle_t solver;
    int blas_status, solver_status;
};
struct handles {
    struct pair own, urgent, yielding;
    cudaStream_t stream, part; /* the urgent one; the yielding one, NULL: there is none */
    cudaEvent_t before, after;
    int status;
    int yielded; /* the task before went by the latter */
};
static struct handles handles[STARPU_NMAXWORKERS];

static void create_pair(struct pair *p, cudaStream_t stream)
{
    p->blas_status = cublasCreate(&p->blas);
    if (p->blas_status == CUBLAS_STATUS_SUCCESS) p->blas_status = cublasSetStream(p->blas, stream);
    p->solver_status = cusolverDnCreate(&p->solver);
    if (p->solver_status == CUSOLVER_STATUS_SUCCESS) p->solver_status = cusolverDnSetStream(p->solver, stream);
}
static void destroy_pair(struct pair *p)
{
    if (p->solver) (void)cusolverDnDestroy(p->solver);
    if (p->blas) (void)cublasDestroy(p->blas);
}

static int create_urgent(struct handles *h)
{
    int least, greatest, e = (int)cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (!e) e = (int)cudaStreamCreateWithPriority(&h->stream, cudaStreamNonBlocking, greatest);
    if (!e) e = (int)cudaEventCreateWithFlags(&h->before, cudaEventDisableTiming);
    if (!e) e = (int)cudaEventCreateWithFlags(&h->after, cudaEventDisableTiming);
    return e;
}

static void create(void *arg)
{
    struct handles *h = &handles[starpu_worker_get_id_check()];
    cudaStream_t stream = starpu_cuda_get_local_stream();
    int (*const *parted)(int worker) = arg;

    *h = (struct handles){0};
    create_pair(&h->own, stream);
    h->status = create_urgent(h);
    if (h->status == 0) create_pair(&h->urgent, h->stream);
    if (h->status == 0 && (*parted)(starpu_worker_get_id_check()) &&
        (h->part = tw_partition_stream(starpu_worker_get_devid(starpu_worker_get_id_check()))))
        create_pair(&h->yielding, h->part);
}

static void destroy(void *arg)
{
    struct handles *h = &handles[starpu_worker_get_id_check()];

    (void)arg; /* at the end nothing can be done about a failure, and nothing depends on it */
    destroy_pair(&h->yielding);
    destroy_pair(&h->urgent);
    destroy_pair(&h->own);
    if (h->after) (void)cudaEventDestroy(h->after);
    if (h->before) (void)cudaEventDestroy(h->before);
    if (h->part) (void)cudaStreamDestroy(h->part);
    if (h->stream) (void)cudaStreamDestroy(h->stream);
    *h = (struct handles){0};
}

static int pair_failed(const struct pair *p)
{
    return p->blas_status || p->solver_status;
}

int tw_handles_create(int (*parted)(int worker))
{
    starpu_execute_on_each_worker(create, &parted, STARPU_CUDA);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        const struct handles *h = &handles[w];
        const struct pair *p = pair_failed(&h->own) ? &h->own : pair_failed(&h->urgent) ? &h->urgent : &h->yielding;
        if (starpu_worker_get_type((int)w) != STARPU_CUDA_WORKER || (!pair_failed(p) && !h->status)) continue;
        return tw_fail(
            TW_E_DEVICE,
            "GPU %d: cublasCreate gave %s, cusolverDnCreate %d, the creation of a stream %s; is its memory taken by "
            "another program? STARPU_NCUDA=0 runs on CPUs alone",
            starpu_worker_get_devid((int)w), cublasGetStatusName((cublasStatus_t)p->blas_status), p->solver_status,
            cudaGetErrorName((cudaError_t)h->status));
    }
    return 0;
}

void tw_handles_destroy(void)
{
    starpu_execute_on_each_worker(destroy, NULL, STARPU_CUDA);
    tw_partitions_destroy();
}

struct tw_cuda tw_cuda_local(void)
{
    const struct handles *h = &handles[starpu_worker_get_id_check()];
    return (struct tw_cuda){starpu_cuda_get_local_stream(), h->own.blas, h->own.solver};
}

int tw_cuda_urgent_begin(struct tw_cuda *cuda)
{
    const struct handles *h = &handles[starpu_worker_get_id_check()];
    int e = (int)cudaEventRecord(h->before, cuda->stream);
    if (!e) e = (int)cudaStreamWaitEvent(h->stream, h->before, 0);
    if (!e) *cuda = (struct tw_cuda){h->stream, h->urgent.blas, h->urgent.solver};
    return e;
}

int tw_cuda_urgent_end(struct tw_cuda *cuda)
{
    const struct handles *h = &handles[starpu_worker_get_id_check()];
    int e = (int)cudaEventRecord(h->after, h->stream);
    cuda->stream = starpu_cuda_get_local_stream();
    return e ? e : (int)cudaStreamWaitEvent(cuda->stream, h->after, 0);
}

/* Where the task before went the same way, all that is on the worker's own stream waits for that one, and this one need
 * not wait for it. */
static int yielding_begin(struct handles *h, struct tw_cuda *cuda)
{
    int e = h->yielded ? 0 : (int)cudaEventRecord(h->before, cuda->stream);
    if (!e && !h->yielded) e = (int)cudaStreamWaitEvent(h->part, h->before, 0);
    if (!e) *cuda = (struct tw_cuda){h->part, h->yielding.blas, h->yielding.solver};
    return e;
}

static int yielding_end(struct handles *h, struct tw_cuda *cuda)
{
    int e = (int)cudaEventRecord(h->after, h->part);
    cuda->stream = starpu_cuda_get_local_stream();
    if (!e) e = (int)cudaStreamWaitEvent(cuda->stream, h->after, 0);
    h->yielded = !e;
    return e;
}

int tw_cuda_lane_begin(struct tw_cuda *cuda, enum tw_lane lane)
{
    struct handles *h = &handles[starpu_worker_get_id_check()];

    if (lane == TW_LANE_YIELDING && h->part) return yielding_begin(h, cuda);
    h->yielded = 0;
    return lane == TW_LANE_URGENT || lane == TW_LANE_CHAIN ? tw_cuda_urgent_begin(cuda) : 0;
}

int tw_cuda_lane_end(struct tw_cuda *cuda, enum tw_lane lane)
{
    struct handles *h = &handles[starpu_worker_get_id_check()];

    if (lane == TW_LANE_YIELDING && h->part) return yielding_end(h, cuda);
    return lane == TW_LANE_URGENT || lane == TW_LANE_CHAIN ? tw_cuda_urgent_end(cuda) : 0;
}
