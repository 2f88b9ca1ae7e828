#include "common/program.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tilework/runtime.h>

extern char *program_invocation_short_name;

void fail(int status, const char *format, ...)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(status);
}

void read_options(int argc, char **argv, const struct option_spec *specs)
{
    for (int i = 1; i < argc; i++) {
        const struct option_spec *s = specs;
        if (!strcmp(argv[i], "-V") || !strcmp(argv[i], "--version")) {
            printf("%s %d.%d.%d\n", program_invocation_short_name, TW_VERSION_MAJOR, TW_VERSION_MINOR,
                   TW_VERSION_PATCH);
            exit(0);
        }
        while (s->name && strcmp(s->name, argv[i]) != 0)
            s++;
        if (!s->name) fail(EXIT_USAGE, "unknown option '%s' (--help lists them)", argv[i]);
        if (!s->value) {
            *s->present = 1;
            continue;
        }
        if (*s->value) fail(EXIT_USAGE, "%s is given twice", s->name);
        if (i + 1 == argc) fail(EXIT_USAGE, "%s needs a value", s->name);
        *s->value = argv[++i];
        if (!**s->value) fail(EXIT_USAGE, "%s needs a value, not an empty one", s->name);
    }
}

int64_t option_integer(const char *name, const char *text, int64_t low, int64_t high)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end) fail(EXIT_USAGE, "%s: '%s' is not a whole number", name, text);
    if (errno || value < low || value > high)
        fail(EXIT_USAGE, "%s %s: must be between %lld and %lld", name, text, (long long)low, (long long)high);
    return value;
}

void *must_alloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (!p) fail(EXIT_FAILED, "no memory for %zu bytes", bytes);
    return p;
}

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_uniform(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

double random_normal(uint64_t *state)
{
    double u = 1.0 - random_uniform(state), v = random_uniform(state); /* Box and Muller; u is never 0 */
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}
