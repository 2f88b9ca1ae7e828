/* The eigenvalue family's routines, for what goes over all of them: tests, the command. */
#include "algorithms/eigen/eigen_loops.h"

#define TW_ROW(name) &tw_routine_##name,
const struct tw_routine *const tw_eigen_routines[] = {TW_EIGEN_ROUTINES(TW_ROW) NULL};
