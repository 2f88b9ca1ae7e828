/* Numbers on the command line: strict values, messages that name the flag. */
#include <errno.h>
#include <stdlib.h>

#include "cli/common.h"
#include "cli/count.h"

int cli_whole_number(const char *flag, const char *text, long long low, long long high, long long *value)
{
    if (!cli_count(text, value) || *value < low || *value > high)
        return cli_error(-1, "%s %s: expected a whole number from %lld to %lld%s", flag, text, low, high,
                         high > 100000 ? ", such as 1000, 1e3, 2^10 or 64K" : "");
    return 0;
}

int cli_real(const char *flag, const char *text, double low, double high, double *value)
{
    char *end;

    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end || !(*value >= low && *value <= high))
        return cli_error(-1, "%s %s: expected a number from %g to %g", flag, text, low, high);
    return 0;
}
