/* Deflation in divide and conquer: columns whose z is small, and pairs whose d's are close, need no root of the secular
 * equation (types/eigen/merge.h). For eigenvalues (laed.c) and for singular values (kernels/svd/cpu/lasd.c); who
 * includes it has the types R and T. */
#ifndef TW_KERNELS_EIGEN_CPU_DEFLATE_H
#define TW_KERNELS_EIGEN_CPU_DEFLATE_H
#include <math.h>
#include "types/eigen/merge.h"

struct key {
    double d;
    int32_t at;
};
static inline int by_d(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    return x->d < y->d ? -1 : x->d > y->d ? 1 : x->at < y->at ? -1 : 1;
}

/* Whose rows a column has. */
enum { FIRST = 1, BOTH, SECOND, DEFLATED };

/* One merge: columns, those of the first half before the second one's; stay and gone are what was decided so far. */
struct deflation {
    R *d, *z, rho, tolerance;
    int32_t *kind, *stay, *gone;
    int k, deflated, rotations;
    struct tw_merge_plan plan;
    R *turn; /* cosine and sine of each rotation */
};

/* Columns p and q (d(p) <= d(q)) are turned so that z(p) becomes 0, if that changes the matrix by no more than rounding
 * does. */
static inline int turned(struct deflation *f, int p, int q)
{
    const R length = (R)hypot((double)f->z[q], (double)f->z[p]), c = f->z[q] / length, s = -f->z[p] / length,
            gap = f->d[q] - f->d[p];
    R dp;

    if (!((R)fabs((double)(gap * c * s)) <= f->tolerance)) return 0;
    f->z[q] = length;
    f->z[p] = 0;
    if (f->kind[q] != f->kind[p]) f->kind[q] = BOTH;
    f->plan.pair[2 * f->rotations] = p;
    f->plan.pair[2 * f->rotations + 1] = q;
    f->turn[2 * f->rotations] = c;
    f->turn[2 * f->rotations + 1] = s;
    f->rotations++;
    dp = f->d[p] * c * c + f->d[q] * s * s;
    f->d[q] = f->d[p] * s * s + f->d[q] * c * c;
    f->d[p] = dp;
    return 1;
}

static inline void look(struct deflation *f, int count, const struct key *order)
{
    int last = -1;

    for (int t = 0; t < count; t++) {
        const int j = order[t].at;
        if (f->rho * (R)fabs((double)f->z[j]) <= f->tolerance) {
            f->kind[j] = DEFLATED;
            f->gone[f->deflated++] = j;
            continue;
        }
        if (last >= 0 && turned(f, last, j)) {
            f->kind[last] = DEFLATED;
            f->gone[f->deflated++] = last;
        } else if (last >= 0) {
            f->stay[f->k++] = last;
        }
        last = j;
    }
    if (last >= 0) f->stay[f->k++] = last;
}

/* Places by kinds, and the numbers in the order of d. */
static inline void arrange(const struct deflation *f, int m, struct tw_merge_head *head, R *numbers)
{
    int next[4] = {0}, count[4] = {0};

    for (int i = 0; i < f->k; i++)
        count[f->kind[f->stay[i]]]++;
    next[BOTH] = count[FIRST];
    next[SECOND] = count[FIRST] + count[BOTH];
    *head = (struct tw_merge_head){f->k, count[FIRST], count[BOTH], count[SECOND], f->rotations};
    for (int i = 0; i < f->k; i++) {
        const int j = f->stay[i], at = next[f->kind[j]]++;
        f->plan.source[at] = j;
        f->plan.dest[j] = at;
        f->plan.place[i] = at;
        TW_MERGE_AT(numbers, m, TW_MERGE_D)[i] = f->d[j];
        TW_MERGE_AT(numbers, m, TW_MERGE_Z)[i] = f->z[j];
    }
    for (int i = 0; i < f->deflated; i++) {
        f->plan.source[f->k + i] = f->gone[i];
        f->plan.dest[f->gone[i]] = f->k + i;
        TW_MERGE_AT(numbers, m, TW_MERGE_DEFLATED)[i] = f->d[f->gone[i]];
    }
}
#endif
