/* Arrays from the runtime's pool, remembered, so that what is given back is what was taken. */
#include <stdlib.h>
#include "algorithms/fft/fft_plan.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"

struct taken {
    void *array;
    size_t bytes;
    struct taken *next;
};
static struct taken *all;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

void *tw_fft_alloc(size_t bytes)
{
    struct taken *t;

    tw_clear_message();
    TW_INSIDE int refused = tw_begin();
    if (refused) return NULL;
    if (!(t = malloc(sizeof *t)) || !(t->array = tw_pool_alloc(bytes))) {
        free(t);
        return NULL;
    }
    t->bytes = bytes;
    starpu_pthread_mutex_lock(&lock);
    t->next = all;
    all = t;
    starpu_pthread_mutex_unlock(&lock);
    return t->array;
}

void tw_fft_free(void *array, size_t bytes)
{
    struct taken *found = NULL;

    if (!array) return;
    starpu_pthread_mutex_lock(&lock);
    for (struct taken **t = &all; *t && !found; t = found ? t : &(*t)->next)
        if ((*t)->array == array) {
            found = *t;
            *t = found->next;
        }
    starpu_pthread_mutex_unlock(&lock);
    if (!found || found->bytes != bytes)
        tw_log(TW_LOG_WARNING, "tw_fft_free: %s",
               found ? "not the number of bytes that was allocated" : "not an array of tw_fft_alloc: left alone");
    if (found) tw_pool_free(found->array, found->bytes);
    free(found);
}
