/* tilework fft: starts tilework-fft, which links libtilework_fft and so FFTW. */
#include "cli/cli.h"

static int run(int argc, char **argv)
{
    (void)argc;
    return cli_exec("fft", "tilework-fft", "FFTW (package libfftw3-dev)", argv);
}

CLI_COMMAND(80, fft) = {
    .name = "fft",
    .summary = "fast Fourier transforms (tilework fft --help)",
    .run = run,
    .execs = 1,
};
