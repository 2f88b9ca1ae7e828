/* Tilework's own environment variables, TILEWORK_…: this is the only place that asks the environment for them. Each is
 * a row in runtime/base/own_variables.h or a family's list in types/; the build gathers the rows of all families. */
#ifndef TW_RUNTIME_BASE_VARIABLES_H
#define TW_RUNTIME_BASE_VARIABLES_H
#include <tilework/runtime.h>

enum tw_variable_id {
#define TW_VARIABLE(name, values, text) TW_##name,
#include "tw_variable_rows.h"
#undef TW_VARIABLE
    TW_VARIABLES
};

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* What it is set to; NULL if it is not, or to nothing. */
const char *tw_variable_text(enum tw_variable_id id);
/* Is it 1? What else it may be is checked where the library starts. */
int tw_variable_is_on(enum tw_variable_id id);
/* Which of the words (NULL ends them) it is: *value stays as it is if it is not set. 0 or TW_E_OPTION. */
int tw_variable_word(enum tw_variable_id id, const char *const *words, int *value);
/* A whole number, likewise. */
int tw_variable_integer(enum tw_variable_id id, tw_int low, tw_int high, tw_int *value);
/* The same with `word` before it or not: *with. */
int tw_variable_integer_or(enum tw_variable_id id, const char *word, tw_int low, tw_int high, tw_int *value, int *with);

#pragma GCC visibility pop
#endif
