/* Random matrices with an odd entry or column: which one. */
#include "io/dense/generate.h"

int tw_setup_entry(tw_generator *g, const char *parameters)
{
    const int count = g->entries == TW_ENTRIES_NAN ? 2 : 1;
    const char *s = parameters ? parameters : "";

    for (int k = 0; k < count; k++) {
        if (tw_integer_parse(s, &s, &g->at[k]) != TW_NUMBER_OK || *s != (k + 1 < count ? ',' : 0))
            return tw_kind_fail(g, "write %s with whole numbers, not \"%.200s\"",
                                g->entries == TW_ENTRIES_NAN       ? "nan:I,J"
                                : g->entries == TW_ENTRIES_ZEROCOL ? "zerocol:J"
                                                                   : "minor:K",
                                parameters ? parameters : "");
        if (g->at[k] < 1 || g->at[k] > g->n)
            return tw_kind_fail(g, "%lld does not lie in 1 … n = %lld", (long long)g->at[k], (long long)g->n);
        g->at[k]--;
        s += *s == ',';
    }
    return 0;
}
