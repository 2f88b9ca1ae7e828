/* Live objects, and which of them queued routines will use. */
#include <starpu.h>

#include "runtime/base/living.h"

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static starpu_pthread_cond_t all_submitted = STARPU_PTHREAD_COND_INITIALIZER;
static struct tw_living *living;
static long count;
static _Thread_local int in_loop;

void tw_living_born(struct tw_living *object, void (*abandon)(struct tw_living *object))
{
    starpu_pthread_mutex_lock(&lock);
    *object = (struct tw_living){.abandon = abandon, .next = living};
    if (living) living->previous = object;
    living = object;
    count++;
    starpu_pthread_mutex_unlock(&lock);
}

void tw_living_dies(struct tw_living *object)
{
    starpu_pthread_mutex_lock(&lock);
    if (object->next) object->next->previous = object->previous;
    if (object->previous)
        object->previous->next = object->next;
    else
        living = object->next;
    count--;
    starpu_pthread_mutex_unlock(&lock);
}

/* Nobody is inside: nothing is born or dies but here. */
void tw_living_end(void)
{
    while (living) {
        struct tw_living *const object = living;
        object->abandon(object);
        tw_living_dies(object);
    }
}

void tw_living_each(void (*fn)(struct tw_living *object, void *arg), void *arg)
{
    starpu_pthread_mutex_lock(&lock);
    for (struct tw_living *object = living; object; object = object->next)
        fn(object, arg);
    starpu_pthread_mutex_unlock(&lock);
}

long tw_living_count(void)
{
    starpu_pthread_mutex_lock(&lock);
    const long n = count;
    starpu_pthread_mutex_unlock(&lock);
    return n;
}

void tw_living_queued(struct tw_living *const *operand, int n)
{
    starpu_pthread_mutex_lock(&lock);
    for (int k = 0; k < n; k++)
        if (operand[k]) operand[k]->queued++;
    starpu_pthread_mutex_unlock(&lock);
}

void tw_living_let_go(struct tw_living *const *operand, int n)
{
    starpu_pthread_mutex_lock(&lock);
    for (int k = 0; k < n; k++)
        if (operand[k]) operand[k]->queued--;
    starpu_pthread_cond_broadcast(&all_submitted);
    starpu_pthread_mutex_unlock(&lock);
}

void tw_loop_enter(void)
{
    in_loop++;
}
void tw_loop_leave(void)
{
    in_loop--;
}

void tw_living_wait(struct tw_living *object)
{
    if (in_loop) return;
    starpu_pthread_mutex_lock(&lock);
    while (object->queued > 0)
        starpu_pthread_cond_wait(&all_submitted, &lock);
    starpu_pthread_mutex_unlock(&lock);
}
