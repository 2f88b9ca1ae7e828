/* The STARPU_ variables, looked at before StarPU does.
 *
 * StarPU 1.4 reads its variables with functions that end the program at anything but a whole number that is not
 * negative, and some values that it does read stop it later (no streams per GPU, two ways to give GPUs their threads).
 * So every variable of StarPU's that is a number, a list of numbers or a folder is checked here against what StarPU
 * takes. */
#include <starpu.h>

#include "runtime/machine/starpu_variables.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/file.h"
#include "runtime/base/error.h"
#include "runtime/machine/machine.h"

extern char **environ;

/* ---- whole numbers ----------------------------------------------------------------------------------------------- */

/* high 0: as large as an int. A '#' in a name stands for the number of a device. */
static const struct number {
    const char *name;
    long low, high;
} numbers[] = {
    {"STARPU_NCPU", 0, STARPU_MAXCPUS},
    {"STARPU_NCPUS", 0, STARPU_MAXCPUS},
    {"STARPU_RESERVE_NCPU", 0, STARPU_MAXCPUS},
    {"STARPU_NCUDA", 0, STARPU_MAXCUDADEVS},
    {"STARPU_NWORKER_PER_CUDA", 1, STARPU_NMAXWORKERS - 1},
    {"STARPU_CUDA_THREAD_PER_WORKER", 0, 1},
    {"STARPU_CUDA_THREAD_PER_DEV", 0, 1},
    {"STARPU_CUDA_PIPELINE", 0, 0},
    {"STARPU_LIMIT_CUDA_MEM", 1, 0},
    {"STARPU_LIMIT_CUDA_#_MEM", 1, 0},
    {"STARPU_LIMIT_CPU_MEM", 1, 0},
    {"STARPU_LIMIT_CPU_NUMA_MEM", 1, 0},
    {"STARPU_LIMIT_CPU_NUMA_#_MEM", 1, 0},
    {"STARPU_MINIMUM_AVAILABLE_MEM", 0, 100},
    {"STARPU_TARGET_AVAILABLE_MEM", 0, 100},
    {"STARPU_MINIMUM_CLEAN_BUFFERS", 0, 100},
    {"STARPU_TARGET_CLEAN_BUFFERS", 0, 100},
    {"STARPU_DISK_SWAP_SIZE", 16, 0},
    {"STARPU_FXT_TRACE", 0, 1},
    {"STARPU_GENERATE_TRACE", 0, 0},
    {"STARPU_TRACE_BUFFER_SIZE", 1, 65536},
    {"STARPU_CALIBRATE", 0, 2},
    {"STARPU_BUS_CALIBRATE", 0, 0},
    {"STARPU_CALIBRATE_MINIMUM", 0, 0},
    {"STARPU_WORKERS_NOBIND", 0, 0},
    {"STARPU_WORKERS_GETBIND", 0, 0},
    {"STARPU_MAIN_THREAD_BIND", 0, 0},
    {"STARPU_LIMIT_MIN_SUBMITTED_TASKS", 0, 0},
    {"STARPU_LIMIT_MAX_SUBMITTED_TASKS", 0, 0},
    {"STARPU_NHIP", 0, 0},
    {"STARPU_NOPENCL", 0, 0},
    {"STARPU_NMAX_FPGA", 0, 0},
    {"STARPU_NMPI_MS", 0, 0},
    {"STARPU_NTCPIP_MS", 0, 0},
    {"STARPU_SILENT", 0, 0},
    {"STARPU_CATCH_SIGNALS", 0, 0},
    {"STARPU_PREFETCH", 0, 0},
    {"STARPU_RAND_SEED", 0, 0},
    {"STARPU_MIN_PRIO", 0, 0},
    {"STARPU_MAX_PRIO", 0, 0},
    {"STARPU_HISTORY_MAX_ERROR", 0, 0},
    {"STARPU_PERF_MODEL_HOMOGENEOUS_CPU", 0, 0},
    {"STARPU_PERF_MODEL_HOMOGENEOUS_CUDA", 0, 0},
    {"STARPU_USE_NUMA", 0, 2},
    {"STARPU_PCI_FLAT", 0, 0},
    {"STARPU_BACKOFF_MIN", 0, 0},
    {"STARPU_BACKOFF_MAX", 0, 0},
    {"STARPU_DISABLE_PINNING", 0, 0},
    {"STARPU_SUBALLOCATOR", 0, 0},
    {"STARPU_DISABLE_KERNELS", 0, 0},
    {"STARPU_DISABLE_ASYNCHRONOUS_COPY", 0, 0},
    {"STARPU_DISABLE_ASYNCHRONOUS_CUDA_COPY", 0, 0},
    {"STARPU_DISABLE_ASYNCHRONOUS_HIP_COPY", 0, 0},
    {"STARPU_DISABLE_ASYNCHRONOUS_OPENCL_COPY", 0, 0},
    {"STARPU_DISABLE_ASYNCHRONOUS_MAX_FPGA_COPY", 0, 0},
    {"STARPU_DISABLE_ASYNCHRONOUS_MPI_MS_COPY", 0, 0},
    {"STARPU_DISABLE_ASYNCHRONOUS_TCPIP_MS_COPY", 0, 0},
    {"STARPU_ENABLE_CUDA_GPU_GPU_DIRECT", 0, 0},
    {"STARPU_CUDA_ONLY_FAST_ALLOC_OTHER_MEMNODES", 0, 0},
    {"STARPU_ENABLE_MAP", 0, 0},
    {"STARPU_DATA_LOCALITY_ENFORCE", 0, 0},
    {"STARPU_SINGLE_COMBINED_WORKER", 0, 0},
    {"STARPU_SYNTHESIZE_ARITY_COMBINED_WORKER", 0, 0},
    {"STARPU_MIN_WORKERSIZE", 0, 0},
    {"STARPU_MAX_WORKERSIZE", 0, 0},
    {"STARPU_EXPECTED_TRANSFER_TIME_WRITEBACK", 0, 0},
    {"STARPU_TASK_PROGRESS", 0, 0},
    {"STARPU_MAX_MEMORY_USE", 0, 0},
    {"STARPU_MEMORY_STATS", 0, 0},
    {"STARPU_STATS", 0, 0},
    {"STARPU_BUS_STATS", 0, 0},
    {"STARPU_DISPLAY_BINDINGS", 0, 2},
    {"STARPU_WORKER_TREE", 0, 0},
    {"STARPU_WATCHDOG_CRASH", 0, 0},
    {"STARPU_WATCHDOG_DELAY", 0, 0},
    {"STARPU_TASK_BREAK_ON_PUSH", 0, 0},
    {"STARPU_TASK_BREAK_ON_SCHED", 0, 0},
    {"STARPU_TASK_BREAK_ON_POP", 0, 0},
    {"STARPU_TASK_BREAK_ON_EXEC", 0, 0},
    {"STARPU_LIMIT_BANDWIDTH", 0, 0},
    {"STARPU_MALLOC_SIMULATION_FOLD", 1, 0},
    {"STARPU_SCHED_READY", 0, 0},
    {"STARPU_SCHED_SORTED_ABOVE", 0, 0},
    {"STARPU_SCHED_SORTED_BELOW", 0, 0},
    {"STARPU_NTASKS_THRESHOLD", 0, 0},
    {"STARPU_SCHED_GRAPH_TEST_DESCENDANTS", 0, 0},
    {"STARPU_HETEROPRIO_USE_LA", 0, 0},
    {"STARPU_HETEROPRIO_CODELET_GROUPING_STRATEGY", 0, 0},
    {"STARPU_HETEROPRIO_USE_AUTO_CALIBRATION", 0, 0},
    {"STARPU_AUTOHETEROPRIO_PRIORITY_ORDERING_POLICY", 0, 0},
    {"STARPU_AUTOHETEROPRIO_ORDERING_INTERVAL", 1, 0},
    {"STARPU_AUTOHETEROPRIO_FREEZE_GATHERING", 0, 0},
    {"STARPU_AUTOHETEROPRIO_PRINT_AFTER_ORDERING", 0, 0},
    {"STARPU_AUTOHETEROPRIO_PRINT_DATA_ON_UPDATE", 0, 0},
    {"STARPU_AUTOHETEROPRIO_TIME_ESTIMATION_POLICY", 0, 0},
};

/* Those of the scheduling policies that StarPU reads as real numbers. */
static const char *const reals[] = {"STARPU_SCHED_ALPHA", "STARPU_SCHED_BETA",        "STARPU_SCHED_GAMMA",
                                    "STARPU_IDLE_POWER",  "STARPU_EXP_LEN_THRESHOLD", "STARPU_WINDOW_TIME_SIZE"};

static int integer(const char *name, const char *text, long low, long high)
{
    char *end;
    long v;

    errno = 0;
    v = strtol(text, &end, 10);
    if (end != text && !*end && !errno && v >= low && v <= high) return 0;
    return tw_fail(TW_E_OPTION, "%s=%s: expected a whole number from %ld to %ld", name, text, low, high);
}

/* 1 if `name`, which ends at an '=', is the pattern, whose '#' is one number or more. */
static int matches(const char *name, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern != '#') {
            if (*name++ != *pattern) return 0;
            continue;
        }
        if (!isdigit((unsigned char)*name)) return 0;
        while (isdigit((unsigned char)*name))
            name++;
    }
    return *name == '=';
}

static int check_numbers(void)
{
    for (char **at = environ; at && *at; at++) {
        int e = 0;
        if (strncmp(*at, "STARPU_", 7) != 0) continue;
        for (size_t k = 0; !e && k < sizeof numbers / sizeof *numbers; k++)
            if (matches(*at, numbers[k].name)) {
                char name[80];
                const char *equal = strchr(*at, '=');
                snprintf(name, sizeof name, "%.*s", (int)(equal - *at), *at);
                e = integer(name, equal + 1, numbers[k].low, numbers[k].high ? numbers[k].high : INT_MAX);
            }
        if (e) return e;
    }
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
        const char *text = getenv(reals[k]);
        char *end;
        if (!text) continue;
        (void)tw_strtod(text, &end);
        if (end == text || *end) return tw_fail(TW_E_OPTION, "%s=%s: expected a number", reals[k], text);
    }
    return 0;
}

/* ---- lists of cores and GPUs ------------------------------------------------------------------------------------- */

static int cores_online(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n < INT_MAX ? (int)n : 1;
}

/* One item of a list at *text: N, N-M or (where `open` allows it) N-; 1 if it is sound and at most `last`. */
static int item(const char **text, long last, int ranges, long *from, long *to)
{
    char *end;

    if (!isdigit((unsigned char)**text)) return 0;
    errno = 0;
    *from = *to = strtol(*text, &end, 10);
    if (ranges && *end == '-') {
        *text = end + 1;
        *to = last;
        if (isdigit((unsigned char)**text))
            *to = strtol(*text, &end, 10);
        else
            end++;
    }
    *text = end;
    return !errno && *from <= *to && *to <= last;
}

/* Items apart by blanks, or by commas where `commas` says so; seen (may be NULL) gets a 1 for each number. */
static int list(const char *text, long last, int ranges, char *seen)
{
    int items = 0;

    for (; *text; items++) {
        long from, to;
        text += strspn(text, " ");
        if (!*text) break;
        if (!item(&text, last, ranges, &from, &to)) return 0;
        for (long k = from; seen && k <= to; k++)
            seen[k] = 1;
        if (ranges && *text == ',')
            text++;
        else if (*text && *text != ' ')
            return 0;
    }
    return items > 0;
}

static const char *core_list(const char **name)
{
    const char *text = getenv(*name = "STARPU_WORKERS_CPUID");
    return text ? text : getenv(*name = "STARPU_WORKERS_COREID");
}

static int check_lists(void)
{
    static const char *const single[] = {"STARPU_MAIN_THREAD_CPUID", "STARPU_MAIN_THREAD_COREID",
                                         "STARPU_MPI_THREAD_CPUID", "STARPU_MPI_THREAD_COREID"};
    static const char *const names[] = {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID"};
    const char *text;
    int e, last = cores_online() - 1, gpus;

    for (int k = 0; k < 2; k++)
        if ((text = getenv(names[k])) && !list(text, last, 1, NULL))
            return tw_fail(TW_E_OPTION, "%s=%s: expected logical cores from 0 to %d, such as 0 1 or 0-%d", names[k],
                           text, last, last);
    for (int k = 0; k < 4; k++)
        if ((text = getenv(single[k])) && (e = integer(single[k], text, 0, last))) return e;
    if (!(text = getenv("STARPU_WORKERS_CUDAID"))) return 0;
    gpus = tw_gpu_count();
    if (!list(text, gpus > 0 ? gpus - 1 : STARPU_MAXCUDADEVS - 1, 0, NULL))
        return tw_fail(TW_E_OPTION,
                       "STARPU_WORKERS_CUDAID=%s: expected the numbers of GPUs with blanks between, such as 0 1%s",
                       text, gpus > 0 ? "" : "; this machine has none");
    return 0;
}

int tw_starpu_listed_cores(void)
{
    const char *name, *text = core_list(&name);
    int online = cores_online(), count = 0;
    char *seen = text ? calloc((size_t)online, 1) : NULL;

    if (seen && list(text, online - 1, 1, seen))
        for (int k = 0; k < online; k++)
            count += seen[k];
    free(seen);
    return count;
}

int tw_core_ids_check(const int *ids, int count)
{
    int last = cores_online() - 1;
    for (int k = 0; k < count; k++)
        if (ids[k] < 0 || ids[k] > last)
            return tw_fail(TW_E_OPTION, "tw_options.cpu_ids[%d] = %d: expected a logical core from 0 to %d", k, ids[k],
                           last);
    return 0;
}

int tw_gpu_ids_check(const int *ids, int count)
{
    int gpus = tw_gpu_count();
    for (int k = 0; k < count; k++)
        if (ids[k] < 0 || ids[k] >= (gpus > 0 ? gpus : STARPU_MAXCUDADEVS))
            return tw_fail(TW_E_OPTION, "tw_options.cuda_ids[%d] = %d: this machine has %d GPUs, counted from 0", k,
                           ids[k], gpus);
    return 0;
}

/* ---- folders, names, and what contradicts ------------------------------------------------------------------------ */

int tw_swap_folder_check(const char *name, const char *dir)
{
    struct stat st;
    if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && access(dir, W_OK | X_OK) == 0) return 0;
    return tw_fail(TW_E_OPTION, "%s=%s: expected a folder that can be written to", name, dir);
}

static int check_disk(void)
{
    static const char *const known[] = {"stdio", "unistd", "unistd_o_direct", "leveldb", "hdf5"};
    const char *dir = getenv("STARPU_DISK_SWAP"), *backend = getenv("STARPU_DISK_SWAP_BACKEND");
    int found = !backend;

    for (int k = 0; !found && k < 5; k++)
        found = !strcmp(backend, known[k]);
    if (!found)
        return tw_fail(TW_E_OPTION,
                       "STARPU_DISK_SWAP_BACKEND=%s: expected stdio, unistd, unistd_o_direct, leveldb or hdf5",
                       backend);
    return dir ? tw_swap_folder_check("STARPU_DISK_SWAP", dir) : 0;
}

/* Of main memory StarPU can give nothing back but to a disk: a task that wants more than is left waits for ever. */
void tw_starpu_limit_notice(const char *disk_dir)
{
    static const char *const limits[] = {"STARPU_LIMIT_CPU_MEM", "STARPU_LIMIT_CPU_NUMA_MEM",
                                         "STARPU_LIMIT_CPU_NUMA_#_MEM"};

    if (getenv("STARPU_DISK_SWAP") || (disk_dir && *disk_dir)) return;
    for (char **at = environ; at && *at; at++)
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
            if (matches(*at, limits[k]))
                tw_log(
                    TW_LOG_WARNING,
                    "%s without STARPU_DISK_SWAP: where a routine needs more MiB of main memory beside its matrices, "
                    "its tasks wait for ever; TILEWORK_HOST_MEMORY limits what is planned with",
                    *at);
}

static int check_fxt(void)
{
    const char *on = getenv("STARPU_FXT_TRACE"), *prefix = getenv("STARPU_FXT_PREFIX");

    if (!on || *on == '0' || !prefix) return 0;
    tw_make_directories(prefix);
    if (access(prefix, W_OK | X_OK) == 0) return 0;
    return tw_fail(TW_E_OPTION, "STARPU_FXT_PREFIX=%s: expected a folder that can be written to", prefix);
}

static int check_names(void)
{
    const char *host = getenv("STARPU_HOSTNAME"), *hosts = getenv("STARPU_MPI_HOSTNAMES"),
               *paths = getenv("STARPU_PERF_MODEL_PATH"), *map = getenv("STARPU_HWLOC_INPUT");
    int count = 0;

    if (host && strchr(host, '/')) return tw_fail(TW_E_OPTION, "STARPU_HOSTNAME=%s: expected a name without /", host);
    if (hosts && *hosts && (hosts[strspn(hosts, " ")] == 0 || strchr(hosts, '/')))
        return tw_fail(TW_E_OPTION, "STARPU_MPI_HOSTNAMES=%s: expected names of machines with blanks between", hosts);
    for (const char *p = paths; p && *p; p++)
        count += *p == ':' || *p == ',';
    if (count > 15) return tw_fail(TW_E_OPTION, "STARPU_PERF_MODEL_PATH=%s: expected at most 16 folders", paths);
    if (map && *map && access(map, R_OK) != 0)
        return tw_fail(TW_E_OPTION, "STARPU_HWLOC_INPUT=%s: expected a file that can be read", map);
    return 0;
}

static int check_cuda_threads(void)
{
    const char *stream = getenv("STARPU_CUDA_THREAD_PER_WORKER"), *device = getenv("STARPU_CUDA_THREAD_PER_DEV");

    if (!stream || !device || atoi(stream) != 1) return 0;
    return tw_fail(TW_E_OPTION,
                   "STARPU_CUDA_THREAD_PER_WORKER=%s with STARPU_CUDA_THREAD_PER_DEV=%s: set one of the two only",
                   stream, device);
}

/* StarPU counts on as many threads per core as the machine has. */
static int check_threads_per_core(void)
{
    const char *text = getenv("STARPU_NTHREADS_PER_CORE");
    char line[256] = "";
    FILE *f = text ? fopen("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "r") : NULL;
    long most = 1;

    if (!text) return 0;
    if (f && fgets(line, sizeof line, f)) {
        most = 0;
        for (const char *p = line; isdigit((unsigned char)*p); p += *p == ',') {
            long from = strtol(p, (char **)&p, 10), to = from;
            if (*p == '-') to = strtol(p + 1, (char **)&p, 10);
            most += to - from + 1;
        }
    }
    if (f) fclose(f);
    return integer("STARPU_NTHREADS_PER_CORE", text, 1, most > 0 ? most : 1);
}

int tw_starpu_variables_check(void)
{
    int (*const checks[])(void) = {check_numbers,      check_lists,           check_disk, check_fxt, check_names,
                                   check_cuda_threads, check_threads_per_core};
    int e = 0;

    for (size_t k = 0; !e && k < sizeof checks / sizeof *checks; k++)
        e = checks[k]();
    return e;
}
