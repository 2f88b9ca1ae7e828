/* Running programs in a folder of the test's own, and what they print. */
#ifndef TW_TESTS_CLI_SHELL_H
#define TW_TESTS_CLI_SHELL_H
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <jansson.h>

static char folder[4096];
static char out[1 << 20], err[1 << 16];

static inline void slurp(const char *name, char *to, size_t size)
{
    char path[4200];
    FILE *f;
    size_t n;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "r");
    n = f ? fread(to, 1, size - 1, f) : 0;
    to[n] = 0;
    if (f) fclose(f);
}

/* Exit status of a shell command; what it printed lands in out and err. */
__attribute__((format(printf, 1, 2))) static inline int run(const char *format, ...)
{
    char text[16384], command[24000];
    va_list list;
    int status;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(command, sizeof command, "cd '%s' && { %s ; } >stdout 2>stderr </dev/null", folder, text);
    status = system(command);
    slurp("stdout", out, sizeof out);
    slurp("stderr", err, sizeof err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void expect_status(int wanted, int got)
{
    if (wanted != got) fail_msg("exit status %d instead of %d\nstdout: %s\nstderr: %s", got, wanted, out, err);
}
#endif
