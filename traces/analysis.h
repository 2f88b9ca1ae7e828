/* What a recording with its predecessors says: the path that happened, slack, kernels. And the same graph scheduled
 * again. */
#ifndef TW_TRACES_ANALYSIS_H
#define TW_TRACES_ANALYSIS_H
#include <stddef.h>
#include <stdint.h>
#include <tilework/trace.h>
#include "runtime/watch/record.h"

struct tw_analysis {
    tw_trace_facts facts;
    int nkernels;
    tw_trace_kernel *kernels; /* most time first; their names are the recording's */
    size_t nsteps;
    tw_trace_step *steps; /* in order of time */
    size_t *step_record;  /* which record each is */
};
int tw_analysis_make(struct tw_analysis **a, const struct tw_recording *r);
void tw_analysis_free(struct tw_analysis *a);

/* Record numbers such that predecessors come first (without edges: as they are). NULL: *e is TW_E_MEMORY (with a
 * message), or TW_E_FORMAT if tasks wait for each other in a circle. */
unsigned *tw_topological(const struct tw_recording *r, int *e);
/* A record that takes part: a task with a sound time and worker. */
int tw_counts(const struct tw_recording *r, const struct tw_record *t);
/* Of record k's predecessors the one whose value its submission waited for last; SIZE_MAX: none that is known. */
size_t tw_value_before(const struct tw_recording *r, size_t k);
/* From that one's end to its submission, in seconds. */
double tw_value_delay(const struct tw_recording *r, size_t k);
/* When the call returned that waited for the last task; of a part of some time: its end. */
double tw_recording_end(const struct tw_recording *r);

/* ---- names.c ----------------------------------------------------------------------------------------------------- */

/* Whether a word, which may lack its end of text, is the kernel's name, or that with its type's letter in front. */
int tw_kernel_is(const char *name, unsigned char type, const char *word, size_t length);
/* The names of a recording's kernels, with commas between, as far as they fit. */
void tw_kernel_names(const struct tw_recording *r, char *list, size_t size);

/* ---- replay.c ---------------------------------------------------------------------------------------------------- */

int tw_replay(const struct tw_recording *r, const char *changes, double *seconds); /* as tw_recorded_replay */
/* The k-th of some ten changes that tell where time could be won; 0 behind the last. */
int tw_standard_change(const struct tw_recording *r, const struct tw_analysis *a, int k, char *text, size_t length);

/* ---- schedule.c -------------------------------------------------------------------------------------------------- */

struct tw_schedule_task {
    double seconds; /* on the kind of worker that it is for */
    double submit;  /* not before */
    /* nor sooner than so long after the ends of its first `values` predecessors: their values are waited for */
    double delay;
    unsigned values;
    double release; /* from its end until those behind it may run */
    double rank;    /* of those that are ready the largest goes first; then the smaller number */
    int kind;       /* 0 or 1: the kind of worker */
    double start;   /* the answer */
    double taken;   /* its worker was its own from here on; start: when what it waited for was there, too */
    int worker;     /* 0 ... workers of the kind - 1 */
};
/* What a task waits for on its worker before it starts: a link's, each of which carries one thing after another, in the
 * order in which workers ask. */
struct tw_schedule_move {
    int link; /* 0 ... links - 1: of the worker's device; links ...: one for all; -1: none is held */
    double seconds;
};
struct tw_schedule_moves {
    const size_t *first; /* of task k: move[first[k]] ... move[first[k + 1] - 1] */
    const struct tw_schedule_move *move;
    int links, others; /* that each device of kind 1 has; that there are beside */
    int per_device;    /* workers of kind 1 that share a device */
};
/* List scheduling: whenever a worker is idle, it takes the ready task of its kind with the largest rank. The
 * predecessors of task k are edge[first[k]] ... edge[first[k + 1] - 1] (first NULL: none). moves: NULL: none. 0 with
 * the last end in *seconds; TW_E_MEMORY; TW_E_FORMAT: a circle, or a kind without workers for which there are tasks. */
int tw_schedule(struct tw_schedule_task *task, size_t n, const size_t *first, const unsigned *edge,
                const struct tw_schedule_moves *moves, const int workers[2], double *seconds);
#endif
