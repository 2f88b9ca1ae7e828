/* Blocks of columns, in which eigenvectors and singular vectors go their ways. */
#include "algorithms/eigen/eigen_loops.h"
#include "runtime/machine/tuning.h"

enum { NARROW = 96, WIDE = 256, EACH_WAY = 8 };

/* Some eight blocks, wide enough for products at full speed, narrow enough for caches; where there are as many as
 * cores, a multiple of these, so that no core is idle at the end: of 400 columns on two cores 256 are one core's work
 * for 1.28 times as long as 200. */
tw_int tw_columns_for_cores(tw_int columns)
{
    const tw_int about = tw_max(NARROW, tw_min(WIDE, (columns + EACH_WAY - 1) / EACH_WAY)),
                 cores = tw_reproducible() ? 2 : tw_max(1, tw_workers_now().cores);
    tw_int blocks = (columns + about - 1) / about;

    if (blocks >= cores) {
        blocks -= blocks % cores;
        while ((columns + blocks - 1) / blocks > WIDE)
            blocks += cores;
    }
    return tw_max(1, blocks ? (columns + blocks - 1) / blocks : 0);
}

tw_int tw_columns_of_block(tw_int columns)
{
    return tw_gpus() > 0 ? tw_max(1, tw_min(1024, columns)) : tw_columns_for_cores(columns);
}
