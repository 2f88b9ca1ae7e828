/* The fast multipole method on one GPU: points come in the caller's order and type, results leave in the same order;
 * tree, lists and expansions are made and stay there.
 *
 *   points    box, keys, order, sorted copies            fmm_points.cu
 *   tree      cells and near lists, level by level       fmm_tree.cu
 *   near      P2P                                        fmm_near.cu
 *   far       P2M, P2L; M2M, M2L, L2L; L2P, M2P          fmm_expand.cu, fmm_translate.cu
 *
 * The tree is the CPU's (codelets/nbody/fmm.h): same cells, same lists, same expansions in the same units. Translations
 * differ: a GPU's fastest unit multiplies matrices, so each of the 316 directions of M2L is one dense matrix, and its
 * pairs of cells go through one product. Sums have a fixed order: results are the same bits in every run.
 *
 * What is summed is a kind; kinds differ in their pairs (fmm_near.cu), in expansions from and at points (fmm_solid.cuh,
 * fmm_plane.cuh) and in their tables. In a periodic tree the root's 26 neighbours are images of itself: lists name the
 * cell, and where it is follows from the place in the list. The root and its children, whose expansions have more terms
 * there, are the CPU's: a few cells. */
#ifndef TW_KERNELS_NBODY_CUDA_FMM_H
#define TW_KERNELS_NBODY_CUDA_FMM_H
#include <stddef.h>
#include <stdint.h>
#include "kernels/nbody/cpu/plane.h"
#include "kernels/nbody/cpu/yukawa.h"
#include "runtime/machine/cuda.h"
#include "types/nbody/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The layout for the tables of an order; the blob has tw_gpu_tables_bytes. translations: 0 if these are not needed. */
struct tw_gpu_tables tw_gpu_tables_layout(const struct tw_fmm_tables *t, int translations);
size_t tw_gpu_tables_bytes(const struct tw_gpu_tables *g);
void tw_gpu_tables_fill(const struct tw_fmm_tables *t, const struct tw_gpu_tables *g, void *blob);
/* The same for the plane's, and for the counting kind (which has none but the ways). */
struct tw_gpu_tables tw_gpu_plane_layout(const struct tw_plane *t);
void tw_gpu_plane_fill(const struct tw_plane *t, const struct tw_gpu_tables *g, void *blob);
struct tw_gpu_tables tw_gpu_counting_layout(void);
void tw_gpu_counting_fill(const struct tw_gpu_tables *g, void *blob);
/* Yukawa's shifts, numbers of one level after another: by index of distance, then M2M's and L2L's. */
size_t tw_gpu_levels_bytes(const struct tw_gpu_tables *g, int levels);
void tw_gpu_levels_fill(const struct tw_gpu_tables *g, const struct tw_yukawa_level *y, int levels, double *to);
/* The same tables at their place on a device. */
struct tw_gpu_tables tw_gpu_tables_at(struct tw_gpu_tables g, const void *blob);

/* All return a kernels/cuda status and only enqueue.
 *
 * The cube around all points into info. work: tw_gpu_box_bytes(). */
size_t tw_gpu_box_bytes(void);
int tw_gpu_box(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *source, int ns, const void *target,
               int nt, struct tw_gpu_info *info, void *work);
/* ns points, then nt others, as one array. */
int tw_gpu_join(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *source, int ns, const void *target,
                int nt, void *to);
/* Keys of points, sorted; order: which was where. work: at least tw_gpu_sort_bytes(n). */
size_t tw_gpu_sort_bytes(int n);
int tw_gpu_sort(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *xyz, int n,
                const struct tw_gpu_info *info, uint64_t *key, uint32_t *order, void *work, size_t bytes);
/* Sorted copies of points less the shift, 4 doubles each. */
int tw_gpu_gather(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *xyz, int n,
                  const struct tw_gpu_info *info, const uint32_t *order, double *to);
/* Their charges: vector d of nd. */
int tw_gpu_charges(const struct tw_cuda *q, enum tw_type type, const void *charge, int nd, int d, int n,
                   const uint32_t *order, double *to);
/* A periodic box's moments of the sorted sources. */
size_t tw_gpu_moment_bytes(void);
int tw_gpu_moments(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* Results back into the caller's order, as tw_fmm3d lays them out: of the targets with original numbers from … from + n
 * - 1. */
int tw_gpu_scatter(const struct tw_cuda *q, const struct tw_gpu_fmm *f, int from, int n, int nd, int d, void *pot,
                   void *grad);

/* The tree into cell, near, tile and info. */
int tw_gpu_tree(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* result = direct sums. */
int tw_gpu_near(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* M of all cells (P2M, M2M); of a periodic tree also the first levels' multipole expansions in `first`: of leaves, and
 * of the root's children that are none. The root's own, and the local ones, are left to the host. */
int tw_gpu_up(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* L of all cells: from well separated cells of their level, then from larger leaves and from parents (P2L, L2L). */
int tw_gpu_m2l(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
int tw_gpu_down(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* result += what expansions say (L2P, M2P). */
int tw_gpu_end(const struct tw_cuda *q, const struct tw_gpu_fmm *f);

/* Bytes of the lists' workspaces count and pair: for a tree with so much room for cells, and pair_cells of them at a
 * time. */
size_t tw_gpu_count_bytes(int cells, size_t pair_cells);
size_t tw_gpu_pair_bytes(int cells, size_t pair_cells);
/* Bytes of shared memory that a block needs, at most: nf fields of an expansion with so many numbers, or a product's
 * operands. */
size_t tw_gpu_shared_bytes(int nf, int stride);
/* Bytes of one dense translation; the workspace `matrix` has room for 8 of them or more. */
size_t tw_gpu_matrix_bytes(const struct tw_gpu_tables *t);
#ifdef __cplusplus
}
#endif
#endif
