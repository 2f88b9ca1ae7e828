/* What a problem of the multipole method is on a GPU: kinds, the tree as its memory has it, tables, sizes, places. */
#ifndef TW_TYPES_NBODY_GPU_H
#define TW_TYPES_NBODY_GPU_H
#include <stddef.h>
#include <stdint.h>
#include "runtime/base/types.h"

enum {
    TW_GPU_DEPTH = 20, /* deepest level */
    TW_GPU_BITS = 21,  /* of a key, per axis */
    TW_GPU_M2L = 316,  /* directions of M2L, at most; then 8 of M2M and 8 of L2L, by child */
    TW_GPU_WAYS = TW_GPU_M2L + 16,
    TW_GPU_TOP = 9,         /* cells of the first two levels, at most */
    TW_GPU_TILE = 64,       /* targets of a leaf that a warp takes at a time in P2P */
    TW_GPU_PAIR_CELLS = 256 /* cells whose pairs are listed together */
};

enum tw_gpu_kind {
    TW_GPU_LAPLACE, /* 1 / r */
    TW_GPU_YUKAWA,  /* e^(-kappa r) / r */
    TW_GPU_PLANE,   /* log r, in the plane */
    TW_GPU_COUNTING /* 1: for tests, in which every target must receive exactly all sources */
};
enum { TW_GPU_KINDS = TW_GPU_COUNTING + 1 };
/* How the caller gives points: dim numbers each; side > 0: they are moved into this periodic box. */
struct tw_gpu_space {
    enum tw_type type;
    int dim;
    double corner[3], side;
};
/* As struct tw_fmm_cell; children are those of the mask's bits, consecutive from `child` on. mask 0: a leaf. */
struct tw_gpu_cell {
    int level, at[3], parent, child, mask, sbegin, send, tbegin, tend, spare;
};
/* What the host is told about a tree. */
struct tw_gpu_info {
    double corner[3], side, shift[3]; /* of the points less the shift */
    int ncells, depth, level_at[TW_GPU_DEPTH + 3];
    int overflow;                       /* more cells than there is room for */
    int ntiles;                         /* of leaves' targets */
    struct tw_gpu_cell top[TW_GPU_TOP]; /* the root and its children, as the host needs them */
};
/* One piece of a leaf's targets. */
struct tw_gpu_tile {
    int cell, begin;
};

/* The tables of an order, packed for a GPU: numbers, then integers; offsets are in elements. */
struct tw_gpu_tables {
    int p, nc, stride;
    int nm2l; /* directions of M2L */
    int nshifts;
    int half, plane_A[3], plane_in[3], plane_out[3];                    /* of the plane: M2L, M2M, L2L */
    int turn_total, shift_total;                                        /* numbers per rotation, per shift */
    int diagonal, a, b, cosine, sine, rotation, shift, slope_value;     /* in numbers */
    int turn_c, turn_s, shift_at, way, slope_start, slope_from, degree; /* in integers */
    size_t numbers, integers;
    const double *number; /* on the device */
    const int *integer;
};
/* Everything on the device. Points are 4 doubles each: x, y, z, charge (of targets: unused). */
struct tw_gpu_fmm {
    enum tw_gpu_kind kind;
    struct tw_gpu_space space;
    struct tw_gpu_tables t, wide; /* wide: of a periodic tree's first two levels; only what points need */
    double kappa;                 /* Yukawa's */
    int top;                      /* first level with expansions */
    int ns, nt, nf;               /* nf: 1 potential, 1 + dim with the gradient */
    int leaf, few;                /* as in the CPU's tree */
    int quick;                    /* P2P with errors up to 2e-7 of every pair; cells' sides between 1e-70 and 1e70 */
    int cells, tiles;             /* room */
    int ncells, ntiles, depth;    /* known to the host once the tree is made */
    int level_at[TW_GPU_DEPTH + 3];
    struct tw_gpu_info *info;
    struct tw_gpu_cell *cell;
    int *near; /* 27 per cell: what holds the sources at that place beside it; -1 nothing */
    struct tw_gpu_tile *tile;
    uint64_t *skey, *tkey; /* sorted */
    uint32_t *sorder, *torder;
    double *source, *target;
    double *M, *L;  /* stride doubles per cell */
    double *result; /* nf columns of nt, in sorted order */
    double *matrix; /* workspace: dense translations */
    size_t matrix_bytes;
    int *pair, *count;    /* workspace: lists of pairs and their beginnings */
    size_t pair_cells;    /* cells whose M2L pairs have room */
    const double *levels; /* Yukawa's shifts, from level `top` on */
    double *first;        /* periodic: multipole, then local expansions of the first two levels, wide.stride each */
    double *moment;       /* periodic: charge, dipole (3), sum of q |x|^2 about the box's centre; then workspace */
    int tinfoil;          /* the boundary */
    double self;          /* the images' potential at a unit charge, less that of the 26 neighbours */
};
#endif
