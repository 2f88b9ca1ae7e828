/* Tasks of localized interactions (kernels/md/cut.h). */
#ifndef TW_CODELETS_MD_MD_TASKS_H
#define TW_CODELETS_MD_MD_TASKS_H
#include "kernels/md/cut.h"
#include "runtime/data/data.h"
#include "runtime/task/submit.h"

/* A problem's data objects; it and its shape must live until the tasks are done. One group: a segment is one task, whose lists and forces
 * stay where it runs. Several: every stage is a task for each group of clusters, on CPUs. */
struct tw_cut_problem {
    enum tw_type type;
    struct tw_cut_shape shape;
    struct tw_cut_bytes bytes;
    struct tw_data *params, *state, *work, *control, **part;
    double pairs; /* expected in the lists: the tasks' cost */
    int place;    /* of struct tw_task */
};
/* Lists, then `iterations` evaluations with what follows them. */
void tw_task_cutoff_segment(struct tw_sequence *seq, int priority, const struct tw_cut_problem *p, int iterations);
/* Bytes of `work` that a GPU's sort wants. */
size_t tw_cut_temp(int n);
#endif
