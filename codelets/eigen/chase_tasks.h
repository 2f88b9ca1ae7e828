/* The tasks of stage 2 of the symmetric eigenvalue problem and of the way back through it. */
#ifndef TW_CODELETS_EIGEN_CHASE_TASKS_H
#define TW_CODELETS_EIGEN_CHASE_TASKS_H
#include "codelets/eigen/band.h"
#include "types/eigen/chase.h"

/* Task (S, J) of bulge chasing (types/eigen/chase.h). What it is ordered by: token[J] and token[J + 1], RW; and the
 * band's columns if S is 0, since later ones follow these. carry: a tile of b x depth, group S's own. v: a tile of b x
 * tw_chase_room for the group's reflectors, or NULL; u: the same, of a triangular band, for those from the left (v's
 * are then from the right). info: NULL or an info. */
struct tw_chase_task {
    struct tw_chase_shape shape;
    int S, J;
    struct tw_band *B;
    struct tw_data *const *token;
    struct tw_data *d, *e, *carry, *u, *v, *info;
};
void tw_task_hb2st(struct tw_sequence *seq, int priority, const struct tw_chase_task *t);
/* An info becomes k > 0, if that is the first. */
static inline void tw_chase_first_bad(int64_t *info, int k)
{
    if (k > 0 && (*info == 0 || k < *info)) *info = k;
}

/* All of groups S … S + groups - 1, at most tw_chase_sweeps_most, as one task, for which a GPU has a kernel; it follows
 * all tasks on the band. Of *t, tokens, J, carry, u and v do not count; v: the groups' tiles, or NULL (u: of hermitian
 * bands NULL). Not for all shapes. */
int tw_chase_sweeps_can(const struct tw_chase_shape *shape);
int tw_chase_sweeps_most(const struct tw_chase_shape *shape);
double tw_chase_sweeps_flops(const struct tw_chase_shape *c, int first, int groups); /* sums of tw_chase_flops */
void tw_task_hb2st_sweeps(struct tw_sequence *seq, int priority, const struct tw_chase_task *t, int groups,
                          struct tw_data *const *u, struct tw_data *const *v);

/* Bundles first … first + count - 1 as diamonds: a tile of ld tw_chase_ld and tw_chase_diamond_columns columns, count x
 * steps x (V, V T), where steps are those of the first bundle. v: the reflectors of group S are v[S]. after: NULL, or
 * what is read for order's sake. */
static inline int tw_chase_diamond_columns(const struct tw_chase_shape *c, int first, int count)
{
    return count * tw_chase_steps(c, first * c->width) * 2 * c->width;
}
void tw_task_diamond(struct tw_sequence *seq, int priority, const struct tw_chase_shape *shape, int first, int count,
                     struct tw_data *const *v, struct tw_data *after, struct tw_data *diamonds);
/* Z = (product of these bundles) Z, Z a tile of n rows. */
void tw_task_unmtr_hb2st(struct tw_sequence *seq, int priority, const struct tw_chase_shape *shape, int first,
                         int count, struct tw_data *diamonds, struct tw_data *Z);
#endif
