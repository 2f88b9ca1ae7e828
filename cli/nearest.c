/* Mistyped words: the known one that was probably meant. */
#include <ctype.h>
#include <string.h>

#include "cli/common.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

int cli_distance(const char *a, const char *b, size_t length)
{
    int rows[3][64], *before = rows[0], *above = rows[1], *row = rows[2];
    const int n = least((int)length, 63);

    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int *const free_row = before;
        before = above, above = row, row = free_row;
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[n];
}

const char *cli_nearest(const char *word, const char *(*known)(int k))
{
    char small[64];
    size_t n = 0;
    const char *nearest = NULL, *name;
    int best;

    for (; word[n] && n < sizeof small; n++)
        small[n] = (char)tolower((unsigned char)word[n]);
    if (n == sizeof small) return NULL;
    best =
        n < 5 ? 2 : 3; /* beyond one mistake in a short word, two in a long one, it is another word: gemm is not gesv */
    for (int k = 0; (name = known(k)); k++) {
        const int d = cli_distance(name, small, n);
        if (d < best) best = d, nearest = name;
    }
    return nearest;
}

static const struct option *the_flags;
static const char *flag_name(int k)
{
    return the_flags[k].name;
}

const char *cli_refused(char **argv)
{
    const char *at = argv[optind]; /* getopt_long still stands at "-nb" when it has refused its n */
    return at && at[0] == '-' && optopt && at[1] == optopt && at[2] ? at : argv[optind - 1];
}

int cli_unknown_flag(const char *given, const struct option *flags, const char *page)
{
    const char *word = given + strspn(given, "-");
    const size_t length = strcspn(word, "=");
    int begin = 0;
    char name[64];
    const char *near;

    for (const struct option *f = flags; f->name; f++) {
        if (!strncmp(given, "--", 2) && !strncmp(f->name, word, length) && strlen(f->name) == length)
            return cli_error(CLI_USAGE, "%s: --%s takes no value; see: %s", given, f->name, page);
        begin += length > 0 && !strncmp(f->name, word, length);
    }
    if (!strncmp(given, "--", 2) && begin > 1)
        return cli_error(CLI_USAGE, "%s: more than one flag begins so; see: %s", given, page);
    snprintf(name, sizeof name, "%.*s", (int)least((int)length, 63), word);
    the_flags = flags;
    near = length > 0 ? cli_nearest(name, flag_name) : NULL;
    if (near) return cli_error(CLI_USAGE, "%s: no such flag; did you mean --%s? See: %s", given, near, page);
    return cli_error(CLI_USAGE, "%s: no such flag; see: %s", given, page);
}
