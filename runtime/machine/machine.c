/* What machine this is: cores, names, and how much memory may be planned with. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <tilework/matrix.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int cores;
static char cpu_name[256] = "unknown CPU";

/* From the kernel's files: a second hwloc topology beside StarPU's would take longer than all the rest of a start's own
 * work. */
static void find_name(void)
{
    char line[512], *value;
    FILE *f = fopen("/proc/cpuinfo", "r"); /* of the first processor: the file is made as it is read */

    while (f && fgets(line, sizeof line, f) && line[0] != '\n')
        if (!strncmp(line, "model name", 10) && (value = strchr(line, ':'))) {
            value += 1 + strspn(value + 1, " \t");
            value[strcspn(value, "\n")] = 0;
            if (*value) snprintf(cpu_name, sizeof cpu_name, "%.*s", (int)sizeof cpu_name - 1, value);
            break;
        }
    if (f) fclose(f);
}

/* The number of the first of the processors that share a core with this one. */
static int first_sibling(int cpu)
{
    static const char *const names[] = {"core_cpus_list", "thread_siblings_list"}; /* of newer and older kernels */
    char path[128];
    int first = cpu;

    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, names[k]);
        FILE *f = fopen(path, "r");
        if (!f) continue;
        if (fscanf(f, "%d", &first) != 1 || first < 0) first = cpu;
        fclose(f);
        break;
    }
    return first;
}

#define MAX_CPUS 8192
/* Cores on which this process may run at least one thread. */
static int count_cores(void)
{
    static char seen[MAX_CPUS];
    cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
    size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
    int count = 0;

    if (set && sched_getaffinity(0, bytes, set) == 0)
        for (int cpu = 0; cpu < MAX_CPUS; cpu++)
            if (CPU_ISSET_S(cpu, bytes, set)) {
                int core = first_sibling(cpu);
                count += core >= MAX_CPUS || !seen[core];
                if (core < MAX_CPUS) seen[core] = 1;
            }
    if (set) CPU_FREE(set);
    if (count == 0) count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? count : 1;
}

static void look(void)
{
    find_name();
    cores = count_cores();
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
    return tw_device_count() > 0 && tw_device_facts(0, name, length, memory) == 0;
}

int tw_gpu_count(void)
{
    return tw_device_count();
}

int tw_gpu_processors(void)
{
    static atomic_int known;
    int count = atomic_load(&known);

    if (count == 0) atomic_store(&known, count = tw_device_processors(0));
    return count;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

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

/* Every allocation asks, and the answer takes some files: one that is a second old (of the real clock, also in
 * simulation) is good enough. */
static double recent_cgroup_limit(void)
{
    static _Atomic double known, next_look;
    struct timespec now = {0, 0};

    if (clock_gettime(CLOCK_MONOTONIC, &now) || (double)now.tv_sec >= atomic_load(&next_look)) {
        atomic_store(&known, cgroup_limit());
        atomic_store(&next_look, (double)now.tv_sec + 1);
    }
    return atomic_load(&known);
}

size_t tw_host_memory_limit(const char **source)
{
    const char *text = tw_variable_text(TW_TILEWORK_HOST_MEMORY), *why = "memory";
    double limit = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), v;
    struct rlimit r;
    size_t bytes;

    TW_INSIDE int refused = tw_begin_asking();
    if (!refused && tw_rt.config.host_memory_limit) {
        if (source) *source = "option or TILEWORK_HOST_MEMORY";
        return tw_rt.config.host_memory_limit;
    }
    if (text && tw_parse_bytes("TILEWORK_HOST_MEMORY", text, &bytes) == 0) {
        if (source) *source = "TILEWORK_HOST_MEMORY";
        return bytes;
    }
    v = recent_cgroup_limit();
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

double tw_memory_accounted(void)
{
    return atomic_load(&accounted);
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
