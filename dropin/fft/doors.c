/* libtilework_fftw.so: FFTW's names, for programs that load it before FFTW. A plan that is worth it is Tilework's, and
 * is recognized by its first words when it comes back; every other one is FFTW's own, made, executed and destroyed by
 * FFTW. As libtilework_fft, which it opens, this is under the GPL, version 2 or later, when distributed.
 * docs/dropin.md. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include <tilework/fft.h>

#pragma GCC visibility push(hidden)
#include "dropin/fft/arrays.h"
enum { FLOATS = 1, DOUBLES = 0 }; /* TYPE */
enum { KIND_C2C, KIND_R2C, KIND_C2R, KIND_R2R };
/* fftw3.h's flags. */
enum {
    MEASURE = 0,
    DESTROY_INPUT = 1,
    EXHAUSTIVE = 8,
    PRESERVE_INPUT = 16,
    PATIENT = 32,
    ESTIMATE = 64,
    WISDOM_ONLY = 1 << 21
};

struct dim {
    int64_t n, is, os;
};
struct iodim {
    int n, is, os;
};
struct iodim64 {
    ptrdiff_t n, is, os;
};
struct problem {
    int type, kind, rank, nloops, sign, in_place, split, possible;
    struct dim dims[3], loops[3];
    int r2r[3];
};
/* FFTW's own plans begin with a pointer to code and data; none is its own address mixed with these numbers. */
#define FIRST  UINT64_C(0x9e3779b97f4a7c15)
#define SECOND UINT64_C(0xc2b2ae3d27d4eb4f)
struct fftw_wrapped {
    uint64_t first, second;
    struct problem problem;
    void *in, *out;
    unsigned flags;
    tw_fft *plan;
    void *_Atomic real; /* FFTW's, where one was needed */
};

static struct {
    int threads, limited;
    double limit;
} fftw_settings[2];
static struct {
    int secure, off, report;
    char root[256]; /* TILEWORK_DROPIN_ROOT: for tests, the folder that has /dev */
    double least;   /* points; < 0: by what gains */
    const char *report_file;
} settings = {.least = -1};
static _Thread_local int inside; /* FFTW calls its own functions through the linker's table */
static atomic_int forked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_ullong plans, taken, executions;
/* Why a plan is FFTW's. */
enum { SMALL, NO_GPU, OTHER, CHILD, WHYS };
static const char *const why_name[WHYS] = {"small", "no GPU", "other", "forked"};
static atomic_ullong whys[WHYS];
static _Atomic uint64_t nanoseconds;

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
    va_list list;
    char line[512];
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    fprintf(stderr, "libtilework_fftw: %s\n", line);
}

/* ---- FFTW itself ------------------------------------------------------------------------------------------------- */

static int is_self(const void *at)
{
    Dl_info a, b;
    return at && dladdr(at, &a) && dladdr(&settings, &b) && a.dli_fbase == b.dli_fbase;
}
static void *in_handle(void *handle, const char *symbol)
{
    void *at = handle ? dlsym(handle, symbol) : NULL;
    return at && !is_self(at) ? at : NULL;
}
/* The function that the caller would have had: the next one in the program's order, else in the caller's own libraries
 * (Python's modules keep theirs to themselves), else the system's. */
static void *fftw_real(const char *name, int type, const void *caller)
{
    static const char *const file[2][3] = {{"libfftw3.so.3", "libfftw3_threads.so.3", "libfftw3_omp.so.3"},
                                           {"libfftw3f.so.3", "libfftw3f_threads.so.3", "libfftw3f_omp.so.3"}};
    char symbol[80];
    Dl_info info;
    void *at = NULL;

    snprintf(symbol, sizeof symbol, "fftw%s_%s", type == FLOATS ? "f" : "", name);
    at = in_handle(RTLD_NEXT, symbol);
    if (!at && dladdr(caller, &info) && info.dli_fname) {
        void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        at = in_handle(handle, symbol);
        if (handle) (void)dlclose(handle);
    }
    for (int i = 0; !at && i < 3; i++)
        at = in_handle(dlopen(file[type][i], RTLD_LAZY | RTLD_NOLOAD), symbol);
    for (int i = 0; !at && i < 2; i++)
        at = in_handle(dlopen(file[type][i], RTLD_LAZY | RTLD_LOCAL), symbol);
    if (!at) {
        say("there is no %s: no FFTW behind this library", symbol);
        abort();
    }
    return at;
}
/* Those that are called often are looked up once: a process has one FFTW of a precision. */
enum once {
    REAL_execute,
    REAL_execute_dft,
    REAL_execute_dft_r2c,
    REAL_execute_dft_c2r,
    REAL_execute_r2r,
    REAL_execute_split_dft,
    ONCE
};
static void *fftw_real_once(enum once which, int type, const void *caller)
{
    static const char *const name[ONCE] = {"execute",         "execute_dft", "execute_dft_r2c",
                                           "execute_dft_c2r", "execute_r2r", "execute_split_dft"};
    static void *_Atomic found[2][ONCE];
    void *at = atomic_load_explicit(&found[type][which], memory_order_relaxed);
    if (!at) atomic_store(&found[type][which], at = fftw_real(name[which], type, caller));
    return at;
}

/* ---- Tilework ---------------------------------------------------------------------------------------------------- */

static struct {
    int (*plan_guru)(tw_fft **, enum tw_type, enum tw_fft_kind, int, const tw_fft_dim *, int, const tw_fft_dim *, int,
                     const tw_fft_options *);
    int (*execute)(tw_fft *, const void *, void *);
    int (*destroy)(tw_fft *);
    void (*options)(tw_fft_options *);
    const char *(*message)(void);
    int (*machine)(tw_machine *);
    tw_pin_function *pin;
    tw_unpin_function *unpin;
} engine;
static atomic_int engine_state; /* 0: not asked for, 1: open, -1: cannot be had */

static int fftw_engine_is_open(void)
{
    return atomic_load(&engine_state) == 1;
}
static int gpu_is_there(void)
{
    const char *visible = secure_getenv("CUDA_VISIBLE_DEVICES"), *used = secure_getenv("STARPU_NCUDA");
    char control[PATH_MAX];

    snprintf(control, sizeof control, "%s/dev/nvidiactl", settings.root);
    return access(control, F_OK) == 0 && !(visible && (!*visible || !strcmp(visible, "-1"))) &&
           !(used && !strcmp(used, "0"));
}
/* With the lock. For itself alone: no name of it is seen by the program. */
static int open_engine(void)
{
    static const char file[] = "libtilework_fft.so.0";
    if (engine_state) return engine_state == 1;
    char real[PATH_MAX], path[PATH_MAX + 32], *slash;
    Dl_info self;
    void *handle = NULL;
    /* Beside this library's own file, else where the loader finds it. */
    if (dladdr(&settings, &self) && self.dli_fname && realpath(self.dli_fname, real) && (slash = strrchr(real, '/'))) {
        *slash = 0;
        snprintf(path, sizeof path, "%s/%s", real, file);
        handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    }
    if (!handle) handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (handle) {
        void (*be_guest)(void);
        *(void **)&be_guest = dlsym(handle, "tw_be_guest");
        if (be_guest) be_guest(); /* half of the GPUs' free memory stays the program's */
        *(void **)&engine.plan_guru = dlsym(handle, "tw_fft_plan_guru");
        *(void **)&engine.execute = dlsym(handle, "tw_fft_execute");
        *(void **)&engine.destroy = dlsym(handle, "tw_fft_destroy");
        *(void **)&engine.options = dlsym(handle, "tw_fft_options_init");
        *(void **)&engine.message = dlsym(handle, "tw_last_message");
        *(void **)&engine.machine = dlsym(handle, "tw_machine_info");
        *(void **)&engine.pin = dlsym(handle, "tw_pin");
        *(void **)&engine.unpin = dlsym(handle, "tw_unpin");
    } else
        say("%s", dlerror());
    engine_state = engine.plan_guru && engine.execute && engine.destroy && engine.options && engine.message &&
                           engine.machine && engine.pin && engine.unpin
                       ? 1
                       : -1;
    return engine_state == 1;
}

/* FFTW's planner is called by one thread at a time, as programs have to see to that, too; its threads and time limit
 * are the program's for that long. */
#define FORWARD_BEGIN(type) const int before_ = forward_begin(type)
#define FORWARD_END()       forward_end(before_)
static int forward_begin(int type)
{
    const int before = inside;
    if (!before) {
        pthread_mutex_lock(&lock);
        inside = 1 + type;
        if (fftw_engine_is_open()) {
            if (fftw_settings[type].threads)
                ((void (*)(int))fftw_real("plan_with_nthreads", type, NULL))(fftw_settings[type].threads);
            ((void (*)(double))fftw_real("set_timelimit", type, NULL))(
                fftw_settings[type].limited ? fftw_settings[type].limit : -1.0);
        }
    }
    return before;
}
static void forward_end(int before)
{
    if (before) return;
    const int type = inside - 1;
    if (fftw_engine_is_open() && fftw_settings[type].threads)
        ((void (*)(int))fftw_real("plan_with_nthreads", type, NULL))(1);
    inside = before;
    pthread_mutex_unlock(&lock);
}

static const struct fftw_wrapped *fftw_is_ours(const void *plan)
{
    const struct fftw_wrapped *w = plan;
    if (!w || w->first != ((uint64_t)(uintptr_t)w ^ FIRST) || w->second != ((uint64_t)(uintptr_t)w * 3 ^ SECOND))
        return NULL;
    return w;
}

/* FFTW's kinds of real transforms by their numbers; its halfcomplex ones are not Tilework's. */
static int r2r_of(int kind)
{
    static const int of[] = {-1,          -1,          TW_FFT_DHT,  TW_FFT_DCT1, TW_FFT_DCT3, TW_FFT_DCT2,
                             TW_FFT_DCT4, TW_FFT_DST1, TW_FFT_DST3, TW_FFT_DST2, TW_FFT_DST4};
    return kind >= 0 && kind < (int)(sizeof of / sizeof *of) ? of[kind] : -1;
}
static double points_of(const struct problem *p)
{
    double points = 1;
    for (int d = 0; d < p->rank; d++)
        points *= (double)p->dims[d].n;
    for (int d = 0; d < p->nloops; d++)
        points *= (double)p->loops[d].n;
    return points;
}
/* What tw_fft_plan_guru does as FFTW does. */
static int is_like(const struct problem *p, unsigned flags)
{
    const int half = p->kind == KIND_R2C || p->kind == KIND_C2R;

    if (!p->possible || (flags & WISDOM_ONLY) || (p->kind == KIND_C2C && p->sign != -1 && p->sign != 1)) return 0;
    if (p->kind == KIND_C2R && (flags & PRESERVE_INPUT)) return 0; /* several dimensions: FFTW says so */
    for (int d = 0; d < p->rank + p->nloops; d++) {
        const struct dim *s = d < p->rank ? p->dims + d : p->loops + d - p->rank;
        if (s->n < 1 || s->is < 1 || s->os < 1) return 0;
        if (d < p->rank && p->kind == KIND_R2R && (r2r_of(p->r2r[d]) < 0 || (p->r2r[d] == 3 && s->n < 2))) return 0;
        if (!p->in_place) continue;
        const int last = d == p->rank - 1;
        const int64_t wide = p->kind == KIND_R2C ? s->is : s->os, narrow = p->kind == KIND_R2C ? s->os : s->is;
        if (half ? (last ? wide != 1 || narrow != 1 : wide != 2 * narrow) : s->is != s->os) return 0;
    }
    return 1;
}
/* The arrays of a transform of Tilework's, where they come from fftw_malloc and there is a GPU; the library runs from
 * here on. */
static void pin(const void *in, const void *out)
{
    tw_machine machine;

    if (!gpu_is_there() || engine.machine(&machine) != 0 || machine.cuda_workers == 0) return;
    tw_arrays_pin(in, engine.pin);
    if (out != in) tw_arrays_pin(out, engine.pin);
}
static struct fftw_wrapped *fftw_take(const struct problem *p, void *in, void *out, unsigned flags, const void *caller)
{
    (void)caller;
    if (inside || settings.secure || settings.off) return NULL;
    atomic_fetch_add(&plans, 1);
    const int like = in && out && is_like(p, flags);
    const int large = points_of(p) >= (settings.least >= 0 ? settings.least : 4e6);
    /* On cores alone FFTW with the threads that the program asked for is as fast. */
    const int why = atomic_load(&forked)                    ? CHILD
                    : !like                                 ? OTHER
                    : !large                                ? SMALL
                    : settings.least < 0 && !gpu_is_there() ? NO_GPU
                                                            : WHYS;
    if (why != WHYS) {
        atomic_fetch_add(&whys[why], 1);
        return NULL;
    }

    struct fftw_wrapped *w = calloc(1, sizeof *w);
    tw_fft_dim dims[3], loops[3];
    tw_fft_options options;
    if (!w) return NULL;
    pthread_mutex_lock(&lock);
    inside = 1;
    int good = open_engine();
    if (good) {
        engine.options(&options);
        options.rigor = flags & ESTIMATE                 ? TW_FFT_ESTIMATE
                        : flags & (PATIENT | EXHAUSTIVE) ? TW_FFT_PATIENT
                                                         : TW_FFT_MEASURE;
        for (int d = 0; d < p->rank; d++) {
            dims[d] = (tw_fft_dim){.n = p->dims[d].n, .is = p->dims[d].is, .os = p->dims[d].os};
            if (p->kind == KIND_R2R) options.r2r[d] = (enum tw_fft_r2r)r2r_of(p->r2r[d]);
        }
        for (int d = 0; d < p->nloops; d++)
            loops[d] = (tw_fft_dim){.n = p->loops[d].n, .is = p->loops[d].is, .os = p->loops[d].os};
        static const enum tw_fft_kind kind[] = {TW_FFT_C2C, TW_FFT_R2C, TW_FFT_C2R, TW_FFT_R2R};
        /* The program's threads would be those of the plans inside of tasks, too. */
        if (fftw_settings[p->type].threads > 1) ((void (*)(int))fftw_real("plan_with_nthreads", p->type, caller))(1);
        good = engine.plan_guru(&w->plan, p->type == FLOATS ? TW_FLOAT : TW_DOUBLE, kind[p->kind], p->rank, dims,
                                p->nloops, loops, p->kind == KIND_C2C ? p->sign : TW_FFT_FORWARD, &options) == 0;
    }
    inside = 0;
    pthread_mutex_unlock(&lock);
    if (!good) {
        free(w);
        return NULL;
    }
    pin(in, out);
    w->problem = *p;
    w->in = in;
    w->out = out;
    w->flags = flags;
    w->second = (uint64_t)(uintptr_t)w * 3 ^ SECOND;
    w->first = (uint64_t)(uintptr_t)w ^ FIRST;
    atomic_fetch_add(&taken, 1);
    return w;
}
/* FFTW's plan of the same transform, made when somebody asks for it; no array is touched. */
static void *fftw_real_plan(const struct fftw_wrapped *constant, const void *caller)
{
    struct fftw_wrapped *w = (struct fftw_wrapped *)(uintptr_t)constant;
    const struct problem *p = &w->problem;
    struct iodim64 dims[3], loops[3];
    void *real = atomic_load(&w->real);

    if (real) return real;
    for (int d = 0; d < p->rank; d++)
        dims[d] = (struct iodim64){(ptrdiff_t)p->dims[d].n, (ptrdiff_t)p->dims[d].is, (ptrdiff_t)p->dims[d].os};
    for (int d = 0; d < p->nloops; d++)
        loops[d] = (struct iodim64){(ptrdiff_t)p->loops[d].n, (ptrdiff_t)p->loops[d].is, (ptrdiff_t)p->loops[d].os};
    const unsigned flags = ESTIMATE | 2 /* unaligned */ | (w->flags & (DESTROY_INPUT | PRESERVE_INPUT));
    FORWARD_BEGIN(p->type);
    if (!(real = atomic_load(&w->real))) {
        if (p->kind == KIND_C2C)
            real = ((void *(*)(int, const void *, int, const void *, void *, void *, int, unsigned))fftw_real(
                "plan_guru64_dft", p->type, caller))(p->rank, dims, p->nloops, loops, w->in, w->out, p->sign, flags);
        else if (p->kind == KIND_R2R)
            real = ((void *(*)(int, const void *, int, const void *, void *, void *, const int *, unsigned))fftw_real(
                "plan_guru64_r2r", p->type, caller))(p->rank, dims, p->nloops, loops, w->in, w->out, p->r2r, flags);
        else
            real = ((void *(*)(int, const void *, int, const void *, void *, void *, unsigned))fftw_real(
                p->kind == KIND_R2C ? "plan_guru64_dft_r2c" : "plan_guru64_dft_c2r", p->type, caller))(
                p->rank, dims, p->nloops, loops, w->in, w->out, flags);
        atomic_store(&w->real, real);
    }
    FORWARD_END();
    if (!real) {
        say("FFTW makes no plan of a transform that Tilework took");
        abort();
    }
    return real;
}
static void by_fftw(const struct fftw_wrapped *w, void *in, void *out, const void *caller)
{
    static const enum once which[] = {REAL_execute_dft, REAL_execute_dft_r2c, REAL_execute_dft_c2r, REAL_execute_r2r};
    void *real = fftw_real_plan(w, caller);
    ((void (*)(const void *, void *, void *))fftw_real_once(which[w->problem.kind], w->problem.type, caller))(real, in,
                                                                                                              out);
}
static void fftw_run(const struct fftw_wrapped *w, void *in, void *out, const void *caller)
{
    struct timespec begin, end;
    int code;

    if (atomic_load(&forked)) {
        by_fftw(w, in, out, caller);
        return;
    }
    if (in != w->in || out != w->out) pin(in, out);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    code = engine.execute(w->plan, in, out);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (code == 0) {
        atomic_fetch_add(&executions, 1);
        atomic_fetch_add(&nanoseconds,
                         (uint64_t)((end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec));
        return;
    }
    /* What was refused before it began, or leaves its input as it was, is FFTW's; else no result would be right. */
    if (code > -2000 || code == TW_E_STATE || code == TW_E_FORK || code == TW_E_NO_WORKER || code == TW_E_OPTION ||
        code == TW_E_UNSUPPORTED || (in != out && w->problem.kind != KIND_C2R)) {
        by_fftw(w, in, out, caller);
        return;
    }
    say("a transform failed after its input had been overwritten: %s", engine.message());
    abort();
}
/* The plan's end; FFTW's own of it, if there is one. */
static void *fftw_unwrap(struct fftw_wrapped *w)
{
    void *real = atomic_load(&w->real);
    w->first = w->second = 0;
    if (!atomic_load(&forked)) (void)engine.destroy(w->plan);
    free(w);
    return real;
}

static void in_child(void)
{
    atomic_store(&forked, 1);
    inside = 0;
    plans = taken = executions = 0; /* those are its parent's */
    nanoseconds = 0;
    for (int w = 0; w < WHYS; w++)
        whys[w] = 0;
    pthread_mutex_init(&lock, NULL); /* a thread of the parent's may have had it */
    tw_arrays_fork(1);
}
/* The parent waits for planners that are at work, so that the child's FFTW is not half way through one. */
static void before_fork(void)
{
    if (!inside) pthread_mutex_lock(&lock);
    tw_arrays_before_fork();
}
static void in_parent(void)
{
    tw_arrays_fork(0);
    if (!inside) pthread_mutex_unlock(&lock);
}
__attribute__((constructor)) static void begin(void)
{
    const char *text;

    (void)pthread_atfork(before_fork, in_parent, in_child);
    settings.secure = getauxval(AT_SECURE) != 0;
    if (settings.secure) return;
    text = secure_getenv("TILEWORK_DROPIN");
    static const char *const ours[] = {"", "all", "1", "fftw"};
    settings.off = text != NULL; /* what is no word takes nothing, which is the other library's to say */
    for (int i = 0; text && i < 4; i++)
        settings.off &= strcasecmp(text, ours[i]) != 0;
    text = secure_getenv("TILEWORK_DROPIN_ROOT");
    if (text) snprintf(settings.root, sizeof settings.root, "%s", text);
    text = secure_getenv("TILEWORK_DROPIN_MIN");
    if (text && *text) {
        char *end;
        const double n = strtod(text, &end);
        if (!*end && n >= 0) settings.least = n * n * n;
    }
    text = secure_getenv("TILEWORK_DROPIN_REPORT");
    if (text && *text && strcmp(text, "0") != 0) {
        static char path[2 * PATH_MAX];
        char folder[PATH_MAX];
        settings.report = 1;
        settings.report_file = strcmp(text, "1") != 0 ? text : NULL;
        /* programs change their folder before they end */
        if (settings.report_file && *text != '/' && getcwd(folder, sizeof folder) &&
            snprintf(path, sizeof path, "%s/%s", folder, text) < (int)sizeof path)
            settings.report_file = path;
    }
}
/* fftw_free: memory that is given back must not stay pinned. */
static void fftw_unpin(void *array)
{
    if (!array || settings.secure || settings.off) return;
    tw_arrays_forget(array, fftw_engine_is_open() && !atomic_load(&forked) ? engine.unpin : NULL);
}
static void *fftw_remember(void *array, size_t bytes)
{
    if (!settings.secure && !settings.off) tw_arrays_remember(array, bytes);
    return array;
}
__attribute__((destructor)) static void end(void)
{
    FILE *file;
    const double seconds = (double)atomic_load(&nanoseconds) / 1e9;
    const unsigned long long n = atomic_load(&plans), t = atomic_load(&taken), e = atomic_load(&executions);
    int some = 0;

    if (!settings.report || !n) return;
    if (!settings.report_file) {
        fprintf(stderr,
                "libtilework_fftw: %s (process %ld): %llu plan%s, %llu taken; %llu transforms of these in %.3f s",
                program_invocation_short_name, (long)getpid(), n, n == 1 ? "" : "s", t, e, seconds);
        for (int w = 0; w < WHYS; w++)
            if (whys[w])
                fprintf(stderr, "%s%llu %s", some++ ? ", " : "; FFTW's: ", (unsigned long long)whys[w], why_name[w]);
        fputc('\n', stderr);
        if (whys[NO_GPU])
            fprintf(stderr, "  advice: without a GPU plans stay FFTW's; --min (TILEWORK_DROPIN_MIN) takes them, too\n");
    } else if ((file = fopen(settings.report_file, "ae"))) {
        fprintf(file, "{\"library\": \"libtilework_fftw\", \"program\": \"");
        for (const char *c = program_invocation_short_name; *c; c++)
            if (*c == '"' || *c == '\\' || (unsigned char)*c < 32)
                fprintf(file, "\\u%04x", (unsigned)(unsigned char)*c);
            else
                fputc(*c, file);
        fprintf(file, "\", \"process\": %ld, \"forked\": %s, \"plans\": %llu, \"taken\": %llu, \"forwarded\": {",
                (long)getpid(), atomic_load(&forked) ? "true" : "false", n, t);
        for (int w = 0; w < WHYS; w++)
            if (whys[w]) fprintf(file, "%s\"%s\": %llu", some++ ? ", " : "", why_name[w], (unsigned long long)whys[w]);
        const locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* JSON has points */
        fprintf(file, "}, \"executions\": %llu, \"seconds\": %.6f}\n", e, seconds);
        uselocale(before);
        (void)fclose(file);
    }
}
#pragma GCC visibility pop

#pragma GCC visibility push(default)
#define X(name)     fftw_##name
#define F77_1(name) dfftw_##name##_
#define F77_2(name) dfftw_##name##__
#define R           double
#define TYPE        DOUBLES
#include "doors.h"
#undef X
#undef F77_1
#undef F77_2
#undef R
#undef TYPE
#define X(name)     fftwf_##name
#define F77_1(name) sfftw_##name##_
#define F77_2(name) sfftw_##name##__
#define R           float
#define TYPE        FLOATS
#include "doors.h"
#pragma GCC visibility pop
