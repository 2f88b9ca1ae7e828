/* Memory and numbers, for the readers and writers. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/io.h"

/* ---- memory ---------------------------------------------------------------------------------------------------- */

int tw_io_fits(const char *what, double bytes)
{
    const char *source = "";
    double limit = (double)tw_host_memory_limit(&source);

    if (bytes <= limit) return 0;
    return tw_fail(
        TW_E_MEMORY,
        "%s: %.0f bytes (%.2f GiB) of host memory are needed, the limit is %.0f bytes (%.2f GiB, from %s): set "
        "TILEWORK_HOST_MEMORY if this machine's memory grows as it is used",
        what, bytes, bytes / 1073741824.0, limit, limit / 1073741824.0, source);
}

void *tw_io_alloc(const char *what, tw_int count, size_t size, int *e)
{
    const double bytes = (double)count * (double)size;

    if ((*e = tw_io_fits(what, bytes))) return NULL;
    void *p = malloc((size_t)(count ? count : 1) * size);
    if (!p) *e = tw_fail(TW_E_MEMORY, "%s: %.0f bytes could not be allocated", what, bytes);
    return p;
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

const char *tw_quote(char buffer[TW_QUOTE_MAX], const char *text)
{
    size_t n = 0, room = TW_QUOTE_MAX - 6; /* both quotes, three dots, NUL */

    buffer[n++] = '"';
    for (; *text && n <= room; text++)
        buffer[n++] = (unsigned char)*text < 32 || *text == 127 ? '?' : *text;
    if (*text) {
        while (n > 1 && ((unsigned char)buffer[n - 1] & 0xC0) == 0x80)
            n--; /* no half UTF-8 character */
        if (n > 1 && (unsigned char)buffer[n - 1] >= 0xC0) n--;
        memcpy(buffer + n, "...", 3);
        n += 3;
    }
    buffer[n++] = '"';
    buffer[n] = 0;
    return buffer;
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 1 and *end behind the word if s begins with inf, infinity or nan. */
static int is_nonfinite(const char *s, const char **end)
{
    static const char *const words[] = {"infinity", "inf", "nan"};
    for (int k = 0; k < 3; k++)
        if (!strncasecmp(s, words[k], strlen(words[k]))) {
            *end = s + strlen(words[k]);
            return 1;
        }
    return 0;
}

/* Clinger's fast path: up to 2^53 times or over a power of ten up to 10^22 is one correctly rounded operation.
 * Returns 0 where it does not apply. */
static int parse_short(const char *s, const char **end, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int negative = *s == '-', digits = 0, point = 0, exponent = 0;
    uint64_t mantissa = 0;

    s += *s == '-' || *s == '+';
    for (; is_digit(*s) || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = 1;
            continue;
        }
        if (++digits > 18) return 0;
        mantissa = mantissa * 10 + (uint64_t)(*s - '0');
        exponent -= point;
    }
    if ((*s | 32) == 'e') {
        const char *t = s + 1;
        int minus = *t == '-', e = 0;
        t += *t == '-' || *t == '+';
        if (!is_digit(*t)) return 0;
        for (; is_digit(*t) && e < 1000; t++)
            e = e * 10 + (*t - '0');
        exponent += minus ? -e : e;
        s = t;
    }
    if (mantissa > (1ull << 53) || exponent < -22 || exponent > 22 || is_digit(*s)) return 0;
    double v = exponent < 0 ? (double)mantissa / power[-exponent] : (double)mantissa * power[exponent];
    *value = negative ? -v : v;
    *end = s;
    return 1;
}

enum tw_number tw_number_parse(const char *s, const char **end, double *value)
{
    const char *t = s + (*s == '-' || *s == '+');
    char *stop;

    *end = s;
    if (!is_digit(t[0]) && !(t[0] == '.' && is_digit(t[1])))
        return is_nonfinite(t, end) ? TW_NUMBER_NONFINITE : TW_NUMBER_NONE;
    if (t[0] == '0' && (t[1] | 32) == 'x') return TW_NUMBER_NONE;
    if (parse_short(s, end, value)) return TW_NUMBER_OK;
    *value = tw_strtod(s, &stop);
    *end = stop;
    return isinf(*value) ? TW_NUMBER_RANGE : TW_NUMBER_OK;
}

enum tw_number tw_integer_parse(const char *s, const char **end, tw_int *value)
{
    const char *t = s + (*s == '-' || *s == '+');
    char *stop;

    *end = s;
    if (!is_digit(*t)) return TW_NUMBER_NONE;
    errno = 0;
    long long v = strtoll(s, &stop, 10);
    *end = stop;
    *value = v;
    return errno == ERANGE ? TW_NUMBER_RANGE : TW_NUMBER_OK;
}
