/* The machine profile: probed once in at most about 3 s, kept as JSON in the cache directory. */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "runtime/file.h"
#include "runtime/internal.h"
#ifdef TILEWORK_CUDA
#include <cuda_runtime_api.h>
#endif

#define PROFILE_VERSION 2

/* CPU orders avoid powers of two: columns 4 KiB apart share cache sets, which halves a gemm of order 512 (tiles are padded
 * against that in matrix.c). */
const int tw_profile_size_cpu[TW_PROFILE_SIZES] = {32, 72, 136, 264, 520};
const int tw_profile_size_cuda[TW_PROFILE_SIZES] = {256, 512, 1024, 2048, 4096};
struct tw_profile tw_profile;

static tw_probe_fn probe;
void tw_profile_register_probe(tw_probe_fn p)
{
    probe = p;
}

static const char *const rate_names[TW_NRATES] = {"gemm", "syrk", "trsm", "trmm", "potrf", "tri", "memory"};
static const char *const type_names[TW_NTYPES] = {"s", "d", "c", "z"};

double tw_profile_flops(enum tw_rate rate, enum tw_type type, double n)
{
    double f = n * n * n;
    switch (rate) {
    case TW_RATE_GEMM: f *= 2; break;
    case TW_RATE_SYRK:
    case TW_RATE_TRSM:
    case TW_RATE_TRMM: break;
    case TW_RATE_POTRF:
    case TW_RATE_TRI: f /= 3; break;
    default: return 2 * n * n * (double)tw_sizeof(type); /* bytes: one read, one write */
    }
    return f * tw_flop_factor(type);
}

/* ---- defaults: shapes seen on the machines at hand, for what a probe does not measure ------------------------------------------- */

static double guess(int is_cuda, enum tw_rate rate, enum tw_type type, double n)
{
    static const double cpu_share[TW_NRATES] = {1, 0.9, 0.8, 0.75, 0.6, 0.4, 0};
    static const double cuda_share[TW_NRATES] = {1, 0.9, 0.4, 0.5, 0.12, 0.1, 0};
    double peak = is_cuda ? 55000 : 40, half = is_cuda ? 690 : 48;
    if (rate == TW_RATE_MEMORY) return is_cuda ? 2000 : 5;
    if (!is_cuda && tw_is_single(type)) peak *= 2;
    return peak * (is_cuda ? cuda_share : cpu_share)[rate] * n * n / (n * n + half * half);
}

static void fill_with_guesses(void)
{
    for (int c = 0; c < 2; c++)
        for (int t = 0; t < TW_NTYPES; t++)
            for (int r = 0; r < TW_NRATES; r++)
                for (int k = 0; k < TW_PROFILE_SIZES; k++)
                    (c ? &tw_profile.cuda : &tw_profile.cpu)->gflops[t][r][k] =
                        guess(c, (enum tw_rate)r, (enum tw_type)t, (c ? tw_profile_size_cuda : tw_profile_size_cpu)[k]);
}

double tw_profile_rate(int is_cuda, enum tw_rate rate, enum tw_type type, double size)
{
    const int *sizes = is_cuda ? tw_profile_size_cuda : tw_profile_size_cpu;
    const double *g = (is_cuda ? &tw_profile.cuda : &tw_profile.cpu)->gflops[type][rate];
    int k = 0;

    if (!tw_profile.valid) return guess(is_cuda, rate, type, size);
    if (size <= sizes[0]) { /* below the table rates fall linearly: the time is that of overheads */
        double share = size > 1 ? size / sizes[0] : 1.0 / sizes[0];
        return g[0] * (rate == TW_RATE_MEMORY ? 1 : share);
    }
    if (size >= sizes[TW_PROFILE_SIZES - 1]) return g[TW_PROFILE_SIZES - 1];
    while (size > sizes[k + 1])
        k++;
    double w = log(size / sizes[k]) / log((double)sizes[k + 1] / sizes[k]);
    return g[k] * (1 - w) + g[k + 1] * w;
}

/* ---- probing -------------------------------------------------------------------------------------------------------------------- */

/* Square operands; `pristine` is refilled on the host and kept beside the others in `source`, so that each run starts from the same. */
struct operands {
    void *pristine, *source, *a, *b, *c, *work;
    size_t bytes, work_bytes;
    int is_cuda;
};

static void put(void *p, enum tw_type type, size_t index, double v)
{
    size_t reals = tw_is_complex(type) ? 2 : 1;
    if (tw_is_single(type))
        ((float *)p)[index * reals] = (float)v;
    else
        ((double *)p)[index * reals] = v;
}

/* Small pseudo-random entries and n on the diagonal: positive definite when only one triangle is looked at. */
static void fill(void *p, enum tw_type type, int n)
{
    uint32_t x = 12345;
    memset(p, 0, (size_t)n * (size_t)n * tw_sizeof(type));
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) {
        x = x * 1664525u + 1013904223u;
        put(p, type, k, (double)x / 4294967296.0 - 0.5);
    }
    for (int k = 0; k < n; k++)
        put(p, type, (size_t)k * (size_t)n + (size_t)k, n);
}

static void operands_free(struct operands *o)
{
#ifdef TILEWORK_CUDA
    if (o->is_cuda) { /* a failure here was a failure before: nothing else to be done with it */
        (void)cudaFree(o->source), (void)cudaFree(o->a), (void)cudaFree(o->b), (void)cudaFree(o->c),
            (void)cudaFree(o->work);
    } else
#endif
        free(o->a), free(o->b), free(o->c), free(o->work);
    free(o->pristine);
    memset(o, 0, sizeof *o);
}

static int operands_make(struct operands *o, int is_cuda, int largest)
{
    memset(o, 0, sizeof *o);
    o->is_cuda = is_cuda;
    o->bytes = (size_t)largest * (size_t)largest * 16;
    o->work_bytes = 2 * o->bytes;
    o->pristine = malloc(o->bytes);
#ifdef TILEWORK_CUDA
    if (is_cuda)
        return o->pristine && cudaMalloc(&o->source, o->bytes) == cudaSuccess &&
               cudaMalloc(&o->a, o->bytes) == cudaSuccess && cudaMalloc(&o->b, o->bytes) == cudaSuccess &&
               cudaMalloc(&o->c, o->bytes) == cudaSuccess && cudaMalloc(&o->work, o->work_bytes) == cudaSuccess;
#endif
    o->a = malloc(o->bytes), o->b = malloc(o->bytes), o->c = malloc(o->bytes), o->work = malloc(o->work_bytes);
    return o->pristine && o->a && o->b && o->c && o->work;
}

static int prepare(const struct operands *o, enum tw_type type, int n)
{
    fill(o->pristine, type, n);
#ifdef TILEWORK_CUDA
    if (o->is_cuda)
        return cudaMemcpy(o->source, o->pristine, (size_t)n * (size_t)n * tw_sizeof(type), cudaMemcpyHostToDevice) ==
               cudaSuccess;
#endif
    return 1;
}

static int copy_in(const struct operands *o, void *to, size_t bytes)
{
#ifdef TILEWORK_CUDA
    if (o->is_cuda) return cudaMemcpy(to, o->source, bytes, cudaMemcpyDeviceToDevice) == cudaSuccess;
#endif
    memcpy(to, o->pristine, bytes);
    return 1;
}

static int settle(const struct tw_cuda *cuda)
{
#ifdef TILEWORK_CUDA
    if (cuda) return cudaStreamSynchronize(cuda->stream) == cudaSuccess;
#endif
    (void)cuda;
    return 1;
}

/* A CPU kernel runs in this thread: its CPU time does not count what other programs take of the core. */
static double stopwatch(const struct tw_cuda *cuda)
{
    struct timespec t;
    if (cuda || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) return tw_now();
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double measure_once(const struct operands *o, const struct tw_cuda *cuda, enum tw_rate rate, enum tw_type type,
                           int n)
{
    size_t bytes = (size_t)n * (size_t)n * tw_sizeof(type);
    double begin;

    if (!copy_in(o, o->a, bytes) || !copy_in(o, o->b, bytes) || !copy_in(o, o->c, bytes) || !settle(cuda)) return -1;
    begin = stopwatch(cuda);
    if (probe(cuda, rate, type, n, o->a, o->b, o->c, o->work, o->work_bytes) != 0 || !settle(cuda)) return -1;
    return stopwatch(cuda) - begin;
}

/* Best of three: the first warms up, and other work on the machine may disturb one or two. */
static double best_of(const struct operands *o, const struct tw_cuda *cuda, enum tw_rate rate, enum tw_type type, int n,
                      double deadline)
{
    double best = -1;
    for (int k = 0; k < 3; k++) {
        double s = measure_once(o, cuda, rate, type, n);
        if (s <= 0) return best;
        if (best < 0 || s < best) best = s;
        if (tw_now() > deadline) break;
    }
    return best;
}

/* Double precision first. What the deadline cuts off keeps its guess, scaled as the kernel's smaller orders were, or as gemm was. */
static void probe_all(int is_cuda, const struct tw_cuda *cuda, double deadline)
{
    static const enum tw_type order[TW_NTYPES] = {TW_DOUBLE, TW_FLOAT, TW_COMPLEX_DOUBLE, TW_COMPLEX_FLOAT};
    struct tw_rates *rates = is_cuda ? &tw_profile.cuda : &tw_profile.cpu;
    const int *sizes = is_cuda ? tw_profile_size_cuda : tw_profile_size_cpu;
    double scale[TW_NRATES];
    struct operands o;

    if (!operands_make(&o, is_cuda, sizes[TW_PROFILE_SIZES - 1])) {
        operands_free(&o);
        return; /* no memory to measure with: the guesses serve */
    }
    for (int r = 0; r < TW_NRATES; r++)
        scale[r] = 1;
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++) {
            int ready = tw_now() < deadline && prepare(&o, order[t], sizes[k]);
            for (int r = 0; r < TW_NRATES; r++) {
                double *g = &rates->gflops[order[t]][r][k], old = *g, s = -1;
                if (ready && tw_now() < deadline) s = best_of(&o, cuda, (enum tw_rate)r, order[t], sizes[k], deadline);
                *g = s > 0 ? tw_profile_flops((enum tw_rate)r, order[t], sizes[k]) / s * 1e-9 : old * scale[r];
                scale[r] = *g / old;
            }
        }
    operands_free(&o);
}

#ifdef TILEWORK_CUDA
#include <starpu_cublas_v2.h>
#include <starpu_cusolver.h>
static void probe_on_gpu(void *arg)
{
    struct tw_cuda cuda = {starpu_cuda_get_local_stream(), starpu_cublas_get_local_handle(),
                           starpu_cusolverDn_get_local_handle()};
    probe_all(1, &cuda, *(double *)arg);
}
static void probe_gpu(double deadline)
{
    unsigned worker = 0;
    while (worker < starpu_worker_get_count() && starpu_worker_get_type((int)worker) != STARPU_CUDA_WORKER)
        worker++;
    if (tw_rt.owns_starpu) starpu_resume();
    starpu_execute_on_specific_workers(probe_on_gpu, &deadline, 1, &worker, "tw_probe");
    if (tw_rt.owns_starpu) starpu_pause();
}
#else
static void probe_gpu(double deadline)
{
    (void)deadline;
}
#endif

/* ---- the file ------------------------------------------------------------------------------------------------------------------- */

static void file_name(char *path, size_t length)
{
    char key[300], gpu[128] = "";
    size_t memory, n;

    if (tw_rt.ncuda) tw_gpu_facts(gpu, sizeof gpu, &memory);
    n = (size_t)snprintf(key, sizeof key, "%.120s-%.30s-%.100s", tw_cpu_name(), tw_blas_core(),
                         tw_rt.ncuda ? gpu : "nogpu");
    for (size_t k = 0; k < n && key[k]; k++)
        if (!isalnum((unsigned char)key[k])) key[k] = '-';
    snprintf(path, length, "%s/profile-%s.json", tw_rt.config.cache_dir, key);
}

static int read_rates(const json_t *root, const char *name, struct tw_rates *rates)
{
    const json_t *all = json_object_get(root, name);
    for (int t = 0; t < TW_NTYPES; t++)
        for (int r = 0; r < TW_NRATES; r++) {
            const json_t *row = json_object_get(json_object_get(all, type_names[t]), rate_names[r]);
            for (int k = 0; k < TW_PROFILE_SIZES; k++) {
                double v = json_number_value(json_array_get(row, (size_t)k));
                if (!(v > 0) || !isfinite(v)) return 0;
                rates->gflops[t][r][k] = v;
            }
        }
    return 1;
}

static int load(const char *path)
{
    struct tw_profile p = tw_profile;
    json_t *root = json_load_file(path, 0, NULL);
    int ok = root && json_integer_value(json_object_get(root, "version")) == PROFILE_VERSION &&
             read_rates(root, "cpu", &p.cpu) && (tw_rt.ncuda == 0 || read_rates(root, "cuda", &p.cuda));
    json_decref(root);
    if (ok) tw_profile = p;
    return ok;
}

static json_t *rates_to_json(const struct tw_rates *rates)
{
    json_t *all = json_object();
    for (int t = 0; t < TW_NTYPES; t++) {
        json_t *type = json_object();
        for (int r = 0; r < TW_NRATES; r++) {
            json_t *row = json_array();
            for (int k = 0; k < TW_PROFILE_SIZES; k++)
                json_array_append_new(row, json_real(rates->gflops[t][r][k]));
            json_object_set_new(type, rate_names[r], row);
        }
        json_object_set_new(all, type_names[t], type);
    }
    return all;
}

static void make_directories(const char *dir)
{
    char path[600];
    snprintf(path, sizeof path, "%s", dir);
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            (void)mkdir(path, 0777); /* exists already, or the file cannot be opened below, which is reported */
            *p = '/';
        }
    (void)mkdir(path, 0777);
}

static void save(const char *path)
{
    struct tw_outfile f;
    json_t *root = json_object();

    json_object_set_new(root, "version", json_integer(PROFILE_VERSION));
    json_object_set_new(root, "cpu", rates_to_json(&tw_profile.cpu));
    if (tw_rt.ncuda) json_object_set_new(root, "cuda", rates_to_json(&tw_profile.cuda));
    make_directories(tw_rt.config.cache_dir);
    if (tw_outfile_open(&f, path) == 0) {
        if (json_dumpf(root, f.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(5)) != 0)
            tw_outfile_abandon(&f);
        else
            (void)tw_outfile_commit(&f); /* logged; the profile is probed again next time */
    }
    json_decref(root);
    tw_clear_message();
}

void tw_profile_load(void)
{
    const char *again = getenv("TILEWORK_REPROBE");
    double begin = tw_now();

    memset(&tw_profile, 0, sizeof tw_profile);
    fill_with_guesses();
    tw_profile.valid = 1;
    if (tw_rt.config.cache_dir[0]) file_name(tw_profile.path, sizeof tw_profile.path);
    if (tw_profile.path[0] && !(again && *again == '1') && load(tw_profile.path)) return;
    if (!probe) return;
    probe_all(0, NULL, begin + 2.0);
    if (tw_rt.ncuda) probe_gpu(tw_now() + 2.5);
    tw_log(TW_LOG_INFO, "machine profile probed in %.2f s", tw_now() - begin);
    if (tw_profile.path[0]) save(tw_profile.path);
}
