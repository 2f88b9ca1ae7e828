/* The singular value family's routines, for what goes over all of them: tests, the command. */
#include "algorithms/svd/svd_loops.h"

#define TW_ROW(name) &tw_routine_##name,
const struct tw_routine *const tw_svd_routines[] = {TW_SVD_ROUTINES(TW_ROW) NULL};
