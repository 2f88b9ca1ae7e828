/* Why a flag is refused, and which was probably meant. */
#include <stdio.h>
#include <string.h>

#include "cli/common.h"

static const struct option *the_flags;
static const char *flag_name(int k)
{
    return the_flags[k].name;
}

const char *cli_refused(char **argv)
{
    const char *at = argv[optind]; /* getopt_long still stands at "-nb" when it has refused its n */
    return at && at[0] == '-' && optopt && at[1] == optopt && at[2] ? at : argv[optind - 1];
}

int cli_unknown_flag(const char *given, const struct option *flags, const char *page)
{
    const char *word = given + strspn(given, "-");
    const size_t length = strcspn(word, "=");
    int begin = 0;
    char name[64], all[256] = "";
    const char *near;

    for (const struct option *f = flags; f->name; f++) {
        if (!strncmp(given, "--", 2) && !strncmp(f->name, word, length) && strlen(f->name) == length)
            return f->has_arg == required_argument
                       ? cli_error(CLI_USAGE, "%s: needs a value; see: %s", given, page)
                       : cli_error(CLI_USAGE, "%s: --%s takes no value; see: %s", given, f->name, page);
        if (length == 0 || strncmp(f->name, word, length) != 0) continue;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s--%s", begin++ ? ", " : "", f->name);
    }
    if (!strncmp(given, "--", 2) && begin > 1)
        return cli_error(CLI_USAGE, "%s: more than one flag begins so: %s; see: %s", given, all, page);
    snprintf(name, sizeof name, "%.*s", (int)length < 63 ? (int)length : 63, word);
    the_flags = flags;
    near = length > 0 ? cli_nearest(name, flag_name) : NULL;
    if (near) return cli_error(CLI_USAGE, "%s: no such flag; did you mean --%s? See: %s", given, near, page);
    return cli_error(CLI_USAGE, "%s: no such flag; see: %s", given, page);
}
