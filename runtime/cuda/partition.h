/* Part of a GPU's multiprocessors, for what has time: green contexts of CUDA's driver, 12.4 and newer. */
#ifndef TW_RUNTIME_CUDA_PARTITION_H
#define TW_RUNTIME_CUDA_PARTITION_H

/* A stream (cudaStream_t), of the GPU that is the thread's current one, on all multiprocessors of it but some; NULL
 * where it cannot be parted. The caller destroys it. */
void *tw_partition_stream(int device);
/* Multiprocessors that these streams leave free; 0 where there are none. */
int tw_partition_left(void);
/* When all their streams are destroyed. */
void tw_partitions_destroy(void);
#endif
