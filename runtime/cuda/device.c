/* CUDA's calls: see device.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <starpu.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "runtime/cuda/device.h"

int tw_device_built(void)
{
    return 1;
}
const char *tw_device_text(int status)
{
    return cudaGetErrorString((cudaError_t)status);
}
void tw_device_forget_error(void)
{
    (void)cudaGetLastError();
}

/* ---- which there are --------------------------------------------------------------------------------------------- */

int tw_device_count(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

int tw_device_expected(void)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");

    if (visible && (!*visible || *visible == '-')) return 0;
    return access("/dev/nvidiactl", F_OK) == 0;
}

int tw_device_facts(int device, char *name, size_t length, size_t *memory)
{
    struct cudaDeviceProp properties;
    const cudaError_t e = cudaGetDeviceProperties(&properties, device);

    if (e != cudaSuccess) return (int)e;
    snprintf(name, length, "%s", properties.name);
    *memory = properties.totalGlobalMem;
    return 0;
}

/* The calling thread's device is as before. */
int tw_device_room(int device, size_t *bytes)
{
    size_t all = 0;
    int before = 0;
    cudaError_t e = cudaGetDevice(&before);

    *bytes = 0;
    if (e == cudaSuccess) e = cudaSetDevice(device);
    if (e != cudaSuccess) return (int)e;
    e = cudaMemGetInfo(bytes, &all);
    (void)cudaSetDevice(before);
    return (int)e;
}

static int attribute(enum cudaDeviceAttr which, int device)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}
int tw_device_processors(int device)
{
    return attribute(cudaDevAttrMultiProcessorCount, device);
}
size_t tw_device_shared(int device)
{
    return (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
}
int tw_device_reaches(int device, int other)
{
    int can = 0;
    return cudaDeviceCanAccessPeer(&can, device, other) == cudaSuccess && can;
}

void tw_device_versions(struct tw_device_versions *v)
{
    *v = (struct tw_device_versions){0};
    if (cudaDriverGetVersion(&v->driver) != cudaSuccess) v->driver = 0;
    if (cudaRuntimeGetVersion(&v->runtime) != cudaSuccess) v->runtime = 0;
    if (cublasGetProperty(MAJOR_VERSION, &v->blas[0]) != CUBLAS_STATUS_SUCCESS ||
        cublasGetProperty(MINOR_VERSION, &v->blas[1]) != CUBLAS_STATUS_SUCCESS ||
        cublasGetProperty(PATCH_LEVEL, &v->blas[2]) != CUBLAS_STATUS_SUCCESS)
        v->blas[0] = v->blas[1] = v->blas[2] = 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

int tw_device_get(int *device)
{
    return (int)cudaGetDevice(device);
}
int tw_device_set(int device)
{
    return (int)cudaSetDevice(device);
}
int tw_device_alloc(void **p, size_t bytes)
{
    return (int)cudaMalloc(p, bytes);
}
void tw_device_free(void *p)
{
    (void)cudaFree(p);
}
int tw_device_clear(void *p, size_t bytes)
{
    return (int)cudaMemset(p, 0, bytes);
}
int tw_pinned_alloc(void **p, size_t bytes)
{
    return (int)cudaHostAlloc(p, bytes, cudaHostAllocDefault);
}
void tw_pinned_free(void *p)
{
    (void)cudaFreeHost(p);
}
int tw_host_pin(void *p, size_t bytes)
{
    return (int)cudaHostRegister(p, bytes, cudaHostRegisterPortable);
}
int tw_host_unpin(void *p)
{
    return (int)cudaHostUnregister(p);
}
int tw_device_knows(const void *p)
{
    struct cudaPointerAttributes a;

    if (cudaPointerGetAttributes(&a, p) == cudaSuccess) return a.type != cudaMemoryTypeUnregistered;
    (void)cudaGetLastError(); /* older drivers call a plain pointer an error */
    return 0;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static const enum cudaMemcpyKind kind[] = {[TW_WAY_IN] = cudaMemcpyHostToDevice,
                                           [TW_WAY_OUT] = cudaMemcpyDeviceToHost,
                                           [TW_WAY_WITHIN] = cudaMemcpyDeviceToDevice};

int tw_device_copy(void *to, const void *from, size_t bytes, enum tw_way way)
{
    return (int)cudaMemcpy(to, from, bytes, kind[way]);
}
int tw_device_copy_lines(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t lines,
                         enum tw_way way)
{
    return (int)cudaMemcpy2D(to, to_pitch, from, from_pitch, bytes, lines, kind[way]);
}
int tw_device_enqueue_copy(void *to, const void *from, size_t bytes, enum tw_way way, void *stream)
{
    return (int)cudaMemcpyAsync(to, from, bytes, kind[way], stream);
}
int tw_device_enqueue_lines(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t lines,
                            enum tw_way way, void *stream)
{
    return (int)cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, lines, kind[way], stream);
}
int tw_device_enqueue_peer(void *to, int device, const void *from, int other, size_t bytes, void *stream)
{
    return (int)cudaMemcpyPeerAsync(to, device, from, other, bytes, stream);
}

/* ---- streams and events ------------------------------------------------------------------------------------------ */

int tw_stream_create(void **stream)
{
    return (int)cudaStreamCreateWithFlags((cudaStream_t *)stream, cudaStreamNonBlocking);
}
void tw_stream_destroy(void *stream)
{
    (void)cudaStreamDestroy(stream);
}
int tw_stream_wait(void *stream)
{
    return (int)cudaStreamSynchronize(stream);
}
void *tw_stream_local(void)
{
    return starpu_cuda_get_local_stream();
}
int tw_event_create(void **event, int timed)
{
    return (int)cudaEventCreateWithFlags((cudaEvent_t *)event, timed ? cudaEventDefault : cudaEventDisableTiming);
}
void tw_event_destroy(void *event)
{
    (void)cudaEventDestroy(event);
}
int tw_event_record(void *event, void *stream)
{
    return (int)cudaEventRecord(event, stream);
}
int tw_event_wait(void *event)
{
    return (int)cudaEventSynchronize(event);
}
int tw_event_between(void *first, void *last, float *milliseconds)
{
    return (int)cudaEventElapsedTime(milliseconds, first, last);
}
