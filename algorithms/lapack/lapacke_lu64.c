/* The LAPACKE door of LU for programs that define LAPACK_ILP64: the same source with a 64-bit lapack_int. */
#define LAPACK_ILP64 1
#include "algorithms/lapack/lapacke_lu.c"
