/* A routine's row by its name, of all families on matrices. */
#ifndef TW_ALGORITHMS_LAPACK_NAMED_H
#define TW_ALGORITHMS_LAPACK_NAMED_H
#include "runtime/task/routine.h"

/* NULL: there is none. */
const struct tw_routine *tw_routine_named(const char *name);
#endif
