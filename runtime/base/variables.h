/* Tilework's own environment variables, TILEWORK_…: this is the only place that asks the environment for them. Each is
 * a row in runtime/base/own_variables.h or a family's list in types/; the build gathers the rows of all families. A row
 * says what its variable may be, once: the library refuses to start with anything else, and so does who asks for it. */
#ifndef TW_RUNTIME_BASE_VARIABLES_H
#define TW_RUNTIME_BASE_VARIABLES_H
#include <tilework/runtime.h>

enum tw_variable_id {
#define TW_VARIABLE(name, legal, values, text) TW_##name,
#include "tw_variable_rows.h"
#undef TW_VARIABLE
    TW_VARIABLES
};

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* What it is set to; NULL if it is not, or to nothing. */
const char *tw_variable_text(enum tw_variable_id id);
/* Is it 1? */
int tw_variable_is_on(enum tw_variable_id id);
/* Is it what its row says, or not set? 0 or TW_E_OPTION, as of all below. */
int tw_variable_check(enum tw_variable_id id);
/* All of them, in the table's order, without those that are passed over (an option's that is given: NULL: none). */
int tw_variables_check(const unsigned char *passed_over);
/* Which of the row's words it is, from 0. *value stays as it is if it is not set, as of all below. */
int tw_variable_word(enum tw_variable_id id, int *value);
/* A whole number; of rows with a word in its place (auto) *value stays as it is for the word, too. */
int tw_variable_integer(enum tw_variable_id id, tw_int *value);
/* The same of a row with a word that may be before it: *with says whether. */
int tw_variable_integer_with(enum tw_variable_id id, tw_int *value, int *with);
int tw_variable_real(enum tw_variable_id id, double *value);

#pragma GCC visibility pop
#endif
