/* What threads that submit tasks do with their time, for recordings. */
#ifndef TW_RUNTIME_BASE_DOING_H
#define TW_RUNTIME_BASE_DOING_H
#include <stdatomic.h>

#include "runtime/base/facts.h"

enum tw_doing {
    TW_DOING_SUBMIT, /* a routine's loop runs */
    TW_DOING_FULL,   /* in it: as many tasks wait as may (tw_options.window) */
    TW_DOING_WAIT,   /* for tasks to be done, or for a value */
    TW_DOING_KINDS
};
/* Set by who records; NULL: nobody does. Seconds by tw_now. */
extern void (*_Atomic tw_doing_seen)(enum tw_doing what, double from, double to);

/* 0: nobody records. */
static inline double tw_doing_begins(void)
{
    return atomic_load_explicit(&tw_doing_seen, memory_order_relaxed) ? tw_now() : 0;
}
static inline void tw_doing_ended(enum tw_doing what, double from)
{
    void (*seen)(enum tw_doing, double, double) = atomic_load_explicit(&tw_doing_seen, memory_order_relaxed);
    if (seen && from > 0) seen(what, from, tw_now());
}
#endif
