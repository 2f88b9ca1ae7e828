/* What the files of runtime/task share, and start.c. */
#ifndef TW_RUNTIME_TASK_TASK_PRIVATE_H
#define TW_RUNTIME_TASK_TASK_PRIVATE_H
#include <starpu.h>
#include "runtime/base/sequence.h"

int tw_sequences_alive(void);
void tw_variants_clear(void);
extern struct starpu_sched_policy tw_policy; /* the scheduler where GPUs are */
#endif
