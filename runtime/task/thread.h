/* What is known of a thread that calls: StarPU's keys hold it, which a simulator follows. */
#ifndef TW_RUNTIME_TASK_THREAD_H
#define TW_RUNTIME_TASK_THREAD_H
#include "runtime/base/sequence.h"

/* It has submitted one more. */
void tw_thread_submitted(void);
/* What its waits for whole sequences have waited for so far, for recordings; nothing without memory for it. */
struct tw_values tw_thread_waited(void);
void tw_thread_set_waited(const struct tw_values *values);
#endif
