/* The one door through which every task goes. */
#ifndef TW_RUNTIME_TASK_SUBMIT_H
#define TW_RUNTIME_TASK_SUBMIT_H
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "runtime/data/data.h"
#include "runtime/base/error.h"
#include "runtime/base/types.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* ---- what a kernel is to the runtime ------------------------------------------------------------------------ */

struct tw_buffer {
    void *ptr;
    int m, n, ld;  /* tiles; vectors have n = 1, ld = m */
    int count;     /* of matrices of a batch, else 1 */
    size_t stride; /* elements from one matrix of a batch to the next */
    size_t bytes;  /* of vectors and scratch */
    int shape[4];  /* the object's, of a family's own kind */
};
struct tw_body {
    enum tw_type type;
    const void *args;            /* the task's copy of the argument struct */
    const struct tw_buffer *buf; /* in the order of the accesses */
    int nbuf;
    const struct tw_cuda *cuda; /* CUDA bodies only */
    struct tw_task_state *task; /* runtime's */
};
/* A CPU body whose results are not in its buffers shows them, as if they were: a build with fault injection, which tests the checkers, spoils
 * them there. Nothing in others. */
void tw_body_result(const struct tw_body *body, const struct tw_buffer *result, int n);
/* A body returns 0 or an error: TW_E_… from CPU bodies, a kernels/cuda status from CUDA bodies (checked by the runtime, which
 * then fails the sequence). Numerical infos do not travel this way but through an info data object. CUDA bodies only enqueue. */
typedef int (*tw_body_fn)(const struct tw_body *body);

/* Which rate of the machine profile the analytic cost model divides by. */
enum tw_rate {
    TW_RATE_GEMM,
    TW_RATE_SYRK,
    TW_RATE_TRSM,
    TW_RATE_TRMM,
    TW_RATE_POTRF,
    TW_RATE_TRI,
    TW_RATE_MEMORY,
    TW_NRATES
};

struct tw_codelet {
    const char *name; /* LAPACK's name of the kernel: trace name; the performance model is tw_<letter><name> */
    unsigned color;   /* 0xRRGGBB in traces */
    enum tw_rate rate;
    tw_body_fn cpu;
    tw_body_fn cuda; /* NULL: CPU only. Write TW_CUDA_BODY(f), which is NULL in builds without CUDA. */
    int urgent;      /* on the critical path: a GPU serves its kernels before others (runtime/machine/cuda.h) */
    struct tw_variant *variant[TW_NTYPES]; /* runtime's: one per type, made at the first submission */
};
#ifdef TILEWORK_CUDA
#define TW_CUDA_BODY(f) f
#else
#define TW_CUDA_BODY(f) NULL
#endif

/* ---- submitting ----------------------------------------------------------------------------------------------- */

/* RW_COMMUTE: such accesses one after another may take place in any order; in reproducible mode they keep that of submission. Sums in any order,
 * for example: reduce.h has sums whose parts run side by side. */
enum tw_mode { TW_R = 1, TW_W = 2, TW_RW = 3, TW_SCRATCH = 4, TW_RW_COMMUTE = 8 | TW_RW };
struct tw_access {
    struct tw_data *data;
    enum tw_mode mode;
};

#define TW_ARGS_MAX 96
struct tw_task {
    struct tw_codelet *codelet;
    enum tw_type type;
    const void *args; /* copied; at most TW_ARGS_MAX bytes */
    size_t args_size;
    const struct tw_access *access;
    int naccess;
    int priority;
    double flops; /* real flops (complex ones counted as such) */
    double bytes; /* that it reads and writes of memory that is no data object's; 0 for most */
    double size;  /* the order that decides the kernel's efficiency: smallest of m, n, k */
    int coord[4]; /* of the tile it computes; -1 where unused */
    int place;    /* TW_ANYWHERE, TW_ON_CPUS, TW_ON_GPU(g), or TW_BESIDE_GPU(g) */
};
/* Where a task may run, for algorithms that lay their data out themselves. TW_ON_GPU(g) is the first stream of GPU g = 0 … tw_gpus() - 1:
 * for kernels that fill the GPU alone, whose workspace would only be multiplied by several streams. */
enum { TW_ANYWHERE = 0, TW_ON_CPUS = -1 };
#define TW_ON_GPU(g) ((g) + 1)
/* The last stream of GPU g, for copies beside the kernels of its first one. */
#define TW_BESIDE_GPU(g) (-2 - (g))
/* Submit. On failure the sequence fails and this and later tasks do nothing: callers need not look. Blocks while the
 * sequence has its full window of unfinished tasks. */
void tw_submit(struct tw_sequence *seq, const struct tw_task *task);

/* Workspace: one handle per size serves all tasks (StarPU gives each worker its own buffer). */
struct tw_data *tw_scratch(size_t bytes);
/* 1 if any CUDA worker runs (then CUDA workspaces are worth attaching). */
int tw_has_cuda(void);
/* Largest workspace in bytes that `query` asks for, cached by (query, type, n, uplo); runs query on a CUDA worker. 0 without one. */
typedef int (*tw_workspace_fn)(const struct tw_cuda *cuda, enum tw_type type, char uplo, int n, size_t *bytes);
size_t tw_cuda_workspace(tw_workspace_fn query, enum tw_type type, char uplo, int n);

/* ---- routines and sequences -------------------------------------------------------------------------------------- */

typedef void (*tw_loop_fn)(struct tw_sequence *seq, void *args); /* a routine's submission loop */

/* Matrix door: run the loop in this thread, wait, return info or error. flops: the routine's total (progress). */
int tw_call(const char *routine, tw_loop_fn loop, void *args, double flops);
/* Async door: queue it; args (size bytes) is copied. */
int tw_call_async(struct tw_sequence *seq, const char *routine, tw_loop_fn loop, const void *args, size_t size,
                  double flops);

/* The info object (one int64_t, 0 at the start) of the routine being submitted. Tasks take it TW_RW and store the smallest
 * positive value. */
struct tw_data *tw_info(struct tw_sequence *seq);
/* Inside a loop: wait for the tasks that write this routine's info and return it (0 if no info object was asked for). */
tw_int tw_info_wait(struct tw_sequence *seq);
/* Inside a loop: wait until every task submitted so far in this sequence has finished. */
void tw_loop_wait(struct tw_sequence *seq);
/* Record a failure found in a loop itself (bad memory, …). */
void tw_loop_fail(struct tw_sequence *seq, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* 0 while the sequence is sound, else its run-time error. */
int tw_loop_status(struct tw_sequence *seq);

/* How many of A's tiles the GPUs hold together; LONG_MAX if all of them, with room to spare, or if there are no GPUs. */
long tw_gpu_tiles(const struct tw_matrix *A);
/* No task submitted from here on will use this tile for a while: a GPU may give its place to others first. */
void tw_done_with(struct tw_sequence *seq, struct tw_data *d);
/* Inside a loop: wait until at most `most` tasks of this sequence are unfinished. */
void tw_loop_throttle(struct tw_sequence *seq, long most);
/* Start to bring tile rows and columns from … to - 1 of a matrix to the GPUs: one after another they complete the leading submatrices. Of
 * all orders this one makes most work ready soonest (a factorization can do f^3 of its work with f^2 of its data). */
void tw_fetch_ahead(struct tw_sequence *seq, struct tw_matrix *A, int from, int to);
/* For a loop's beginning: 0 where that cannot help (no GPU, more data than they hold, other tasks under way). */
int tw_fetch_helps(struct tw_sequence *seq, const struct tw_matrix *A);
/* These tiles have their final value once the tasks submitted so far are done: bring them home as soon as they are (no-op
 * without GPUs, and for matrices that live on a GPU). 0, or -1 without memory: then they come home when they are asked for, so that most callers
 * need not look. */
int tw_bring_home(struct tw_sequence *seq, struct tw_data *d);
/* The same to the memory of GPU g, for a task there that waits for more than this. */
void tw_bring_to(struct tw_sequence *seq, struct tw_data *d, int g);

/* ---- priorities ------------------------------------------------------------------------------------------------------ */

enum tw_priority_mode { TW_PRIORITY_NONE, TW_PRIORITY_PANEL, TW_PRIORITY_BOTTOM_LEVEL };
/* `level`: length of the longest path from the task to the end of the routine, in the same unit as `total` (the routine's
 * whole critical path); panel: 1 for tasks on the panel. Gives the integer that StarPU gets, by the mode in force, with an offset
 * so that earlier routines of a sequence go first. */
int tw_priority(struct tw_sequence *seq, double level, double total, int panel);
/* Estimated seconds of one task on the best worker for it: what levels are made of. */
double tw_cost(enum tw_rate rate, enum tw_type type, double flops, double size);

/* ---- tuning ------------------------------------------------------------------------------------------------------------ */
/* nb for a factorization of order n (m x n for general); `source` (may be NULL) says why: "option", "TILEWORK_NB", "profile". */
tw_int tw_choose_nb(enum tw_type type, tw_int m, tw_int n, const char **source);
/* 1 if a problem of order n is better given to LAPACK directly. Starts nothing. */
int tw_prefers_lapack(enum tw_type type, tw_int n);
int tw_reproducible(void);
/* 1 if panels are solved as products with the inverse of their diagonal tile: on GPUs, unless TILEWORK_TRSM says otherwise. */
int tw_solve_by_inverse(void);

/* ---- facts --------------------------------------------------------------------------------------------------------------- */
/* Seconds by StarPU's clock, which a simulation has, too. */
double tw_now(void);
/* How often the library has been started: who keeps what belongs to a running library compares. */
unsigned long tw_starts(void);
/* Workers that run, and how many of them (ncuda may be NULL) drive GPUs. */
int tw_worker_count(int *ncuda);
/* Run fn on every CUDA worker, one after another, outside of tasks; the first status that is not 0, or 0. */
int tw_cuda_on_each_worker(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg);
/* The same on the first stream of each GPU, where TW_ON_GPU's tasks run. */
int tw_cuda_on_each_gpu(int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg);
/* On that of GPU g; TW_E_NO_WORKER if there is none. */
int tw_cuda_on_gpu(int g, int (*fn)(const struct tw_cuda *cuda, void *arg), void *arg);
/* GPUs in use; the number CUDA gives GPU g; the g of that number, or -1. */
int tw_gpus(void);
int tw_gpu_device(int g);
int tw_gpu_of_device(int device);
/* Bytes of shared memory that a block of threads may have on each of them; 0 without GPUs. */
size_t tw_gpu_shared(void);
/* Bytes of the smallest GPU's memory that StarPU may use; 0 without GPUs or where no limit is known. */
size_t tw_gpu_memory(void);
/* Bytes per second between pinned host memory and one GPU while data go both ways (one way), and of a core's memory copies. */
double tw_link_speed(void);
/* The same while nothing goes the other way. */
double tw_link_alone(int from_gpu);
double tw_host_copy_speed(void);
/* The folder of the machine profile, before the start, too: 0, or an error when there is none. */
int tw_cache_dir(char *path, size_t length);
#pragma GCC visibility pop
#endif
