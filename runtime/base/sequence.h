/* A sequence: what is submitted and not finished yet, and what went wrong. Data that moves counts here, too, so this
 * stands below runtime/data; running routines is runtime/task's (task/sequence.c). */
#ifndef TW_RUNTIME_BASE_SEQUENCE_H
#define TW_RUNTIME_BASE_SEQUENCE_H
#include <starpu.h>
#include <stdatomic.h>
#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/base/types.h"

struct tw_data;
struct tw_job;     /* task/sequence.c's */
struct tw_pending; /* task/when.c's: what waits for values, and what is held back behind it */
struct tw_run;
struct tw_claim; /* data/claims.c's: which of the caller's arrays its routines work on */
struct tw_claimant;
struct tw_end; /* task/arrays.c's: what is to be done when a routine's tasks are */
/* What the lower rooms ask of it. */
struct tw_pending_hooks {
    void (*settle)(struct tw_sequence *seq);
    int (*home)(struct tw_sequence *seq, struct tw_data *d); /* 1 if bringing it home is held back, too */
};

/* A routine at work: from the beginning of its loop until nothing of it waits or is held back. */
struct tw_run {
    unsigned long number; /* over all sequences */
    int order;            /* of its sequence's routines since the last wait */
    int routine_id;       /* for the recorder */
    struct tw_data *info;
    struct tw_job *job; /* of the async door */
    int items;          /* that wait or are held back */
    int returned;       /* its loop has */
    int ahead;          /* steps of look-ahead (TILEWORK_LOOKAHEAD); -1: by bottom levels */
    /* its tasks read it, a barrier between its stages writes it; NULL: none (TILEWORK_BARRIERS) */
    struct tw_data *fence;
    /* of a routine on the caller's arrays */
    struct tw_claimant *claimant; /* whose token all its tasks read; NULL: it claims none */
    struct tw_end *ends;
};

/* What submission waited for, for recordings: tasks by their numbers (runtime/task/values.h). */
enum { TW_VALUES = 3 };
struct tw_values {
    unsigned long writer[TW_VALUES];
    int count;
    unsigned long since; /* the first number that a task could get when that was there */
};

struct tw_sequence {
    starpu_pthread_mutex_t lock;
    starpu_pthread_cond_t changed;
    long outstanding;   /* submitted, unfinished tasks and callbacks */
    long wake_at;       /* a thread waits until outstanding <= this; -1: none */
    atomic_int status;  /* run-time error; tasks are no-ops when not 0 */
    atomic_ulong epoch; /* tw_cancel_all's counter when the sequence was last empty */
    char message[1024];
    tw_int info; /* first numerical info in call order */
    int info_order;
    int order;          /* routines started since the last wait */
    int routine_id;     /* the latest one's */
    struct tw_run *run; /* whose loop, or continuation, submits now */
    const char *stage;  /* of that, what is submitted now is part of; NULL: nothing with a name */
    enum tw_lane lane;  /* by which way GPUs serve it */
    struct tw_values values,
        ran;     /* what this has waited for; what the continuations have that ran since that was last asked for */
    int emptied; /* it has waited for all tasks, too */
    int any_ran; /* while something was recorded, since it was as new: */
    unsigned long last_ran; /* the number of the task that ended last, */
    double last_end;        /* and when */
    int products;           /* enum tw_products (loop.h): what those of single precision are made of */
    struct tw_pending *pending;
    const struct tw_pending_hooks *hooks;
    int items, ready; /* that wait or are held back; whose values are there */
    double total;     /* longest critical path scale, for priorities */
    struct tw_claim *claims;
    int unclaimed;       /* a routine that does not say on which of the caller's arrays it works may not have ended */
    struct tw_end *ends; /* to be called when it is empty */
    struct tw_job *head, *tail;
    int busy; /* the submitter thread is inside a loop */
    int stopping, has_thread, active;
    starpu_pthread_t thread;
    struct tw_sequence *next;
};

/* Waiting, under the lock, until at most `target` are unfinished. */
void tw_sequence_wait_until(struct tw_sequence *seq, long target);
/* The first failure counts; with the lock held. */
void tw_sequence_fail_locked(struct tw_sequence *seq, int code, const char *message);
/* Its status, 0 while it is sound; a cancelled one fails here. */
int tw_sequence_stopped(struct tw_sequence *seq);
void tw_sequence_fail(struct tw_sequence *seq, int code, const char *message);
void tw_sequence_begin_task(struct tw_sequence *seq); /* may block on the window */
void tw_sequence_begin_callback(struct tw_sequence *seq);
void tw_sequence_end_task(struct tw_sequence *seq);
/* Before that, while something is recorded: this one, by its number, and when it ended. */
void tw_sequence_ran(struct tw_sequence *seq, unsigned long id, double end);
long tw_sequence_outstanding(struct tw_sequence *seq);
/* tw_cancel_all's counter: every sequence started before it was raised is cancelled. */
unsigned long tw_cancel_epoch(void);
#endif
