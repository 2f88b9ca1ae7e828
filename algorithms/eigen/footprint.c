/* What problems of eigenvalues and singular values hold at the same time. Counted is what lives between the first task
 * that uses it and the last, in the order in which loops submit. The way back is submitted before divide and conquer's
 * first merge: whatever does not read the vectors is done as soon as it can be, so that all of stage 2's reflectors are
 * diamonds while merges go on, unless that is late. Nothing is taken to be deflated. */
#include "algorithms/eigen/footprint.h"
#include <math.h>
#include "algorithms/eigen/chase.h"
#include "algorithms/eigen/dc.h"

/* Reflectors on GPUs take four times as much as diamonds as they took before, on cores not much more; and what does not
 * fit GPUs goes to main memory and comes again. */
int tw_footprint_late(const struct tw_footprint *h)
{
    const double vectors = h->wanted * (double)h->n * h->columns * (double)tw_sizeof(h->type),
                 most = tw_gpus() * (double)tw_gpu_memory() / 2;

    return most > 0 && h->b && h->wanted &&
           h->wanted * tw_chase_back_bytes(h->type, h->n, h->b, 0) +
                   tw_dc_footprint(h->type, h->n, h->columns, h->sides, h->wanted).merge + vectors >
               most;
}

double tw_footprint_from_band(const struct tw_footprint *h)
{
    const int late = tw_footprint_late(h);
    const double band = (double)h->rows * (double)h->n * (double)tw_sizeof(h->type),
                 chases = h->b ? h->wanted * tw_chase_bytes(h->type, h->n, h->b) : 0,
                 diamonds = h->b ? h->wanted * tw_chase_back_bytes(h->type, h->n, h->b, late) : 0,
                 early = late ? chases : diamonds;
    double stage_2, leaves, merge, back;
    struct tw_dc_footprint dc;

    if (!h->wanted) return h->matrix + band;
    dc = tw_dc_footprint(h->type, h->n, h->columns, h->sides, h->wanted);
    stage_2 = h->matrix + h->reflectors + band + chases;
    leaves =
        h->matrix + h->joined + band + chases + (late ? 0 : diamonds) + dc.leaves + (dc.merge > 0 ? 0 : h->vectors);
    merge = h->joined + early + dc.merge + (dc.some ? h->vectors : 0);
    back = h->joined + (late ? chases : 0) + diamonds + dc.merged + h->vectors;
    return fmax(fmax(stage_2, leaves), fmax(merge, back));
}

double tw_footprint_triangle(enum tw_type type, tw_int n, tw_int nb)
{
    const double tiles = (double)(n / nb), rest = (double)(n % nb), order = (double)nb;
    return (double)tw_sizeof(type) * (order * order * tiles * (tiles + 1) / 2 + rest * (order * tiles + rest));
}

/* ---- hermitian problems ------------------------------------------------------------------------------------------ */

/* From a band of b sub-diagonals on (0: of a tridiagonal matrix), which is given. */
static struct tw_footprint of_band(enum tw_type type, tw_int n, int b, double columns)
{
    return (struct tw_footprint){.type = type,
                                 .n = n,
                                 .b = b,
                                 .rows = 2 * b,
                                 .sides = 1,
                                 .wanted = columns > 0,
                                 .columns = columns,
                                 .vectors = (double)tw_sizeof(type) * (double)n * columns};
}

/* A panel of stage 1: P, V, [V W V] and X, and what small factors there are. */
static double two_stages(enum tw_type type, tw_int n, double columns, tw_int nb)
{
    const double size = (double)tw_sizeof(type);
    const int b = tw_syevd_band(type, n, columns > 0);
    const tw_int rest = n - b;
    const double panel = size * b * (6 * (double)rest + 2 * b), band = size * 2 * b * (double)n;
    struct tw_footprint footprint = of_band(type, n, b, columns);

    footprint.matrix = tw_footprint_triangle(type, n, tw_order_of_tiles(type, tw_min(nb, n), b));
    footprint.reflectors = tw_reflections_bytes(type, rest, rest, b, 0);
    footprint.joined = tw_reflections_bytes(type, rest, rest, b, (tw_int)columns);
    return fmax(footprint.matrix + band + panel, tw_footprint_from_band(&footprint));
}

/* A panel is [V W V], and with vectors V has all of the wider ones. */
static double one_stage(enum tw_type type, tw_int n, double columns, tw_int nb)
{
    const double size = (double)tw_sizeof(type);
    const int width = tw_sytrd_width(n), kept = tw_sytrd_kept(n);
    const double panel = size * 3 * width * (double)n,
                 block = columns > 0 ? size * (double)tw_min(kept, n) * (double)n : 0;
    struct tw_footprint footprint = of_band(type, n, 0, columns);

    footprint.matrix = tw_footprint_triangle(type, n, tw_order_of_tiles(type, tw_min(nb, n), width));
    footprint.reflectors = tw_reflections_bytes(type, n - 1, n - 1, kept, 0);
    footprint.joined = tw_reflections_bytes(type, n - 1, n - 1, kept, (tw_int)columns);
    return fmax(footprint.matrix + panel + block, tw_footprint_from_band(&footprint));
}

static int one_task(enum tw_type type, tw_int n, double columns)
{
    return tw_route_planned(type, n, columns, tw_syevd_band(type, n, columns > 0)) == TW_ROUTE_LAPACK;
}
static double square(enum tw_type type, tw_int n)
{
    return (double)tw_sizeof(type) * (double)n * (double)n;
}

double tw_syevd_bytes(enum tw_type type, tw_int n, double columns, tw_int nb)
{
    if (n <= 1 || n > INT32_MAX / 4) return square(type, n); /* of the latter the routines compute none */
    switch (tw_route_planned(type, n, columns, tw_syevd_band(type, n, columns > 0))) {
    case TW_ROUTE_LAPACK: return square(type, n) + (double)tw_sizeof(type) * (double)n * columns;
    case TW_ROUTE_ONE: return one_stage(type, n, columns, nb);
    default: return two_stages(type, n, columns, nb);
    }
}

/* The standard form and the copy of it that is reduced; then a problem of its own; at last its vectors in B's tiles. */
double tw_sygvd_bytes(enum tw_type type, tw_int n, double columns, tw_int nb)
{
    const double vectors = (double)tw_sizeof(type) * (double)n * columns, own = tw_syevd_bytes(type, n, columns, nb);
    double triangle;

    if (n <= 1 || n > INT32_MAX / 4) return own;
    triangle = tw_footprint_triangle(type, n, tw_min(nb, n));
    return one_task(type, n, columns) ? square(type, n) + fmax(triangle, 2 * vectors)
                                      : fmax(2 * triangle, fmax(own, 2 * vectors));
}

double tw_stedc_bytes(enum tw_type type, tw_int n, double columns)
{
    const struct tw_footprint footprint = of_band(type, n, 0, columns);
    return n == 0 || n > INT32_MAX / 4 ? 0 : tw_footprint_from_band(&footprint);
}

double tw_sbevd_bytes(enum tw_type type, tw_int n, tw_int kd, double columns)
{
    const struct tw_footprint footprint = of_band(type, n, (int)tw_max(1, kd), columns);
    return n == 0 || n > INT32_MAX / 4 ? 0 : tw_footprint_from_band(&footprint);
}
