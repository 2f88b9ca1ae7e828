/* Starting a program of Tilework's that is one of its own: tilework-bench links peers, tilework-fft links FFTW, which
 * is GPL. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

int cli_exec(const char *command, const char *program, const char *built_with, char **argv)
{
    static const char *const places[] = {"", "../libexec/", "../libexec/tilework/"};
    char self[4096], path[4200], *slash;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (length <= 0) return cli_error(CLI_FAILED, "%s: /proc/self/exe: %s", command, strerror(errno));
    self[length] = 0;
    slash = strrchr(self, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s%s", self, places[i], program);
        if (access(path, X_OK) != 0) continue;
        argv[0] = (char *)program;
        execv(path, argv);
        return cli_error(CLI_FAILED, "%s: %s: %s", command, path, strerror(errno));
    }
    return cli_error(CLI_FAILED, "%s: %s is not beside the command (%s) nor in ../libexec; it is built with %s",
                     command, program, self, built_with);
}
