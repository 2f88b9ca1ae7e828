/* tilework calibrate: measure the machine profile again, keep it, and show it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

int cli_calibrate(int argc, char **argv)
{
    tw_options options;
    tw_machine m;
    double begin = cli_seconds();
    int e;

    if (argc > 1) return cli_error(CLI_USAGE, "%s: calibrate takes no arguments", argv[1]);
    if (setenv("TILEWORK_REPROBE", "1", 1)) return cli_error(CLI_FAILED, "TILEWORK_REPROBE: %s", strerror(errno));
    tw_options_init(&options);
    options.progress = 0;
    if ((e = tw_init(&options)) || (e = tw_machine_info(&m))) return cli_library_error("starting", e);
    printf("measured in %.1f s\n", cli_seconds() - begin);
    cli_print_profile(stdout, &m);
    e = tw_finalize();
    return e ? cli_library_error("stopping", e) : CLI_OK;
}
