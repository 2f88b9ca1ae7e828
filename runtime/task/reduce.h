/* Sums (or maxima, …) of many tasks' contributions, whose parts run side by side: a fixed number of partial sums, and a
 * fixed tree of tasks that puts them together. Contribution k goes to partial k mod width, in any order, or, in
 * reproducible mode, in that of submission; the tree is the same in both, whatever the number of workers. */
#ifndef TW_RUNTIME_TASK_REDUCE_H
#define TW_RUNTIME_TASK_REDUCE_H
#include "runtime/task/submit.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* What a family gives: tasks on objects like the one that the sum goes into. */
struct tw_reduce_ops {
    struct tw_data *(*make)(void *user); /* a temporary like it; NULL without memory */
    void (*clear)(struct tw_sequence *seq, int priority, struct tw_data *partial,
                  void *user); /* submits: partial = 0 */
    void (*add)(struct tw_sequence *seq, int priority, struct tw_data *from, struct tw_data *into,
                void *user); /* submits: into += from */
};

enum { TW_REDUCE_MOST = 64 };
struct tw_reduction {
    struct tw_sequence *seq;
    const struct tw_reduce_ops *ops;
    void *user;
    int width, priority;
    long contributions;
    struct tw_data *partial[TW_REDUCE_MOST];
};

/* width: partial sums, 1 … TW_REDUCE_MOST. More of them are more parallelism, more memory, and a longer tree. */
void tw_reduce_begin(struct tw_reduction *r, struct tw_sequence *seq, const struct tw_reduce_ops *ops, void *user,
                     int width, int priority);
/* Where the next contribution goes: to be given to the task that adds it. Its data is NULL without memory (the sequence
 * has failed then, and tw_submit does nothing). */
struct tw_access tw_reduce_next(struct tw_reduction *r);
/* Submit the tree, which adds the sum to `into`, and give the partial sums back. */
void tw_reduce_end(struct tw_reduction *r, struct tw_data *into);
#pragma GCC visibility pop
#endif
