/* tilework env: what a shell should export so that a user's own programs get the right BLAS kernels. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int run(int argc, char **argv)
{
    const char *advice;

    if (argc > 1 && !strcmp(argv[1], "-h")) {
        printf("usage: eval \"$(tilework env)\"\n\nPrints shell commands that give programs of your own the OpenBLAS "
               "kernels of this CPU;\nbehind them, as comments, Tilework's own variables and what they are set to.\n");
        return CLI_OK;
    }
    if (argc > 1) return cli_error(CLI_USAGE, "%s: env takes no arguments", argv[1]);
    advice = tw_blas_advice();
    if (advice)
        printf("export OPENBLAS_CORETYPE=%s\n", advice);
    else
        printf("# nothing to set: OpenBLAS runs the kernels of this CPU\n");
    cli_print_variables("# ", 1);
    return CLI_OK;
}

CLI_COMMAND(100, env) = {
    .name = "env",
    .summary = "shell commands that set what programs of your own need:  eval \"$(tilework env)\"",
    .run = run,
};
