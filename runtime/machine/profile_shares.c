/* The profile's shares: what codelets were seen to reach of their base rates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

const struct tw_share_row *tw_profile_share(const struct tw_profile *p, const char *symbol, enum tw_rate rate)
{
    for (int k = 0; k < p->nshares; k++)
        if (p->shares[k].rate == rate && !strcmp(p->shares[k].symbol, symbol)) return &p->shares[k];
    return NULL;
}

static int symbol_sound(const char *s)
{
    const size_t n = strnlen(s, TW_SYMBOL_MAX);
    return n > 3 && n < TW_SYMBOL_MAX && !strncmp(s, "tw_", 3) &&
           strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == n;
}

int tw_share_plausible(const struct tw_share_row *row)
{
    if (!symbol_sound(row->symbol) || (int)row->rate < 0 || row->rate >= TW_NRATES) return 0;
    for (int d = 0; d < 2; d++)
        for (int c = 0; c < TW_SIZE_CLASSES; c++) {
            const double s = row->share[d][c];
            if (s != 0 && !(s >= 1e-6 && s <= 1e3)) return 0;
        }
    return 1;
}

/* What is known in row replaces what p has. A full table takes no more. */
static void merge(struct tw_profile *p, const struct tw_share_row *row)
{
    struct tw_share_row *old = NULL;
    int known = 0;

    for (int d = 0; d < 2; d++)
        for (int c = 0; c < TW_SIZE_CLASSES; c++)
            known |= row->share[d][c] > 0;
    if (!known || !tw_share_plausible(row)) return;
    for (int k = 0; k < p->nshares && !old; k++)
        if (!strcmp(p->shares[k].symbol, row->symbol)) old = &p->shares[k];
    if (!old && p->nshares == TW_PROFILE_SHARES) return;
    if (!old) old = &p->shares[p->nshares++];
    if (old->symbol[0] == 0 || old->rate != row->rate) { /* new, or of another base rate by now */
        memset(old, 0, sizeof *old);
        memcpy(old->symbol, row->symbol, sizeof old->symbol);
        old->rate = row->rate;
    }
    for (int d = 0; d < 2; d++)
        for (int c = 0; c < TW_SIZE_CLASSES; c++)
            if (row->share[d][c] > 0) old->share[d][c] = row->share[d][c];
}

/* Read again first: another process may have written since. A file that has gone, or is another's by now, is left
 * alone. */
void tw_profile_keep_shares(const struct tw_share_row *rows, int count)
{
    struct tw_profile *p;
    char lock[600];
    const char *why;
    int fd;

    if (!tw_profile.kept || !tw_profile.path[0] || !tw_rt.config.cache_dir[0]) return;
    if (!(p = malloc(sizeof *p))) return;
    *p = tw_profile;
    snprintf(lock, sizeof lock, "%s/profile.lock", tw_rt.config.cache_dir);
    fd = tw_lock_file(lock, 1);
    if (tw_profile_read(tw_profile.path, &tw_profile.key, p, &why)) {
        for (int k = 0; k < count; k++)
            merge(p, &rows[k]);
        if (tw_profile_write(tw_profile.path, p)) {
            tw_log(TW_LOG_INFO, "what tasks were seen to cost is not kept: %s", tw_last_message());
            tw_clear_message();
        }
    }
    tw_unlock_file(fd);
    free(p);
}
