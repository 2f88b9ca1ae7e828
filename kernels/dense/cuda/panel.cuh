/* What the panels of LU and QR share: a few columns of all rows below, in the registers of as many blocks as that
 * takes, and how these blocks tell each other things.
 *
 * A block has 8 warps; of a warp's 32 lanes, eight have different rows and four different columns: lane r + 8 g has the
 * rows r + 8 i and the columns g + 4 c. All blocks run at the same time (a cooperative launch). What one tells all is a
 * message of 16 bytes that carries its own tag, read and written as a whole: no fence, and one way through the L2 cache
 * per step. A block writes step s + 2 where step s was: it has read all of step s + 1 by then, which others wrote after
 * they had read all of step s. Tags go on from launch to launch over memory that was zero before the first. */
#ifndef TW_KERNELS_DENSE_CUDA_PANEL_CUH
#define TW_KERNELS_DENSE_CUDA_PANEL_CUH
#include "kernels/dense/cuda/element.cuh"
#include "kernels/dense/cuda/panel.h"
#include "kernels/launch.cuh"

#define WARPS   8
#define THREADS (32 * WARPS)
#define EVERY   0xffffffffu
#define AHEAD   4                            /* messages asked for at once */
#define WORDS   ((int)((sizeof(T) + 7) / 8)) /* messages that an element takes */
/* Rows and columns of a thread: what registers hold. Twice the rows, half the columns where there are more rows. */
#define MANY 8
#define FEW  (sizeof(T) == 16 ? 4 : 8)

typedef unsigned long long word;

struct message {
    word payload, tag;
};

static __device__ __forceinline__ void put(struct message *to, word payload, word tag)
{
    asm volatile("{\n .reg .b128 x;\n mov.b128 x, {%1, %2};\n st.relaxed.gpu.global.b128 [%0], x;\n}" ::"l"(to),
                 "l"(payload), "l"(tag)
                 : "memory");
}
static __device__ __forceinline__ struct message get(const struct message *from)
{
    struct message m;
    asm volatile("{\n .reg .b128 x;\n ld.relaxed.gpu.global.b128 x, [%2];\n mov.b128 {%0, %1}, x;\n}"
                 : "=l"(m.payload), "=l"(m.tag)
                 : "l"(from)
                 : "memory");
    return m;
}

/* ---- elements as words, and in shuffles ---- */

static __device__ __forceinline__ word word_of(T x, int which)
{
#if TW_IS_COMPLEX && !TW_IS_SINGLE
    return (word)__double_as_longlong(which ? x.y : x.x);
#elif TW_IS_COMPLEX
    return (word)__float_as_uint(x.y) << 32 | __float_as_uint(x.x);
#elif TW_IS_SINGLE
    return __float_as_uint(x);
#else
    return (word)__double_as_longlong(x);
#endif
}
/* Word `which` of *to. */
static __device__ __forceinline__ void set_word(T *to, int which, word w)
{
#if TW_IS_COMPLEX && !TW_IS_SINGLE
    if (which)
        to->y = __longlong_as_double((long long)w);
    else
        to->x = __longlong_as_double((long long)w);
#elif TW_IS_COMPLEX
    to->x = __uint_as_float((unsigned)w);
    to->y = __uint_as_float((unsigned)(w >> 32));
#elif TW_IS_SINGLE
    *to = __uint_as_float((unsigned)w);
#else
    *to = __longlong_as_double((long long)w);
#endif
}
static __device__ __forceinline__ T shuffled(T x, int lane)
{
#if TW_IS_COMPLEX
    x.x = __shfl_sync(EVERY, x.x, lane);
    x.y = __shfl_sync(EVERY, x.y, lane);
    return x;
#else
    return __shfl_sync(EVERY, x, lane);
#endif
}
/* The same by the first WIDTH lanes alone. */
template <int WIDTH> static __device__ __forceinline__ T shuffled_among(T x, int lane)
{
    const unsigned who = WIDTH == 32 ? EVERY : (1u << WIDTH % 32) - 1;
#if TW_IS_COMPLEX
    x.x = __shfl_sync(who, x.x, lane);
    x.y = __shfl_sync(who, x.y, lane);
    return x;
#else
    return __shfl_sync(who, x, lane);
#endif
}
static __device__ __forceinline__ T crossed(T x, int bit)
{
#if TW_IS_COMPLEX
    x.x = __shfl_xor_sync(EVERY, x.x, bit);
    x.y = __shfl_xor_sync(EVERY, x.y, bit);
    return x;
#else
    return __shfl_xor_sync(EVERY, x, bit);
#endif
}

/* ---- what a thread has: ROWS x COLUMNS elements ---- */

/* Code is small, since a launch fetches it anew, and slowly: steps are a loop in which the columns at work are a[][0]
 * of the four groups; every fourth step the columns turn. */
template <int ROWS, int COLUMNS> struct part {
    int group, row; /* its rows are row + 8 i, its columns group + 4 ((c + turns) % COLUMNS) */
    int turns;
    T a[ROWS][COLUMNS];

    __device__ part()
        : group((int)threadIdx.x % 32 / 8),
          row((int)blockIdx.x * 8 * ROWS * WARPS + (int)threadIdx.x / 32 * 8 * ROWS + (int)threadIdx.x % 8), turns(0)
    {
    }
    __device__ __forceinline__ int column(int c) const
    {
        return group + 4 * ((c + turns) % COLUMNS);
    }
    /* m x n; zeros beyond. */
    __device__ __forceinline__ void load(int m, int n, const T *from, int64_t ld)
    {
        from += row + group * ld;
#pragma unroll
        for (int c = 0; c < COLUMNS; c++, from += 4 * ld)
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                a[i][c] = row + 8 * i < m && group + 4 * c < n ? from[8 * i] : number(0);
    }
    __device__ __forceinline__ void turn()
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const T first = a[i][0];
#pragma unroll
            for (int c = 0; c + 1 < COLUMNS; c++)
                a[i][c] = a[i][c + 1];
            a[i][COLUMNS - 1] = first;
        }
        turns++;
    }
};

/* Blocks for m rows with so many in a thread. */
static inline int blocks_for(int m, int rows)
{
    return (int)((m + (8LL * rows * WARPS - 1)) / (8 * rows * WARPS));
}
static inline int panel_width(int m, int blocks)
{
    if (blocks_for(m, MANY) <= blocks) return 4 * FEW;
    return blocks_for(m, 2 * MANY) <= blocks ? 2 * FEW : 0;
}

template <typename... Parameters, typename... Arguments>
static int launch_together(enum tw_cuda_call call, const struct tw_cuda *q, int blocks, size_t shared_bytes,
                           void (*kernel)(Parameters...), Arguments... arguments)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t config = {};

    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = (cudaStream_t)q->stream;
    config.attrs = &together;
    config.numAttrs = blocks > 1;
    return tw_cuda_status(TW_LIBRARY_CUDA, TW_TYPE, call,
                          (int)cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}
#endif
