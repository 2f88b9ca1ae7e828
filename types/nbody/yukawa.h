/* Translations of expansions of Yukawa's kernel (kernels/nbody/cpu/yukawa.h). */
#ifndef TW_TYPES_NBODY_YUKAWA_H
#define TW_TYPES_NBODY_YUKAWA_H
#include "types/nbody/tables.h"

/* The translations of one level, as types/nbody/tables.h lays out its shifts. */
struct tw_yukawa_level {
    double kappa;      /* times the cell's side */
    double **m2l;      /* by index of distance, as tables->shift */
    double *m2m, *l2l; /* between this level and the one above */
};
#endif
