/* Kernels of the multipole method beyond Laplace's in space: of the plane, and Yukawa's. One table per instruction set,
 * like that of kernels.h, and chosen with it. */
#ifndef TW_KERNELS_NBODY_CPU_MORE_H
#define TW_KERNELS_NBODY_CPU_MORE_H
#include "kernels/nbody/cpu/nbody_cpu.h"
#include "kernels/nbody/cpu/plane.h"

struct tw_more_kernels {
    /* All pairs in the plane: pot += sum q log(distance), grad[0…1] its gradient; the third coordinates are ignored. */
    void (*plane_direct)(const struct tw_direct *d);
    /* As p2m and so on of kernels.h, with the tables of plane.h. unit: the cell's side (of l2p and m2p: 1 /
     * points->inverse). */
    void (*plane_p2m)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *q, double *M);
    void (*plane_p2l)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *q, double *L);
    void (*plane_l2p)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *L, double *const *out);
    void (*plane_m2p)(const struct tw_plane *t, const struct tw_fmm_points *s, const double *M, double *const *out);
    /* n translations of one kind. work: TW_PLANE_WORK(t) doubles. */
    void (*plane_translate)(const struct tw_plane *t, const struct tw_plane_kind *kind, int n,
                            const struct tw_plane_pair *pair, double *work);

    /* All pairs with e^(-kappa r) / r. */
    void (*yukawa_direct)(double kappa, const struct tw_direct *d);
    /* p2m, or p2l if irregular; l2p, or m2p if irregular. kappa: times the cell's side. */
    void (*yukawa_from)(const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *s, const double *q,
                        double *E, double *work, int irregular);
    void (*yukawa_at)(const struct tw_fmm_tables *t, double kappa, const struct tw_fmm_points *s, int nf,
                      const double *E, double *const *out, int irregular);
};
const struct tw_more_kernels *tw_nbody_more(void);
#endif
