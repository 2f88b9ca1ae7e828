#include "runtime/base/helper.h"
#include "runtime/base/stack.h"
#include <signal.h>
#include <stdlib.h>

int tw_helper_start(pthread_t *thread, void *(*work)(void *), void *argument)
{
    /* Signals that a thread brings upon itself: blocked, the kernel ends the process past the program's handlers. */
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t others, before;
    int e;

    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    e = pthread_create(thread, tw_stack_attributes(), work, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return e;
}

static void *wait_for_all(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int tw_helpers_possible(int wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = malloc(sizeof *thread * (size_t)(wanted > 0 ? wanted : 1));
    int made = 0;

    if (!thread) return 0;
    pthread_mutex_lock(&gate);
    while (made < wanted && tw_helper_start(&thread[made], wait_for_all, &gate) == 0)
        made++;
    pthread_mutex_unlock(&gate);
    for (int k = 0; k < made; k++)
        pthread_join(thread[k], NULL);
    free(thread);
    return made;
}
