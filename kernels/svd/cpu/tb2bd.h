/* CPU kernels of bulge chasing from a triangular band to a bidiagonal matrix, one table per precision and instruction
 * set. */
#ifndef TW_KERNELS_SVD_CPU_TB2BD_H
#define TW_KERNELS_SVD_CPU_TB2BD_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "types/eigen/chase.h"

/* Task (group, task) of types/eigen/chase.h on an upper triangular band matrix: element (i, j) is a[(i - j + 2 b - 1) +
 * j ld], ld >= 3 b. Its steps of sweep s make d(s) and e(s) final, real ones; the group's first task does that. Element
 * (0, 0) is real. */
struct tw_tb2bd {
    struct tw_chase_shape shape;
    int group, task;
    void *a;
    int ld;
    void *d, *e;
    void *carry; /* b x depth: the left reflectors between a group's tasks; written by its first one */
    void *u, *v; /* the group's left and right reflectors; NULL: not kept */
    void *work;  /* tw_tb2bd_work bytes */
};
size_t tw_tb2bd_work(enum tw_type type, int b);

/* 0, or k > 0: d(k) or e(k), counted from 1, is the first of this task's that is not finite. */
typedef int (*tw_tb2bd_fn)(const struct tw_tb2bd *t);
tw_tb2bd_fn tw_tb2bd_kernel(enum tw_type type);
#endif
