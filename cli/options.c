/* The flags that all routines share: strict values, messages that name the flag, exit status 2. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

int cli_error(int status, const char *format, ...)
{
    va_list list;

    fflush(stdout);
    fprintf(stderr, "tilework: ");
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}

int cli_library_error(const char *what, int code)
{
    char message[4096];

    snprintf(message, sizeof message, "%s", tw_last_message());
    if (code == TW_E_CANCELLED && cli_interrupted()) return 128 + cli_interrupted();
    if (strstr(message, tw_strerror(code))) /* an illegal argument's message says which it is */
        cli_error(0, "%s: %s", what, message);
    else
        cli_error(0, "%s: %s%s%s", what, tw_strerror(code), *message ? ": " : "", message);
    switch (code) { /* what the user asked for cannot be, as opposed to: it went wrong */
    case TW_E_MEMORY:
    case TW_E_OPTION:
    case TW_E_NO_WORKER:
    case TW_E_UNSUPPORTED: return CLI_USAGE;
    default: return CLI_FAILED;
    }
}

int cli_whole_number(const char *flag, const char *text, long long low, long long high, long long *value)
{
    char *end;

    errno = 0;
    *value = strtoll(text, &end, 10);
    if (end == text || *end || errno || *value < low || *value > high || text[0] == ' ' || text[0] == '+')
        return cli_error(-1, "%s %s: expected a whole number from %lld to %lld", flag, text, low, high);
    return 0;
}

static int number(const char *flag, const char *text, long long low, long long high, tw_int *value)
{
    long long v;
    if (cli_whole_number(flag, text, low, high, &v)) return -1;
    *value = v;
    return 0;
}

static int small_number(const char *flag, const char *text, long long low, long long high, int *value)
{
    long long v;
    if (cli_whole_number(flag, text, low, high, &v)) return -1;
    *value = (int)v;
    return 0;
}

static int unsigned_number(const char *flag, const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || *value > INT64_MAX)
        return cli_error(-1, "%s %s: expected a whole number from 0 to %" PRId64, flag, text, INT64_MAX);
    return 0;
}

/* One letter of `letters`, in either case; its index, or -1. */
static int letter(const char *flag, const char *text, const char *letters, const char *expected)
{
    const char *at = text[0] && !text[1] ? strchr(letters, text[0] | 0x20) : NULL;
    if (!at) return cli_error(-1, "%s %s: expected %s", flag, text, expected);
    return (int)(at - letters);
}

static int condition(const char *text, char *kind, size_t length)
{
    char *end;
    double c;

    errno = 0;
    c = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(c) || c < 1)
        return cli_error(-1, "--cond %s: expected a condition number of at least 1, such as 1e12", text);
    snprintf(kind, length, "spectrum:%.17g", c);
    return 0;
}

static int set_variable(const char *name, const char *value)
{
    if (setenv(name, value, 1)) return cli_error(-1, "%s could not be set: %s", name, strerror(errno));
    return 0;
}

enum {
    N = 256,
    M,
    NRHS,
    TYPE,
    UPLO,
    NB,
    KIND,
    COND,
    SEED,
    INPUT,
    RHS,
    OUTPUT,
    REPEAT,
    CHECK,
    SCHED,
    TRACE,
    JSON,
    NCPU,
    NCUDA,
    LAPACK_DOOR,
    IN_PLACE,
    PROGRESS,
    NO_PROGRESS,
    PRIORITY,
    WINDOW,
    LIMIT_CUDA_MEM
};

static const struct option flags[] = {{"n", 1, NULL, N},
                                      {"m", 1, NULL, M},
                                      {"nrhs", 1, NULL, NRHS},
                                      {"type", 1, NULL, TYPE},
                                      {"uplo", 1, NULL, UPLO},
                                      {"nb", 1, NULL, NB},
                                      {"kind", 1, NULL, KIND},
                                      {"cond", 1, NULL, COND},
                                      {"seed", 1, NULL, SEED},
                                      {"input", 1, NULL, INPUT},
                                      {"rhs", 1, NULL, RHS},
                                      {"output", 1, NULL, OUTPUT},
                                      {"repeat", 1, NULL, REPEAT},
                                      {"check", 0, NULL, CHECK},
                                      {"sched", 1, NULL, SCHED},
                                      {"trace", 1, NULL, TRACE},
                                      {"json", 0, NULL, JSON},
                                      {"ncpu", 1, NULL, NCPU},
                                      {"ncuda", 1, NULL, NCUDA},
                                      {"lapack-door", 0, NULL, LAPACK_DOOR},
                                      {"in-place", 0, NULL, IN_PLACE},
                                      {"progress", 0, NULL, PROGRESS},
                                      {"no-progress", 0, NULL, NO_PROGRESS},
                                      {"priority", 1, NULL, PRIORITY},
                                      {"window", 1, NULL, WINDOW},
                                      {"limit-cuda-mem", 1, NULL, LIMIT_CUDA_MEM},
                                      {"help", 0, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

/* What is remembered while parsing, for the rules between flags. */
struct seen {
    int kind, cond, seed, doors, progress;
    tw_int m;
};

/* Flags whose value lands in StarPU's own variables: a flag beats the variable. */
static int starpu_flag(int c, const char *value, struct cli_options *o)
{
    tw_int v;

    switch (c) {
    case SCHED: o->sched = value; return set_variable("STARPU_SCHED", value);
    case NCPU:
        if (small_number("--ncpu", value, 0, 4096, &o->ncpu)) return -1;
        return set_variable("STARPU_NCPU", value);
    case NCUDA:
        if (small_number("--ncuda", value, 0, 64, &o->ncuda)) return -1;
        return set_variable("STARPU_NCUDA", value);
    default:
        if (number("--limit-cuda-mem", value, 1, 1 << 30, &v)) return -1;
        return set_variable("STARPU_LIMIT_CUDA_MEM", value);
    }
}

static int priority(const char *value, struct cli_options *o)
{
    if (strcmp(value, "none") && strcmp(value, "panel") && strcmp(value, "bottom-level"))
        return cli_error(-1, "--priority %s: expected none, panel or bottom-level", value);
    o->priority = value;
    return 0;
}

static int kind(const char *value, struct cli_options *o)
{
    if ((size_t)snprintf(o->kind, sizeof o->kind, "%s", value) >= sizeof o->kind || !*value)
        return cli_error(-1, "--kind %s: expected 1 to %zu characters (see: tilework help kinds)", value,
                         sizeof o->kind - 1);
    return 0;
}

static int text(const char *flag, const char *value, const char **to)
{
    if (!*value) return cli_error(-1, "%s: the name is empty", flag);
    *to = value;
    return 0;
}

static int one_flag(int c, const char *value, struct cli_options *o, struct seen *seen)
{
    int i;

    switch (c) {
    case N: return number("--n", value, 0, INT64_MAX, &o->n);
    case M: return number("--m", value, 0, INT64_MAX, &seen->m);
    case NRHS: return number("--nrhs", value, 0, INT32_MAX, &o->nrhs);
    case TYPE:
        if ((i = letter("--type", value, "sdcz", "s, d, c or z")) >= 0) o->type = (enum tw_type)i;
        return i < 0 ? -1 : 0;
    case UPLO:
        if ((i = letter("--uplo", value, "lu", "L or U")) >= 0) o->uplo = i ? TW_UPPER : TW_LOWER;
        return i < 0 ? -1 : 0;
    case NB: return strcmp(value, "auto") ? number("--nb", value, 1, 1 << 20, &o->nb) : (o->nb = 0, 0);
    case KIND: seen->kind = 1; return kind(value, o);
    case COND: seen->cond = 1; return condition(value, o->kind, sizeof o->kind);
    case SEED: seen->seed = 1; return unsigned_number("--seed", value, &o->seed);
    case INPUT: return text("--input", value, &o->input);
    case RHS: return text("--rhs", value, &o->rhs);
    case OUTPUT: return text("--output", value, &o->output);
    case REPEAT: return small_number("--repeat", value, 1, 1000000, &o->repeat);
    case CHECK: o->check = 1; return 0;
    case TRACE: return text("--trace", value, &o->trace);
    case JSON: o->json = 1; return 0;
    case LAPACK_DOOR:
        seen->doors++;
        o->door = CLI_LAPACK;
        return 0;
    case IN_PLACE:
        seen->doors++;
        o->door = CLI_IN_PLACE;
        return 0;
    case PROGRESS:
        seen->progress = 1;
        o->progress = 1;
        return 0;
    case NO_PROGRESS:
        seen->progress = 1;
        o->progress = 0;
        return 0;
    case PRIORITY: return priority(value, o);
    case WINDOW: return number("--window", value, 1, INT32_MAX, &o->window);
    default: return starpu_flag(c, value, o);
    }
}

/* What flags forbid each other. */
static int rules(const struct cli_routine *routine, const struct cli_options *o, const struct seen *seen)
{
    if (seen->m >= 0 && o->n >= 0 && seen->m != o->n)
        return cli_error(-1, "--m %" PRId64 ": the matrix of %s is square, and --n is %" PRId64, seen->m, routine->name,
                         o->n);
    if (seen->kind && seen->cond)
        return cli_error(-1, "--cond: cannot be combined with --kind (it is --kind spectrum:C)");
    if (o->input && (seen->kind || seen->cond))
        return cli_error(-1, "--input: cannot be combined with %s", seen->kind ? "--kind" : "--cond");
    if (o->rhs && !routine->has_rhs) return cli_error(-1, "--rhs: %s has no right-hand side", routine->name);
    if (o->nrhs >= 0 && !routine->has_rhs) return cli_error(-1, "--nrhs: %s has no right-hand side", routine->name);
    if (seen->doors > 1) return cli_error(-1, "--lapack-door and --in-place exclude each other");
    if (o->output && routine->factor_first && !routine->solves && routine->flops == NULL)
        return cli_error(-1, "--output: %s computes a number, not a matrix", routine->name);
    return 0;
}

/* Flag, then variable, then: on when somebody watches, but not in the middle of JSON. */
static int progress_default(const struct cli_options *o)
{
    const char *value = getenv("TILEWORK_PROGRESS");
    if (value && !strcmp(value, "1")) return 1;
    if (value && !strcmp(value, "0")) return 0;
    return isatty(STDERR_FILENO) && !o->json;
}

int cli_parse(const struct cli_routine *routine, int argc, char **argv, struct cli_options *o)
{
    struct seen seen = {.m = -1};
    int c;

    memset(o, 0, sizeof *o);
    *o = (struct cli_options){
        .n = -1, .nrhs = -1, .type = TW_DOUBLE, .uplo = TW_LOWER, .seed = 1, .repeat = 1, .ncpu = -1, .ncuda = -1};
    snprintf(o->kind, sizeof o->kind, "spd");
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":h", flags, NULL)) != -1) {
        if (c == 'h') return cli_routine_help(routine) + 1;
        if (c == ':') return cli_error(CLI_USAGE + 1, "%s: needs a value", argv[optind - 1]);
        if (c == '?') {
            return cli_error(CLI_USAGE + 1, "%s: no such flag (or it takes no value); see: tilework help %s",
                             argv[optind - 1], routine->name);
        }
        if (one_flag(c, optarg, o, &seen)) return CLI_USAGE + 1;
    }
    if (optind < argc)
        return cli_error(CLI_USAGE + 1, "%s: not a flag; see: tilework help %s", argv[optind], routine->name);
    if (rules(routine, o, &seen)) return CLI_USAGE + 1;
    if (seen.m >= 0 && o->n < 0) o->n = seen.m;
    if (o->n < 0 && !o->input) o->n = 4096;
    if (!seen.progress) o->progress = progress_default(o);
    return 0;
}

int cli_start(const struct cli_options *o)
{
    tw_options options;
    int e;

    tw_options_init(&options);
    options.nb = o->nb;
    options.window = o->window;
    options.priority = o->priority;
    options.progress = 0; /* the command draws its own bar, which knows the run's flops */
    e = tw_init(&options);
    if (!e) return 0;
    return cli_library_error(e == TW_E_OPTION && o->sched ? "--sched" : "starting", e);
}
