/* Tilework's own variables: the library has their rows, and reads them; what the command does about one of them it asks
 * here. */
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"

const char *cli_variable_name(int k)
{
    return tw_variables()[k].name;
}

const char *cli_variable(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

void cli_print_variables(const char *indent, int with_values)
{
    for (const tw_variable *v = tw_variables(); v->name; v++) {
        const char *set = with_values ? getenv(v->name) : NULL;
        /* up to what would end the line, and with it a comment that is handed to eval */
        int width =
            printf("%s%s%s%.*s", indent, v->name, set ? "=" : "", set ? (int)strcspn(set, "\r\n") : 0, set ? set : "");
        printf("%*s %s%s%s\n", (int)strlen(indent) + 26 - width, "", v->values ? v->values : "", v->values ? ": " : "",
               v->text);
    }
}
