/* From the neighbours' sums to the next positions. */
#include "kernels/md/cpu/cutoff_local.h"

#define TW_PART(c, g) (&(c)->part[g])
#include "kernels/md/cutoff_atom.h"

static int idle(const struct tw_cut *c)
{
    int full = 0;
    for (int g = 0; g < c->s.groups; g++)
        full |= c->part[g].count[2];
    return c->control->state != TW_CUT_RUN || full;
}

void TW_NB(cut_radii)(struct tw_cut *c)
{
    if (idle(c)) return;
    for (int i = 0; i < c->s.n; i++)
        tw_cut_radius(c, c->slot[i]);
}
void TW_NB(cut_gather)(struct tw_cut *c)
{
    if (idle(c)) return;
    for (int i = 0; i < c->s.n; i++)
        tw_cut_gain(c, c->slot[i]);
}
void TW_NB(cut_collect)(struct tw_cut *c)
{
    if (idle(c)) return;
    for (int i = 0; i < c->s.n; i++)
        tw_cut_collect_atom(c, i, c->slot[i], NULL);
}

static void larger(uint64_t *bits, double x)
{
    *bits = tw_cut_bits(tw_cut_larger(tw_cut_number(*bits), x));
}

void TW_NB(cut_move)(struct tw_cut *c)
{
    struct tw_cut_control *control = c->control;
    double moved, hop, walk;

    if (control->state == TW_CUT_RUN && idle(c)) control->state = TW_CUT_FULL;
    if (control->state == TW_CUT_RUN && control->energy) {
        memset(control->total, 0, sizeof control->total);
        for (int i = 0; i < c->s.n; i++)
            tw_cut_measure_atom(c, i, control->total);
    }
    tw_cut_decide(&c->s, control, 0);
    if (!control->go || c->s.mode == TW_CUT_ENERGY) return;
    for (int i = 0; i < c->s.n && c->s.mode >= TW_CUT_DESCENT && control->accept && !control->last; i++)
        larger(&control->reach, tw_cut_direct_atom(c, i));
    walk = tw_cut_way(c);
    for (int i = 0; i < c->s.n; i++) {
        tw_cut_move_atom(c, i, walk, &moved, &hop);
        larger(&control->moved, moved);
        larger(&control->hop, hop);
    }
    tw_cut_begin(&c->s, control);
}

extern const struct tw_cut_kernels TW_NB(cut_kernels);
const struct tw_cut_kernels TW_NB(cut_kernels) = {
    TW_NB(cut_sort),  TW_NB(cut_list),   TW_NB(cut_prune), TW_NB(cut_force),   TW_NB(cut_self),
    TW_NB(cut_radii), TW_NB(cut_gather), TW_NB(cut_chain), TW_NB(cut_collect), TW_NB(cut_move)};
