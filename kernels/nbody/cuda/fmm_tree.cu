/* The octree from sorted keys, one level after another; and which cells lie around each cell.
 *
 * Nothing waits for the host: kernels find the level's size on the device, and levels that do not exist cost a few
 * empty launches. near[27 c + k] is what holds the sources at place k = 9 (dx + 1) + 3 (dy + 1) + dz + 1 beside cell
 * c: a cell of its level, a larger leaf, or none (-1). In a periodic tree the root is its own neighbour on all
 * sides. */
#include "kernels/nbody/cuda/fmm_local.cuh"

namespace
{

constexpr int BLOCK = 256, GRID = 2048;

struct Tree {
    struct tw_gpu_cell *cell;
    struct tw_gpu_info *info;
    int *near, *count; /* count: room for one number per cell and one more */
    struct tw_gpu_tile *tile;
    const uint64_t *skey, *tkey;
    int ns, nt, leaf, cells, tiles, periodic;
};

__global__ void root(const Tree t)
{
    struct tw_gpu_cell c = {};
    c.parent = -1;
    c.send = t.ns;
    c.tend = t.nt;
    t.cell[0] = c;
    t.info->ncells = 1;
    t.info->depth = t.info->overflow = t.info->ntiles = 0;
    t.info->level_at[0] = 0;
    for (int k = 1; k < TW_GPU_DEPTH + 3; k++)
        t.info->level_at[k] = 1;
    for (int k = 0; k < 27; k++)
        t.near[k] = (k == 13 || t.periodic) && t.ns > 0 ? 0 : -1;
}

__device__ int lower_bound(const uint64_t *key, int begin, int end, uint64_t x)
{
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (key[middle] < x)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Where the eight parts of a cell's sources and targets begin. */
struct Bounds {
    int s[9], t[9];
};
__device__ void parts(const Tree &t, const struct tw_gpu_cell *c, Bounds *b)
{
    const int shift = 3 * (TW_GPU_BITS - c->level - 1);
    const uint64_t key = c->send > c->sbegin ? t.skey[c->sbegin] : t.tkey[c->tbegin], base = key >> (shift + 3)
                                                                                                        << (shift + 3);

    b->s[0] = c->sbegin, b->s[8] = c->send;
    b->t[0] = c->tbegin, b->t[8] = c->tend;
    for (int k = 1; k < 8; k++) {
        const uint64_t next = base + ((uint64_t)k << shift);
        b->s[k] = lower_bound(t.skey, b->s[k - 1], c->send, next);
        b->t[k] = lower_bound(t.tkey, b->t[k - 1], c->tend, next);
    }
}

/* Which children the cells of a level get, and how many. */
__global__ void __launch_bounds__(BLOCK) split(const Tree t, int level)
{
    const int begin = t.info->level_at[level], end = t.info->level_at[level + 1];
    if (t.info->overflow) return;
    for (int c = begin + blockIdx.x * BLOCK + threadIdx.x; c < end; c += gridDim.x * BLOCK) {
        struct tw_gpu_cell *cell = &t.cell[c];
        int mask = 0;
        if (sources_of(cell) > t.leaf || targets_of(cell) > t.leaf) {
            Bounds b;
            parts(t, cell, &b);
            for (int k = 0; k < 8; k++)
                if (b.s[k + 1] > b.s[k] || b.t[k + 1] > b.t[k]) mask |= 1 << k;
        }
        cell->mask = mask;
        t.count[c - begin] = __popc(mask);
    }
}

__global__ void __launch_bounds__(SCAN) number_children(const Tree t, int level)
{
    struct tw_gpu_info *info = t.info;
    const int begin = info->level_at[level], end = info->level_at[level + 1];
    if (info->overflow || begin == end) return;
    const int total = scan(t.count, end - begin);
    if (threadIdx.x) return;
    if (total > t.cells - end) {
        info->overflow = 1;
        return;
    }
    for (int k = level + 2; k < TW_GPU_DEPTH + 3; k++)
        info->level_at[k] = end + total;
    info->ncells = end + total;
    if (total) info->depth = level + 1;
}

__global__ void __launch_bounds__(BLOCK) make_children(const Tree t, int level)
{
    const int begin = t.info->level_at[level], end = t.info->level_at[level + 1];
    if (t.info->overflow) return;
    for (int c = begin + blockIdx.x * BLOCK + threadIdx.x; c < end; c += gridDim.x * BLOCK) {
        struct tw_gpu_cell *cell = &t.cell[c];
        int to = end + t.count[c - begin];
        Bounds b;
        if (!cell->mask) continue;
        cell->child = to;
        parts(t, cell, &b);
        for (int k = 0; k < 8; k++) {
            struct tw_gpu_cell child = {};
            if (!(cell->mask >> k & 1)) continue;
            child.level = level + 1;
            child.parent = c;
            for (int axis = 0; axis < 3; axis++)
                child.at[axis] = 2 * cell->at[axis] + (k >> (2 - axis) & 1);
            child.sbegin = b.s[k], child.send = b.s[k + 1];
            child.tbegin = b.t[k], child.tend = b.t[k + 1];
            t.cell[to++] = child;
        }
    }
}

/* One thread per cell and place. */
__global__ void __launch_bounds__(BLOCK) find_near(const Tree t, int level)
{
    const int begin = t.info->level_at[level], end = t.info->level_at[level + 1];
    if (t.info->overflow) return;
    for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < (int64_t)(end - begin) * 27;
         i += (int64_t)gridDim.x * BLOCK) {
        const int c = begin + (int)(i / 27), k = (int)(i % 27);
        const struct tw_gpu_cell *cell = &t.cell[c], *parent = &t.cell[cell->parent];
        const int x = cell->at[0] + k / 9 - 1, y = cell->at[1] + k / 3 % 3 - 1, z = cell->at[2] + k % 3 - 1,
                  slot = 9 * ((x >> 1) - parent->at[0] + 1) + 3 * ((y >> 1) - parent->at[1] + 1) + (z >> 1) -
                         parent->at[2] + 1;
        int who = t.near[(size_t)27 * cell->parent + slot];
        if (who >= 0 && !is_leaf(&t.cell[who])) {
            who = child_at(&t.cell[who], (x & 1) << 2 | (y & 1) << 1 | (z & 1));
            if (who >= 0 && sources_of(&t.cell[who]) == 0) who = -1;
        }
        t.near[(size_t)27 * c + k] = who;
    }
}

/* The leaves' targets, piece by piece. */
__global__ void __launch_bounds__(BLOCK) count_tiles(const Tree t)
{
    if (t.info->overflow) return;
    for (int c = blockIdx.x * BLOCK + threadIdx.x; c < t.info->ncells; c += gridDim.x * BLOCK)
        t.count[c] = is_leaf(&t.cell[c]) ? (targets_of(&t.cell[c]) + TW_GPU_TILE - 1) / TW_GPU_TILE : 0;
}
__global__ void __launch_bounds__(SCAN) number_tiles(const Tree t)
{
    if (t.info->overflow) return;
    const int total = scan(t.count, t.info->ncells);
    if (threadIdx.x) return;
    t.info->ntiles = total;
    if (total > t.tiles) t.info->overflow = 1;
}
__global__ void __launch_bounds__(BLOCK) make_tiles(const Tree t)
{
    if (t.info->overflow) return;
    for (int c = blockIdx.x * BLOCK + threadIdx.x; c < t.info->ncells; c += gridDim.x * BLOCK)
        for (int k = t.count[c], i = t.cell[c].tbegin; k < t.count[c + 1]; k++, i += TW_GPU_TILE)
            t.tile[k] = {c, i};
}

/* What the host wants to see of the tree itself. */
__global__ void show_top(const Tree t)
{
    const int c = threadIdx.x;
    if (!t.info->overflow && c < t.info->level_at[2]) t.info->top[c] = t.cell[c];
}

} /* namespace */

extern "C" int tw_gpu_tree(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    const Tree t = {f->cell, f->info, f->near, f->count, f->tile,  f->skey,          f->tkey,
                    f->ns,   f->nt,   f->leaf, f->cells, f->tiles, f->space.side > 0};
    int e = launch(q, 1, 1, 0, root, t);

    for (int level = 0; level < TW_GPU_DEPTH && !e; level++) {
        e = launch(q, GRID, BLOCK, 0, split, t, level);
        if (!e) e = launch(q, 1, SCAN, 0, number_children, t, level);
        if (!e) e = launch(q, GRID, BLOCK, 0, make_children, t, level);
        if (!e) e = launch(q, GRID, BLOCK, 0, find_near, t, level + 1);
    }
    if (!e) e = launch(q, GRID, BLOCK, 0, count_tiles, t);
    if (!e) e = launch(q, 1, SCAN, 0, number_tiles, t);
    if (!e) e = launch(q, 1, TW_GPU_TOP, 0, show_top, t);
    return e ? e : launch(q, GRID, BLOCK, 0, make_tiles, t);
}
