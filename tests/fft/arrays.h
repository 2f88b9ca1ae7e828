/* Arrays of random numbers, and how far apart two are, for tests that compare two ways of computing the same. */
#ifndef TESTS_FFT_ARRAYS_H
#define TESTS_FFT_ARRAYS_H
#include "reference.h"

/* |a - b| / |b| of so many bytes of floats (single) or doubles. */
static inline double distance(int single, const void *a, const void *b, size_t bytes)
{
    double d = 0, n = 0;

    for (size_t k = 0; k < bytes / (single ? 4 : 8); k++) {
        double x = single ? (double)((const float *)a)[k] : ((const double *)a)[k],
               y = single ? (double)((const float *)b)[k] : ((const double *)b)[k];
        d += (x - y) * (x - y), n += y * y;
    }
    return sqrt(d / n);
}

/* The same numbers at every call; the caller frees them. */
static inline void *numbers(int single, size_t bytes)
{
    void *p = malloc(bytes);
    uint64_t seed = 3;

    assert_non_null(p);
    for (size_t k = 0; k < bytes / (single ? 4 : 8); k++)
        if (single)
            ((float *)p)[k] = (float)uniform(&seed);
        else
            ((double *)p)[k] = uniform(&seed);
    return p;
}
#endif
