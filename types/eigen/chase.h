/* Bulge chasing in numbers: sweeps, steps, the parallelograms that are tasks, and the diamonds of the way back.
 *
 * Sweep s = 0 … n - 2 makes column s of a band matrix tridiagonal; its step k works on rows s + 1 + k b … of which
 * there are at most b. Step (s, k) follows (s, k - 1) and (s - 1, k + 1). A task does `depth` steps of `depth`
 * consecutive sweeps, each sweep one step behind the one before it:
 *
 *     task (S, J): sweeps s = S depth + g, g = 0 … depth - 1, steps J depth - g … (J + 1) depth - g - 1
 *
 * so that (S, J) follows (S, J - 1) and (S - 1, J + 1). */
#ifndef TW_TYPES_EIGEN_CHASE_H
#define TW_TYPES_EIGEN_CHASE_H

struct tw_chase_shape {
    int n, b;
    int depth; /* sweeps of a task, and steps that it does of each */
    int width; /* sweeps whose reflectors are applied together, a multiple of depth: the columns of a diamond */
    /* rows of zeros above a diamond: with one, b and width even, all begin at even rows of Z, which GPUs' products read
     * and write by pairs */
    int lead;
};

static inline int tw_chase_least(int a, int b)
{
    return a < b ? a : b;
}
static inline int tw_chase_sweeps(const struct tw_chase_shape *c)
{
    return c->n > 1 ? c->n - 1 : 0;
}
/* Steps of sweep s. With b = 1 the matrix is tridiagonal: what is left is to make it real, one step a sweep. */
static inline int tw_chase_steps(const struct tw_chase_shape *c, int s)
{
    const int rows = c->n - 1 - s;
    return c->b == 1 ? rows > 0 : (rows + c->b - 1) / c->b;
}
/* First row of step k of sweep s, and how many rows it has. */
static inline int tw_chase_row(const struct tw_chase_shape *c, int s, int k)
{
    return s + 1 + k * c->b;
}
static inline int tw_chase_rows(const struct tw_chase_shape *c, int s, int k)
{
    return tw_chase_least(c->b, c->n - tw_chase_row(c, s, k));
}
/* Groups of `depth` sweeps, and the tasks of group S: one at least, which makes d and e of order 1. */
static inline int tw_chase_groups(const struct tw_chase_shape *c)
{
    return c->n == 1 ? 1 : (tw_chase_sweeps(c) + c->depth - 1) / c->depth;
}
static inline int tw_chase_tasks(const struct tw_chase_shape *c, int S)
{
    int most = 1;
    for (int g = 0; g < c->depth && S * c->depth + g < tw_chase_sweeps(c); g++) {
        const int steps = tw_chase_steps(c, S * c->depth + g) + g;
        most = steps > most ? steps : most;
    }
    return (most + c->depth - 1) / c->depth;
}
/* The shape that is good for this order: tasks of some 100 µs or more, and enough of them side by side. */
static inline struct tw_chase_shape tw_chase_shape(int n, int b)
{
    const int steps = b == 1 ? 1 : (n + b - 1) / b, tall = b >= 32 ? 8 : b >= 8 ? 16 : 32, depth = steps / 32;
    const int best = depth < tall ? tall : depth < 32 ? depth : 32, bundles = (b / 2 + best - 1) / best;
    return (struct tw_chase_shape){n, b, best, best * (bundles > 0 ? bundles : 1), 0};
}
/* The steps [*first, *last) that task (S, J) does of its sweep g. */
static inline void tw_chase_part(const struct tw_chase_shape *c, int S, int J, int g, int *first, int *last)
{
    const int s = S * c->depth + g;
    *first = J * c->depth - g;
    *last = s < tw_chase_sweeps(c) ? tw_chase_least(*first + c->depth, tw_chase_steps(c, s)) : 0;
    if (*first < 0) *first = 0;
}
/* The reflectors of group S are kept together, a task's after those of the one before it, b elements each: tau in place
 * of the leading 1, then the rest. Room for so many; and which one step k of the group's sweep g is. */
static inline int tw_chase_room(const struct tw_chase_shape *c, int S)
{
    return tw_chase_tasks(c, S) * c->depth * c->depth;
}
static inline int tw_chase_kept(const struct tw_chase_shape *c, int g, int k)
{
    return ((k + g) / c->depth * c->depth + g) * c->depth + (k + g) % c->depth;
}

/* The columns [*first, *last) that task (S, J) reads or writes. */
static inline void tw_chase_columns(const struct tw_chase_shape *c, int S, int J, int *first, int *last)
{
    *first = c->n == 1 ? 0 : c->n, *last = c->n == 1;
    for (int g = 0; g < c->depth; g++) {
        const int s = S * c->depth + g;
        int from, to;
        tw_chase_part(c, S, J, g, &from, &to);
        if (from >= to) continue;
        const int low = from == 0 ? s : tw_chase_row(c, s, from - 1);
        const int high = tw_chase_row(c, s, to - 1) + tw_chase_rows(c, s, to - 1) + (c->b == 1);
        *first = tw_chase_least(*first, low);
        *last = high > *last ? tw_chase_least(high, c->n) : *last;
    }
}
/* Multiplications and additions of real numbers, with real types: 8 for each element of the block under a diagonal
 * block, 4 for each of a diagonal block. */
static inline double tw_chase_flops(const struct tw_chase_shape *c, int S, int J)
{
    double flops = 0;
    for (int g = 0; g < c->depth; g++) {
        int from, to;
        tw_chase_part(c, S, J, g, &from, &to);
        for (int k = from; k < to; k++) {
            const double rows = tw_chase_rows(c, S * c->depth + g, k);
            flops += rows * (4 * rows + (k > 0 ? 8 * (double)c->b : 0));
        }
    }
    return flops;
}

/* Bundles of `width` sweeps, and what a diamond (bundle, step) looks like. */
static inline int tw_chase_bundles(const struct tw_chase_shape *c)
{
    return (tw_chase_sweeps(c) + c->width - 1) / c->width;
}
static inline int tw_chase_height(const struct tw_chase_shape *c)
{
    return c->b + c->width - 1;
}
/* A diamond in memory: V^H, `width` rows and tw_chase_ld columns without gaps, then V T, tw_chase_ld rows and `width`
 * columns; zeros where it is smaller, and in V^H's first `lead` columns and V T's first rows. */
static inline int tw_chase_ld(const struct tw_chase_shape *c)
{
    return (tw_chase_height(c) + 31) / 32 * 32 + 16 * c->lead; /* CPUs read whole vectors */
}
struct tw_diamond {
    int row, rows, columns; /* V is rows x columns, and acts on these rows of Z */
};
static inline struct tw_diamond tw_chase_diamond(const struct tw_chase_shape *c, int bundle, int k)
{
    const int s = bundle * c->width, row = tw_chase_row(c, s, k), below = c->n - row;
    const int columns = tw_chase_least(tw_chase_least(c->width, tw_chase_sweeps(c) - s), below);
    return (struct tw_diamond){row, tw_chase_least(c->b + columns - 1, below), columns};
}
#endif
