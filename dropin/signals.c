/* Signals are the program's, in its threads. Those that a thread brings upon itself are not blocked anywhere: the
 * kernel ends a process whose thread does so blocked, past any handler (crash reporters, Python's faulthandler,
 * programs that catch SIGBUS of files they have mapped). */
#define _GNU_SOURCE
#include "dropin/dropin.h"
#include <pthread.h>
#include <time.h>

/* What a write of ours may raise: past a limit of file sizes, into a pipe without a reader. */
static const int of_writes[] = {SIGXFSZ, SIGPIPE};
enum { WRITES = sizeof of_writes / sizeof *of_writes };

void tw_dropin_signals_block(struct tw_signals *s)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t all;

    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &s->before);
    sigpending(&s->pending);
}

void tw_dropin_signals_restore(const struct tw_signals *s)
{
    const struct timespec now = {0, 0};
    sigset_t ours;

    sigemptyset(&ours);
    for (int i = 0; i < WRITES; i++)
        if (!sigismember(&s->pending, of_writes[i])) sigaddset(&ours, of_writes[i]);
    while (sigtimedwait(&ours, NULL, &now) > 0) {} /* what could not be written is left, and that is all */
    pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}
