/* Kernels made of a user's source: loaded into a GPU and launched, by functions of CUDA's driver, which is there where
 * a GPU is: it is opened when it is needed, so that programs on machines without GPUs do not depend on it. */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "kernels/nbody/cuda/pairs.h"
extern "C" {
#include "kernels/status.h"
#include "runtime/base/error.h"
}

namespace
{

constexpr int BLOCK = 256, TARGETS = 64; /* of the kernel in pairs_compile.cu */

struct Driver {
    decltype(&cuModuleLoadData) load;
    decltype(&cuModuleUnload) unload;
    decltype(&cuModuleGetFunction) function;
    decltype(&cuLaunchKernel) launch;
    decltype(&cuGetErrorName) name;
    bool complete;
};

template <typename F> bool symbol(void *library, const char *name, F *f)
{
    *f = reinterpret_cast<F>(dlsym(library, name));
    return *f != nullptr;
}

Driver open_driver()
{
    void *l = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    Driver d = {};
    d.complete = l && symbol(l, "cuModuleLoadData", &d.load) && symbol(l, "cuModuleUnload", &d.unload) &&
                 symbol(l, "cuModuleGetFunction", &d.function) && symbol(l, "cuLaunchKernel", &d.launch) &&
                 symbol(l, "cuGetErrorName", &d.name);
    return d;
}
const Driver &driver()
{
    static const Driver d = open_driver();
    return d;
}

int failed(const char *call, CUresult e)
{
    const char *name = nullptr;
    if (driver().name(e, &name) != CUDA_SUCCESS || !name) name = "an unknown error";
    return tw_fail(TW_E_DEVICE, "%s: %s (%d)", call, name, (int)e);
}

} /* namespace */

extern "C" int tw_pairs_arch(int *device, int *arch)
{
    int major = 0, minor = 0;
    cudaError_t e = cudaGetDevice(device);

    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, *device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, *device);
    *arch = 10 * major + minor;
    return e == cudaSuccess ? 0 : tw_fail(TW_E_DEVICE, "asking for a GPU's kind: %s", cudaGetErrorString(e));
}

extern "C" int tw_pairs_load(const char *image, struct tw_pairs_module *m)
{
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUresult e;

    if (!driver().complete) return tw_fail(TW_E_DEVICE, "libcuda.so.1 is not there, or lacks functions of CUDA 12");
    e = driver().load(&module, image);
    if (e != CUDA_SUCCESS) return failed("cuModuleLoadData", e);
    e = driver().function(&function, module, "tw_pairs");
    if (e != CUDA_SUCCESS) {
        (void)driver().unload(module); /* the first error counts */
        return failed("cuModuleGetFunction", e);
    }
    m->module = module;
    m->function = function;
    return 0;
}

extern "C" void tw_pairs_unload(struct tw_pairs_module *m)
{
    if (m->module) (void)driver().unload((CUmodule)m->module); /* nothing could be done about it */
    m->module = m->function = nullptr;
}

extern "C" int tw_pairs_cuda(const struct tw_cuda *cuda, enum tw_type type, const struct tw_pairs_module *m, int count,
                             const struct tw_pairs_tiles *t, const void *user)
{
    void *arguments[] = {(void *)t, (void *)user};
    int device = 0;
    cudaError_t known = cudaGetDevice(&device);
    CUresult e;

    if (t->nt <= 0 || t->ns <= 0) return 0;
    if (known == cudaSuccess && (device >= count || !m[device].function)) known = cudaErrorInvalidResourceHandle;
    if (known != cudaSuccess) return tw_cuda_status(TW_LIBRARY_CUDA, type, TW_CALL_pairs, (int)known);
    e = driver().launch((CUfunction)m[device].function, (unsigned)((t->nt + TARGETS - 1) / TARGETS), 1, 1, BLOCK, 1, 1,
                        0, (CUstream)cuda->stream, arguments, nullptr);
    return tw_cuda_status(TW_LIBRARY_CUDA, type, TW_CALL_pairs, (int)e);
}
