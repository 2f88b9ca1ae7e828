/* What the files of runtime/task share, and start.c. */
#ifndef TW_RUNTIME_TASK_TASK_PRIVATE_H
#define TW_RUNTIME_TASK_TASK_PRIVATE_H
#include <starpu.h>
#include "runtime/base/living.h"
#include "runtime/base/sequence.h"
#include "runtime/data/claims.h"
#include "runtime/task/routine.h"
#include "runtime/task/submit.h"

/* A routine in the queue of a sequence: its operands, and behind them the copy of its arguments. */
struct tw_job {
    const char *routine;
    tw_loop_fn loop;
    struct tw_job *next;
    void *args;
    struct tw_range range[2]; /* of the caller's arrays */
    int ranges;
    int unclaimed;           /* it works on arrays of the caller's and does not say on which */
    struct tw_values values; /* that queueing it has waited for */
    int operands;
    struct tw_living *operand[];
};
struct tw_job *tw_job_new(const char *routine, tw_loop_fn loop, const void *args, size_t size, int operands);
static inline void *tw_job_args(struct tw_job *job)
{
    return job->args;
}
/* Takes the job, also when it fails. */
int tw_job_queue(struct tw_sequence *seq, struct tw_job *job, double flops);

/* ---- when.c and sequence.c ---- */

/* What continuations and held tasks are part of, and that one of these is done. */
struct tw_run *tw_run_of(struct tw_sequence *seq);
void tw_run_item_done(struct tw_sequence *seq, struct tw_run *run);
void tw_pending_poll(struct tw_sequence *seq);
/* 1 if the task, or bringing an object home, is held back. With seq->pending. */
int tw_pending_task(struct tw_sequence *seq, const struct tw_task *t);
/* tw_submit past all that. */
void tw_submit_now(struct tw_sequence *seq, const struct tw_task *t);

/* ---- arrays.c ---- */

/* Before and after the loop of a routine with ranges; before the loop of one that does not say them. */
void tw_arrays_begin(struct tw_sequence *seq, struct tw_job *job);
void tw_arrays_close(struct tw_sequence *seq, struct tw_job *job);
void tw_arrays_unclaimed(struct tw_sequence *seq);
/* Before the loop of one on matrices: those over memory that earlier routines with ranges work on follow these. */
void tw_arrays_meet(struct tw_sequence *seq, struct tw_job *job);
/* All of the routine is submitted: what it left behind is called when its tasks are done. */
void tw_arrays_end(struct tw_sequence *seq, struct tw_run *run);
/* With the sequence empty: calls what is left. */
void tw_ends_call(struct tw_sequence *seq);
/* The task with its routine's token and fence among its operands. */
void tw_submit_with_token(struct tw_sequence *seq, const struct tw_task *t);
/* When the library stops. */
void tw_ends_stop(void);

/* ---- workspace.c ---- */

/* What the size of a workspace depends on, and the table of sizes: `ask` is called once for each key, unless it
 * fails. */
struct tw_workspace_key {
    tw_workspace_fn query;
    enum tw_type type;
    struct tw_extent extent;
};
int tw_workspace_known(const struct tw_workspace_key *key, int (*ask)(const struct tw_workspace_key *, size_t *),
                       size_t *bytes);
void tw_workspace_forget(void); /* after StarPU has stopped */

/* ---- body.c and team.c ---- */

/* What traces say of the task that a body belongs to. */
struct tw_body_facts {
    unsigned color;
    enum tw_type type;
    unsigned long id;
    int routine;
};
struct tw_body_facts tw_body_facts(const struct tw_body *body);

int tw_sequences_alive(void);
void tw_variants_clear(void);
/* Of a task of Tilework's; others have TW_LANE_OWN. */
enum tw_lane tw_task_lane(const struct starpu_task *task);
extern struct starpu_sched_policy tw_policy; /* the scheduler where GPUs are */

/* ---- scheduler.c ---- */

/* The scheduling policy of this start, checked: 0, or TW_E_OPTION with the names that there are, or with what the
 * loader says of the user's library. */
int tw_sched_choose(struct starpu_conf *conf, int cuda);
/* Around starpu_init: StarPU would look for the names itself, and load the library a second time. */
void tw_sched_hide(void);
void tw_sched_show(void);

/* ---- rest.c ---- */

/* The policy, or the same one whose idle CPU workers sleep (TILEWORK_REST). */
struct starpu_sched_policy *tw_rest_between(struct starpu_sched_policy *policy);
#endif
