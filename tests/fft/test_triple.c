/* One large transform in three stages: the CUDA kernel of a stage, run on the host and, where there is one, on a GPU,
 * beside the CPU's; the whole through a piece of main memory and through a GPU, beside the plan's own way on the
 * CPUs. */
#include "arrays.h"
#include "algorithms/fft/fft_plan.h"
#include "kernels/fft/cpu/fft_cpu.h"
#ifdef TILEWORK_CUDA
#include "codelets/fft/gpu.h"
#include "cuda_ok.h"
#include "kernels/fft/cuda/fft_cuda.h"
#include "stage_host.h"

static void stage_on_gpu(int single, const struct tw_fft_stage *s, const void *in, void *out, size_t bytes)
{
    cudaStream_t stream;
    struct tw_cuda cuda = {0};
    struct tw_fft_gpu q;
    void *x, *y;

    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cuda.stream = stream;
    q = tw_fft_gpu_of(&cuda);
    CUDA_OK(cudaMalloc(&x, bytes));
    CUDA_OK(
        cudaMemcpyAsync(x, in, bytes, cudaMemcpyHostToDevice, stream)); /* cudaMemcpy: not ordered with this stream */
    y = x;
    if (in != out) {
        CUDA_OK(cudaMalloc(&y, bytes));
        CUDA_OK(cudaMemcpyAsync(y, out, bytes, cudaMemcpyHostToDevice, stream));
    }
    if (tw_fft_cuda_stage_plan(&q, single, s->n) || tw_fft_cuda_stage(&q, single, s, x, y))
        fail_msg("%s", tw_last_message());
    CUDA_OK(cudaMemcpyAsync(out, y, bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    if (x != y) CUDA_OK(cudaFree(y));
    CUDA_OK(cudaFree(x));
    CUDA_OK(cudaStreamDestroy(stream));
}

static void cuda_stage(int on_gpu, int single, const struct tw_fft_stage *s, const void *in, void *out, size_t bytes)
{
    if (on_gpu)
        stage_on_gpu(single, s, in, out, bytes);
    else
        stage_on_host(single, s, in, out);
}

static const struct tw_fftw *plan_of(const struct tw_fft_cpu_kernels *k, tw_int n, int sign)
{
    const struct tw_fftw_problem q = {
        .rank = 1, .sign = sign, .dim = {{n, 1, 1}}, .in_place = 1, .aligned = 1, .rigor = TW_FFT_ESTIMATE};
    const struct tw_fftw *plan = k->plan(&q, 1);

    assert_non_null(plan);
    return plan;
}

static void one_stage(int on_gpu, int single, const struct tw_fft_stage *s, size_t elements,
                      const struct tw_fft_roots *roots)
{
    const struct tw_fft_cpu_kernels *k = tw_fft_cpu[!single];
    const struct tw_fftw *plan = plan_of(k, s->n, s->sign);
    const size_t bytes = elements * k->bytes;
    char *x = numbers(single, bytes), *want = calloc(1, bytes), *got = calloc(1, bytes);
    const double bound = single ? 1e-6 : 2e-15;

    assert_true(want && got);
    assert_int_equal(k->stage(s, plan, roots, x, want), 0);
    cuda_stage(on_gpu, single, s, x, got, bytes); /* gaps stay 0 on both sides */
    if (!(distance(single, got, want, bytes) < bound))
        fail_msg("stage of %lld points, sign %d: %.3g", (long long)s->n, s->sign, distance(single, got, want, bytes));
    if (!memcmp(&s->in, &s->out, sizeof s->in)) {
        cuda_stage(on_gpu, single, s, x, x, bytes);
        for (tw_int row = 0; row < s->n * s->outer; row++)
            assert_memory_equal(x + (size_t)(row * s->in.point) * k->bytes,
                                got + (size_t)(row * s->in.point) * k->bytes, (size_t)s->cols * k->bytes);
    }
    k->release(plan);
    free(x), free(want), free(got);
}

/* Columns that fill no block, groups of them, gaps; from lines to columns. */
static void kernels(void **state)
{
    (void)state;
    for (int on_gpu = 0; on_gpu <= (tw_gpus() > 0); on_gpu++)
        for (int single = 0; single < 2; single++)
            for (tw_int n = 256; n <= 2048; n *= 2)
                for (int sign = -1; sign <= 1; sign += 2) {
                    const tw_int N = n * 4096;
                    struct tw_fft_stage s = {
                        .n = n, .cols = 11, .outer = 2, .roots = N, .first = 37, .sign = sign, .scale = 0.5};
                    struct tw_fft_roots roots;

                    assert_int_equal(tw_fft_roots_prepare(&roots, 2 * N), 0); /* of a multiple */
                    s.in = s.out = (struct tw_fft_layout){13, 1, 13 * n};
                    one_stage(on_gpu, single, &s, (size_t)(26 * n), &roots);
                    s.in = (struct tw_fft_layout){1, 2 * n, n}, s.out = (struct tw_fft_layout){22, 1, 11}, s.roots = 0;
                    one_stage(on_gpu, single, &s, (size_t)(22 * n), &roots);
                    tw_fft_roots_release(&roots);
                }
}
#endif

struct job {
    struct tw_fft *p;
    void *x, *y;
    int on_cpus, tasks;
};

static void loop(struct tw_sequence *seq, void *args)
{
    struct job *j = args;
    j->tasks = tw_fft_triple(seq, j->p, j->x, j->y, j->p->scale, j->on_cpus);
}

static void against_plan(int single, tw_int n, int sign, int in_place, int on_cpus)
{
    struct job j = {.on_cpus = on_cpus};
    tw_fft_options o;
    size_t bytes;
    void *want;

    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    o.norm = sign > 0 ? TW_FFT_BY_N : TW_FFT_UNSCALED;
    assert_int_equal(tw_fft_plan(&j.p, single ? TW_FLOAT : TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, sign, &o), 0);
    assert_ptr_equal(j.p->method, &tw_fft_by_six_steps);
    assert_int_equal(tw_fft_triple_suits(j.p), n >= 1 << 24);
    bytes = j.p->in_bytes;
    j.x = numbers(single, bytes), want = numbers(single, bytes);
    j.y = in_place ? j.x : numbers(single, bytes);
    assert_int_equal(tw_fft_execute(j.p, want, want), 0);
    assert_int_equal(tw_call("triple", loop, &j, 0), 0);
    assert_true(j.tasks >= 9 && j.tasks <= 31);
    if (!(distance(single, j.y, want, bytes) < (single ? 1e-6 : 4e-15)))
        fail_msg("%lld points: %.3g", (long long)n, distance(single, j.y, want, bytes));
    tw_fft_destroy(j.p);
    if (!in_place) free(j.y);
    free(want), free(j.x);
}

static void transforms(void **state)
{
    (void)state;
    for (int single = 0; single < 2; single++) {
        for (int m = 8; m <= 19; m++)
            against_plan(single, (tw_int)1 << m, m % 2 ? 1 : -1, m % 3 == 0, 1);
        for (int m = 24; m <= 25 && tw_gpus() > 0; m++)
            against_plan(single, (tw_int)1 << m, m % 2 ? 1 : -1, m % 2, 0);
    }
}

/* What an execution takes: with one GPU, three stages from 256 MiB on. */
static void the_way_taken(void **state)
{
    const tw_int n = (tw_int)1 << 24;
    tw_fft *p;
    tw_fft_info info;
    void *x;

    (void)state;
    if (tw_gpus() != 1) skip();
    x = tw_fft_alloc((size_t)n * 16);
    assert_non_null(x);
    memset(x, 0, (size_t)n * 16);
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, TW_FFT_FORWARD, NULL), 0);
    setenv("TILEWORK_FFT_PLACE", "gpu", 1);
    assert_int_equal(tw_fft_execute(p, x, x), 0);
    setenv("TILEWORK_FFT_PLACE", "cpu", 1);
    assert_int_equal(tw_fft_get_info(p, &info), 0);
    assert_int_equal(info.tasks, 31);
    tw_fft_destroy(p);
    tw_fft_free(x, (size_t)n * 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TILEWORK_CUDA
        cmocka_unit_test(kernels),
#endif
        cmocka_unit_test(transforms), cmocka_unit_test(the_way_taken)};
    int failed;

    setenv("TILEWORK_FFT_PLACE", "cpu", 1); /* what is compared with */
    if (tw_init(NULL)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() || failed;
}
