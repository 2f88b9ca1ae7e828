/* The state of the running library: what was asked for, what is there, and who is at work.
 *
 * Everything in runtime/ stands on this; start.c on top of it all fills it and tells it, at load time, how to start. */
#ifndef TW_RUNTIME_BASE_STATE_H
#define TW_RUNTIME_BASE_STATE_H
#include <stdatomic.h>
#include "runtime/base/facts.h"
#include "runtime/base/types.h"

/* Every knob after precedence has been applied (machine/options.c). */
enum { TW_RANK_MOST = 1000000, TW_GPU_RATES_MOST = 64 };
enum tw_priority_mode { TW_PRIORITY_NONE, TW_PRIORITY_PANEL, TW_PRIORITY_BOTTOM_LEVEL };
struct tw_config {
    int ncpu, ncuda, workers_per_cuda; /* -1: StarPU's choice */
    const int *cpu_ids, *cuda_ids;
    int ncpu_ids, ncuda_ids;
    char sched[64]; /* "" : default by machine */
    char sched_lib[512];
    size_t cuda_memory_limit, host_memory_limit;
    char disk_dir[512];
    tw_int nb; /* 0: choose */
    const char *nb_source;
    enum tw_priority_mode priority;
    tw_int window;
    tw_int team; /* cores that may work on one task at most */
    char trace[512];
    tw_int trace_limit;                 /* tasks recorded at most; 0: all */
    int trace_last;                     /* and that the last ones, not the first */
    double gpu_rate[TW_GPU_RATES_MOST]; /* of GPUs by CUDA's numbers, relative (TILEWORK_GPU_RATES) */
    int gpu_rates;                      /* how many were said; 0: as measured */
    int trace_events;                   /* GPU tasks' times are by CUDA events */
    int nvtx;                           /* ranges for NVIDIA's tools */
    tw_int rank;                        /* among the processes of one run: 0 ... TW_RANK_MOST */
    int progress, reproducible, force_cuda, fault;
    int modelled;     /* for tests: values that loops read are the modelled ones (TILEWORK_MODELLED) */
    tw_int gpu_tiles; /* for tests: act as if the GPUs held so many tiles (TILEWORK_GPU_TILES) */
    enum tw_trsm_mode { TW_TRSM_AUTO, TW_TRSM_SOLVE, TW_TRSM_INVERSE } trsm; /* how panels are solved: TILEWORK_TRSM */
    enum tw_fp32_mode { TW_FP32_AUTO, TW_FP32_PLAIN, TW_FP32_TF32 } fp32;    /* GPUs' single precision: TILEWORK_FP32 */
    int staging;         /* staging of wrapped arrays: -1 where it pays, 0 never, 1 always (staging.h) */
    size_t staging_slot; /* bytes of one pinned slot */
    size_t piece;        /* bytes from which tiles on GPUs are cut; 0: StarPU takes memory for each */
    int piece_main;      /* for tests: in main memory, too, and small tiles */
    tw_int rest;         /* us that a CPU worker without tasks sleeps at a time; 0: it never does */
    double idle;         /* seconds after which memory is given back; 0: never, -1: not said */
    char cache_dir[512];
};

struct tw_runtime {
    struct tw_config config;
    int owns_starpu;
    int ncpu, ncuda, ndevices; /* workers, CUDA workers, GPUs */
    char sched[64];
    int min_prio, max_prio;
    double start_time;
};
extern struct tw_runtime tw_rt;

/* Whether it runs; start.c says so. */
struct tw_life {
    atomic_int running, forked, reproducible, used_cuda, cuda_workers;
    atomic_ulong starts;
};
extern struct tw_life tw_life;

/* Start if need be; 0 or an error. Public functions come in by tw_begin (gate.h), which calls this. */
int tw_start(void);
/* start.c's, registered at load time; likewise what wakes and what puts to sleep: BLAS at one thread, StarPU's workers
 * running. */
void tw_state_register(int (*start)(void), void (*wake)(void), void (*sleep)(void));
/* Workers awake and BLAS at one thread between these; counted. */
void tw_enter(void);
void tw_leave(void);
int tw_awake(void);
void tw_enter_reset(void); /* at the start: nobody has entered */
/* At the end, by who has entered: waits for those that will leave by themselves (copies under way), and ends the holds
 * that were never released. */
void tw_enter_alone(void);
#endif
