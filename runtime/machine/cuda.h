/* What a CUDA body is given: opaque here, so that nothing but kernels/dense/cuda/ sees CUDA's headers. */
#ifndef TW_RUNTIME_MACHINE_CUDA_H
#define TW_RUNTIME_MACHINE_CUDA_H

struct tw_cuda {
    void *stream; /* cudaStream_t of the worker */
    void *blas;   /* cublasHandle_t bound to that stream */
    void *solver; /* cusolverDnHandle_t bound to that stream */
};

/* What is on the critical path goes by a second, urgent stream of the worker: between these calls `cuda` names that
 * stream and its handles, which the GPU serves before the others; the worker's own stream waits for it. 0 or a CUDA
 * status. */
int tw_cuda_urgent_begin(struct tw_cuda *cuda);
int tw_cuda_urgent_end(struct tw_cuda *cuda);

/* kernels register at load time what a status of theirs says; tw_cuda_text is never NULL. */
void tw_cuda_register_status_text(const char *(*text)(int status));
const char *tw_cuda_text(int status);
#endif
