/* What the tracer recorded, for the writers in traces/. */
#ifndef TW_RUNTIME_WATCH_RECORD_H
#define TW_RUNTIME_WATCH_RECORD_H
#include <string.h>
#include <tilework/trace.h>
#include "runtime/base/types.h"

/* Behind the names of tasks that the program gave to StarPU itself (own.c), which are of no type of Tilework's. */
#define TW_OWN_SUFFIX " (own)"
static inline int tw_kernel_is_own(const char *name)
{
    const size_t length = strlen(name), end = sizeof TW_OWN_SUFFIX - 1;
    return length > end && !strcmp(name + length - end, TW_OWN_SUFFIX);
}
/* s, d, c, z, ...; a space for those. */
static inline char tw_kernel_letter(const char *name, enum tw_type type)
{
    return tw_kernel_is_own(name) ? ' ' : tw_letter(type);
}

struct tw_record {
    double submit, start, end; /* seconds since the recording started; submit: when it entered tw_submit */
    /* Between submit and start, where they are known (0: not): its predecessors are done; a worker has taken it; its
     * data is there. */
    double ready, taken, loaded;
    double predicted[2]; /* seconds on a core, on a GPU, as the models had it; 0: it has no body there */
    double flops;
    double moved;      /* bytes that it carried from one memory to another itself */
    const char *name;  /* the codelet's name */
    const char *stage; /* of its routine, such as "band"; NULL: of none */
    unsigned color;    /* 0xRRGGBB */
    int worker;        /* index into workers[] */
    int priority;
    int coord[4];         /* -1 where unused */
    int routine;          /* index into routines[] */
    unsigned long id;     /* submission order */
    unsigned char type;   /* enum tw_type */
    unsigned char by_gpu; /* start and end are the GPU's own (CUDA events); 0: the host's */
    unsigned char part;   /* no task: parts of another worker's */
    unsigned values;      /* so many of its predecessors, the first ones, wrote values that its submission waited for */
    /* Seconds in which its core ran something else though the worker wanted it: between start and end, and since the
     * end of the worker's task before (0: none, or not known). */
    double lost, lost_before;
};
struct tw_recorded_worker {
    char name[64]; /* "CPU 0", "GPU 0 stream 1" */
    int is_cuda, device;
};
/* What was run: "command", "version", "variable STARPU_SCHED", ... */
struct tw_run_fact {
    const char *key, *value;
};
/* A range that the program marked (tw_trace_push, tw_trace_pop). */
struct tw_mark {
    const char *name;
    double from, to;
    int depth, thread; /* 0: the outermost; threads are numbered as they come */
};
/* What a thread that calls did (enum tw_doing of runtime/base/doing.h). Waits lie within submissions. */
struct tw_stay {
    double from, to;
    int what, thread;
};
/* Bytes that went from one memory to another. */
struct tw_transfer {
    double from, to; /* seconds */
    double bytes;
    int source, target; /* -1: main memory; else a GPU's number */
    unsigned long task; /* 1 + the number of the task that carried them, or whom they were for; 0: nobody's */
    int inferred;       /* 0: the task that carried them was timed; 1: from what tasks access, and where they ran */
};
/* `task` waits for `before`: numbers of tasks (tw_record's id). value: its submission did, for the value that `before`
 * wrote. */
struct tw_waits {
    unsigned long task;
    unsigned long before : 63, value : 1;
};
/* So many bytes of a memory were in use from then on. */
struct tw_used {
    double time, bytes;
    int memory; /* -1: main memory; else a GPU's number */
};
struct tw_recording {
    size_t nrecords;
    const struct tw_record *records; /* sorted by start */
    int nworkers;
    const struct tw_recorded_worker *workers;
    int nroutines;
    const char *const *routines; /* in call order: "potrf", … */
    double duration;             /* last end */
    const char *sched, *machine; /* for captions */
    /* Predecessors: those of record k are records edge[first_edge[k]] ... edge[first_edge[k + 1] - 1]. NULL: not
     * recorded. */
    const size_t *first_edge;
    const unsigned *edge;
    int nfacts;
    const struct tw_run_fact *facts;
    size_t nmarks;
    const struct tw_mark *marks;
    size_t nstays;
    const struct tw_stay *stays;
    size_t ntransfers;
    const struct tw_transfer *transfers;
    size_t nused;
    const struct tw_used *used; /* in order of time */
    /* A part of a recording (tw_recorded_select): 1; and if it is of some time, from when to when, in which all tasks
     * lie; to <= from: of all of it. */
    int part;
    double from, to;
    size_t dropped; /* tasks that are missing: beyond TILEWORK_TRACE_LIMIT, or no memory for them */
};

/* traces/ registers its writers at load time, by the names that TILEWORK_TRACE_FORMATS has; tw_trace_write calls those
 * that are asked for there, or without it those that are usual. A writer returns 0 or an error (tw_fail). */
typedef int (*tw_trace_writer)(const struct tw_recording *recording, const char *prefix);
void tw_trace_register_format(const char *format, int usual, tw_trace_writer writer);
void tw_trace_register_writer(tw_trace_writer writer); /* a usual one without a name */
int tw_trace_wants(const char *format);                /* it is among those that TILEWORK_TRACE_FORMATS asks for */
/* PREFIX.tw.part, which grows while tasks run. All return 0, or an error with a message. */
struct tw_trace_part {
    /* *file NULL, and 0: none is wanted. TW_E_STATE: another process writes it. */
    int (*open)(void **file, const char *prefix, const struct tw_recording *frame);
    /* What came since the last call: tasks in any order, further routines, ..., facts; and pairs. */
    int (*add)(void *file, const struct tw_recording *more, const struct tw_waits *pairs, size_t npairs);
    /* Another file with the same beginning, and it takes the first one's place, which is closed. */
    int (*again)(void *file, void **next);
    int (*replace)(void *file, void *next);
    void (*close)(void *file, int keep);
};
void tw_trace_register_part(const struct tw_trace_part *part);
/* Those of a list such as "paje,svg" ("": the usual ones); TW_E_OPTION, naming `what`, for a word that none has. A
 * format that cannot hold so much (TW_E_UNSUPPORTED) is left out, unless it is the only one; written says which. */
struct tw_trace_written {
    int tw;             /* PREFIX.tw is complete */
    char left_out[400]; /* why one was; empty: none */
};
int tw_trace_call_writers(const struct tw_recording *recording, const char *prefix, const char *formats,
                          const char *what, struct tw_trace_written *written);
#endif
