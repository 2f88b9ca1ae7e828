/* A thread that waits for the library to be idle: nobody inside for so many seconds. */
#ifndef TW_RUNTIME_BASE_IDLE_H
#define TW_RUNTIME_BASE_IDLE_H

/* From now on `idle` is called, on a thread of its own, each time nobody has been inside for `seconds`, once until
 * somebody comes again. It says 0 when it could not do its work: then it is called again. 0: no thread to be had,
 * nothing waits. */
int tw_idle_start(double seconds, int (*idle)(void));
/* Waits for it. */
void tw_idle_stop(void);
#endif
