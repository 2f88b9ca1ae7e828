/* Reductions: partial sums and the tree of tasks that puts them together. */
#include <string.h>

#include "runtime/task/reduce.h"

void tw_reduce_begin(struct tw_reduction *r, struct tw_sequence *seq, const struct tw_reduce_ops *ops, void *user,
                     int width, int priority)
{
    memset(r, 0, sizeof *r);
    r->seq = seq;
    r->ops = ops;
    r->user = user;
    r->width = (int)tw_max(1, tw_min(width, TW_REDUCE_MOST));
    r->priority = priority;
}

struct tw_access tw_reduce_next(struct tw_reduction *r)
{
    struct tw_data **p = &r->partial[r->contributions++ % r->width];

    if (!*p && (*p = r->ops->make(r->user))) r->ops->clear(r->seq, r->priority, *p, r->user);
    if (!*p) tw_loop_fail(r->seq, TW_E_MEMORY, "no memory for a partial sum");
    return (struct tw_access){*p, TW_RW_COMMUTE};
}

void tw_reduce_end(struct tw_reduction *r, struct tw_data *into)
{
    const int used = (int)tw_min(r->contributions, r->width), sound = !tw_loop_status(r->seq);

    for (int step = 1; sound && step < used; step *= 2)
        for (int k = 0; k + step < used; k += 2 * step)
            r->ops->add(r->seq, r->priority, r->partial[k + step], r->partial[k], r->user);
    if (sound && used > 0) r->ops->add(r->seq, r->priority, r->partial[0], into, r->user);
    for (int k = 0; k < used; k++)
        tw_data_free_later(r->partial[k]);
}
