/* What machine this is: cores, names, and how much memory may be planned with. */
#include <errno.h>
#include <hwloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/internal.h"
#ifdef TILEWORK_CUDA
#include <cuda_runtime_api.h>
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int cores;
static char cpu_name[256] = "unknown CPU";

/* hwloc honours the process' cpuset: without INCLUDE_DISALLOWED only the allowed cores are in the topology. */
static void look(void)
{
    hwloc_topology_t topology;

    cores = 1;
    if (hwloc_topology_init(&topology) != 0) return;
    if (hwloc_topology_load(topology) == 0) {
        hwloc_bitmap_t set = hwloc_bitmap_alloc();
        hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
        if (!model) model = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
        if (model) snprintf(cpu_name, sizeof cpu_name, "%s", model);
        if (set && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0) {
            int inside = hwloc_get_nbobjs_inside_cpuset_by_type(topology, set, HWLOC_OBJ_CORE);
            cores = inside > 0 ? inside : hwloc_bitmap_weight(set);
        } else {
            cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        }
        if (set) hwloc_bitmap_free(set);
        if (cores < 1) cores = 1;
    }
    hwloc_topology_destroy(topology);
}

int tw_core_count(void)
{
    pthread_once(&once, look);
    return cores;
}
const char *tw_cpu_name(void)
{
    pthread_once(&once, look);
    return cpu_name;
}

int tw_gpu_facts(char *name, size_t length, size_t *memory)
{
    *memory = 0;
    snprintf(name, length, "none");
#ifdef TILEWORK_CUDA
    int count = 0;
    struct cudaDeviceProp properties;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return 0;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 0;
    snprintf(name, length, "%s", properties.name);
    *memory = properties.totalGlobalMem;
    return 1;
#else
    return 0;
#endif
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static double read_number(const char *path)
{
    FILE *f = fopen(path, "r");
    double v = -1;
    if (!f) return -1;
    if (fscanf(f, "%lf", &v) != 1) v = -1; /* "max" */
    fclose(f);
    return v;
}

/* The smallest limit of this process' cgroup and those above it, or of the root as seen from inside a container. */
static double cgroup_limit(void)
{
    double best = -1, v;
    char line[1024], path[1200];
    FILE *f = fopen("/proc/self/cgroup", "r");

    if (f) {
        while (fgets(line, sizeof line, f)) {
            line[strcspn(line, "\n")] = 0;
            if (strncmp(line, "0::/", 4) != 0) continue;
            for (char *group = line + 3; *group; *strrchr(group, '/') = 0) { /* the group and all above it */
                snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", group);
                v = read_number(path);
                if (v > 0 && (best < 0 || v < best)) best = v;
            }
        }
        fclose(f);
    }
    v = read_number("/sys/fs/cgroup/memory.max");
    if (v > 0 && (best < 0 || v < best)) best = v;
    v = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    if (v > 0 && v < 9e18 && (best < 0 || v < best)) best = v;
    return best;
}

size_t tw_host_memory_limit(const char **source)
{
    const char *text = getenv("TILEWORK_HOST_MEMORY"), *why = "memory";
    double limit = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), v;
    struct rlimit r;
    size_t bytes;

    if (tw_rt.config.host_memory_limit) {
        if (source) *source = "option or TILEWORK_HOST_MEMORY";
        return tw_rt.config.host_memory_limit;
    }
    if (text && *text && tw_parse_bytes("TILEWORK_HOST_MEMORY", text, &bytes) == 0) {
        if (source) *source = "TILEWORK_HOST_MEMORY";
        return bytes;
    }
    v = cgroup_limit();
    if (v > 0 && v < limit) limit = v, why = "cgroup";
    if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY && (double)r.rlim_cur < limit)
        limit = (double)r.rlim_cur, why = "rlimit";
    if (source) *source = why;
    return (size_t)limit;
}

static _Atomic double accounted;

void tw_memory_account(double bytes)
{
    double old = atomic_load(&accounted);
    while (!atomic_compare_exchange_weak(&accounted, &old, old + bytes)) {}
}

int tw_memory_check(const char *what, double bytes)
{
    const char *source;
    double limit = (double)tw_host_memory_limit(&source), used = atomic_load(&accounted);

    if (bytes + used <= limit) return 0;
    return tw_fail(
        TW_E_MEMORY,
        "%s needs %.0f bytes (%.2f GiB) of host memory; the limit is %.0f bytes (%.2f GiB, from %s), of which "
        "%.0f are taken. If this machine's memory grows as it is used, set TILEWORK_HOST_MEMORY (for example 100G)",
        what, bytes, bytes / 1073741824.0, limit, limit / 1073741824.0, source, used);
}
