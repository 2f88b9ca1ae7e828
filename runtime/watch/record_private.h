/* What record.c, events.c, formats.c and trace_write.c share. */
#ifndef TW_RUNTIME_WATCH_RECORD_PRIVATE_H
#define TW_RUNTIME_WATCH_RECORD_PRIVATE_H
#include "runtime/base/doing.h"
#include "runtime/watch/watch.h"

/* When the recording began. */
extern struct tw_recorded_since {
    starpu_pthread_mutex_t lock; /* of the file that grows: it begins, stops and goes with this held */
    struct tw_bus bus;           /* what the links had carried */
    long long epoch_ns;          /* by the calendar's clock, since 1970 */
} tw_recorded_since;

/* ---- record.c ---- */

int tw_record_copy_routines(size_t *from, struct tw_recording *out); /* 0, or TW_E_MEMORY */

/* ---- events.c ---- */

void tw_events_forget(void);
void tw_events_stay(enum tw_doing what, double from, double to); /* what a thread that calls did */
int tw_events_any(void);                                         /* a call that made no tasks */
size_t tw_events_left_out(void);                                 /* of calls and transfers, beyond the limit */

/* ---- formats.c and trace_write.c ---- */

int tw_trace_has_writers(void);
/* The file that grows, with the lock held. */
int tw_trace_begin_part(const char *prefix);
#endif
