/* What threads that call do with their time, for recordings. */
#ifndef TW_RUNTIME_BASE_DOING_H
#define TW_RUNTIME_BASE_DOING_H
#include <stdatomic.h>

#include "runtime/base/facts.h"

enum tw_doing {
    TW_DOING_SUBMIT, /* a routine's loop runs */
    TW_DOING_FULL,   /* in it: as many tasks wait as may (tw_options.window) */
    TW_DOING_WAIT,   /* for tasks to be done, or for a value */
    /* Calls that make no tasks: in LAPACK or BLAS themselves, in FFTW itself. */
    TW_DOING_LAPACK,
    TW_DOING_FFTW,
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

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* This thread's call goes to LAPACK, BLAS or FFTW directly now; and it has come back, if it went there. */
void tw_straight_begins(void);
void tw_straight_ended(enum tw_doing what);
#pragma GCC visibility pop
extern _Thread_local double tw_straight_from; /* since when; 0: it did not, or nobody records */
/* This thread is in so many functions under LAPACK's names, one inside the other. */
extern _Thread_local int tw_doors_entered;

/* In functions whose way out tells it:   TW_DOOR;   first. */
static inline int tw_door_entered(void)
{
    return tw_doors_entered++;
}
static inline void tw_door_left(const int *before)
{
    tw_doors_entered = *before;
    if (tw_straight_from > 0) tw_straight_ended(TW_DOING_LAPACK);
}
#define TW_DOOR                                                                                                        \
    __attribute__((cleanup(tw_door_left))) const int door = tw_door_entered();                                         \
    (void)door
#endif
