/* StarPU's mutexes, for whatever happens on the way of a submission: a simulator follows them, raw ones it does not.
 * They work before StarPU runs, too. */
#ifndef TW_RUNTIME_BASE_THREADS_H
#define TW_RUNTIME_BASE_THREADS_H
#include <starpu_thread.h>
#endif
