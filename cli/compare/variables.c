/* Which variables there are: Tilework's and StarPU's. */
#include <string.h>

#include "cli/compare/compare.h"

static const char *nearest_of_ours(const char *name, int *known)
{
    const char *word, *nearest = NULL;
    int best = 4; /* beyond three letters it is another word */

    for (int k = 0; (word = cli_variable_name(k)); k++) {
        const int d = cli_distance(word, name, strlen(name));
        if (d < best) best = d, nearest = word;
    }
    *known = best == 0;
    return nearest;
}

int compare_variable_known(const char *name)
{
    const int theirs = !strncmp(name, "STARPU_", 7);
    const char *nearest;
    int known;

    if (!theirs && strncmp(name, "TILEWORK_", 9) != 0)
        return cli_error(CLI_USAGE, "--set %s: expected a variable STARPU_... or TILEWORK_...", name);
    nearest = nearest_of_ours(name, &known);
    if (known || (theirs && cli_starpu_variable_known(name, strlen(name)))) return 0;
    if (theirs) nearest = cli_starpu_variable_nearest(name, strlen(name));
    return cli_error(CLI_USAGE, "--set %s: there is no such variable%s%s%s (see: tilework help variables)", name,
                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}
