/* The fast multipole method on one GPU: points come in the caller's order and type, results leave in the same order; tree,
 * lists and expansions are made and stay there.
 *
 *   points    box, keys, order, sorted copies            fmm_points.cu
 *   tree      cells and near lists, level by level       fmm_tree.cu
 *   near      P2P                                        fmm_near.cu
 *   far       P2M, P2L; M2M, M2L, L2L; L2P, M2P          fmm_harmonics.cu, fmm_translate.cu
 *
 * The tree is the CPU's (codelets/nbody/fmm.h): same cells, same lists, same expansions in the same units. Translations differ:
 * a GPU's fastest unit multiplies matrices, so each of the 316 directions of M2L is one dense matrix, and its pairs of cells go
 * through one product. Sums have a fixed order: results are the same bits in every run. */
#ifndef TW_KERNELS_NBODY_CUDA_FMM_H
#define TW_KERNELS_NBODY_CUDA_FMM_H
#include <stddef.h>
#include <stdint.h>
#include "kernels/nbody_cpu/tables.h"
#include "runtime/cuda.h"
#include "runtime/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TW_GPU_DEPTH = 20, /* deepest level */
    TW_GPU_BITS = 21,  /* of a key, per axis */
    TW_GPU_M2L = 316,  /* directions of M2L; then 8 of M2M and 8 of L2L, by child */
    TW_GPU_WAYS = TW_GPU_M2L + 16,
    TW_GPU_TILE = 64,       /* targets of a leaf that a warp takes at a time in P2P */
    TW_GPU_PAIR_CELLS = 256 /* cells whose pairs are listed together */
};

/* As struct tw_fmm_cell; children are those of the mask's bits, consecutive from `child` on. mask 0: a leaf. */
struct tw_gpu_cell {
    int level, at[3], parent, child, mask, sbegin, send, tbegin, tend, spare;
};
/* What the host is told about a tree. */
struct tw_gpu_info {
    double corner[3], side;
    int ncells, depth, level_at[TW_GPU_DEPTH + 3];
    int overflow; /* more cells than there is room for */
    int ntiles;   /* of leaves' targets */
};
/* One piece of a leaf's targets. */
struct tw_gpu_tile {
    int cell, begin;
};

/* The tables of an order, packed for a GPU: numbers, then integers; offsets are in elements. */
struct tw_gpu_tables {
    int p, nc, stride;
    int turn_total, shift_total;                                        /* numbers per rotation, per shift */
    int diagonal, a, b, cosine, sine, rotation, shift, slope_value;     /* in numbers */
    int turn_c, turn_s, shift_at, way, slope_start, slope_from, degree; /* in integers */
    size_t numbers, integers;
    const double *number; /* on the device */
    const int *integer;
};
/* The layout for the tables of an order; the blob has tw_gpu_tables_bytes. */
struct tw_gpu_tables tw_gpu_tables_layout(const struct tw_fmm_tables *t);
size_t tw_gpu_tables_bytes(const struct tw_gpu_tables *g);
void tw_gpu_tables_fill(const struct tw_fmm_tables *t, const struct tw_gpu_tables *g, void *blob);
/* The same tables at their place on a device. */
struct tw_gpu_tables tw_gpu_tables_at(struct tw_gpu_tables g, const void *blob);

/* Everything on the device. Points are 4 doubles each: x, y, z, charge (of targets: unused). */
struct tw_gpu_fmm {
    struct tw_gpu_tables t;
    int ns, nt, nf;            /* nf: 1 potential, 4 with the gradient */
    int leaf, few;             /* as in the CPU's tree */
    int quick;                 /* P2P with errors up to 2e-7 of every pair; cells' sides between 1e-80 and 1e80 */
    int cells, tiles;          /* room */
    int ncells, ntiles, depth; /* known to the host once the tree is made */
    int level_at[TW_GPU_DEPTH + 3];
    struct tw_gpu_info *info;
    struct tw_gpu_cell *cell;
    int *near; /* 27 per cell: who holds the sources at that place beside it; -1 nobody */
    struct tw_gpu_tile *tile;
    uint64_t *skey, *tkey; /* sorted */
    uint32_t *sorder, *torder;
    double *source, *target;
    double *M, *L;  /* stride doubles per cell */
    double *result; /* nf columns of nt, in sorted order */
    double *matrix; /* workspace: dense translations */
    size_t matrix_bytes;
    int *pair, *count; /* workspace: lists of pairs and their beginnings */
    size_t pair_cells; /* cells whose M2L pairs have room */
};

/* All return a kernels/cuda status and only enqueue.
 *
 * The cube around all points into info. work: tw_gpu_box_bytes(). */
size_t tw_gpu_box_bytes(void);
int tw_gpu_box(const struct tw_cuda *q, enum tw_type type, const void *source, int ns, const void *target, int nt,
               struct tw_gpu_info *info, void *work);
/* ns points, then nt others, as one array. */
int tw_gpu_join(const struct tw_cuda *q, enum tw_type type, const void *source, int ns, const void *target, int nt,
                void *to);
/* Keys of points, sorted; order: who was where. work: at least tw_gpu_sort_bytes(n). */
size_t tw_gpu_sort_bytes(int n);
int tw_gpu_sort(const struct tw_cuda *q, enum tw_type type, const void *xyz, int n, const struct tw_gpu_info *info,
                uint64_t *key, uint32_t *order, void *work, size_t bytes);
/* Sorted copies of points, 4 doubles each. */
int tw_gpu_gather(const struct tw_cuda *q, enum tw_type type, const void *xyz, int n, const uint32_t *order,
                  double *to);
/* Their charges: vector d of nd. */
int tw_gpu_charges(const struct tw_cuda *q, enum tw_type type, const void *charge, int nd, int d, int n,
                   const uint32_t *order, double *to);
/* Results back into the caller's order, as tw_fmm3d lays them out: of the targets with original numbers from … from + n - 1. */
int tw_gpu_scatter(const struct tw_cuda *q, enum tw_type type, const struct tw_gpu_fmm *f, int from, int n, int nd,
                   int d, void *pot, void *grad);

/* The tree into cell, near, tile and info. */
int tw_gpu_tree(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* result = direct sums. */
int tw_gpu_near(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* M of all cells (P2M, M2M). */
int tw_gpu_up(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* L of all cells: from well separated cells of their level, then from larger leaves and from parents (P2L, L2L). */
int tw_gpu_m2l(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
int tw_gpu_down(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
/* result += what expansions say (L2P, M2P). */
int tw_gpu_end(const struct tw_cuda *q, const struct tw_gpu_fmm *f);

/* Bytes of the lists' workspaces count and pair: for a tree with so much room for cells, and pair_cells of them at a time. */
size_t tw_gpu_count_bytes(int cells, size_t pair_cells);
size_t tw_gpu_pair_bytes(int cells, size_t pair_cells);
/* Bytes of one dense translation; the workspace `matrix` has room for 8 of them or more. */
size_t tw_gpu_matrix_bytes(const struct tw_gpu_tables *t);
#ifdef __cplusplus
}
#endif
#endif
