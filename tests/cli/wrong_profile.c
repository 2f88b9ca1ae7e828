/* For tests/cli/doctor.sh: the machine profile in its folder, with a core's rates so many times as high. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/machine/machine_profile.h"
#include <tilework/runtime.h>

int main(int argc, char **argv)
{
    const double times = argc > 1 ? atof(argv[1]) : 0;
    double *rate = &tw_profile.cpu.gflops[0][0][0];

    if (times <= 0 || tw_init(NULL)) return 2;
    for (size_t k = 0; k < sizeof tw_profile.cpu.gflops / sizeof *rate; k++)
        rate[k] *= times;
    if (!*tw_profile.path || tw_profile_write(tw_profile.path, &tw_profile)) {
        fprintf(stderr, "%s\n", tw_last_message());
        return 1;
    }
    fflush(NULL);
    _exit(0); /* nothing that was learned goes to the file */
}
