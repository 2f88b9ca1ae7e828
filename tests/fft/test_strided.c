/* Real to real transforms between arrays with any strides: dimensions and loops in any order, with and without gaps, in
 * place and not, as tasks, on a GPU from main memory (where the output has no gaps) and on arrays of the GPU, against
 * one call of FFTW; what lies in the gaps stays. Without a GPU the tasks are the CPUs'. */
#include "reference.h"
#include "runtime/task/submit.h" /* tw_gpus */
#ifdef TILEWORK_CUDA
#include "cuda_ok.h"
#endif

/* ---- cases by chance --------------------------------------------------------------------------------------------- */

static uint64_t seed = 11;

static tw_int any(tw_int below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (tw_int)((seed >> 33) % (uint64_t)below);
}

struct shape {
    int rank, nloops;
    tw_fft_dim dim[3], loop[3];
    tw_int in_span, out_span; /* elements */
    enum tw_fft_r2r r2r[3];
};

/* Strides of n[0 … levels-1] in an order by chance; gaps: of up to 3 elements. Returns the array's length. */
static tw_int arrange(int levels, const tw_int *n, int gaps, tw_int *stride)
{
    int left[6] = {0, 1, 2, 3, 4, 5};
    tw_int next = gaps ? 1 + any(3) : 1, span = 1;

    for (int count = levels; count > 0; count--) {
        const int pick = (int)any(count), level = left[pick];
        left[pick] = left[count - 1];
        stride[level] = next;
        next = next * n[level] + (gaps ? any(4) : 0);
        span += (n[level] - 1) * stride[level];
    }
    return span;
}

static struct shape by_chance(int in_place, int in_gaps, int out_gaps)
{
    static const tw_int sizes[] = {2, 3, 4, 5, 7, 8, 12, 16, 33, 64, 100};
    struct shape s = {.rank = 1 + (int)any(3), .nloops = (int)any(4)};
    const int levels = s.rank + s.nloops;
    tw_int n[6], is[6], os[6], total = 1;

    for (int l = 0; l < levels; l++) {
        do
            n[l] = any(9) == 0 && l >= s.nloops ? 1 : sizes[any(11)];
        while (total * n[l] > 30000 && n[l] > 2);
        total *= n[l];
    }
    s.in_span = arrange(levels, n, in_gaps, is);
    s.out_span = in_place ? s.in_span : arrange(levels, n, out_gaps, os);
    for (int l = 0; l < levels; l++) {
        const tw_fft_dim d = {n[l], is[l], in_place ? is[l] : os[l]};
        if (l < s.nloops)
            s.loop[l] = d;
        else
            s.dim[l - s.nloops] = d;
    }
    for (int d = 0; d < s.rank; d++)
        do
            s.r2r[d] = (enum tw_fft_r2r)any(9);
        while (s.r2r[d] == TW_FFT_DCT1 && s.dim[d].n < 2);
    return s;
}

static tw_fft *planned(const struct shape *s, int single, enum tw_fft_path path, enum tw_fft_norm norm)
{
    tw_fft_options o;
    tw_fft *p;

    tw_fft_options_init(&o);
    o.path = path;
    o.norm = norm;
    o.rigor = TW_FFT_ESTIMATE;
    memcpy(o.r2r, s->r2r, sizeof o.r2r);
    if (tw_fft_plan_guru(&p, single ? TW_FLOAT : TW_DOUBLE, TW_FFT_R2R, s->rank, s->dim, s->nloops, s->loop,
                         TW_FFT_FORWARD, &o))
        fail_msg("%s", tw_last_message());
    return p;
}

static void *numbers(int single, tw_int count)
{
    void *p = malloc((size_t)count * (single ? 4 : 8));
    assert_non_null(p);
    for (tw_int k = 0; k < count; k++) {
        const double v = (double)any(2000001) / 1e6 - 1;
        if (single)
            ((float *)p)[k] = (float)v;
        else
            ((double *)p)[k] = v;
    }
    return p;
}

/* The whole of both arrays, gaps and all: those have to be the same bits. */
static void compare(int round, const struct shape *s, int single, const void *got, const void *want, const void *before)
{
    double d = 0, n = 0, points = 1;
    int same = 1;

    for (tw_int k = 0; k < s->out_span; k++) {
        const double g = single ? (double)((const float *)got)[k] : ((const double *)got)[k],
                     w = single ? (double)((const float *)want)[k] : ((const double *)want)[k],
                     b = single ? (double)((const float *)before)[k] : ((const double *)before)[k];
        if (w == b && g != w) same = 0; /* nothing of FFTW's was stored there (or what was there) */
        d += (g - w) * (g - w), n += w * w;
    }
    for (int k = 0; k < s->rank; k++)
        points *= (double)s->dim[k].n;
    if (!same) fail_msg("round %d: written to a gap", round);
    if (!(sqrt(d / n) <= (single ? 0x1p-24 : 0x1p-53) * 20 * sqrt(fmax(1, log2(points)))))
        fail_msg("round %d: rank %d, %d loops, %s: they differ by %g", round, s->rank, s->nloops,
                 single ? "float" : "double", sqrt(d / n));
}

/* ---- from main memory -------------------------------------------------------------------------------------------- */

static void host_arrays(void **state)
{
    (void)state;
    if (!tw_is_running() && tw_init(NULL)) fail_msg("%s", tw_last_message());
    setenv("TILEWORK_FFT_PLACE", "gpu", 1);
    for (int round = 0; round < 80; round++) {
        const int single = round % 2, in_place = round % 5 == 4, gaps = round % 3 == 2;
        const struct shape s = by_chance(in_place, gaps, gaps && round % 2);
        tw_fft *p = planned(&s, single, TW_FFT_TASKS, (enum tw_fft_norm)(round % 3)),
               *direct = planned(&s, single, TW_FFT_DIRECT, (enum tw_fft_norm)(round % 3));
        const size_t size = single ? 4 : 8;
        void *x = numbers(single, s.in_span), *x0 = malloc(size * (size_t)s.in_span),
             *y = in_place ? x : numbers(single, s.out_span), *y0 = malloc(size * (size_t)s.out_span),
             *before = malloc(size * (size_t)s.out_span);
        tw_fft_info info;

        assert_true(x0 && y0 && before);
        memcpy(x0, x, size * (size_t)s.in_span);
        memcpy(y0, y, size * (size_t)s.out_span);
        memcpy(before, y, size * (size_t)s.out_span);
        if (tw_fft_execute(p, x, y) || tw_fft_execute(direct, in_place ? y0 : x0, y0))
            fail_msg("round %d: %s", round, tw_last_message());
        compare(round, &s, single, y, y0, before);
        assert_int_equal(tw_fft_get_info(p, &info), 0);
        if (tw_gpus() > 0 && !(in_place && gaps) && !(gaps && round % 2)) assert_true(info.gpus >= 1);
        tw_fft_destroy(p), tw_fft_destroy(direct);
        if (!in_place) free(y);
        free(x), free(x0), free(y0), free(before);
    }
    unsetenv("TILEWORK_FFT_PLACE");
}

/* ---- arrays of the GPU ------------------------------------------------------------------------------------------- */

#ifdef TILEWORK_CUDA
static void *upload(const void *host, size_t bytes)
{
    void *p;
    CUDA_OK(cudaMalloc(&p, bytes));
    CUDA_OK(cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice));
    return p;
}

static void device_arrays(void **state)
{
    (void)state;
    if (!tw_is_running() && tw_init(NULL)) fail_msg("%s", tw_last_message());
    if (tw_gpus() == 0) skip();
    for (int round = 0; round < 120; round++) {
        const int single = round % 2, in_place = round % 5 == 4;
        const struct shape s = by_chance(in_place, round % 3 > 0, round % 3 == 1);
        tw_fft *p = planned(&s, single, TW_FFT_TASKS, (enum tw_fft_norm)(round % 3)),
               *direct = planned(&s, single, TW_FFT_DIRECT, (enum tw_fft_norm)(round % 3));
        const size_t size = single ? 4 : 8, in_bytes = size * (size_t)s.in_span, out_bytes = size * (size_t)s.out_span;
        void *x = numbers(single, s.in_span), *y = in_place ? x : numbers(single, s.out_span), *y0 = malloc(out_bytes),
             *before = malloc(out_bytes), *dx = upload(x, in_bytes), *dy = in_place ? dx : upload(y, out_bytes);

        assert_true(y0 && before);
        memcpy(y0, y, out_bytes);
        memcpy(before, y, out_bytes);
        if (tw_fft_execute(p, dx, dy) || tw_fft_execute(direct, in_place ? y0 : x, y0))
            fail_msg("round %d: %s", round, tw_last_message());
        CUDA_OK(cudaMemcpy(y, dy, out_bytes, cudaMemcpyDeviceToHost));
        compare(round, &s, single, y, y0, before);
        tw_fft_destroy(p), tw_fft_destroy(direct);
        if (!in_place) CUDA_OK(cudaFree(dy));
        CUDA_OK(cudaFree(dx));
        if (!in_place) free(y);
        free(x), free(y0), free(before);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_arrays),
#ifdef TILEWORK_CUDA
        cmocka_unit_test(device_arrays),
#endif
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() || failed;
}
