/* Lower bounds on a makespan, from the tasks that were submitted and the machine profile.
 *
 * The chain: StarPU orders tasks by their accesses (a reader after the last writer, a writer after the last writer and
 * all readers since), so the earliest end of each task follows from the earliest times of its tiles, kept here by tile.
 * The work: a linear program over kernels and the two kinds of device, whose solution is greedy (kernels go to the
 * cores in the order in which the cores are least bad at them). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/watch/bound.h"
#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/watch/watch.h"

/* One kind of kernel: sums over the tasks submitted. */
struct kind {
    struct tw_seen_kernel kernel;
    uint64_t tasks, ran[2]; /* ran: on CPU, on GPU */
    double flops;
    double cost[2]; /* seconds of all of them alone on a core, on a GPU; INFINITY: it cannot */
    double area;    /* GPU seconds at the GPU's best rate */
    double best;    /* measured / predicted on a core, the smallest */
};
/* One tile: the earliest time at which it is written, and at which all who read that have ended. */
struct tile {
    const void *data;
    double written, read;
    int is_input, is_output;
    double bytes;
};

static struct kind kinds[TW_MAX_KERNELS];
static int nkinds;
static struct tile *tiles; /* a hash table, open addressing */
static size_t ntiles, room;
static double longest;
static int incomplete; /* no memory for a tile: no chain, no bytes */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

void tw_bound_forget(void)
{
    starpu_pthread_mutex_lock(&lock);
    nkinds = 0;
    free(tiles);
    tiles = NULL;
    ntiles = room = 0;
    longest = 0;
    incomplete = 0;
    starpu_pthread_mutex_unlock(&lock);
}

/* ---- costs ------------------------------------------------------------------------------------------------------- */

static double bytes_of(const struct tw_seen_task *t)
{
    double bytes = t->bytes;
    for (int k = 0; k < t->naccess; k++)
        if (t->access[k].object) bytes += t->access[k].bytes;
    return bytes;
}

/* A task with more flops than its order says (several tiles in one) is as efficient as a kernel of those flops. */
static double order_of(enum tw_rate rate, enum tw_type type, double flops, double size)
{
    double unit = tw_profile_flops(rate, type, 1), order = unit > 0 ? cbrt(flops / unit) : 0;
    return fmax(1, fmax(size, order));
}

/* Seconds alone on one core or one GPU, no overhead of any kind. */
static double alone(int is_cuda, enum tw_rate rate, enum tw_type type, double flops, double size, double bytes)
{
    double r;
    if (rate == TW_RATE_MEMORY) {
        r = tw_profile_rate(is_cuda, rate, type, size) * 1e9;
        return r > 0 ? bytes / r : 0;
    }
    r = tw_profile_rate(is_cuda, rate, type, order_of(rate, type, flops, size)) * 1e9;
    return r > 0 ? flops / r : 0;
}

static double gpu_peak(enum tw_type type)
{
    double peak = 0;
    for (int k = 0; k < TW_PROFILE_SIZES; k++) {
        double n = tw_profile_size_cuda[k];
        peak = fmax(peak, fmax(tw_profile_rate(1, TW_RATE_GEMM, type, n), tw_profile_streams(type, n, 4)));
    }
    return peak * 1e9;
}

static struct kind *kind_of(const struct tw_seen_kernel *kernel)
{
    for (int k = 0; k < nkinds; k++)
        if (kinds[k].kernel.id == kernel->id && kinds[k].kernel.type == kernel->type &&
            kinds[k].kernel.second == kernel->second)
            return &kinds[k];
    if (nkinds == TW_MAX_KERNELS) return NULL;
    kinds[nkinds] = (struct kind){.kernel = *kernel, .best = INFINITY};
    return &kinds[nkinds++];
}

/* ---- the chain --------------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct tile *table, size_t size, const void *data)
{
    size_t at = (size_t)(((uintptr_t)data >> 4) * 0x9e3779b97f4a7c15ull >> 20) & (size - 1);
    while (table[at].data && table[at].data != data)
        at = (at + 1) & (size - 1);
    return at;
}

/* In the place of a temporary that was freed: another may get its address. */
static const char gone;

static int grow(void)
{
    size_t bigger = room ? 2 * room : 4096;
    struct tile *table = calloc(bigger, sizeof *table);

    if (!table) return 0;
    ntiles = 0;
    for (size_t k = 0; k < room; k++) {
        if (!tiles[k].data || tiles[k].data == &gone) continue;
        table[slot_of(table, bigger, tiles[k].data)] = tiles[k];
        ntiles++;
    }
    free(tiles);
    tiles = table;
    room = bigger;
    return 1;
}

static struct tile *tile_of(const struct tw_seen_access *a)
{
    const void *data = a->object;
    struct tile *t;

    if (2 * (ntiles + 1) > room && !grow()) {
        incomplete = 1;
        return NULL;
    }
    t = &tiles[slot_of(tiles, room, data)];
    if (!t->data) {
        t->data = data;
        if (a->travels) t->bytes = a->bytes;
        ntiles++;
    }
    return t;
}

void tw_times_freed(const void *data)
{
    struct tile *t;

    if (!tw_times_on()) return;
    starpu_pthread_mutex_lock(&lock);
    if (room && (t = &tiles[slot_of(tiles, room, data)])->data) *t = (struct tile){.data = &gone};
    starpu_pthread_mutex_unlock(&lock);
}

static void chain(const struct tw_seen_task *task, double cost)
{
    double begin = 0, end;

    for (int k = 0; k < task->naccess; k++) {
        const struct tw_seen_access *a = &task->access[k];
        struct tile *t = a->object ? tile_of(a) : NULL;
        if (!t) continue;
        if (a->reads && !t->is_output) t->is_input = 1;
        begin = fmax(begin, a->writes ? fmax(t->written, t->read) : t->written);
    }
    end = begin + cost;
    for (int k = 0; k < task->naccess && !incomplete; k++) {
        const struct tw_seen_access *a = &task->access[k];
        struct tile *t = a->object ? tile_of(a) : NULL;
        if (!t) continue;
        if (!a->writes)
            t->read = fmax(t->read, end);
        else
            t->written = t->read = end, t->is_output = 1;
    }
    longest = fmax(longest, end);
}

void tw_times_submitted(const struct tw_seen_task *t)
{
    const struct tw_seen_kernel *c = &t->kernel;
    double bytes = bytes_of(t), cost[2];
    struct kind *k;

    cost[0] = c->on_cpu && tw_rt.ncpu > 0 ? alone(0, c->rate, c->type, t->flops, t->size, bytes) : INFINITY;
    cost[1] = c->on_gpu && tw_rt.ncuda > 0 ? alone(1, c->rate, c->type, t->flops, t->size, bytes) : INFINITY;
    if (!isfinite(cost[0]) && !isfinite(cost[1])) return; /* no worker can run it: refused at its submission */
    starpu_pthread_mutex_lock(&lock);
    if ((k = kind_of(c))) {
        k->tasks++;
        k->flops += t->flops;
        k->cost[0] += cost[0];
        k->cost[1] += cost[1];
        if (isfinite(cost[1]))
            k->area += c->rate == TW_RATE_MEMORY ? cost[1] : fmin(cost[1], t->flops / gpu_peak(c->type));
    }
    chain(t, fmin(cost[0], cost[1] / tw_gpu_best(c->rate == TW_RATE_MEMORY ? TW_FACTOR_MEMORY : TW_FACTOR_PRODUCTS)));
    starpu_pthread_mutex_unlock(&lock);
}

/* Kernels shorter than this say nothing about a rate. */
#define WORTH_MEASURING 20e-6
void tw_bound_done(int worker, const struct tw_seen_kernel *kernel, double flops, double size, double bytes,
                   double seconds)
{
    int is_cuda = starpu_worker_get_type(worker) == STARPU_CUDA_WORKER;
    double predicted = is_cuda ? 0 : alone(0, kernel->rate, kernel->type, flops, size, bytes);
    struct kind *k;

    starpu_pthread_mutex_lock(&lock);
    if ((k = kind_of(kernel))) {
        k->ran[is_cuda]++;
        /* On a GPU the host sees ends late, so that the next kernel of the stream looks too short: the profile
         * serves. */
        if (predicted > WORTH_MEASURING && seconds > WORTH_MEASURING) k->best = fmin(k->best, seconds / predicted);
    }
    starpu_pthread_mutex_unlock(&lock);
}

/* ---- the work ---------------------------------------------------------------------------------------------------- */

static double cpu_cost(const struct kind *k)
{
    return k->cost[0] * fmin(1, k->best);
}

static int least_bad_on_cpu(const void *a, const void *b)
{
    const struct kind *x = *(const struct kind *const *)a, *y = *(const struct kind *const *)b;
    double left = isfinite(x->cost[1]) ? cpu_cost(x) / x->area : 0,
           right = isfinite(y->cost[1]) ? cpu_cost(y) / y->area : 0;
    return (left > right) - (left < right);
}

static double area_bound(void)
{
    const struct kind *order[TW_MAX_KERNELS];
    double cores = tw_rt.ncpu, on_cpu = 0, on_gpu = 0,
           gpus = fmax(tw_gpu_units(TW_FACTOR_PRODUCTS), tw_gpu_units(TW_FACTOR_MEMORY)); /* in units of the first */

    for (int i = 0; i < nkinds; i++) {
        order[i] = &kinds[i];
        if (isfinite(kinds[i].cost[1]))
            on_gpu += kinds[i].area;
        else
            on_cpu += cpu_cost(&kinds[i]);
    }
    if (gpus == 0) return cores > 0 ? on_cpu / cores : 0;
    if (cores == 0) return on_gpu / gpus;
    qsort(order, (size_t)nkinds, sizeof *order, least_bad_on_cpu);
    for (int i = 0; i < nkinds && on_cpu / cores < on_gpu / gpus; i++) {
        double c = cpu_cost(order[i]), g = order[i]->area, share;
        if (!isfinite(order[i]->cost[1]) || !isfinite(c) || c + g <= 0) continue; /* where it is, it stays */
        share = (on_gpu / gpus - on_cpu / cores) / (c / cores + g / gpus);
        if (share > 1) share = 1;
        on_cpu += share * c;
        on_gpu -= share * g;
    }
    return fmax(on_cpu / cores, on_gpu / gpus);
}

static double path_bound(void)
{
    double fastest = 1;

    if (incomplete) return 0;
    if (tw_rt.ncuda > 0) return longest;
    for (int i = 0; i < nkinds; i++)
        fastest = fmin(fastest, kinds[i].best);
    return longest * fastest;
}

static double transfer_bound(tw_times *t)
{
    double carried[2] = {0}, bandwidth[2] = {0}, in, out;

    for (int i = 0; i < t->links; i++) {
        const tw_link_times *l = &t->link[i];
        int out_of_gpu = l->to < 0;
        if (l->from >= 0 && l->to >= 0) continue;
        carried[out_of_gpu] += (double)l->bytes;
        bandwidth[out_of_gpu] += l->bandwidth;
    }
    in = bandwidth[0] > 0 ? fmin(t->bytes_needed_in, carried[0]) / bandwidth[0] : 0;
    out = bandwidth[1] > 0 ? fmin(t->bytes_needed_out, carried[1]) / bandwidth[1] : 0;
    return fmax(in, out);
}

static int most_flops(const void *a, const void *b)
{
    const tw_kernel_times *x = a, *y = b;
    return (x->flops < y->flops) - (x->flops > y->flops);
}

static void table(tw_times *t)
{
    for (int i = 0; i < nkinds; i++) {
        const struct kind *k = &kinds[i];
        tw_kernel_times *out = &t->kernel[t->kernels++];
        double tasks = k->tasks ? (double)k->tasks : 1;
        const char second[2] = {k->kernel.second ? tw_letter((enum tw_type)(k->kernel.second - 1)) : 0};
        snprintf(out->name, sizeof out->name, "%c%s%s", tw_letter(k->kernel.type), second, k->kernel.name);
        out->cpu_tasks = k->ran[0];
        out->cuda_tasks = k->ran[1];
        out->flops = k->flops;
        out->cpu_seconds = isfinite(k->cost[0]) ? k->cost[0] / tasks : 0;
        out->cuda_seconds = isfinite(k->cost[1]) ? k->cost[1] / tasks : 0;
    }
    qsort(t->kernel, (size_t)t->kernels, sizeof *t->kernel, most_flops);
}

void tw_bound_fill(tw_times *t)
{
    starpu_pthread_mutex_lock(&lock);
    table(t);
    for (size_t k = 0; k < room && !incomplete; k++) {
        if (tiles[k].is_input) t->bytes_needed_in += tiles[k].bytes;
        if (tiles[k].is_output) t->bytes_needed_out += tiles[k].bytes;
    }
    t->area_bound = area_bound();
    t->path_bound = path_bound();
    t->transfer_bound = transfer_bound(t);
    t->bound = fmax(t->area_bound, fmax(t->path_bound, t->transfer_bound));
    starpu_pthread_mutex_unlock(&lock);
}
