/* Diamonds on a GPU: reflectors to V^H, T from V^H V, V T; and Z = (I - V T V^H) Z for those of a wave side by side,
 * which have rows of their own. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/eigen/cuda/diamond.h"
extern const struct tw_diamond_cuda CUDA(diamond);
}

#define GROUPS 64 /* whose pointers go with one launch */
struct groups {
    const T *v[GROUPS];
    int S; /* the first one */
};

/* Elements of a diamond: V^H, then V T. */
static __host__ __device__ size_t part_of(const struct tw_chase_shape *c)
{
    return ((size_t)(c->b + c->width - 1 + 31) / 32 * 32 + 16 * (size_t)c->lead) * (size_t)c->width;
}

/* A block for each reflector of a group: row q of V^H, and its tau where V T will begin. */
static __global__ void __launch_bounds__(128)
    expand_kernel(struct tw_chase_shape c, int first, int steps, struct groups list, T *to)
{
    const int slot = blockIdx.x, J = slot / (c.depth * c.depth), g = slot / c.depth % c.depth;
    const int s = (list.S + (int)blockIdx.y) * c.depth + g, k = J * c.depth + slot % c.depth - g, rest = c.n - 1 - s;
    const int most = c.b == 1 ? 1 : (rest + c.b - 1) / c.b, bundle = s / c.width - first, q = s % c.width;

    if (k < 0 || rest <= 0 || k >= most) return;
    const int below = c.n - (s + 1 + k * c.b), rows = below < c.b ? below : c.b;
    const T *from = list.v[blockIdx.y] + (size_t)slot * c.b;
    T *vh = to + ((size_t)bundle * steps + k) * 2 * part_of(&c), *tau = vh + part_of(&c);
    for (int r = threadIdx.x; r < rows; r += blockDim.x)
        vh[q + (size_t)(c.lead + q + r) * c.width] = r == 0 ? number(1) : conjugate(from[r]);
    if (threadIdx.x == 0) tau[q] = from[0];
}

/* T^T into the lower triangle of the square that has V^H V in the strict upper one, which becomes 0: T(i, j) = -tau(j)
 * sum T(i, p) (V^H V)(p, j) over i <= p < j, a thread for each row i. */
static __global__ void __launch_bounds__(1024)
    triangle_kernel(int width, const T *diamonds, size_t each, size_t tau_at, T *square)
{
    const T *tau = diamonds + (size_t)blockIdx.x * each + tau_at;
    T *t = square + (size_t)blockIdx.x * width * width;

    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        T *row = t + (size_t)i * width; /* T(i, p) is row[p] */
        row[i] = tau[i];
        for (int j = i + 1; j < width; j++) {
            T s = number(0);
            for (int p = i; p < j; p++)
                s = minus_product(s, row[p], t[p + (size_t)j * width]);
            row[j] = product(s, tau[j]);
        }
    }
    __syncthreads();
    for (int at = threadIdx.x; at < width * width; at += blockDim.x)
        if (at % width < at / width) t[at] = number(0);
}

static int batched(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const T *a, int lda,
                   size_t stride_a, const T *b, int ldb, size_t stride_b, tw_scalar beta, T *c, int ldc,
                   size_t stride_c, int count)
{
    T al = tw_value(alpha), be = tw_value(beta);

    if (m <= 0 || n <= 0 || count <= 0) return 0;
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, gemmStridedBatched,
                     CUBLAS(gemmStridedBatched)((cublasHandle_t)q->blas, tw_cublas_trans(ta), tw_cublas_trans(tb), m, n,
                                                k, &al, a, lda, (long long)stride_a, b, ldb, (long long)stride_b, &be,
                                                c, ldc, (long long)stride_c, count));
}

static int expand(const struct tw_cuda *q, const struct tw_chase_shape *c, int first, int steps,
                  const struct tw_chase_group *group, int groups, T *to)
{
    for (int at = 0; at < groups; at += GROUPS) {
        const int some = tw_min(GROUPS, groups - at);
        struct groups list = {};
        list.S = group[at].S;
        for (int l = 0; l < some; l++)
            list.v[l] = (const T *)group[at + l].v;
        TW_TRY(launch(TW_CALL_larft, q, dim3((unsigned)tw_chase_room(c, list.S), (unsigned)some), dim3(128),
                      expand_kernel, *c, first, steps, list, to));
    }
    return 0;
}

static int form(const struct tw_cuda *q, const struct tw_chase_shape *c, int first, int count,
                const struct tw_chase_group *group, int groups, void *to_, void *work)
{
    const int steps = tw_chase_steps(c, first * c->width), width = c->width, ld = tw_chase_ld(c);
    const size_t part = part_of(c), each = 2 * part, square = (size_t)width * (size_t)width;
    T *to = (T *)to_, *t = (T *)work;

    TW_TRY(
        TW_STATUS(CUDA, larft,
                  cudaMemsetAsync(to, 0, (size_t)count * (size_t)steps * each * sizeof(T), (cudaStream_t)q->stream)));
    TW_TRY(expand(q, c, first, steps, group, groups, to));
    for (int i = 0; i < count; i++) {
        T *vh = to + (size_t)i * (size_t)steps * each;
        TW_TRY(batched(q, 'N', 'C', width, width, ld, tw_one, vh, width, each, vh, width, each, tw_zero, t, width,
                       square, steps));
        TW_TRY(launch(TW_CALL_larft, q, dim3((unsigned)steps), dim3((unsigned)tw_min(1024, (width + 31) / 32 * 32)),
                      triangle_kernel, width, (const T *)vh, each, part, t));
        TW_TRY(batched(q, 'C', 'T', ld, width, width, tw_one, vh, width, each, t, width, square, tw_zero, vh + part, ld,
                       each, steps));
    }
    return 0;
}

/* Diamonds (i, k + i - low), i = low … high - 1, all of the shape `d` has. */
static int side_by_side(const struct tw_cuda *q, const struct tw_chase_shape *c, struct tw_diamond d, int count,
                        int steps, const T *diamonds, int columns, T *z, int ldz, T *work)
{
    const int ld = tw_chase_ld(c), width = c->width;
    const size_t part = part_of(c), next = 2 * part * ((size_t)steps + 1), rows = (size_t)(width + c->b);
    const size_t inner = (size_t)width * (size_t)columns;

    z += d.row - c->lead;
    d.rows += c->lead;

    TW_TRY(batched(q, 'N', 'N', d.columns, columns, d.rows, tw_one, diamonds, width, next, z, ldz, rows, tw_zero, work,
                   width, inner, count));
    return batched(q, 'N', 'N', d.rows, columns, d.columns, tw_minus_one, diamonds + part, ld, next, work, width, inner,
                   tw_one, z, ldz, rows, count);
}

/* Of a wave, bundle i is at step `ahead` + i. The largest ones, at the matrix' end, are cut off and go alone. */
static int wave(const struct tw_cuda *q, const struct tw_chase_shape *c, int first, int count, int ahead,
                const T *diamonds, int columns, T *z, int ldz, T *work)
{
    const int steps = tw_chase_steps(c, first * c->width), height = tw_chase_height(c);
    const size_t each = 2 * part_of(c);
    int low = ahead < 0 ? -ahead : 0, high = low;

    for (; low < count; low = high) {
        const int k = ahead + low;
        if (k >= tw_chase_steps(c, (first + low) * c->width)) break;
        const struct tw_diamond d = tw_chase_diamond(c, first + low, k);
        high = low + 1;
        while (d.rows == height && d.columns == c->width && high < count &&
               ahead + high < tw_chase_steps(c, (first + high) * c->width)) {
            const struct tw_diamond other = tw_chase_diamond(c, first + high, ahead + high);
            if (other.rows != height || other.columns != c->width) break;
            high++;
        }
        TW_TRY(side_by_side(q, c, d, high - low, steps, diamonds + ((size_t)low * (size_t)steps + (size_t)k) * each,
                            columns, z, ldz, work));
    }
    return 0;
}

static int apply(const struct tw_cuda *q, const struct tw_chase_shape *c, int first, int count, const void *diamonds,
                 int columns, void *z, int ldz, void *work)
{
    const int waves = tw_chase_steps(c, first * c->width) + count - 1;

    for (int w = 0; w < waves; w++)
        TW_TRY(wave(q, c, first, count, w - (count - 1), (const T *)diamonds, columns, (T *)z, ldz, (T *)work));
    return 0;
}

const struct tw_diamond_cuda CUDA(diamond) = {form, apply};
