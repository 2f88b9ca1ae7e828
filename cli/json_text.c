/* Words of others in JSON objects: names of files and values of variables may be any bytes, JSON takes UTF-8 only. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/compare/compare.h"

struct json_t *cli_json_text(const char *text)
{
    char *copy;
    json_t *o;

    if (!text) return json_null();
    if (!(copy = strdup(text))) return NULL;
    compare_text_repair(copy);
    o = json_string(copy);
    free(copy);
    return o;
}
