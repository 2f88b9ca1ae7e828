/* Localized interactions: what the stages of a step share, on CPUs and GPUs.
 *
 * Atoms are sorted into columns (cells in x and y, sorted along z inside) and cut into clusters of 8 neighbours. A
 * cluster's list names the atoms near it, each with the periodic image that is meant: 27 bits of place, 5 of image.
 * Lists are cut into items, the rows of an assignment table: an item is what one vector unit or one warp sums for one
 * cluster, alone; a cluster with more neighbours than an item holds has several, and their sums are added in order.
 *
 * Every pair of atoms is in both atoms' lists, so that nothing is ever added by two at once; but see `once` below.
 * Atoms of the cluster itself and excluded ones are `special`: with a mask of the lanes that do interact.
 *
 * Memory: params (read only), state (atoms in the caller's order), work (sorted copies), parts (lists and sums of a
 * range of clusters), control (what decides; 2 KiB). tw_cut_bind (kernels/md/cut.h) lays them out. */
#ifndef TW_TYPES_MD_CUT_H
#define TW_TYPES_MD_CUT_H
#include <stddef.h>
#include <stdint.h>

enum {
    TW_CUT_LANES = 8,      /* atoms of a cluster */
    TW_CUT_SUMS = 6,       /* of an item and lane: force (3), energies (2), Born */
    TW_CUT_HISTORY = 8,    /* most pairs of vectors that L-BFGS keeps */
    TW_CUT_TOTALS = 64,    /* sums over all atoms, see TW_TOTAL_… */
    TW_CUT_BLOCKS = 264,   /* partial results of these sums */
    TW_CUT_SPECIAL = 256,  /* special entries of an item at most */
    TW_CUT_BUFFER = 2048,  /* plain entries of an item at most */
    TW_CUT_GROUPS = 64,    /* parts at most */
    TW_CUT_LINKS = 31,     /* links of an atom at most: a cluster's special entries fit into one item */
    TW_CUT_ATOMS = 1 << 26 /* places fit into 27 bits, with room for the gaps */
};
enum tw_cut_vdw { TW_CUT_VDW_NONE, TW_CUT_VDW_CUT, TW_CUT_VDW_SHIFT, TW_CUT_VDW_SMOOTH };
enum tw_cut_coulomb { TW_CUT_COULOMB_NONE, TW_CUT_COULOMB_FIELD, TW_CUT_COULOMB_SHIFT };
enum tw_cut_mode { TW_CUT_ENERGY, TW_CUT_VERLET, TW_CUT_DESCENT, TW_CUT_LBFGS };

/* STALE: lists are to be rebuilt before anything else; FULL: they need more room; WIDE: with `once`, a sum would have
 * been rounded: pairs are to be in both lists; BROKEN: an atom left the range of numbers. */
enum tw_cut_state { TW_CUT_RUN, TW_CUT_STALE, TW_CUT_FULL, TW_CUT_WIDE, TW_CUT_DONE, TW_CUT_BROKEN };

enum {
    TW_TOTAL_VDW,
    TW_TOTAL_ELEC,
    TW_TOTAL_LINK,
    TW_TOTAL_KINETIC,
    TW_TOTAL_MOMENTUM,                   /* 3 */
    TW_TOTAL_GD = TW_TOTAL_MOMENTUM + 3, /* gradient times direction, and so on; y = change of the gradient */
    TW_TOTAL_GG,
    TW_TOTAL_DD,
    TW_TOTAL_YY,
    TW_TOTAL_DY,
    TW_TOTAL_GY,
    TW_TOTAL_BASIS,                    /* for each of 2 m basis vectors: with d, y, g */
    TW_TOTAL_FORCE = TW_CUT_TOTALS - 1 /* a maximum: squared force on an atom */
};

struct tw_cut_shape {
    int n, nx, ny;       /* atoms, columns */
    int slots, clusters; /* room for places and clusters (8 places each) */
    int groups, items;   /* parts, and room for items in each */
    uint32_t pool;       /* words for lists in each part */
    int buffer;          /* plain entries of an item <= TW_CUT_BUFFER */
    int nlinks, ntypes;
    double box[3];       /* 0: open */
    double outer, inner; /* radii of the lists and of their pruned copies, >= cutoff */
    /* model */
    int vdw, coulomb, born;
    /* GPU: a pair is in one list only; the reactions of a list on an atom are cut into multiples of two units, whose
     * sums are exact as long as no more than `meets` lists have the atom and the sizes add up to `range` at most. */
    int once;
    double coarse, fine, range, meets;
    double entries; /* of a cluster's list with every pair in both, were the atoms spread evenly */
    int in_places;  /* GPU, Verlet: between lists the state is in the order of places */
    double cutoff;
    double elec, ca, cb, cc; /* Coulomb: elec q q (1/r + ca r^2 + cb r + cc) */
    /* Born: switched off from here; 1 / eps_in; 1 / eps_in - 1 / eps_out; largest radius */
    double on, inverse_in, tau, largest;
    /* motion */
    int mode, history;
    double dt, tolerance, most,
        first;    /* minimisers: largest force at the end; longest way of an atom in a step, first such way */
    double noise; /* relative rounding error of an energy */
};

struct tw_cut_item {
    int cluster, special, plain, next; /* next item of the same cluster, or -1 */
    uint32_t begin;                    /* in the pool: special pairs (entry, mask), then plain entries */
};

struct tw_cut_control {
    int state, go;               /* enum tw_cut_state; go: this iteration's result counts */
    int energy, prune, rebuilds; /* energies are wanted; prune the lists; how often they were built */
    int64_t step, steps;         /* Verlet: steps done, wanted; minimisers: accepted iterations */
    int64_t evaluations;
    int kick, last; /* Verlet: the forces at the beginning of the step complete the one before; no further step */
    int converged, stalled;
    uint64_t moved, hop,
        reach;   /* bits of doubles >= 0, squared: way since the lists were built; in the last move; of d */
    double path; /* since the lists were pruned, at most */
    double total[TW_CUT_TOTALS];
    /* minimisers */
    int started, accept, store, pairs, newest;
    double kept[TW_TOTAL_LINK + 1];                 /* energies where the way began */
    double energy0, force, slope, t, before, scale; /* their sum and the largest force there; steps of the way */
    double gram[2 * TW_CUT_HISTORY + 1][2 * TW_CUT_HISTORY + 1], coefficient[2 * TW_CUT_HISTORY + 1];
};

struct tw_cut_head { /* of the sorted copies */
    int clusters;
    double origin[3], inverse[2], zscale; /* columns' origin, 1 / their sides; keys along z per unit of length */
    unsigned long long low[3], high[3];   /* while being searched for: ordered bits of doubles */
    int moves, blocks; /* in_places: moves since the sort, -1 without one; blocks that are done with the step */
};

struct tw_cut_part {
    int *count; /* items; words of the pool used (as unsigned); 1 if there was no room; 1 if a sum of reactions was
                * rounded; GPU: items begun with by the pruning, Born's sums, the forces, Born's forces */
    int *first; /* of each cluster of the part: its first item or -1 */
    struct tw_cut_item *item;
    int *kept; /* of each item: plain entries of the pruned list */
    uint32_t *pool, *inner;
    void *sum; /* items x TW_CUT_SUMS x TW_CUT_LANES */
};

struct tw_cut {
    struct tw_cut_shape s;
    struct tw_cut_control *control;
    /* params: charge; half the distance of least energy, root of 12 times the depth; 1 / mass; kind of atom for Born;
     * of kinds: Born radius, 1 / radius + own volume, self energy's 1 / (2 eps_out R); of pairs of kinds: 1 / omega, 1
     * / sigma^2, mu^4, V / 8 pi */
    const void *charge, *half, *root, *lightness, *kind, *pair;
    const int *type, *link_first, *link_to;
    const void *link_k, *link_r;
    /* state */
    void *x, *v, *f, *e, *d, *fp, *history; /* e: 3 energies of each atom; history: s of every pair, then y */
    /* work */
    struct tw_cut_head *head;
    /* sorted: x, y, z, charge; vdw: half, root; born: radius, its derivative, then dE/dS */
    void *ref, *sorted, *vdw, *born;
    /* in_places: where the lists began; velocity and 1 / mass; a move's results */
    void *start, *speed, *sorted_next, *speed_next;
    int *types, *atom, *slot, *column;
    float *reaction; /* once: coarse sums x, y, z and how many, of each place; then fine ones, sum of sizes */
    uint64_t *key[2];
    uint32_t *value[2];
    double *partial;
    void *temp; /* GPU: of the sort */
    size_t temp_bytes;
    struct tw_cut_part lone, *part; /* part: groups of them; with one group only &lone, and on GPUs nothing but lone */
};

struct tw_cut_bytes {
    size_t params, state, work, part;
};
/* Clusters of a part: [*from, *to). */
static inline void tw_cut_range(int clusters, int groups, int g, int *from, int *to)
{
    *from = (int)((int64_t)clusters * g / groups);
    *to = (int)((int64_t)clusters * (g + 1) / groups);
}
#endif
