/* Stage 2: from a triangular band to a real bidiagonal matrix by bulge chasing, as tasks of some steps of some sweeps
 * each: those of algorithms/eigen/hb2st.c, since a step from both sides reaches as far as one that is hermitian. */
#include "algorithms/eigen/chase_private.h"
#include "algorithms/svd/svd_loops.h"

void tw_tb2bd_loop(struct tw_sequence *seq, struct tw_band *B, struct tw_data *d, struct tw_data *e, struct tw_chase *u,
                   struct tw_chase *v, struct tw_data *info)
{
    static const struct tw_chase_kind kind = {"tb2bd", "bidiagonal", tw_task_tb2bd, tw_task_tb2bd_sweeps,
                                              tw_tb2bd_sweeps_most};
    struct tw_chase_task t = {.B = B, .d = d, .e = e, .info = info};

    tw_chase_loop(seq, &kind, &t, u, v);
}
