/* The fast multipole method on GPUs: points go there as the caller has them, everything else is made there, results come back.
 *
 *   points -> tree -> [the host reads the tree's size] -> P2P ----------------> L2P -> give
 *                                                      \-> P2M, M2M -> M2L -> L2L /
 *
 * A GPU is filled by large tasks: each stage is one, for all cells. With several GPUs, P2P and the expansions go to different ones, and
 * so do charge vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/fmm.h"

int tw_fmm_path_check(void)
{
    static const char *const paths[] = {"auto", "cpu", "gpu"};
    const char *text = getenv("TILEWORK_FMM_PATH");
    if (!text || !*text) return 0;
    for (int k = 0; k < 3; k++)
        if (!strcmp(text, paths[k])) return 0;
    return tw_fail(TW_E_OPTION, "TILEWORK_FMM_PATH=%.40s: expected auto, cpu or gpu", text);
}

#ifdef TILEWORK_CUDA
#include <sys/mman.h>

#include "codelets/nbody/fmm_gpu.h"
#include "codelets/nbody/range.h"
#include "runtime/profile.h"

enum path { AUTO, CPU, GPU };
static enum path asked(void)
{
    const char *text = getenv("TILEWORK_FMM_PATH");
    return text && !strcmp(text, "cpu") ? CPU : text && !strcmp(text, "gpu") ? GPU : AUTO;
}

/* As tw_fmm_leaf, for a GPU, where a translation is a dense product: on an H200 a pair of points takes as long as about 20 of the
 * products' flops, with the gradient 29. */
static int leaf_of(int nc, int nf)
{
    const double pair = nf == 1 ? 20 : 29, leaf = sqrt(8 * 189 * 2.0 * nc * nc / (27 * 0.875 * pair));
    return leaf < 64 ? 64 : (int)leaf;
}

/* ---- is it worth it, is there room? ------------------------------------------------------------------------------------ */

enum { PAIR_CELLS = 65536 };

struct size {
    int ns, nt, own, nf, leaf, nc, stride;
};
static struct size size_of(const struct tw_fmm_problem *q)
{
    struct size z = {.ns = (int)q->source.n, .own = q->pot || q->grad ? (int)q->source.n : 0};
    z.nt = z.own + (q->pottarg || q->gradtarg ? (int)q->target.n : 0);
    z.nf = q->grad || q->gradtarg ? 4 : 1;
    z.nc = (q->order + 1) * (q->order + 1);
    z.stride = (z.nc + 7) & ~7;
    z.leaf = q->leaf ? q->leaf : leaf_of(z.nc, z.nf);
    return z;
}
static int targets_differ(const struct size *z)
{
    return z->nt != z->own;
}
/* Room for cells: splitting where it has just begun to be needed leaves an eighth of a leaf's points in each of them. */
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
static double gpu_bytes(const struct tw_fmm_problem *q, const struct size *z)
{
    const double size = (double)tw_sizeof(q->source.type), ns = z->ns, nt = z->nt, cells = usual_cells(z);
    double bytes = ns * (size * (3 + (double)q->nd) + 12 + 32) + 13 * fmax(ns, nt) +
                   nt * (8 * z->nf + size * z->nf * (double)q->nd);
    if (targets_differ(z)) bytes += nt * (size * 6 + 12 + 32);
    bytes += nt / TW_GPU_TILE * 8 + cells * (sizeof(struct tw_gpu_cell) + 28 * sizeof(int) + 12.0 * z->stride);
    return bytes + (double)matrix_room(z) + (double)tw_gpu_pair_bytes((int)cells, PAIR_CELLS);
}

static double cpu_seconds(const struct tw_fmm_problem *q)
{
    int ncuda;
    const int cores = tw_worker_count(&ncuda) - ncuda;
    const double rate = cores * tw_profile_rate(0, TW_RATE_GEMM, TW_DOUBLE, 32) * 1e9;
    return rate > 0 ? tw_fmm_flops(q) / rate : HUGE_VAL;
}
static double gpu_flops(const struct size *z)
{
    const double pair = z->nf == 1 ? 20 : 29, cells = 2.0 * z->ns / z->leaf;
    return 0.6 * 27 * z->leaf * pair * z->nt + cells * 189 * 2.0 * z->nc * z->nc;
}
static double gpu_seconds(const struct tw_fmm_problem *q, const struct size *z)
{
    const double rate = 0.4 * tw_profile_rate(1, TW_RATE_GEMM, TW_DOUBLE, 2048) * 1e9,
                 bytes = (double)tw_sizeof(q->source.type) *
                         (z->ns * (3 + (double)q->nd) + z->nt * (double)q->nd * (z->nf == 4 ? 4 : 1)),
                 copy = tw_host_copy_speed();
    return 8e-3 + (double)q->nd * gpu_flops(z) / rate + (copy > 0 ? bytes / copy : 0);
}

int tw_fmm_gpu_suits(const struct tw_fmm_problem *q)
{
    const struct size z = size_of(q);
    const double memory = (double)tw_gpu_memory();

    if (tw_gpus() == 0 || asked() == CPU) return 0;
    if ((double)q->source.n + (double)q->target.n > INT32_MAX - 1024 || most_cells(&z) > INT32_MAX) return 0;
    if (memory > 0 && gpu_bytes(q, &z) > 0.85 * memory) return 0;
    return asked() == GPU || tw_reproducible() || gpu_seconds(q, &z) < cpu_seconds(q);
}

/* ---- data objects --------------------------------------------------------------------------------------------------------- */

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
    g->data[o] = tw_data_rectangle((void *)array, m, n, m, tw_sizeof(g->type), -1, -1);
    return g->data[o] ? 0 : TW_E_MEMORY;
}

static int wrap_all(struct tw_fmm_gpu *g, const struct tw_fmm_problem *q, const struct tw_fmm_tables *t, void **tables)
{
    const tw_int ntarget = q->pottarg || q->gradtarg ? q->target.n : 0;
    g->f.t = tw_gpu_tables_layout(t);
    const tw_int bytes = (tw_int)tw_gpu_tables_bytes(&g->f.t);

    if (!(*tables = malloc((size_t)bytes))) return TW_E_MEMORY;
    tw_gpu_tables_fill(t, &g->f.t, *tables);
    g->data[TW_GPU_TABLES] = tw_data_rectangle(*tables, bytes / 4, 1, bytes / 4, 4, -1, -1);
    g->data[TW_GPU_INFO] = tw_data_vector(sizeof(struct tw_gpu_info), 1, (const int[2]){-1, -1});
    if (!g->data[TW_GPU_TABLES] || !g->data[TW_GPU_INFO]) return TW_E_MEMORY;
    return wrap(g, TW_GPU_XYZ, q->source.xyz, 3, q->source.n) ||
                   wrap(g, TW_GPU_CHARGE, q->charge, q->nd, q->source.n) ||
                   wrap(g, TW_GPU_TARGET_XYZ, q->target.xyz, 3, ntarget) ||
                   wrap(g, TW_GPU_POT, q->pot, q->nd, q->source.n) ||
                   wrap(g, TW_GPU_GRAD, q->grad, 3 * q->nd, q->source.n) ||
                   wrap(g, TW_GPU_POT_TARGET, q->pottarg, q->nd, ntarget) ||
                   wrap(g, TW_GPU_GRAD_TARGET, q->gradtarg, 3 * q->nd, ntarget)
               ? TW_E_MEMORY
               : 0;
}

/* What depends on the number of points. */
static int make_points(struct tw_fmm_gpu *g, const struct size *z)
{
    const double ns = z->ns, nt = z->nt, size = (double)tw_sizeof(g->type),
                 work = (double)tw_gpu_sort_bytes((int)fmax(ns, nt));
    int e =
        need(g, TW_GPU_SOURCE_KEY, 8 * ns) || need(g, TW_GPU_SOURCE_ORDER, 4 * ns) || need(g, TW_GPU_SOURCE, 32 * ns);

    g->work_bytes = (size_t)fmax(work, (double)tw_gpu_box_bytes());
    e = e || need(g, TW_GPU_WORK, (double)g->work_bytes);
    if (targets_differ(z))
        e = e || need(g, TW_GPU_TARGET_KEY, 8 * nt) || need(g, TW_GPU_TARGET_ORDER, 4 * nt) ||
            need(g, TW_GPU_TARGET, 32 * nt);
    if (targets_differ(z) && z->own) e = e || need(g, TW_GPU_ALL_XYZ, 3 * size * nt);
    return e ? TW_E_MEMORY : 0;
}

static void drop(struct tw_fmm_gpu *g, enum tw_fmm_gpu_object o)
{
    tw_data_free_later(g->data[o]);
    g->data[o] = NULL;
}

/* ---- tree, stages --------------------------------------------------------------------------------------------------------- */

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
        need(g, TW_GPU_COUNT, (double)tw_gpu_count_bytes(cells, g->f.pair_cells)))
        return TW_E_MEMORY;
    tw_task_fmm_gpu(seq, TW_GPU_TREE, g, 0, 0, 0);
    if (!(info = tw_data_acquire(g->data[TW_GPU_INFO], 'r'))) return TW_E_STARPU;
    g->f.ncells = info->ncells;
    g->f.ntiles = info->ntiles;
    g->f.depth = info->depth;
    memcpy(g->f.level_at, info->level_at, sizeof info->level_at);
    /* Order 14 belongs to 1e-6, of which 2e-7 leave room enough. */
    g->f.quick = g->f.t.p <= 14 && info->side > 1e-70 && info->side < 1e70;
    e = info->overflow;
    tw_data_release(g->data[TW_GPU_INFO]);
    if ((e = tw_loop_status(seq) ? 0 : e) == 0) return 0;
    drop(g, TW_GPU_CELL), drop(g, TW_GPU_NEAR), drop(g, TW_GPU_LEAF_TILE), drop(g, TW_GPU_COUNT);
    return 1;
}

/* Have the system give every page of an array, and change nothing: a GPU's copy into pages that are not there yet runs at 1.4 instead
 * of 17 GB/s, and while the GPU computes the CPUs have nothing to do. */
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
static void populate_results(struct tw_sequence *seq, const struct tw_fmm_problem *q)
{
    const tw_int size = (tw_int)tw_sizeof(q->source.type) * q->nd, ns = q->source.n, nt = q->target.n;
    if (q->pot) tw_range_submit(seq, populate, q->pot, size * ns);
    if (q->grad) tw_range_submit(seq, populate, q->grad, 3 * size * ns);
    if (q->pottarg) tw_range_submit(seq, populate, q->pottarg, size * nt);
    if (q->gradtarg) tw_range_submit(seq, populate, q->gradtarg, 3 * size * nt);
}

static int make_tree(struct tw_sequence *seq, struct tw_fmm_gpu *g, const struct tw_fmm_problem *q,
                     const struct size *z)
{
    int e;
    tw_task_fmm_gpu(seq, TW_GPU_POINTS, g, 0, 0, 0);
    populate_results(seq, q); /* what is computed comes later, in tw_data_forget */
    tw_bring_to(seq, g->data[TW_GPU_CHARGE], 0);
    e = try_tree(seq, g, (int)usual_cells(z));
    if (e == 1) e = try_tree(seq, g, (int)most_cells(z));
    drop(g, TW_GPU_WORK), drop(g, TW_GPU_SOURCE_KEY), drop(g, TW_GPU_TARGET_KEY), drop(g, TW_GPU_ALL_XYZ);
    return e == 1 ? TW_E_INTERNAL : e;
}

/* All stages for charge vector d. */
static int submit_vector(struct tw_sequence *seq, struct tw_fmm_gpu *g, const struct size *z, int d)
{
    const int ngpu = tw_gpus(), far = 2 * d % ngpu, near = (2 * d + 1) % ngpu;
    const double expansions = 8.0 * g->f.ncells * g->f.t.stride,
                 pairs = 0.6 * 27 * z->leaf * (z->nf == 1 ? 20 : 29) * z->nt,
                 translations = 2.0 * z->nc * z->nc * g->f.ncells;

    if (need(g, TW_GPU_MULTIPOLE, expansions) || need(g, TW_GPU_LOCAL, expansions) ||
        need(g, TW_GPU_RESULT, 8.0 * z->nf * z->nt) || need(g, TW_GPU_MATRIX, (double)g->f.matrix_bytes) ||
        need(g, TW_GPU_PAIR, (double)tw_gpu_pair_bytes(g->f.cells, g->f.pair_cells)))
        return TW_E_MEMORY;
    tw_task_fmm_gpu(seq, TW_GPU_CHARGES, g, d, far, 0);
    tw_task_fmm_gpu(seq, TW_GPU_M2M, g, d, far, translations);
    tw_task_fmm_gpu(seq, TW_GPU_M2L_ALL, g, d, far, 189 * translations);
    tw_task_fmm_gpu(seq, TW_GPU_P2P, g, d, near, pairs);
    tw_task_fmm_gpu(seq, TW_GPU_L2L, g, d, far, translations);
    tw_task_fmm_gpu(seq, TW_GPU_L2P, g, d, near, 8.0 * z->nc * z->nf * z->nt);
    tw_task_fmm_gpu(seq, TW_GPU_GIVE, g, d, near, 0);
    drop(g, TW_GPU_MULTIPOLE), drop(g, TW_GPU_LOCAL), drop(g, TW_GPU_RESULT), drop(g, TW_GPU_MATRIX),
        drop(g, TW_GPU_PAIR);
    return 0;
}

void tw_fmm_gpu_loop(struct tw_sequence *seq, const struct tw_fmm_problem *q)
{
    const struct size z = size_of(q);
    struct tw_fmm_gpu g = {.type = q->source.type, .nd = (int)q->nd, .own = z.own};
    const struct tw_fmm_tables *t = tw_fmm_tables_get(q->order);
    void *tables = NULL;
    int e = TW_E_MEMORY;

    g.f.ns = z.ns, g.f.nt = z.nt, g.f.nf = z.nf;
    g.f.leaf = z.leaf;
    g.f.few = z.nc; /* twice the CPU's: pairs cost less beside expansions at points (measured: nc / 4 … 4 nc) */
    g.f.matrix_bytes = matrix_room(&z);
    if (t && !(e = wrap_all(&g, q, t, &tables)) && !(e = make_points(&g, &z)) && !(e = make_tree(seq, &g, q, &z)) &&
        !tw_loop_status(seq))
        for (int d = 0; d < g.nd && !e; d++)
            e = submit_vector(seq, &g, &z, d);
    if (e)
        tw_loop_fail(seq, e, "the fast multipole method with %lld points cannot run on a GPU", (long long)q->source.n);
    tw_loop_wait(seq);
    for (int o = 0; o < TW_GPU_OBJECTS; o++) {
        const int callers = o == TW_GPU_TABLES || o == TW_GPU_XYZ || o == TW_GPU_CHARGE || o == TW_GPU_TARGET_XYZ;
        if (callers || o >= TW_GPU_POT)
            tw_data_forget(g.data[o], !callers);
        else
            tw_data_free_later(g.data[o]);
    }
    free(tables);
    tw_fmm_tables_put(t);
}
#else
int tw_fmm_gpu_suits(const struct tw_fmm_problem *q)
{
    (void)q;
    return 0;
}
void tw_fmm_gpu_loop(struct tw_sequence *seq, const struct tw_fmm_problem *q)
{
    (void)seq, (void)q;
}
#endif
