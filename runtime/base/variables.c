/* Tilework's own environment variables: the table of their rows, and what they are set to. */
#include "runtime/base/variables.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

static const tw_variable table[] = {
#define TW_VARIABLE(name, values, text) {#name, values, text},
#include "tw_variable_rows.h"
#undef TW_VARIABLE
    {NULL, NULL, NULL}};

const tw_variable *tw_variables(void)
{
    return table;
}

const char *tw_variable_text(enum tw_variable_id id)
{
    const char *text = getenv(table[id].name);
    return text && *text ? text : NULL;
}

int tw_variable_is_on(enum tw_variable_id id)
{
    const char *text = tw_variable_text(id);
    return text && !strcmp(text, "1");
}

int tw_variable_word(enum tw_variable_id id, const char *const *words, int *value)
{
    const char *text = tw_variable_text(id);

    if (!text) return 0;
    for (int k = 0; words[k]; k++)
        if (!strcmp(text, words[k])) {
            *value = k;
            return 0;
        }
    return tw_fail(TW_E_OPTION, "%s=%.40s: expected %s", table[id].name, text, table[id].values);
}

int tw_variable_integer_or(enum tw_variable_id id, const char *word, tw_int low, tw_int high, tw_int *value, int *with)
{
    const char *text = tw_variable_text(id);
    char *end;
    long long v;

    if (!text) return 0;
    *with = *word && !strncmp(text, word, strlen(word));
    const char *number = text + (*with ? strlen(word) : 0);
    errno = 0;
    v = strtoll(number, &end, 10);
    if (*end || end == number || errno || v < low || v > high)
        return tw_fail(TW_E_OPTION, "%s=%.40s: expected a whole number from %lld to %lld%s%s%s", table[id].name, text,
                       (long long)low, (long long)high, *word ? ", or " : "", word, *word ? " and such a number" : "");
    *value = v;
    return 0;
}

int tw_variable_integer(enum tw_variable_id id, tw_int low, tw_int high, tw_int *value)
{
    int with;
    return tw_variable_integer_or(id, "", low, high, value, &with);
}
