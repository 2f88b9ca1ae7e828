/* The GPUs in use, by number, and running something on their workers outside of tasks. */
#ifndef TW_RUNTIME_MACHINE_GPUS_H
#define TW_RUNTIME_MACHINE_GPUS_H
#include <stddef.h>
#include "runtime/machine/cuda.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* Workers that run, and how many of them (ncuda may be NULL) drive GPUs. */
int tw_worker_count(int *ncuda);
/* Run fn on every CUDA worker, one after another, outside of tasks; the first status that is not 0, or 0. */
int tw_cuda_on_each_worker(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg);
/* The same on the first stream of each GPU, where TW_ON_GPU's tasks run. */
int tw_cuda_on_each_gpu(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg);
/* On that of GPU g; TW_E_NO_WORKER if there is none. */
int tw_cuda_on_gpu(int g, int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg);
/* GPUs in use; the number CUDA gives GPU g; the g of that number, or -1. */
int tw_gpus(void);
int tw_gpu_device(int g);
int tw_gpu_of_device(int device);
/* Bytes of shared memory that a block of threads may have on each of them; 0 without GPUs. */
size_t tw_gpu_shared(void);
/* Bytes of the smallest GPU's memory that StarPU may use; 0 without GPUs or where no limit is known. */
size_t tw_gpu_memory(void);
/* Bytes per second between pinned host memory and one GPU while data go both ways (one way), and of a core's memory
 * copies. */
double tw_link_speed(void);
/* The same while nothing goes the other way. */
double tw_link_alone(int from_gpu);
double tw_host_copy_speed(void);
/* The folder of the machine profile, before the start, too: 0, or an error when there is none. */
int tw_cache_dir(char *path, size_t length);
#pragma GCC visibility pop

/* The first worker of GPU g, -1 if there is none; its last one. */
int tw_gpu_worker(int g);
int tw_gpu_last_worker(int g);
/* Streams of the GPU that a CUDA worker belongs to. */
int tw_gpu_streams(int worker);
/* So many, unless the user wants others (runtime/start.c says why). Where there are more, those beyond are for chains
 * of urgent tasks (runtime/base/lane.h). */
enum { TW_STREAMS = 3 };
#endif
