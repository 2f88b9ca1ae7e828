/* Eigenvalues of a tridiagonal matrix, brought to the order of 1 first. */
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/stedc_tasks.h"

void tw_sterf_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                   tw_int count, double *w)
{
    const int priority = tw_priority(seq, 1, 2, 1);
    const char *const before = tw_loop_in_stage(seq, "solve");
    struct tw_data *norm = tw_data_vector(1, sizeof(double), (const int[2]){-1, -1}),
                   *order = tw_data_vector_of(TW_INT32, (size_t)count, (const int[2]){-1, -1});

    if (norm && order) {
        tw_task_laed0_tear(seq, priority, d->m, d, e, norm); /* nothing is cut */
        tw_task_sterf(seq, priority, d, e, tw_info(seq));
        tw_task_laed0_order(seq, priority, scale, (int)first, d, norm, order, w, tw_info(seq), NULL, 0, 0);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "sterf: no memory for order %d", d->m);
    }
    if (norm) tw_data_free_later(norm);
    if (order) tw_data_free_later(order);
    (void)tw_loop_in_stage(seq, before);
}
