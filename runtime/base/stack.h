/* The stacks of the library's threads. A process's limit (`ulimit -s`) is also what its threads get if nobody says
 * otherwise; tasks call BLAS, LAPACK, FFTW and users' bodies, which take for granted what is usual. */
#ifndef TW_BASE_STACK_H
#define TW_BASE_STACK_H
#include <pthread.h>

/* For pthread_create: NULL where the default is enough. */
const pthread_attr_t *tw_stack_attributes(void);
/* Between the two, threads that others start (StarPU its workers) get such stacks, too. */
void tw_stacks_begin(void);
void tw_stacks_end(void);
#endif
