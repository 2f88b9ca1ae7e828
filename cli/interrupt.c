/* How a command ends. Ctrl-C: the first one cancels what runs and lets the command end in order; a BLAS call of a check
 * or a disk may keep it longer than the user wants to wait, so that after most of a second it ends wherever it is. The
 * second one kills.
 *
 * Files that the library writes exist under their names only when they are complete, and tw_cancel_all gives up those
 * that are not. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common.h"

static atomic_int caught; /* lock-free, so a handler may write it */
static atomic_int said;   /* the line about it was printed */
static _Atomic(const char *) unwritten, written;
static int wake[2] = {-1, -1};
static int stdout_error; /* errno of the first report that could not be written */

static void on_signal(int number)
{
    const int before = errno;

    atomic_store(&caught, number);
    tw_cancel_all();
    if (write(wake[1], "", 1) < 0) errno = 0; /* nothing watches: the command ends in order */
    errno = before;
}

/* One line, by the first thread; stdio's locks may be held by a thread that hangs. */
static void say(void)
{
    const char *file = atomic_load(&unwritten), *done = atomic_load(&written);

    if (atomic_exchange(&said, 1)) return;
    if (file)
        dprintf(STDERR_FILENO, "%s: interrupted: nothing was written to %s\n", cli_program, file);
    else
        dprintf(STDERR_FILENO, "%s: interrupted%s%s\n", cli_program, done ? " after this was written: " : "",
                done ? done : "");
}

static void *watch(void *unused)
{
    const struct timespec pause = {0, 100000000};
    char byte;

    (void)unused;
    while (read(wake[0], &byte, 1) < 0 && errno == EINTR) {}
    for (int k = 0; k < 6; k++) {
        tw_cancel_all(); /* what started after the signal, too */
        nanosleep(&pause, NULL);
    }
    say();
    tw_cancel_all();
    _exit(128 + atomic_load(&caught));
}

void cli_catch_signals(void)
{
    struct sigaction action;
    pthread_t thread;
    sigset_t all, before;

    if (wake[0] >= 0) return; /* another turn of the same command */
    if (pipe(wake) == 0) {
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the other threads */
        if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
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

void cli_will_write(const char *path)
{
    atomic_store(&unwritten, path);
}

void cli_has_written(void)
{
    atomic_store(&written, atomic_exchange(&unwritten, NULL));
}

int cli_flush(void)
{
    FILE *f = cli_reports();

    if (fflush(f) == 0 && !ferror(f)) return 0;
    if (!stdout_error) stdout_error = errno ? errno : EIO;
    return CLI_FAILED;
}

/* Started with one of the three closed, a program must not find another file there: every reading or writing of them is
 * to fail. And a file that grows above the limit (ulimit -f) is an error of its writer, which then takes it away. */
void cli_begin(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* becomes fd, the lowest that is free */
    (void)signal(SIGXFSZ, SIG_IGN);
}

int cli_end(int status)
{
    const int failed = cli_flush() != 0;

    if (cli_interrupted()) {
        say();
        return 128 + cli_interrupted();
    }
    if (!failed) return status;
    if (stdout_error != EPIPE) /* the reader that left knows */
        cli_error(0, "the report could not be written: %s", strerror(stdout_error));
    return status ? status : CLI_FAILED;
}
