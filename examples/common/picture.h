/* A picture of predicted against true values, as SVG. */
#ifndef EXAMPLES_PICTURE_H
#define EXAMPLES_PICTURE_H

#include <tilework/runtime.h>

struct picture {
    const char *title, *subtitle; /* one line each */
    const char *name;             /* of the quantity, for both axes */
    const double *truth, *predicted;
    tw_int count; /* of points; where there are very many, evenly chosen ones are drawn */
};

/* 0 when a file can be made beside `path`, -1 with errno when not: worth asking before a long computation. */
int picture_writable(const char *path);

/* Write under a temporary name in the same directory, then rename: `path` is either untouched or whole. Returns 0 or
 * -1 with errno. */
int picture_write(const char *path, const struct picture *p);

#endif
