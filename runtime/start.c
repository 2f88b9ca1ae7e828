/* Starting and stopping: options, scheduler, StarPU, and the workers' sleep between calls. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <starpu.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/doing.h"
#include "runtime/base/environment.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/helper.h"
#include "runtime/base/idle.h"
#include "runtime/base/living.h"
#include "runtime/base/stack.h"
#include "runtime/base/state.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/cuda/timing.h"
#include "runtime/data/data_private.h"
#include "runtime/data/tile_memory.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/task/cost.h"
#include "runtime/task/task_private.h"
#include "runtime/watch/watch.h"
#include "runtime/machine/starpu_variables.h"
#include "runtime/machine/warm.h"
#include <tilework/starpu.h>

/* Held while the library starts or stops. Nobody who holds it waits for somebody who wants it: tw_finalize waits for
 * calls under way, and these never take it (gate.h). */
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int changing;            /* somebody holds it */
static _Thread_local int this_changes; /* this thread does: log callbacks may call the library from here */
static atomic_int ending;              /* exit() was called: nothing starts any more */

/* ---- fork: the child has the memory of a running library but none of its threads, and CUDA never works in the child
 * of a process that has used it
 * ------------------------------------------------------------------------------------------------ */

static void in_child(void)
{
    atomic_store(&tw_doing_seen, NULL); /* a recording is the parent's, and so are threads that may hold its locks */
    if (atomic_load(&tw_life.running) || atomic_load(&tw_life.used_cuda) || atomic_load(&changing))
        atomic_store(&tw_life.forked, 1);
}
static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, in_child);
}

/* ---- StarPU ------------------------------------------------------------------------------------------------------ */

static void set_default(const char *name, const char *value)
{
    if (!getenv(name)) (void)tw_environment_set(name, value); /* a failure leaves StarPU's default, which works */
}

static int expect_cuda(void)
{
    char name[256];
    size_t bytes;
    const char *n = getenv("STARPU_NCUDA");
    if (n ? atoi(n) == 0 : tw_rt.config.ncuda == 0) return 0;
    return tw_gpu_facts(name, sizeof name, &bytes);
}

/* What StarPU reads from the environment only: set for this start, taken away again after it. */
static struct started_with {
    const char *name;
    int ours;
} vars[] = {{"STARPU_NWORKER_PER_CUDA", 0}, {"STARPU_CUDA_THREAD_PER_DEV", 0}, {"STARPU_CUDA_THREAD_PER_WORKER", 0},
            {"STARPU_LIMIT_CUDA_MEM", 0},   {"STARPU_DISK_SWAP", 0},           {"STARPU_SILENT", 0},
            {"STARPU_CATCH_SIGNALS", 0},    {"STARPU_WORKERS_CPUID", 0}};

/* A list of cores that the user gave is the number of workers, too: StarPU would put one on each core of the machine,
 * several on one of these. GPUs' driver threads need cores of the list. */
static int workers_of_list(int cuda)
{
    const char *streams = getenv("STARPU_NWORKER_PER_CUDA"), *alone = getenv("STARPU_CUDA_THREAD_PER_WORKER");
    int cores = tw_starpu_listed_cores(), drivers = cuda ? tw_gpu_count() : 0;

    if (alone && atoi(alone) == 1 && streams) drivers *= atoi(streams);
    return cores > drivers + 1 ? cores - drivers : cores > 0;
}

/* Through the variable, so that StarPU counts the cores of the list. */
static void choose_cores(void)
{
    char *text = tw_rt.config.cpu_ids ? malloc(12 * (size_t)tw_rt.config.ncpu_ids + 1) : NULL, *end = text;

    if (!text) return;
    for (int k = 0; k < tw_rt.config.ncpu_ids; k++)
        end += sprintf(end, "%d ", tw_rt.config.cpu_ids[k]);
    if (!getenv("STARPU_WORKERS_COREID")) set_default("STARPU_WORKERS_CPUID", text);
    free(text);
}

static void choose_cuda(struct starpu_conf *conf)
{
    char text[64];

    /* The submitting thread needs a core of its own: sharing one with a GPU's driver thread stops that GPU for
     * milliseconds. */
    if (!getenv("STARPU_RESERVE_NCPU") && !getenv("STARPU_NCPU") && tw_rt.config.ncpu < 0 &&
        !tw_starpu_listed_cores() && tw_core_count() > 4)
        conf->reserve_ncpus = 1;
    /* Several streams per GPU hide each other's tails; too many push each other out of the GPU's cache (H200, Cholesky
     * of order 16384 / 32768 with 2, 3, 4 streams: 40.0 / 49.4, 40.7 / 49.1, 39.4 / 48.4 TF). */
    snprintf(text, sizeof text, "%d", tw_rt.config.workers_per_cuda > 0 ? tw_rt.config.workers_per_cuda : TW_STREAMS);
    set_default("STARPU_NWORKER_PER_CUDA", text);
    /* A thread for each stream, where there are cores enough: one alone needs 20 to 40 us for each task of all its
     * streams. */
    if (!getenv("STARPU_CUDA_THREAD_PER_DEV") && !getenv("STARPU_CUDA_THREAD_PER_WORKER"))
        set_default(tw_core_count() >= 8 * tw_gpu_count() ? "STARPU_CUDA_THREAD_PER_WORKER"
                                                          : "STARPU_CUDA_THREAD_PER_DEV",
                    "1");
}

/* In a program that did not ask for Tilework the GPUs' memory is the program's, too, and other processes': half of what
 * is free on the fullest GPU is enough for each. libtilework_lapack and libtilework_fftw say so by dlsym, before the
 * start. */
__attribute__((visibility("default"))) void tw_be_guest(void);
static atomic_int guest;
void tw_be_guest(void)
{
    atomic_store(&guest, 1);
}
static void limit_guest_memory(void)
{
    const char *used = getenv("STARPU_NCUDA");
    const int wanted = used ? atoi(used) : tw_rt.config.ncuda, count = tw_gpu_count();
    size_t least = 0, free_bytes;

    if (!atomic_load(&guest) || tw_rt.config.cuda_memory_limit || getenv("STARPU_LIMIT_CUDA_MEM")) return;
    for (int g = 0; g < count && (wanted < 0 || g < wanted); g++)
        if (tw_device_room(g, &free_bytes) == 0 && (!least || free_bytes < least)) least = free_bytes;
    if (!least) return; /* StarPU finds out by itself */
    tw_rt.config.cuda_memory_limit = least / 2 > (size_t)1 << 20 ? least / 2 : (size_t)1 << 20;
    tw_log(TW_LOG_INFO, "%zu MiB of each GPU's memory may be used: half of what is free",
           tw_rt.config.cuda_memory_limit >> 20);
}

static void choose_devices(struct starpu_conf *conf, int cuda)
{
    char text[64];

    if (cuda) {
        choose_cuda(conf);
        limit_guest_memory();
    }
    if (tw_rt.config.ncpu >= 0 && !getenv("STARPU_NCPU")) conf->ncpus = tw_rt.config.ncpu;
    if (!tw_device_built())
        conf->ncuda = 0; /* StarPU's own could only wait */
    else if (tw_rt.config.ncuda >= 0 && !getenv("STARPU_NCUDA"))
        conf->ncuda = tw_rt.config.ncuda;
    if (tw_rt.config.ncpu < 0 && !getenv("STARPU_NCPU") && !getenv("STARPU_NCPUS") && tw_starpu_listed_cores())
        conf->ncpus = workers_of_list(cuda);
    choose_cores();
    if (tw_rt.config.cuda_ids) {
        conf->use_explicit_workers_cuda_gpuid = 1;
        for (int i = 0; i < STARPU_NMAXWORKERS; i++)
            conf->workers_cuda_gpuid[i] = (unsigned)tw_rt.config.cuda_ids[i % tw_rt.config.ncuda_ids];
    }
    if (tw_rt.config.cuda_memory_limit) {
        snprintf(text, sizeof text, "%zu", tw_rt.config.cuda_memory_limit >> 20);
        set_default("STARPU_LIMIT_CUDA_MEM", text);
    }
    if (tw_rt.config.disk_dir[0]) set_default("STARPU_DISK_SWAP", tw_rt.config.disk_dir);
}

/* StarPU ends the program where a worker's thread cannot be had. At most so many: a driver for each stream, and some
 * that CUDA starts for itself. */
static int check_threads(const struct starpu_conf *conf, int cuda)
{
    const char *ncpu = getenv("STARPU_NCPU"), *streams = getenv("STARPU_NWORKER_PER_CUDA");
    const int listed = conf->ncpus >= 0 ? conf->ncpus : tw_core_count(), cpus = ncpu ? atoi(ncpu) : listed;
    const int gpus = cuda ? tw_gpu_count() : 0, wanted = cpus + gpus * (streams ? atoi(streams) : 1) + 4 * gpus;
    const int possible = tw_helpers_possible(wanted < STARPU_NMAXWORKERS ? wanted : STARPU_NMAXWORKERS);

    if (possible >= wanted || possible >= STARPU_NMAXWORKERS) return 0;
    return tw_fail(TW_E_MEMORY,
                   "%d threads are needed and %d can be started: a limit of the user's processes (ulimit -u), of a "
                   "container's (pids) or of memory; fewer workers need less (STARPU_NCPU)",
                   wanted, possible);
}

static int init_starpu(struct starpu_conf *conf, int cuda)
{
    int first, e = check_threads(conf, cuda);

    if (e || (e = tw_sampling_begin(&first))) return e;
    tw_sched_hide();
    tw_stacks_begin();
    void *locale = tw_c_locale_enter(); /* StarPU's files and variables: what one locale wrote others could not read */
    e = starpu_init(conf);
    tw_c_locale_leave(locale);
    tw_stacks_end();
    tw_sched_show();
    tw_sampling_end(e == 0);
    tw_phase_done(first ? "StarPU, the bus measured for the first time" : "StarPU");
    if (e == -ENODEV)
        return tw_fail(TW_E_NO_WORKER,
                       "StarPU found no worker: check STARPU_NCPU, STARPU_NCUDA and the cpuset of this process");
    return e ? tw_fail(TW_E_STARPU, "starpu_init failed: %s", strerror(-e)) : 0;
}

static int start_starpu(void)
{
    struct starpu_conf conf;
    int cuda, e;

    if ((e = tw_starpu_variables_check())) return e; /* before the first function that reads one */
    tw_starpu_limit_notice(tw_rt.config.disk_dir);
    cuda = expect_cuda();
    if (cuda) tw_phase_done("CUDA driver");
    if (starpu_conf_init(&conf) != 0)
        return tw_fail(TW_E_STARPU, "starpu_conf_init failed: headers and library differ");
    if ((e = tw_sched_choose(&conf, cuda))) return e;
    conf.catch_signals = 0; /* signals belong to the program */
    for (size_t i = 0; i < sizeof vars / sizeof *vars; i++)
        vars[i].ours = getenv(vars[i].name) == NULL;
    set_default("STARPU_CATCH_SIGNALS", "0");
    set_default("STARPU_SILENT", "1");
    choose_devices(&conf, cuda);
    e = init_starpu(&conf, cuda);
    for (size_t i = 0; i < sizeof vars / sizeof *vars; i++)
        if (vars[i].ours) unsetenv(vars[i].name);
    tw_rt.owns_starpu = !e;
    return e;
}

/* With the workers awake. Every handle that was made is given back, also where only some could be. */
static void stop_starpu(void)
{
    if (tw_rt.ncuda > 0) {
        if (tw_rt.config.trace_events) tw_timings_destroy();
        tw_handles_destroy();
        tw_phase_done("GPU handles");
    }
    if (tw_rt.owns_starpu) {
        starpu_shutdown();
        tw_phase_done("StarPU");
    }
}

static struct {
    char gpu[256], version[64];
    size_t gpu_memory;
} seen; /* for tw_machine_info: written by the start only */

static void describe(void)
{
    struct starpu_sched_policy *policy = starpu_sched_get_sched_policy();
    int a, b, c;

    starpu_get_version(&a, &b, &c);
    snprintf(seen.version, sizeof seen.version, "%d.%d.%d", a, b, c);
    tw_gpu_facts(seen.gpu, sizeof seen.gpu, &seen.gpu_memory);

    tw_rt.ncpu = (int)starpu_cpu_worker_get_count();
    tw_rt.ncuda = tw_device_built() ? (int)starpu_cuda_worker_get_count() : 0;
    atomic_store(&tw_life.cuda_workers, tw_rt.ncuda);
    tw_rt.ndevices = 0;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) tw_rt.ndevices++;
    snprintf(tw_rt.sched, sizeof tw_rt.sched, "%s", policy && policy->policy_name ? policy->policy_name : "unknown");
    tw_rt.min_prio = starpu_sched_get_min_priority();
    tw_rt.max_prio = starpu_sched_get_max_priority();
}

/* ---- idle -------------------------------------------------------------------------------------------------------- */

/* On the thread that waits for this. Sequences that live may queue tasks without being inside. */
static int give_back(void)
{
    struct tw_given_back given = {0};
    int done = 0;

    if (pthread_mutex_trylock(&start_lock)) return 0; /* it ends */
    atomic_store(&changing, 1);
    this_changes = 1;
    if (tw_gate_hold()) {
        tw_gate_adopt();
        if (!tw_sequences_alive() && starpu_task_nsubmitted() == 0) {
            tw_data_give_back(&given);
            done = 1;
        }
        tw_gate_release();
        tw_gate_let();
    }
    this_changes = 0;
    atomic_store(&changing, 0);
    pthread_mutex_unlock(&start_lock);
    if (done)
        tw_log(TW_LOG_INFO, "idle: %.0f MB of pinned memory, %.0f MB of the GPUs' and %d workspaces given back",
               given.pinned * 1e-6, given.of_gpus * 1e-6, given.workspaces);
    return done;
}

static void watch_idleness(void)
{
    const double seconds = tw_rt.config.idle < 0 ? (atomic_load(&guest) ? 10 : 0) : tw_rt.config.idle;
    if (seconds > 0 && tw_rt.owns_starpu && !tw_idle_start(seconds, give_back))
        tw_log(TW_LOG_WARNING, "no thread that would give memory back when the library is idle");
}

/* More streams than usual: what has time goes by a part of the GPU (TW_LANE_YIELDING). */
static int parted(int worker)
{
    return tw_gpu_streams(worker) > TW_STREAMS;
}

static int start_locked(const tw_options *options)
{
    static int watching;
    int e;

    if (!watching) watch_forks(), watching = 1;
    memset(&tw_rt, 0, sizeof tw_rt);
    if ((e = tw_config_resolve(&tw_rt.config, options))) return e;
    if ((e = tw_trace_formats_check())) return e;
    tw_phases_begin(0);
    if (!starpu_is_initialized()) {
        if ((e = start_starpu())) return e;
    }
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE); /* per-task times: the recorder, the counters, the models */
    describe();
    tw_tile_memory_choose();
    if (tw_rt.ncuda > 0) {
        atomic_store(&tw_life.used_cuda, 1);
        e = tw_handles_create(parted);
        if (!e && tw_rt.config.trace_events) e = tw_timings_create();
        tw_phase_done("cuBLAS and cuSOLVER handles");
        if (e) {
            stop_starpu();
            return e;
        }
    }
    if ((e = tw_blas_reserve(tw_rt.ncpu + 1))) { /* the workers, and the thread that calls */
        stop_starpu();
        return e;
    }
    tw_counters_init();
    tw_record_init();
    tw_rt.start_time = tw_now();
    if (tw_rt.owns_starpu) starpu_pause(); /* polling workers would halve the rates that are measured beside them */
    tw_blas_single();
    tw_phase_done(tw_profile_load() ? "machine profile measured" : "machine profile read");
    tw_blas_restore();
    tw_crossover_know();
    tw_enter_reset();
    tw_warm_forget();
    tw_warm(TW_DOUBLE); /* the other types when their first matrix is made */
    if (tw_rt.ncuda > 0) tw_phase_done("GPU kernels loaded");
    atomic_store(&tw_life.reproducible, tw_rt.config.reproducible);
    atomic_fetch_add(&tw_life.starts, 1);
    atomic_store(&tw_life.running, 1);
    if (tw_blas_advice()) /* a variable that is set is somebody's choice: `tilework info` tells what it costs */
        tw_log(getenv("OPENBLAS_CORETYPE") ? TW_LOG_INFO : TW_LOG_WARNING,
               "OpenBLAS runs its %s kernels, which are slow on this CPU: start the program with OPENBLAS_CORETYPE=%s",
               tw_blas_core(), tw_blas_advice());
    tw_log(TW_LOG_INFO, "started: %d CPU workers, %d CUDA workers on %d GPUs, scheduler %s", tw_rt.ncpu, tw_rt.ncuda,
           tw_rt.ndevices, tw_rt.sched);
    tw_gate_adopt(); /* this thread may hold calls up, but not wait for itself */
    tw_nvtx_use(tw_rt.config.nvtx);
    if (tw_rt.config.nvtx && !tw_nvtx_built())
        tw_log(TW_LOG_WARNING, "TILEWORK_NVTX=1: this build has no NVTX ranges: it was made without the CUDA toolkit");
    if (tw_rt.config.trace[0]) e = tw_trace_start();
    tw_gate_release();
    if (e) return e;
    if (tw_rt.config.progress) tw_progress_start();
    watch_idleness();
    return 0;
}

static int refuse_child(void)
{
    return tw_fail(
        TW_E_FORK,
        "this process was forked while Tilework ran (its workers exist in the parent only), or after it had used "
        "a GPU (CUDA does not survive a fork). Fork before the first call, or exec a new program in the child");
}

static void lock_state(void)
{
    pthread_mutex_lock(&start_lock);
    atomic_store(&changing, 1);
    this_changes = 1;
}
static void unlock_state(void)
{
    this_changes = 0;
    atomic_store(&changing, 0);
    pthread_mutex_unlock(&start_lock);
}

/* The program ends beside sequences that live: nothing is queued any more, and what is queued is cancelled. Its kernels
 * would run on while the libraries they come from are taken down. */
static void abandon_sequences(void)
{
    tw_gate_shut();
    tw_cancel_all();
    if (tw_inside() || this_changes || !starpu_is_initialized())
        return; /* exit() in a report: it cannot be waited for */
    tw_gate_empty();
    tw_cancel_all(); /* those, too, that were being queued */
    tw_enter();
    starpu_task_wait_for_all();
    tw_leave();
}

/* A process that exits without tw_finalize still gets its trace, and StarPU its orderly end. Threads that go on calling
 * while the program ends start nothing any more: not before tw_finalize, nor between its end and the shut gate. A start
 * that is under way is waited for, since its measurements, too, run kernels of libraries that are about to be taken
 * down. */
static void at_exit(void)
{
    if (starpu_worker_get_id() >= 0)
        return; /* exit() inside a task: the workers cannot be waited for from one of them */
    if (atomic_load(&tw_life.forked) || atomic_exchange(&ending, 1)) return;
    if (!this_changes && !tw_inside()) { /* else exit() in a callback, for which the lock's holder may wait */
        lock_state();
        unlock_state();
    }
    if (!atomic_load(&tw_life.running) || tw_finalize() == 0)
        tw_gate_shut();
    else if (atomic_load(&tw_life.running))
        abandon_sequences();
}

static int refuse_ending(void)
{
    return tw_fail(TW_E_STATE, "the program ends: the library does not start any more");
}

static int start_once(const tw_options *options, int explicitly)
{
    static int registered;
    int e = 0;

    if (atomic_load(&tw_life.forked)) return refuse_child();
    if (this_changes) return tw_fail(TW_E_STATE, "called from a log callback while the library starts or stops");
    if (atomic_load(&tw_life.running) && (!explicitly || tw_inside())) {
        if (!starpu_is_initialized())
            return tw_fail(TW_E_STATE,
                           "StarPU was shut down while Tilework used it: call tw_finalize before starpu_shutdown");
        if (starpu_worker_get_id() >= 0)
            return tw_fail(TW_E_STATE,
                           "called from inside a StarPU task or callback: call it from a thread of the program");
        return explicitly ? tw_fail(TW_E_STATE, "tw_init: called from inside another call") : 0;
    }
    lock_state();
    if (atomic_load(&tw_life.running)) {
        if (explicitly)
            e = tw_fail(TW_E_STATE,
                        "tw_init: the library runs already (call it before any other routine, or tw_finalize first)");
    } else if (atomic_load(&ending)) {
        e = refuse_ending();
    } else {
        /* Twice: before the start, for exit() in another thread meanwhile, and after it, to come before what CUDA and
         * StarPU registered. */
        if (registered == 0) registered += atexit(at_exit) == 0;
        e = start_locked(options);
        if (!e && registered == 1) registered += atexit(at_exit) == 0;
    }
    unlock_state();
    return e;
}

int tw_init(const tw_options *options)
{
    tw_clear_message();
    return start_once(options, 1);
}

static int write_trace(void)
{
    int e = tw_trace_stop();

    if (!e && tw_record_any())
        e = tw_trace_write(tw_rt.config.trace);
    else if (!e)
        tw_log(TW_LOG_WARNING,
               "no trace was written to %s: no task ran, and no call went straight to LAPACK, BLAS or FFTW",
               tw_rt.config.trace);
    if (e)
        tw_log(TW_LOG_WARNING, "the trace %s was not written, or not all of it: %s", tw_rt.config.trace,
               tw_last_message());
    tw_phase_done("trace");
    return e;
}

/* Nobody is inside but this thread. */
static int stop(void)
{
    int e = 0;

    tw_phases_begin(1);
    tw_idle_stop();
    tw_progress_stop();
    tw_enter();
    starpu_task_wait_for_all();
    tw_ends_stop();
    tw_phase_done("waiting for tasks");
    if (tw_rt.config.trace[0]) e = write_trace();
    tw_record_end();
    tw_models_keep();
    tw_living_end();
    tw_data_clear();
    (void)tw_pool_clear();
    tw_phase_done("memory given back");
    tw_enter_alone();
    tw_leave();
    atomic_store(&tw_life.running, 0);
    atomic_store(&tw_life.reproducible, 0);
    atomic_store(&tw_life.cuda_workers, 0);
    if (tw_rt.owns_starpu) starpu_resume();
    stop_starpu();
    tw_variants_clear();
    tw_workspace_forget();
    memset(&tw_rt, 0, sizeof tw_rt);
    return e;
}

/* With the state's lock: closes the gate, so that what is under way ends and nothing begins. */
static int stop_locked(void)
{
    static const char alive[] = "tw_finalize: destroy the sequences first";
    int e;

    if (tw_sequences_alive()) return tw_fail(TW_E_STATE, alive);
    tw_gate_close();
    tw_gate_adopt();
    if (tw_sequences_alive()) { /* made by a call that was under way */
        e = tw_fail(TW_E_STATE, alive);
    } else if (!starpu_is_initialized()) { /* nothing is left that could be given back in order */
        tw_idle_stop();
        tw_living_end();
        atomic_store(&tw_life.running, 0);
        e = tw_fail(TW_E_STATE, "tw_finalize: StarPU was shut down before");
    } else {
        e = stop();
    }
    tw_gate_release();
    tw_gate_open();
    return e;
}

int tw_finalize(void)
{
    int e = 0;

    if (atomic_load(&tw_life.forked)) return refuse_child();
    if (tw_inside() || this_changes)
        return tw_fail(TW_E_STATE,
                       "tw_finalize: called from inside of a call (a report or log callback), which it would wait for");
    if (starpu_worker_get_id() >= 0)
        return tw_fail(TW_E_STATE, "tw_finalize: called from inside a StarPU task or callback");
    lock_state();
    if (atomic_load(&tw_life.running)) e = stop_locked();
    unlock_state();
    return e;
}

/* ---- awake or asleep --------------------------------------------------------------------------------------------- */

static void wake(void)
{
    tw_blas_single();
    if (tw_rt.owns_starpu) starpu_resume();
}
static void fall_asleep(void)
{
    if (tw_rt.owns_starpu) starpu_pause();
    tw_blas_restore();
}
static int start_if_needed(void)
{
    return start_once(NULL, 0);
}
static __attribute__((constructor)) void register_start(void)
{
    tw_state_register(start_if_needed, wake, fall_asleep);
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

int tw_machine_info(tw_machine *m)
{
    if (!m) return tw_illegal("tw_machine_info", 1, "NULL");
    memset(m, 0, sizeof *m);
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    m->cpu_workers = tw_rt.ncpu;
    m->cuda_workers = tw_rt.ncuda;
    m->cuda_devices = tw_rt.ndevices;
    m->sched = tw_rt.sched;
    m->blas_core = tw_blas_core();
    m->blas_advice = tw_blas_advice();
    m->cpu_name = tw_cpu_name();
    m->cuda_memory = seen.gpu_memory;
    m->gpu_name = seen.gpu;
    m->cores = tw_core_count();
    m->host_memory = tw_host_memory_limit(NULL);
    for (int t = 0; t < TW_NTYPES; t++) {
        m->cpu_gflops[t] = tw_profile_rate(0, TW_RATE_GEMM, (enum tw_type)t, 1024);
        m->cuda_gflops[t] = tw_rt.ncuda ? tw_profile_rate(1, TW_RATE_GEMM, (enum tw_type)t, 4096) : 0;
    }
    m->profile_path = tw_profile.path;
    m->starpu_version = seen.version;
    return 0;
}
