/* tilework info: this machine, what Tilework found on it, and what is wrong and how to fix it. */
#define _GNU_SOURCE /* dladdr, vasprintf */
#include <dlfcn.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/compare/compare.h"
#include "tw_config.h"

extern char **environ;

#define MAX_ADVICE 32
struct facts {
    tw_machine machine;
    int status; /* of starting the library */
    char failure[2048], schedulers[1024], blas_library[1024];
    const char *memory_source;
    int fxt, gpu_nodes, workers;
    tw_worker_report worker[256];
    char *advice[MAX_ADVICE];
    int nadvice;
};

static void advise(struct facts *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void advise(struct facts *f, const char *format, ...)
{
    va_list list;
    char *text = NULL;

    if (f->nadvice == MAX_ADVICE) return;
    va_start(list, format);
    if (vasprintf(&text, format, list) >= 0) f->advice[f->nadvice++] = text;
    va_end(list);
}

/* The library names the schedulers when it refuses one: ask for a name that none has. Nothing is started by that. */
static void find_schedulers(struct facts *f)
{
    const char *set = getenv("STARPU_SCHED"), *list;
    char *kept = set ? strdup(set) : NULL;
    tw_options options;

    unsetenv("STARPU_SCHED");
    tw_options_init(&options);
    options.sched = "?";
    options.progress = 0;
    if (tw_init(&options) == TW_E_OPTION && (list = strstr(tw_last_message(), "there are:")))
        snprintf(f->schedulers, sizeof f->schedulers, "%s", list + strlen("there are:") + 1);
    if (kept) setenv("STARPU_SCHED", kept, 1);
    free(kept);
}

static void find_facts(struct facts *f)
{
    tw_options options;
    Dl_info library;
    void *core = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    char node[32];

    find_schedulers(f);
    tw_options_init(&options);
    options.progress = 0;
    f->status = tw_init(&options);
    if (f->status == 0) f->status = tw_machine_info(&f->machine);
    if (f->status) snprintf(f->failure, sizeof f->failure, "%s: %s", tw_strerror(f->status), tw_last_message());
    f->machine.host_memory = tw_host_memory_limit(&f->memory_source);
    f->fxt = dlsym(RTLD_DEFAULT, "fut_setup") != NULL; /* libfxt comes with a StarPU that was built with it */
    snprintf(f->blas_library, sizeof f->blas_library, "%s",
             core && dladdr(core, &library) && library.dli_fname ? library.dli_fname : "not OpenBLAS");
    for (int i = 0; i < 64; i++) {
        snprintf(node, sizeof node, "/dev/nvidia%d", i);
        if (access(node, F_OK) == 0) f->gpu_nodes++;
    }
    f->workers = f->status ? 0 : tw_worker_reports(f->worker, 256);
    if (f->workers > 256) f->workers = 256;
}

/* ---- what is wrong, and how to fix it ---------------------------------------------------------------------------- */

static void advise_blas(struct facts *f)
{
    const char *better = tw_blas_advice();

    if (better)
        advise(f, "OpenBLAS runs slow kernels for this CPU%s: export OPENBLAS_CORETYPE=%s",
               getenv("OPENBLAS_CORETYPE") ? ", because OPENBLAS_CORETYPE is set so" : "", better);
    else if (cli_coretype_was_unset)
        advise(f,
               "OpenBLAS does not know this CPU and would run slow kernels; this command has set OPENBLAS_CORETYPE=%s "
               "for itself. "
               "For your own programs: eval \"$(tilework env)\", or call tw_blas_reexec(argv) first in main()",
               getenv("OPENBLAS_CORETYPE"));
}

static void advise_gpu(struct facts *f)
{
    const char *limit = getenv("STARPU_NCUDA");

    if (f->gpu_nodes == 0 || f->machine.cuda_devices > 0) return;
    if (!TW_CUDA_VERSION[0])
        advise(f,
               "%d GPU(s) are here, but this build has no CUDA bodies: install the CUDA toolkit and configure with "
               "-DTILEWORK_CUDA=ON",
               f->gpu_nodes);
    else if (limit && atoi(limit) == 0)
        advise(f, "%d GPU(s) are here but not used, because STARPU_NCUDA=0 is set", f->gpu_nodes);
    else
        advise(f,
               "%d GPU(s) are here but none is used: check the driver with nvidia-smi, CUDA_VISIBLE_DEVICES, and that "
               "StarPU was "
               "built with CUDA",
               f->gpu_nodes);
}

static int known_variable(const char *name, size_t length)
{
    for (const tw_variable *v = tw_variables(); v->name; v++)
        if (strlen(v->name) == length && !strncmp(v->name, name, length)) return 1;
    return 0;
}

static void advise_variables(struct facts *f)
{
    const char *kernels = getenv("STARPU_DISABLE_KERNELS");

    for (char **v = environ; *v; v++) {
        size_t length = strcspn(*v, "=");
        if (!strncmp(*v, "TILEWORK_", 9) && !known_variable(*v, length))
            advise(f, "%.*s is set, but Tilework has no such variable (see: tilework help variables)", (int)length, *v);
    }
    if (kernels && atoi(kernels) != 0)
        advise(f, "STARPU_DISABLE_KERNELS is set: nothing is computed, results are wrong");
}

static void advise_all(struct facts *f)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    if (f->status) advise(f, "the library does not start: %s", f->failure);
    advise_blas(f);
    advise_gpu(f);
    advise_variables(f);
    if (!f->fxt)
        advise(f, "StarPU was built without FxT: Tilework's traces work, StarPU's own (STARPU_FXT_TRACE=1) do not");
    if (f->status == 0 && (!f->machine.profile_path || access(f->machine.profile_path, R_OK) != 0))
        advise(f,
               "the machine profile is not kept (%s): every start measures it again; set TILEWORK_CACHE_DIR to a "
               "folder that "
               "can be written",
               f->machine.profile_path && *f->machine.profile_path ? f->machine.profile_path : "no place");
    if (f->status == 0 && f->machine.cpu_workers == 0 && f->machine.cuda_workers > 0)
        advise(f, "no CPU worker runs: tasks without a CUDA body cannot run; raise STARPU_NCPU");
    if (f->status == 0 && f->machine.cores * 2 <= online && cli_cores() < online)
        advise(f, "this process may use %d of the machine's %ld processors (cpuset, taskset or batch system)",
               cli_cores(), online);
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static double gib(size_t bytes)
{
    return (double)bytes / 1073741824.0;
}

/* Where the time of a start goes; the stop's phases are known after it only. */
static void print_phases(const char *title, int (*get)(tw_phase *, int))
{
    tw_phase phases[16];
    int count = get(phases, 16);
    double all = 0;

    for (int k = 0; k < count && k < 16; k++) {
        printf("%-12s %7.3f s  %s\n", k ? "" : title, phases[k].seconds, phases[k].name);
        all += phases[k].seconds;
    }
    printf("%-12s %7.3f s  in all\n", "", all);
}

/* The same on one line: what is the library's own, without what came before. */
static void print_start(void)
{
    tw_phase phases[16];
    int count = tw_start_phases(phases, 16);
    double all = 0;

    for (int k = 1; k < count && k < 16; k++)
        all += phases[k].seconds;
    printf("started in   %.3f s:", all);
    for (int k = 1; k < count && k < 16; k++)
        printf("%s %s %.3f", k > 1 ? "," : "", phases[k].name, phases[k].seconds);
    printf("\n");
}

static void print_environment(void)
{
    int any = 0;
    for (char **v = environ; *v; v++)
        if (!strncmp(*v, "TILEWORK_", 9) || !strncmp(*v, "STARPU_", 7) || !strncmp(*v, "OPENBLAS_", 9)) {
            printf("%s%s\n", any ? "             " : "environment  ", *v);
            any = 1;
        }
    if (!any) printf("environment  no TILEWORK_, STARPU_ or OPENBLAS_ variable is set\n");
}

static void print_machine(const struct facts *f)
{
    const tw_machine *m = &f->machine;

    printf("CPU          %s, %d cores for this process\n", m->cpu_name, m->cores);
    if (m->cuda_devices > 0)
        printf("GPU          %d x %s, %.1f GiB\n", m->cuda_devices, m->gpu_name, gib(m->cuda_memory));
    else
        printf("GPU          none in use\n");
    printf("StarPU       %s, FxT %s, scheduler %s\n", m->starpu_version, f->fxt ? "yes" : "no", m->sched);
    printf("workers      %d CPU, %d CUDA on %d GPU(s)\n", m->cpu_workers, m->cuda_workers, m->cuda_devices);
    print_start();
    cli_print_tiles(stdout);
    cli_print_profile(stdout);
}

static void print_text(const struct facts *f)
{
    printf("tilework     %s, commit %s, %s build, CUDA %s\n", TW_VERSION_STRING, TW_GIT_COMMIT, TW_BUILD_TYPE,
           TW_CUDA_VERSION[0] ? TW_CUDA_VERSION : "off");
    if (f->status == 0) print_machine(f);
    printf("memory       %.1f GiB to plan with (from %s)\n", gib(f->machine.host_memory), f->memory_source);
    printf("OpenBLAS     %s kernels, %s\n", f->machine.blas_core ? f->machine.blas_core : "?", f->blas_library);
    printf("schedulers   %s\n", f->schedulers);
    print_environment();
    if (f->nadvice == 0) printf("problems     none found\n");
    for (int i = 0; i < f->nadvice; i++)
        printf("%s%s\n", i ? "             " : "to fix       ", f->advice[i]);
}

static json_t *rates(const double *v)
{
    return json_pack("{s:f, s:f, s:f, s:f}", "s", v[0], "d", v[1], "c", v[2], "z", v[3]);
}

static json_t *start_phases(void)
{
    tw_phase phases[16];
    int count = tw_start_phases(phases, 16);
    json_t *list = json_array();
    for (int k = 0; k < count && k < 16; k++)
        json_array_append_new(list, json_pack("{s:s, s:f}", "name", phases[k].name, "seconds", phases[k].seconds));
    return list;
}

static json_t *workers(const struct facts *f)
{
    json_t *list = json_array();
    for (int i = 0; i < f->workers; i++)
        json_array_append_new(list, json_string(f->worker[i].name));
    return list;
}

static json_t *environment(void)
{
    json_t *o = json_object();
    for (char **v = environ; *v; v++)
        if (!strncmp(*v, "TILEWORK_", 9) || !strncmp(*v, "STARPU_", 7) || !strncmp(*v, "OPENBLAS_", 9)) {
            char name[256];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(*v, "="), *v);
            compare_text_repair(name);
            json_object_set_new(o, name, cli_json_text(strchr(*v, '=') ? strchr(*v, '=') + 1 : ""));
        }
    return o;
}

static json_t *schedulers(const struct facts *f)
{
    json_t *list = json_array();
    char copy[1024], *state = NULL;

    snprintf(copy, sizeof copy, "%s", f->schedulers);
    for (char *name = strtok_r(copy, " ,", &state); name; name = strtok_r(NULL, " ,", &state))
        json_array_append_new(list, json_string(name));
    return list;
}

static int print_json(const struct facts *f)
{
    const tw_machine *m = &f->machine;
    json_t *advice = json_array(), *o;
    int e;

    for (int i = 0; i < f->nadvice; i++)
        json_array_append_new(advice, cli_json_text(f->advice[i]));
    o = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:i, s:o, s:i, s:I, s:o, s:i, s:i, s:o, s:b, s:o, s:I, s:s, s:o, "
                  "s:s, s:o, s:o, "
                  "s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                  "version", TW_VERSION_STRING, "commit", TW_GIT_COMMIT, "build", TW_BUILD_TYPE, "cuda_toolkit",
                  TW_CUDA_VERSION, "status", f->status, "cpu", cli_json_text(m->cpu_name), "cores", m->cores, "gpu",
                  m->cuda_devices ? cli_json_text(m->gpu_name) : json_null(), "cuda_devices", m->cuda_devices,
                  "cuda_memory", (json_int_t)m->cuda_memory, "sched", cli_json_text(m->sched), "cpu_workers",
                  m->cpu_workers, "cuda_workers", m->cuda_workers, "starpu", cli_json_text(m->starpu_version), "fxt",
                  f->fxt, "profile", cli_json_text(m->profile_path), "host_memory", (json_int_t)m->host_memory,
                  "host_memory_source", f->memory_source, "blas_core", cli_json_text(m->blas_core), "blas_library",
                  f->blas_library, "cpu_gflops", rates(m->cpu_gflops), "cuda_gflops", rates(m->cuda_gflops),
                  "schedulers", schedulers(f), "workers", workers(f), "environment", environment(), "machine_profile",
                  f->status ? json_null() : cli_profile_json(), "tiles", f->status ? json_null() : cli_tiles_json(),
                  "startup", start_phases(), "to_fix", advice);
    e = !o || json_dumpf(o, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0;
    putchar('\n');
    json_decref(o);
    return e ? cli_error(CLI_FAILED, "--json: could not be written") : 0;
}

static int show_startup(void)
{
    tw_options options;
    int e;

    tw_options_init(&options);
    options.progress = 0;
    if ((e = tw_init(&options))) return cli_library_error("starting", e);
    print_phases("start", tw_start_phases);
    if ((e = tw_finalize())) return cli_library_error("stopping", e);
    print_phases("stop", tw_stop_phases);
    return CLI_OK;
}

static int run_info(int argc, char **argv)
{
    static struct facts f;
    int json = argc == 2 && !strcmp(argv[1], "--json"), startup = argc == 2 && !strcmp(argv[1], "--startup"), e = 0;

    if (argc == 2 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
        printf("usage: tilework info [--json | --startup]\n"
               "\n"
               "--startup shows where the time of starting and stopping goes.\n");
        return CLI_OK;
    }
    if (argc > 1 && !json && !startup)
        return cli_error(CLI_USAGE, "%s: no such flag; info has --json and --startup, one at a time", argv[argc - 1]);
    if (startup) return show_startup();
    find_facts(&f);
    advise_all(&f);
    if (json)
        e = print_json(&f);
    else
        print_text(&f);
    for (int i = 0; i < f.nadvice; i++)
        free(f.advice[i]);
    if (f.status == 0 && tw_finalize() < 0 && !e) e = CLI_FAILED;
    return e ? e : f.status ? CLI_USAGE : CLI_OK;
}

CLI_COMMAND(60, info) = {
    .name = "info",
    .summary = "this machine, what Tilework found on it, and what is wrong and how to fix it",
    .run = run_info,
    .computes = 1,
};
