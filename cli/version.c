/* tilework version: what --version and -V print, too. */
#include <string.h>

#include "cli/cli.h"
#include "cli/words.h"

static int run(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "-h")) {
        printf("usage: tilework version\n\nPrints the version, as --version and -V do.\n");
        return CLI_OK;
    }
    if (argc > 1) return cli_error(CLI_USAGE, "%s: version takes no arguments", argv[1]);
    cli_print_version("tilework");
    return CLI_OK;
}

CLI_COMMAND(120, version) = {
    .name = "version",
    .summary = "the version (and --version, of every program)",
    .run = run,
};
