/* Expansions of the logarithm in the plane: u = Re f with, for z relative to a cell's centre, in units of its side
 * except in the first logarithm,
 *
 *     multipole   f(z) = a_0 log(z in the caller's units) + sum_k a_k z^-k        local   f(z) = sum_k b_k z^k,   k =
 *                 0…p
 *
 * (Greengard and Rokhlin, J. Comput. Phys. 73, 1987). An expansion is p + 1 real parts, padding up to `half`, and the
 * imaginary parts. The gradient is (Re f', -Im f').
 *
 * Every translation by c is, in powers of c, a real matrix that does not depend on the direction:
 * result_l = out^l sum_k A_lk in^k source_k, with complex numbers `in` and `out`. */
#ifndef TW_KERNELS_NBODY_CPU_PLANE_H
#define TW_KERNELS_NBODY_CPU_PLANE_H
#include <stddef.h>

enum { TW_PLANE_LANES = 16 };
struct tw_plane_kind {
    double *A;                      /* (p + 1) x (p + 1), row-major */
    double *in_powers, *out_powers; /* by direction, power, part: [(direction * (p + 1) + k) * 2 + part] */
};
struct tw_plane {
    int p, half;
    struct tw_plane_kind m2l; /* by direction (i, j), each in -3…3, from source to target, at 7 (i + 3) + j + 3 */
    struct tw_plane_kind m2m, l2l; /* by the child's place 2 bx + by */
};
#define TW_PLANE_LENGTH(t) (2 * (t)->half)
#define TW_PLANE_WORK(t)   ((size_t)(4 * (t)->half) * TW_PLANE_LANES)
/* One translation, dst += T(src). log: of the distance in the caller's units, added to b_0 times a_0 (0 where that is
 * not wanted). */
struct tw_plane_pair {
    const double *src;
    double *dst;
    int direction;
    double log;
};
/* NULL without memory. */
struct tw_plane *tw_plane_make(int p);
void tw_plane_free(struct tw_plane *t);
#endif
