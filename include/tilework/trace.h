/* Tilework: recording what ran, and writing it for ViTE (Paje), Perfetto (JSON) and a browser (SVG). Needs no FxT. */
#ifndef TILEWORK_TRACE_H
#define TILEWORK_TRACE_H

#include <tilework/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start recording tasks (starts the library if need be). */
TW_API int tw_trace_start(void);
/* The same of a recording that is going to be written to PREFIX (tw_trace_write): PREFIX.tw.part grows while tasks run,
 * so that a run that is killed leaves what had ended by then, for tw_recorded_read; it goes when PREFIX.tw is there, or
 * tw_finalize ends a recording that was not written. TW_E_IO: it cannot be made there; nothing is recorded then. */
TW_API int tw_trace_start_to(const char *prefix);
/* Stop recording; what was recorded is kept until the next start. */
TW_API int tw_trace_stop(void);
/* Write PREFIX.tw (all that was recorded, docs/trace-format.md), PREFIX.paje, PREFIX.json, PREFIX.svg and PREFIX.html
 * from what was recorded, or those files that TILEWORK_TRACE_FORMATS names. "%r" in PREFIX is the rank: of one run's
 * processes each has its own (TILEWORK_RANK, or what mpirun or srun says; else 0). Errors: TW_E_IO, TW_E_OPTION,
 * TW_E_STATE when there is nothing. */
TW_API int tw_trace_write(const char *prefix);
/* Tasks recorded so far. */
TW_API size_t tw_trace_count(void);

/* Marks: what lies between a push and its pop, in one thread, is a range of that name in the recording, as "iteration
 * 12". They nest, up to 64 deep, and are cheap where nothing is recorded; StarPU's own traces get them, too
 * (starpu_iteration_push, with the number at the name's end). TW_E_STATE: too deep; no mark is open. */
TW_API int tw_trace_push(const char *name);
TW_API int tw_trace_pop(void);

/* ---- recordings that were kept: no running library is needed ----------------------------------------------------- */

typedef struct tw_recorded tw_recorded;
/* Read PREFIX.tw, or StarPU's tasks.rec (starpu_fxt_tool makes it). TW_E_IO; TW_E_FORMAT, with the byte at which the
 * file is wrong or ends early. */
TW_API int tw_recorded_read(tw_recorded **recorded, const char *file);
/* A made-up recording with known answers: "chain:n=10,t=1e-3" (n tasks in a row of t seconds each),
 * "independent:n=100,workers=4,t=1e-3", "fork:n=8,workers=4" (one task, n behind it, one behind these),
 * "cholesky:nt=12,workers=8" (tiles; potrf, trsm, syrk, gemm take t/3, t, t, 2 t), "transfers:n=10,workers=2,move=5e-4"
 * (on streams of one GPU; each fetches something first, for which it has the one link so long),
 * "values:n=4,t=1e-3,wait=5e-4" (n tasks, each but the first submitted so long after the end of the one before, whose
 * value that waited for), each with rank=1, if you like; all scheduled by priority on equal workers, without any
 * overhead. Up to 2 million tasks. TW_E_OPTION: not understood. */
TW_API int tw_recorded_example(tw_recorded **recorded, const char *what);
/* A part of a recording, one of its own: what ran from `from` to `to` (seconds since the first submission; infinities:
 * open), of these kernels, on these workers (names with commas between; NULL or "": all; a kernel's may have its type
 * in front, as dgemm). Of tasks that cross an end, and of their flops, it has what lies inside, and that time is the
 * whole of its own. Of the edges those between such tasks. TW_E_OPTION: there is no kernel, or worker, of a name. */
TW_API int tw_recorded_select(tw_recorded **part, const tw_recorded *recorded, double from, double to,
                              const char *kernels, const char *workers);
/* Two ranks' recordings as a new one, which may be merged with a third: workers, threads, routines, marks and memories
 * get "rank N " before their names, and times are from the beginning of the rank that began first, by the calendar's
 * clocks of their machines (docs/trace-format.md says how exact that is). What ranks waited for of each other it does
 * not know, so there is no tw_recorded_replay of it. TW_E_FORMAT: a rank is there twice, or a file says of itself what
 * cannot be. */
TW_API int tw_recorded_merge(tw_recorded **merged, const tw_recorded *first, const tw_recorded *second);
/* Write files as tw_trace_write does; formats: "tw", "paje", "json", "svg", "html", "csv", "dot" with commas, NULL or
 * "": the usual ones. */
TW_API int tw_recorded_write(const tw_recorded *recorded, const char *prefix, const char *formats);
/* Free it. NULL is no error. */
TW_API int tw_recorded_destroy(tw_recorded *recorded);

typedef struct tw_trace_facts {
    /* edges: which task waits for which, without those that others imply, and for whose value a submission did */
    size_t tasks, edges;
    size_t dropped;       /* tasks that are missing: beyond TILEWORK_TRACE_LIMIT, or no memory for them */
    int workers, kernels; /* kernels: of one type each */
    /* from the call that made the first submission to the return of the one that waited for the last end; what is not
     * known: from that submission, to that end */
    double seconds;
    double busy, flops; /* of all workers together */
    /* of their time: taken by other programs, in tasks and between them (0, too, where the kernel does not say) */
    double lost, lost_idle;
    /* tasks that could run on cores and on GPUs; of these on the kind of worker that was predicted to take longer by
     * itself */
    size_t choices, against;
    double regret;    /* by how much, in all */
    double direct;    /* seconds that threads spent in LAPACK, BLAS and FFTW themselves, in calls that made no tasks */
    size_t transfers; /* from one memory to another */
    double moved;     /* their bytes */
    /* the longest chain of tasks that wait for each other, or whose submissions do, as long as they took: no schedule
     * is shorter */
    double graph;
    const char *machine, *sched, *command; /* as long as the recording */
    const char *lacks; /* what its file does not tell: StarPU's tasks.rec, several ranks'; "": nothing */
    const char *ranks; /* whose it is: "0"; merged: "0 1 2" */
    /* The path that happened, from the last end back over what each task waited for: its pieces add up to `seconds`. */
    double path_tasks; /* tasks at work */
    /* waiting until the task was submitted; from the end of the task whose value that waited for */
    double path_submission;
    double path_scheduler; /* ready, and a worker idle, but not taken */
    double path_data;      /* taken, but its data not there */
    double path_lost;      /* waiting for a core that another program had, in tasks and before them */
    /* from the last end until the call that waited for it goes on: it is woken, and gives back what it borrowed */
    double path_return;
    double path_start;  /* between the data's arrival and the start: callbacks, launching */
    size_t path_length; /* tasks on it */
    double span;        /* seconds from the first submission to the last end: what a replay is compared with */
    /* 1: a part of a recording (tw_recorded_select); of one of some time, `seconds` is the length of that time */
    int part;
} tw_trace_facts;
TW_API int tw_recorded_facts(const tw_recorded *recorded, tw_trace_facts *facts);

typedef struct tw_trace_kernel {
    const char *name; /* as long as the recording */
    char type;        /* s, d, c, z, ...; a space for tasks that the program gave to StarPU itself */
    size_t tasks, path_tasks;
    double seconds, longest, median, flops;
    double p99, deviation; /* 99 of 100 take no longer; standard deviation over the mean */
    size_t outliers;       /* that take more than three times the median */
    size_t predicted;      /* tasks with a prediction for where they ran; over these: */
    /* time (without what other programs took) over prediction in all; standard deviation of the tasks' ratios over
     * their mean */
    double bias, spread;
    double path_seconds; /* on the path that happened */
    double slack;        /* the least of its tasks': seconds that one could take longer and nothing would end later */
} tw_trace_kernel;
/* The kernels, most time first: fills up to `max`, returns how many there are, or an error (negative). */
TW_API int tw_recorded_kernels(const tw_recorded *recorded, tw_trace_kernel *kernels, int max);

/* A task on the path that happened, in order of time. Seconds since the first submission; waits: before it started, as
 * tw_trace_facts has them. */
typedef struct tw_trace_step {
    const char *kernel, *worker;
    int coord[4]; /* -1 where unused */
    double start, end, submission, scheduler, data, begin;
    double lost;         /* of the waits and of the task's own time: its core was another program's */
    double lost_at_work; /* of that, what was within the task's own time */
    /* what it waited for last: 0 nothing, 1 its submission, 2 a predecessor, 3 its worker's task before, 4 its
     * submission, which waited for the value that the step before wrote */
    int because;
} tw_trace_step;
/* Fills up to `max` of them from number `first` on; returns how many there are in all, or an error (negative). */
TW_API tw_int tw_recorded_path(const tw_recorded *recorded, tw_trace_step *steps, tw_int first, tw_int max);

/* The recorded graph once more, by list scheduling, with something changed: changes as
 * "potrf=2x,cores=1,submit=0,order=priority": KERNEL=Fx (F times as fast), all=Fx, link=Fx (transfers, and tasks that
 * do nothing but carry), lost=0 (no other program takes cores), cores=N and gpus=N (workers of that kind; 0: none),
 * submit=0 (all is submitted at once), overhead=0, order=kept|fifo|priority (kept: each worker's tasks in their order,
 * or, with other workers, first what started first). Tasks stay on their kind of worker. *seconds: what it takes; "" or
 * NULL changes nothing. TW_E_OPTION: not understood, or no worker for some tasks; TW_E_STATE: the recording has no
 * edges. */
TW_API int tw_recorded_replay(const tw_recorded *recorded, const char *changes, double *seconds);
/* The k-th (from 0) of some ten changes that tell where time could be won: each kernel 10 % faster, links twice as
 * fast, one core or GPU more, another order, no overheads. 1; 0 behind the last; an error (negative). length: of
 * `change`, 100 is enough, and no more is written. */
TW_API int tw_recorded_standard_change(const tw_recorded *recorded, int k, char *change, size_t length);

/* What stands out, and what to try against it. */
typedef struct tw_trace_advice {
    const char *rule; /* its name, such as "small-tasks" */
    double share;     /* of the time (of the work, of the tasks) that it is about */
    char evidence[300], command[120];
    double gain; /* seconds that the command would save, as the rule estimates; 0: it promises nothing */
} tw_trace_advice;
/* The largest share first: fills up to `max`, returns how many there are (0: nothing stands out), or an error
 * (negative). */
TW_API int tw_recorded_advice(const tw_recorded *recorded, tw_trace_advice *advice, int max);

#ifdef __cplusplus
}
#endif
#endif
