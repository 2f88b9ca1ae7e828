/* Errors and messages. */
#ifndef TW_RUNTIME_BASE_ERROR_H
#define TW_RUNTIME_BASE_ERROR_H
#include <tilework/runtime.h>

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* Set this thread's last message and return code (so: return tw_fail(TW_E_IO, "…")). Says what to do, not only what is
 * wrong. */
int tw_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for "argument i is illegal": returns -i. */
int tw_illegal(const char *routine, int argument, const char *why);
void tw_clear_message(void);
void tw_set_message(const char *text); /* carry a message from one thread to another */
void tw_set_verbose(int level);        /* -1: as TILEWORK_VERBOSE says */
void tw_log(enum tw_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
#pragma GCC visibility pop
#endif
