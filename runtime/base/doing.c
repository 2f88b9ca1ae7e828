/* Calls that go to LAPACK, BLAS or FFTW themselves, for recordings. A program whose calls are all small runs no task,
 * and starts nothing: one that wants a trace has the library started by the first of them. */
#include "runtime/base/doing.h"

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/variables.h"

void (*_Atomic tw_doing_seen)(enum tw_doing what, double from, double to);
_Thread_local double tw_straight_from;
_Thread_local int tw_doors_entered;

void tw_straight_begins(void)
{
    static atomic_int asked;

    if (!atomic_load_explicit(&asked, memory_order_relaxed) && !atomic_exchange(&asked, 1) &&
        tw_variable_text(TW_TILEWORK_TRACE)) {
        if (!tw_begin()) tw_end(); /* else there is no trace, and the call is what it was */
    }
    tw_clear_message(); /* as calls with tasks do */
    tw_straight_from = tw_doing_begins();
}

void tw_straight_ended(enum tw_doing what)
{
    const double from = tw_straight_from;

    tw_straight_from = 0;
    tw_doing_ended(what, from);
}
