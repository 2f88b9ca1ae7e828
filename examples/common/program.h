/* What every longer example needs: leaving with a message, options, seconds, random numbers. */
#ifndef EXAMPLES_PROGRAM_H
#define EXAMPLES_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 }; /* a check or a computation failed; bad input or bad usage */

/* Print "PROGRAM: message" on stderr and leave with that status. */
void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* One option of a command line: "--name VALUE", or "--name" alone where value is NULL and present is set to 1. */
struct option_spec {
    const char *name;
    const char **value;
    int *present;
};
/* Read argv[1…]; the list ends with a name of NULL. Anything unknown, repeated or without its value leaves with
 * EXIT_USAGE and a message that names it. */
void read_options(int argc, char **argv, const struct option_spec *specs);
/* A whole number in [low, high], or EXIT_USAGE naming the option. */
int64_t option_integer(const char *name, const char *text, int64_t low, int64_t high);

/* malloc, or leave with EXIT_FAILED and the number of bytes. */
void *must_alloc(size_t bytes);

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

/* SplitMix64: the same numbers on every machine. The state is any 64-bit seed. */
uint64_t random_bits(uint64_t *state);
double random_uniform(uint64_t *state); /* in [0, 1) */
double random_normal(uint64_t *state);  /* mean 0, variance 1 */

#endif
