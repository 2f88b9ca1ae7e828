/* What submission waited for: values, and the ends of calls. For recordings, whose paths go on through the tasks that
 * these came from. */
#ifndef TW_RUNTIME_TASK_VALUES_H
#define TW_RUNTIME_TASK_VALUES_H
#include "runtime/base/sequence.h"

/* The tasks that have written what the object will hold when a reader gets it that asks now; none where nothing is
 * recorded. */
struct tw_values tw_values_of(const struct tw_data *d);
/* What has waited for both has waited for this. */
struct tw_values tw_values_after(const struct tw_values *older, const struct tw_values *newer);
/* What the next task of the sequence's loop, or continuation, waits for. */
const struct tw_values *tw_values_now(struct tw_sequence *seq);
/* With its lock held: this thread has waited until the sequence was empty. */
void tw_values_thread_waited(struct tw_sequence *seq);
#endif
