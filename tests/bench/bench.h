/* tilework-bench: what its files share. The only program that links the peers Tilework is compared with. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <jansson.h>
#include <tilework/runtime.h>

#define BENCH_MAX_SIZES 32
struct bench_options {
    enum tw_type type;
    tw_int n[BENCH_MAX_SIZES];
    int sizes, repeat, json, lapack, cusolver;
    tw_int tasks, nb;
    double seconds;
    int argc;
    char **argv; /* the whole command line, for the record */
};

double bench_seconds(void);
/* Sorts v. */
double bench_median(int count, double *v);
int bench_cores(void);
void bench_blas_threads(int threads);
size_t bench_sizeof(enum tw_type type);
/* flops of the Cholesky factorization, complex arithmetic counted as such */
double bench_potrf_flops(enum tw_type type, double n);
void *bench_alloc(double bytes); /* exits with a message: a benchmark without memory is over */
void bench_rest(void);           /* lets spinning BLAS threads fall asleep */
/* A diagonally dominant symmetric (hermitian) n x n matrix. */
void bench_fill_spd(enum tw_type type, tw_int n, void *a);
int bench_lapack_potrf(enum tw_type type, tw_int n, void *a);      /* LAPACKE, lower: info */
tw_int bench_tilework_potrf(enum tw_type type, tw_int n, void *a); /* the LAPACK door, lower: info */
/* max |x - y| / max |x| over the lower triangles */
double bench_difference(enum tw_type type, tw_int n, const void *x, const void *y);
int bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2))); /* message, returns 1 */

/* {"bench": name, "date", "commit", "command", "machine": {…}, …}: print as one line of JSON, or nothing without --json. */
json_t *bench_record(const struct bench_options *o, const char *name);
void bench_print(const struct bench_options *o, json_t *record);

int bench_potrf(const struct bench_options *o);
int bench_overhead(const struct bench_options *o);
int bench_memory(const struct bench_options *o);
int bench_memory_child(int argc, char **argv);
int bench_gemm(const struct bench_options *o);
int bench_cusolver(const struct bench_options *o);

/* ---- GPU peers: in builds with CUDA; elsewhere they say that there are none ------------------------------------------- */

/* Median seconds of cuSOLVER's potrf (lower): with the data resident on the GPU, and from and to pinned host memory. `check`
 * (may be NULL) receives the factor. 0, or 1 after a message. */
int bench_gpu_potrf(enum tw_type type, tw_int n, const void *a, int repeat, double *resident, double *host_to_host,
                    void *check);
/* Rate of cuBLAS' gemm (NT) of order n, sustained for `seconds`. 0 without a GPU. */
double bench_gpu_gemm(enum tw_type type, tw_int n, double seconds);
int bench_gpu_count(void);
#endif
