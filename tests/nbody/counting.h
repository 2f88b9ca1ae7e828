/* A kernel whose every pair is 1: each target must receive the charges of all n sources, exactly; of 1027 images of
 * each in a periodic box. */
#ifndef TESTS_NBODY_COUNTING_H
#define TESTS_NBODY_COUNTING_H
#include "nbody/points.h"
#include "algorithms/nbody/series.h"

/* loop computes a struct tw_series_problem with that kernel. */
static inline void tt_count(tw_loop_fn loop, enum tt_places sources, enum tt_places targets, tw_int n, tw_int m, int nd,
                            double side)
{
    double *y = tt_places(sources, 3, n, 1), *x = tt_places(targets, 3, m, 2), *q = malloc((size_t)(nd * n) * 8),
           *own = malloc((size_t)(nd * n) * 8), *u = malloc((size_t)(nd * m) * 8);
    struct tw_series_problem p = {.type = TW_DOUBLE,
                                  .dim = 3,
                                  .nd = nd,
                                  .ns = n,
                                  .nt = m,
                                  .source = y,
                                  .charge = q,
                                  .target = x,
                                  .pot = own,
                                  .pottarg = u,
                                  .side = side};
    for (tw_int i = 0; i < nd * n; i++)
        q[i] = (double)(1 + i % nd);
    tt_expect_info(tw_call("counting", loop, &p, 1), 0, "counting");
    for (tw_int i = 0; i < nd * (n + m); i++) {
        const tw_int d = i % nd;
        const double got = i < nd * n ? own[i] : u[i - nd * n], want = (side > 0 ? 1027.0 : 1) * (double)((1 + d) * n);
        if (got != want)
            fail_msg("%s, side %g: number %d is %g, not %g", tt_place_name[sources], side, (int)i, got, want);
    }
    free(y), free(x), free(q), free(own), free(u);
}
#endif
