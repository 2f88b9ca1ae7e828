/* The LAPACKE door for programs that define LAPACK_ILP64: the same source with a 64-bit lapack_int. */
#define LAPACK_ILP64 1
#include "algorithms/lapack/lapacke_door.c"
