/* Instructions of sm_80 and later that CUDA C++ has no name for. */
#ifndef TW_KERNELS_PTX_CUH
#define TW_KERNELS_PTX_CUH
#include <cuda_runtime.h>

/* 1 / sqrt(x) to 20 bits: the estimate that the double routine starts from. 0 and subnormal numbers give infinity. */
static __device__ __forceinline__ double inverse_root_estimate(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}

/* The same of a float, to 22 bits. */
static __device__ __forceinline__ float inverse_root_estimate(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* Four floats added to four in memory, each by itself; in any order with others' additions. */
static __device__ __forceinline__ void add_four(float *to, float a, float b, float c, float d)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(a), "f"(b), "f"(c), "f"(d) : "memory");
#else
    atomicAdd(to, a);
    atomicAdd(to + 1, b);
    atomicAdd(to + 2, c);
    atomicAdd(to + 3, d);
#endif
}

/* 16 bytes to shared memory, asynchronously; zeros if not `there`. */
static __device__ __forceinline__ void copy_async(void *to, const void *from, bool there)
{
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to), bytes = there ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}
static __device__ __forceinline__ void copy_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
/* All but the last `most` groups have arrived. */
template <int most> static __device__ __forceinline__ void copy_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(most) : "memory");
}

/* c += a b of a 16 x 8 and an 8 x 8 matrix. Lane 4 r + k holds a[r][k], a[r+8][k], a[r][k+4], a[r+8][k+4]; b[k][r],
 * b[k+4][r]; c[r][2k], c[r][2k+1], c[r+8][2k], c[r+8][2k+1]. */
static __device__ __forceinline__ void multiply_add(double c[4], const double a[4], const double b[2])
{
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < 2; k++)
            asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
                : "d"(a[2 * k + half]), "d"(b[k]));
#endif
}
#endif
