/* libtilework_lapack.so: Tilework's routines under the names that programs call, Fortran's, CBLAS' and LAPACKE's, for
 * LD_PRELOAD. It needs libc only: what computes is libtilework.so, which is opened, for itself alone, when a call is
 * first taken. What its functions share, which the build makes of the prototypes in lapacke.h and lapack.h (doors.awk):
 *
 *   dgemm_:  the place that called, and what it would have had without us (struct tw_site): some machine instructions
 *            if it may be taken and m n k >= its threshold goes to long_dgemm, which asks, counts, takes
 *            jumps to the real dgemm_
 *
 * docs/dropin.md says which calls are taken. */
#ifndef TW_DROPIN_DROPIN_H
#define TW_DROPIN_DROPIN_H
#include <stdatomic.h>
#include <stddef.h>
#include <signal.h>
#include <stdint.h>

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum tw_door_kind { TW_DOOR_FORTRAN, TW_DOOR_CBLAS, TW_DOOR_LAPACKE, TW_DOOR_LAPACKE_WORK };
/* One function of a routine: dgemm's of Fortran, dgemm's of CBLAS, … */
struct tw_door {
    char name[20]; /* the routine's, with its type's letter */
    unsigned char kind, blas;
};
extern const struct tw_door tw_doors[]; /* the last has no name */
extern const int tw_door_count;
/* Each has up to eight names: without a prefix and with scipy_, and four endings, of which two say that integers have
 * 64 bits. */
enum { TW_NAMES = 8 };
void tw_door_symbol(int name, char symbol[64]); /* name: a door's number x TW_NAMES + which of its names */
static inline const struct tw_door *tw_door_of(int name)
{
    return &tw_doors[name / TW_NAMES];
}

/* ---- places of calls --------------------------------------------------------------------------------------------- */

/* Why a call was not taken. */
enum tw_why {
    TW_TAKEN,
    TW_SMALL,    /* below the least order, TILEWORK_DROPIN_MIN's or our own */
    TW_NO_GAIN,  /* predicted to be no faster here */
    TW_STARTING, /* the library does not run yet: gains so far are below what its start costs, or it is under way */
    TW_OFF,      /* TILEWORK_DROPIN */
    TW_QUERY,    /* asks for the size of a workspace */
    TW_FORKED,   /* a forked child */
    TW_PARALLEL, /* inside a parallel region of OpenMP */
    TW_REFUSED,  /* the library cannot be opened or started, or failed before it began */
    TW_ILLEGAL,  /* illegal arguments: the real routine says so */
    TW_ENDED,    /* the program ends, and the library has stopped */
    TW_BUSY,     /* other programs fill the machine's cores */
    TW_STACK,    /* the calling thread has little stack left */
    TW_WHYS
};
extern const char *const tw_why_name[TW_WHYS];

/* A place that calls, known by its return address. Made once, never changed but for its counts, never freed. */
struct tw_site {
    struct tw_site *next; /* of the same name */
    const void *caller;
    void *real;        /* the function that it would have had without us */
    int64_t threshold; /* of the product of a problem's dimensions: below it the call is forwarded without a look */
    int live;          /* may be taken at all */
    int wide;          /* 64-bit integers */
    int name;          /* tw_door_symbol's */
    int of_program;    /* the main program itself calls */
    char object[80];   /* who calls: the file's name, without its folder */
    char *provider;    /* the real function's file; NULL: there is none */
    /* counts, kept while somebody asked for them */
    atomic_llong why[TW_WHYS];
    _Atomic double flops, flops_taken, seconds, seconds_taken; /* of all calls, of those taken */
    _Atomic double without;                    /* estimated seconds of those taken, in the real routine */
    atomic_llong unknown;                      /* taken calls that nobody can estimate */
    _Atomic double compared, compared_without; /* of taken calls whose like was forwarded, too: seconds, and by these */
    atomic_llong inner;                        /* calls from inside of others that are counted, and their seconds */
    _Atomic double seconds_inner;
    atomic_llong predicted; /* calls of which both ways' seconds were predicted, and these */
    _Atomic double predicted_with, predicted_without;
};
extern __attribute__((visibility("hidden"))) struct tw_site *_Atomic tw_sites[]; /* by name: the latest found first */
/* A name's machine code to its function in C. */
extern __attribute__((visibility("hidden"), tls_model("initial-exec"))) _Thread_local struct tw_site *tw_site_asked;
extern atomic_int tw_sites_made;
/* The machine code saw the place; what was written to it before is seen by C from here on. */
static inline struct tw_site *tw_site_here(void)
{
    (void)atomic_load_explicit(&tw_sites_made, memory_order_acquire);
    return tw_site_asked;
}
/* An integer behind a pointer, and one by value, which has come in a register of 64 bits. */
#define INT_AT(s, p) ((s)->wide ? *(const int64_t *)(p) : (int64_t) * (const int32_t *)(p))
#define INT_OF(s, v) ((s)->wide ? (int64_t)(v) : (int64_t)(int32_t)(v))

/* The work of a call that may have a function by which eigenvalues are selected (gees, sort 'S'). The library would
 * call it from a thread of its own, of which f2py's functions, and others, know nothing: such calls are left to the
 * real routine unless the user says that any thread may. */
enum { TW_SELECTING = -2 };
#define TW_SORTED(sort, work) (!tw_settings.selects && ((sort) == 'S' || (sort) == 's') ? (double)TW_SELECTING : (work))

/* ---- one call ---------------------------------------------------------------------------------------------------- */

struct tw_dropin_call {
    struct tw_site *site;
    void *engine; /* Tilework's function */
    double work, flops, begun;
    long tasks; /* that this thread had submitted before */
    int counted;
    int cancel;                   /* whether this thread could be cancelled */
    int vectors;                  /* more than values is asked for */
    struct tw_dropin_call *outer; /* that is under way in this thread */
    enum tw_why why;
    struct tw_prediction {
        double with, without; /* seconds by us, which may be INFINITY, and by the real routine; 0: not asked for */
    } predicted;
};
/* Is this call Tilework's? `work` is the product of its dimensions, `flops` what it computes, `elements` those that it
 * reads and writes, `query` whether it only asks for a workspace's size, `vectors` whether vectors are wanted beside
 * values. After 1 comes tw_dropin_done; after 0, or a 0 of tw_dropin_done, the real function and
 * tw_dropin_forwarded. */
int tw_dropin_enter(struct tw_dropin_call *c, struct tw_site *s, double work, double flops, double elements, int query,
                    int vectors);
/* `code` as Tilework's function returned it. 0: nothing has been touched, the real function has to do it. Ends the
 * program if an error came after arguments had been overwritten. */
int tw_dropin_done(struct tw_dropin_call *c, int64_t code);
void tw_dropin_forwarded(struct tw_dropin_call *c);

/* A letter that asks for vectors. */
#define TW_WANTED(letter) ((letter) != 'N' && (letter) != 'n')

/* A workspace's length as its first element: in single precision never less, for programs take as much next time. */
static inline float tw_length_single(int64_t length)
{
    const float rounded = (float)length;
    return (double)rounded < (double)length ? rounded * (1 + 0x1p-23f) : rounded;
}
static inline double tw_length_double(int64_t length)
{
    return (double)length;
}
static inline void tw_length_integer(const struct tw_site *s, void *first, int64_t length)
{
    if (length < 1) return;
    if (s->wide)
        *(int64_t *)first = length;
    else
        *(int32_t *)first = (int32_t)length;
}

/* CBLAS' letters; one that does not exist is '?', which is refused. */
static inline char tw_cblas_letter(long value)
{
    switch ((int)value) {
    case 111: return 'N';
    case 112: return 'T';
    case 113: return 'C';
    case 121: return 'U';
    case 122: return 'L';
    case 131: return 'N';
    case 132: return 'U';
    case 141: return 'L';
    case 142: return 'R';
    default: return '?';
    }
}
/* Of the transpose of a row-major matrix, which is column-major; `transposed` is the letter for trans 'N'. */
static inline char tw_cblas_flip(long value, char transposed)
{
    switch (tw_cblas_letter(value)) {
    case 'U': return 'L';
    case 'L': return (int)value == 141 ? 'R' : 'U';
    case 'R': return 'L';
    case 'N': return transposed;
    case 'T': return transposed == 'T' ? 'N' : '?';
    case 'C': return 'N';
    default: return '?';
    }
}

/* ---- what the files of this folder share ------------------------------------------------------------------------- */

/* The variables, read once; in a program with other rights than its user's none is, and nothing is taken. */
struct tw_dropin_settings {
    enum { TW_ALL, TW_LAPACK, TW_BLAS, TW_NONE } taken; /* TILEWORK_DROPIN */
    int secure;
    char root[256]; /* TILEWORK_DROPIN_ROOT: for tests, the folder that has /proc and /dev */
    int reproducible;
    double min;          /* TILEWORK_DROPIN_MIN; < 0: not said */
    const char *backend; /* TILEWORK_DROPIN_BACKEND */
    const char *report;  /* TILEWORK_DROPIN_REPORT: "1", or a file */
    const char *calls;   /* TILEWORK_DROPIN_CALLS */
    int selects;         /* TILEWORK_DROPIN_SELECT */
    int counts;          /* somebody wants to know */
    long run;            /* TILEWORK_DROPIN_RUN: the process that `tilework run` became */
};
extern struct tw_dropin_settings tw_settings;
void tw_dropin_prepare(void); /* once, whoever comes first */
double tw_dropin_now(void);   /* seconds */
void tw_dropin_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* This library's own file; an address is in it. */
const char *tw_dropin_self(void);
int tw_dropin_is_self(const void *address);
/* How many libraries were loaded so far: asking the loader for one by name is slow, so look again only when there are
 * more. The number is to be noted after the look: another thread that found it noted would go on without what is still
 * looked for. */
unsigned long long tw_dropin_loads(void);

/* signals.c: between the two this thread, and those that it starts, take no signals that are the program's, and what
 * our writes raise does not reach it. */
struct tw_signals {
    sigset_t before, pending;
};
void tw_dropin_signals_block(struct tw_signals *s);
void tw_dropin_signals_restore(const struct tw_signals *s);

/* libblastrampoline has loaded us (lbt/probes.c). */
extern atomic_int tw_under_trampoline;

/* This thread does nothing but start the library: what it calls is not the program's. */
void tw_dropin_mark_thread(void);

/* engine.c */
struct tw_engine {
    void *_Atomic handle; /* NULL: not open */
    int (*begin)(void);
    void (*end)(void);
    int (*at_work)(void);
    long (*tasks)(void);
    const char *(*message)(void);
};
extern struct tw_engine tw_engine;
extern atomic_int tw_forked;
/* A library that the program opened itself: its own calls are not the program's. */
void tw_engine_notice(void);
/* This thread does the library's own work. */
int tw_engine_at_work(void);
/* It runs; start it now; have it started in the background, which ends by itself. */
int tw_engine_runs(void);
extern _Atomic double tw_engine_started_in; /* seconds; 0: it was not */
int tw_engine_start(void);
void tw_engine_start_later(void);
/* Tilework's function for a name, of one width; NULL. */
void *tw_engine_function(int name, int wide);

/* decide.c */
enum tw_why tw_decide(const struct tw_site *s, double work, double flops, double elements, int vectors,
                      struct tw_prediction *p);
int64_t tw_least_work(const struct tw_site *s); /* a place's threshold */

/* model.c */
void tw_learn(const struct tw_site *s, int taken, int vectors, double flops, double seconds); /* what a call took */
/* The best rate of forwarded or taken calls like this one, or 0. */
double tw_seen(int taken, const struct tw_site *s, int vectors, double flops);
void tw_predict(const struct tw_site *s, double work, double flops, double elements, int vectors,
                struct tw_prediction *p);
/* Flops a second that the real routines' products reach on one core, and on how many of them. */
double tw_core_rate(const struct tw_door *d);
int tw_cores_of_real(void);

/* estimate.c: for reports alone. */
double tw_flops(const struct tw_door *d, int vectors, double work, double flops);           /* 0: nobody knows */
double tw_seconds_of_real(const struct tw_door *d, int vectors, double work, double flops); /* < 0: nobody knows */

/* find.c */
/* What this thread forwarded last: if that function jumps to another one of ours, it is the caller. */
extern _Thread_local const struct tw_site *tw_forwarding;
extern atomic_flag tw_sites_busy;
void tw_sites_lock(void);
void tw_sites_unlock(void);

/* report.c */
void tw_report_forget(void); /* in a forked child */
/* Calls of forked children and their seconds, in memory that all of them share; NULL while nobody counts. */
struct tw_children {
    atomic_llong calls;
    _Atomic double seconds;
};
extern struct tw_children *tw_children;
#endif
