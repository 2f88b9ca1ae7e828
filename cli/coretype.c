/* The right BLAS kernels for this CPU. */
#include <stdlib.h>

#include "cli/cli.h"

int cli_coretype_was_unset;

/* OpenBLAS reads OPENBLAS_CORETYPE when it is loaded, so the command starts itself again with it. A mark survives the
 * exec, so that `info` can tell the command's choice from the user's. */
void cli_right_kernels(char **argv)
{
    static const char mark[] = "TILEWORK_CORETYPE_SET";

    if (!getenv("OPENBLAS_CORETYPE")) setenv(mark, "1", 1);
    tw_blas_reexec(argv);
    cli_coretype_was_unset = getenv(mark) && getenv("OPENBLAS_CORETYPE");
    unsetenv(mark);
}
