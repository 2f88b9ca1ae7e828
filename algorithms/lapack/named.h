/* A routine's row by its name, of all families on matrices. */
#ifndef TW_ALGORITHMS_LAPACK_NAMED_H
#define TW_ALGORITHMS_LAPACK_NAMED_H
#include "runtime/task/routine.h"

/* NULL: there is none. */
const struct tw_routine *tw_routine_named(const char *name);
/* Is one of the operands a triangle, or a symmetric matrix, at one side of an m x n matrix? With one column it is no
 * thin problem: its order is its inner size. */
int tw_routine_has_side(const struct tw_routine *r);
#endif
