/* On a GPU: the kernels of the small transforms, real transforms of any length, rank and batch around cuFFT's, and
 * whichever of both is faster, as plans choose it. Skipped where there is no GPU. */
#include "lines.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "cuda_ok.h"
#include "codelets/fft/gpu.h"
#include "kernels/fft/cuda/fft_cuda.h"
#include "kernels/fft/cuda/real.h"
#include "runtime/task/submit.h" /* tw_gpus */

static struct tw_cuda cuda;
static struct tw_fft_gpu q; /* of it */

static void *upload(const void *host, size_t bytes)
{
    void *p;
    CUDA_OK(cudaMalloc(&p, bytes));
    CUDA_OK(cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice));
    return p;
}
static void download(void *host, void *p, size_t bytes)
{
    CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));
    CUDA_OK(cudaMemcpy(host, p, bytes, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaFree(p));
}

/* ---- our kernels ------------------------------------------------------------------------------------------------- */

static int ours(const struct tw_fft_cuda_lines *l, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
    void *x = upload(in, in_bytes), *y = in == out ? x : upload(out, out_bytes);
    int e = !tw_fft_cuda_small_suits(l, x, y) || tw_fft_cuda_small_plan(&q, l) || tw_fft_cuda_small(&q, l, x, y);

    download(out, y, out_bytes);
    if (x != y) CUDA_OK(cudaFree(x));
    return e;
}

static tw_int rows_for(tw_int n)
{
    return n <= 64 ? 1001 : n <= 512 ? 203 : 17;
}

static void complex_kernels(void **state)
{
    double worst = 0;
    (void)state;
    for (int single = 0; single < 2; single++)
        for (tw_int M = 2; M <= 4096; M *= 2)
            for (int kind = TW_FFT_C2C; kind <= TW_FFT_C2R; kind++)
                for (int sign = -1; sign <= (kind == TW_FFT_C2C ? 1 : -1); sign += 2)
                    for (int in_place = 0; in_place < 2; in_place++) {
                        tw_int n = kind == TW_FFT_C2C ? M : 2 * M;
                        struct tw_fft_cuda_lines l = {single, sign, kind, 0, n, rows_for(n), 0, 0, in_place ? 0.25 : 1};
                        worst = fmax(worst, check_lines(l, in_place ? 0 : 2, in_place, ours));
                    }
    printf("worst %.2f of the bound\n", worst);
}

static tw_int real_length(int r2r, tw_int M)
{
    return r2r == TW_FFT_DCT1 ? M + 1 : r2r == TW_FFT_DST1 ? M - 1 : 2 * M;
}

static void real_kernels(void **state)
{
    double worst = 0;
    (void)state;
    for (int single = 0; single < 2; single++)
        for (tw_int M = 4; M <= 4096; M *= 2)
            for (int r2r = TW_FFT_DCT1; r2r <= TW_FFT_DHT; r2r++) {
                tw_int n = real_length(r2r, M);
                struct tw_fft_cuda_lines l = {single, 0, TW_FFT_R2R, r2r, n, rows_for(n), 0, 0, r2r % 2 ? 0.5 : 1};
                worst = fmax(worst, check_lines(l, 4, 0, ours));
                worst = fmax(worst, check_lines(l, 0, 1, ours));
            }
    printf("worst %.2f of the bound\n", worst);
}

/* ---- around cuFFT's, any length ---------------------------------------------------------------------------------- */

static int around(const struct tw_fft_cuda_lines *l, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
    const struct tw_fft_cuda_around a = {l->single, l->r2r, l->n, l->rows, 1, 1, l->ld_in, l->scale};
    void *x = upload(in, in_bytes), *y = in == out ? x : upload(out, out_bytes), *work = NULL;
    size_t bytes;
    int e = tw_fft_cuda_around_plan(&q, &a, &bytes);

    if (!e) {
        CUDA_OK(cudaMalloc(&work, bytes + 1));
        e = tw_fft_cuda_around(&q, &a, x, y, work, bytes);
    }
    download(out, y, out_bytes);
    CUDA_OK(cudaFree(work));
    if (x != y) CUDA_OK(cudaFree(x));
    return e;
}

static void any_length(void **state)
{
    static const tw_int sizes[] = {1,  2,  3,  4,  5,   6,   7,    8,    9,    10,    15,   16,
                                   17, 31, 64, 75, 101, 256, 1000, 1331, 4099, 70000, 70001};
    double worst = 0;
    (void)state;
    for (int single = 0; single < 2; single++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (int r2r = TW_FFT_DCT1; r2r <= TW_FFT_DHT; r2r++) {
                struct tw_fft_cuda_lines l = {single, 0, TW_FFT_R2R, r2r, sizes[k], sizes[k] > 2000 ? 3 : 37,
                                              0,      0, 0.5};
                if (sizes[k] == 1 && r2r == TW_FFT_DCT1) continue;
                worst = fmax(worst, check_lines(l, 0, k % 2, around));
            }
    printf("worst %.2f of the bound\n", worst);
}

/* ---- several dimensions, a kind for each ------------------------------------------------------------------------- */

struct real_plan {
    const struct tw_fft_cuda_real *r;
    const void *in, *out;
    size_t *bytes;
};
static int plan_real(const struct tw_fft_gpu *gpu, void *arg)
{
    const struct real_plan *p = arg;
    return tw_fft_cuda_real_plan(gpu, p->r, p->in, p->out, p->bytes);
}

static void several_dimensions(void **state)
{
    char why[512];
    static const tw_int shapes[][4] = {{2, 12, 10, 1}, {2, 64, 32, 1}, {3, 6, 7, 16}, {3, 16, 8, 32}, {1, 128, 1, 1}};
    double worst = 0;
    (void)state;
    for (int round = 0; round < 20; round++) {
        const tw_int *s = shapes[round / 4];
        struct fft_case c = {.type = round % 2 ? TW_FLOAT : TW_DOUBLE, .kind = TW_FFT_R2R, .rank = (int)s[0]};
        struct tw_fft_cuda_real r = {.single = round % 2, .rank = (int)s[0], .batch = 3, .scale = 2};
        tw_int count = r.batch, one = 1;
        size_t size = r.single ? 4 : 8, bytes;
        double d = 0, n = 0;
        uint64_t seed = (uint64_t)round;
        void *x, *y, *work;
        char *host;
        zl *want;

        for (int k = 0; k < r.rank; k++) {
            r.n[k] = c.dim[k].n = s[1 + k];
            r.r2r[k] = c.r2r[k] = (enum tw_fft_r2r)((round * 5 + k * 4) % 9);
            one *= r.n[k];
        }
        count *= one;
        c.nloops = 1, c.loop[0].n = r.batch;
        host = malloc(size * (size_t)count);
        want = malloc((size_t)count * sizeof *want);
        for (tw_int k = 0; k < count; k++) {
            double v = uniform(&seed);
            if (r.single)
                want[k] = ((float *)host)[k] = (float)v;
            else
                want[k] = ((double *)host)[k] = v;
        }
        reference(&c, want);
        x = upload(host, size * (size_t)count);
        y = round % 4 < 2 ? x : upload(host, size * (size_t)count);
        struct real_plan plan = {&r, x, y, &bytes};
        if (tw_fft_gpu_plan(&cuda, plan_real, &plan, why)) fail_msg("%s", why);
        CUDA_OK(cudaMalloc(&work, bytes + 1));
        if (tw_fft_cuda_real(&q, &r, x, y, work, bytes)) fail_msg("%s", tw_last_message());
        download(host, y, size * (size_t)count);
        if (x != y) CUDA_OK(cudaFree(x));
        CUDA_OK(cudaFree(work));
        for (tw_int k = 0; k < count; k++) {
            double v = r.single ? (double)((float *)host)[k] : ((double *)host)[k], w = 2 * (double)creall(want[k]);
            d += (v - w) * (v - w), n += w * w;
        }
        d = sqrt(d / n) / ((r.single ? 0x1p-24 : 0x1p-53) * 4 * sqrt(log2((double)one)));
        if (!(d <= 1)) fail_msg("round %d: %g of the bound", round, d);
        worst = fmax(worst, d);
        free(want);
        free(host);
    }
    printf("worst %.2f of the bound\n", worst);
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

struct choice {
    struct tw_fft_cuda_lines lines;
    int ours;
};
static int choose(const struct tw_fft_gpu *gpu, void *arg)
{
    struct choice *c = arg;
    return tw_fft_cuda_small_choose(gpu, &c->lines, NULL, NULL, &c->ours);
}
static int is_faster(const struct tw_fft_cuda_lines *l)
{
    struct choice c = {.lines = *l};
    char why[512];

    if (tw_fft_gpu_plan(&cuda, choose, &c, why)) fail_msg("%s", why);
    return c.ours;
}

static void chosen(void **state)
{
    (void)state;
    for (int kind = TW_FFT_C2C; kind <= TW_FFT_R2R; kind++)
        for (tw_int n = 64; n <= 4096; n *= 8) {
            struct tw_fft_cuda_lines l = {1, -1, kind, TW_FFT_DCT2, n, 1000, n, n, 1}, none = l;
            int faster;

            none.n = 100;
            assert_int_equal(is_faster(&none), 0);
            faster = is_faster(&l);
            assert_int_equal(is_faster(&l), faster);
            assert_int_equal(tw_fft_cuda_small_chosen(&q, &l, NULL, NULL), faster);
            printf("kind %d n %lld: %s\n", kind, (long long)n, faster ? "ours" : "cuFFT's");
        }
}

/* ---- by plans, of arrays in main memory and on the GPU (where run-test.sh has not hidden it from the library) ---- */

static void by_plans(void **state)
{
    static const tw_int shapes[][5] = {
        {1, 64, 1, 1, 600}, {1, 100, 1, 1, 90}, {2, 12, 10, 1, 5}, {2, 33, 20, 1, 1}, {3, 6, 10, 8, 4}};
    (void)state;
    setenv("TILEWORK_FFT_PLACE", "gpu", 1);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (int kind = TW_FFT_C2C; kind <= TW_FFT_R2R; kind++)
            for (int way = 0; way < 4; way++) {
                const tw_int *s = shapes[k];
                const enum tw_type type = way % 2 ? TW_FLOAT : TW_DOUBLE;
                struct fft_case c = way < 2 ? dense_case(type, kind, (int)s[0], s[1], s[2], s[3], s[4])
                                            : in_place_case(type, kind, (int)s[0], s[1], s[2], s[3], s[4]);
                c.path = TW_FFT_TASKS;
                c.norm = way < 2 ? TW_FFT_BY_N : TW_FFT_UNSCALED;
                for (int d = 0; d < c.rank; d++)
                    c.r2r[d] = (enum tw_fft_r2r)((k + (size_t)way * 4 + (size_t)d * 5) % 9);
                check_case(&c);
            }
    unsetenv("TILEWORK_FFT_PLACE");
}

static void device_arrays(void **state)
{
    static const struct {
        enum tw_fft_kind kind;
        enum tw_fft_r2r r2r;
        tw_int n;
    } jobs[] = {{TW_FFT_R2R, TW_FFT_DCT2, 256},
                {TW_FFT_R2R, TW_FFT_DST3, 100},
                {TW_FFT_R2R, TW_FFT_DHT, 64},
                {TW_FFT_C2C, 0, 128}};
    (void)state;
    if (!tw_is_running() && tw_init(NULL)) fail_msg("%s", tw_last_message());
    for (int k = 0; k < 8 && tw_gpus() > 0; k++) {
        const int single = k % 2, skew = k / 2 == 0; /* the first so aligned that our kernels cannot be used */
        const tw_int n = jobs[k / 2].n, rows = 300, reals = jobs[k / 2].kind == TW_FFT_C2C ? 2 : 1;
        const size_t size = single ? 4 : 8, bytes = size * (size_t)(n * rows * reals);
        char *host = malloc(bytes), *want = malloc(bytes), *x, *y;
        uint64_t seed = 7;
        double d = 0, sum = 0;
        tw_fft_options o;
        tw_fft *plan;

        tw_fft_options_init(&o);
        o.r2r[0] = jobs[k / 2].r2r;
        for (tw_int i = 0; i < n * rows * reals; i++)
            if (single)
                ((float *)host)[i] = (float)uniform(&seed);
            else
                ((double *)host)[i] = uniform(&seed);
        CUDA_OK(cudaMalloc((void **)&x, bytes + 16));
        CUDA_OK(cudaMalloc((void **)&y, bytes + 16));
        x += skew ? size : 0, y += skew ? size : 0;
        CUDA_OK(cudaMemcpy(x, host, bytes, cudaMemcpyHostToDevice));
        if (tw_fft_plan(&plan, single ? TW_FLOAT : TW_DOUBLE, jobs[k / 2].kind, 1, &n, rows, TW_FFT_FORWARD, &o) ||
            tw_fft_execute(plan, x, y))
            fail_msg("%s", tw_last_message());
        tw_fft_destroy(plan);
        o.path = TW_FFT_DIRECT;
        if (tw_fft_plan(&plan, single ? TW_FLOAT : TW_DOUBLE, jobs[k / 2].kind, 1, &n, rows, TW_FFT_FORWARD, &o) ||
            tw_fft_execute(plan, host, want))
            fail_msg("%s", tw_last_message());
        tw_fft_destroy(plan);
        CUDA_OK(cudaMemcpy(host, y, bytes, cudaMemcpyDeviceToHost));
        for (tw_int i = 0; i < n * rows * reals; i++) {
            double a = single ? (double)((float *)host)[i] : ((double *)host)[i],
                   b = single ? (double)((float *)want)[i] : ((double *)want)[i];
            d += (a - b) * (a - b), sum += b * b;
        }
        if (!(sqrt(d / sum) <= (single ? 1e-6 : 1e-14))) fail_msg("job %d differs by %g", k, sqrt(d / sum));
        CUDA_OK(cudaFree(x - (skew ? size : 0)));
        CUDA_OK(cudaFree(y - (skew ? size : 0)));
        free(want);
        free(host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(complex_kernels), cmocka_unit_test(real_kernels),
                                       cmocka_unit_test(any_length),      cmocka_unit_test(several_dimensions),
                                       cmocka_unit_test(chosen),          cmocka_unit_test(by_plans),
                                       cmocka_unit_test(device_arrays)};
    cudaStream_t stream;
    int gpus = 0;

    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
        printf("skipped: no GPU\n");
        return 77;
    }
    if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
    cuda.stream = stream;
    q = tw_fft_gpu_of(&cuda);
    return cmocka_run_group_tests(tests, NULL, NULL) + tw_finalize();
}
#endif
