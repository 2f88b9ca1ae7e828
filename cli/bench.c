/* tilework bench: starts tilework-bench, which links the peers that Tilework is compared with. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

int cli_bench(int argc, char **argv)
{
    static const char *const places[] = {"tilework-bench", "../libexec/tilework-bench",
                                         "../libexec/tilework/tilework-bench"};
    char self[4096], path[4200], *slash;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    (void)argc;
    if (length <= 0) return cli_error(CLI_FAILED, "bench: /proc/self/exe: %s", strerror(errno));
    self[length] = 0;
    slash = strrchr(self, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s", self, places[i]);
        if (access(path, X_OK) != 0) continue;
        argv[0] = "tilework-bench";
        execv(path, argv);
        return cli_error(CLI_FAILED, "bench: %s: %s", path, strerror(errno));
    }
    return cli_error(CLI_FAILED,
                     "bench: tilework-bench is not beside the command (%s) nor in ../libexec; it is built with "
                     "-DTILEWORK_TESTS=ON",
                     self);
}
