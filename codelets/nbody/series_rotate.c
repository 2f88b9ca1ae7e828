/* Pairs by class of direction. */
#include <string.h>

#include "codelets/nbody/series_rotate.h"

enum { MOST = 189 * TW_FMM_GROUP }; /* pairs of one task */

size_t tw_series_rotate_work(const struct tw_fmm_tables *t)
{
    return t->work + 4 * (size_t)t->stride + MOST * sizeof(struct tw_fmm_pair) / sizeof(double);
}

static int way_of(const struct tw_series_pair *p)
{
    return 49 * (p->way[0] + 3) + 7 * (p->way[1] + 3) + p->way[2] + 3;
}

void tw_series_rotate(const struct tw_fmm_tables *t, double *const *shift, int n, const struct tw_series_pair *pair,
                      double *work)
{
    struct tw_fmm_pair *sorted = (struct tw_fmm_pair *)(work + t->work);
    int count[64] = {0}, at[64], from = 0;

    for (int k = 0; k < n; k++)
        count[t->m2l_class[way_of(&pair[k])]]++;
    for (int c = 0; c < t->nm2l; from += count[c++])
        at[c] = from;
    for (int k = 0; k < n; k++)
        sorted[at[t->m2l_class[way_of(&pair[k])]]++] =
            (struct tw_fmm_pair){pair[k].src, pair[k].dst, t->m2l_phi[way_of(&pair[k])]};
    for (int c = 0; c < t->nm2l; c++)
        if (count[c])
            tw_nbody_cpu()->translate(t, t->rotation[t->m2l[c].rotation], shift[t->m2l[c].shift], count[c],
                                      sorted + at[c] - count[c], work);
}

void tw_series_rotate_family(const struct tw_fmm_tables *t, const struct tw_fmm_class class[2], const double *shift,
                             int n, const struct tw_series_pair *pair, double *work)
{
    struct tw_fmm_pair *some = (struct tw_fmm_pair *)(work + t->work);

    for (int c = 0; c < 2; c++) {
        int m = 0;
        for (int k = 0; k < n; k++) {
            const int which = pair[k].way[0] << 2 | pair[k].way[1] << 1 | pair[k].way[2];
            if (t->child_class[which] == c)
                some[m++] = (struct tw_fmm_pair){pair[k].src, pair[k].dst, t->child_phi[which]};
        }
        if (m) tw_nbody_cpu()->translate(t, t->rotation[class[c].rotation], shift, m, some, work);
    }
}
