/* Particles in files and by recipe. */
#ifndef TW_IO_NBODY_PARTICLES_H
#define TW_IO_NBODY_PARTICLES_H
#include <tilework/nbody.h>
#include "io/io.h"

/* Room for n particles at rest; positions and charges undefined. On failure p is empty. */
int tw_particles_alloc(tw_particles *p, const char *what, tw_int n);
/* XYZ or CSV, by content. atoms: without charges they are 0, not 1, and a mass is no charge. On failure p is empty. */
int tw_particles_parse(struct tw_reader *r, int atoms, tw_particles *p);
#endif
