/* Tilework: the multipole method for other kernels and boxes than tw_fmm3d's (tilework/nbody.h): a periodic box, two
 * dimensions, Yukawa's and Stokes' kernels. Included by tilework/nbody.h.
 *
 * Arguments have the meaning, the order and the layout of tw_fmm3d's; what a kernel has beyond them comes behind eps.
 * Errors as there: -i for the i-th argument, TW_E_MEMORY, … The tolerance is the relative error of the potential in the
 * 2-norm over all targets; the gradient's is at most 10 eps. Results are the same bits in every run on one machine.
 * They run on CPUs or on a GPU, by estimates or TILEWORK_FMM_PATH (with gpu: TW_E_NO_WORKER without one). tw_s… take
 * float arrays and compute in double; …_async queue the work: the arrays belong to the library until the sequence has
 * been waited for. */
#ifndef TILEWORK_MULTIPOLE_H
#define TILEWORK_MULTIPOLE_H

#include <tilework/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a periodic box ------------------------------------------------------------------------------------------------
 * u(x) = sum_n sum_j q_j / |x - y_j - n L| over all images n in Z^3 of the cube of side L with the given corner.
 * Sources and targets anywhere: they are moved into the box. A source acts on itself through its images.
 *
 * The sum depends on its order, that is, on what surrounds the crystal:
 *   TW_TINFOIL   a conductor: u is the periodic solution of -div grad u = 4 pi (rho - Q / L^3), of average 0 over the
 *                box. A total charge Q that is not 0 gets a uniform background that neutralises it. What Ewald sums and
 *                particle-mesh codes compute.
 *   TW_VACUUM    nothing: the sum by growing spheres (or cubes), which adds 4 pi / (3 L^3) D . (x - c), where D = sum_j
 *                q_j (y_j - c) is the box's dipole moment, its points moved into it, and c its centre. Not periodic.
 * The energy of the box, sum_j q_j u(y_j) / 2, differs by 2 pi D^2 / (3 L^3). */
enum tw_boundary { TW_TINFOIL, TW_VACUUM };
/* 1e-100 <= side <= 1e100. */
TW_API int tw_fmm3d_periodic(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                             tw_int nsource, const double *source, const double *charge, double *pot, double *grad,
                             tw_int ntarget, const double *target, double *pottarg, double *gradtarg);
TW_API int tw_sfmm3d_periodic(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                              tw_int nsource, const float *source, const float *charge, float *pot, float *grad,
                              tw_int ntarget, const float *target, float *pottarg, float *gradtarg);
TW_API int tw_fmm3d_periodic_async(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                                   tw_int nsource, const double *source, const double *charge, double *pot,
                                   double *grad, tw_int ntarget, const double *target, double *pottarg,
                                   double *gradtarg, tw_sequence *seq);
TW_API int tw_sfmm3d_periodic_async(double eps, enum tw_boundary boundary, const double *corner, double side, tw_int nd,
                                    tw_int nsource, const float *source, const float *charge, float *pot, float *grad,
                                    tw_int ntarget, const float *target, float *pottarg, float *gradtarg,
                                    tw_sequence *seq);
/* The same by Ewald's sum to rounding, in the calling thread: O(nsource (ntarget + 3000)) and slow; a reference for a
 * few targets. pot (ntarget) and grad (3 x ntarget) may be NULL. A target at a source does not feel that source, only
 * its images. */
TW_API int tw_ewald3d(enum tw_boundary boundary, const double *corner, double side, tw_int nsource,
                      const double *source, const double *charge, tw_int ntarget, const double *target, double *pot,
                      double *grad);

/* ---- two dimensions -------------------------------------------------------------------------------------------------
 * u(x) = sum_j q_j log |x - y_j| and its gradient, with source[2 j + k], target[2 j + k] and grad[d + nd (k + 2 j)]. A
 * pair at distance 0 contributes nothing. */
TW_API int tw_fmm2d(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge, double *pot,
                    double *grad, tw_int ntarget, const double *target, double *pottarg, double *gradtarg);
TW_API int tw_sfmm2d(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot,
                     float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg);
TW_API int tw_fmm2d_async(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge,
                          double *pot, double *grad, tw_int ntarget, const double *target, double *pottarg,
                          double *gradtarg, tw_sequence *seq);
TW_API int tw_sfmm2d_async(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot,
                           float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg,
                           tw_sequence *seq);

/* ---- Yukawa's kernel ------------------------------------------------------------------------------------------------
 * u(x) = sum_j q_j e^(-kappa |x - y_j|) / |x - y_j|: the screened Coulomb potential; kappa >= 0, 1 / kappa the
 * screening length. The tolerance holds wherever a target has sources within about 8 / kappa. Beyond, potentials fall
 * off faster than the method's errors: what comes from a distance r is wrong by eps e^(kappa r - 8) of itself, at most
 * by all of it. */
TW_API int tw_yukawa3d(double eps, double kappa, tw_int nd, tw_int nsource, const double *source, const double *charge,
                       double *pot, double *grad, tw_int ntarget, const double *target, double *pottarg,
                       double *gradtarg);
TW_API int tw_syukawa3d(double eps, double kappa, tw_int nd, tw_int nsource, const float *source, const float *charge,
                        float *pot, float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg);
TW_API int tw_yukawa3d_async(double eps, double kappa, tw_int nd, tw_int nsource, const double *source,
                             const double *charge, double *pot, double *grad, tw_int ntarget, const double *target,
                             double *pottarg, double *gradtarg, tw_sequence *seq);
TW_API int tw_syukawa3d_async(double eps, double kappa, tw_int nd, tw_int nsource, const float *source,
                              const float *charge, float *pot, float *grad, tw_int ntarget, const float *target,
                              float *pottarg, float *gradtarg, tw_sequence *seq);

/* ---- Stokes flow ----------------------------------------------------------------------------------------------------
 * The velocity and pressure that forces f_j at y_j cause, with r = x - y_j and no constant in front:
 *
 *     velocity(x) = sum_j f_j / |r| + (f_j . r) r / |r|^3          (times 1 / (8 pi mu))
 *     pressure(x) = sum_j f_j . r / |r|^3                          (times 1 / (4 pi))
 *
 * force and velocity are nd x 3 x n (force[d + nd (k + 3 j)]), nd <= 256; pressure is nd x n; results may be NULL. The
 * tolerance is the velocity's; the pressure's is 10 eps. Four calls of tw_fmm3d in one, on GPUs where that does so. */
TW_API int tw_stokes3d(double eps, tw_int nd, tw_int nsource, const double *source, const double *force,
                       double *velocity, double *pressure, tw_int ntarget, const double *target, double *velocitytarg,
                       double *pressuretarg);
TW_API int tw_sstokes3d(double eps, tw_int nd, tw_int nsource, const float *source, const float *force, float *velocity,
                        float *pressure, tw_int ntarget, const float *target, float *velocitytarg, float *pressuretarg);
TW_API int tw_stokes3d_async(double eps, tw_int nd, tw_int nsource, const double *source, const double *force,
                             double *velocity, double *pressure, tw_int ntarget, const double *target,
                             double *velocitytarg, double *pressuretarg, tw_sequence *seq);
TW_API int tw_sstokes3d_async(double eps, tw_int nd, tw_int nsource, const float *source, const float *force,
                              float *velocity, float *pressure, tw_int ntarget, const float *target,
                              float *velocitytarg, float *pressuretarg, tw_sequence *seq);

#ifdef __cplusplus
}
#endif
#endif
