/* Translations of expansions in spherical harmonics for the multipole method for any kernel: sorted by class of
 * direction, then by the kernel that turns, shifts and turns back. Kernels whose expansions are harmonics times
 * functions of the radius differ in the shifts only. */
#ifndef TW_CODELETS_NBODY_SERIES_ROTATE_H
#define TW_CODELETS_NBODY_SERIES_ROTATE_H
#include "codelets/nbody/series.h"
#include "kernels/nbody/cpu/nbody_cpu.h"

/* Doubles of workspace for these functions and for four expansions. */
size_t tw_series_rotate_work(const struct tw_fmm_tables *t);
/* M2L. shift: by index of distance, as tables->shift. */
void tw_series_rotate(const struct tw_fmm_tables *t, double *const *shift, int n, const struct tw_series_pair *pair,
                      double *work);
/* M2M or L2L, by their classes of directions; one distance. */
void tw_series_rotate_family(const struct tw_fmm_tables *t, const struct tw_fmm_class class[2], const double *shift,
                             int n, const struct tw_series_pair *pair, double *work);
#endif
