/* Text for a kernel's status. Compiled once. */
#include <stdio.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include "kernels/dense/cuda/dense_cuda.h"
#include "kernels/status.h"

/* cuSOLVER has no function for this. */
static const char *solver_text(int code)
{
    switch (code) {
    case CUSOLVER_STATUS_NOT_INITIALIZED: return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case CUSOLVER_STATUS_ALLOC_FAILED: return "CUSOLVER_STATUS_ALLOC_FAILED";
    case CUSOLVER_STATUS_INVALID_VALUE: return "CUSOLVER_STATUS_INVALID_VALUE";
    case CUSOLVER_STATUS_ARCH_MISMATCH: return "CUSOLVER_STATUS_ARCH_MISMATCH";
    case CUSOLVER_STATUS_MAPPING_ERROR: return "CUSOLVER_STATUS_MAPPING_ERROR";
    case CUSOLVER_STATUS_EXECUTION_FAILED: return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case CUSOLVER_STATUS_INTERNAL_ERROR: return "CUSOLVER_STATUS_INTERNAL_ERROR";
    case CUSOLVER_STATUS_NOT_SUPPORTED: return "CUSOLVER_STATUS_NOT_SUPPORTED";
    default: return "unknown cuSOLVER status";
    }
}

#define TW_CALL_NAME(name) #name,

/* The text is this thread's and lives until its next call. */
const char *tw_cuda_status_text(int status)
{
    static const char *const calls[] = {TW_CUDA_CALLS(TW_CALL_NAME) "?"};
    static _Thread_local char text[160];
    int library = status >> 28 & 3, call = status >> 16 & 0xff, code = status & 0xffff;
    char small = "sdcz"[status >> 24 & 3], capital = "SDCZ"[status >> 24 & 3];
    const char *name = calls[call < TW_NCALLS ? call : TW_NCALLS];

    if (status == 0) return "success";
    if (library == TW_LIBRARY_BLAS && call == TW_CALL_SetPointerMode)
        snprintf(text, sizeof text, "cublas%s: %s", name, cublasGetStatusName((cublasStatus_t)code));
    else if (library == TW_LIBRARY_BLAS)
        snprintf(text, sizeof text, "cublas%c%s: %s", capital, name, cublasGetStatusName((cublasStatus_t)code));
    else if (library == TW_LIBRARY_SOLVER)
        snprintf(text, sizeof text, "cusolverDn%c%s: %s (%d)", capital, name, solver_text(code), code);
    else if (library == TW_LIBRARY_CUDA)
        snprintf(text, sizeof text, "CUDA kernel %c%s: %s: %s", small, name, cudaGetErrorName((cudaError_t)code),
                 cudaGetErrorString((cudaError_t)code));
    else
        snprintf(text, sizeof text, "unknown status %d of a CUDA kernel", status);
    return text;
}
