/* Tasks of localized interactions (types/md/cut.h). */
#ifndef TW_CODELETS_MD_MD_TASKS_H
#define TW_CODELETS_MD_MD_TASKS_H
#include "runtime/data/data.h"
#include "runtime/task/submit.h"
#include "types/md/cut.h"

/* A problem's data objects; it and its shape must live until the tasks are done. One group: a segment is one task,
 * whose lists and forces stay where it runs. Several: every stage is a task for each group of clusters, on CPUs. */
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
/* Sets p->bytes, from type and shape; a GPU's sort is given its room. */
void tw_cut_sizes(struct tw_cut_problem *p);
/* Where parameters and state lie in such memory of the host; either may be NULL. */
void tw_cut_view(const struct tw_cut_problem *p, void *params, void *state, struct tw_cut *c);
#endif
