/* A worker's ways, for what hands a body its streams. */
#ifndef TW_RUNTIME_MACHINE_LANE_H
#define TW_RUNTIME_MACHINE_LANE_H
#include "runtime/base/lane.h"
#include "runtime/machine/cuda.h"

/* Between these calls `cuda` names the way's stream and its handles; the worker's own stream waits for it. 0 or a CUDA
 * status. */
int tw_cuda_lane_begin(struct tw_cuda *cuda, enum tw_lane lane);
int tw_cuda_lane_end(struct tw_cuda *cuda, enum tw_lane lane);
#endif
