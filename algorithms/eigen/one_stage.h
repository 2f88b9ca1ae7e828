/* Reductions of general matrices in one stage, to Hessenberg and to bidiagonal form: where they run, and what they hold
 * there. */
#ifndef TW_ALGORITHMS_EIGEN_ONE_STAGE_H
#define TW_ALGORITHMS_EIGEN_ONE_STAGE_H
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/eigen/route_model.h"

/* TW_ON_CPUS, where the matrix is cut into block columns for a team of cores; or TW_ON_GPU(0), by the model, where all
 * of it fits: there it is one column-major array, whose products with vectors are what the reduction waits for.
 * TILEWORK_FORCE_CUDA and the reproducible mode take the GPU wherever there is room. */
int tw_one_stage_place(const struct tw_one_stage *p);
/* Columns of a block of that matrix, whole panels of them (of an m x n matrix, m >= n). */
tw_int tw_one_stage_width(int place, tw_int n, int panel);
/* A panel's result, m x n elements: panels get smaller, and on a GPU their copies come in few sizes. NULL without
 * memory. */
struct tw_data *tw_panel_object(enum tw_type type, int m, int n);
#endif
