/* Several threads for one kernel. A kernel cuts its work into parts that do not touch each other; whoever is there
 * takes them. How many parts there are follows from the shape alone, so that results are the same bits whoever came. */
#ifndef TW_RUNTIME_BASE_PARTS_H
#define TW_RUNTIME_BASE_PARTS_H

typedef void (*tw_part_fn)(void *args, int part);
struct tw_team {
    /* part(args, i) once for each i = 0 … parts - 1, in any order and by any thread; all are done when it returns. */
    void (*run)(struct tw_team *team, int parts, tw_part_fn part, void *args);
};

/* team NULL: nobody else. */
static inline void tw_team_run(struct tw_team *team, int parts, tw_part_fn part, void *args)
{
    if (team && parts > 1) {
        team->run(team, parts, part, args);
        return;
    }
    for (int i = 0; i < parts; i++)
        part(args, i);
}

/* Where the parts of `count` things begin, as even as can be in steps of `step`: part i is tw_part_begin(i) …
 * tw_part_begin(i + 1) - 1. */
static inline int tw_part_begin(int i, int parts, int count, int step)
{
    const long long steps = ((long long)count + step - 1) / step, at = steps * i / parts * step;
    return at < count ? (int)at : count;
}
#endif
