/* Every public function, as the headers declare it, with each argument bad in its turn, and all of them: NULL, 0, -1,
 * 2^31, 2^62, no member of the enumeration, NaN, no file. Anything may be returned, but no call may crash or hang.
 *
 *   bad_calls [FUNCTION...]
 *
 * The calls run in a child process, which is followed by another one after a crash. A call that works on for half a
 * second is cancelled (2^31 atoms are legal), and has to return then. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <tilework/lapacke.h>
#include <tilework/tilework.h>
#include <time.h>
#include <unistd.h>

#include "bad_calls.h"
#include "values.h"

static struct progress {
    atomic_int at, cancelled;
} * shared;

enum { CANCEL_AFTER = 500000 /* us */, KILL_AFTER = 60 /* s */ };

#ifdef __SANITIZE_ADDRESS__
/* What RLIMIT_DATA is to the others (below): memory that only seems to be there is refused at once, not filled for
 * seconds. */
__attribute__((visibility("default"))) const char *__asan_default_options(void); /* the sanitizer looks for it */
const char *__asan_default_options(void)
{
    return "max_allocation_size_mb=3072";
}
/* The sanitizer maps the shadow of each large block anew, and the kernel allows a process some tens of thousands of
 * mappings. */
enum { CALLS_OF_A_CHILD = 4000 };
#else
enum { CALLS_OF_A_CHILD = 1 << 30 };
#endif

/* Legal work that is in no sequence, so that it cannot be cancelled, and takes hours. */
static const struct legal {
    const char *name;
    int argument;
} legal[] = {{"tw_LAPACKE_?potrs", 3},
             {"tw_LAPACKE_?posv", 3},
             {"tw_?potrs", 2},
             {"tw_?posv", 2},
             {"tw_LAPACKE_?getrs", 3},
             {"tw_LAPACKE_?gesv", 2},
             {"tw_?getrs", 2},
             {"tw_?gesv", 1},
             {"tw_?gemm", 3},
             {"tw_?symm", 3},
             {"tw_?hemm", 3},
             {"tw_?syrk", 3},
             {"tw_?herk", 3},
             {"tw_?syr2k", 3},
             {"tw_?her2k", 3},
             {"tw_?trmm", 5},
             {"tw_?trsm", 5},
             {"tw_LAPACKE_?gels", 4},
             {"tw_?gels", 3},
             {"tw_file_write_vector", 2},
             /* n, for whose columns the program has a jpvt of 2^31 elements */
             {"tw_LAPACKE_?geqp3", 2},
             {"tw_LAPACKE_?geqp3_work", 2},
             {"tw_LAPACKE_?gelsy", 2},
             {"tw_LAPACKE_?gelsy_work", 2}};

static int is_legal(const char *name, int argument)
{
    for (size_t k = 0; k < sizeof legal / sizeof *legal; k++) {
        const char *p = legal[k].name, *q = name;
        while (*p && (*p == *q || (*p == '?' && strchr("sdcz", *q))))
            p++, q++;
        if (!*p && (!*q || !strcmp(q, "_64")) && argument == legal[k].argument) return 1;
    }
    return 0;
}

static int values_of(char kind)
{
    return kind == 'n' ? VALUES : kind == 'p' ? 2 : kind == '0' ? 1 : 0;
}

/* Number `at` of all calls: function, argument, value; 0 when there are no more. */
static int nth(int at, int *function, struct bad *b)
{
    for (int f = 0; f < ncalls; f++) {
        const char *kinds = calls[f].kinds;
        int k = -1, count = 1; /* good arguments, each argument, all of them */
        while (at >= count && (k < 0 || kinds[k])) {
            at -= count;
            k++;
            count = kinds[k] ? values_of(kinds[k]) : k > 1 ? VALUES : 0;
        }
        if (at >= count) {
            at -= count;
            continue;
        }
        *function = f;
        *b = (struct bad){k < 0 ? NONE : kinds[k] ? k : ALL, at};
        return 1;
    }
    return 0;
}

static int wanted(int f, int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (!strcmp(argv[k], calls[f].name)) return 1;
    return argc < 2;
}

static const char *const how[VALUES] = {"0", "-1", "2^31", "2^62", "7777", "-2^63", "2^31 - 1", "-2^31", "-64"};

static void say(int f, const struct bad *b, const char *what)
{
    char which[32] = "good arguments";
    if (b->argument != NONE) snprintf(which, sizeof which, "argument %d", b->argument + 1);
    if (b->argument == ALL) snprintf(which, sizeof which, "all arguments");
    printf("%s: %s, value %d (%s): %s\n", calls[f].name, which, b->which, how[b->which], what);
    fflush(stdout);
}

static void cancel(int signal)
{
    (void)signal;
    atomic_store(&shared->cancelled, 1);
    tw_cancel_all();
}

/* Again and again, since something may be queued behind what was cancelled. */
static void cancel_every(int us)
{
    const struct timeval time = {0, us};
    (void)setitimer(ITIMER_REAL, &(struct itimerval){time, time}, NULL);
}

static void child(int at, int argc, char **argv)
{
    struct bad b;
    int f, done = 0;

#ifndef __SANITIZE_ADDRESS__
    /* An allocation of what only seems to be there fails instead of taking the machine's memory. */
    setrlimit(RLIMIT_DATA, &(struct rlimit){(rlim_t)3 << 30, (rlim_t)3 << 30});
#endif
    signal(SIGALRM, cancel);
    if (!values_begin()) _exit(77);
    for (; nth(at, &f, &b); at++) {
        if (!wanted(f, argc, argv) || (is_legal(calls[f].name, b.argument) && (b.which == 2 || b.which == 6))) continue;
        atomic_store(&shared->at, at);
        if (done++ == CALLS_OF_A_CHILD) _exit(USED_UP);
        cancel_every(CANCEL_AFTER);
        atomic_store(&shared->cancelled, 0);
        /* To look for NaN in 2^31 columns is legal, too, and takes a minute. */
        tw_LAPACKE_set_nancheck(b.which != 2 && b.which != 6);
        calls[f].call(&b);
        cancel_every(0);
        if (atomic_load(&shared->cancelled)) say(f, &b, "was cancelled");
    }
    values_end();
    atomic_store(&shared->at, -1);
    _exit(0);
}

/* Until it ends, or makes no progress; how it ended. */
static int watch(pid_t pid)
{
    int status, last = -1, quiet = 0;

    for (;;) {
        const struct timespec pause = {0, 50000000};
        if (waitpid(pid, &status, WNOHANG) == pid) return status;
        nanosleep(&pause, NULL);
        quiet = atomic_load(&shared->at) == last ? quiet + 1 : 0;
        last = atomic_load(&shared->at);
        if (quiet > KILL_AFTER * 20) kill(pid, SIGKILL);
    }
}

int main(int argc, char **argv)
{
    int at = 0, failures = 0, resumed = -1;

    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    setenv("TILEWORK_HOST_MEMORY", "512M", 1);
    setenv("TILEWORK_FFT_RIGOR", "estimate", 1);
    setenv("OPENBLAS_CORETYPE", "Haswell", 0); /* tw_blas_reexec has nothing to do */
    for (;;) {
        struct bad b;
        char text[64];
        int f, status;
        pid_t pid;

        atomic_store(&shared->at, at);
        fflush(NULL);
        if ((pid = fork()) == 0) child(at, argc, argv);
        status = watch(pid);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return printf("no address space\n"), 77;
        at = atomic_load(&shared->at);
        if (at < 0 && status == 0) break;
        if (!nth(at < 0 ? 0 : at, &f, &b)) break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == USED_UP &&
            at > resumed) { /* it got somewhere: the next one goes on there */
            resumed = at;
            continue;
        }
        failures++;
        snprintf(text, sizeof text, WIFSIGNALED(status) ? "signal %d" : "exit status %d",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        say(f, &b, text);
        if (at < 0) break;
        at++;
    }
    printf("%d functions, %d failures\n", ncalls, failures);
    return failures > 0;
}
