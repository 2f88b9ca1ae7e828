/* Numbers on the command line: strict values, messages that name the flag. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"

/* 2^20, at text: 0 if it is none, or too large. */
static int power(const char *text, char **end, long long *value)
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
static int decimal(const char *text, char **end, long long *value)
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

static int whole_number(const char *text, long long *value)
{
    const char *digits = text + (*text == '-');
    char *end;

    if (*digits < '0' || *digits > '9' || strspn(text, "-0123456789.^eE+KMGT") != strlen(text)) return 0;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (!*end) return !errno;
    return (power(text, &end, value) || decimal(text, &end, value)) && !*end;
}

int cli_whole_number(const char *flag, const char *text, long long low, long long high, long long *value)
{
    if (!whole_number(text, value) || *value < low || *value > high)
        return cli_error(-1, "%s %s: expected a whole number from %lld to %lld, such as 1000, 1e3, 2^10 or 64K", flag,
                         text, low, high);
    return 0;
}

int cli_real(const char *flag, const char *text, double low, double high, double *value)
{
    char *end;

    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end || !(*value >= low && *value <= high))
        return cli_error(-1, "%s %s: expected a number from %g to %g", flag, text, low, high);
    return 0;
}
