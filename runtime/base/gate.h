/* Who is inside the library. Every public function that needs it to run comes in by tw_begin and goes by tw_end;
 * tw_finalize closes the gate, waits for those who are inside, and opens it again when all is stopped. A call of the
 * library from inside of a call (a report of the user's, a routine made of routines) is part of that call and always
 * comes in. */
#ifndef TW_RUNTIME_BASE_GATE_H
#define TW_RUNTIME_BASE_GATE_H
#include <tilework/runtime.h>

#pragma GCC visibility push(default) /* for libtilework_fft and libtilework_lapack: see runtime/data/data.h */

/* Start the library if need be, and come in. 0, or an error: then the caller is not inside. */
int tw_begin(void);
/* The same, but TW_E_STATE if it does not run. */
int tw_begin_running(void);
/* The same without a message, for who only asks and has another answer then. */
int tw_begin_asking(void);
/* The caller holds a live sequence, with which tw_finalize refuses: comes in through a closed gate, too. */
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
/* A thread of the library's own, which works for calls under way: inside, but nobody waits for it here. */
void tw_gate_adopt(void);
void tw_gate_release(void);
/* From now on nobody comes in: tw_begin gives TW_E_STATE. Waits until those inside have gone. */
void tw_gate_close(void);
void tw_gate_open(void);
/* Where nobody is inside: 1, and who comes waits until it is let in. */
int tw_gate_hold(void);
void tw_gate_let(void);
/* How often somebody came in; somebody is inside, or nobody may come in. */
unsigned long tw_gate_visits(void);
int tw_gate_inside(void);
/* The program ends: closed for good, also to those with a sequence, without waiting. */
void tw_gate_shut(void);
/* With a closed gate: waits until those inside have gone. */
void tw_gate_empty(void);
#endif
