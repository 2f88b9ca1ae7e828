/* Flags that all commands know, which say on what to run: they stand for StarPU's variables, which the library reads
 * when it starts. */
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"

extern char **environ;

const char cli_machine_help[] =
    "  --sched P[,P...] StarPU's scheduling policy, or several in turn [tilework with GPUs, else lws]\n"
    "  --sched-lib FILE library of your own with the policies that --sched names (examples/scheduler)\n"
    "  --ncpu C, --ncuda G  CPU workers and GPUs\n"
    "  --limit-cuda-mem MB  memory used on each GPU\n"
    "  --trace PREFIX   trace of the run: PREFIX.tw, .paje (ViTE), .json (Perfetto), .svg, .html (browser)\n";

static struct {
    const char *sched, *trace;
    long long ncpu, ncuda; /* -1: not given */
} asked = {.ncpu = -1, .ncuda = -1};

static const char *current_policy; /* of several in turn, the one that runs; else NULL */

static int set(const char *name, const char *value)
{
    return setenv(name, value, 1) ? cli_error(CLI_FAILED, "%s could not be set: no memory", name) : 0;
}

static int set_number(const char *flag, const char *name, const char *text, long long low, long long high,
                      long long *value)
{
    char digits[32];

    if (cli_whole_number(flag, text, low, high, value)) return CLI_USAGE;
    snprintf(digits, sizeof digits, "%lld", *value);
    cli_say_instead(name, flag);
    return set(name, digits);
}

/* A file beside us needs no ./, which the loader would ask for. What is no file is the loader's to find, or to complain
 * about. */
static int set_library(const char *value)
{
    char *path = realpath(value, NULL);
    int e;

    if (!*value) return cli_error(CLI_USAGE, "--sched-lib: the name is empty");
    cli_say_instead("STARPU_SCHED_LIB", "--sched-lib");
    e = set("STARPU_SCHED_LIB", path ? path : value);
    free(path);
    return e;
}

/* "lws,,prio" and "lws," have one too many commas. */
static int names_in(const char *list)
{
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        if (length == 0) return cli_error(CLI_USAGE, "--sched %s: a name is empty", list);
        at += length;
        if (!*at) return 0;
    }
}

static int take(const char *flag, const char *value)
{
    long long limit;

    if (!strcmp(flag, "--sched")) {
        asked.sched = value;
        return *value ? names_in(value) : cli_error(CLI_USAGE, "--sched: the name is empty");
    }
    if (!strcmp(flag, "--sched-lib")) return set_library(value);
    if (!strcmp(flag, "--trace")) {
        asked.trace = value;
        return *value ? cli_can_write_prefix("--trace", value) : cli_error(CLI_USAGE, "--trace: the name is empty");
    }
    if (!strcmp(flag, "--ncpu")) return set_number(flag, "STARPU_NCPU", value, 0, 4096, &asked.ncpu);
    if (!strcmp(flag, "--ncuda")) return set_number(flag, "STARPU_NCUDA", value, 0, 64, &asked.ncuda);
    return set_number(flag, "STARPU_LIMIT_CUDA_MEM", value, 1, 1 << 30, &limit);
}

/* "--ncpu" of "--ncpu" and "--ncpu=2"; NULL if it is none of these. *value: what stands behind "=", or NULL. */
static const char *flag_of(const char *word, int trace, const char **value)
{
    static const char *const flags[] = {"--sched", "--sched-lib", "--ncpu", "--ncuda", "--limit-cuda-mem", "--trace"};

    for (int k = 0; k < 5 + trace; k++) {
        const size_t n = strlen(flags[k]);
        if (strncmp(word, flags[k], n) != 0 || (word[n] && word[n] != '=')) continue;
        *value = word[n] ? word + n + 1 : NULL;
        return flags[k];
    }
    return NULL;
}

/* Takes them out of argv. */
static int machine_flags(int *argc, char **argv, int trace)
{
    const char *flag, *value;
    int n = 1, e;

    for (int k = 1; k < *argc; k++) {
        if (!(flag = flag_of(argv[k], trace, &value))) {
            argv[n++] = argv[k];
            continue;
        }
        if (!value && k + 1 == *argc) return cli_error(CLI_USAGE, "%s: needs a value", flag);
        if ((e = take(flag, value ? value : argv[++k]))) return e;
    }
    argv[n] = NULL;
    *argc = n;
    return 0;
}

/* ---- policies ---------------------------------------------------------------------------------------------------- */

/* getopt moves its words. */
static int run_on_copy(int argc, char **argv, int (*run)(int argc, char **argv))
{
    char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
    int status;

    if (!copy) return cli_error(CLI_FAILED, "no memory for the command line");
    memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
    status = run(argc, copy);
    free(copy);
    return status;
}

/* policy NULL: what the library chooses. */
static int one_policy(int argc, char **argv, const char *policy, int several, int (*run)(int argc, char **argv))
{
    int e = 0;

    current_policy = several ? policy : NULL;
    if (policy) e = set("STARPU_SCHED", policy);
    if (policy) cli_say_instead("STARPU_SCHED", "--sched");
    if (asked.trace && !e) e = set("TILEWORK_TRACE", cli_trace_of_policy(asked.trace));
    return e ? e : run_on_copy(argc, argv, run);
}

const char *cli_trace_of_policy(const char *prefix)
{
    static char name[4096];

    if (!current_policy) return prefix;
    snprintf(name, sizeof name, "%s-%s", prefix, current_policy);
    return name;
}

int cli_run_on_machine(int argc, char **argv, int trace, int (*run)(int argc, char **argv))
{
    const char *variable = cli_variable("TILEWORK_TRACE");
    char *policies, *rest, *policy;
    int e, worst = 0, several;

    if ((e = machine_flags(&argc, argv, trace))) return e;
    if (variable && !asked.trace && (e = cli_can_write_prefix("TILEWORK_TRACE", variable))) return e;
    if (!asked.sched) return one_policy(argc, argv, NULL, 0, run);
    if (!(policies = strdup(asked.sched))) return cli_error(CLI_FAILED, "no memory for --sched");
    several = strchr(policies, ',') != NULL;
    for (policy = strtok_r(policies, ",", &rest); policy && !cli_interrupted(); policy = strtok_r(NULL, ",", &rest)) {
        const int status = one_policy(argc, argv, policy, several, run);
        if (!worst) worst = status;
    }
    free(policies);
    return worst;
}

/* ---- warnings --------------------------------------------------------------------------------------------------- */

/* Those of the build, its tests and its set-up, and the command's own. */
static int is_of_the_build(const char *name, size_t length)
{
    static const char *const names[] = {"TILEWORK_BUILD",      "TILEWORK_SOURCE",
                                        "TILEWORK_SANITIZE",   "TILEWORK_COVERAGE",
                                        "TILEWORK_CUDA",       "TILEWORK_FUZZ",
                                        "TILEWORK_MPI",        "TILEWORK_TESTS",
                                        "TILEWORK_FFT",        "TILEWORK_DEPS",
                                        "TILEWORK_WERROR",     "TILEWORK_CORETYPE_SET",
                                        "TILEWORK_STARPU_DIR", NULL};
    if (!strncmp(name, "TILEWORK_TEST_", 14) || !strncmp(name, "TILEWORK_INSTALL_", 17) ||
        !strncmp(name, "TILEWORK_OPENBLAS_", 18))
        return 1;
    for (int k = 0; names[k]; k++)
        if (strlen(names[k]) == length && !strncmp(names[k], name, length)) return 1;
    return 0;
}

static void look_at(const char *name, size_t length, const char *(*known)(int k))
{
    const char *nearest = NULL, *word;
    int best = 4, d; /* beyond three letters it is another word */

    for (int k = 0; (word = known(k)); k++) {
        d = cli_distance(word, name, length);
        if (d == 0) return;
        if (d < best) best = d, nearest = word;
    }
    if (is_of_the_build(name, length)) return;
    cli_error(0, "warning: %.*s is set, but there is no such variable%s%s%s (see: tilework help variables)",
              (int)length, name, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

void cli_warn_of_variables(const char *(*known)(int k))
{
    for (char **e = environ; *e; e++)
        if (!strncmp(*e, "TILEWORK_", 9)) look_at(*e, strcspn(*e, "="), known);
}

void cli_warn_of_workers(void)
{
    tw_machine m;

    if (tw_machine_info(&m)) return;
    if (asked.ncpu > m.cores)
        cli_error(0, "warning: --ncpu %lld: this machine has %d cores; workers that share one wait for each other",
                  asked.ncpu, m.cores);
    else if (asked.ncpu > m.cpu_workers)
        cli_error(0, "warning: --ncpu %lld: %d CPU workers run", asked.ncpu, m.cpu_workers);
    if (asked.ncuda > m.cuda_devices)
        cli_error(0, "warning: --ncuda %lld: %d GPUs are used; tilework info says what is here", asked.ncuda,
                  m.cuda_devices);
    asked.ncpu = asked.ncuda = -1; /* said once, not at every turn */
}
