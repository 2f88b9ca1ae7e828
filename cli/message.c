/* Messages: the program's name before them, and the user's own words in what the library says. */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "cli/common.h"

const char *cli_program = "tilework";

static struct {
    char then[256], now[256];
} words[8];
static int nwords;

int cli_error(int status, const char *format, ...)
{
    va_list list;

    fflush(stdout);
    fprintf(stderr, "%s: ", cli_program);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}

void cli_say_instead(const char *then, const char *now)
{
    int k = 0;

    while (k < nwords && strcmp(words[k].then, then) != 0)
        k++;
    if (k == (int)(sizeof words / sizeof *words)) return; /* the library's word is not wrong either */
    snprintf(words[k].then, sizeof words[k].then, "%s", then);
    snprintf(words[k].now, sizeof words[k].now, "%s", now);
    if (k == nwords) nwords++;
}

/* text with every word `then` replaced, cut off where it does not fit: STARPU_SCHED is no part of STARPU_SCHED_LIB. */
static void replace(char *text, size_t size, const char *then, const char *now)
{
    const size_t out = strlen(then), in = strlen(now);

    for (char *at = text; out > 0 && (at = strstr(at, then));) {
        const size_t rest = strlen(at + out) + 1;
        if (at[out] == '_' || isalnum((unsigned char)at[out])) {
            at += out;
            continue;
        }
        if ((size_t)(at - text) + in + rest > size) return;
        memmove(at + in, at + out, rest);
        memcpy(at, now, in);
        at += in;
    }
}

const char *cli_last_message(void)
{
    static char message[4096];

    snprintf(message, sizeof message, "%s", tw_last_message());
    for (int k = 0; k < nwords; k++)
        replace(message, sizeof message, words[k].then, words[k].now);
    return message;
}

int cli_library_error(const char *what, int code)
{
    const char *message = cli_last_message();

    if (cli_interrupted()) return 128 + cli_interrupted();
    /* an illegal argument's message says which it is; what could not be read or written, and why, is all there is to
     * say; and a file with a NaN keeps to its format */
    if (strstr(message, tw_strerror(code)) || (code == TW_E_IO && *message) ||
        (code == TW_E_FORMAT && strstr(message, "is not a finite number")))
        cli_error(0, "%s: %s", what, message);
    else
        cli_error(0, "%s: %s%s%s", what, tw_strerror(code), *message ? ": " : "", message);
    switch (code) { /* what the user asked for cannot be, as opposed to: it went wrong */
    case TW_E_MEMORY:
    case TW_E_OPTION:
    case TW_E_NO_WORKER:
    case TW_E_UNSUPPORTED: return CLI_USAGE;
    default: return CLI_FAILED;
    }
}

int cli_input_error(const char *what, int code)
{
    const int status = cli_library_error(what, code);
    return (code == TW_E_IO || code == TW_E_FORMAT) && !cli_interrupted() ? CLI_USAGE : status;
}
