/* libtilework.so: opened when a call is first taken, for ourselves alone, so that no name of it or of its OpenBLAS is
 * seen by the program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dropin/dropin.h"

#define LIBRARY "libtilework.so.0"
struct tw_engine tw_engine;
atomic_int tw_forked;
_Atomic double tw_engine_started_in;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* This thread has the lock while it starts the library, and may fork: CUDA's driver does, to run nvidia-modprobe. */
static _Thread_local int starts;
static atomic_int state; /* 0: not started, 1: on the way, 2: runs, -1: cannot be had */
static pthread_t starter;
static int starting;

static void *function(void *handle, const char *name)
{
    void *at = dlsym(handle, name);
    if (!at) tw_dropin_say("%s has no %s: it is of another version", LIBRARY, name);
    return at;
}

/* With the lock. */
static int bind_engine(void *handle)
{
    struct tw_engine e = {0};

    *(void **)&e.begin = function(handle, "tw_begin");
    *(void **)&e.end = function(handle, "tw_end");
    *(void **)&e.at_work = function(handle, "tw_at_work");
    *(void **)&e.tasks = function(handle, "tw_tasks_of_this_thread");
    *(void **)&e.message = function(handle, "tw_last_message");
    if (!e.begin || !e.end || !e.at_work || !e.tasks || !e.message) return 0;
    tw_engine.begin = e.begin;
    tw_engine.end = e.end;
    tw_engine.tasks = e.tasks;
    tw_engine.message = e.message;
    tw_engine.at_work = e.at_work;
    atomic_store(&tw_engine.handle, handle);
    return 1;
}

void tw_engine_notice(void)
{
    static atomic_ullong seen;
    unsigned long long loads;
    void *handle;

    if (tw_engine.handle || (loads = tw_dropin_loads()) == atomic_load(&seen)) return;
    if ((handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD))) {
        pthread_mutex_lock(&lock);
        if (!tw_engine.handle) (void)bind_engine(handle);
        pthread_mutex_unlock(&lock);
    }
    atomic_store(&seen, loads);
}

int tw_engine_at_work(void)
{
    return tw_engine.handle && tw_engine.at_work();
}
int tw_engine_runs(void)
{
    return atomic_load(&state) == 2;
}

/* Under a limit of the process (ulimit -v, ulimit -d): is there room for what OpenBLAS takes for each thread, 128 MiB
 * and a stack, once more for the program's own OpenBLAS, which would wait for ever, and for StarPU? Asked when the
 * library's files are mapped, before anything runs: they can still be unmapped. */
static int has_room(void)
{
    const char *given = secure_getenv("STARPU_NCPU");
    const double page = (double)sysconf(_SC_PAGESIZE), mib = 1 << 20;
    double total = 0, data = 0, needed, room = INFINITY;
    struct rlimit limit;
    cpu_set_t cores;
    int threads = given ? atoi(given) : 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (!f) return 1;
    if (fscanf(f, "%lf %*s %*s %*s %*s %lf", &total, &data) != 2) total = data = 0;
    fclose(f);
    if (threads <= 0) threads = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
    needed = 136 * mib * (threads + 2) + 64 * mib;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room = (double)limit.rlim_cur - page * total;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur - page * data < room)
        room = (double)limit.rlim_cur - page * data;
    if (room >= needed) return 1;
    tw_dropin_say("all calls are forwarded: %.0f MiB of address space are needed beside the library's files, and the "
                  "limit (ulimit -v, ulimit -d) leaves %.0f",
                  needed / mib, room > 0 ? room / mib : 0.0);
    return 0;
}

/* Beside this library's own file, else where the loader finds it. Under libblastrampoline, which has LAPACK's names
 * before all others and leads those of one width to nobody, LAPACKE is to find its own. */
static void *open_engine(void)
{
    const int mode = RTLD_NOW | RTLD_LOCAL | (atomic_load(&tw_under_trampoline) ? RTLD_DEEPBIND : 0);
    char path[PATH_MAX + 32], real[PATH_MAX];
    const char *self = tw_dropin_self();
    char *slash;
    void *handle = NULL;

    if (self && realpath(self, real) && (slash = strrchr(real, '/'))) {
        *slash = 0;
        snprintf(path, sizeof path, "%s/%s", real, LIBRARY);
        handle = dlopen(path, mode);
    }
    if (!handle) handle = dlopen(LIBRARY, mode);
    if (!handle)
        tw_dropin_say("all calls are forwarded: %s", dlerror());
    else if (!has_room()) {
        dlclose(handle);
        handle = NULL;
    }
    return handle;
}

/* The library's threads take no signals that are the program's. */
static int start(void)
{
    const double begun = tw_dropin_now();
    struct tw_signals signals;
    int e = -1;

    tw_dropin_signals_block(&signals);
    pthread_mutex_lock(&lock);
    starts = 1;
    if (atomic_load(&state) <= 1 && atomic_load(&state) >= 0) {
        void (*be_guest)(void) = NULL;
        void *handle = tw_engine.handle;
        if (!handle && (handle = open_engine())) *(void **)&be_guest = dlsym(handle, "tw_be_guest");
        if (be_guest) be_guest(); /* half of the GPUs' free memory stays the program's */
        if (handle && (tw_engine.handle || bind_engine(handle)) && !(e = tw_engine.begin())) tw_engine.end();
        if (e && handle) tw_dropin_say("all calls are forwarded: %s", tw_engine.handle ? tw_engine.message() : LIBRARY);
        atomic_store(&tw_engine_started_in, tw_dropin_now() - begun);
        atomic_store(&state, e ? -1 : 2);
    }
    starts = 0;
    pthread_mutex_unlock(&lock);
    tw_dropin_signals_restore(&signals);
    return atomic_load(&state) == 2;
}
int tw_engine_start(void)
{
    return tw_engine_runs() || (atomic_load(&state) >= 0 && start());
}

static void *start_aside(void *unused)
{
    (void)unused;
    tw_dropin_mark_thread(); /* the machine profile is measured with BLAS and LAPACK */
    (void)start();
    return NULL;
}
/* A start that is under way when the program ends is waited for. */
static void wait_for_start(void)
{
    if (starting && !atomic_load(&tw_forked)) (void)pthread_join(starter, NULL);
    starting = 0;
}
/* Handlers run the latest first: those of libraries that are being loaded would run before ours, beside constructors
 * that are still at work. What exit() calls before all handlers are its thread's own destructors; this one is of the
 * thread that loaded us, which is the one that returns from main. */
static void wait_for_libraries(void *unused)
{
    (void)unused;
    if (starts || atomic_load(&tw_forked)) return;
    wait_for_start();
    pthread_mutex_lock(&lock); /* a start in a thread that calls */
    pthread_mutex_unlock(&lock);
}
extern int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);
extern void *__dso_handle __attribute__((visibility("hidden")));
__attribute__((constructor)) static void mind_exit(void)
{
    (void)__cxa_thread_atexit_impl(wait_for_libraries, NULL, &__dso_handle);
}
void tw_engine_start_later(void)
{
    int none = 0;
    struct tw_signals signals;

    if (!atomic_compare_exchange_strong(&state, &none, 1)) return;
    tw_dropin_signals_block(&signals);
    starting = atexit(wait_for_start) == 0 && pthread_create(&starter, NULL, start_aside, NULL) == 0;
    tw_dropin_signals_restore(&signals);
    if (!starting) atomic_store(&state, 0);
}

void *tw_engine_function(int name, int wide)
{
    /* [32 bits, 64 bits] for each door */
    static void *_Atomic found[2][1024];
    const struct tw_door *d = tw_door_of(name);
    const int number = name / TW_NAMES;
    char symbol[64];
    void *at;

    if (number >= 1024) return NULL;
    if (d->blas) wide = 1;
    at = atomic_load(&found[wide][number]);
    if (at) return at;
    if (d->blas)
        snprintf(symbol, sizeof symbol, "tw_%s", d->name);
    else
        snprintf(symbol, sizeof symbol, "tw_LAPACKE_%s%s%s", d->name, d->kind == TW_DOOR_LAPACKE ? "" : "_work",
                 wide ? "_64" : "");
    at = dlsym(tw_engine.handle, symbol);
    atomic_store(&found[wide][number], at);
    return at;
}

/* ---- fork: the child has none of the library's threads, and must not wait for what others held ------------------- */

static void before_fork(void)
{
    if (!starts) pthread_mutex_lock(&lock);
    tw_sites_lock();
}
static void after_fork(void)
{
    tw_sites_unlock();
    if (!starts) pthread_mutex_unlock(&lock);
}
static void in_child(void)
{
    after_fork();
    atomic_store(&tw_forked, 1);
    tw_report_forget();
}
__attribute__((constructor)) static void mind_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork, in_child);
}
