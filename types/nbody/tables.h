/* The numbers behind expansions of order p in real solid harmonics, made once per order.
 *
 * Basis. For l = 0…p and m = 0…l, with Schmidt's semi-normalisation N_lm = sqrt((2 - [m = 0]) (l - m)! / (l + m)!),
 *     C_lm = N_lm P_l^m(cos theta) cos(m phi),   S_lm = the same with sin(m phi)   (no Condon-Shortley phase)
 * so that 1 / |x - y| = sum_lk |y|^l Y_lk(y) Y_lk(x) / |x|^(l+1): R = r^l Y is the regular, S = Y / r^(l+1) the
 * irregular harmonic, and rotations of a degree are orthogonal matrices. Lengths are in units of the cell's side.
 *
 * Order of coefficients: C_lm at l^2 + m (m = 0…l), S_lm at l^2 + l + m (m = 1…l); nc = (p + 1)^2, padded to `stride`.
 *
 * A translation along any direction is: turn about z by the azimuth, about y by the polar angle (now it is along z),
 * shift along z, turn back: O(p^3) (White and Head-Gordon, J. Chem. Phys. 105, 1996). Turn matrices by the recursion of
 * Ivanic and Ruedenberg (J. Phys. Chem. 100, 1996; correction 102, 1998). */
#ifndef TW_TYPES_NBODY_TABLES_H
#define TW_TYPES_NBODY_TABLES_H
#include <stddef.h>

enum { TW_FMM_MAX_ORDER = 60, TW_FMM_LANES = 16 };

/* A class of translations: all directions with the same polar angle and distance. */
struct tw_fmm_class {
    int rotation, shift; /* indices */
};
/* One term of the gradient: d/d(axis) R_from = … + value R_to, and d/d(axis) S_to = … - value S_from. */
struct tw_fmm_slope {
    int from, to;
    double value;
};
struct tw_fmm_tables {
    int p, nc, stride;
    size_t work; /* doubles of workspace that every kernel may use */
    /* Recurrences: R_mm = diagonal[m] (x, y) R_m-1,m-1; R_lm = a z R_l-1,m - b r^2 R_l-2,m at l (l + 1) / 2 + m. */
    double *diagonal, *a, *b;
    /* Turn about y: for each degree l an (l+1)^2 block for C and an l^2 block for S, row-major, at turn_c[l],
     * turn_s[l]. */
    int nrotations, nshifts, nphi;
    double **rotation;
    int *turn_c, *turn_s;
    /* Shift along z: for each m a (p-m+1)^2 block, rows j = m…p of the result, columns l = m…p, at shift_at[m]. */
    double **shift;
    int *shift_at;
    /* Row numbers: identity, and for the shifts C_m…p,m at order_c[m] and S at order_s[m], p - m + 1 of them. */
    int *identity, **order_c, **order_s;
    double *cosine, *sine; /* of m phi: nphi x (p + 1) */
    struct tw_fmm_slope *slope[3];
    int nslope[3];
    /* M2L: class and azimuth of the vector (i, j, k), each in -3…3, from source to target, at 49 (i+3) + 7 (j+3) +
     * k+3. */
    struct tw_fmm_class m2l[64];
    int nm2l;
    unsigned char m2l_class[343], m2l_phi[343];
    /* M2M and L2L between a parent and its child 4 bx + 2 by + bz (bits: upper half of that axis). */
    struct tw_fmm_class m2m[2], l2l[2];
    unsigned char child_class[8], child_phi[8]; /* direction from the parent's centre to the child's */
};
#endif
