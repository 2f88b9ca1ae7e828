/* Clock, medians, inputs, LAPACK by type, and the record of machine, date, commit and command. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tilework/lapack.h>

#include "bench/bench.h"
#include "checks/scaled.h"
#include "tw_config.h"

double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

double bench_median(int count, double *v)
{
    qsort(v, (size_t)count, sizeof *v, ascending);
    return count % 2 ? v[count / 2] : (v[count / 2 - 1] + v[count / 2]) / 2;
}

/* The cores of this process; without GPUs (STARPU_NCUDA=0) no more than STARPU_NCPU leaves StarPU, so that peers get no
 * more threads than Tilework has workers. */
int bench_cores(void)
{
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    const char *gpus = getenv("STARPU_NCUDA"), *most = getenv("STARPU_NCPU");
    const int workers = most && gpus && atoi(gpus) == 0 ? atoi(most) : cores;
    return workers > 0 && workers < cores ? workers : cores;
}

void bench_blas_threads(int threads)
{
    openblas_set_num_threads(threads);
}

size_t bench_sizeof(enum tw_type type)
{
    return tw_type_size(type);
}

double bench_potrf_flops(enum tw_type type, double n)
{
    return (n * n * n / 3 + n * n / 2 + n / 6) * (tw_type_is_complex(type) ? 4 : 1);
}

double bench_gemm_flops(enum tw_type type, double n)
{
    return 2 * n * n * n * (tw_type_is_complex(type) ? 4 : 1);
}

double bench_largest(const struct bench_options *o)
{
    double most = 0;
    for (int i = 0; i < o->sizes; i++)
        most = fmax(most, (double)o->n[i] * (double)o->n[i] * (double)bench_sizeof(o->type));
    return most;
}

double bench_eps(enum tw_type type)
{
    return tw_type_eps(type);
}

int bench_fail(const char *format, ...)
{
    va_list list;
    fflush(stdout);
    fputs("tilework-bench: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return 1;
}

int bench_start(const struct bench_options *o)
{
    tw_options options;
    int e;

    tw_options_init(&options);
    options.nb = o->nb;
    options.progress = 0;
    e = tw_init(&options);
    return e ? bench_fail("starting: %s", tw_last_message()) + (e == TW_E_OPTION || e == TW_E_MEMORY) : 0;
}

int bench_kind_wrong(const struct bench_options *o, tw_int rows)
{
    int e = 0;

    for (int i = 0; i < o->sizes && !e; i++) {
        tw_generator *g = NULL;
        if (tw_generator_create(&g, o->kind, o->type, rows ? rows : o->n[i], o->n[i], 1))
            e = bench_fail("--kind %s: %s", o->kind, tw_last_message()) + 1;
        tw_generator_destroy(g);
    }
    return e;
}

int bench_too_large(double bytes)
{
    tw_machine m;

    if (tw_machine_info(&m) || bytes <= (double)m.host_memory) return 0;
    return bench_fail("matrices and arrays of all contestants need %.1f GiB of main memory; the limit is %.1f "
                      "(TILEWORK_HOST_MEMORY)",
                      bytes / 0x1p30, (double)m.host_memory / 0x1p30) +
           1;
}

void *bench_alloc(double bytes)
{
    void *p = bytes < 9e18 ? malloc(bytes > 0 ? (size_t)bytes : 1) : NULL;
    if (!p) exit(bench_fail("not enough memory: %.0f bytes", bytes) + 1);
    return p;
}

void bench_rest(void)
{
    const struct timespec t = {0, 100000000};
    nanosleep(&t, NULL);
}

/* Small numbers that depend on (i, j) only, and n on the diagonal. */
void bench_fill_spd(enum tw_type type, tw_int n, void *a)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < n; i++) {
            uint64_t h = ((uint64_t)(i < j ? i : j) << 32 | (uint64_t)(i < j ? j : i)) * 0x9e3779b97f4a7c15ull;
            double v = (double)((h ^ h >> 29) >> 11) * 0x1p-53 - 0.5, w = i == j ? 0 : (i > j ? v : -v) / 2;
            size_t at = (size_t)(i + j * n);
            if (i == j) v += (double)n;
            switch (type) {
            case TW_FLOAT: ((float *)a)[at] = (float)v; break;
            case TW_DOUBLE: ((double *)a)[at] = v; break;
            case TW_COMPLEX_FLOAT:
                ((float *)a)[2 * at] = (float)v;
                ((float *)a)[2 * at + 1] = (float)w;
                break;
            default:
                ((double *)a)[2 * at] = v;
                ((double *)a)[2 * at + 1] = w;
                break;
            }
        }
}

int bench_lapack_potrf(enum tw_type type, tw_int n, void *a)
{
    const int m = (int)n;
    switch (type) {
    case TW_FLOAT: return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'L', m, a, m);
    case TW_DOUBLE: return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, a, m);
    case TW_COMPLEX_FLOAT: return LAPACKE_cpotrf_work(LAPACK_COL_MAJOR, 'L', m, a, m);
    default: return LAPACKE_zpotrf_work(LAPACK_COL_MAJOR, 'L', m, a, m);
    }
}

tw_int bench_tilework_potrf(enum tw_type type, tw_int n, void *a)
{
    switch (type) {
    case TW_FLOAT: return tw_spotrf('L', n, a, n);
    case TW_DOUBLE: return tw_dpotrf('L', n, a, n);
    case TW_COMPLEX_FLOAT: return tw_cpotrf('L', n, a, n);
    default: return tw_zpotrf('L', n, a, n);
    }
}

double bench_difference(enum tw_type type, tw_int n, const void *x, const void *y)
{
    int single = type == TW_FLOAT || type == TW_COMPLEX_FLOAT;
    tw_int parts = type >= TW_COMPLEX_FLOAT ? 2 : 1;
    double most = 0, largest = 0;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = j * parts; i < n * parts; i++) {
            size_t at = (size_t)(i + j * n * parts);
            double a = single ? (double)((const float *)x)[at] : ((const double *)x)[at];
            double b = single ? (double)((const float *)y)[at] : ((const double *)y)[at];
            most = check_worse(most, fabs(a - b));
            if (fabs(a) > largest) largest = fabs(a);
        }
    return largest > 0 ? most / largest : most;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

void bench_put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value)) bench_fail("--json: no memory for %s", key);
}

json_t *bench_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *machine(void)
{
    tw_machine m;
    int e = tw_machine_info(&m);

    if (e) {
        bench_fail("%s: %s", tw_strerror(e), tw_last_message());
        return json_null();
    }
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:s}", "cpu", m.cpu_name, "cores", m.cores, "gpu",
                     m.cuda_devices ? m.gpu_name : "none", "blas_core", m.blas_core, "openblas", TW_OPENBLAS_VERSION,
                     "starpu", m.starpu_version, "cpu_workers", m.cpu_workers, "cuda_workers", m.cuda_workers,
                     "cuda_devices", m.cuda_devices, "sched", m.sched);
}

json_t *bench_record(const struct bench_options *o, const char *name)
{
    char date[64] = "", command[2048] = "tilework bench";
    time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    for (int i = 1; i < o->argc; i++) {
        size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, " %s", o->argv[i]);
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "bench", name, "date", date, "commit", TW_GIT_COMMIT, "command",
                     command, "machine", machine());
}

void bench_print(const struct bench_options *o, json_t *record)
{
    if (o->json) {
        if (!record || json_dumpf(record, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0)
            bench_fail("--json: could not be written");
        putchar('\n');
    }
    fflush(stdout);
    json_decref(record);
}
