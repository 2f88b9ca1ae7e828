/* Counters: tasks, flops and bytes, per worker and in all. */
#include <stdio.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/account.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/watch/watch.h"

struct counter {
    _Atomic uint64_t tasks;
    _Atomic double flops, busy;
};
static struct counter counters[STARPU_NMAXWORKERS];
static _Atomic double submitted;
static uint64_t bus[3];     /* to GPU, from GPU, between GPUs; StarPU's own counters restart at each reading */
static struct tw_bus links; /* the same by pair of nodes, never reset */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

static void add(_Atomic double *to, double what)
{
    double old = atomic_load_explicit(to, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(to, &old, old + what, memory_order_relaxed, memory_order_relaxed)) {}
}

void tw_counters_submitted(double flops)
{
    add(&submitted, flops);
}

void tw_counters_done(int worker, double flops, double seconds)
{
    atomic_fetch_add_explicit(&counters[worker].tasks, 1, memory_order_relaxed);
    add(&counters[worker].flops, flops);
    add(&counters[worker].busy, seconds);
}

void tw_counters_helped(int worker, double seconds)
{
    add(&counters[worker].busy, seconds);
}

static void read_bus(void)
{
    for (int b = 0; b < starpu_bus_get_count(); b++) {
        struct starpu_profiling_bus_info info;
        if (starpu_bus_get_profiling_info(b, &info) != 0) continue;
        const int src = starpu_bus_get_src(b), dst = starpu_bus_get_dst(b);
        const int from = starpu_node_get_kind((unsigned)src) == STARPU_CUDA_RAM;
        const int to = starpu_node_get_kind((unsigned)dst) == STARPU_CUDA_RAM;
        links.bytes[src][dst] += (uint64_t)info.transferred_bytes;
        links.transfers[src][dst] += (uint64_t)info.transfer_count;
        if (from && to)
            bus[2] += (uint64_t)info.transferred_bytes;
        else if (to)
            bus[0] += (uint64_t)info.transferred_bytes;
        else if (from)
            bus[1] += (uint64_t)info.transferred_bytes;
    }
}

void tw_counters_carried(unsigned from, unsigned to, uint64_t bytes)
{
    const int out = starpu_node_get_kind(from) == STARPU_CUDA_RAM, in = starpu_node_get_kind(to) == STARPU_CUDA_RAM;

    if (!out && !in) return;
    starpu_pthread_mutex_lock(&lock);
    links.bytes[from][to] += bytes;
    links.transfers[from][to]++;
    bus[out && in ? 2 : out] += bytes;
    starpu_pthread_mutex_unlock(&lock);
}

void tw_counters_bus(struct tw_bus *copy)
{
    starpu_pthread_mutex_lock(&lock);
    read_bus();
    *copy = links;
    starpu_pthread_mutex_unlock(&lock);
}

void tw_counters_init(void)
{
    tw_counters_reset();
}

void tw_counters_reset(void)
{
    TW_INSIDE int refused = tw_begin_asking();
    starpu_pthread_mutex_lock(&lock);
    if (!refused) read_bus();
    memset(bus, 0, sizeof bus);
    starpu_pthread_mutex_unlock(&lock);
    for (int w = 0; w < STARPU_NMAXWORKERS; w++) {
        atomic_store(&counters[w].tasks, 0);
        atomic_store(&counters[w].flops, 0.0);
        atomic_store(&counters[w].busy, 0.0);
    }
    atomic_store(&submitted, 0.0);
    tw_stages_reset();
    tw_account_clear();
}

int tw_counters_get(tw_counters *c)
{
    if (!c) return tw_illegal("tw_counters_get", 1, "NULL");
    memset(c, 0, sizeof *c);
    TW_INSIDE int refused = tw_begin_asking();
    if (refused) return refused == TW_E_STATE ? 0 : refused; /* nothing was done since the last stop */
    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        uint64_t tasks = atomic_load(&counters[w].tasks);
        double flops = atomic_load(&counters[w].flops);
        c->tasks += tasks;
        c->flops += flops;
        if (starpu_worker_get_type((int)w) == STARPU_CUDA_WORKER)
            c->cuda_tasks += tasks, c->cuda_flops += flops;
        else
            c->cpu_tasks += tasks, c->cpu_flops += flops;
    }
    c->flops_submitted = atomic_load(&submitted);
    starpu_pthread_mutex_lock(&lock);
    read_bus();
    c->bytes_to_gpu = bus[0];
    c->bytes_from_gpu = bus[1];
    c->bytes_gpu_to_gpu = bus[2];
    starpu_pthread_mutex_unlock(&lock);
    return 0;
}

int tw_worker_reports(tw_worker_report *r, int max)
{
    int cpu = 0, gpu = 0;
    TW_INSIDE int refused = tw_begin_asking();
    if (refused) return 0;
    for (int w = 0; w < (int)starpu_worker_get_count(); w++) {
        int cuda = starpu_worker_get_type(w) == STARPU_CUDA_WORKER, index = cuda ? gpu++ : cpu++;
        if (!r || w >= max) continue;
        memset(&r[w], 0, sizeof r[w]);
        if (cuda)
            snprintf(r[w].name, sizeof r[w].name, "GPU %d stream %d", starpu_worker_get_devid(w), index);
        else
            snprintf(r[w].name, sizeof r[w].name, "CPU %d", index);
        r[w].is_cuda = cuda;
        r[w].tasks = atomic_load(&counters[w].tasks);
        r[w].flops = atomic_load(&counters[w].flops);
        r[w].busy_seconds = atomic_load(&counters[w].busy);
    }
    return (int)starpu_worker_get_count();
}
