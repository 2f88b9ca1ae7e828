/* What is known of a thread that calls. Keys are made when the library is loaded: a thread may ask before StarPU
 * runs. */
#include "runtime/task/thread.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "runtime/base/threads.h"

static starpu_pthread_key_t submitted, waited;
static atomic_int has_submitted, has_waited;

static __attribute__((constructor)) void make_keys(void)
{
    has_submitted = !starpu_pthread_key_create(&submitted, NULL);
    has_waited = !starpu_pthread_key_create(&waited, free);
}

/* A thread that ends later must not find a library that was unloaded. Others may still submit while the program leaves
 * main(). */
static __attribute__((destructor)) void delete_keys(void)
{
    if (atomic_exchange(&has_submitted, 0)) starpu_pthread_key_delete(submitted);
    if (atomic_exchange(&has_waited, 0)) starpu_pthread_key_delete(waited);
}

/* How many tasks this thread has submitted so far: libtilework_lapack asks by dlsym, for none more means that nothing
 * of a call had begun when it failed. */
__attribute__((visibility("default"))) long tw_tasks_of_this_thread(void);
long tw_tasks_of_this_thread(void)
{
    return has_submitted ? (long)(intptr_t)starpu_pthread_getspecific(submitted) : 0;
}

void tw_thread_submitted(void)
{
    if (has_submitted)
        starpu_pthread_setspecific(submitted, (void *)((intptr_t)starpu_pthread_getspecific(submitted) + 1));
}

struct tw_values tw_thread_waited(void)
{
    const struct tw_values *v = has_waited ? starpu_pthread_getspecific(waited) : NULL;
    return v ? *v : (struct tw_values){.count = 0};
}

void tw_thread_set_waited(const struct tw_values *values)
{
    struct tw_values *v = has_waited ? starpu_pthread_getspecific(waited) : NULL;

    if (!has_waited || (!v && values->count == 0)) return;
    if (!v && (!(v = malloc(sizeof *v)) || starpu_pthread_setspecific(waited, v))) {
        free(v);
        return;
    }
    *v = *values;
}
