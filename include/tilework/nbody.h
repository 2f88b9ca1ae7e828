/* Tilework: N-body interactions, all pairs and by a fast multipole method.
 *
 * Everywhere the potential of charges (or masses) q_j at y_j, and its gradient with respect to the target, are
 *
 *     u(x) = sum_j q_j / |x - y_j|          grad u(x) = -sum_j q_j (x - y_j) / |x - y_j|^3
 *
 * with no constant in front. Gravity: the acceleration at x is G grad u, the potential energy of m is -G m u.
 * Electrostatics: the force on a charge q is -k q grad u. A pair at distance 0 (or so close that the squared distance
 * is not a normal number: 1.5e-154 in double, 1e-19 in float) contributes nothing, so that sources may be targets. In
 * the plane, where the logarithm of a small distance is a modest number, every pair at a distance that is not 0 counts.
 *
 * Coordinates are at most 1e150 in size (float: 1e18). */
#ifndef TILEWORK_NBODY_H
#define TILEWORK_NBODY_H

#include <tilework/matrix.h>
#include <tilework/cutoff.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- all pairs on particles in matrices -------------------------------------------------------------------------
 * Particles are rows of a TW_FLOAT or TW_DOUBLE matrix: columns x, y, z and, of sources, the charge. Tiles of particles
 * are the matrix's tiles; a task computes what the particles of one tile do to those of another. CPU and GPU bodies.
 *
 *   sources    n x 4 (or more columns: ignored), n >= 0
 *   targets    m x 3 (or more columns), or NULL: the sources themselves
 *   result     m x 1: u;  m x 3: grad u;  m x 4: u and grad u. Overwritten.
 *   softening  epsilon >= 0: 1 / sqrt(r^2 + epsilon^2) instead of 1 / r (Plummer's softening)
 *
 * All have the same type and the same nb, at least the number of columns. Sums run over the sources in their order,
 * tile by tile: the same bits in every run on one kind of worker. Numbers are not checked: a NaN makes what depends on
 * it NaN, an infinite coordinate makes gradients NaN. Returns 0, -i, TW_E_… */
TW_API int tw_nbody_direct(double softening, tw_matrix *sources, tw_matrix *targets, tw_matrix *result);
TW_API int tw_nbody_direct_async(double softening, tw_matrix *sources, tw_matrix *targets, tw_matrix *result,
                                 tw_sequence *seq);

/* The same with a kernel of the user's (CPU only): called for each pair of tiles, it adds what ns sources do to nt
 * targets.
 *   target, source  tile of the targets' and of the sources' matrix: element (i, k) at [i + k * ld]
 *   result          tile of the result, all its columns; zero before the first call
 *   first_target, first_source   row numbers of the tiles in the whole matrices
 * Called by several threads at once, for different tiles. Returns 0, or a code < 0 that ends the routine. */
typedef int (*tw_nbody_kernel)(const void *user, enum tw_type type, tw_int first_target, int nt, const void *target,
                               int ld_target, tw_int first_source, int ns, const void *source, int ld_source,
                               void *result, int ld_result);
TW_API int tw_nbody_pairs(tw_nbody_kernel kernel, const void *user, tw_matrix *sources, tw_matrix *targets,
                          tw_matrix *result);
/* user must stay valid until the sequence has been waited for. */
TW_API int tw_nbody_pairs_async(tw_nbody_kernel kernel, const void *user, tw_matrix *sources, tw_matrix *targets,
                                tw_matrix *result, tw_sequence *seq);

/* A kernel of the user's for GPUs, too: an object made of such a C function and of CUDA source that says what one
 * source does to one target. The source defines
 *
 *     __device__ void tw_pair(tw_index i, const tw_real *target, tw_index j, const tw_real *source, tw_real *result,
 *                             const void *user)
 *
 * which adds to `result`; tw_real is float or double, by the object's type, tw_index a 64-bit integer. i and j are row
 * numbers in the whole matrices (the same particle, where targets are the sources: i == j); target and source point to
 * the first target_columns and source_columns elements of these rows, result to result_columns sums. Pairs are shared
 * among threads, so that sums begin at zero several times and are added: the function must only add. It may use CUDA's
 * device functions (sqrt, exp, …), but no headers.
 *
 * The source is compiled here, by NVRTC (CUDA's libnvrtc, opened when it is first needed: by the loader's path, in
 * $CUDA_HOME/lib64, $CUDA_PATH/lib64 or /usr/local/cuda/lib64, or the file TILEWORK_NVRTC), and loaded into every GPU
 * in use; the library starts itself for that. On a machine without GPUs it is only checked, by libraries built with
 * CUDA and where there is an NVRTC. With both a C function and CUDA source, tasks run where they end soonest; they
 * should compute the same.
 *
 *   type                 TW_FLOAT or TW_DOUBLE: of the matrices
 *   …_columns            1 to 16; matrices may have more columns but for the result, which has exactly so many
 *   kernel               NULL: on GPUs only
 *   cuda                 NULL: on CPUs only
 *   user, user_bytes     parameters, at most 1024 bytes, copied; both functions get a copy's address. 0 bytes: the C
 *                        function gets `user` as it is, the CUDA function the address of nothing
 *
 * Errors: -i; TW_E_FORMAT: the source does not compile (the compiler's words, with line numbers, are the last message);
 * TW_E_UNSUPPORTED: there are GPUs but no NVRTC; TW_E_MEMORY; TW_E_DEVICE. */
typedef struct tw_nbody_function tw_nbody_function;
TW_API int tw_nbody_function_create(tw_nbody_function **function, enum tw_type type, int target_columns,
                                    int source_columns, int result_columns, tw_nbody_kernel kernel, const char *cuda,
                                    const void *user, size_t user_bytes);
/* No routine that uses it may be under way. NULL is allowed. */
TW_API int tw_nbody_function_destroy(tw_nbody_function *function);
/* As tw_nbody_pairs. TW_E_NO_WORKER: no C function, and no GPU in use. In the reproducible mode GPUs compute all of it,
 * if there are any. */
TW_API int tw_nbody_apply(tw_nbody_function *function, tw_matrix *sources, tw_matrix *targets, tw_matrix *result);
TW_API int tw_nbody_apply_async(tw_nbody_function *function, tw_matrix *sources, tw_matrix *targets, tw_matrix *result,
                                tw_sequence *seq);

/* ---- the fast multipole method in three dimensions -----------------------------------------------------------------
 * O(n) for any distribution, by an adaptive octree and expansions in solid harmonics (after FMM3D's lfmm3d; the
 * arguments are in its order).
 *
 *   eps                 tolerance, 1e-14 <= eps < 1: relative error, in the 2-norm over all targets, of the potential;
 *                       the gradient's is at most 10 eps. Reached for eps >= 1e-12 (below, rounding decides).
 *   nd                  charge vectors >= 1, all at the same places
 *   source, charge      3 x nsource, nd x nsource, column-major: source[3 j + k], charge[nd j + d]
 *   pot, grad           results at the sources: nd x nsource, nd x 3 x nsource (grad[d + nd (k + 3 j)]); either or both
 *                       NULL
 *   target              3 x ntarget; may be NULL if ntarget is 0
 *   pottarg, gradtarg   results at the targets, in the same way
 *
 * Coordinates and charges that are not finite, or coordinates beyond the limit above: -4, -5 or -9, the last message
 * saying which number it is. At most 2^30 points of each kind. Returns 0, -i, TW_E_MEMORY, … The same bits in every run
 * on one machine. */
TW_API int tw_fmm3d(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge, double *pot,
                    double *grad, tw_int ntarget, const double *target, double *pottarg, double *gradtarg);
/* Single precision arrays; computed in double, the results rounded. */
TW_API int tw_sfmm3d(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot,
                     float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg);
/* The arrays belong to the library until the sequence has been waited for. */
TW_API int tw_fmm3d_async(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge,
                          double *pot, double *grad, tw_int ntarget, const double *target, double *pottarg,
                          double *gradtarg, tw_sequence *seq);
TW_API int tw_sfmm3d_async(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot,
                           float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg,
                           tw_sequence *seq);

/* ---- particles, and how they move -----------------------------------------------------------------------------------
 * n particles: position x[3 i + k], velocity v[3 i + k], charge or mass q[i]. */
typedef struct tw_particles {
    tw_int n;
    double *x, *v, *q;
} tw_particles;
/* Made by a recipe (particle i depends on i, n and seed only); total mass 1 but for `uniform`:
 *   uniform      in the unit cube, at rest, charges in (-1, 1)
 *   sphere       on the unit sphere's surface, at rest
 *   plummer      Plummer's model of scale 1 in equilibrium for G = 1 (Aarseth, Henon, Wielen 1974), cut at 10 scales
 *   collision    two of them, 6 apart and 1.5 aside, approaching each other
 * On failure p is empty. TW_E_OPTION: no such kind; -3: n < 0; TW_E_MEMORY. */
TW_API int tw_particles_generate(tw_particles *p, const char *kind, tw_int n, uint64_t seed);
/* From a file: XYZ (a line with the number of particles, a comment, then "name x y z [charge [vx vy vz]]") or CSV with
 * a header line that has the columns x, y, z and, optionally, one of q, charge, m, mass, and vx, vy, vz. No charge: 1.
 * No velocity: 0. All numbers must be finite. TW_E_IO, TW_E_FORMAT (file and line in the last message), TW_E_MEMORY. */
TW_API int tw_particles_read(const char *path, tw_particles *p);
/* To a file: XYZ if the name ends in .xyz, else CSV; 17 digits, so that reading gives the same particles. */
TW_API int tw_particles_write(const char *path, const tw_particles *p);
TW_API void tw_particles_free(tw_particles *p);

typedef struct tw_motion {
    double g; /* acceleration = g grad u: G for gravity, negative for charges of one sign that repel (mass = |q|) */
    double softening; /* of the direct sum; must be 0 with the fast multipole method */
    double eps;       /* 0: all pairs; else the fast multipole method with this tolerance */
    double dt;        /* time step */
    tw_int start;     /* number of the step at which the particles are: 0, or what a checkpoint says */
} tw_motion;
typedef struct tw_motion_state {
    tw_int step;
    double time, kinetic, potential; /* sum q v^2 / 2; -g sum q u / 2 */
    double momentum[3], angular[3];  /* sum q v, sum q x times v */
} tw_motion_state;
/* Called with step `start` before the first step, and after every step; not 0 ends the motion, which returns it. */
typedef int (*tw_motion_report)(void *user, const tw_particles *p, const tw_motion_state *state);
/* Leapfrog (velocity Verlet): `steps` steps of kick, drift, kick; symplectic, time-reversible. q are masses. report may
 * be NULL. Errors: -i, TW_E_MEMORY, …; TW_E_STATE when a position is no longer a finite number within the limits. */
TW_API int tw_leapfrog(tw_particles *p, const tw_motion *motion, tw_int steps, tw_motion_report report, void *user);
/* A checkpoint: everything a motion needs to go on as if it had never stopped, with the same bits. Binary, for machines
 * of one byte order, with a checksum; written under another name and renamed, so that there is never half of one.
 * `step` becomes `start`. Reading makes new particles (on failure none). -i; TW_E_IO, TW_E_MEMORY; TW_E_FORMAT: not a
 * checkpoint, or a damaged one. */
TW_API int tw_motion_save(const char *path, const tw_particles *p, const tw_motion *motion, tw_int step);
TW_API int tw_motion_load(const char *path, tw_particles *p, tw_motion *motion);

#ifdef __cplusplus
}
#endif

#include <tilework/multipole.h>
#endif
