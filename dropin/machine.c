/* The machine, as far as it can be seen without starting anything: cores, GPUs, and whether other programs have it. */
#define _GNU_SOURCE /* sched_getaffinity, secure_getenv */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dropin/machine.h"

int tw_here_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

int tw_here_threads(void)
{
    static const char *const name[] = {"OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"};
    int n = tw_here_cores();

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *text = secure_getenv(name[i]);
        if (text && atoi(text) > 0 && atoi(text) < n) n = atoi(text);
    }
    return n;
}

int tw_here_gpus(void)
{
#ifdef TILEWORK_CUDA
    static atomic_int found = -1;
    const char *visible, *used;
    int n = 0;

    if (tw_settings.secure) return 0;
    if (atomic_load(&found) >= 0) return atomic_load(&found);
    visible = secure_getenv("CUDA_VISIBLE_DEVICES"), used = secure_getenv("STARPU_NCUDA");
    for (int i = 0; i < 16; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/dev/nvidia%d", tw_settings.root, i);
        n += access(path, R_OK | W_OK) == 0;
    }
    if (visible && (!*visible || *visible == '-')) n = 0;
    if (used && atoi(used) == 0) n = 0;
    atomic_store(&found, n);
    return n;
#else
    return 0;
#endif
}

/* ---- busy -------------------------------------------------------------------------------------------------------- */

/* A file's first bytes as text; 0: there is none. */
static int first_bytes(const char *path, char *text, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

    if (fd >= 0) close(fd);
    if (n <= 0) return 0;
    text[n] = 0;
    return 1;
}

/* This process' threads that run or wait for a core. Looked at where the machine is full alone. */
static int running_of_ours(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int n = 0, seen = 0;

    while (tasks && seen < 256) {
        const struct dirent *entry = readdir(tasks);
        char path[64], text[256], *state;
        if (!entry) break;
        if (*entry->d_name == '.') continue;
        seen++;
        snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", entry->d_name);
        if (first_bytes(path, text, sizeof text) && (state = strrchr(text, ')'))) n += state[1] && state[2] == 'R';
    }
    if (tasks) closedir(tasks);
    return n;
}

/* /proc/loadavg: "0.43 0.40 0.35 3/512 4711": three threads of the whole machine run or wait for a core. */
static int others_fill_it(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    char path[PATH_MAX], text[128];
    long running = 0;

    snprintf(path, sizeof path, "%s/proc/loadavg", tw_settings.root);
    if (cores < 1 || !first_bytes(path, text, sizeof text) || sscanf(text, "%*s %*s %*s %ld", &running) != 1) return 0;
    return running > cores && running - running_of_ours() >= cores;
}

int tw_here_busy(void)
{
    static _Atomic double next;
    static atomic_int busy;
    const double now = tw_dropin_now();
    double when = atomic_load(&next);

    /* One thread looks, the others go by what was seen last. */
    if (now >= when && atomic_compare_exchange_strong(&next, &when, now + 0.1)) atomic_store(&busy, others_fill_it());
    return atomic_load(&busy);
}
