/* Main memory that an in-place factorization needs beyond its matrix: resident set of a child process of its own, at
 * its highest, from the kernel's own counters. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"

/* A line of /proc/self/status, in bytes. */
static double status(const char *key)
{
    char line[256];
    double kib = -1;
    FILE *f = fopen("/proc/self/status", "r");

    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key))) kib = strtod(line + strlen(key) + 1, NULL);
    if (f) fclose(f);
    return kib * 1024;
}

/* tilework-bench memory-child TYPE N: prints what it needed. */
int bench_memory_child(int argc, char **argv)
{
    enum tw_type type = argc == 4 ? (enum tw_type)atoi(argv[2]) : TW_DOUBLE;
    tw_int n = argc == 4 ? strtoll(argv[3], NULL, 10) : 0, info;
    double bytes = (double)n * (double)n * (double)bench_sizeof(type), begin = status("VmRSS"), started;
    tw_machine m;
    void *a;

    if (argc != 4) return bench_fail("memory-child: for tilework bench memory only");
    if (tw_machine_info(&m)) return bench_fail("starting: %s", tw_last_message());
    started = status("VmRSS");
    a = bench_alloc(bytes);
    bench_fill_spd(type, n, a);
    info = bench_tilework_potrf(type, n, a);
    printf("%.0f %.0f %.0f %lld\n", begin, started, status("VmHWM"), (long long)info);
    free(a);
    return tw_finalize() < 0;
}

static int run_child(enum tw_type type, tw_int n, double v[3], long long *info)
{
    char command[4400], self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    FILE *f;
    int fields;

    if (length <= 0) return bench_fail("/proc/self/exe cannot be read");
    self[length] = 0;
    snprintf(command, sizeof command, "exec '%s' memory-child %d %lld", self, (int)type, (long long)n);
    if (!(f = popen(command, "r"))) return bench_fail("the child could not be started");
    fields = fscanf(f, "%lf %lf %lf %lld", &v[0], &v[1], &v[2], info);
    if (pclose(f) != 0 || fields != 4) return bench_fail("the child failed");
    return *info ? bench_fail("the child's info: %lld", *info) : 0;
}

static void report(const struct bench_options *o, tw_int n, const double v[3])
{
    double matrix = (double)n * (double)n * (double)bench_sizeof(o->type);
    double all = v[2] - matrix - v[0], call = v[2] - matrix - v[1];
    json_t *record = bench_record(o, "memory");

    json_object_update_new(record,
                           json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "n", (json_int_t)n, "matrix_bytes", matrix,
                                     "program_bytes", v[0], "started_bytes", v[1], "peak_bytes", v[2], "beyond_percent",
                                     all / matrix * 100, "call_percent", call / matrix * 100));
    if (!o->json)
        printf("potrf in place, n=%lld: matrix %.1f MiB, peak resident %.1f MiB, of which %.1f MiB is the program with "
               "its shared libraries: %.2f %% beyond the matrix, library included (%.2f %% for the call)\n",
               (long long)n, matrix / 1048576, v[2] / 1048576, v[0] / 1048576, all / matrix * 100, call / matrix * 100);
    bench_print(o, record);
}

int bench_memory(const struct bench_options *o)
{
    double v[3]; /* resident: before the library's first call, once it has started, at the highest */
    long long info;
    int e = 0;

    for (int i = 0; i < o->sizes && !e; i++) {
        e = run_child(o->type, o->n[i], v, &info);
        if (!e) report(o, o->n[i], v);
    }
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
