/* A sequence: what is submitted and not finished yet, and what went wrong. Data that moves counts here, too, so this stands below
 * runtime/data; running routines is runtime/task's (task/sequence.c). */
#ifndef TW_RUNTIME_BASE_SEQUENCE_H
#define TW_RUNTIME_BASE_SEQUENCE_H
#include <starpu.h>
#include <stdatomic.h>
#include "runtime/base/error.h"
#include "runtime/base/types.h"

struct tw_data;
struct tw_job; /* task/sequence.c's */

struct tw_sequence {
    starpu_pthread_mutex_t lock;
    starpu_pthread_cond_t changed;
    long outstanding;   /* submitted, unfinished tasks and callbacks */
    long wake_at;       /* somebody waits until outstanding <= this; -1: nobody */
    atomic_int status;  /* run-time error; tasks are no-ops when not 0 */
    unsigned long run;  /* number of the routine being submitted, over all sequences */
    atomic_ulong epoch; /* tw_cancel_all's counter when the sequence was last empty */
    char message[1024];
    tw_int info; /* first numerical info in call order */
    int info_order;
    int order; /* routines started since the last wait */
    struct tw_data *current_info;
    int routine_id; /* for the recorder */
    double total;   /* longest critical path scale, for priorities */
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
long tw_sequence_outstanding(struct tw_sequence *seq);
/* tw_cancel_all's counter: every sequence started before it was raised is cancelled. */
unsigned long tw_cancel_epoch(void);
#endif
