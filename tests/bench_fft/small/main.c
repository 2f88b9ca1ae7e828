/* tilework-bench-fft-small: batches of short transforms on one GPU, data there: our kernels beside cuFFT, for real to
 * real transforms beside cuFFT with a pass before and one behind it, in one run.
 *
 *   tilework-bench-fft-small [--mib M] [--repeat R] [--type s|d] [KINDS…]     KINDS: c2c r2c c2r dct1 … dst4 dht; n =
 *   64 … 4096
 *
 * One JSON object per kind, type and n: medians of R (9) runs on arrays of M MiB (1024), each timed by events on the
 * stream: `seconds` of our kernel, `peer_seconds` of cuFFT with its passes, `ratio` theirs over ours, `execute_seconds`
 * of tw_fft_execute on the same device arrays by the host's clock, which uses whichever the plan has found faster
 * (`chosen`). The results are compared (`difference`, relative, 2-norm, of the first 16 MiB). */
#include <cuda_runtime.h>
#include <cufft.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tilework/runtime.h>
#include "cli/words.h"
#include "codelets/fft/gpu.h"
#include "kernels/fft/cuda/real.h"
#include "kernels/fft/cuda/small.h"

#define MAX_REPEAT 101

static struct tw_fft_gpu q;
static cudaEvent_t begin, end;
static int repeat = 9;
static size_t array_bytes = (size_t)1 << 30;

static void cuda(const char *call, cudaError_t e)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(e));
    exit(1);
}
static void fft(const char *call, cufftResult e)
{
    if (e == CUFFT_SUCCESS) return;
    fprintf(stderr, "%s: status %d\n", call, (int)e);
    exit(1);
}
static void ours(const char *call, int e)
{
    if (!e) return;
    fprintf(stderr, "%s: %s\n", call, tw_last_message());
    exit(1);
}
#define CUDA(call) cuda(#call, call)
#define FFT(call)  fft(#call, call)
#define OURS(call) ours(#call, call)

/* ---- what is timed ----------------------------------------------------------------------------------------------- */

struct job {
    struct tw_fft_cuda_lines lines;
    struct tw_fft_cuda_around around;
    cufftHandle plan; /* not real to real */
    tw_fft *library;
    void *in, *out, *peer, *work;
    size_t work_bytes, in_bytes, out_bytes;
};

static void run_ours(struct job *j)
{
    OURS(tw_fft_cuda_small(&q, &j->lines, j->in, j->out));
}
static void run_peer(struct job *j)
{
    const int forward = j->lines.sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;

    if (j->lines.kind == TW_FFT_R2R)
        OURS(tw_fft_cuda_around(&q, &j->around, j->in, j->peer, j->work, j->work_bytes));
    else if (j->lines.kind == TW_FFT_C2C && j->lines.single)
        FFT(cufftExecC2C(j->plan, j->in, j->peer, forward));
    else if (j->lines.kind == TW_FFT_C2C)
        FFT(cufftExecZ2Z(j->plan, j->in, j->peer, forward));
    else if (j->lines.kind == TW_FFT_R2C && j->lines.single)
        FFT(cufftExecR2C(j->plan, j->in, j->peer));
    else if (j->lines.kind == TW_FFT_R2C)
        FFT(cufftExecD2Z(j->plan, j->in, j->peer));
    else if (j->lines.single)
        FFT(cufftExecC2R(j->plan, j->in, j->peer));
    else
        FFT(cufftExecZ2D(j->plan, j->in, j->peer));
}
static void run_library(struct job *j)
{
    OURS(tw_fft_execute(j->library, j->in, j->out));
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* By events on the stream, or (the library, which waits for its task) by the host's clock. */
static double median(struct job *j, void (*run)(struct job *), int on_stream)
{
    double seconds[MAX_REPEAT];

    for (int k = -1; k < repeat; k++) { /* the first loads the kernels */
        struct timespec a, b;
        float ms = 0;
        clock_gettime(CLOCK_MONOTONIC, &a);
        if (on_stream) CUDA(cudaEventRecord(begin, (cudaStream_t)q.stream));
        run(j);
        if (on_stream) {
            CUDA(cudaEventRecord(end, (cudaStream_t)q.stream));
            CUDA(cudaEventSynchronize(end));
            CUDA(cudaEventElapsedTime(&ms, begin, end));
        }
        clock_gettime(CLOCK_MONOTONIC, &b);
        if (k >= 0)
            seconds[k] = on_stream ? 1e-3 * ms : (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    }
    qsort(seconds, (size_t)repeat, sizeof *seconds, ascending);
    return seconds[repeat / 2];
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

#define PART ((size_t)16 << 20)

/* The same part of random numbers again and again; half-complex rows that belong to real ones are made by a
 * transform. */
static void fill(struct job *j)
{
    const size_t part = j->in_bytes < PART ? j->in_bytes : PART;
    char *host = malloc(part);
    unsigned long long z = 1;

    if (!host) exit(fprintf(stderr, "no memory\n"));
    for (size_t k = 0; k < part / (j->lines.single ? 4 : 8); k++) {
        double x = (double)(long long)(z = z * 6364136223846793005ULL + 1442695040888963407ULL) * 0x1p-63;
        if (j->lines.single)
            ((float *)host)[k] = (float)x;
        else
            ((double *)host)[k] = x;
    }
    CUDA(cudaMemcpy(j->in, host, part, cudaMemcpyHostToDevice));
    for (size_t at = part; at < j->in_bytes; at += part)
        CUDA(cudaMemcpy((char *)j->in + at, j->in, j->in_bytes - at < part ? j->in_bytes - at : part,
                        cudaMemcpyDeviceToDevice));
    free(host);
    if (j->lines.kind == TW_FFT_C2R) {
        struct job f = {.lines = j->lines, .in = j->out, .peer = j->in};
        int n = (int)j->lines.n;
        f.lines.kind = TW_FFT_R2C;
        CUDA(cudaMemcpy(j->out, j->in, j->out_bytes, cudaMemcpyDeviceToDevice));
        FFT(cufftPlanMany(&f.plan, 1, &n, NULL, 1, 0, NULL, 1, 0, f.lines.single ? CUFFT_R2C : CUFFT_D2Z,
                          (int)f.lines.rows));
        FFT(cufftSetStream(f.plan, (cudaStream_t)q.stream));
        run_peer(&f);
        CUDA(cudaStreamSynchronize((cudaStream_t)q.stream));
        FFT(cufftDestroy(f.plan));
    }
}

static double difference(const struct job *j)
{
    const size_t part = j->out_bytes < PART ? j->out_bytes : PART;
    char *a = malloc(part), *b = malloc(part);
    double d = 0, n = 0;

    if (!a || !b) exit(fprintf(stderr, "no memory\n"));
    CUDA(cudaMemcpy(a, j->out, part, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(b, j->peer, part, cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < part / (j->lines.single ? 4 : 8); k++) {
        double x = j->lines.single ? (double)((float *)a)[k] : ((double *)a)[k],
               y = j->lines.single ? (double)((float *)b)[k] : ((double *)b)[k];
        d += (x - y) * (x - y), n += y * y;
    }
    free(a);
    free(b);
    return sqrt(d / n);
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"c2c",  "r2c",  "c2r",  "dct1", "dct2", "dct3",
                                    "dct4", "dst1", "dst2", "dst3", "dst4", "dht"};
enum { NAMES = sizeof names / sizeof *names };

static void prepare(struct job *j, int name, int single, tw_int n)
{
    static const cufftType types[3][2] = {{CUFFT_Z2Z, CUFFT_C2C}, {CUFFT_D2Z, CUFFT_R2C}, {CUFFT_Z2D, CUFFT_C2R}};
    const enum tw_fft_kind kind = name < 3 ? (enum tw_fft_kind)name : TW_FFT_R2R;
    const size_t real = single ? 4 : 8;
    tw_fft_options o;
    int length;

    tw_fft_options_init(&o);
    memset(j, 0, sizeof *j);
    if (kind == TW_FFT_R2R) o.r2r[0] = (enum tw_fft_r2r)(name - 3);
    if (kind == TW_FFT_R2R && o.r2r[0] == TW_FFT_DCT1) n++;
    if (kind == TW_FFT_R2R && o.r2r[0] == TW_FFT_DST1) n--;
    length = (int)n;
    j->lines = (struct tw_fft_cuda_lines){single, -1, kind, o.r2r[0], n, 0, n, n, 1};
    if (kind == TW_FFT_R2C) j->lines.ld_out = n / 2 + 1;
    if (kind == TW_FFT_C2R) j->lines.ld_in = n / 2 + 1;
    j->lines.rows = (tw_int)(array_bytes / (real * (size_t)n * (kind == TW_FFT_C2C ? 2 : 1)));
    j->in_bytes = real * (size_t)(j->lines.ld_in * j->lines.rows) * (kind == TW_FFT_C2C || kind == TW_FFT_C2R ? 2 : 1);
    j->out_bytes =
        real * (size_t)(j->lines.ld_out * j->lines.rows) * (kind == TW_FFT_C2C || kind == TW_FFT_R2C ? 2 : 1);
    CUDA(cudaMalloc(&j->in, j->in_bytes));
    CUDA(cudaMalloc(&j->out, j->out_bytes));
    CUDA(cudaMalloc(&j->peer, j->out_bytes));
    OURS(tw_fft_cuda_small_plan(&q, &j->lines));
    if (kind == TW_FFT_R2R) {
        j->around = (struct tw_fft_cuda_around){single, o.r2r[0], n, j->lines.rows, 1, 1, n, 1};
        OURS(tw_fft_cuda_around_plan(&q, &j->around, &j->work_bytes));
        CUDA(cudaMalloc(&j->work, j->work_bytes + 1));
    } else {
        FFT(cufftPlanMany(&j->plan, 1, &length, NULL, 1, 0, NULL, 1, 0, types[kind][single], (int)j->lines.rows));
        FFT(cufftSetStream(j->plan, (cudaStream_t)q.stream));
    }
    OURS(tw_fft_plan(&j->library, single ? TW_FLOAT : TW_DOUBLE, kind, 1, &n, j->lines.rows, -1, &o));
    fill(j);
}

static int measure(int name, int single, tw_int n, const char *gpu)
{
    struct job j;
    double own, peer, library, off;
    int chosen;
    json_t *o;

    prepare(&j, name, single, n);
    library = median(&j, run_library, 0);
    chosen = tw_fft_cuda_small_chosen(&q, &j.lines, j.in, j.out);
    CUDA(cudaMemset(j.out, 0xff, j.out_bytes));
    own = median(&j, run_ours, 1);
    peer = median(&j, run_peer, 1); /* last: cuFFT may overwrite the input of C2R */
    if (j.lines.kind == TW_FFT_C2R) {
        fill(&j);
        run_ours(&j);
        run_peer(&j);
        CUDA(cudaStreamSynchronize((cudaStream_t)q.stream));
    }
    off = difference(&j);
    o = json_pack("{s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:s, s:f, s:s}", "bench", "fft-small", "kind",
                  names[name], "type", single ? "s" : "d", "n", (json_int_t)j.lines.n, "rows", (json_int_t)j.lines.rows,
                  "seconds", own, "peer_seconds", peer, "ratio", peer / own, "gbytes_per_second",
                  1e-9 * (double)(j.in_bytes + j.out_bytes) / own, "execute_seconds", library, "chosen",
                  chosen ? "ours" : "cufft", "difference", off, "gpu", gpu);
    json_dumpf(o, stdout, 0);
    puts("");
    fflush(stdout);
    json_decref(o);
    tw_fft_destroy(j.library);
    if (j.lines.kind != TW_FFT_R2R) FFT(cufftDestroy(j.plan));
    CUDA(cudaFree(j.in));
    CUDA(cudaFree(j.out));
    CUDA(cudaFree(j.peer));
    CUDA(cudaFree(j.work));
    if (off < (single ? 1e-6 : 1e-14)) return 0;
    fprintf(stderr, "%s: the two results differ\n", names[name]);
    return 1;
}

static const char help[] =
    "usage: tilework-bench-fft-small [--mib M] [--repeat R] [--type s|d] [c2c r2c c2r dct1 … dst4 dht]\n";

static int usage(void)
{
    fputs(help, stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct cudaDeviceProp device;
    int wanted[NAMES] = {0}, any = 0, types = 3, failed = 0, gpus = 0;
    cudaStream_t stream;

    if (cli_word_answered(argc, argv, "tilework-bench-fft-small", help)) return 0;
    for (int k = 1; k < argc; k++) {
        int found = 0;
        if (!strncmp(argv[k], "--", 2)) {
            if (k + 1 == argc) return usage();
            if (!strcmp(argv[k], "--mib"))
                array_bytes = (size_t)atoll(argv[++k]) << 20;
            else if (!strcmp(argv[k], "--repeat"))
                repeat = atoi(argv[++k]);
            else if (!strcmp(argv[k], "--type"))
                types = *argv[++k] == 's' ? 1 : *argv[k] == 'd' ? 2 : 0;
            else
                return usage();
            continue;
        }
        for (int name = 0; name < NAMES; name++)
            if (!strcmp(argv[k], names[name])) wanted[name] = any = found = 1;
        if (!found) return usage();
    }
    if (repeat < 1 || repeat > MAX_REPEAT || array_bytes == 0 || array_bytes > (size_t)1 << 34 || types == 0)
        return usage();
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) return fprintf(stderr, "there is no GPU\n"), 77;
    OURS(tw_init(NULL));
    CUDA(cudaSetDevice(0));
    CUDA(cudaGetDeviceProperties(&device, 0));
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    q = tw_fft_gpu_of(&(struct tw_cuda){.stream = stream});
    for (int name = 0; name < NAMES; name++)
        for (tw_int n = 64; n <= 4096 && (wanted[name] || !any); n *= 2)
            for (int single = 1; single >= 0; single--)
                if (types & (single ? 1 : 2)) failed |= measure(name, single, n, device.name);
    return tw_finalize() || failed;
}
