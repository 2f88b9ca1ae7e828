/* Under the GPL, version 2 or later, when distributed, as doors.c. */
#include "dropin/fft/arrays.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* From this size on an array has its pages to itself, and Tilework pins it. */
#define LARGE ((size_t)32 << 20)

struct array {
    char *at;
    size_t bytes;
    int tried;    /* pinned, or it cannot be */
    void *pinned; /* NULL: it is not */
    struct array *next;
};
static struct array *arrays;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void tw_arrays_remember(void *array, size_t bytes)
{
    struct array *a = array && bytes >= LARGE ? malloc(sizeof *a) : NULL;

    if (!a) return;
    pthread_mutex_lock(&lock);
    *a = (struct array){array, bytes, 0, NULL, arrays};
    arrays = a;
    pthread_mutex_unlock(&lock);
}

void tw_arrays_pin(const void *inside, tw_pin_function *pin)
{
    pthread_mutex_lock(&lock);
    for (struct array *a = arrays; a; a = a->next)
        if ((uintptr_t)inside - (uintptr_t)a->at < a->bytes) {
            if (!a->tried && pin(a->at, a->bytes, &a->pinned) != 0) a->pinned = NULL;
            a->tried = 1;
            break;
        }
    pthread_mutex_unlock(&lock);
}

void tw_arrays_forget(void *array, tw_unpin_function *unpin)
{
    struct array **at, *a;

    pthread_mutex_lock(&lock);
    for (at = &arrays; *at && (*at)->at != array; at = &(*at)->next) {}
    a = *at;
    if (a) {
        *at = a->next;
        if (a->pinned && unpin) unpin(&a->pinned);
    }
    pthread_mutex_unlock(&lock);
    free(a);
}

void tw_arrays_before_fork(void)
{
    pthread_mutex_lock(&lock);
}
void tw_arrays_fork(int in_child)
{
    for (struct array *a = arrays; in_child && a; a = a->next)
        a->pinned = NULL, a->tried = 1;
    pthread_mutex_unlock(&lock);
}
