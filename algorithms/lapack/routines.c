/* The routines under LAPACK's names, for what goes over all of them: the test of the headers. */
#include "algorithms/lapack/doors.h"

#define TW_ROW(name) &tw_lapack_row_##name,
const struct tw_lapack_row *const tw_lapack_rows[] = {TW_LAPACK_ROUTINES(TW_ROW) NULL};
