/* --repeat: what the times of the runs come to. */
#include <stdlib.h>

#include "cli/common.h"

void cli_times_add(struct cli_times *t, double seconds)
{
    double *more = realloc(t->seconds, ((size_t)t->count + 1) * sizeof *more);

    if (!more) return;
    t->seconds = more;
    more[t->count++] = seconds;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cli_times_report(struct cli_times *t, const char *routine, int json)
{
    const int n = t->count;
    double *s = t->seconds;

    if (n > 1) {
        qsort(s, (size_t)n, sizeof *s, ascending);
        const double median = 0.5 * (s[(n - 1) / 2] + s[n / 2]), spread = s[n - 1] - s[0];
        fprintf(cli_reports(),
                json ? "{\"routine\": \"%s\", \"summary\": \"repeat\", \"runs\": %d, \"seconds_median\": %.9g, "
                       "\"seconds_least\": %.9g, \"seconds_spread\": %.9g}\n"
                     : "%s, %d runs: median %.6g s, least %.6g s, spread %.3g s\n",
                routine, n, median, s[0], spread);
    }
    free(s);
    *t = (struct cli_times){0};
}
