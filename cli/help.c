/* tilework help: overall, per routine, generators, variables. */
#include <string.h>

#include "cli/cli.h"
#include "cli/words.h"

static const struct {
    const char *name, *text;
} starpu_variables[] = {
    {"STARPU_SCHED", "scheduling policy (--sched); tilework info lists them"},
    {"STARPU_SCHED_LIB", "library with scheduling policies of your own (--sched-lib)"},
    {"STARPU_NCPU, STARPU_NCUDA", "CPU workers and GPUs (--ncpu, --ncuda)"},
    {"STARPU_WORKERS_CPUID", "the logical cores to use, such as 0-7"},
    {"STARPU_WORKERS_CUDAID", "the GPUs to use, such as 0,2"},
    {"STARPU_NWORKER_PER_CUDA", "streams per GPU (3)"},
    {"STARPU_LIMIT_CUDA_MEM", "MiB used on each GPU (--limit-cuda-mem)"},
    {"STARPU_FXT_TRACE", "1: StarPU's own traces, where it was built with FxT"},
    {"OPENBLAS_CORETYPE", "OpenBLAS' kernels; the command sets it when OpenBLAS does not know the CPU (tilework env)"},
    {NULL, NULL}};

/* Behind --kind. */
static const char flags[] =
    "  --cond C             the same as --kind spectrum:C\n"
    "  --seed S             of the generator [1]\n"
    "  --input FILE         read the matrix from a Matrix Market, .npy or raw file instead; bare elements with --n; -: "
    "standard "
    "input\n"
    "  --output FILE        write the result to .mtx, .npy or .raw; -: standard output (nothing is written when "
    "something "
    "failed)\n"
    "  --repeat R           runs, one line each, then median, least and spread [1]\n"
    "  --check              scaled residual by an independent checker; fails above 30, warns above 3\n"
    "  --in-place           tiles inside a plain column-major array\n"
    "  --lapack-door        the LAPACK interface (tw_dpotrf, ...) on a plain malloc'ed array\n"
    "  --sched P[,P...]     StarPU's scheduling policy, or several in turn [tilework with GPUs, else lws]\n"
    "  --sched-lib FILE     library of your own with the policies that --sched names (examples/scheduler)\n"
    "  --ncpu C, --ncuda G  CPU workers and GPUs\n"
    "  --limit-cuda-mem MB  memory used on each GPU\n"
    "  --priority P         none, panel or bottom-level [bottom-level]\n"
    "  --window W           submitted, unfinished tasks at most\n"
    "  --trace PREFIX       trace of the last run: PREFIX.tw, .paje (ViTE), .json (Perfetto), .svg, .html (browser)\n"
    "  --progress, --no-progress  bar on stderr [on a terminal without --json]\n"
    "  --json               one JSON object per run\n"
    "Time is host to host: from the data valid in main memory to the result valid there again.\n"
    "Exit status: 0 only if info = 0 and the check passed, 1 for a failure, 2 for bad usage or bad input, 130 after "
    "Ctrl-C.\n";

static int has_random(const struct cli_routine *r)
{
    return r->general && !r->kind;
}
static int has_symmetric(const struct cli_routine *r)
{
    return r->kind && !strcmp(r->kind, "symmetric");
}
static int is_rectangular(const struct cli_routine *r)
{
    return r->rectangular;
}
static int is_general(const struct cli_routine *r)
{
    return r->general;
}

static void names(int (*wanted)(const struct cli_routine *r), char *text, size_t length)
{
    size_t used = 0;

    *text = 0;
    for (int i = 0; cli_routines[i]; i++)
        if (wanted(cli_routines[i]) && used < length)
            used += (size_t)snprintf(text + used, length - used, "%s%s", used ? ", " : "", cli_routines[i]->name);
}

#define FLAG_N    "  --n N                order of the matrix: 4096, 1e4, 2^12, 64K [4096]\n"
#define FLAG_M    "  --m M                rows"
#define FLAG_TYPE "  --type s|d|c|z       single, double, and complex [d]\n"
#define FLAG_UPLO "  --uplo L|U           the triangle that is stored and computed [L]"
#define FLAG_NB   "  --nb NB|auto         order of the tiles [auto: from the machine profile]\n"
#define FLAG_KIND "  --kind GENERATOR     what the matrix is ["
#define SEE_KINDS "]; see: tilework help kinds\n"

static void print_flags(void)
{
    char general[400], random[400], symmetric[400], rectangular[400];

    names(is_general, general, sizeof general);
    names(has_random, random, sizeof random);
    names(has_symmetric, symmetric, sizeof symmetric);
    names(is_rectangular, rectangular, sizeof rectangular);
    printf("Flags of all routines (defaults in brackets):\n" FLAG_N FLAG_M
           ": of %s; of the others equal to N [N]\n" FLAG_TYPE FLAG_UPLO "; not for %s\n" FLAG_NB FLAG_KIND
           "spd; random for %s; symmetric for %s, and --f exp" SEE_KINDS "%s",
           rectangular, general, random, symmetric, flags);
}

/* What of these the routine has, with its own defaults. */
static void print_flags_of(const struct cli_routine *r)
{
    printf("Flags of all routines (defaults in brackets):\n%s",
           r->rectangular ? "  --n N                columns of the matrix: 4096, 1e4, 2^12, 64K [4096]\n" : FLAG_N);
    if (r->rectangular) printf(FLAG_M " [N]%s\n", r->tall ? ", no fewer than columns" : "");
    printf("%s", r->mixed  ? "  --type d|z           double, and complex [d]\n"
                 : r->real ? "  --type s|d           single, double [d]\n"
                           : FLAG_TYPE);
    if (!r->general) printf(FLAG_UPLO "\n");
    printf(FLAG_NB FLAG_KIND "%s%s" SEE_KINDS "%s",
           r->kind      ? r->kind
           : r->general ? "random"
                        : "spd",
           r->functions ? "; symmetric with --f exp" : "", flags);
}

static int overall(void)
{
    printf("usage: tilework ROUTINE [flags]\n"
           "       tilework COMMAND\n\n"
           "Linear algebra, FFTs and particles as task graphs on StarPU.\n\n");
    cli_print_commands(stdout);
    printf("\n");
    print_flags();
    return CLI_OK;
}

/* What is the routine's own. */
static void print_routine(const struct cli_routine *r)
{
    printf("tilework %s: %s\n\n%s\n\nExample:\n  %s\n\n", r->name, r->summary, r->text, r->example);
    if (r->values || r->has_rhs || r->ranked || r->stops || r->nonsymmetric || CLI_HAS_PIVOTS(r) || CLI_HAS_TAU(r) ||
        CLI_HAS_R(r) || CLI_HAS_H(r))
        printf("Flags of %s:\n", r->name);
    if (r->ranked && !r->values)
        printf("  --rcond R            what is less than so much of the largest counts as 0 [%s]\n",
               r->second ? "max(m, n) eps" : "10 max(m, n) eps");
    if (r->transposes)
        printf("  --trans N|T|C        with A, A^T or A^H%s [N]\n",
               r->transposes == 2 ? " (T: real matrices, C: also these)" : "");
    if (r->stops)
        printf("  --kmax K             so many columns at most [min(m, n)]\n"
               "  --abstol T           until no column of what is left is longer than T [none]\n"
               "  --reltol T           until none is longer than T times the longest of A [none]\n");
    if (CLI_HAS_PIVOTS(r))
        printf("  --pivots FILE        write the numbers of %s, from 1 (.mtx, .npy, .raw, .bin)\n",
               r->pivoted ? "A's columns in their new order" : "the rows that were exchanged with 1, 2, ...");
    if (CLI_HAS_TAU(r)) printf("  --tau FILE           write the reflectors' factors\n");
    if (CLI_HAS_R(r)) printf("  --r FILE             write R (.mtx, .npy, .raw, .bin)\n");
    if (CLI_HAS_H(r)) printf("  --h FILE             write H (.mtx, .npy, .raw, .bin)\n");
    if (r->schur) printf("  --schur FILE         write T (.mtx, .npy, .raw, .bin)\n");
    if (r->truncated)
        printf("  --rank K             singular values and vectors, the most of them with --tol [min(m, n) / 8, and "
               "with --tol min(m, n)]\n"
               "  --tol T              as many as it takes for |A - U s V^H| <= T [none: --rank of them]\n"
               "  --oversampling P     random vectors beside these [10]\n"
               "  --power Q            products with A A^H before [1]\n");
    if (r->functions)
        printf("  --f NAME             sqrt, inverse, inverse-sqrt, exp, log or abs [sqrt]\n");
    else if (r->singular && r->ranges)
        printf("  --jobz N|V           singular values alone, or with vectors of both sides [V]\n");
    else if (r->singular && !r->truncated)
        printf("  --jobz N|S|A|O       values alone; U and V^T of min(m, n) vectors; of all; A becomes the one that is "
               "as large [S]\n");
    else if (r->values && !r->only_values && !r->truncated)
        printf("  --jobz N|V           eigenvalues alone, or with eigenvectors [V]\n");
    if (r->schur)
        printf("  --jobvs N|V          without, or with Schur vectors [V]\n"
               "  --select none|left|disk  eigenvalues that come first: those left of the imaginary axis, or inside "
               "the unit circle [none]\n");
    else if (r->nonsymmetric)
        printf("  --jobvl N|V          without, or with left eigenvectors [N]\n"
               "  --jobvr N|V          without, or with right eigenvectors [V]\n");
    if (r->values)
        printf("  --values FILE        write the %s (.mtx, .npy, .raw, .bin)\n",
               r->singular ? "singular values" : "eigenvalues");
    else if (r->nonsymmetric)
        printf("  --values FILE        write the eigenvalues, as complex numbers (.mtx, .npy, .raw, .bin)\n");
    if (r->singular) printf("  --vt FILE            write V^H\n");
    if (r->nonsymmetric && !r->schur) printf("  --vl FILE            write the left eigenvectors (with --jobvl V)\n");
    if (r->ranges)
        printf("  --range A|I:F:L|V:LO:HI  which: all; numbers F ... L%s; those in %s [A]\n",
               r->singular ? ", 1 is the largest" : "", r->singular ? "[LO, HI)" : "(LO, HI]");
    if (r->values && !r->banded && !r->truncated)
        printf("  --band B             diagonals of the band between the two stages, beside the main one [chosen]\n"
               "  --route %s  chosen, LAPACK alone, %stwo stages by way of a band [auto]\n",
               r->singular ? "auto|lapack|two" : "auto|lapack|one|two", r->singular ? "or " : "one stage, or ");
    if (r->banded == 2) printf("  --kd K               sub-diagonals of the matrix that count [32]\n");
    if (r->pencil)
        printf("  --itype 1|2|3        A x = lambda B x, A B x = lambda x or B A x = lambda x [1]\n"
               "  --rhs FILE           read B from a file [made, of kind spd]\n");
    else if (r->has_rhs)
        printf("  --nrhs R             right-hand sides [1]\n  --rhs FILE           read them from a file\n");
}

int cli_routine_help(const struct cli_routine *r)
{
    print_routine(r);
    print_flags_of(r);
    return CLI_OK;
}

static int kinds(void)
{
    const char *name, *text;

    printf("Generators for --kind (an entry depends only on its position and --seed):\n");
    for (int k = 0; (name = tw_generator_name(k, &text)); k++)
        printf("  %-12s %s\n", name, text ? text : "");
    return CLI_OK;
}

static int variables(void)
{
    printf("Tilework's variables (a flag beats them):\n");
    cli_print_variables("  ", 0);
    printf("StarPU's and OpenBLAS', the ones most used:\n");
    for (int i = 0; starpu_variables[i].name; i++)
        printf("  %-26s %s\n", starpu_variables[i].name, starpu_variables[i].text);
    return CLI_OK;
}

/* Every page, for a pager, and for the man page and the completions that are made of it: "= NAME", then the page. */
static int everything(void)
{
    printf("= tilework\n");
    overall();
    for (int i = 0; cli_routines[i]; i++) {
        printf("\n= %s\n", cli_routines[i]->name);
        print_routine(cli_routines[i]);
    }
    for (int i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];
        if (!c->run || c->execs) continue; /* help itself; programs of their own, which do not come back */
        printf("\n= %s\n", c->name);
        c->run(2, (char *[]){(char *)c->name, "-h", NULL});
    }
    printf("\n= kinds\n");
    kinds();
    printf("\n= variables\n");
    return variables();
}

/* All that help knows, for a mistyped one. */
static const char *topic_name(int k)
{
    static const char *const own[] = {"kinds", "variables", "all"};
    const int n = sizeof own / sizeof *own;

    return k < n ? own[k] : cli_word(k - n);
}

int cli_help(int argc, char **argv)
{
    const char *topic = argc > 1 ? argv[1] : "help", *part = argc > 2 ? argv[2] : NULL, *nearest;

    if (part && (argc > 3 || strcmp(topic, "bench") != 0))
        return cli_error(CLI_USAGE, "%s: help takes one topic", part);
    if (!strcmp(topic, "help") || !strcmp(topic, "-h") || !strcmp(topic, "--help")) return overall();
    if (!strcmp(topic, "-V") || !strcmp(topic, "--version")) return cli_print_version("tilework"), CLI_OK;
    if (!strcmp(topic, "all")) return everything();
    if (!strcmp(topic, "kinds")) return kinds();
    if (!strcmp(topic, "variables")) return variables();
    for (int i = 0; cli_routines[i]; i++)
        if (!strcmp(topic, cli_routines[i]->name)) return cli_routine_help(cli_routines[i]);
    for (int i = 0; cli_commands[i]; i++)
        if (!strcmp(topic, cli_commands[i]->name))
            return part ? cli_commands[i]->run(3, (char *[]){argv[1], argv[2], "-h", NULL})
                        : cli_commands[i]->run(2, (char *[]){argv[1], "-h", NULL});
    if (cli_elsewhere(topic)) return CLI_USAGE;
    if ((nearest = cli_nearest(topic, topic_name)))
        return cli_error(CLI_USAGE, "help has no topic '%s'; did you mean %s? (tilework help lists them)", topic,
                         nearest);
    fprintf(stderr, "tilework: help has no topic '%s'; it has: kinds, variables, all, and\n", topic);
    cli_print_commands(stderr);
    return CLI_USAGE;
}
