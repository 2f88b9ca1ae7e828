/* Expansions of Yukawa's kernel e^(-kappa r) / r: the harmonics of tables.h times functions of the radius,
 *
 *     A_lk = R_lk f_l(kappa r),   B_lk = S_lk g_l(kappa r),   e^(-kappa |x - y|) / |x - y| = sum_lk A_lk(y) B_lk(x)
 *                                                             for |y| < |x|,
 *
 * f_l(z) = (2 l + 1)!! i_l(z) / z^l and g_l(z) = z^(l+1) k_l(z) / (2 l - 1)!!, with the modified spherical Bessel
 * functions i_l and k_l (k_0(z) = e^-z / z). Both go to 1 for z -> 0: kappa = 0 is Laplace's kernel. Lengths are in
 * units of the cell's side, so that kappa and the translations depend on the level. */
#ifndef TW_KERNELS_NBODY_CPU_YUKAWA_H
#define TW_KERNELS_NBODY_CPU_YUKAWA_H
#include "types/nbody/yukawa.h"

/* kappa: of the level's cells; 0, or -1 without memory (give it back all the same). */
int tw_yukawa_level_make(struct tw_yukawa_level *y, const struct tw_fmm_tables *t, double kappa);
void tw_yukawa_level_free(struct tw_yukawa_level *y, const struct tw_fmm_tables *t);
/* The order with which a translation by two sides leaves out as little as one of order p for kappa = 0, relative to the
 * kernel's own value, or to e^-8 where that is smaller. At most `most`. */
int tw_yukawa_order(int p, double kappa, int most);
/* f_l and g_l for l = 0…p. */
void tw_yukawa_regular(int p, double z, double *f);
void tw_yukawa_irregular(int p, double z, double *g);
/* As tw_fmm_slope_local and tw_fmm_slope_multipole. */
void tw_yukawa_slope_local(const struct tw_fmm_tables *t, double kappa, const double *E, double *const G[3]);
void tw_yukawa_slope_multipole(const struct tw_fmm_tables *t, double kappa, const double *E, double *const G[3]);
#endif
