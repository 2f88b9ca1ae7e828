/* Part of a GPU's multiprocessors. A green context is a set of multiprocessors; streams made in it run their kernels
 * there and nowhere else, in the GPU's one address space, beside all other streams. The driver's functions are asked
 * for by name, so that nothing is linked with libcuda.so.1, which machines without GPUs have not. */
#include "runtime/cuda/partition.h"
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <starpu.h>
#include <stdatomic.h>

#if CUDART_VERSION >= 12050

/* Multiprocessors for what is urgent (sets are by 8: an H200's 132 become 112 and 20). A panel of LU has a block of
 * threads for each 512 rows of doubles, and a block needs a multiprocessor; with 36 left its launches wait still less,
 * but the products, which have the others, become the longer way (docs/performance.md). */
#define LEFT 20

struct partition {
    CUgreenCtx context;
    int tried;
};
static struct partition parts[STARPU_MAXCUDADEVS];
static atomic_int left;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

static struct {
    CUresult (*get_resource)(CUdevice, CUdevResource *, CUdevResourceType);
    CUresult (*split)(CUdevResource *, unsigned *, const CUdevResource *, CUdevResource *, unsigned, unsigned);
    CUresult (*describe)(CUdevResourceDesc *, CUdevResource *, unsigned);
    CUresult (*create)(CUgreenCtx *, CUdevResourceDesc, CUdevice, unsigned);
    CUresult (*destroy)(CUgreenCtx);
    CUresult (*stream)(CUstream *, CUgreenCtx, unsigned, int);
} driver;

static int find(const char *name, void *function)
{
    enum cudaDriverEntryPointQueryResult found;
    void *at = NULL;

    if (cudaGetDriverEntryPointByVersion(name, &at, 12050, cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess || !at) {
        (void)cudaGetLastError();
        return -1;
    }
    *(void **)function = at;
    return 0;
}

static int find_all(void)
{
    return find("cuDeviceGetDevResource", &driver.get_resource) || find("cuDevSmResourceSplitByCount", &driver.split) ||
           find("cuDevResourceGenerateDesc", &driver.describe) || find("cuGreenCtxCreate", &driver.create) ||
           find("cuGreenCtxDestroy", &driver.destroy) || find("cuGreenCtxStreamCreate", &driver.stream);
}

static int make(int device, struct partition *p)
{
    CUdevResource all, some, rest;
    CUdevResourceDesc what;
    unsigned groups = 1;

    if (find_all() || driver.get_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
        all.sm.smCount < 2 * LEFT ||
        driver.split(&some, &groups, &all, &rest, 0, all.sm.smCount - LEFT) != CUDA_SUCCESS || groups != 1 ||
        driver.describe(&what, &some, 1) != CUDA_SUCCESS ||
        driver.create(&p->context, what, device, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS) {
        p->context = NULL;
        return -1;
    }
    atomic_store(&left, (int)(all.sm.smCount - some.sm.smCount));
    return 0;
}

void *tw_partition_stream(int device)
{
    CUstream stream = NULL;

    if (device < 0 || device >= STARPU_MAXCUDADEVS) return NULL;
    starpu_pthread_mutex_lock(&lock);
    if (!parts[device].tried) {
        parts[device].tried = 1;
        (void)make(device, &parts[device]);
    }
    if (parts[device].context &&
        driver.stream(&stream, parts[device].context, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS)
        stream = NULL;
    starpu_pthread_mutex_unlock(&lock);
    return stream;
}

int tw_partition_left(void)
{
    return atomic_load(&left);
}

void tw_partitions_destroy(void)
{
    starpu_pthread_mutex_lock(&lock);
    for (int d = 0; d < STARPU_MAXCUDADEVS; d++) {
        if (parts[d].context) (void)driver.destroy(parts[d].context);
        parts[d] = (struct partition){0};
    }
    atomic_store(&left, 0);
    starpu_pthread_mutex_unlock(&lock);
}
#else
void *tw_partition_stream(int device)
{
    (void)device;
    return NULL;
}
int tw_partition_left(void)
{
    return 0;
}
void tw_partitions_destroy(void)
{
}
#endif
