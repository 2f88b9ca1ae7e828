/* The sentence at the end of a report: what keeps the program's own calls from being taken, or made them slower. */
#include <stdio.h>

#include "dropin/machine.h"
#include "dropin/report.h"

/* What the program itself had to wait for longest: calls inside of LAPACK are not its to change. */
static const struct tw_line *longest(const struct tw_lines *all)
{
    for (int i = 0; i < all->count; i++)
        if (2 * all->line[i].inner < all->line[i].calls) return &all->line[i];
    return NULL;
}
/* Most of the calls that compute (others ask for workspaces, or are illegal). */
static int mostly(const struct tw_line *l, enum tw_why why)
{
    return 2 * l->why[why] > l->calls - l->why[TW_QUERY] - l->why[TW_ILLEGAL];
}
static const char *no_gain(const struct tw_line *l)
{
    if (tw_here_gpus() > 0) return NULL; /* the prediction stands in the line */
    if (tw_here_threads() < tw_here_cores())
        return "OMP_NUM_THREADS, OPENBLAS_NUM_THREADS or the like leave cores to others: without a GPU nothing is "
               "taken then";
    return l->seconds > 1 ? "without a GPU only geqrf from order 4000 on, and syevr, syevx, heevr, heevx from 2000 on, "
                            "are known to gain beside a good BLAS; --min (TILEWORK_DROPIN_MIN) takes others, too"
                          : NULL;
}

const char *tw_advice(const struct tw_lines *all)
{
    static const char forks[] = "calls in forked children are forwarded: let workers be spawned";
    const struct tw_line *l = longest(all);
    static char text[256];
    char symbol[64];

    if (all->children && all->seconds_of_children > all->seconds) return forks;
    if (!l) return NULL;
    tw_door_symbol(l->site->name, symbol);
    if (l->why[TW_FORKED]) return forks;
    if (mostly(l, TW_OFF) && tw_settings.taken != TW_ALL)
        return "TILEWORK_DROPIN leaves these names to their libraries";
    if (l->why[TW_REFUSED]) return "the library did not run: `tilework doctor` says why";
    if (l->why[TW_STARTING] && !l->why[TW_TAKEN])
        return "the program ended before a start of the library would have paid";
    if (mostly(l, TW_BUSY)) return "other programs fill the machine: on an idle one these calls are taken";
    if (mostly(l, TW_NO_GAIN)) return no_gain(l);
    if (mostly(l, TW_SMALL) && l->seconds > 1) {
        snprintf(text, sizeof text, "%s is called with small problems: larger ones, fewer at a time, could be taken",
                 symbol);
        return text;
    }
    /* Estimates are too rough to say so: calls of the same routine and size were forwarded, too. */
    if (l->compared > 1.1 * l->compared_without && l->compared - l->compared_without > 0.1) {
        snprintf(text, sizeof text,
                 "%s took longer than the same was when it was forwarded: --min (TILEWORK_DROPIN_MIN) leaves more to "
                 "the library",
                 symbol);
        return text;
    }
    return NULL;
}
