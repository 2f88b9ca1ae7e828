/* tilework fft: starts tilework-fft, which links libtilework_fft and so FFTW. */
#include "cli/cli.h"

int cli_fft(int argc, char **argv)
{
    (void)argc;
    return cli_start_beside("fft", "tilework-fft", "FFTW (package libfftw3-dev)", argv);
}
