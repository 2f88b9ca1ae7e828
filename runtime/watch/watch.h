/* What watches the work: the tracer, the counters, the progress bar, the split of time with its bounds. */
#ifndef TW_RUNTIME_WATCH_WATCH_H
#define TW_RUNTIME_WATCH_WATCH_H
#include "runtime/base/move.h"
#include <starpu.h>
#include "runtime/machine/rate.h"
#include "runtime/watch/record.h"

/* ---- times.c: where the time went (tw_times_start) --------------------------------------------------------------- */

/* A kernel and a task of it as the watchers see them: what stands above this room describes itself in these words. */
struct tw_seen_kernel {
    const void *id; /* one address for each kernel */
    const char *name;
    enum tw_rate rate;
    enum tw_type type;
    int second;         /* one more than the type of its other operands; 0: all are of one type */
    int on_cpu, on_gpu; /* which bodies there are */
};
struct tw_seen_access {
    const void *object; /* NULL: nothing that has to be there (scratch) */
    const void *handle; /* StarPU's, by which tasks of others access it, too; NULL: they do not */
    double bytes;
    int reads, writes;
    int travels;  /* the bytes have a home elsewhere: no temporary, and no array that lives on a GPU */
    int staged;   /* tasks of cores copy it to and from GPUs, and tell it themselves */
    int commutes; /* a writer that other writers of this kind need not wait for */
};
struct tw_seen_task {
    struct tw_seen_kernel kernel;
    double flops, size, bytes; /* bytes: of memory that is no object's */
    const struct tw_seen_access *access;
    int naccess;
};

int tw_times_on(void);
/* A task is about to be submitted: what it waits for, what it costs. */
void tw_times_submitted(const struct tw_seen_task *task);
/* A temporary is freed or given to another routine. */
void tw_times_freed(const void *object);
/* It ran on this worker; `info` has StarPU's times of it. bytes: that it read and wrote; copies: all it did was to move
 * what others work on. */
void tw_times_done(int worker, const struct tw_seen_kernel *kernel, double flops, double size, double bytes, int copies,
                   struct starpu_profiling_task_info *info);
/* A CPU worker did parts of a task that another one runs (runtime/task/team.h): work, but no task. */
void tw_times_helped(int worker, struct starpu_profiling_task_info *info);
/* It carried so many bytes itself, from main memory (-1) or a GPU in use (0, 1, ...) to another one. Returns them; 0
 * within one memory. */
double tw_times_moved(int worker, const struct tw_move *move, struct starpu_profiling_task_info *info);
/* The same of a CPU worker's task that is nothing but this and does not go through tw_submit: the worker waited for
 * data meanwhile. */
double tw_times_carried(int worker, const struct tw_move *move, struct starpu_profiling_task_info *info);

/* ---- stages.c: what tasks are for -------------------------------------------------------------------------------- */

struct tw_stage;
struct tw_stage *tw_stage_of(const char *name); /* NULL for NULL, or with too many of them; it stays */
const char *tw_stage_name(const struct tw_stage *stage);
/* Of a task that runs, and that has run, at this time (tw_now). NULL is allowed. */
unsigned tw_stage_task_begins(struct tw_stage *stage); /* what its end is told with */
void tw_stage_task_ended(struct tw_stage *stage, unsigned begun, int cuda, double end);
void tw_stages_reset(void);

/* ---- edges.c: which task waits for which, while a recording is on ------------------------------------------------ */

void tw_edges_forget(void);
/* In the order of submission, before it: task `id` (tw_record's) accesses these. */
void tw_edges_task(unsigned long id, const struct tw_seen_access *access, int naccess);
/* The last writers of an object (by StarPU's handle, or without one by its address), the latest first; returns how
 * many, up to max. */
int tw_edges_writers(const void *object, unsigned long *id, int max);
/* Task `id` was submitted when values were there that these tasks wrote. After tw_edges_task. */
void tw_edges_values(unsigned long id, const unsigned long *writer, int n);
/* StarPU says itself that `id` waits for `before`, though no data may say so. */
void tw_edges_told(unsigned long id, unsigned long before);
/* The handle's address (the object's, if it has none) may come again for another one. */
void tw_edges_freed(const void *object);
/* The predecessors of the records (sorted in any way) as tw_recording has them, whose `values` are set; both to be
 * freed. 0, or TW_E_MEMORY. */
int tw_edges_of(struct tw_record *records, size_t n, size_t **first_edge, unsigned **edge);

/* These tasks are no longer kept. */
void tw_edges_dropped(const struct tw_record *records, size_t n);
/* Pairs that are kept from the place `from` on, which moves on; NULL: starts over. Up to max; what was dropped
 * meanwhile may come twice, or not at all. */
size_t tw_edges_copy(size_t *from, struct tw_waits *out, size_t max);

/* ---- kept.c: tasks that were recorded ---------------------------------------------------------------------------- */

void tw_kept_forget(void); /* before all else */
/* Times from the recording's beginning. */
void tw_kept_add(const struct tw_record *r);
size_t tw_kept_count(void);
/* Tasks that are missing, if so many are there. */
size_t tw_kept_dropped(size_t kept);
/* All, in order of start. *out: to be freed. 0, or TW_E_MEMORY. */
int tw_kept_gather(struct tw_record **out, size_t *count);
/* Up to max of a worker's, in order of end, from a place on, which moves on. Zeros: the beginning. */
struct tw_kept_place {
    size_t at, tasks, skipped; /* skipped: tasks that were no longer kept */
};
size_t tw_kept_copy(int worker, struct tw_kept_place *from, struct tw_record *out, size_t max);

/* ---- used.c: memory over time ------------------------------------------------------------------------------------ */

void tw_used_begin(void);
void tw_used_end(void);
/* A task has ended: seconds since the recording began. */
void tw_used_look(double now);
/* Those later than `after`. *out: to be freed. 0, or TW_E_MEMORY. */
int tw_used_copy(double after, struct tw_used **out, size_t *n);

/* ---- grow.c: PREFIX.tw.part -------------------------------------------------------------------------------------- */

/* From now on PREFIX.tw.part grows; the frame is what is known of a recording at its beginning. Nothing happens where
 * no writer is linked, or tw is not among the formats. Calls come one after the other. */
int tw_grow_begin(const char *name, const struct tw_recording *frame);
int tw_grow_is(const char *name); /* it is there, of this name */
/* It has all that came, and grows no more; one that could not grow goes, for the room it takes. */
void tw_grow_stop(void);
/* The same, and it is left, or goes. A copy of its name, if it was left. */
char *tw_grow_end(int keep);
int tw_grow_here(void); /* this thread writes it */
/* Routines, marks, stays, transfers and used memory from a place on, which moves on, as copies of a recording's;
 * tw_events_free frees them. */
struct tw_events_place {
    size_t routines, marks, stays, transfers;
    double used;  /* the last one's time */
    int any_used; /* 0: there is none yet */
};
int tw_events_copy(struct tw_events_place *from, struct tw_recording *out); /* 0, or TW_E_MEMORY */
void tw_events_free(struct tw_recording *rest);
/* At the end of a process' use of the library: nothing grows any more. */
void tw_record_end(void);
/* 0, or TW_E_OPTION: a word of TILEWORK_TRACE_FORMATS is no format. */
int tw_trace_formats_check(void);
int tw_record_any(void);           /* a task, or a call that made none */
unsigned long tw_record_ids(void); /* so many tasks were given numbers since the recording began */

/* ---- inferred.c: transfers that nobody tells of ------------------------------------------------------------------ */

void tw_inferred_forget(void);
/* A task accesses this object; objects are numbered by edges.c. */
void tw_inferred_use(unsigned long task, unsigned object, const struct tw_seen_access *access);
/* memory[worker]: 0 main memory, 1 + a GPU's number. Records in order of start. *out: to be freed. 0, or
 * TW_E_MEMORY. */
int tw_inferred_transfers(const struct tw_record *records, size_t n, const int *memory, struct tw_transfer **out,
                          size_t *count);

/* Sorted: what these tasks used is forgotten. */
void tw_inferred_dropped(const unsigned long *ids, size_t n);

/* ---- facts.c ----------------------------------------------------------------------------------------------------- */

/* What was run, by whom: no user, machine or folder. Fills up to `max` pairs whose strings live until the next call. */
int tw_record_facts(struct tw_run_fact *facts, int max);

/* ---- record.c, events.c, counters.c, progress.c ------------------------------------------------------------------ */
void tw_record_init(void);
void tw_record_task(const struct tw_record *r);
/* Times by tw_now, as in tw_record_task. */
void tw_record_transfer(const struct tw_transfer *t);
/* ---- lost.c: cores that run something else. Seconds that the calling thread has waited for a core, though it could
 * run, since it began; negative: not known. */
double tw_lost_so_far(void);
/* On the task's worker, when it is done: what its core was lost to others between its start and its end (both by
 * tw_lost_so_far; below or 0: not known), and since the end of the worker's task before. */
void tw_lost_tell(struct tw_record *r, double at_start, double at_end);
/* ---- own.c: tasks that a program gives to StarPU itself ---- */
/* At a recording's start: from now on StarPU tells of them; what that costs when no recording is on is two loads a
 * task. */
void tw_own_watch(void);
void tw_own_forget(void);
/* Tasks with this callback are Tilework's. At load time. */
void tw_own_except(void (*callback)(void *));
/* Numbers of tasks, in order of submission. */
unsigned long tw_record_next_id(void);
unsigned long tw_record_coming_id(void); /* that the next one gets */
int tw_record_on(void);
int tw_record_routine(const char *text);
double tw_record_origin(void);
void tw_counters_init(void);
void tw_counters_submitted(double flops);
void tw_counters_done(int worker, double flops, double seconds);
void tw_counters_helped(int worker, double seconds); /* with parts of another worker's task */
/* Bytes over each link since the process started, by pair of StarPU's memory nodes. */
struct tw_bus {
    uint64_t bytes[STARPU_MAXNODES][STARPU_MAXNODES], transfers[STARPU_MAXNODES][STARPU_MAXNODES];
};
void tw_counters_bus(struct tw_bus *copy);
/* Bytes from one node to another that StarPU does not know of. */
void tw_counters_carried(unsigned from, unsigned to, uint64_t bytes);
void tw_progress_start(void);
void tw_progress_stop(void);
#endif
