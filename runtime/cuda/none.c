/* A build without CUDA: there are no GPUs, and nothing that would need one succeeds. In place of the room's other
 * files. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "runtime/cuda/device.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/cuda/partition.h"
#include "runtime/cuda/timing.h"
#include "runtime/machine/lane.h"

enum { NO_CUDA = 1 };

int tw_device_built(void)
{
    return 0;
}
const char *tw_device_text(int status)
{
    return status ? "this build has no CUDA" : "no error";
}
void tw_device_forget_error(void)
{
}
int tw_device_count(void)
{
    return 0;
}
int tw_device_expected(void)
{
    return 0;
}
int tw_device_facts(int device, char *name, size_t length, size_t *memory)
{
    return NO_CUDA;
}
int tw_device_room(int device, size_t *bytes)
{
    return NO_CUDA;
}
int tw_device_processors(int device)
{
    return 0;
}
size_t tw_device_shared(int device)
{
    return 0;
}
int tw_device_reaches(int device, int other)
{
    return 0;
}
void tw_device_versions(struct tw_device_versions *v)
{
    *v = (struct tw_device_versions){0};
}

int tw_device_get(int *device)
{
    return NO_CUDA;
}
int tw_device_set(int device)
{
    return NO_CUDA;
}
int tw_device_alloc(void **p, size_t bytes)
{
    return NO_CUDA;
}
void tw_device_free(void *p)
{
}
int tw_device_clear(void *p, size_t bytes)
{
    return NO_CUDA;
}
int tw_pinned_alloc(void **p, size_t bytes)
{
    return NO_CUDA;
}
void tw_pinned_free(void *p)
{
}
int tw_host_pin(void *p, size_t bytes)
{
    return NO_CUDA;
}
int tw_host_unpin(void *p)
{
    return NO_CUDA;
}
int tw_device_knows(const void *p)
{
    return 0;
}

int tw_device_copy(void *to, const void *from, size_t bytes, enum tw_way way)
{
    return NO_CUDA;
}
int tw_device_copy_lines(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t lines,
                         enum tw_way way)
{
    return NO_CUDA;
}
int tw_device_enqueue_copy(void *to, const void *from, size_t bytes, enum tw_way way, void *stream)
{
    return NO_CUDA;
}
int tw_device_enqueue_lines(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t lines,
                            enum tw_way way, void *stream)
{
    return NO_CUDA;
}
int tw_device_enqueue_peer(void *to, int device, const void *from, int other, size_t bytes, void *stream)
{
    return NO_CUDA;
}

int tw_stream_create(void **stream)
{
    return NO_CUDA;
}
void tw_stream_destroy(void *stream)
{
}
int tw_stream_wait(void *stream)
{
    return NO_CUDA;
}
void *tw_stream_local(void)
{
    return NULL;
}
int tw_event_create(void **event, int timed)
{
    return NO_CUDA;
}
void tw_event_destroy(void *event)
{
}
int tw_event_record(void *event, void *stream)
{
    return NO_CUDA;
}
int tw_event_wait(void *event)
{
    return NO_CUDA;
}
int tw_event_between(void *first, void *last, float *milliseconds)
{
    return NO_CUDA;
}

int tw_handles_create(int (*parted)(int worker))
{
    return 0;
}
void tw_handles_destroy(void)
{
}
struct tw_cuda tw_cuda_local(void)
{
    return (struct tw_cuda){NULL, NULL, NULL};
}
int tw_cuda_urgent_begin(struct tw_cuda *cuda)
{
    return NO_CUDA;
}
int tw_cuda_urgent_end(struct tw_cuda *cuda)
{
    return NO_CUDA;
}
int tw_cuda_lane_begin(struct tw_cuda *cuda, enum tw_lane lane)
{
    return NO_CUDA;
}
int tw_cuda_lane_end(struct tw_cuda *cuda, enum tw_lane lane)
{
    return NO_CUDA;
}
int tw_partition_left(void)
{
    return 0;
}

int tw_timings_create(void)
{
    return 0;
}
void tw_timings_destroy(void)
{
}
int tw_timing_begin(void *stream)
{
    return 0;
}
void tw_timing_end(int timing, void *stream)
{
}
int tw_timing_read(int timing, double from, double to, double *start, double *end)
{
    return 0;
}
double tw_timings_set(void)
{
    return 0;
}

int tw_nvtx_built(void)
{
    return 0;
}
int tw_nvtx_on(void)
{
    return 0;
}
void tw_nvtx_use(int on)
{
}
void tw_nvtx_push(const char *name, unsigned color, long number)
{
}
void tw_nvtx_pop(void)
{
}
