/* The interaction lists of a leaf, as codelets/nbody/walk.c defines them, one entry after another and never stored. All
 * lanes of a warp walk together. */
#ifndef TW_KERNELS_NBODY_CUDA_FMM_WALK_CUH
#define TW_KERNELS_NBODY_CUDA_FMM_WALK_CUH
#include "kernels/nbody/cuda/fmm_local.cuh"

/* Where an image of a cell is: roots away, -1, 0 or 1 along each axis. Without periodic boxes always here. */
struct Image {
    int x, y, z;
};
static __device__ __forceinline__ bool operator==(const Image &a, const Image &b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
/* Of what is at place k of cell c's near list. */
template <bool PERIODIC> static __device__ __forceinline__ Image image_at(const struct tw_gpu_cell *c, int k)
{
    if (!PERIODIC) return Image{0, 0, 0};
    return Image{(c->at[0] + k / 9 - 1) >> c->level, (c->at[1] + k / 3 % 3 - 1) >> c->level,
                 (c->at[2] + k % 3 - 1) >> c->level};
}

/* a, and b's image. */
static __device__ __forceinline__ bool touch(const struct tw_gpu_cell *a, const struct tw_gpu_cell *b, const Image &i)
{
    const int at[3] = {b->at[0] + i.x * (1 << b->level), b->at[1] + i.y * (1 << b->level),
                       b->at[2] + i.z * (1 << b->level)};
    const bool first = a->level <= b->level;
    const int s = first ? b->level - a->level : a->level - b->level;
    for (int k = 0; k < 3; k++) {
        const int big = first ? a->at[k] : at[k], small = first ? at[k] : a->at[k];
        if (small + 1 < big * (1 << s) || small > (big + 1) * (1 << s)) return false;
    }
    return true;
}

/* Entry k of 27 of cell c's near list, or -1 where nothing is, or what an earlier entry already named (larger leaves
 * have several). */
template <bool PERIODIC>
static __device__ __forceinline__ int near_once(const struct tw_gpu_cell *c, const int *near, int k)
{
    const int who = near[k];
    for (int j = 0; j < k && who >= 0; j++)
        if (near[j] == who && (!PERIODIC || image_at<PERIODIC>(c, j) == image_at<PERIODIC>(c, k))) return -1;
    return who;
}

template <bool PERIODIC> struct Walk {
    const struct tw_gpu_cell *cell;
    const int *near;
    int few, leaf; /* the leaf */
    int k;         /* next near entry, of the leaf's or, later, of an ancestor's parent's */
    int top, at;   /* below the near cell `top`, at this cell; -1: between near cells */
    int ancestor;  /* -1: not there yet */
    Image image;   /* of what `next` returned */

    __device__ Walk(const struct tw_gpu_cell *cells, const int *nears, int a_few, int a_leaf)
        : cell(cells), near(nears), few(a_few), leaf(a_leaf), k(0), top(-1), at(-1), ancestor(-1), image{0, 0, 0}
    {
    }

    /* To the cell behind `at` in the order of the walk below `top`, not below `at`. */
    __device__ void skip()
    {
        for (;;) {
            const struct tw_gpu_cell *parent = &cell[cell[at].parent];
            if (at + 1 < parent->child + __popc(parent->mask)) {
                at++;
                return;
            }
            at = cell[at].parent;
            if (at == top) {
                at = -1;
                return;
            }
        }
    }

    /* Below a near cell: U (touching leaves) and W (touching parents only); of few points both are summed directly. */
    __device__ int below(bool *expansion)
    {
        while (at >= 0) {
            const int b = at, n = sources_of(&cell[b]);
            if (n > 0 && touch(&cell[leaf], &cell[b], image)) {
                if (!is_leaf(&cell[b])) {
                    at = cell[b].child;
                    continue;
                }
                skip();
                *expansion = false;
                return b;
            }
            skip();
            if (n == 0) continue;
            *expansion = n > few;
            return b;
        }
        return -1;
    }

    /* X: large leaves that touch an ancestor's parent but not the ancestor, if that has too few targets for an
     * expansion. */
    __device__ int above()
    {
        while (cell[ancestor].parent >= 0 && targets_of(&cell[ancestor]) <= few) {
            const struct tw_gpu_cell *parent = &cell[cell[ancestor].parent];
            const int *list = near + (size_t)27 * cell[ancestor].parent;
            while (k < 27) {
                image = image_at<PERIODIC>(parent, k);
                const int b = near_once<PERIODIC>(parent, list, k++);
                if (b >= 0 && is_leaf(&cell[b]) && !touch(&cell[ancestor], &cell[b], image)) return b;
            }
            k = 0;
            ancestor = cell[ancestor].parent;
        }
        return -1;
    }

    /* The next entry: a cell all of whose sources act directly, or (expansion) by its multipole expansion. -1: no
     * more. */
    __device__ int next(bool *expansion)
    {
        *expansion = false;
        for (;;) {
            const int b = below(expansion);
            if (b >= 0) return b;
            if (ancestor >= 0) return above();
            while (k < 27) {
                image = image_at<PERIODIC>(&cell[leaf], k);
                const int who = near_once<PERIODIC>(&cell[leaf], near + (size_t)27 * leaf, k++);
                if (who < 0) continue;
                if (is_leaf(&cell[who])) return who;
                top = who;
                at = cell[who].child;
                break;
            }
            if (at >= 0) continue;
            ancestor = leaf;
            k = 0;
        }
    }
};

/* The centre of a cell's image and 1 / its side. */
struct Place {
    double x, y, z, inverse;
};
static __device__ __forceinline__ Place place_of(const struct tw_gpu_info *info, const struct tw_gpu_cell *c,
                                                 const Image &i)
{
    const double width = info->side / (double)(1 << c->level);
    return Place{info->corner[0] + (c->at[0] + i.x * (1 << c->level) + 0.5) * width,
                 info->corner[1] + (c->at[1] + i.y * (1 << c->level) + 0.5) * width,
                 info->corner[2] + (c->at[2] + i.z * (1 << c->level) + 0.5) * width, 1 / width};
}
#endif
