/* What the codelets of bulge chasing share, from a hermitian band and from a triangular one: their operands, and how
 * they are submitted. */
#ifndef TW_CODELETS_EIGEN_CHASE_BODIES_H
#define TW_CODELETS_EIGEN_CHASE_BODIES_H
#include "codelets/eigen/chase_tasks.h"

/* One task's steps on a core, as the kernels take them; reflectors from the left only where both sides have some. */
struct tw_chase_steps_of {
    struct tw_chase_shape shape;
    int group, task;
    void *a;
    int ld;
    void *d, *e, *carry, *u, *v, *work;
};
/* 0, or k > 0: d(k) or e(k) is the first that is not finite. */
typedef int (*tw_chase_kernel_fn)(enum tw_type type, const struct tw_chase_steps_of *s);

/* Bodies on a core: of some steps of some sweeps; of whole sweeps, one step after the other, in workspace of `work`
 * bytes and the reflectors between tasks. */
int tw_chase_steps_body(const struct tw_body *body, tw_chase_kernel_fn kernel);
int tw_chase_sweeps_body(const struct tw_body *body, tw_chase_kernel_fn kernel, size_t work);

/* Whole sweeps on a GPU: what the body finds. u and v are lists of one buffer a group, NULL if they are not kept. */
struct tw_chase_sweeps_of {
    struct tw_chase_shape shape;
    int first, groups;
    const struct tw_buffer *info, *d, *e, *work, *band, *u, *v;
};
struct tw_chase_sweeps_of tw_chase_sweeps_operands(const struct tw_body *body);

/* work: bytes of a core's workspace; sides: reflectors are applied from one side (hermitian) or from two. */
void tw_chase_submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, const struct tw_chase_task *t,
                     size_t work, int sides);
/* most: groups that a GPU's launch takes. */
void tw_chase_sweeps_submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet,
                            const struct tw_chase_task *t, int groups, struct tw_data *const *u,
                            struct tw_data *const *v, size_t work, int most, int sides);
#endif
