/* What stage 2 and the way back know of each other; for them and their tests. */
#ifndef TW_ALGORITHMS_EIGEN_CHASE_PRIVATE_H
#define TW_ALGORITHMS_EIGEN_CHASE_PRIVATE_H
#include "algorithms/eigen/chase.h"
#include "codelets/eigen/chase_tasks.h"

struct tw_chase {
    enum tw_type type;
    struct tw_chase_shape shape;
    int groups;
    struct tw_data **v; /* v[S]: the reflectors of group S */
};
/* With a shape of one's own. */
struct tw_chase *tw_chase_shaped(struct tw_sequence *seq, enum tw_type type, struct tw_chase_shape shape);

/* Bulge chasing from either kind of band: its tasks, and the stage that they are of. */
struct tw_chase_kind {
    const char *name, *stage;
    void (*task)(struct tw_sequence *seq, int priority, const struct tw_chase_task *t);
    void (*sweeps)(struct tw_sequence *seq, int priority, const struct tw_chase_task *t, int groups,
                   struct tw_data *const *u, struct tw_data *const *v);
    int (*most)(const struct tw_chase_shape *shape); /* groups in one of these */
};
/* All of it: *t says the band, d, e and info; u and v keep the reflectors, NULL: nothing does. */
void tw_chase_loop(struct tw_sequence *seq, const struct tw_chase_kind *kind, struct tw_chase_task *t,
                   const struct tw_chase *u, const struct tw_chase *v);
#endif
