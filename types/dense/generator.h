/* A generator of matrices: a kind of entries, with its numbers. Any block can be made at any time, the same by
 * everybody. */
#ifndef TW_TYPES_DENSE_GENERATOR_H
#define TW_TYPES_DENSE_GENERATOR_H
#include <stdint.h>
#include <tilework/matrix.h>
#include "types/random.h"

enum tw_entries { /* io/dense/generate.c says what they are */
                  TW_ENTRIES_RANDOM,
                  TW_ENTRIES_SPD,
                  TW_ENTRIES_SYMMETRIC,
                  TW_ENTRIES_SPECTRUM,
                  TW_ENTRIES_HILBERT,
                  TW_ENTRIES_MINIJ,
                  TW_ENTRIES_LEHMER,
                  TW_ENTRIES_KMS,
                  TW_ENTRIES_LAPLACIAN,
                  TW_ENTRIES_IDENTITY,
                  TW_ENTRIES_ZERO,
                  TW_ENTRIES_GP,
                  TW_ENTRIES_MINOR,
                  TW_ENTRIES_NAN,
                  TW_ENTRIES_SVD,
                  TW_ENTRIES_ORTHOGONAL,
                  TW_ENTRIES_LOWRANK,
                  TW_ENTRIES_GRADED,
                  TW_ENTRIES_DOMINANT,
                  TW_ENTRIES_ZEROCOL,
                  TW_ENTRIES_KAHAN,
                  TW_ENTRIES_FOSTER,
                  TW_ENTRIES_WILKINSON,
                  TW_ENTRIES_CHEBYSHEV,
                  TW_ENTRIES_DYADIC,
                  TW_ENTRIES
};
struct tw_generator {
    enum tw_entries entries;
    enum tw_type type;
    tw_int m, n;
    int spd;
    uint64_t stream[2];  /* of the real and the imaginary part, from the seed */
    tw_int at[2];        /* minor, nan, zerocol: 0-based row and column of what is odd */
    double scale, shift; /* kind's own numbers */
    tw_int k;            /* spectrum: reflectors; svd: rank-1 terms; gp: columns of the points; lowrank: rank */
    double *work;        /* kind's own table, one malloc */
};

/* The table of a spectrum: D, then for each reflector l the n-vectors Re v, Im v, Re w, Im w. */
enum { TW_SPECTRUM_REFLECTORS = 3 };
enum tw_spectrum_part { TW_SPECTRUM_VR, TW_SPECTRUM_VI, TW_SPECTRUM_WR, TW_SPECTRUM_WI };
static inline double *tw_spectrum_vector(const struct tw_generator *g, int l, enum tw_spectrum_part part)
{
    return g->work + (1 + 4 * (size_t)l + (size_t)part) * (size_t)g->n;
}

/* Of sums of k products x_l y_l^H (lowrank; svd, behind its min(m, n) singular values): for each l the m-vectors Re x,
 * Im x, then the n-vectors Re y, Im y. */
struct tw_outer {
    double *xr, *xi, *yr, *yi;
};
static inline struct tw_outer tw_outer_product(const struct tw_generator *g, double *work, tw_int l)
{
    double *p = work + 2 * (size_t)l * ((size_t)g->m + (size_t)g->n);
    return (struct tw_outer){p, p + g->m, p + 2 * g->m, p + 2 * g->m + g->n};
}
#endif
