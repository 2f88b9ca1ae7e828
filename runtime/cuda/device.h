/* CUDA as the runtime needs it: the only files that include CUDA's headers here are this room's, and each of its
 * functions has a second form in none.c, which a build without CUDA has instead of all others. So the rest of the
 * runtime is the same code in both.
 *
 * Statuses are CUDA's: 0 is success, tw_device_text says the others. Devices go by CUDA's numbers. Streams and events
 * are CUDA's, as pointers. */
#ifndef TW_RUNTIME_CUDA_DEVICE_H
#define TW_RUNTIME_CUDA_DEVICE_H
#include <stddef.h>
#include "runtime/machine/cuda.h"

/* 1: there are CUDA bodies in this build. */
int tw_device_built(void);
const char *tw_device_text(int status);
/* A failure that was dealt with: it is not sticky, and must not be found by somebody else's next call. */
void tw_device_forget_error(void);

/* ---- which there are; no worker is needed ------------------------------------------------------------------------ */
int tw_device_count(void); /* 0 without a driver, too */
/* 1: there is a driver, and nothing hides its GPUs. A look at files and variables: nothing of CUDA wakes up. */
int tw_device_expected(void);
int tw_device_facts(int device, char *name, size_t length, size_t *memory);
int tw_device_room(int device, size_t *bytes); /* of its memory that is free: makes the context that work on it needs */
int tw_device_processors(int device);          /* multiprocessors; 0 where that is not known */
size_t tw_device_shared(
    int device); /* bytes of shared memory that a block of threads may have; 0 where that is not known */
int tw_device_reaches(int device, int other); /* 1: it reads the other one's memory */
/* Versions; those that cannot be asked for are 0. */
struct tw_device_versions {
    int driver, runtime, blas[3];
};
void tw_device_versions(struct tw_device_versions *v);

/* ---- memory ------------------------------------------------------------------------------------------------------ */
int tw_device_get(int *device); /* this thread's current device */
int tw_device_set(int device);
int tw_device_alloc(void **p, size_t bytes); /* on the current device */
void tw_device_free(void *p);                /* fails only where the GPU is lost, which the next task reports */
int tw_device_clear(void *p, size_t bytes);
int tw_pinned_alloc(void **p, size_t bytes);
void tw_pinned_free(void *p);
/* Memory of the host that CUDA is to know, for all GPUs: whole pages. */
int tw_host_pin(void *p, size_t bytes);
int tw_host_unpin(void *p);
/* 1: p is pinned, or on a GPU. */
int tw_device_knows(const void *p);

/* ---- copies: of `lines` pieces of so many bytes, at pitches; with a stream they are enqueued only ---------------- */
enum tw_way { TW_WAY_IN, TW_WAY_OUT, TW_WAY_WITHIN }; /* host to GPU, GPU to host, on one GPU */
int tw_device_copy(void *to, const void *from, size_t bytes, enum tw_way way);
int tw_device_copy_lines(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t lines,
                         enum tw_way way);
int tw_device_enqueue_copy(void *to, const void *from, size_t bytes, enum tw_way way, void *stream);
int tw_device_enqueue_lines(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t lines,
                            enum tw_way way, void *stream);
int tw_device_enqueue_peer(void *to, int device, const void *from, int other, size_t bytes, void *stream);

/* ---- streams and events ------------------------------------------------------------------------------------------ */
int tw_stream_create(void **stream); /* on the current device, not ordered with the default stream */
void tw_stream_destroy(void *stream);
int tw_stream_wait(void *stream); /* the calling thread waits for all that is in it */
int tw_event_create(void **event, int timed);
void tw_event_destroy(void *event);
int tw_event_record(void *event, void *stream);
int tw_event_wait(void *event);
int tw_event_between(void *first, void *last, float *milliseconds); /* of timed events */

/* ---- handles.c: CUDA workers' cuBLAS and cuSOLVER handles; to be called with the workers awake ------------------- */
/* parted: whether a worker gets a stream on a part of its GPU (part.h), too. 0 or TW_E_DEVICE. */
int tw_handles_create(int (*parted)(int worker));
void tw_handles_destroy(void);
struct tw_cuda tw_cuda_local(void); /* of the CUDA worker that calls it */
void *tw_stream_local(void);        /* its stream alone: before there are handles, too */
#endif
