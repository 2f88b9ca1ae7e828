/* Routines on the caller's arrays: what their tasks point to, and what is to be done when these have run. A loop
 * returns when its tasks are submitted; what lives on its stack is gone then. */
#ifndef TW_RUNTIME_TASK_ARRAYS_H
#define TW_RUNTIME_TASK_ARRAYS_H
#include <stddef.h>
#include "runtime/task/routine.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* Inside a loop: zeroed memory for what this routine's tasks point to, until they are done. NULL without memory, and
 * then the sequence has failed. */
void *tw_loop_keep(struct tw_sequence *seq, size_t bytes);
/* Inside a loop: fn(arg) once all tasks of this routine are done, also where the sequence fails; the latest first,
 * before what was kept is given back. Not in the submitting thread, if that has gone on; it may wait for StarPU, but
 * for no sequence. What comes later on the same arrays waits for it. */
typedef void (*tw_end_fn)(void *arg);
void tw_loop_finally(struct tw_sequence *seq, tw_end_fn fn, void *arg);
/* Inside a loop: what the routine has asked fn to be called with, the latest for which same(arg, key) holds; NULL:
 * none. */
void *tw_loop_ending(struct tw_sequence *seq, tw_end_fn fn, int (*same)(const void *arg, const void *key),
                     const void *key);
/* Inside a loop: what it submits from here on follows all that it has submitted. */
void tw_loop_after_all(struct tw_sequence *seq);
/* Inside a loop, between stages that overlap: nothing, but where TILEWORK_BARRIERS asks for barriers what it submits
 * from here on follows all that it has said, and what continuations said so far submit. Whether they are asked for. */
void tw_loop_barrier(struct tw_sequence *seq);
int tw_loop_has_barriers(const struct tw_sequence *seq);
/* Inside a loop: wait for the tasks of this routine, and of no other where it has said on which arrays it works. */
void tw_loop_wait_own(struct tw_sequence *seq);
#pragma GCC visibility pop
#endif
