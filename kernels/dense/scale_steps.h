/* The factors whose product is to / from, none of which over- or underflows what it multiplies: LAPACK's lascl. After
 * kernels/precision.h. */
#ifndef TW_KERNELS_DENSE_SCALE_STEPS_H
#define TW_KERNELS_DENSE_SCALE_STEPS_H
#include <float.h>
#include <math.h>

struct tw_scale {
    R from, to;
    int done;
};

/* The next factor; s->done after the last one. */
static inline R tw_scale_step(struct tw_scale *s)
{
    const R small = TW_IS_SINGLE ? (R)FLT_MIN : (R)DBL_MIN, big = 1 / small;
    const R from = s->from * small, to = s->to / big;

    if (from != s->from) { /* `from` is finite and not zero */
        if (to == s->to) { /* `to` is zero or infinite */
            s->done = 1;
            return s->to;
        }
        if (fabs((double)from) > fabs((double)s->to) && s->to != 0) {
            s->from = from;
            return small;
        }
        if (fabs((double)to) > fabs((double)s->from)) {
            s->to = to;
            return big;
        }
    }
    s->done = 1;
    return s->to / s->from;
}
#endif
