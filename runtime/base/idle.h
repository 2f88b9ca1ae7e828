/* A thread that waits for the library to be idle: no call under way for so many seconds. */
#ifndef TW_RUNTIME_BASE_IDLE_H
#define TW_RUNTIME_BASE_IDLE_H

/* From now on `idle` is called, on a thread of its own, once each time that no call has been under way for `seconds`.
 * It returns 0 where it could not do its work: then it is called again. 0: no thread could be made, and nothing will
 * call it. */
int tw_idle_start(double seconds, int (*idle)(void));
/* Waits for it. */
void tw_idle_stop(void);
#endif
