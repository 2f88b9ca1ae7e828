/* Numbers that count, on the command lines of all programs: 4096, 1e3, 2^20, 64K (K, M, G, T: powers of 1024). */
#ifndef CLI_COUNT_H
#define CLI_COUNT_H

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 2^20, at text: 0 if it is none, or too large. */
static inline int cli_count_power(const char *text, char **end, long long *value)
{
    const long long base = strtoll(text, end, 10);
    long long exponent;

    if (*end == text || **end != '^' || base < 1) return 0;
    text = *end + 1;
    exponent = strtoll(text, end, 10);
    if (*end == text || exponent < 0 || exponent > 62) return 0;
    for (*value = 1; exponent > 0; exponent--)
        if (__builtin_mul_overflow(*value, base, value)) return 0;
    return 1;
}

/* 1e3, 2.5e6, 0.5M: 1 if it is a whole number of at most 2^62. */
static inline int cli_count_decimal(const char *text, char **end, long long *value)
{
    static const char suffixes[] = "KMGT";
    long double x = strtold(text, end);
    const char *suffix;

    if (*end == text) return 0;
    if (**end && (suffix = strchr(suffixes, **end))) {
        x *= powl(1024, (long double)(suffix - suffixes + 1));
        (*end)++;
    }
    if (!(fabsl(x) <= 0x1p62L) || x != floorl(x)) return 0;
    *value = (long long)x;
    return 1;
}

/* The whole text: 1, or 0 if it is no whole number. */
static inline int cli_count(const char *text, long long *value)
{
    const char *digits = text + (*text == '-');
    char *end;

    if (*digits < '0' || *digits > '9' || strspn(text, "-0123456789.^eE+KMGT") != strlen(text)) return 0;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (!*end) return !errno;
    return (cli_count_power(text, &end, value) || cli_count_decimal(text, &end, value)) && !*end;
}
#endif
