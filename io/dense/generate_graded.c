/* graded:G, kahan:theta: one number as parameter. */
#include <math.h>

#include "io/dense/generate.h"

static int read_number(tw_generator *g, const char *parameters, double least, double most, const char *what,
                       double *value)
{
    const char *end;

    if (!parameters) return 0;
    if (tw_number_parse(parameters, &end, value) == TW_NUMBER_OK && !*end && *value >= least && *value <= most)
        return 0;
    return tw_kind_fail(g, "%s, not \"%.200s\"", what, parameters);
}

/* scale: powers of two between the first row (or column) and the last. */
int tw_setup_graded(tw_generator *g, const char *parameters)
{
    const int single = tw_is_single(g->type);
    double ratio = 1e12;
    const int e = read_number(g, parameters, 1.0, single ? 1e30 : 1e300,
                              single ? "G must be a number from 1 to 1e30 (in single precision)"
                                     : "G must be a number from 1 to 1e300",
                              &ratio);

    g->scale = 0.5 * log2(ratio);
    return e;
}

/* scale: log(sin(theta)); shift: cos(theta). */
int tw_setup_kahan(tw_generator *g, const char *parameters)
{
    double theta = 1.2;
    const int e =
        read_number(g, parameters, 0x1p-20, 1.5707963267948966, "theta must be an angle between 0 and pi/2", &theta);

    g->scale = log(sin(theta));
    g->shift = cos(theta);
    return e;
}
