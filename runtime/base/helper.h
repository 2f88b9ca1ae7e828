/* Threads of the library's own, beside StarPU's workers. */
#ifndef TW_BASE_HELPER_H
#define TW_BASE_HELPER_H
#include <pthread.h>

/* With a usual stack (stack.h), and without the signals that are for the program's threads. 0, or as pthread_create. */
int tw_helper_start(pthread_t *thread, void *(*work)(void *), void *argument);
/* How many more threads the process may have, up to `wanted`: a limit of a user's or of a container's is found by
 * trying only. */
int tw_helpers_possible(int wanted);
#endif
