/* Parts of a loop over arrays in main memory, as tasks: what routines of any family do with the caller's arrays before
 * they are data objects and after. */
#ifndef TW_CODELETS_RANGE_H
#define TW_CODELETS_RANGE_H
#include "runtime/data/data.h"
#include "runtime/task/submit.h"

/* Part number `part` of the loop: begin <= i < end. */
typedef void (*tw_range_fn)(void *context, int part, tw_int begin, tw_int end);
enum { TW_RANGE_PARTS = 64 };
/* How many parts n iterations are worth: at most TW_RANGE_PARTS, at least 1; the same whatever workers there are. */
int tw_range_parts(tw_int n);
/* The same where an iteration is more work: a part has `grain` of them or more (16384 above). */
int tw_range_parts_by(tw_int n, tw_int grain);
/* All parts of 0 … n - 1, on CPU workers (without a sequence or such workers: here); tw_range_run waits for them and
 * for everything submitted before. Parts must not touch what others write. After a failure of the sequence some parts
 * may not have run: look at tw_loop_status. */
void tw_range_submit(struct tw_sequence *seq, tw_range_fn fn, void *context, tw_int n);
void tw_range_run(struct tw_sequence *seq, tw_range_fn fn, void *context, tw_int n);
void tw_range_run_by(struct tw_sequence *seq, tw_range_fn fn, void *context, tw_int n, tw_int grain);
#endif
