/* How a program ends that prints: a full disk behind standard output is a failure; a reader that has left is not told
 * so. */
#ifndef CLI_STDOUT_H
#define CLI_STDOUT_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The exit status: `status`, or 1 if that is 0 and not everything could be printed. */
static inline int cli_close_stdout(const char *program, int status)
{
    errno = 0;
    if (!(ferror(stdout) | fflush(stdout))) return status;
    if (errno != EPIPE)
        fprintf(stderr, "%s: the report could not be written%s%s\n", program, errno ? ": " : "",
                errno ? strerror(errno) : "");
    return status ? status : 1;
}
#endif
