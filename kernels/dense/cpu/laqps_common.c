/* The table of the block of QR with column exchanges by several threads. */
#include "kernels/dense/cpu/laqps.h"

#define FUNCTION(letter)                                                                                               \
    void tw_cpu_##letter##laqps_team(struct tw_team *, const struct tw_tile_grid *, int, int, int32_t *, int32_t *,    \
                                     void *, void *, int, double *, double *, void *, int64_t,                         \
                                     struct tw_pivot_stop *);
FUNCTION(s)
FUNCTION(d)
FUNCTION(c)
FUNCTION(z)
const tw_laqps_fn tw_laqps_team[TW_NTYPES] = {tw_cpu_slaqps_team, tw_cpu_dlaqps_team, tw_cpu_claqps_team,
                                              tw_cpu_zlaqps_team};

enum { PART = 64 };
int tw_laqps_parts(int columns)
{
    return columns / PART + 1;
}
