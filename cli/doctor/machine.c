/* The machine as this process may use it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/doctor/doctor.h"
#include "tw_config.h"

static void cores(void)
{
    char line[256], load[256];
    const int ours = cli_cores();
    double quota, period;
    int online, processors;

    doctor_looked();
    /* Where OpenMP binds threads its library has bound this one: that is told by its own name. */
    if (!doctor_binding() && doctor_read("/sys/devices/system/cpu/online", line, sizeof line) &&
        (online = doctor_count(line)) > ours)
        doctor_found(
            "cpuset", "ask the batch system for more cores, or leave out taskset",
            "this process may use %d of the machine's %d processors (cpuset, taskset, a batch system or a container)",
            ours, online);
    doctor_looked();
    if (doctor_read("/sys/fs/cgroup/cpu.max", line, sizeof line) && sscanf(line, "%lf %lf", &quota, &period) == 2 &&
        quota < 0.95 * period * ours)
        doctor_found(
            "cgroup-cpu", "export STARPU_NCPU=N, of as many cores as the group has, or raise cpu.max",
            "the control group gives %.1f processors' time to %d cores: workers are stopped in the middle of tasks",
            quota / period, ours);
    doctor_looked();
    /* the load is all processors' */
    processors = doctor_read("/sys/devices/system/cpu/online", load, sizeof load) ? doctor_count(load) : 0;
    if (processors < ours) processors = ours;
    if (doctor_read("/proc/loadavg", line, sizeof line) && atof(line) > 1.5 * processors + 1)
        doctor_found(
            "busy", "wait, or see with top what runs",
            "the load of this machine is %.1f on %d core%s: others compute, and workers that wait in vain make "
            "both slow",
            atof(line), processors, processors == 1 ? "" : "s");
}

static void clock_rates(void)
{
    char governor[64], driver[64] = "";

    doctor_looked();
    (void)doctor_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", driver, sizeof driver);
    if (doctor_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor, sizeof governor) &&
        !strcmp(governor, "powersave") && !strstr(driver, "pstate"))
        doctor_found("governor", "cpupower frequency-set -g performance",
                     "the cores run at their lowest frequency (governor powersave of %s)",
                     *driver ? driver : "cpufreq");
}

static void memory(void)
{
    char line[256];
    const double total = doctor_number("/proc/meminfo", "MemTotal:"),
                 free = doctor_number("/proc/meminfo", "MemAvailable:");
    struct rlimit limit;

    doctor_looked();
    if (total > 0 && free >= 0 && free < 0.1 * total)
        doctor_found("memory", "end what holds it (ps aux --sort=-rss)", "%.1f of %.1f GiB of main memory are free",
                     free / 1048576, total / 1048576);
    doctor_looked();
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        doctor_found("address-space", "ulimit -v unlimited",
                     "address space is limited to %.1f GiB: threads' stacks, CUDA and mapped files take more of it "
                     "than of memory",
                     (double)limit.rlim_cur / 1073741824.0);
    doctor_looked();
    if (doctor_read("/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line) && strstr(line, "[never]"))
        doctor_found("huge-pages", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                     "huge pages are off: matrices of gigabytes are reached through millions of small pages");
}

static void numa(void)
{
    char nodes[256], allowed[256];
    double balancing;
    int count;

    doctor_looked();
    if (!doctor_read("/sys/devices/system/node/online", nodes, sizeof nodes) || (count = doctor_count(nodes)) < 2)
        return;
    balancing = doctor_number("/proc/sys/kernel/numa_balancing", "");
    if (balancing > 0)
        doctor_found("numa-balancing", "sysctl kernel.numa_balancing=0",
                     "the kernel moves pages between %d memories while tasks work on them", count);
    doctor_looked();
    if (doctor_field("/proc/self/status", "Mems_allowed_list:", allowed, sizeof allowed) &&
        doctor_count(allowed) < count)
        doctor_found("numa-memory", "leave out numactl --membind, or say --interleave=all",
                     "this process may use the memory of %d of %d nodes", doctor_count(allowed), count);
}

static void gpus(void)
{
    int nodes = 0, closed = 0;
    char path[64], line[256];

    for (int i = 0; i < 64; i++) {
        snprintf(path, sizeof path, "/dev/nvidia%d", i);
        if (!doctor_exists(path)) continue;
        nodes++;
        closed += !cli_variable("TILEWORK_DOCTOR_ROOT") && access(path, R_OK | W_OK) != 0;
    }
    doctor_looked();
    if (!nodes) return;
    if (closed)
        doctor_found("gpu-closed", "add the user to the group that /dev/nvidia0 belongs to",
                     "%d of %d GPUs may not be opened by this user", closed, nodes);
    if (!TW_CUDA_VERSION[0])
        doctor_found("gpu-unused", "install the CUDA toolkit and build again with -DTILEWORK_CUDA=ON",
                     "%d GPUs are here, and this build has no CUDA bodies", nodes);
    doctor_looked();
    if (TW_CUDA_VERSION[0] && doctor_read("/proc/driver/nvidia/version", line, sizeof line)) {
        /* The least driver of each toolkit, by NVIDIA's table of minor version compatibility. */
        const char *digits = line;
        const int needed = atoi(TW_CUDA_VERSION) >= 13 ? 580 : 525;
        double driver = 0;
        while (*digits && driver < 100)
            driver = strtod(digits, NULL), digits++;
        if (driver > 100 && driver < needed)
            doctor_found("driver", "install a newer driver of NVIDIA's",
                         "driver %.2f is too old for CUDA %s, which needs %d or newer", driver, TW_CUDA_VERSION,
                         needed);
    }
}

void doctor_machine(void)
{
    cores();
    clock_rates();
    memory();
    numa();
    gpus();
}
