/* What stage 2 and the way back know of each other; for them and their tests. */
#ifndef TW_ALGORITHMS_EIGEN_CHASE_KEPT_H
#define TW_ALGORITHMS_EIGEN_CHASE_KEPT_H
#include "algorithms/eigen/chase.h"
#include "types/eigen/chase.h"

struct tw_chase {
    enum tw_type type;
    struct tw_chase_shape shape;
    int groups;
    struct tw_data **v; /* v[S]: the reflectors of group S */
};
/* With a shape of one's own. */
struct tw_chase *tw_chase_shaped(struct tw_sequence *seq, enum tw_type type, struct tw_chase_shape shape);
#endif
