/* Tasks on tiles of particles (rows of matrices). */
#ifndef TW_CODELETS_NBODY_NBODY_TASKS_H
#define TW_CODELETS_NBODY_NBODY_TASKS_H
#include <tilework/nbody.h>
#include "runtime/data/data.h"
#include "runtime/task/submit.h"

/* result (= or +=) what the sources' tile does to the targets' tile; the result's columns say what: 1 the potential, 3
 * its gradient, 4 both. first: this is the first tile of sources. */
void tw_task_direct(struct tw_sequence *seq, int priority, double softening, struct tw_data *sources,
                    struct tw_data *targets, struct tw_data *result, int first);
/* The same by a kernel of the user's. i0, j0: rows of the whole matrices at which the tiles begin. */
void tw_task_pairs(struct tw_sequence *seq, int priority, tw_nbody_kernel kernel, const void *user, tw_int i0,
                   tw_int j0, struct tw_data *sources, struct tw_data *targets, struct tw_data *result, int first);
/* The body of such a task: buffers are sources, targets, result. */
int tw_pairs_on_cpu(const struct tw_body *body, tw_nbody_kernel kernel, const void *user, tw_int i0, tw_int j0,
                    int first);
#endif
