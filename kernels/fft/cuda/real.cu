/* Real to real transforms: small ones by our kernels where those are faster, all others by cuFFT with a pass before and
 * one behind it. */
#include <cstdlib>
#include "kernels/fft/cuda/plans.cuh"
#include "kernels/fft/cuda/real.h"
#include "kernels/fft/cuda/real_kernel.cuh"
#include "kernels/fft/cuda/small_roots.h"
extern "C" {
#include "runtime/base/error.h"
}

/* Lines go through the workspace in groups of this size, so that it stays small. */
#define GROUP_BYTES ((size_t)1 << 28)
/* Longer lines have no table of factors: they are few, so that a table would be read as often as the data. */
#define TABLE_POINTS 65536

static int failed(const char *call, cudaError_t e)
{
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "%s: %s: %s", call, cudaGetErrorName(e), cudaGetErrorString(e));
    return 1;
}

static int is_sine(enum tw_fft_r2r r2r)
{
    return r2r >= TW_FFT_DST1 && r2r <= TW_FFT_DST4;
}

static enum tw_real_method method_of(enum tw_fft_r2r r2r, tw_int n)
{
    switch (r2r) {
    case TW_FFT_DCT1:
    case TW_FFT_DST1: return TW_REAL_T1;
    case TW_FFT_DCT2:
    case TW_FFT_DST2: return TW_REAL_T2;
    case TW_FFT_DCT3:
    case TW_FFT_DST3: return TW_REAL_T3;
    case TW_FFT_DCT4:
    case TW_FFT_DST4: return n % 2 ? TW_REAL_T4_ODD : TW_REAL_T4_EVEN;
    default: return TW_REAL_DHT;
    }
}

/* ---- the inner transform: in place in rows of `row` complex numbers, but for DHT of lines without gaps ----------- */

struct inner {
    enum tw_real_method method;
    tw_int length, row, group; /* lines that are transformed at once */
    int direct;                /* from the input, out of place */
    size_t buffer;             /* bytes */
};

static struct inner inner_of(const struct tw_fft_cuda_around *a)
{
    struct inner i = {method_of(a->r2r, a->n), a->n, 0, 0, 0, 0};
    size_t size = tw_cufft_complex(a->single);

    if (i.method == TW_REAL_T1) i.length = 2 * (is_sine(a->r2r) ? a->n + 1 : a->n - 1);
    if (i.method == TW_REAL_T4_EVEN) i.length = a->n / 2;
    i.row = i.method == TW_REAL_T4_EVEN ? i.length : i.length / 2 + 1;
    i.direct = i.method == TW_REAL_DHT && a->stride == 1 && a->inner == 1;
    i.group = (tw_int)(GROUP_BYTES / (size * (size_t)i.row));
    if (i.group < 1) i.group = 1;
    if (i.group > a->lines) i.group = a->lines;
    i.buffer = tw_cufft_aligned(size * (size_t)i.row * (size_t)i.group);
    return i;
}

static int plan_of(const struct tw_fft_gpu *q, const struct tw_fft_cuda_around *a, const struct inner *i, tw_int lines,
                   struct tw_cufft **plan)
{
    const int half = i->method != TW_REAL_T4_EVEN, back = i->method == TW_REAL_T3;
    const cufftType type = !half       ? a->single ? CUFFT_C2C : CUFFT_Z2Z
                           : back      ? a->single ? CUFFT_C2R : CUFFT_Z2D
                           : a->single ? CUFFT_R2C
                                       : CUFFT_D2Z;
    struct tw_cufft_key k;

    if (tw_cufft_key(&k, q, type, 1)) return 1;
    k.n[0] = i->length;
    k.istride = k.ostride = 1;
    k.idist = i->direct ? a->outer : half && !back ? 2 * i->row : i->row;
    k.odist = back ? 2 * i->row : i->row;
    k.inembed[0] = k.idist;
    k.onembed[0] = k.odist;
    k.batch = lines;
    return tw_cufft_get(q, &k, plan);
}

/* ---- tables of factors: one per device, precision, method and length, kept as long as the process ---------------- */

struct tw_real_factors {
    int device, single;
    enum tw_real_method method;
    tw_int n;
    void *memory;
    struct tw_real_factors *next;
};

static tw_int factors_needed(enum tw_real_method method, tw_int n)
{
    if (n > TABLE_POINTS) return 0;
    return method == TW_REAL_T2 || method == TW_REAL_T3 ? n / 2 + 1 : method == TW_REAL_T4_EVEN ? n / 2 : 0;
}

/* NULL: there is none. */
static const void *find(struct tw_fft_cache *cache, int device, int single, enum tw_real_method method, tw_int n)
{
    struct tw_real_factors *f;

    pthread_mutex_lock(&cache->lock);
    for (f = cache->factors; f && (f->device != device || f->single != single || f->method != method || f->n != n);)
        f = f->next;
    pthread_mutex_unlock(&cache->lock);
    return f ? f->memory : NULL;
}

template <class C> static void fill(C *table, enum tw_real_method method, tw_int n, tw_int count)
{
    for (tw_int k = 0; k < count; k++)
        table[k] = method == TW_REAL_T4_EVEN ? tw_root_of<C>((long double)(8 * k + 1), 16.0L * (long double)n)
                                             : tw_root_of<C>((long double)k, 4.0L * (long double)n);
}

static int table_make(const struct tw_fft_gpu *q, int single, enum tw_real_method method, tw_int n)
{
    const tw_int count = factors_needed(method, n);
    const size_t bytes = tw_cufft_complex(single) * (size_t)count;
    struct tw_real_factors *f;
    void *host;
    int device;

    if (count == 0) return 0;
    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (find(q->cache, device, single, method, n)) return 0;
    f = (struct tw_real_factors *)calloc(1, sizeof *f);
    host = malloc(bytes);
    if (!f || !host) {
        tw_fail(TW_E_MEMORY, "no memory for a table of factors");
        free(host);
        free(f);
        return 1;
    }
    *f = {device, single, method, n, NULL, NULL};
    if (single)
        fill((float2 *)host, method, n, count);
    else
        fill((double2 *)host, method, n, count);
    if (failed("cudaMalloc", cudaMalloc(&f->memory, bytes)) ||
        failed("cudaMemcpyAsync",
               cudaMemcpyAsync(f->memory, host, bytes, cudaMemcpyHostToDevice, (cudaStream_t)q->stream)) ||
        failed("cudaStreamSynchronize", cudaStreamSynchronize((cudaStream_t)q->stream))) {
        (void)cudaFree(f->memory); /* the error above is the one to report */
        free(host);
        free(f);
        return 1;
    }
    free(host);
    pthread_mutex_lock(&q->cache->lock);
    f->next = q->cache->factors;
    q->cache->factors = f;
    pthread_mutex_unlock(&q->cache->lock);
    return 0;
}

/* ---- one dimension ----------------------------------------------------------------------------------------------- */

int tw_fft_cuda_around_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_around *a, size_t *bytes)
{
    const struct inner i = inner_of(a);
    const tw_int last = a->lines % i.group;
    struct tw_cufft *p;

    if (table_make(q, a->single, i.method, a->n) || plan_of(q, a, &i, i.group, &p)) return 1;
    *bytes = i.buffer + p->work;
    if (last == 0) return 0;
    if (plan_of(q, a, &i, last, &p)) return 1;
    if (i.buffer + p->work > *bytes) *bytes = i.buffer + p->work;
    return 0;
}

/* What a group of lines goes through. */
struct passage {
    const struct tw_fft_gpu *q;
    const struct tw_fft_cuda_around *a;
    const struct inner *i;
    const void *table;
    struct tw_cufft *plan;
    tw_int first, lines;
    void *buffer, *area;
};

template <class Kernel, class... Arguments>
static int launch(const struct passage *g, tw_int count, Kernel kernel, const Arguments &...arguments)
{
    cudaLaunchConfig_t config = {};
    tw_real_grid(g->lines, count, &config.gridDim, &config.blockDim);
    config.stream = (cudaStream_t)g->q->stream;
    return failed("a pass of real transforms", cudaLaunchKernelEx(&config, kernel, arguments...));
}

template <class R, int METHOD> static int pass(const struct passage *g, const void *in, void *out)
{
    typedef tw_cx<R> C;
    typedef tw_real_filter<R, METHOD> F;
    const tw_real_lines lines = {g->a->inner, g->a->outer, g->a->stride, g->first};
    const F f = {g->a->n, g->i->length, is_sine(g->a->r2r), (const C *)g->table, (R)g->a->scale};
    const int64_t row = g->i->row, length = g->i->length;
    void *buffer = g->buffer;

    if (METHOD == TW_REAL_T3 || METHOD == TW_REAL_T4_EVEN) {
        if (launch(g, row, tw_real_before<F, R, C>, f, (int64_t)g->lines, (const R *)in, lines, (C *)buffer, row, row))
            return 1;
    } else if (!g->i->direct) {
        if (launch(g, length, tw_real_before<F, R, R>, f, (int64_t)g->lines, (const R *)in, lines, (R *)buffer, 2 * row,
                   length))
            return 1;
    }
    void *from = g->i->direct ? (R *)in + g->first * g->a->outer : (R *)buffer;
    if (tw_cufft_run(g->plan, TW_FFT_FORWARD, from, buffer, g->area)) return 1;
    if (METHOD == TW_REAL_T3)
        return launch(g, f.n, tw_real_behind<F, R, R>, f, (int64_t)g->lines, (const R *)buffer, 2 * row, (R *)out,
                      lines);
    return launch(g, f.n, tw_real_behind<F, C, R>, f, (int64_t)g->lines, (const C *)buffer, row, (R *)out, lines);
}

template <class R> static int by_method(const struct passage *g, const void *in, void *out)
{
    switch (g->i->method) {
    case TW_REAL_T1: return pass<R, TW_REAL_T1>(g, in, out);
    case TW_REAL_T2: return pass<R, TW_REAL_T2>(g, in, out);
    case TW_REAL_T3: return pass<R, TW_REAL_T3>(g, in, out);
    case TW_REAL_T4_EVEN: return pass<R, TW_REAL_T4_EVEN>(g, in, out);
    case TW_REAL_T4_ODD: return pass<R, TW_REAL_T4_ODD>(g, in, out);
    default: return pass<R, TW_REAL_DHT>(g, in, out);
    }
}

int tw_fft_cuda_around(const struct tw_fft_gpu *q, const struct tw_fft_cuda_around *a, const void *in, void *out,
                       void *work, size_t bytes)
{
    const struct inner i = inner_of(a);
    struct passage g = {q, a, &i, NULL, NULL, 0, 0, work, (char *)work + i.buffer};
    int device;

    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    g.table = find(q->cache, device, a->single, i.method, a->n);
    for (; g.first < a->lines; g.first += g.lines) {
        g.lines = a->lines - g.first < i.group ? a->lines - g.first : i.group;
        if (plan_of(q, a, &i, g.lines, &g.plan)) return 1;
        if (bytes < i.buffer + g.plan->work) return tw_cufft_no_room();
        if (a->single ? by_method<float>(&g, in, out) : by_method<double>(&g, in, out)) return 1;
    }
    return 0;
}
