/* For the tests of CUDA kernels: a stream with its handles, tiles on the GPU, comparison with the CPU's result, and a
 * gate that shows whether a call waits. After tiles.h, where TILEWORK_CUDA is defined. */
#ifndef TW_TESTS_KERNELS_CUDA_TILES_H
#define TW_TESTS_KERNELS_CUDA_TILES_H
#include <unistd.h>
#include <cublas_v2.h>
#include "cuda_ok.h"
#include <cusolverDn.h>
#include "kernels/dense/cuda/dense_cuda.h"

static struct tw_cuda q;
#define KERNEL_OK(call)                                                                                                \
    do {                                                                                                               \
        int s_ = (call);                                                                                               \
        if (s_ != 0) fail_msg("%s", tw_cuda_status_text(s_));                                                          \
    } while (0)

/* ---- memory on the GPU ------------------------------------------------------------------------------------------- */

static inline void *device_alloc(size_t bytes)
{
    void *d = NULL;
    CUDA_OK(cudaMalloc(&d, bytes ? bytes : 1));
    CUDA_OK(cudaMemset(d, 0xff, bytes ? bytes : 1));
    CUDA_OK(cudaDeviceSynchronize());
    return d;
}

static inline void *upload(const void *host, size_t bytes)
{
    void *d = device_alloc(bytes);
    CUDA_OK(cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice));
    CUDA_OK(cudaDeviceSynchronize());
    return d;
}

static inline void download(void *host, const void *d, size_t bytes)
{
    CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));
    CUDA_OK(cudaMemcpy(host, d, bytes, cudaMemcpyDeviceToHost));
}

static inline void *to_gpu(const struct tile *a)
{
    return upload(a->p, tile_bytes(a));
}

/* The tile as the GPU left it, its `before` as it was sent; frees d. */
static inline struct tile from_gpu(const struct tile *sent, void *d)
{
    struct tile a = tile_copy(sent);
    download(a.p, d, tile_bytes(&a));
    CUDA_OK(cudaFree(d));
    return a;
}

/* The GPU's part equals the CPU's to rounding, relative to the largest element; nothing else was written. Frees
 * both. */
static inline void same(struct tile *gpu, struct tile *cpu, char uplo, int k, const char *what)
{
    double largest = 0, unit = 16 * (k + 8) * eps_of(gpu->type);
    for (int j = 0; j < gpu->n; j++)
        for (int i = 0; i < gpu->m; i++)
            if (in_part(uplo, i, j)) largest = fmax(largest, size_of(get(cpu, i, j)));
    for (int j = 0; j < gpu->n; j++)
        for (int i = 0; i < gpu->m; i++) {
            zz g = get(gpu, i, j), c = get(cpu, i, j);
            if (in_part(uplo, i, j) && !(size_of(g - c) <= unit * largest))
                fail_msg("%s, type %c, %d x %d, '%c': element (%d, %d) is %g%+gi, on the CPU %g%+gi", what,
                         tw_letter(gpu->type), gpu->m, gpu->n, uplo, i, j, __real__ g, __imag__ g, __real__ c,
                         __imag__ c);
        }
    untouched(gpu, uplo);
    tile_free(gpu), tile_free(cpu);
}

/* ---- a call only enqueues ---------------------------------------------------------------------------------------- */

struct gate {
    volatile int open, timed_out;
};

/* Holds the stream up to 3 s or until the gate opens. */
static inline void CUDART_CB hold(void *arg)
{
    struct gate *gate = arg;
    for (int ms = 0; !gate->open; ms++) {
        if (ms >= 3000) {
            gate->timed_out = 1;
            return;
        }
        usleep(1000);
    }
}

/* Under a memory checker (TILEWORK_TEST_MEMCHECK), whose queue of launches is short, waiting is no defect. */
#define ENQUEUES(call)                                                                                                 \
    do {                                                                                                               \
        struct gate gate = {getenv("TILEWORK_TEST_MEMCHECK") != NULL, 0};                                              \
        KERNEL_OK(call); /* the first call loads code, and may wait */                                                 \
        CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));                                                        \
        CUDA_OK(cudaLaunchHostFunc((cudaStream_t)q.stream, hold, &gate));                                              \
        int status_ = (call);                                                                                          \
        gate.open = 1;                                                                                                 \
        CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));                                                        \
        KERNEL_OK(status_);                                                                                            \
        if (gate.timed_out) fail_msg("type %c waits for the GPU: %s", tw_letter(t), #call);                            \
    } while (0)

static inline int setup(void **state)
{
    (void)state;
    CUDA_OK(cudaStreamCreateWithFlags((cudaStream_t *)&q.stream, cudaStreamNonBlocking));
    assert_int_equal(cublasCreate((cublasHandle_t *)&q.blas), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasSetStream(q.blas, q.stream), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cusolverDnCreate((cusolverDnHandle_t *)&q.solver), CUSOLVER_STATUS_SUCCESS);
    assert_int_equal(cusolverDnSetStream(q.solver, q.stream), CUSOLVER_STATUS_SUCCESS);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    assert_int_equal(cusolverDnDestroy(q.solver), CUSOLVER_STATUS_SUCCESS);
    assert_int_equal(cublasDestroy(q.blas), CUBLAS_STATUS_SUCCESS);
    CUDA_OK(cudaStreamDestroy((cudaStream_t)q.stream));
    return 0;
}

/* Where there is no GPU the program says so and ends with `skipped`. */
static inline int no_gpu(void)
{
    int devices = 0;
    cudaError_t e = cudaGetDeviceCount(&devices);
    if (e != cudaSuccess || devices == 0) {
        printf("skipped: no CUDA device (%s)\n", cudaGetErrorString(e));
        return 77;
    }
    return 0;
}
#endif
