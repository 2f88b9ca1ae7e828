/* CUDA calls in tests: a failing one fails the test and says which. After cmocka.h. */
#ifndef TESTS_SUPPORT_CUDA_OK_H
#define TESTS_SUPPORT_CUDA_OK_H
#include <cuda_runtime.h>

#define CUDA_OK(call)                                                                                                  \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) fail_msg("%s: %s", #call, cudaGetErrorString(e_));                                      \
    } while (0)
#endif
