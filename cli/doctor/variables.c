/* Variables of Tilework's, StarPU's, BLAS' and OpenMP's, and of MPI's launchers. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/doctor/doctor.h"

extern char **environ;

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum { LONGEST_NAME = 80 }; /* that is said */

/* A name that no shell's variable can have is in no command: pasted, it might be one itself. */
static void tell_to_unset(char *command, size_t size, const char *name, size_t length, const char *nearest)
{
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") < length)
        snprintf(command, size, "start programs without it: env -i, and the variables that are wanted");
    else
        snprintf(command, size, nearest ? "unset %.*s; export %s=..." : "unset %.*s", (int)length, name,
                 nearest ? nearest : "");
}
static void starpu_spelling(const char *name, size_t length)
{
    const char *nearest;
    char command[256];

    if (cli_starpu_variable_known(name, length)) return;
    if (length > LONGEST_NAME) length = LONGEST_NAME;
    nearest = cli_starpu_variable_nearest(name, length);
    tell_to_unset(command, sizeof command, name, length, nearest);
    doctor_found("starpu-variable", command, "%.*s is set, and StarPU knows no such variable%s%s", (int)length, name,
                 nearest ? ": perhaps " : "", nearest ? nearest : "");
}

static int is_ours(const char *name, size_t length)
{
    const char *known;
    for (int k = 0; (known = cli_variable_name(k)); k++)
        if (strlen(known) == length && !strncmp(known, name, length)) return 1;
    return 0;
}
static void our_spelling(const char *name, size_t length)
{
    const char *nearest = NULL, *known;
    char command[256];
    int best = 4;

    if (is_ours(name, length)) return;
    if (length > LONGEST_NAME) length = LONGEST_NAME;
    for (int k = 0; (known = cli_variable_name(k)); k++) {
        const int d = cli_distance(known, name, length);
        if (d < best) best = d, nearest = known;
    }
    tell_to_unset(command, sizeof command, name, length, nearest);
    doctor_found("tilework-variable", command, "%.*s is set, and Tilework has no such variable%s%s", (int)length, name,
                 nearest ? ": perhaps " : "", nearest ? nearest : "");
}

static void spelling(void)
{
    doctor_looked();
    for (char **v = environ; *v; v++) {
        const size_t length = strcspn(*v, "=");
        if (!strncmp(*v, "TILEWORK_", 9)) our_spelling(*v, length);
        /* Its hostname and the paths of its scripts are no variables of the library's alone. */
        if (!strncmp(*v, "STARPU_", 7)) starpu_spelling(*v, length);
    }
}

/* ---- values that are none ---------------------------------------------------------------------------------------- */

/* Of rows whose checks are with what reads the variable: is this text one of what the row's `values` says, words with
 * commas and `or` between them; an order, also 1e3; numbers with commas, which the row may say "from ... to ..." of;
 * bytes with a letter behind them? */
static int in_range(double v, const char *one, size_t length)
{
    const char *from = strstr(one, " from ");
    double low, high;

    return !from || from >= one + length || sscanf(from, " from %lf to %lf", &low, &high) != 2 ||
           (v >= low && v <= high);
}
static int are_numbers(const char *text, const char *one, size_t length)
{
    char *end;

    for (;; text = end + 1) {
        const double v = strtod(text, &end);
        if (!(v > 0) || end == text || (*end && *end != ',') || !in_range(v, one, length)) return 0;
        if (!*end) return 1;
    }
}
static int fits_one(const char *text, const char *one, size_t length, int any_case)
{
    char *end;

    if (length == 9 && !strncmp(one, "any order", 9)) return strtod(text, &end) >= 0 && end != text && !*end; /* 1e3 */
    if (!strncmp(one, "numbers", 7)) return are_numbers(text, one, length);
    if (length == 5 && !strncmp(one, "bytes", 5))
        return strtod(text, &end) > 0 && end != text && strspn(end, "kKmMgGtTiB") == strlen(end);
    return strlen(text) == length && !(any_case ? strncasecmp(text, one, length) : strncmp(text, one, length));
}
static int fits(const char *text, const char *values, int any_case)
{
    while (*values) {
        const char *comma = strstr(values, ", "), * or = strstr(values, " or ");
        const char *end = comma && (! or || comma < or) ? comma : or ;
        const size_t length = end ? (size_t)(end - values) : strlen(values);
        if (fits_one(text, values, length, any_case)) return 1;
        if (!end) return 0;
        values = end + (end == comma ? 2 : 4);
    }
    return 0;
}

/* By the row's own check, with which the library would not start, and what that expects. */
static void judge(const tw_variable *v, const char *text)
{
    const int legal = tw_variable_legal(v->name);
    const char *expected = NULL; /* the last one: the value, which is in the message, may have such words, too */
    char command[96];

    if (legal > 0 || (legal < 0 && fits(text, v->values, !strcmp(v->name, "TILEWORK_DROPIN")))) return;
    for (const char *at = legal == 0 ? tw_last_message() : ""; (at = strstr(at, ": expected ")); at++)
        expected = at;
    snprintf(command, sizeof command, "unset %s", v->name);
    doctor_found("tilework-value", command, "%s=%.80s: it may be %s", v->name, text,
                 expected ? expected + strlen(": expected ") : v->values);
}
static void legal(void)
{
    for (const tw_variable *v = tw_variables(); v->name; v++) {
        const char *text = cli_variable(v->name);

        if (!v->values) continue;
        doctor_looked();
        if (text) judge(v, text);
    }
}

/* ---- values that do harm ----------------------------------------------------------------------------------------- */

static const struct harmful {
    const char *finding, *name, *value, *why; /* value NULL: any but 0 */
} harmful[] = {
    {"starpu-no-kernels", "STARPU_DISABLE_KERNELS", NULL, "nothing is computed: results are wrong"},
    {"starpu-forgets", "STARPU_CALIBRATE", "2", "every start forgets what StarPU learned of tasks' times"},
    {"starpu-bus", "STARPU_BUS_CALIBRATE", NULL, "every start measures the links anew, some seconds"},
    {"starpu-unbound", "STARPU_WORKERS_NOBIND", NULL, "workers wander between cores"},
    {"starpu-traces", "STARPU_FXT_TRACE", NULL,
     "StarPU records all that it does: memory and time that nobody asked for"},
    {"starpu-not-pinned", "STARPU_DISABLE_PINNING", NULL,
     "memory is not pinned: transfers to GPUs take several times as long"},
    {"tilework-reprobe", "TILEWORK_REPROBE", NULL, "every start measures the machine anew, some seconds"},
    {"tilework-for-tests", "TILEWORK_FORCE_CUDA", NULL, "it is for tests: no task with a CUDA body runs on a core"},
    {"tilework-for-tests", "TILEWORK_MODELLED", NULL, "it is for tests: results are wrong"},
    {"tilework-for-tests", "TILEWORK_FAULT", NULL, "it is for tests: results are wrong"},
    {"tilework-for-tests", "TILEWORK_GPU_TILES", NULL, "it is for tests: GPUs' memory is not used"},
};

static void harm(void)
{
    for (size_t k = 0; k < sizeof harmful / sizeof *harmful; k++) {
        const struct harmful *h = &harmful[k];
        const char *text = cli_variable(h->name);
        char command[96];

        doctor_looked();
        if (!text || (h->value ? strcmp(text, h->value) != 0 : !strcmp(text, "0"))) continue;
        snprintf(command, sizeof command, "unset %s", h->name);
        doctor_found(h->finding, command, "%s=%s: %s", h->name, text, h->why);
    }
}

static void small_tiles(void)
{
    const char *nb = cli_variable("TILEWORK_NB"), *crossover = cli_variable("TILEWORK_CROSSOVER");

    doctor_looked();
    if (nb && atoi(nb) > 0 && atoi(nb) < 64)
        doctor_found("tilework-nb", "unset TILEWORK_NB",
                     "TILEWORK_NB=%s: tiles so small cost more to schedule than to compute", nb);
    doctor_looked();
    if (crossover && !strcmp(crossover, "0"))
        doctor_found("tilework-crossover", "unset TILEWORK_CROSSOVER",
                     "TILEWORK_CROSSOVER=0: the smallest matrices go through tasks, some tenths of a millisecond each");
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static const char *const binding[] = {"OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES"};
static int binds(const char *name)
{
    const char *text = cli_variable(name);
    return text && strcasecmp(text, "false") != 0 && strcasecmp(text, "disabled") != 0 && strcasecmp(text, "none") != 0;
}
const char *doctor_binding(void)
{
    for (size_t k = 0; k < sizeof binding / sizeof *binding; k++)
        if (binds(binding[k])) return binding[k];
    return NULL;
}

static void threads(void)
{
    static const char *const count[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
                                        "MKL_NUM_THREADS", "BLIS_NUM_THREADS",     "STARPU_NCPU"};
    char command[96];

    for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
        const char *text = cli_variable(count[k]);
        doctor_looked();
        if (!text || atoi(text) <= cli_cores()) continue;
        snprintf(command, sizeof command, "export %s=%d", count[k], cli_cores());
        doctor_found("too-many-threads", command,
                     "%s=%s on %d cores: threads take turns, and those that poll for work stop the others", count[k],
                     text, cli_cores());
    }
    for (size_t k = 0; k < sizeof binding / sizeof *binding; k++) {
        const char *text = cli_variable(binding[k]);
        doctor_looked();
        if (!binds(binding[k])) continue;
        snprintf(command, sizeof command, "unset %s", binding[k]);
        doctor_found(
            "bound-threads", command,
            "%s=%s binds the threads of OpenMP to cores to which StarPU binds its workers: all meet on the same ones",
            binding[k], text);
    }
}

/* ---- MPI --------------------------------------------------------------------------------------------------------- */

static void mpi(void)
{
    const char *here = cli_variable("OMPI_COMM_WORLD_LOCAL_SIZE"), *cores = cli_variable("STARPU_NCPU");
    struct rlimit limit;
    int ranks;
    char command[128];

    doctor_looked();
    if (!here) here = cli_variable("MPI_LOCALNRANKS");
    if (!here) here = cli_variable("SLURM_NTASKS_PER_NODE");
    ranks = here ? atoi(here) : 0;
    if (ranks > 1 && ranks * (cores ? atoi(cores) : cli_cores()) > cli_cores() &&
        cli_cores() * ranks > (int)sysconf(_SC_NPROCESSORS_ONLN)) {
        snprintf(command, sizeof command, "export STARPU_NCPU=%d", cli_cores() / ranks > 0 ? cli_cores() / ranks : 1);
        doctor_found("mpi-cores", command, "%d ranks on this machine each use %d cores, of which it has %d", ranks,
                     cores ? atoi(cores) : cli_cores(), cli_cores());
    }
    doctor_looked();
    if (cli_variable("OMPI_COMM_WORLD_SIZE") && cli_variable("MPI_LOCALNRANKS"))
        doctor_found(
            "mpi-mixed", "start it with the mpirun of the MPI that it is linked with",
            "variables of Open MPI and of MPICH are set at once: a launcher of one starts programs of the other");
    doctor_looked();
    if ((ranks > 1 || cli_variable("OMPI_COMM_WORLD_SIZE")) && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
        limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < (64u << 20))
        doctor_found("memlock", "ulimit -l unlimited (/etc/security/limits.conf, or the batch system's configuration)",
                     "%llu KiB may be locked: networks that copy from memory themselves register less than a tile",
                     (unsigned long long)limit.rlim_cur >> 10);
}

/* ---- files that variables name ----------------------------------------------------------------------------------- */

static void files(void)
{
    const char *report = cli_variable("TILEWORK_DROPIN_REPORT"), *backend = cli_variable("TILEWORK_DROPIN_BACKEND");

    doctor_looked();
    if (report && strcmp(report, "0") != 0 && strcmp(report, "1") != 0) {
        char folder[4096];
        const char *slash = strrchr(report, '/');
        struct stat s;
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - report) + 1 : 1, slash ? report : ".");
        if (stat(report, &s) == 0 ? S_ISDIR(s.st_mode) || access(report, W_OK) != 0 : access(folder, W_OK | X_OK) != 0)
            doctor_found("dropin-report", "export TILEWORK_DROPIN_REPORT=FILE, of a file that can be written, or 1",
                         "TILEWORK_DROPIN_REPORT=%.80s cannot be written: reports will be lost", report);
    }
    doctor_looked();
    if (backend) {
        void *library = dlopen(backend, RTLD_LAZY | RTLD_LOCAL);
        if (!library)
            doctor_found("dropin-backend", "unset TILEWORK_DROPIN_BACKEND", "TILEWORK_DROPIN_BACKEND: %.200s",
                         dlerror());
        else if (!dlsym(library, "dgemm_") && !dlsym(library, "dgemm_64_") && !dlsym(library, "dpotrf_") &&
                 !dlsym(library, "dpotrf_64_") && !dlsym(library, "LAPACKE_dpotrf"))
            doctor_found("dropin-backend", "unset TILEWORK_DROPIN_BACKEND",
                         "TILEWORK_DROPIN_BACKEND=%.80s has none of BLAS' and LAPACK's names: it is passed over",
                         backend);
    }
}

void doctor_variables(void)
{
    spelling();
    legal();
    files();
    harm();
    small_tiles();
    threads();
    mpi();
}
