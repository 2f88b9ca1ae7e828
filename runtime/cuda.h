/* What a CUDA body is given: opaque here, so that nothing but kernels/cuda/ sees CUDA's headers. */
#ifndef TW_RUNTIME_CUDA_H
#define TW_RUNTIME_CUDA_H

struct tw_cuda {
    void *stream; /* cudaStream_t of the worker */
    void *blas;   /* cublasHandle_t bound to that stream */
    void *solver; /* cusolverDnHandle_t bound to that stream */
};
#endif
