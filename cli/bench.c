/* tilework bench: starts tilework-bench, which links the peers that Tilework is compared with; `tilework bench fft`
 * starts tilework-bench-fft, which links FFTW. */
#include <string.h>

#include "cli/cli.h"

static int run(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "fft"))
        return cli_exec("bench fft", "tilework-bench-fft", "-DTILEWORK_TESTS=ON and FFTW with threads", argv + 1);
    return cli_exec("bench", "tilework-bench", "-DTILEWORK_TESTS=ON", argv);
}

CLI_COMMAND(90, bench) = {
    .name = "bench",
    .summary = "compare with other libraries on this machine (tilework bench -h)",
    .run = run,
    .execs = 1,
};
