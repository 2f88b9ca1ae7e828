/* The fast multipole method on GPUs: points go there as the caller has them, everything else is made there, results
 * come back.
 *
 *   points -> tree -> [the host reads the tree's size] -> P2P ----------------> L2P -> give
 *                                                      \-> P2M, M2M -> M2L -> L2L /
 *
 * A GPU is filled by large tasks: each pass is one, for all cells. With several GPUs, P2P and the expansions go to
 * different ones, and so do charge vectors. Of a periodic tree the first two levels are one task of a CPU between M2M
 * and L2L. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "algorithms/nbody/fmm_gpu.h"
#include "codelets/range.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/place.h"

enum path { AUTO, CPU, GPU }; /* as TILEWORK_FMM_PATH's words */

static enum path asked(void)
{
    int path = AUTO;
    (void)tw_variable_word(TW_TILEWORK_FMM_PATH, &path); /* checked when the call began */
    return (enum path)path;
}

/* Not here: the CPUs', or, where that was not asked for, an error. */
static int elsewhere(struct tw_sequence *seq, const struct tw_gpu_problem *q, int code, const char *why)
{
    if (asked() != GPU) return 0;
    tw_loop_fail(seq, code, "%s: TILEWORK_FMM_PATH=gpu, but %s", q->routine, why);
    return code;
}

/* ---- is it worth it, is there room? ------------------------------------------------------------------------------ */

enum { PAIR_CELLS = 65536 };

struct size {
    int ns, nt, own, nf, leaf, nc, stride;
    double pair; /* a pair of points: as long as so many of the products' flops (Laplace's: measured on an H200) */
    double near, separated; /* cells in lists */
    double translation;     /* flops */
};

/* As tw_fmm_leaf, for a GPU, where a translation is a dense product. Small leaves, of the plane above all, leave lanes
 * idle. */
static int leaf_of(const struct size *z, int children)
{
    const double leaf = sqrt(children * z->separated * z->translation / (z->near * (1 - 1.0 / children) * z->pair));
    const int least = children == 4 ? 150 : 64; /* measured */
    return leaf < least ? least : (int)leaf;
}

static struct size size_of(const struct tw_gpu_problem *q)
{
    static const double pair[TW_GPU_KINDS][2] = {[TW_GPU_LAPLACE] = {20, 29},
                                                 [TW_GPU_YUKAWA] = {60, 70},
                                                 [TW_GPU_PLANE] = {70, 90},
                                                 [TW_GPU_COUNTING] = {20, 20}};
    const int plane = q->kind == TW_GPU_PLANE, gradient = q->grad || q->gradtarg;
    struct size z = {.ns = (int)q->ns, .own = q->pot || q->grad ? (int)q->ns : 0};

    z.nt = z.own + (q->pottarg || q->gradtarg ? (int)q->nt : 0);
    z.nf = gradient ? 1 + q->space.dim : 1;
    z.nc = plane ? 2 * ((q->order + 8) & ~7) : (q->order + 1) * (q->order + 1);
    z.stride = (z.nc + 7) & ~7;
    z.pair = pair[q->kind][gradient];
    z.near = plane ? 9 : 27;
    z.separated = plane ? 27 : 189;
    z.translation = 2.0 * z.nc * (plane ? 80 : z.nc); /* rows of the product's blocks */
    z.leaf = q->leaf ? q->leaf : leaf_of(&z, plane ? 4 : 8);
    return z;
}
static int targets_differ(const struct size *z)
{
    return z->nt != z->own;
}
/* Room for cells: splitting where it has just begun to be needed leaves an eighth of a leaf's points in each of
 * them. */
static double usual_cells(const struct size *z)
{
    return 4096 + 10.0 * fmax(z->ns, z->nt) / z->leaf;
}
/* No tree has more: a level's inner cells have more than `leaf` points each. */
static double most_cells(const struct size *z)
{
    return 4096 + 8.0 * TW_GPU_DEPTH * ((double)z->ns + z->nt) / z->leaf;
}
static size_t matrix_room(const struct size *z)
{
    const size_t one = (size_t)(z->stride + 80) * (size_t)z->stride * sizeof(double);
    const size_t all = TW_GPU_M2L * one, enough = (size_t)1 << 29;
    return all < enough ? all : enough > 8 * one ? enough : 8 * one;
}

/* Bytes on a GPU, with expansions for three quarters of the cells. */
static double gpu_bytes(const struct tw_gpu_problem *q, const struct size *z)
{
    const double size = (double)tw_sizeof(q->space.type), dim = q->space.dim, ns = z->ns, nt = z->nt,
                 cells = usual_cells(z);
    double bytes = ns * (size * (dim + (double)q->nd) + 12 + 32) + 13 * fmax(ns, nt) +
                   nt * (8 * z->nf + size * z->nf * (double)q->nd);
    if (targets_differ(z)) bytes += nt * (size * 2 * dim + 12 + 32);
    bytes += nt / TW_GPU_TILE * 8 + cells * (sizeof(struct tw_gpu_cell) + 28 * sizeof(int) + 12.0 * z->stride);
    return bytes + (double)matrix_room(z) + (double)tw_fmm_gpu_pair_bytes((int)cells, PAIR_CELLS);
}

/* Measured on a Xeon with an H200. On CPUs one thread sorts in part and plans; on GPUs launches are what does not
 * depend on the size, of 40 instead of 316 ways in the plane. */
static const struct tw_place_row usual = {.name = "fmm",
                                          .cpu_object = 5e-8,
                                          .cpu_share = 1,
                                          .cpu_order = 32,
                                          .gpu_start = 8e-3,
                                          .gpu_share = 0.4,
                                          .gpu_order = 2048,
                                          .several = 1,
                                          .both_slower = 1},
                                 usual_plane = {.name = "fmm_plane",
                                                .cpu_object = 5e-8,
                                                .cpu_share = 1,
                                                .cpu_order = 32,
                                                .gpu_start = 3e-3,
                                                .gpu_share = 0.4,
                                                .gpu_order = 2048,
                                                .several = 1,
                                                .both_slower = 1};
__attribute__((constructor)) static void known(void)
{
    tw_place_register(&usual);
    tw_place_register(&usual_plane);
}

static double gpu_flops(const struct tw_gpu_problem *q, const struct size *z)
{
    const double cells = 2.0 * z->ns / z->leaf, levels = 1 + log2(1.0 + (double)z->ns / z->leaf) / 3;
    double flops = 0.6 * z->near * z->leaf * z->pair * z->nt + cells * z->separated * z->translation;
    if (q->kind == TW_GPU_YUKAWA) /* each level has matrices of its own, made element by element */
        flops += levels * TW_GPU_M2L * 4 * z->translation * q->order;
    return flops;
}
static int faster_on_gpu(const struct tw_gpu_problem *q, const struct size *z)
{
    const struct tw_place_row *row = tw_place_row(q->kind == TW_GPU_PLANE ? &usual_plane : &usual);
    const double copy = tw_host_copy_speed(),
                 bytes = (double)tw_sizeof(q->space.type) *
                         (z->ns * (q->space.dim + (double)q->nd) + z->nt * (double)q->nd * z->nf);
    int ncuda;
    const int cores = tw_worker_count(&ncuda) - ncuda;
    const struct tw_place_work here = {.type = TW_DOUBLE,
                                       .units = cores,
                                       .flops = q->cpu_flops,
                                       .objects = fmax(z->ns, z->nt)},
                               there = {.type = TW_DOUBLE,
                                        .units = 1,
                                        .flops = (double)q->nd * gpu_flops(q, z),
                                        .seconds = copy > 0 ? bytes / copy : 0};

    return tw_place_choose(row, tw_place_seconds(row, 0, &here), tw_place_seconds(row, 1, &there), 0) == TW_PLACE_GPU;
}

int tw_gpu_way(struct tw_sequence *seq, const struct tw_gpu_problem *q)
{
    const struct size z = size_of(q);
    const double memory = (double)tw_gpu_memory(), need = gpu_bytes(q, &z);
    const int most = q->most_order > q->order ? q->most_order : q->order;
    const size_t shared =
        tw_fmm_gpu_shared_bytes(z.nf, q->kind == TW_GPU_PLANE ? z.stride : ((most + 1) * (most + 1) + 7) & ~7);
    char text[128];
    int ncuda;

    if (asked() == CPU) return 0;
    if (tw_gpus() == 0) return elsewhere(seq, q, TW_E_NO_WORKER, "no GPU is in use");
    snprintf(text, sizeof text, "that needs %zu bytes of shared memory in a block, and it has %zu", shared,
             tw_gpu_shared());
    if (shared > tw_gpu_shared()) return elsewhere(seq, q, TW_E_DEVICE, text);
    if (q->first && tw_worker_count(&ncuda) == ncuda)
        return elsewhere(seq, q, TW_E_NO_WORKER, "a periodic box needs a CPU, too, and none is in use");
    if ((double)z.ns + z.nt > INT32_MAX - 1024 || most_cells(&z) > INT32_MAX)
        return elsewhere(seq, q, TW_E_MEMORY, "there are more points than its numbers allow");
    snprintf(text, sizeof text, "that needs %.0f MB of a GPU's memory, of which %.0f MB may be used", need * 1e-6,
             0.85 * memory * 1e-6);
    if (memory > 0 && need > 0.85 * memory) return elsewhere(seq, q, TW_E_MEMORY, text);
    return asked() == GPU || tw_reproducible() || faster_on_gpu(q, &z);
}

/* ---- data objects ------------------------------------------------------------------------------------------------ */

/* Room for so many bytes, on the GPU only. */
static struct tw_data *room(double bytes)
{
    const int rows = 4096;
    return tw_data_tile(TW_DOUBLE, rows, (int)(bytes / (8.0 * rows)) + 1);
}
static int need(struct tw_fmm_gpu *g, enum tw_fmm_gpu_object o, double bytes)
{
    return (g->data[o] = room(bytes)) ? 0 : TW_E_MEMORY;
}
/* `n` rows of m of the caller's numbers. Nothing to do for none. */
static int wrap(struct tw_fmm_gpu *g, enum tw_fmm_gpu_object o, const void *array, tw_int m, tw_int n)
{
    if (!array || n == 0) return 0;
    g->data[o] = tw_data_rectangle((void *)array, m, n, m, tw_sizeof(g->f.space.type), -1, -1);
    return g->data[o] ? 0 : TW_E_MEMORY;
}

static int wrap_arrays(struct tw_fmm_gpu *g, const struct tw_gpu_problem *q)
{
    const tw_int ntarget = q->pottarg || q->gradtarg ? q->nt : 0, dim = q->space.dim;

    g->data[TW_GPU_INFO] = tw_data_vector(sizeof(struct tw_gpu_info), 1, (const int[2]){-1, -1});
    if (!g->data[TW_GPU_INFO]) return TW_E_MEMORY;
    return wrap(g, TW_GPU_XYZ, q->source, dim, q->ns) || wrap(g, TW_GPU_CHARGE, q->charge, q->nd, q->ns) ||
                   wrap(g, TW_GPU_TARGET_XYZ, q->target, dim, ntarget) || wrap(g, TW_GPU_POT, q->pot, q->nd, q->ns) ||
                   wrap(g, TW_GPU_GRAD, q->grad, dim * q->nd, q->ns) ||
                   wrap(g, TW_GPU_POT_TARGET, q->pottarg, q->nd, ntarget) ||
                   wrap(g, TW_GPU_GRAD_TARGET, q->gradtarg, dim * q->nd, ntarget)
               ? TW_E_MEMORY
               : 0;
}

/* A block of memory that goes to the GPU; `blob` is given back at the end. */
static int wrap_blob(struct tw_fmm_gpu *g, enum tw_fmm_gpu_object o, void **blob, size_t bytes)
{
    if (!(*blob = malloc(bytes))) return TW_E_MEMORY;
    g->data[o] = tw_data_rectangle(*blob, (tw_int)(bytes / 4), 1, (tw_int)(bytes / 4), 4, -1, -1);
    return g->data[o] ? 0 : TW_E_MEMORY;
}
enum { TABLES, WIDE, LEVELS, BLOBS };

static int wrap_tables(struct tw_fmm_gpu *g, const struct tw_gpu_problem *q, void *blob[BLOBS])
{
    const struct tw_fmm_gpu_tables all = {q->kind, q->tables, q->plane, 0}, wide = {TW_GPU_LAPLACE, q->wide, NULL, 1};
    size_t bytes;

    g->f.t = tw_fmm_gpu_layout(&all, &bytes);
    if (wrap_blob(g, TW_GPU_TABLES, &blob[TABLES], bytes)) return TW_E_MEMORY;
    tw_fmm_gpu_fill(&all, &g->f.t, blob[TABLES]);
    if (q->first) g->f.wide = g->f.t;
    if (!q->first || !q->wide) return 0;
    g->f.wide = tw_fmm_gpu_layout(&wide, &bytes);
    if (wrap_blob(g, TW_GPU_WIDE_TABLES, &blob[WIDE], bytes)) return TW_E_MEMORY;
    tw_fmm_gpu_fill(&wide, &g->f.wide, blob[WIDE]);
    return 0;
}

/* With the tree: Yukawa's translations. */
static int wrap_levels(struct tw_sequence *seq, struct tw_fmm_gpu *g, struct tw_gpu_problem *q, void *blob[BLOBS])
{
    const struct tw_yukawa_level *level;
    int e, n;

    if (!q->levels) return 0;
    if ((e = q->levels(seq, q, g->f.depth, &g->f.top, &level))) return e;
    if ((n = g->f.depth - g->f.top + 1) <= 0) return 0;
    if (wrap_blob(g, TW_GPU_LEVELS, &blob[LEVELS], tw_fmm_gpu_levels_bytes(&g->f.t, n))) return TW_E_MEMORY;
    tw_fmm_gpu_levels_fill(&g->f.t, level, n, blob[LEVELS]);
    return 0;
}

/* What depends on the number of points. */
static int make_points(struct tw_fmm_gpu *g, const struct size *z)
{
    const double ns = z->ns, nt = z->nt, size = (double)tw_sizeof(g->f.space.type);
    int e =
        need(g, TW_GPU_SOURCE_KEY, 8 * ns) || need(g, TW_GPU_SOURCE_ORDER, 4 * ns) || need(g, TW_GPU_SOURCE, 32 * ns);

    g->work_bytes = tw_fmm_gpu_work_bytes(z->ns > z->nt ? z->ns : z->nt);
    e = e || need(g, TW_GPU_WORK, (double)g->work_bytes);
    if (targets_differ(z))
        e = e || need(g, TW_GPU_TARGET_KEY, 8 * nt) || need(g, TW_GPU_TARGET_ORDER, 4 * nt) ||
            need(g, TW_GPU_TARGET, 32 * nt);
    if (targets_differ(z) && z->own) e = e || need(g, TW_GPU_ALL_XYZ, g->f.space.dim * size * nt);
    if (g->f.space.side > 0) e = e || need(g, TW_GPU_MOMENT, (double)tw_fmm_gpu_moment_bytes());
    return e ? TW_E_MEMORY : 0;
}

static void drop(struct tw_fmm_gpu *g, enum tw_fmm_gpu_object o)
{
    tw_data_free_later(g->data[o]);
    g->data[o] = NULL;
}

/* ---- tree, passes ------------------------------------------------------------------------------------------------ */

/* Make the tree with room for so many cells, and learn its size: 0, 1 if there is not enough room, or an error. */
static int try_tree(struct tw_sequence *seq, struct tw_fmm_gpu *g, int cells)
{
    struct tw_gpu_info *info;
    int e;

    g->f.cells = cells;
    g->f.tiles = g->f.nt / TW_GPU_TILE + cells;
    g->f.pair_cells = cells < PAIR_CELLS ? (size_t)cells : PAIR_CELLS;
    if (need(g, TW_GPU_CELL, (double)cells * sizeof(struct tw_gpu_cell)) ||
        need(g, TW_GPU_NEAR, 27.0 * cells * sizeof(int)) ||
        need(g, TW_GPU_LEAF_TILE, (double)g->f.tiles * sizeof(struct tw_gpu_tile)) ||
        need(g, TW_GPU_COUNT, (double)tw_fmm_gpu_count_bytes(cells, g->f.pair_cells)))
        return TW_E_MEMORY;
    tw_task_fmm_gpu(seq, TW_GPU_TREE, g, 0, 0, 0);
    if (!(info = tw_data_acquire(g->data[TW_GPU_INFO], 'r'))) return TW_E_STARPU;
    g->f.ncells = info->ncells;
    g->f.ntiles = info->ntiles;
    g->f.depth = info->depth;
    memcpy(g->f.level_at, info->level_at, sizeof info->level_at);
    memcpy(g->first, info->top, sizeof info->top);
    /* Order 14 belongs to 1e-6, of which 2e-7 leave room enough. */
    g->f.quick = g->f.t.p <= 14 && info->side > 1e-70 && info->side < 1e70;
    e = info->overflow;
    tw_data_release(g->data[TW_GPU_INFO]);
    if ((e = tw_loop_status(seq) ? 0 : e) == 0) return 0;
    drop(g, TW_GPU_CELL), drop(g, TW_GPU_NEAR), drop(g, TW_GPU_LEAF_TILE), drop(g, TW_GPU_COUNT);
    return 1;
}

/* Have the system give every page of an array, and change nothing: a GPU's copy into pages that are not there yet runs
 * at 1.4 instead of 17 GB/s, and while the GPU computes the CPUs have nothing to do. */
static void populate(void *array, int part, tw_int begin, tw_int end)
{
    char *p = array;
    (void)part;
#ifdef MADV_POPULATE_WRITE
    const uintptr_t page = 4096, first = ((uintptr_t)p + (uintptr_t)begin) & ~(page - 1),
                    last = ((uintptr_t)p + (uintptr_t)end + page - 1) & ~(page - 1);
    if (madvise((void *)first, last - first, MADV_POPULATE_WRITE) == 0) return; /* Linux 5.14 */
#endif
    for (tw_int k = begin; k < end; k += 4096)
        __atomic_fetch_or(p + k, 0, __ATOMIC_RELAXED);
}
static void populate_results(struct tw_sequence *seq, const struct tw_gpu_problem *q)
{
    const tw_int size = (tw_int)tw_sizeof(q->space.type) * q->nd, ns = q->ns, nt = q->nt, dim = q->space.dim;
    if (q->pot) tw_range_submit(seq, populate, q->pot, size * ns);
    if (q->grad) tw_range_submit(seq, populate, q->grad, dim * size * ns);
    if (q->pottarg) tw_range_submit(seq, populate, q->pottarg, size * nt);
    if (q->gradtarg) tw_range_submit(seq, populate, q->gradtarg, dim * size * nt);
}

/* What has to know the side of the tree. */
static int choose(struct tw_sequence *seq, struct tw_fmm_gpu *g, struct tw_gpu_problem *q)
{
    const struct tw_gpu_info *info;
    double side;

    if (!(info = tw_data_acquire(g->data[TW_GPU_INFO], 'r'))) return TW_E_STARPU;
    side = info->side;
    tw_data_release(g->data[TW_GPU_INFO]);
    return tw_loop_status(seq) ? 0 : q->choose(q, side);
}

/* What follows from the order. */
static int settle(struct tw_fmm_gpu *g, const struct tw_gpu_problem *q, struct size *z, void *blob[BLOBS])
{
    *z = size_of(q);
    g->f.leaf = z->leaf;
    g->f.few = z->nc; /* twice the CPU's: pairs cost less beside expansions at points (measured: nc / 4 … 4 nc) */
    if (q->kind == TW_GPU_COUNTING) g->f.few = 4;
    g->f.matrix_bytes = matrix_room(z);
    return wrap_tables(g, q, blob);
}

static int make_tree(struct tw_sequence *seq, struct tw_fmm_gpu *g, struct tw_gpu_problem *q, struct size *z,
                     void *blob[BLOBS])
{
    int e = q->choose ? 0 : settle(g, q, z, blob);

    if (e) return e;
    tw_task_fmm_gpu(seq, TW_GPU_POINTS, g, 0, 0, 0);
    populate_results(seq, q); /* what is computed comes later, in tw_data_forget */
    tw_bring_to(seq, g->data[TW_GPU_CHARGE], 0);
    if (q->choose) {
        if ((e = choose(seq, g, q)) || tw_loop_status(seq)) return e;
        if ((e = settle(g, q, z, blob))) return e;
    }
    e = try_tree(seq, g, (int)usual_cells(z));
    if (e == 1) e = try_tree(seq, g, (int)most_cells(z));
    drop(g, TW_GPU_WORK), drop(g, TW_GPU_SOURCE_KEY), drop(g, TW_GPU_TARGET_KEY), drop(g, TW_GPU_ALL_XYZ);
    if (!e && !tw_loop_status(seq)) e = wrap_levels(seq, g, q, blob);
    return e == 1 ? TW_E_INTERNAL : e;
}

/* All passes for charge vector d. */
static int submit_vector(struct tw_sequence *seq, struct tw_fmm_gpu *g, const struct size *z, int d)
{
    const int ngpu = tw_gpus(), far = 2 * d % ngpu, near = (2 * d + 1) % ngpu;
    const double expansions = 8.0 * g->f.ncells * g->f.t.stride, pairs = 0.6 * z->near * z->leaf * z->pair * z->nt,
                 translations = z->translation * g->f.ncells;
    const size_t first = 2 * TW_GPU_TOP * (size_t)g->f.wide.stride;

    if (need(g, TW_GPU_MULTIPOLE, expansions) || need(g, TW_GPU_LOCAL, expansions) ||
        need(g, TW_GPU_RESULT, 8.0 * z->nf * z->nt) || need(g, TW_GPU_MATRIX, (double)g->f.matrix_bytes) ||
        need(g, TW_GPU_PAIR, (double)tw_fmm_gpu_pair_bytes(g->f.cells, g->f.pair_cells)))
        return TW_E_MEMORY;
    if (g->series && !(g->data[TW_GPU_FIRST] = tw_data_vector(first, sizeof(double), (const int[2]){-1, -1})))
        return TW_E_MEMORY;
    tw_task_fmm_gpu(seq, TW_GPU_CHARGES, g, d, far, 0);
    tw_task_fmm_gpu(seq, TW_GPU_M2M, g, d, far, translations);
    if (g->series) tw_task_fmm_first(seq, g);
    tw_task_fmm_gpu(seq, TW_GPU_M2L_ALL, g, d, far, z->separated * translations);
    tw_task_fmm_gpu(seq, TW_GPU_P2P, g, d, near, pairs);
    tw_task_fmm_gpu(seq, TW_GPU_L2L, g, d, far, translations);
    tw_task_fmm_gpu(seq, TW_GPU_L2P, g, d, near, 8.0 * z->nc * z->nf * z->nt);
    tw_task_fmm_gpu(seq, TW_GPU_GIVE, g, d, near, 0);
    drop(g, TW_GPU_MULTIPOLE), drop(g, TW_GPU_LOCAL), drop(g, TW_GPU_RESULT), drop(g, TW_GPU_MATRIX),
        drop(g, TW_GPU_PAIR), drop(g, TW_GPU_FIRST);
    return 0;
}

void tw_gpu_loop(struct tw_sequence *seq, struct tw_gpu_problem *q)
{
    struct size z = size_of(q);
    struct tw_fmm_gpu g = {.nd = (int)q->nd, .own = z.own, .adjusts = q->first && q->tinfoil >= 0, .series = q->first};
    void *blob[BLOBS] = {NULL};
    int e;

    g.f.kind = q->kind, g.f.space = q->space, g.f.kappa = q->kappa;
    g.f.tinfoil = q->tinfoil, g.f.self = q->self;
    g.f.top = q->first ? 1 : 2;
    g.f.ns = z.ns, g.f.nt = z.nt, g.f.nf = z.nf;
    if (!(e = wrap_arrays(&g, q)) && !(e = make_points(&g, &z)) && !(e = make_tree(seq, &g, q, &z, blob)) &&
        !tw_loop_status(seq))
        for (int d = 0; d < g.nd && !e; d++)
            e = submit_vector(seq, &g, &z, d);
    if (e) tw_loop_fail(seq, e, "the fast multipole method with %lld points cannot run on a GPU", (long long)q->ns);
    tw_loop_wait(seq);
    for (int o = 0; o < TW_GPU_OBJECTS; o++) {
        const int callers = o == TW_GPU_TABLES || o == TW_GPU_WIDE_TABLES || o == TW_GPU_LEVELS || o == TW_GPU_XYZ ||
                            o == TW_GPU_CHARGE || o == TW_GPU_TARGET_XYZ;
        if (callers || o >= TW_GPU_POT)
            tw_data_forget(g.data[o], !callers);
        else
            tw_data_free_later(g.data[o]);
    }
    for (int k = 0; k < BLOBS; k++)
        free(blob[k]);
}
