/* What a recording says of the run: the command, the variables that were set, versions. Nobody's name, no machine's, no
 * folder's: traces are passed on. */
#include <stdio.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/machine/machine.h"
#include "runtime/watch/watch.h"

extern char **environ;

static char room[16384];
static size_t used;

/* A copy in the room; "" when that is full. Words with a slash name places, and become "(path)". */
static const char *keep(const char *text)
{
    const size_t length = strlen(text);
    char *copy = room + used;

    if (used + length + 8 > sizeof room) return "";
    strcpy(copy, strchr(text, '/') ? "(path)" : text);
    used += strlen(copy) + 1;
    return copy;
}

/* The program's name and its arguments. */
static const char *command(void)
{
    static char line[4096];
    char text[4096], word[1200], *slash;
    FILE *f = fopen("/proc/self/cmdline", "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0, length = 0;

    if (f) fclose(f);
    text[n] = 0;
    *line = 0;
    for (size_t at = 0; at < n; at += strlen(text + at) + 1) {
        snprintf(word, sizeof word, "%.1100s", text + at);
        if (at == 0 && (slash = strrchr(word, '/'))) memmove(word, slash + 1, strlen(slash + 1) + 1);
        if (strchr(word, '/')) snprintf(word, sizeof word, "(path)");
        if (length + strlen(word) + 2 < sizeof line)
            length += (size_t)snprintf(line + length, sizeof line - length, "%s%s", length ? " " : "", word);
    }
    return line;
}

static int names_a_place(const char *variable)
{
    return strstr(variable, "HOSTNAME") || strstr(variable, "DIR") || strstr(variable, "HOME") ||
           strstr(variable, "PATH") || strstr(variable, "PREFIX") || !strncmp(variable, "TILEWORK_TRACE=", 15);
}

int tw_record_facts(struct tw_run_fact *facts, int max)
{
    char text[1200], version[64];
    int n = 0, a, b, c;

    used = 0;
    starpu_get_version(&a, &b, &c);
    snprintf(version, sizeof version, "%d.%d.%d", a, b, c);
    snprintf(text, sizeof text, "%d.%d.%d", TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH);
    facts[n++] = (struct tw_run_fact){"command", command()};
    facts[n++] = (struct tw_run_fact){"tilework", keep(text)};
    facts[n++] = (struct tw_run_fact){"starpu", keep(version)};
    facts[n++] = (struct tw_run_fact){"blas kernels", keep(tw_blas_core() ? tw_blas_core() : "?")};
    for (char **at = environ; at && *at && n < max; at++) {
        const char *equal = strchr(*at, '=');
        if ((strncmp(*at, "STARPU_", 7) != 0 && strncmp(*at, "TILEWORK_", 9) != 0) || !equal || names_a_place(*at))
            continue;
        if (strlen(*at) > 1000) continue;
        snprintf(text, sizeof text, "variable %.*s", (int)(equal - *at), *at);
        const char *key = keep(text);
        facts[n++] = (struct tw_run_fact){key, keep(equal + 1)};
    }
    return n;
}
