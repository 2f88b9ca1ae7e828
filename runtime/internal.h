/* What the files of runtime/ share among themselves. */
#ifndef TW_RUNTIME_INTERNAL_H
#define TW_RUNTIME_INTERNAL_H

#include <starpu.h>
#include <stdatomic.h>

#include "runtime/profile.h"
#include "runtime/record.h"
#include "runtime/submit.h"

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
    char cache_dir[512];
};
int tw_config_resolve(struct tw_config *c, const tw_options *options);
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
double tw_now(void); /* seconds, StarPU's clock */

/* ---- blas.c --------------------------------------------------------------------------------------------------------- */
void tw_blas_single(void);
void tw_blas_restore(void);
const char *tw_blas_core(void);

/* ---- machine.c ------------------------------------------------------------------------------------------------------ */
int tw_core_count(void);
const char *tw_cpu_name(void);
int tw_gpu_facts(char *name, size_t length, size_t *memory); /* 1 if there is a GPU */
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
void tw_progress_start(void);
void tw_progress_stop(void);
#endif
