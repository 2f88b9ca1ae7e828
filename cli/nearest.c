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
