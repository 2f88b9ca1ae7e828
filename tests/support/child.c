/* Runs of this program in a process of their own: the environment is read once per process, and a hang must not hang
 * us. */
#define _GNU_SOURCE /* pipe2 */
#include "tt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double tt_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
double tt_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void become(const char *argument, const char *const *env, int out)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (length <= 0) _exit(126);
    self[length] = 0;
    for (; env && *env; env++) {
        char name[256];
        const char *equal = strchr(*env, '=');
        snprintf(name, sizeof name, "%.*s", equal ? (int)(equal - *env) : 255, *env);
        if (equal ? setenv(name, equal + 1, 1) : unsetenv(name)) _exit(126);
    }
    if (dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
    execl(self, self, argument, (char *)NULL);
    _exit(126);
}

/* Everything the child prints, until it closes its end or the time is up; 1 if it is up. */
static int collect(int from, double deadline, char *out, size_t size)
{
    size_t used = 0;
    char dump[4096];

    for (;;) {
        struct pollfd p = {from, POLLIN, 0};
        double left = deadline - tt_seconds();
        ssize_t got;
        if (left <= 0) break;
        if (poll(&p, 1, (int)(left * 1000) + 1) <= 0) continue;
        got = used + 1 < size ? read(from, out + used, size - used - 1) : read(from, dump, sizeof dump);
        if (got <= 0) break;
        if (used + 1 < size) used += (size_t)got;
    }
    if (size) out[used] = 0;
    return tt_seconds() >= deadline;
}

/* One may close its output long before it ends (or hang in its last breath). */
static int reap(pid_t pid, double deadline, int *status)
{
    for (;;) {
        pid_t r = waitpid(pid, status, WNOHANG);
        if (r == pid) return 0;
        if (r < 0 && errno != EINTR) return -1;
        if (tt_seconds() >= deadline) return 1;
        usleep(2000);
    }
}

int tt_run_self(const char *argument, const char *const *env, int timeout_s, char *out, size_t size)
{
    double deadline = tt_seconds() + timeout_s;
    int ends[2], status = 0;
    pid_t pid;

    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0) return 126;
    pid = fork();
    if (pid < 0) return 126;
    if (pid == 0) become(argument, env, ends[1]);
    close(ends[1]);
    (void)collect(ends[0], deadline, out, size);
    close(ends[0]);
    if (reap(pid, deadline, &status) != 0) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        return TT_TIMED_OUT;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

const char *tt_telling(const char *out)
{
    static const char *const words[] = {"FAILED: ", "[  ERROR"};
    const size_t length = strlen(out), most = 1200;
    const char *first = NULL;

    for (int k = 0; k < 2; k++) {
        const char *at = strstr(out, words[k]);
        if (at && (!first || at < first)) first = at;
    }
    return first ? first : length > most ? out + length - most : out;
}
