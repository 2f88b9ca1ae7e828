/* The calls that are under way. Every public function that needs the running library enters by tw_begin and leaves by
 * tw_end; tw_finalize closes the gate, waits for the calls under way, and opens it again when all is stopped. A call
 * made within another one (from a user's report function, from a routine made of routines) is part of that one and is
 * always let in. */
#ifndef TW_RUNTIME_BASE_GATE_H
#define TW_RUNTIME_BASE_GATE_H
#include <tilework/runtime.h>

#pragma GCC visibility push(default) /* for libtilework_fft and libtilework_lapack: see runtime/data/data.h */

/* Start the library if need be, and enter. 0, or an error: then the call has not entered. */
int tw_begin(void);
/* The same, but TW_E_STATE if it does not run. */
int tw_begin_running(void);
/* The same without a message, for callers that have another answer where it does not run. */
int tw_begin_asking(void);
/* The caller holds a live sequence, because of which tw_finalize refuses: enters through a closed gate, too. */
int tw_begin_alive(void);
/* To give something back: waits for a tw_finalize that is under way. TW_E_STATE: the library does not run (any
 * more). */
int tw_begin_return(void);
void tw_end(void);

/* For functions with several ways out:   TW_INSIDE int refused = tw_begin();   if (refused) return refused; */
static inline void tw_end_of(const int *refused)
{
    if (!*refused) tw_end();
}
#define TW_INSIDE __attribute__((cleanup(tw_end_of)))

/* What this thread does now is the library's work: it is inside, or in a function under LAPACK's names, which may go
 * straight to LAPACK, or it is a worker. */
int tw_at_work(void);

#pragma GCC visibility pop

/* This thread is inside. */
int tw_inside(void);
/* A thread of the library's own, which works for calls under way: inside, but tw_gate_close does not wait for it. */
void tw_gate_adopt(void);
void tw_gate_release(void);
/* From now on tw_begin gives TW_E_STATE. Waits for the calls under way. */
void tw_gate_close(void);
void tw_gate_open(void);
/* If no call is under way: 1, and calls that begin wait until tw_gate_let. */
int tw_gate_hold(void);
void tw_gate_let(void);
/* How many calls have entered so far; whether one is under way, or the gate is closed. */
unsigned long tw_gate_visits(void);
int tw_gate_inside(void);
/* The program ends: closed for good, also to those with a sequence, without waiting. */
void tw_gate_shut(void);
/* With a closed gate: waits for the calls under way. */
void tw_gate_empty(void);
#endif
