/* Making and using the numbers behind expansions of an order (types/nbody/tables.h). */
#ifndef TW_KERNELS_NBODY_CPU_TABLES_H
#define TW_KERNELS_NBODY_CPU_TABLES_H
#include "types/nbody/tables.h"

/* Tables of order p; NULL without memory. */
struct tw_fmm_tables *tw_fmm_tables_make(int p);
void tw_fmm_tables_free(struct tw_fmm_tables *t); /* NULL is allowed */

/* Coefficients of the three components of the gradient of an expansion E (stride doubles), in the same units: G[axis].
 * Of a local expansion (degree p - 1), or of a multipole one (truncated at degree p). */
void tw_fmm_slope_local(const struct tw_fmm_tables *t, const double *E, double *const G[3]);
void tw_fmm_slope_multipole(const struct tw_fmm_tables *t, const double *E, double *const G[3]);
#endif
