/* By which way a GPU serves a task's kernels. Loops ask for the two latter; they count where a GPU has more streams
 * than usual and can be parted (runtime/cuda/partition.h), and are the first one, or the second for codelets that are
 * urgent by themselves, elsewhere. */
#ifndef TW_RUNTIME_BASE_LANE_H
#define TW_RUNTIME_BASE_LANE_H

enum tw_lane {
    TW_LANE_OWN, /* the worker's own stream */
    /* What is on the critical path: a second stream of the worker, whose kernels the GPU serves before the others'. */
    TW_LANE_URGENT,
    /* Urgent, and one of a chain that goes on for the whole routine: by workers that do nothing else, where the GPU has
     * such. */
    TW_LANE_CHAIN,
    /* What has time while something urgent is to come: a stream of some of the multiprocessors only, so that the urgent
     * one's kernels find places at once. */
    TW_LANE_YIELDING
};
#endif
