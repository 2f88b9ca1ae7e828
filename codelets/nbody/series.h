/* A multipole method for any kernel that has expansions: the tasks of its passes, told by a table of functions what a
 * kernel is. Trees and lists are those of codelets/nbody/fmm.h; periodic ones, too.
 *
 * As there, TW_FMM_GROUP cells of a level are one data object of multipole and one of local expansions, and the points
 * of consecutive leaves are a chunk: one data object of sources, one of targets, one of results. Passes that follow
 * each other on the same object are one task:
 *
 *   up     a group's multipole expansions: P2M, M2M
 *   down   a group's local expansions: M2L, P2L, L2L; at the root of a periodic tree what lies beyond its neighbours
 *   near   a chunk's direct sums: P2P
 *   end    added to a chunk's results: M2P, L2P
 *
 * All on CPUs; to GPUs the kernels below go as codelets/nbody/fmm_gpu.h says. */
#ifndef TW_CODELETS_NBODY_SERIES_H
#define TW_CODELETS_NBODY_SERIES_H
#include "codelets/nbody/fmm.h"
#include "types/nbody/yukawa.h"

/* Of kernels/nbody/cpu: points, all pairs, the plane's tables, a lattice's sums. */
struct tw_fmm_points;
struct tw_direct;
struct tw_plane;
struct tw_lattice;

/* One translation, dst += T(src). way: M2L: the target's cell minus the source's, in cells; M2M and L2L: the child's
 * octant, each 0 or 1. */
struct tw_series_pair {
    const double *src;
    double *dst;
    signed char way[3];
};
struct tw_series;
/* Expansions of one charge vector. level: of the cells (of the children, for M2M and L2L); work: s->work doubles.
 * Points: relative to the expansion's cell, in units of its side, as in kernels/nbody/cpu/nbody_cpu.h. Everything is
 * added to what is there. */
struct tw_series_ops {
    void (*p2m)(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *M,
                double *work);
    void (*p2l)(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *q, double *L,
                double *work);
    void (*m2m)(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work);
    void (*m2l)(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work);
    void (*l2l)(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work);
    /* out: s->nf columns: the potential and, if wanted, the components of its gradient. */
    void (*l2p)(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *L,
                double *const *out, double *work);
    void (*m2p)(const struct tw_series *s, int level, const struct tw_fmm_points *p, const double *M,
                double *const *out, double *work);
    void (*p2p)(const struct tw_series *s, const struct tw_direct *d);
    void (*beyond)(const struct tw_series *s, const double *M, double *L); /* periodic trees: root to root */
};
struct tw_series {
    const struct tw_series_ops *ops;
    const void *kernel; /* the functions' own */
    struct tw_fmm_tree tree;
    int nd, nf;                      /* charge vectors; results of each */
    int length[TW_FMM_DEPTH + 2];    /* doubles of an expansion, by level */
    size_t work;                     /* doubles of workspace that the functions need */
    int top;                         /* first level with expansions */
    double flops;                    /* of a translation, for estimates */
    int nchunks, ngroups, *chunk_of; /* by leaf */
    struct tw_fmm_chunk *chunk;
    int group_at[TW_FMM_DEPTH + 2];              /* first group of a level */
    struct tw_data **source, **target, **result; /* by chunk; NULL where there are no points */
    struct tw_data **M, **L;                     /* by group, from level `top` on */
};

static inline int tw_series_group(const struct tw_series *s, int cell)
{
    const int level = s->tree.cell[cell].level;
    return s->group_at[level] + (cell - s->tree.level_at[level]) / TW_FMM_GROUP;
}
/* Cells [*begin, *end) of group g, which belongs to `level`. */
static inline void tw_series_cells(const struct tw_series *s, int level, int g, int *begin, int *end)
{
    *begin = s->tree.level_at[level] + (g - s->group_at[level]) * TW_FMM_GROUP;
    *end = (int)tw_min(*begin + TW_FMM_GROUP, s->tree.level_at[level + 1]);
}

/* What a task reads: ids of chunks of sources, of groups of multipole and of local expansions, each ascending. The ids
 * stay valid until the task has run. */
enum { TW_SERIES_SOURCES, TW_SERIES_M, TW_SERIES_L, TW_SERIES_KINDS };
struct tw_series_uses {
    const int *id; /* of all three, one after the other */
    int at[TW_SERIES_KINDS + 1];
};
void tw_task_series_up(struct tw_sequence *seq, int priority, const struct tw_series *s, int level, int group,
                       struct tw_series_uses uses, double flops);
void tw_task_series_down(struct tw_sequence *seq, int priority, const struct tw_series *s, int level, int group,
                         struct tw_series_uses uses, double flops);
void tw_task_series_near(struct tw_sequence *seq, int priority, const struct tw_series *s, int chunk,
                         struct tw_series_uses uses, double flops);
void tw_task_series_end(struct tw_sequence *seq, int priority, const struct tw_series *s, int chunk,
                        struct tw_series_uses uses, double flops);

/* ---- kernels: each fills in ops, kernel, length, work and flops -------------------------------------------------- */

/* Laplace's, 1 / r. lattice: NULL, or the sums over the images beyond the neighbours, for periodic trees. These need
 * more degrees for the same accuracy (the images' errors do not average out, since all have the same charges), but only
 * in the root and its children: what smaller cells leave out is not seen from that far. */
enum { TW_SERIES_WIDE = 1 };
struct tw_series_laplace {
    const struct tw_fmm_tables *tables; /* of levels > TW_SERIES_WIDE */
    const struct tw_fmm_tables *wide;   /* of the others: the same, or of a higher order */
    const struct tw_lattice *lattice;
};
/* The sums for expansions of an order (at most TW_SERIES_LATTICE_MOST), made at its first use (15 ms for eps 1e-6, 0.1
 * s for 1e-12) and kept: time loops ask again and again. NULL without memory. */
enum { TW_SERIES_LATTICE_MOST = 72 };
const struct tw_lattice *tw_series_lattice(int order);
/* The potential at a unit charge of its images in a unit cube, less that of the 26 neighbours. */
double tw_series_lattice_self(void);
void tw_series_use_laplace(struct tw_series *s, const struct tw_series_laplace *kernel);
/* The logarithm in the plane. Tables of an order: NULL without memory; to be freed. */
struct tw_plane *tw_series_plane_make(int order);
void tw_series_plane_free(struct tw_plane *kernel); /* NULL is allowed */
void tw_series_use_plane(struct tw_series *s, const struct tw_plane *kernel);
/* Yukawa's, e^(-kappa r) / r. */
struct tw_series_yukawa {
    double kappa;
    const struct tw_fmm_tables *tables;
    struct tw_yukawa_level level[TW_FMM_DEPTH + 1];
};
/* The order with which a translation by two sides leaves out as little as one of order p for kappa = 0, relative to the
 * kernel's own value, or to e^-8 where that is smaller. At most `most`. kappa: times the cell's side. */
int tw_series_yukawa_order(int p, double kappa, int most);
/* The translations of a level, whose kappa is set, as the tables are: 0, or -1 without memory. */
int tw_series_yukawa_level(struct tw_series_yukawa *kernel, int level);
/* Gives back tables and levels, if there are any. */
void tw_series_yukawa_free(struct tw_series_yukawa *kernel);
void tw_series_use_yukawa(struct tw_series *s, const struct tw_series_yukawa *kernel);
#endif
