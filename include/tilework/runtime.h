/* Tilework: starting, stopping, options, errors, sequences.
 *
 * The library starts itself on the first call with good defaults. tw_init() and tw_finalize() are for who wants
 * control. Every function may be called from several threads at once. */
#ifndef TILEWORK_RUNTIME_H
#define TILEWORK_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Every size and every info is 64 bits wide, on every platform. */
typedef int64_t tw_int;

#define TW_VERSION_MAJOR 0
#define TW_VERSION_MINOR 1
#define TW_VERSION_PATCH 0

enum tw_type {
    TW_FLOAT = 0,
    TW_DOUBLE = 1,
    TW_COMPLEX_FLOAT = 2,
    TW_COMPLEX_DOUBLE = 3,
    /* Elements of pivots, indices and operands of lower precision: of data inside the library; a tw_matrix of
     * TW_INT32 holds pivots (tw_pivots_create). */
    TW_INT32 = 4,
    TW_INT64 = 5,
    TW_HALF = 6,     /* IEEE binary16 */
    TW_BFLOAT16 = 7, /* the upper half of a float */
    TW_INT8 = 8
};
#define TW_NTYPES    4 /* that routines compute in */
#define TW_NELEMENTS 9 /* that there are */

/* LAPACK's letters, with names. TW_GENERAL means "the whole matrix is stored". */
enum tw_uplo { TW_LOWER = 'L', TW_UPPER = 'U', TW_GENERAL = 'G' };
enum tw_trans { TW_NOTRANS = 'N', TW_TRANS = 'T', TW_CONJTRANS = 'C' };
enum tw_side { TW_LEFT = 'L', TW_RIGHT = 'R' };
enum tw_diag { TW_NONUNIT = 'N', TW_UNIT = 'U' };
enum tw_norm { TW_MAX_NORM = 'M', TW_ONE_NORM = 'O', TW_INF_NORM = 'I', TW_FROBENIUS_NORM = 'F' };

/* A scalar of any type; the imaginary part is ignored where the type is real. */
typedef struct tw_scalar {
    double re, im;
} tw_scalar;

/* Return codes. 0: success. > 0: LAPACK's numerical info. -i (small): argument i is illegal. Below: named codes. */
enum tw_status {
    TW_SUCCESS = 0,
    TW_E_MEMORY = -2000,      /* not enough memory on the host or a device, or an allocation failed */
    TW_E_NO_WORKER = -2001,   /* no worker can run a task (no CPU and no GPU chosen) */
    TW_E_DEVICE = -2002,      /* a CUDA, cuBLAS or cuSOLVER call failed */
    TW_E_CANCELLED = -2003,   /* the sequence was cancelled */
    TW_E_IO = -2004,          /* a file could not be opened, read, written or renamed */
    TW_E_FORMAT = -2005,      /* a file's content is not what its format says */
    TW_E_STARPU = -2006,      /* StarPU refused a call */
    TW_E_OPTION = -2007,      /* an option or TILEWORK_ / STARPU_ variable has an illegal value */
    TW_E_FORK = -2008,        /* called in a child of fork() of a process in which the library runs, or ran on a GPU */
    TW_E_STATE = -2009,       /* called in the wrong state (tw_init twice, tw_finalize with live sequences, …) */
    TW_E_UNSUPPORTED = -2010, /* this combination of types or storages is not supported */
    TW_E_INTERNAL = -2099     /* a defect of Tilework: please report it with the last message */
};

/* A short text for a return code; never NULL. Numerical infos and argument numbers have a text, too: it stays valid
 * until the thread's next call of this function with such a number (named codes have constant texts). */
TW_API const char *tw_strerror(int code);

/* What went wrong in the last failing call of this thread, in full, and what to do; "" when nothing did. The text
 * stays valid until the thread's next Tilework call. */
TW_API const char *tw_last_message(void);

enum tw_log_level { TW_LOG_ERROR = 0, TW_LOG_WARNING = 1, TW_LOG_INFO = 2, TW_LOG_DEBUG = 3 };
typedef void (*tw_log_fn)(enum tw_log_level level, const char *message, void *user);
/* Send messages to fn (NULL: back to the default, which prints warnings and errors that a user must know on stderr;
 * more with TILEWORK_VERBOSE=1..3). fn may be called from any thread. */
TW_API void tw_set_log(tw_log_fn fn, void *user);

/* Options of tw_init(). Fill with tw_options_init(), then change what matters. A -1 in an int, a NULL or a 0 elsewhere
 * means "from the environment, else the tuned or default value"; other negative numbers are refused. For Tilework's own
 * knobs a value set here beats the TILEWORK_ variable; for StarPU's own knobs (marked S) the STARPU_ variable beats the
 * value here. */
typedef struct tw_options {
    size_t size;              /* sizeof(tw_options), set by tw_options_init: later versions only append fields */
    int ncpu;                 /* S: CPU workers (STARPU_NCPU) */
    int ncuda;                /* S: GPUs (STARPU_NCUDA) */
    const int *cpu_ids;       /* S: the logical cores to use (STARPU_WORKERS_CPUID), ncpu of them */
    const int *cuda_ids;      /* S: the GPUs to use (STARPU_WORKERS_CUDAID), ncuda of them */
    int workers_per_cuda;     /* S: streams per GPU (STARPU_NWORKER_PER_CUDA) */
    const char *sched;        /* S: scheduling policy (STARPU_SCHED) */
    size_t cuda_memory_limit; /* S: bytes used on each GPU (STARPU_LIMIT_CUDA_MEM, in MiB there) */
    size_t host_memory_limit; /* bytes of host memory the library may plan with (TILEWORK_HOST_MEMORY) */
    const char *disk_dir;     /* S: directory for problems larger than memory (STARPU_DISK_SWAP) */
    tw_int nb;                /* tile order (TILEWORK_NB); 0: chosen from the machine profile */
    const char *priority;     /* "none", "panel", "bottom-level" (TILEWORK_PRIORITY) */
    tw_int window;            /* submitted, unfinished tasks of one sequence (TILEWORK_WINDOW) */
    const char *trace;        /* prefix of the trace files written at tw_finalize (TILEWORK_TRACE) */
    int progress;             /* 1: progress bar on stderr (TILEWORK_PROGRESS) */
    int reproducible;         /* 1: bit-identical results run to run (TILEWORK_REPRODUCIBLE) */
    int verbose;              /* 0..3 (TILEWORK_VERBOSE) */
    const char *cache_dir;    /* machine profile and models (TILEWORK_CACHE_DIR) */
    const char *sched_lib;    /* S: a library with policies of your own (STARPU_SCHED_LIB); sched names one of them */
} tw_options;

TW_API void tw_options_init(tw_options *options);

/* Tilework's environment variables: the name, what it may be (NULL if the text says so), what it says. A row with a
 * NULL name ends them. */
typedef struct tw_variable {
    const char *name, *values, *text;
} tw_variable;
TW_API const tw_variable *tw_variables(void);
/* Is what the environment has for the variable of this name legal, by the check that refuses other values at the start?
 * 1: it is, or is not set; 0: it is not, and the last message says what is; -1: what reads it says, or the table has no
 * such variable. */
TW_API int tw_variable_legal(const char *name);

/* Start the library. options may be NULL. Returns 0, TW_E_OPTION (with the list of legal values in the last message),
 * TW_E_NO_WORKER, TW_E_STATE when it already runs, … If the program already runs StarPU, that StarPU is used and left
 * running by tw_finalize(). */
TW_API int tw_init(const tw_options *options);

/* Wait for the calls of all threads that are under way, write the trace if one was asked for, stop. Calls that other
 * threads make meanwhile return TW_E_STATE; once tw_finalize has returned, the next call starts the library again, as
 * the first one did. Matrices that still live lose their content: every use of them gives TW_E_STATE, and so does
 * tw_matrix_destroy(), which frees them all the same. TW_E_STATE: a sequence lives; called from a task, a report or a
 * log callback, which it would wait for. Does nothing when the library does not run. exit() does the same; if sequences
 * live then, what they hold is cancelled. */
TW_API int tw_finalize(void);

/* 1 while the library (and so StarPU) runs. */
TW_API int tw_is_running(void);

/* What runs. Strings belong to the library and live until tw_finalize(). */
typedef struct tw_machine {
    int cpu_workers, cuda_workers, cuda_devices;
    const char *sched;       /* as read back from StarPU */
    const char *blas_core;   /* OpenBLAS' name of its kernels, or "unknown" */
    const char *blas_advice; /* NULL, or the OPENBLAS_CORETYPE that suits this CPU better */
    const char *cpu_name, *gpu_name;
    int cores;                     /* cores this process may use (cpuset) */
    size_t host_memory;            /* bytes the library may plan with: min of memory, cgroup, rlimit; or the override */
    size_t cuda_memory;            /* bytes of the first GPU */
    double cpu_gflops[TW_NTYPES];  /* profile: large tile gemm, one core */
    double cuda_gflops[TW_NTYPES]; /* profile: large tile gemm, one GPU */
    const char *profile_path;      /* where the machine profile is kept */
    const char *starpu_version;
} tw_machine;
/* Fill m; starts the library when it does not run. */
TW_API int tw_machine_info(tw_machine *m);

/* Where the time of the last start and of the last stop went, in order. Names belong to the library. */
typedef struct tw_phase {
    const char *name;
    double seconds;
} tw_phase;
/* Fill up to max phases; return how many there were. They start and stop nothing. */
TW_API int tw_start_phases(tw_phase *phases, int max);
TW_API int tw_stop_phases(tw_phase *phases, int max);

/* The OPENBLAS_CORETYPE that suits this CPU when the loaded OpenBLAS chose lesser kernels (Debian 12's 0.3.21 does on
 * newer CPUs), else NULL. OpenBLAS reads the variable when it is loaded: a program has to re-execute itself with it
 * set, as the tilework command does. Starts nothing. */
TW_API const char *tw_blas_advice(void);
/* Re-execute the program with that variable when there is something to gain and it is unset. Call it first in main().
 * Returns when nothing had to be done (or exec failed). */
TW_API void tw_blas_reexec(char **argv);

/* ---- counters ---------------------------------------------------------------------------------------------- */

/* What was done since the library started (or since the last tw_counters_reset). */
typedef struct tw_counters {
    uint64_t tasks, cpu_tasks, cuda_tasks;
    double flops, cpu_flops, cuda_flops;                     /* useful flops of finished tasks */
    double flops_submitted;                                  /* of tasks that were submitted */
    uint64_t bytes_to_gpu, bytes_from_gpu, bytes_gpu_to_gpu; /* from StarPU's bus statistics */
} tw_counters;
TW_API int tw_counters_get(tw_counters *c);
TW_API void tw_counters_reset(void);
/* Fill up to max records with the tasks that each worker ran since the reset; returns the number of workers. */
typedef struct tw_worker_report {
    char name[64];
    int is_cuda;
    uint64_t tasks;
    double busy_seconds, flops;
} tw_worker_report;
TW_API int tw_worker_reports(tw_worker_report *r, int max);
/* Routines that are made of stages, such as the eigenvalue routines ("band", "tridiagonal", "solve",
 * "back_tridiagonal", "back_band"), name what their tasks are for. Fill up to max records with those of which tasks
 * have run since the reset, in the order in which they began; returns how many there are. Stages overlap. */
typedef struct tw_stage_report {
    char name[32];
    double seconds;               /* in which at least one of its tasks ran */
    double first_start, last_end; /* of its tasks, in seconds since the reset */
    uint64_t cpu_tasks, cuda_tasks;
} tw_stage_report;
TW_API int tw_stage_reports(tw_stage_report *r, int max);
/* The routines of other libraries that factored or solved something since the reset: LAPACK's by their names without
 * the letter of the type ("stedc"), cuSOLVER's as "cusolver_getrf"; not products. Fill up to max records; returns how
 * many there are. */
typedef struct tw_vendor_report {
    char name[32];
    uint64_t calls;
    tw_int largest; /* order of these problems, of panels the number of rows */
} tw_vendor_report;
TW_API int tw_vendor_reports(tw_vendor_report *r, int max);
/* A number that the latest routine said of what it did since the reset: "band" (sub-diagonals between the two stages),
 * "deflated" (the share of the eigenvalues that the top merge of divide and conquer found ready), "route" (enum
 * tw_route; "predicted_lapack", "predicted_one", "predicted_two": seconds of each, by the machine profile), "steps" (of
 * the polar decomposition's iteration). 1 and *value; or 0: nobody said. */
TW_API int tw_figure(const char *name, double *value);

/* ---- where the time went ------------------------------------------------------------------------------------
 * tw_times_start(), some work, tw_times_stop(): the wall time of each device, split; bytes over each link; what each
 * kernel costs; and a lower bound on the time that the same tasks need on this machine. Times are seconds. */

/* One device's time in the interval: kernels + data + runtime + idle + home = seconds. A GPU is one device, whatever
 * its number of streams; the CPU workers together are one device, whose times are sums over the workers. A moment
 * counts for the first of these that holds:
 *   kernels   a kernel was running: the union, over the device's streams, of the times from a task's start to its end.
 *             Times are the host's: on a GPU the launch, and up to one poll of the driver after the end, are in them.
 *   data      no kernel, but a stream (worker) had taken a task and waited for its tiles to arrive in the device's
 *             memory; or a core carried tiles of a staged matrix to the GPU or from it (counts for both)
 *   runtime   no kernel and no data to wait for, but a task that ran here was ready (from the moment its last
 *             predecessor was done: scheduling, launching) or was being completed; also the time before the interval's
 *             first task was ready anywhere
 *   home      after the last task of the interval on any device: results travelling to main memory, waking the caller
 *             up
 *   idle      the rest: no task for this device was ready */
typedef struct tw_device_times {
    char name[32];        /* "CPU", "GPU 0" */
    int is_cuda, workers; /* workers: CPU workers, or streams of this GPU */
    uint64_t tasks;
    double flops;
    double seconds; /* the interval; CPU: times the number of workers */
    double kernels, data, runtime, idle, home;
    double in_flight; /* mean number of kernels running at once, over the time in which there was any */
} tw_device_times;

/* What went over one link, from StarPU's bus statistics. -1 is main memory, 0, 1, … are the GPUs in use (StarPU's
 * numbers). */
typedef struct tw_link_times {
    int from, to;
    uint64_t bytes, transfers;
    double bandwidth; /* bytes per second, measured by StarPU (pinned memory, nothing else on the link); 0: unknown */
    double busy;      /* bytes / (bandwidth * the interval): the share of what the link could have carried */
} tw_link_times;

/* One kind of kernel. The seconds are those of one task of mean size, by the machine profile; 0: it has no such body,
 * or there is no such worker. */
typedef struct tw_kernel_times {
    char name[32]; /* "dgemm" */
    uint64_t cpu_tasks, cuda_tasks;
    double flops;        /* of all of them */
    double cpu_seconds;  /* on one core */
    double cuda_seconds; /* on one GPU that does nothing else */
} tw_kernel_times;

#define TW_MAX_DEVICES 17
#define TW_MAX_LINKS   272
#define TW_MAX_KERNELS 32
typedef struct tw_times {
    double seconds; /* from tw_times_start to tw_times_stop */
    uint64_t tasks;
    int devices, links, kernels;            /* entries in use; links: those that carried something */
    tw_device_times device[TW_MAX_DEVICES]; /* the CPU workers first, if there are any */
    tw_link_times link[TW_MAX_LINKS];
    tw_kernel_times kernel[TW_MAX_KERNELS]; /* most flops first */
    /* Bytes of distinct tiles of matrices that were read before anything wrote them, and of those that were written:
     * what travels at least when GPUs do all the work. More over the links is tiles evicted and fetched again, or
     * shared by GPUs. */
    double bytes_needed_in, bytes_needed_out;
    /* Lower bounds on the time of these tasks on this machine:
     *   area      all the flops at the rates of the profile, spread over cores and GPUs as is best (kernels run on a
     *             GPU at its best gemm rate, on a core at the profile's rate for kernel and order, or the best seen, if
     *             that is more)
     *   path      the longest chain of tasks that wait for each other, each on the device that is fastest for it
     *   transfer  min(needed, carried) bytes over all links between main memory and the GPUs at once, both directions
     *             side by side
     * and the largest of the three. */
    double area_bound, path_bound, transfer_bound, bound;
} tw_times;

/* Start recording (starts the library if need be). Costs about 1 us a task. TW_E_STATE when a recording runs already:
 * there is one per process. */
TW_API int tw_times_start(void);
/* Stop, and fill *t (may be NULL: what was recorded is dropped). Tasks that are still running do not count, so call it
 * after the work's result is there. TW_E_STATE without tw_times_start; TW_E_MEMORY when a record was lost. */
TW_API int tw_times_stop(tw_times *t);

/* ---- sequences: the async door ------------------------------------------------------------------------------ */

typedef struct tw_sequence tw_sequence;
/* A queue of routines with its own submitter thread, which runs their submission loops in call order. */
TW_API int tw_sequence_create(tw_sequence **seq);
/* Wait until every routine of the sequence has finished. Returns the first error in call order: 0, a numerical
 * info > 0 (or the positive word of a report that ended a motion), or a named code; then the sequence is empty, its
 * error cleared, and it can be used again. */
TW_API int tw_sequence_wait(tw_sequence *seq);
/* Turn what has not run yet into no-ops. tw_sequence_wait then returns TW_E_CANCELLED. The data that the cancelled
 * routines were to write is undefined. May be called from any thread; tw_cancel_all also from a signal handler. */
TW_API int tw_sequence_cancel(tw_sequence *seq);
/* 1 when nothing is left to do, 0 otherwise; does not block. In a forked child 1, as nobody is left who would do it. */
TW_API int tw_sequence_test(tw_sequence *seq);
/* Waits first. NULL is allowed. */
TW_API int tw_sequence_destroy(tw_sequence *seq);
/* Cancel every live sequence, the ones inside synchronous calls included, and give up the files that are being written:
 * their writers return TW_E_CANCELLED and leave none (async-signal-safe). */
TW_API void tw_cancel_all(void);

#ifdef __cplusplus
}
#endif
#endif
