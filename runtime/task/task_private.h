/* What the files of runtime/task share, and start.c. */
#ifndef TW_RUNTIME_TASK_TASK_PRIVATE_H
#define TW_RUNTIME_TASK_TASK_PRIVATE_H
#include <starpu.h>
#include "runtime/base/living.h"
#include "runtime/base/sequence.h"
#include "runtime/task/routine.h"

/* A routine in the queue of a sequence: its operands, and behind them the copy of its arguments. */
struct tw_job {
    const char *routine;
    tw_loop_fn loop;
    struct tw_job *next;
    void *args;
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

int tw_sequences_alive(void);
void tw_variants_clear(void);
extern struct starpu_sched_policy tw_policy; /* the scheduler where GPUs are */
#endif
