/* What the N-body routines share. */
#ifndef TW_ALGORITHMS_NBODY_NBODY_LOOPS_H
#define TW_ALGORITHMS_NBODY_NBODY_LOOPS_H
#include <tilework/nbody.h>
#include "algorithms/arguments.h"
#include "codelets/nbody/fmm.h"

/* ---- points.c: reading the caller's arrays, sorting along the curve ---------------------------------------------- */

/* The caller's points, x, y, z of one after the other, in float or double; seen from `shift` (tw_box_shift). */
struct tw_points {
    enum tw_type type;
    const void *xyz;
    tw_int n;
    double shift[3];
};
static inline void tw_add_at(enum tw_type type, void *a, tw_int k, double x)
{
    if (type == TW_FLOAT)
        ((float *)a)[k] = (float)x;
    else
        ((double *)a)[k] = x;
}
#define TW_NBODY_COORDINATE_MAX       1e150
#define TW_NBODY_COORDINATE_MAX_FLOAT 1e18

/* The smallest cube that holds all points (side > 0). */
struct tw_box {
    double low[3], high[3];
};
void tw_box_empty(struct tw_box *b);
void tw_box_add(struct tw_box *b, const struct tw_points *p);
/* Where to look from, so that a box that is small for its distance from the origin is not: its corner next to the
 * origin in those dimensions in which that is as far away as the box is wide, else 0. Then coordinates less the shift
 * are exact (Sterbenz). The box becomes one of shifted points. */
void tw_box_shift(struct tw_box *b, double shift[3]);
void tw_box_cube(const struct tw_box *b, double corner[3], double *side);
/* Morton keys of points and the order that sorts them, ascending; equal keys keep their order. 0 or TW_E_MEMORY. */
int tw_morton_sort(const struct tw_points *p, const double corner[3], double side, uint64_t *key, uint32_t *order);
/* The same by tasks, inside a routine's loop; also the sequence's error. */
int tw_morton_sort_by_tasks(struct tw_sequence *seq, const struct tw_points *p, const double corner[3], double side,
                            uint64_t *key, uint32_t *order);

/* ---- tree.c ---------------------------------------------------------------------------------------------------- */

/* The octree of sorted keys: cells with more than `leaf` sources or targets are split. 0 or TW_E_MEMORY. corner, side
 * and few are the caller's to set. */
int tw_fmm_tree_make(struct tw_fmm_tree *t, const uint64_t *source, int ns, const uint64_t *target, int nt, int leaf);
/* The same tree by tasks of the sequence, inside a loop; or its error. */
int tw_fmm_tree_make_by_tasks(struct tw_sequence *seq, struct tw_fmm_tree *t, const uint64_t *source, int ns,
                              const uint64_t *target, int nt, int leaf);
void tw_fmm_tree_free(struct tw_fmm_tree *t);

/* ---- fmm.c ------------------------------------------------------------------------------------------------------- */

/* Order of the expansions for a tolerance, and the points per leaf that cost least with it (nf as in
 * codelets/nbody/fmm.h). */
int tw_fmm_order(double eps);
int tw_fmm_leaf(int order, int nf);
#endif
