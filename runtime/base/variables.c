/* Tilework's own environment variables: the table of their rows, what they may be, and what they are set to. */
#include "runtime/base/variables.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/error.h"
#include "runtime/base/state.h"

static const tw_variable table[] = {
#define TW_VARIABLE(name, legal, values, text) {#name, values, text},
#include "tw_variable_rows.h"
#undef TW_VARIABLE
    {NULL, NULL, NULL}};

/* What a row says that it may be. */
struct legal {
    enum { ANY, WORDS, INTEGER, REAL } kind;
    const char *const *words;     /* NULL ends them */
    tw_int low, high;             /* of whole numbers */
    const char *instead, *before; /* of a number, or before one */
    double least, most;           /* of others, */
    const char *unit;             /* which these are */
};

#define TW_ANY                                                                                                         \
    {                                                                                                                  \
        .kind = ANY                                                                                                    \
    }
#define TW_WORDS(...)                                                                                                  \
    {                                                                                                                  \
        .kind = WORDS, .words = (const char *const[])                                                                  \
        {                                                                                                              \
            __VA_ARGS__, NULL                                                                                          \
        }                                                                                                              \
    }
#define TW_INTEGER(least, most)                                                                                        \
    {                                                                                                                  \
        .kind = INTEGER, .low = least, .high = most                                                                    \
    }
#define TW_INTEGER_OR(word, least, most)                                                                               \
    {                                                                                                                  \
        .kind = INTEGER, .low = least, .high = most, .instead = word                                                   \
    }
#define TW_INTEGER_WITH(word, least, most)                                                                             \
    {                                                                                                                  \
        .kind = INTEGER, .low = least, .high = most, .before = word                                                    \
    }
#define TW_SECONDS(longest)                                                                                            \
    {                                                                                                                  \
        .kind = REAL, .least = 0, .most = longest, .unit = "seconds"                                                   \
    }

static const struct legal rows[] = {
#define TW_VARIABLE(name, legal, values, text) legal,
#include "tw_variable_rows.h"
#undef TW_VARIABLE
};

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

int tw_variable_word(enum tw_variable_id id, int *value)
{
    const char *text = tw_variable_text(id);

    if (!text) return 0;
    for (int k = 0; rows[id].words[k]; k++)
        if (!strcmp(text, rows[id].words[k])) {
            *value = k;
            return 0;
        }
    return tw_fail(TW_E_OPTION, "%s=%.40s: expected %s", table[id].name, text, table[id].values);
}

int tw_variable_integer_with(enum tw_variable_id id, tw_int *value, int *with)
{
    const struct legal *r = &rows[id];
    const char *text = tw_variable_text(id), *word = r->before ? r->before : "";
    char *end;
    long long v;

    if (!text || (r->instead && !strcmp(text, r->instead))) return 0;
    *with = *word && !strncmp(text, word, strlen(word));
    const char *number = text + (*with ? strlen(word) : 0);
    errno = 0;
    v = strtoll(number, &end, 10);
    if (*end || end == number || errno || v < r->low || v > r->high)
        return tw_fail(TW_E_OPTION, "%s=%.40s: expected %s%sa whole number from %lld to %lld%s%s%s", table[id].name,
                       text, r->instead ? r->instead : "", r->instead ? " or " : "", (long long)r->low,
                       (long long)r->high, *word ? ", or " : "", word, *word ? " and such a number" : "");
    *value = v;
    return 0;
}

int tw_variable_integer(enum tw_variable_id id, tw_int *value)
{
    int with;
    return tw_variable_integer_with(id, value, &with);
}

int tw_variable_real(enum tw_variable_id id, double *value)
{
    const struct legal *r = &rows[id];
    const char *text = tw_variable_text(id);
    char *end;
    double v;

    if (!text) return 0;
    v = tw_strtod(text, &end);
    if (*end || end == text || !(v >= r->least && v <= r->most)) /* NaN, too */
        return tw_fail(TW_E_OPTION, "%s=%.40s: expected %s, %g to %g", table[id].name, text, r->unit, r->least,
                       r->most);
    *value = v;
    return 0;
}

int tw_variable_check(enum tw_variable_id id)
{
    switch (rows[id].kind) {
    case WORDS: return tw_variable_word(id, &(int){0});
    case INTEGER: return tw_variable_integer(id, &(tw_int){0});
    case REAL: return tw_variable_real(id, &(double){0});
    default: return 0;
    }
}

int tw_variable_legal(const char *name)
{
    for (int id = 0; id < TW_VARIABLES && name; id++)
        if (!strcmp(name, table[id].name))
            return rows[id].kind == ANY ? -1 : !tw_variable_check((enum tw_variable_id)id);
    return -1;
}

int tw_variables_check(const unsigned char *passed_over)
{
    int e = 0;

    for (int id = 0; id < TW_VARIABLES && !e; id++)
        if (!passed_over || !passed_over[id]) e = tw_variable_check((enum tw_variable_id)id);
    return e;
}
