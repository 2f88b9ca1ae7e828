/* What a routine's loop may ask of its sequence: waiting, failing. */
#ifndef TW_RUNTIME_BASE_LOOP_H
#define TW_RUNTIME_BASE_LOOP_H
#include "runtime/base/lane.h"
#include "runtime/base/types.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* Inside a loop: wait until every task submitted so far in this sequence has finished. */
void tw_loop_wait(struct tw_sequence *seq);
/* Inside a loop: what it submits from here on, and what its continuations do that are said from here on, is of this
 * stage, in reports and traces (NULL: of none). Returns the stage before. The name stays where it is. */
const char *tw_loop_in_stage(struct tw_sequence *seq, const char *stage);
/* Inside a loop: by which way GPUs serve what it submits from here on, TW_LANE_OWN at first. Its
 * continuations have the way that was in force when they were said. Returns the one before. */
enum tw_lane tw_loop_in_lane(struct tw_sequence *seq, enum tw_lane lane);
/* Inside a loop: what products of single precision that are submitted from here on are made of (codelets/dense/gemm.c):
 * on GPUs of TF32's where that gains; or, everywhere, of operands rounded to half precision, which nothing but what
 * says so in its name asks for. TW_PRODUCTS_OWN at first. Its continuations have what held when they were said,
 * whatever routine's loop is under way when they run. Returns what held before. */
enum tw_products { TW_PRODUCTS_OWN, TW_PRODUCTS_SPLIT, TW_PRODUCTS_HALF };
enum tw_products tw_loop_products(struct tw_sequence *seq, enum tw_products products);
int tw_loop_splits_products(const struct tw_sequence *seq, enum tw_type type);
int tw_loop_halves_products(const struct tw_sequence *seq, enum tw_type type);
/* Record a failure found in a loop itself (bad memory, …). */
void tw_loop_fail(struct tw_sequence *seq, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A routine ends with a positive code that no task found, such as a report's: what the call, or the wait for the
 * sequence, returns. */
void tw_loop_info(struct tw_sequence *seq, tw_int info);
/* 0 while the sequence is sound, else its run-time error. */
int tw_loop_status(struct tw_sequence *seq);

/* Inside a loop: wait until at most `most` tasks of this sequence are unfinished. */
void tw_loop_throttle(struct tw_sequence *seq, long most);
#pragma GCC visibility pop
#endif
