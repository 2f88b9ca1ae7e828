/* What the periodic routines share. */
#ifndef TW_ALGORITHMS_NBODY_PERIODIC_H
#define TW_ALGORITHMS_NBODY_PERIODIC_H
#include <math.h>

#include "algorithms/nbody/nbody_loops.h"

/* x moved into [corner, corner + side). */
static inline double tw_into_box(double x, double corner, double side)
{
    const double inside = x - side * floor((x - corner) / side);
    return inside < corner || inside >= corner + side ? corner : inside; /* rounding */
}
/* NULL, or what is wrong with an argument. */
const char *tw_bad_boundary(enum tw_boundary boundary);
const char *tw_bad_corner(const double *corner);
const char *tw_bad_side(double side);
#endif
