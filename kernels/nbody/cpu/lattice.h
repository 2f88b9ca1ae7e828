/* What the periodic images of a unit cube beyond its 26 neighbours do to it, for Laplace's kernel. */
#ifndef TW_KERNELS_NBODY_CPU_LATTICE_H
#define TW_KERNELS_NBODY_CPU_LATTICE_H

/* Sums of irregular harmonics over the lattice points beyond the neighbours, made once, in long double. */
struct tw_lattice;
/* For expansions of up to order p; NULL without memory. Give it back. */
struct tw_lattice *tw_lattice_make(int p);
void tw_lattice_free(struct tw_lattice *t);
/* L += the images' potential, from the cube's multipole expansion M (order and layout of tables.h, unit side, centre of
 * the cube). Degree sums 0 and 2 are left out: by symmetry they are no harmonic functions of the place but the part
 * that depends on the boundary at infinity. */
void tw_lattice_apply(const struct tw_lattice *t, int p, const double *M, double *L);
/* The periodic potential of a unit charge and a neutralising background, of average 0 over the unit cube, is, near the
 * charge at distance r, 1 / r + this number + O(r^2): the potential at a charge of its own images
 * (-2.8372974794806...). */
long double tw_lattice_self(void);
/* The sum of 1 / |n| over the 26 neighbours. */
long double tw_lattice_neighbours(void);
#endif
