#define _GNU_SOURCE /* pthread_setattr_default_np */
#include "runtime/base/stack.h"

enum { USUAL = 8 << 20 };

static pthread_attr_t before, ours;
static int larger; /* ours holds a size that the default does not reach */

static void find(void)
{
    size_t size = USUAL;

    if (pthread_getattr_default_np(&before) != 0) return;
    larger = pthread_attr_getstacksize(&before, &size) == 0 && size < USUAL && pthread_attr_init(&ours) == 0 &&
             pthread_attr_setstacksize(&ours, USUAL) == 0;
}

const pthread_attr_t *tw_stack_attributes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find);
    return larger ? &ours : NULL;
}

void tw_stacks_begin(void)
{
    if (tw_stack_attributes()) (void)pthread_setattr_default_np(&ours); /* a size that it takes */
}

void tw_stacks_end(void)
{
    if (tw_stack_attributes()) (void)pthread_setattr_default_np(&before);
}
