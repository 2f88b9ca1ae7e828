/* The C locale in programs that set another one, where 1.5 is written 1,5. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/c_locale.h"

static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0); /* glibc hands out one static object: no allocation, no failure */
}

void *tw_c_locale_enter(void)
{
    return uselocale(c_locale());
}

void tw_c_locale_leave(void *before)
{
    uselocale((locale_t)before);
}

double tw_strtod(const char *text, char **end)
{
    return strtod_l(text, end, c_locale());
}

void tw_print_number(char *text, size_t size, int digits, double value)
{
    void *before = tw_c_locale_enter();

    snprintf(text, size, "%.*f", digits, value);
    tw_c_locale_leave(before);
}
