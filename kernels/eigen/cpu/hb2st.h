/* CPU kernels of bulge chasing, one table per precision and instruction set. */
#ifndef TW_KERNELS_EIGEN_CPU_HB2ST_H
#define TW_KERNELS_EIGEN_CPU_HB2ST_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "types/eigen/chase.h"

/* Task (group, task) of types/eigen/chase.h on the lower band of a hermitian matrix: element (i, j) is a[(i - j) + j
 * ld], 0 <= i - j < 2 b <= ld. Its steps of sweep s make d(s) and e(s) final, real ones; the group's first task does
 * that. */
struct tw_hb2st {
    struct tw_chase_shape shape;
    int group, task;
    void *a;
    int ld;
    void *d, *e;
    void *carry; /* b x depth: the reflectors between a group's tasks; written by its first one */
    void *v;     /* the group's reflectors; NULL: not kept */
    void *work;  /* tw_hb2st_work bytes */
};
size_t tw_hb2st_work(enum tw_type type, int b);

/* 0, or k > 0: d(k) or e(k), counted from 1, is the first of this task's that is not finite. */
typedef int (*tw_hb2st_fn)(const struct tw_hb2st *t);
tw_hb2st_fn tw_hb2st_kernel(enum tw_type type);
#endif
