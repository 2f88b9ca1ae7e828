/* Ctrl-C: the first one cancels what runs and lets the command end in order, the second one kills. */
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "cli/cli.h"

static atomic_int caught; /* lock-free, so a handler may write it */

static void on_signal(int number)
{
    atomic_store(&caught, number);
    tw_cancel_all();
}

void cli_catch_signals(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int cli_interrupted(void)
{
    return atomic_load(&caught);
}
