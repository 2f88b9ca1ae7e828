/* Checking callers' arguments, for routines of any family. */
#ifndef TW_ALGORITHMS_ARGUMENTS_H
#define TW_ALGORITHMS_ARGUMENTS_H
#include <tilework/runtime.h>
#include "runtime/base/error.h"

/* Return with -argument if `why` is not NULL. */
#define TW_ARGUMENT(routine, argument, why)                                                                            \
    do {                                                                                                               \
        const char *why_ = (why);                                                                                      \
        if (why_) return tw_illegal(routine, argument, why_);                                                          \
    } while (0)

static inline double tw_number_at(enum tw_type type, const void *a, tw_int k)
{
    return type == TW_FLOAT ? (double)((const float *)a)[k] : ((const double *)a)[k];
}
/* NULL, or what is wrong with count numbers: not finite, or larger than the limit. text: room for the answer. */
const char *tw_bad_numbers(enum tw_type type, const void *a, tw_int count, double limit, char text[128]);
/* The same by tasks, where there are many; not inside a routine's loop. */
const char *tw_bad_numbers_by_tasks(enum tw_type type, const void *a, tw_int count, double limit, char text[128]);
#endif
