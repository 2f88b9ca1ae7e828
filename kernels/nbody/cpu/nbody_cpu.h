/* What the tasks of the N-body routines compute on a CPU. Every file of this room but *_common.c is compiled for each
 * precision and instruction set (cmake/Family.cmake); tw_nbody_cpu() gives the table that suits this CPU. */
#ifndef TW_KERNELS_NBODY_CPU_NBODY_CPU_H
#define TW_KERNELS_NBODY_CPU_NBODY_CPU_H
#include "kernels/nbody/cpu/tables.h"

/* All pairs of targets and sources; element type of the table's precision. Adds to the results:
 *   pot  += sum_j q_j / sqrt(r^2 + soft2)      grad += its gradient with respect to the target
 * A pair whose r^2 is below the smallest normal number adds nothing. pot and grad[0] may be NULL. */
struct tw_direct {
    const void *target[3], *source[4]; /* x, y, z and, of sources, the charge */
    void *pot, *grad[3];
    int nt, ns;
    double soft2;
};
typedef void (*tw_direct_fn)(const struct tw_direct *d);

/* A translation of one expansion: dst += T(src). phi: index of the direction's azimuth in tables->phi. */
struct tw_fmm_pair {
    const double *src;
    double *dst;
    int phi;
};
/* Points for the expansion kernels: coordinates, the cell's centre, 1 / its side. */
struct tw_fmm_points {
    const double *x, *y, *z;
    int n;
    double centre[3], inverse;
};

struct tw_nbody_kernels {
    tw_direct_fn direct[2]; /* float, double */
    /* n translations of one class: same polar angle and distance. work: tables->work doubles. */
    void (*translate)(const struct tw_fmm_tables *t, const double *rotation, const double *shift, int n,
                      const struct tw_fmm_pair *pairs, double *work);
    /* Expansions from charges q: multipole (M += sum q R(x)), local (L += sum q S(x)). work as above. */
    void (*p2m)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, const double *q, double *M, double *work);
    void (*p2l)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, const double *q, double *L, double *work);
    /* Values of nf expansions (1: the potential; 4: and the three components of its gradient), already scaled:
     * out[f][i] += sum_k E[f][k] R_k(x_i), or S_k for m2p. E[f] begins f * stride doubles behind E. */
    void (*l2p)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, int nf, const double *E,
                double *const *out);
    void (*m2p)(const struct tw_fmm_tables *t, const struct tw_fmm_points *s, int nf, const double *E,
                double *const *out);
};
/* Those of tw_isa(). */
const struct tw_nbody_kernels *tw_nbody_cpu(void);
#endif
