/* The fast multipole method on a GPU: its data objects and the tasks of its passes, each on all cells or points at
 * once: algorithms/nbody/fmm_gpu.c decides whether a problem goes this way or by groups of cells on CPUs
 * (codelets/nbody/fmm.h). */
#ifndef TW_CODELETS_NBODY_FMM_GPU_H
#define TW_CODELETS_NBODY_FMM_GPU_H
#include "codelets/nbody/series.h"
#include "runtime/data/data.h"
#include "runtime/task/submit.h"
#include "types/nbody/gpu.h"

/* All but the caller's arrays, INFO and FIRST live on the GPU only. */
enum tw_fmm_gpu_object {
    TW_GPU_INFO,
    TW_GPU_TABLES,
    TW_GPU_WIDE_TABLES, /* of a periodic tree's first two levels */
    TW_GPU_LEVELS,      /* Yukawa's translations */
    TW_GPU_XYZ,         /* the caller's sources, */
    TW_GPU_CHARGE,      /* their charges */
    TW_GPU_TARGET_XYZ,  /* and the caller's targets; none where the sources are all targets */
    TW_GPU_ALL_XYZ,     /* sources, then targets, where both are targets */
    TW_GPU_SOURCE_KEY,
    TW_GPU_SOURCE_ORDER,
    TW_GPU_SOURCE,
    TW_GPU_TARGET_KEY, /* this and the next two: none where the sources are all targets */
    TW_GPU_TARGET_ORDER,
    TW_GPU_TARGET,
    TW_GPU_CELL,
    TW_GPU_NEAR,
    TW_GPU_LEAF_TILE,
    TW_GPU_WORK,
    TW_GPU_COUNT,
    TW_GPU_PAIR,
    TW_GPU_MATRIX,
    TW_GPU_MULTIPOLE,
    TW_GPU_LOCAL,
    TW_GPU_FIRST,  /* the expansions of a periodic tree's first two levels */
    TW_GPU_MOMENT, /* of a periodic box */
    TW_GPU_RESULT,
    TW_GPU_POT, /* the caller's results */
    TW_GPU_GRAD,
    TW_GPU_POT_TARGET,
    TW_GPU_GRAD_TARGET,
    TW_GPU_OBJECTS
};
enum tw_fmm_gpu_pass {
    TW_GPU_POINTS, /* box, keys, order, sorted copies */
    TW_GPU_TREE,
    TW_GPU_CHARGES, /* of vector d, into the sorted sources */
    TW_GPU_P2P,
    TW_GPU_M2M, /* and P2M */
    TW_GPU_M2L_ALL,
    TW_GPU_L2L,  /* and P2L */
    TW_GPU_L2P,  /* and M2P */
    TW_GPU_GIVE, /* results of vector d to the caller's arrays */
    TW_FMM_GPU_PASSES
};
struct tw_fmm_gpu {
    struct tw_gpu_fmm f; /* sizes; its pointers are unused */
    int nd, own;         /* charge vectors; how many sources are targets: all or none */
    int adjusts;         /* a periodic box's boundary adds something */
    size_t work_bytes;
    const struct tw_series *series;       /* of a periodic tree's first two levels; NULL for other trees */
    struct tw_gpu_cell first[TW_GPU_TOP]; /* and their cells, as the tree's task told */
    struct tw_data *data[TW_GPU_OBJECTS]; /* NULL: not there */
};

/* ---- fmm_gpu_prepare.c: sizes, and the tables that go to the GPU ------------------------------------------------- */

/* Bytes of the objects TW_GPU_WORK for so many points, TW_GPU_MOMENT, TW_GPU_COUNT and TW_GPU_PAIR: for a tree with so
 * much room for cells, and pair_cells of them at a time. */
size_t tw_fmm_gpu_work_bytes(int points);
size_t tw_fmm_gpu_moment_bytes(void);
size_t tw_fmm_gpu_count_bytes(int cells, size_t pair_cells);
size_t tw_fmm_gpu_pair_bytes(int cells, size_t pair_cells);
/* Bytes of shared memory that a block needs, at most: nf fields of an expansion with so many numbers, or a product's
 * operands. */
size_t tw_fmm_gpu_shared_bytes(int nf, int stride);
/* What a kind's tables are made of: Laplace's and Yukawa's of `tables`, the plane's of `plane`. points: only what
 * points need of them. */
struct tw_fmm_gpu_tables {
    enum tw_gpu_kind kind;
    const struct tw_fmm_tables *tables;
    const struct tw_plane *plane;
    int points;
};
struct tw_gpu_tables tw_fmm_gpu_layout(const struct tw_fmm_gpu_tables *of, size_t *bytes);
void tw_fmm_gpu_fill(const struct tw_fmm_gpu_tables *of, const struct tw_gpu_tables *layout, void *blob);
/* Yukawa's translations, of one level after another. */
size_t tw_fmm_gpu_levels_bytes(const struct tw_gpu_tables *layout, int levels);
void tw_fmm_gpu_levels_fill(const struct tw_gpu_tables *layout, const struct tw_yukawa_level *level, int levels,
                            void *blob);

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

/* g stays valid and unchanged, but for what the tree tells about itself, until the task has run. d: charge vector. gpu:
 * where. */
void tw_task_fmm_gpu(struct tw_sequence *seq, enum tw_fmm_gpu_pass pass, const struct tw_fmm_gpu *g, int d, int gpu,
                     double flops);
/* fmm_first.c: between M2M and L2L, of a periodic tree: the local expansions of the root and its children. */
void tw_task_fmm_first(struct tw_sequence *seq, const struct tw_fmm_gpu *g);
#endif
