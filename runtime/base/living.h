/* Every live matrix is known, so that destroying or reading one waits for the routines of the async door that are still
 * to submit its tasks. Whatever may be an operand of a routine begins with a struct tw_living. */
#ifndef TW_RUNTIME_BASE_LIVING_H
#define TW_RUNTIME_BASE_LIVING_H
#include "runtime/base/types.h"

struct tw_living {
    long queued;                               /* routines that use it and whose loops have not returned */
    void (*abandon)(struct tw_living *object); /* what tw_finalize does to those that still live, before they die */
    struct tw_living *previous, *next;
};
void tw_living_born(struct tw_living *object, void (*abandon)(struct tw_living *object));
void tw_living_dies(struct tw_living *object);
/* Operands of a routine that is queued, and of one whose loop has returned; NULL ones do not count. */
void tw_living_queued(struct tw_living *const *operand, int n);
void tw_living_let_go(struct tw_living *const *operand, int n);
/* Until no queued routine uses it. A loop does not wait for itself: between these two calls this thread runs one. */
void tw_living_wait(struct tw_living *object);
void tw_loop_enter(void);
void tw_loop_leave(void);
/* When the library stops: all of them are abandoned. */
void tw_living_end(void);
/* fn for each of them, which are neither born nor die meanwhile. */
void tw_living_each(void (*fn)(struct tw_living *object, void *arg), void *arg);
/* How many there are. */
long tw_living_count(void);
#endif
