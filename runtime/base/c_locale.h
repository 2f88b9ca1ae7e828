/* Numbers with a point, whatever the program's locale: what files and environment variables have. */
#ifndef TW_RUNTIME_BASE_C_LOCALE_H
#define TW_RUNTIME_BASE_C_LOCALE_H
#include <stddef.h>

/* This thread's locale is C between the two, whatever the program set. */
void *tw_c_locale_enter(void);
void tw_c_locale_leave(void *before);
/* strtod as in the C locale. */
double tw_strtod(const char *text, char **end);
/* The number with so many digits behind the point. */
void tw_print_number(char *text, size_t size, int digits, double value);

#endif
