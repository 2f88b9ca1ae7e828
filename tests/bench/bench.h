/* tilework-bench: what its files share. The only program that links the peers Tilework is compared with. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <jansson.h>
#include <tilework/matrix.h>
#include <tilework/type.h>

#define BENCH_MAX_SIZES 32
enum bench_peer {
    BENCH_LAPACK = 1,
    BENCH_CUSOLVER_RESIDENT = 2,
    BENCH_CUSOLVER_HOST = 4,
    BENCH_CUSOLVERMG_RESIDENT = 8,
    BENCH_CUSOLVERMG_HOST = 16,
    BENCH_ELPA = 32,
    BENCH_DEVICE = 64 /* Tilework itself, on an array that stays on a GPU */
};
enum bench_door { BENCH_TILES = 1, BENCH_ARRAY = 2 };
enum bench_jobz { BENCH_VALUES = 1, BENCH_VECTORS = 2 };
struct bench_options {
    enum tw_type type;
    tw_int n[BENCH_MAX_SIZES];
    int sizes, repeat, repeat_given, json, peers, doors, check, gemm;
    tw_int tasks, nb, m; /* m: rows of gesdd's matrix (0: as many as columns), of gels' and cholqr's */
    tw_int nrhs;         /* of gels; 0: not said */
    const char *ahead;   /* depths of look-ahead; NULL: not said */
    double seconds;
    int record;       /* of overhead: what recording costs */
    int barriers;     /* of eigenvalues: runs with barriers between stages, too */
    int only;         /* of blas3: bits of its routines; 0: all */
    int jobz;         /* of eigenvalues */
    double share;     /* of the spectrum that syevr finds, from below */
    const char *kind; /* generator of the input */
    int argc;
    char **argv; /* the whole command line, for the record */
};

double bench_seconds(void);
/* Sorts v. */
double bench_median(int count, double *v);
int bench_cores(void);
void bench_blas_threads(int threads);
size_t bench_sizeof(enum tw_type type);
double bench_eps(enum tw_type type);
double bench_largest(const struct bench_options *o); /* bytes of the largest matrix asked for */
/* flops of the Cholesky factorization and of gemm, complex arithmetic counted as such */
double bench_potrf_flops(enum tw_type type, double n);
double bench_gemm_flops(enum tw_type type, double n);
void *bench_alloc(double bytes); /* exits with a message, status 2: a benchmark without memory is over */
void bench_rest(void);           /* lets spinning BLAS threads fall asleep */
/* A diagonally dominant symmetric (hermitian) n x n matrix. */
void bench_fill_spd(enum tw_type type, tw_int n, void *a);
int bench_lapack_potrf(enum tw_type type, tw_int n, void *a);      /* LAPACKE, lower: info */
tw_int bench_tilework_potrf(enum tw_type type, tw_int n, void *a); /* the LAPACK door, lower: info */
/* max |x - y| / max |x| over the lower triangles */
double bench_difference(enum tw_type type, tw_int n, const void *x, const void *y);
int bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2))); /* message, returns 1 */
/* Exit statuses: 0, or after a message 1, or 2 for what cannot be had: a variable's value, --kind, memory. */
int bench_start(const struct bench_options *o);                   /* starts the library, in tiles of o->nb */
int bench_kind_wrong(const struct bench_options *o, tw_int rows); /* no matrix of these columns; rows 0: as many */
int bench_too_large(double bytes); /* the library started: more main memory than it may plan with */

/* {"bench": name, "date", "commit", "command", "machine": {…}, …}: print as one line of JSON, or nothing without
 * --json. */
json_t *bench_record(const struct bench_options *o, const char *name);
void bench_print(const struct bench_options *o, json_t *record);
void bench_put(json_t *object, const char *key, json_t *value);
json_t *bench_real(double value); /* null where it is not finite */

/* ---- turns.c: contestants on one input --------------------------------------------------------------------------- */

struct bench_runs {
    int takes_part;
    double first, *seconds; /* of the first run, which is no other; and of o->repeat more */
};
struct bench_turns {
    void *contest;
    int contestants;
    struct bench_runs *runs;
    const int *order; /* NULL: by their numbers */
    int (*run)(void *contest, int who, double *seconds);
    int (*judge)(void *contest, int who); /* after the first run */
};
/* 0, or 1 after a message. */
int bench_take_turns(const struct bench_options *o, const struct bench_turns *t);
/* Type, m (0: the matrix is square), n, kind and runs. */
json_t *bench_contest_record(const struct bench_options *o, const char *name, tw_int m, tw_int n);

int bench_potrf(const struct bench_options *o);
int bench_syevd(const struct bench_options *o);
int bench_syevr(const struct bench_options *o);
int bench_sygvd(const struct bench_options *o);
int bench_stedc(const struct bench_options *o);
int bench_gesdd(const struct bench_options *o);
int bench_geev(const struct bench_options *o);
int bench_gels(const struct bench_options *o);
int bench_cholqr(const struct bench_options *o);
int bench_lookahead(const struct bench_options *o);
int bench_dense(const struct bench_options *o); /* argv[1] says which routine */
int bench_overhead(const struct bench_options *o);
int bench_overhead_record(const struct bench_options *o);
int bench_memory(const struct bench_options *o);
int bench_memory_child(int argc, char **argv);
int bench_gemm(const struct bench_options *o);
int bench_blas3(const struct bench_options *o);
int bench_cusolver(const struct bench_options *o);
int bench_cutoff(const struct bench_options *o);
int bench_field(int argc, char **argv);

/* ---- threads.c: loops over columns on all cores ------------------------------------------------------------------ */

/* Calls body(context, thread, first, last) for ranges of columns that cover 0 … n - 1, each at most `width` wide. */
typedef void (*bench_range_fn)(void *context, int thread, tw_int first, tw_int last);
void bench_parallel(tw_int n, tw_int width, bench_range_fn body, void *context);
/* The generator's full n x n matrix in a column-major array, in parallel when it is large. */
int bench_generate(const tw_generator *g, tw_int n, void *a);

/* ---- residual.c -------------------------------------------------------------------------------------------------- */

/* A lower triangular factor in tiles of order nb; an array is one tile of order n. */
struct bench_factor {
    enum tw_type type;
    tw_int n, nb;
    int nt;            /* tiles in a row */
    const void **tile; /* nt x nt, column-major */
    tw_int *ld;
};
/* |(A - L L^H) x| / (n eps |A| |x|), infinity norms, the larger of two random vectors x; A is the generator's. */
double bench_residual(const tw_generator *g, const struct bench_factor *l);
double bench_residual_array(const tw_generator *g, enum tw_type type, tw_int n, const void *a);
int bench_residual_tiles(const tw_generator *g, tw_matrix *A, double *residual);

/* ---- split.c: tw_times for readers ------------------------------------------------------------------------------- */

json_t *bench_split_json(const tw_times *t);
void bench_split_print(const tw_times *t);

/* ---- ceiling.c: gemm, sustained ---------------------------------------------------------------------------------- */

struct bench_ceiling {
    double gflops;
    tw_int order;   /* that of the best */
    double seconds; /* each order was kept up for so long */
    int gpus;       /* 0: on CPU cores */
    int threads;
};
/* The best of several orders up to 16384, each for `seconds`: on all GPUs in use at once, on CPUs with all cores. */
struct bench_ceiling bench_ceiling(enum tw_type type, tw_int n, double seconds);
/* Gflop/s of BLAS' gemm with so many threads. */
double bench_cpu_gemm(enum tw_type type, tw_int n, int threads, double seconds);

/* ---- GPU peers: in builds with CUDA; elsewhere they say that there are none -------------------------------------- */

int bench_gpu_count(void);
/* Gflop/s of cuBLAS' gemm (NT), all of the first `gpus` GPUs together. 0 without a GPU or when it does not fit. */
double bench_gpu_gemm(enum tw_type type, tw_int n, double seconds, int gpus);

/* A peer that factors the generator's matrix on GPUs. NULL after a message on `why` (256 bytes) when it cannot run
 * here. */
struct bench_gpu_peer;
struct bench_gpu_peer *bench_cusolver_open(enum tw_type type, tw_int n, const tw_generator *g, int host, char *why);
enum bench_factorization { BENCH_POTRF, BENCH_GETRF, BENCH_GEQRF };
struct bench_gpu_peer *bench_cusolver_factor_open(enum bench_factorization which, enum tw_type type, tw_int n,
                                                  const tw_generator *g, int host, char *why);
/* gesv of single precision, or of half, refined to that of `type`; and its iterations, after a run. */
struct bench_gpu_peer *bench_cusolver_irs_open(int half, enum tw_type type, tw_int n, tw_int nrhs,
                                               const tw_generator *g, const tw_generator *right, int host, char *why);
int bench_cusolver_irs_iter(const struct bench_gpu_peer *p);
struct bench_gpu_peer *bench_cusolvermg_open(enum tw_type type, tw_int n, const tw_generator *g, int host, char *why);
/* Seconds of one factorization: data on the GPU; or from and to a pinned n x n array, all of it copied both ways. 0, or
 * 1 after a message. */
int bench_gpu_peer_resident(struct bench_gpu_peer *p, double *seconds);
int bench_gpu_peer_host(struct bench_gpu_peer *p, double *seconds);
const void *bench_gpu_peer_factor(const struct bench_gpu_peer *p); /* the array, after a run from host to host */
void bench_gpu_peer_close(struct bench_gpu_peer *p);
/* The pinned array of runs from host to host, which serves all sizes: pinning is slow, so the largest comes first. */
void bench_gpu_reserve(double bytes);
void bench_gpu_release(void);
/* Seconds of one copy of so many bytes from pinned memory to the first GPU. 0, or 1 after a message. */
int bench_gpu_copy_in(double bytes, double *seconds);
/* An array on the first GPU (NULL: there is none, or no room), and a copy to or from one, done on return. */
void *bench_gpu_array(double bytes);
void bench_gpu_array_free(void *a);
int bench_gpu_move(void *to, const void *from, double bytes);
#endif
