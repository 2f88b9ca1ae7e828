/* What a recording says in figures: computed once, shared by every writer. */
#ifndef TW_TRACES_SUMMARY_H
#define TW_TRACES_SUMMARY_H
#include "runtime/watch/record.h"

enum { TW_ON_CPU = 0, TW_ON_CUDA = 1 };
#define TW_SUMMARY_BINS 1000

struct tw_work {
    size_t count;
    double seconds, flops;
};
struct tw_kernel_stats {
    const char *name; /* the codelet's; never NULL */
    char label[64];   /* the name, with its type's letter in front where the recording has it in several types */
    enum tw_type type;
    unsigned color;       /* 0xRRGGBB; kernels without one (0) get one from a palette */
    struct tw_work on[2]; /* by kind of worker */
    struct tw_work all;
    double longest; /* seconds */
};
struct tw_worker_stats {
    struct tw_work all;
    double first, last; /* first start and last end, in seconds since the origin */
};
struct tw_routine_stats {
    struct tw_work all;
    double submitted, last; /* first submission, last end, in seconds since the origin */
};
struct tw_stage_stats {
    const char *name;
    struct tw_work all;
    double first, last; /* first start and last end, in seconds since the origin */
};
#define TW_SUMMARY_STAGES 32
/* A task as it is drawn. The tasks of one worker never overlap here: where a GPU's stream holds the next kernel already
 * while one runs, the next one's time begins when the one before it ends. Seconds since the first submission. */
struct tw_span {
    double from, to;
    size_t record;
    int kernel;
};
struct tw_summary {
    const struct tw_recording *recording;
    size_t ntasks; /* drawn; the records without a sound time or worker are not */
    size_t left_out;
    struct tw_span *spans; /* by worker, in time order */
    size_t *first_span;    /* spans of worker w: first_span[w] … first_span[w + 1] - 1 */
    int nkernels;
    struct tw_kernel_stats *kernels; /* most time first */
    struct tw_worker_stats *workers;
    struct tw_routine_stats *routines;
    int nstages; /* of routines that have some, in the order in which they appear */
    struct tw_stage_stats stages[TW_SUMMARY_STAGES];
    struct tw_work all;
    double origin;   /* time 0, in the recording's seconds: the first submission, or where its part begins */
    double duration; /* from there to the last end, or to the end of its part */
    /* Worker time without a task, as shares of workers x duration; the four add up to idle. */
    double idle, idle_unused /* workers that ran nothing */, idle_start, idle_middle, idle_end;
    double submission;            /* seconds from the first to the last submission */
    double mean_wait;             /* seconds from a task's submission to its start, on average */
    double longest;               /* the longest task */
    int kinds;                    /* bit 0: a CPU worker is there, bit 1: a CUDA worker */
    double bins[TW_SUMMARY_BINS]; /* mean number of running tasks in equal parts of the duration */
};

/* 0 or TW_E_MEMORY. The summary refers to the recording, which has to stay. */
int tw_summary_make(struct tw_summary *s, const struct tw_recording *r);
void tw_summary_free(struct tw_summary *s);

/* A record's flops and submission time (in the recording's seconds), where they make sense. */
double tw_summary_flops(const struct tw_record *t);
double tw_summary_submit(const struct tw_record *t);
/* GF/s; 0 where there is no time or no flops. */
double tw_summary_rate(struct tw_work w);
static inline double tw_summary_share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* How many tasks run, as steps in time order: every change, or for large recordings the means of the bins. */
struct tw_running_step {
    double time, running;
};
#define TW_RUNNING_EXACT 20000 /* tasks */
int tw_summary_steps(const struct tw_summary *s, struct tw_running_step **steps, size_t *n);
/* The same of tasks that are ready and not yet taken by a worker; n 0 where the recording does not know. */
int tw_summary_ready(const struct tw_summary *s, struct tw_running_step **steps, size_t *n);

/* What threads did (struct tw_stay), as ranges that do not overlap, by thread and in time order: a wait within a
 * submission cuts it in two. Seconds since the origin. */
struct tw_stay_piece {
    double from, to;
    int what, thread;
};
int tw_summary_stays(const struct tw_summary *s, struct tw_stay_piece **pieces, size_t *n); /* 0 or TW_E_MEMORY */
const char *tw_stay_name(int what);
/* "main memory", "GPU 0": of a transfer's end. Merged recordings have facts with names. */
struct tw_memory_name {
    char text[64];
} tw_memory_name(const struct tw_recording *r, int memory);
/* Main memory and GPUs, where something travels or what is used is known; else 0. */
int tw_memory_count(const struct tw_recording *r);
/* "thread 0" */
struct tw_memory_name tw_thread_name(const struct tw_recording *r, int thread);
#endif
