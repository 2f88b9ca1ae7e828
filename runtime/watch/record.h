/* What the tracer recorded, for the writers in traces/. */
#ifndef TW_RUNTIME_WATCH_RECORD_H
#define TW_RUNTIME_WATCH_RECORD_H
#include <tilework/trace.h>
#include "runtime/base/types.h"

struct tw_record {
    double submit, start, end; /* seconds since the recording started; submit: when it entered tw_submit */
    double flops;
    double moved;     /* bytes that it carried from one memory to another itself */
    const char *name; /* the codelet's name */
    const char *stage; /* of its routine, such as "band"; NULL: of none */
    unsigned color;   /* 0xRRGGBB */
    int worker;       /* index into workers[] */
    int priority;
    int coord[4];       /* -1 where unused */
    unsigned char type; /* enum tw_type */
    unsigned long id;   /* submission order */
    int routine;        /* index into routines[] */
    int part;           /* no task: parts of another worker's */
};
struct tw_recorded_worker {
    char name[64]; /* "CPU 0", "GPU 0 stream 1" */
    int is_cuda, device;
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
};

/* traces/ registers its writers at load time; tw_trace_write calls them all. A writer returns 0 or an error (tw_fail). */
typedef int (*tw_trace_writer)(const struct tw_recording *recording, const char *prefix);
void tw_trace_register_writer(tw_trace_writer writer);
#endif
