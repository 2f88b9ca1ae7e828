/* The dense family's routines, for what goes over all of them: tests, the command. */
#include "algorithms/dense/dense_loops.h"

#define TW_ROW(name) &tw_routine_##name,
const struct tw_routine *const tw_dense_routines[] = {TW_DENSE_ROUTINES(TW_ROW) NULL};
