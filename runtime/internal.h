/* What the files of runtime/ share among themselves. */
#ifndef TW_RUNTIME_INTERNAL_H
#define TW_RUNTIME_INTERNAL_H

#include <starpu.h>
#include <stdatomic.h>

#include "runtime/machine/machine_profile.h"
#include "runtime/watch/record.h"
#include "runtime/task/submit.h"

/* ---- options.c: every knob after precedence has been applied ---------------------------------------------------- */
struct tw_config {
    int ncpu, ncuda, workers_per_cuda; /* -1: StarPU's choice */
    const int *cpu_ids, *cuda_ids;
    int ncpu_ids, ncuda_ids;
    char sched[64]; /* "" : default by machine */
    size_t cuda_memory_limit, host_memory_limit;
    char disk_dir[512];
    tw_int nb; /* 0: choose */
    const char *nb_source;
    enum tw_priority_mode priority;
    tw_int window;
    char trace[512];
    int progress, reproducible, force_cuda, fault;
    tw_int gpu_tiles; /* for tests: act as if the GPUs held so many tiles (TILEWORK_GPU_TILES) */
    enum tw_trsm_mode { TW_TRSM_AUTO, TW_TRSM_SOLVE, TW_TRSM_INVERSE } trsm; /* how panels are solved: TILEWORK_TRSM */
    int stage; /* staging of wrapped arrays: -1 where it pays, 0 never, 1 always (staging.h) */
    size_t stage_slot; /* bytes of one pinned slot */
    char cache_dir[512];
};
int tw_config_resolve(struct tw_config *c, const tw_options *options);
/* Only the cache directory, from the environment. */
int tw_config_cache_dir(struct tw_config *c);
/* Parse "123", "64K", "2G"; 0 or TW_E_OPTION naming the variable. */
int tw_parse_bytes(const char *name, const char *text, size_t *value);

/* ---- start.c ------------------------------------------------------------------------------------------------------ */
struct tw_runtime {
    struct tw_config config;
    int owns_starpu;
    int ncpu, ncuda, ndevices; /* workers, CUDA workers, GPUs */
    char sched[64];
    int min_prio, max_prio;
    double start_time;
};
extern struct tw_runtime tw_rt;
/* Start if need be; 0 or an error. Every public function that needs StarPU calls it. */
int tw_start(void);
/* Workers awake and BLAS at one thread between these; counted. */
void tw_enter(void);
void tw_leave(void);
int tw_awake(void);
void tw_runtime_finalize_data(void);

/* ---- handles.c: CUDA workers' cuBLAS and cuSOLVER handles; to be called with the workers awake ----------------------- */
int tw_handles_create(void); /* 0 or TW_E_DEVICE */
void tw_handles_destroy(void);
struct tw_cuda tw_cuda_local(void); /* of the CUDA worker that calls it */

/* ---- phases.c: where the time of starting and stopping goes ------------------------------------------------------------- */
void tw_phases_begin(int stop);
void tw_phase_done(const char *name); /* what was done since the last of these two calls */

/* ---- sampling.c: the folder of StarPU's bus measurements ---------------------------------------------------------------- */
/* Before starpu_init: chooses a folder that StarPU can write to, and throws measurements away at which it would stop. 0, or TW_E_IO
 * that says what to set. first: StarPU will measure the bus; then processes that start for the first time together take turns, until
 * tw_sampling_end. started: starpu_init has succeeded. */
int tw_sampling_begin(int *first);
void tw_sampling_end(int started);

/* ---- warm.c --------------------------------------------------------------------------------------------------------------- */
void tw_warm_forget(void); /* at the end: a later start finds the GPUs cold */

/* ---- policy.c --------------------------------------------------------------------------------------------------------- */
extern struct starpu_sched_policy tw_policy; /* the scheduler where GPUs are */

/* ---- blas.c --------------------------------------------------------------------------------------------------------- */
void tw_blas_single(void);
void tw_blas_restore(void);
const char *tw_blas_core(void);
const char *tw_blas_version(void); /* "OpenBLAS 0.3.21", or "unknown" */

/* ---- machine.c ------------------------------------------------------------------------------------------------------ */
int tw_core_count(void);
const char *tw_cpu_name(void);
int tw_gpu_facts(char *name, size_t length, size_t *memory); /* 1 if there is a GPU */
int tw_gpu_count(void);
int tw_gpu_processors(void);                                 /* multiprocessors of the first one, 0 without */
/* 0, or TW_E_MEMORY saying how many bytes `what` needs and how many there are. */
int tw_memory_check(const char *what, double bytes);
void tw_memory_account(double bytes); /* pool bytes taken (> 0) or given back (< 0) */

/* ---- pool.c --------------------------------------------------------------------------------------------------------- */
void *tw_pool_alloc(size_t bytes);
void tw_pool_free(void *p, size_t bytes);
void tw_pool_clear(void);

/* ---- sequence.c ----------------------------------------------------------------------------------------------------- */
struct tw_sequence {
    starpu_pthread_mutex_t lock;
    starpu_pthread_cond_t changed;
    long outstanding;   /* submitted, unfinished tasks and callbacks */
    long wake_at;       /* somebody waits until outstanding <= this; -1: nobody */
    atomic_int status;  /* run-time error; tasks are no-ops when not 0 */
    unsigned long run;  /* number of the routine being submitted, over all sequences */
    atomic_ulong epoch; /* tw_cancel_all's counter when the sequence was last empty */
    char message[1024];
    tw_int info; /* first numerical info in call order */
    int info_order;
    int order; /* routines started since the last wait */
    struct tw_data *current_info;
    int routine_id; /* for the recorder */
    double total;   /* longest critical path scale, for priorities */
    struct tw_job *head, *tail;
    int busy; /* the submitter thread is inside a loop */
    int stopping, has_thread, active;
    starpu_pthread_t thread;
    struct tw_sequence *next;
};
int tw_sequence_stopped(struct tw_sequence *seq);
void tw_sequence_fail(struct tw_sequence *seq, int code, const char *message);
void tw_sequence_begin_task(struct tw_sequence *seq); /* may block on the window */
void tw_sequence_begin_callback(struct tw_sequence *seq);
void tw_sequence_end_task(struct tw_sequence *seq);
long tw_sequence_outstanding(struct tw_sequence *seq);
int tw_sequences_alive(void);
/* Every live matrix is known, so that destroying or reading one waits for the loops that are still to submit its tasks. */
void tw_matrix_born(struct tw_matrix *A);
void tw_matrix_dies(struct tw_matrix *A);
void tw_wait_submitted(struct tw_matrix *A);

/* ---- data.c --------------------------------------------------------------------------------------------------------- */
void tw_data_recycle(struct tw_data *d); /* zeroed, no task uses it: back to the free list */
void tw_vector_pointer_zero(struct tw_data *d);
void tw_data_clear(void);

/* ---- submit.c ------------------------------------------------------------------------------------------------------- */
void tw_variants_clear(void);
/* rectangle.c: the first worker of GPU g, -1 if there is none. */
int tw_gpu_worker(int g);
int tw_gpu_last_worker(int g);
/* hold.c: when the library stops. */
void tw_hold_clear(void);
const char *tw_cuda_text(int status); /* of a CUDA kernel */

/* ---- times.c: where the time went (tw_times_start) ------------------------------------------------------------------ */
int tw_times_on(void);
/* A task is about to be submitted: what it waits for, what it costs. */
void tw_times_submitted(const struct tw_task *task);
/* A temporary is freed or given to another routine. */
void tw_times_freed(const struct tw_data *data);
/* It ran on this worker; `info` has StarPU's times of it. */
void tw_times_done(int worker, const struct tw_codelet *codelet, enum tw_type type, double flops, double size,
                   struct starpu_profiling_task_info *info);
/* A CPU worker has copied a tile to a GPU's memory node, or out of it, in a task of its own. */
void tw_times_carried(int worker, unsigned node, int out, double bytes, struct starpu_profiling_task_info *info);

/* ---- record.c, counters.c, progress.c ------------------------------------------------------------------------------- */
struct tw_task_state; /* submit.c */
void tw_record_init(void);
void tw_record_stop_and_write(void);
void tw_record_task(const struct tw_record *r);
int tw_record_on(void);
int tw_record_routine(const char *text);
double tw_record_origin(void);
void tw_counters_init(void);
void tw_counters_submitted(double flops);
void tw_counters_done(int worker, double flops, double seconds);
/* Bytes over each link since the process started, by pair of StarPU's memory nodes. */
struct tw_bus {
    uint64_t bytes[STARPU_MAXNODES][STARPU_MAXNODES], transfers[STARPU_MAXNODES][STARPU_MAXNODES];
};
void tw_counters_bus(struct tw_bus *copy);
/* Bytes to this GPU's node, or out of it, that StarPU does not know of. */
void tw_counters_carried(unsigned node, int out, uint64_t bytes);
void tw_progress_start(void);
void tw_progress_stop(void);
#endif
