/* The tilework command: dispatches to one file per subcommand. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/stack.h"
#include "cli/words.h"

int cli_coretype_was_unset;

const struct cli_routine *const cli_routines[] = {&cli_potrf, &cli_potrs, &cli_posv,  &cli_potri,
                                                  &cli_lauum, &cli_trtri, &cli_pocon, &cli_getrf,
                                                  &cli_getrs, &cli_gesv,  NULL};

const struct cli_command cli_commands[] = {
    {"nbody", "particles under their own gravity: energies, motion, pictures (tilework nbody -h)", cli_nbody, 2},
    {"direct", "potentials of particles by all pairs (tilework direct -h)", cli_direct, 2},
    {"fmm", "potentials of particles by the fast multipole method (tilework fmm -h)", cli_fmm, 2},
    {"md", "atoms with cut-off forces in motion (tilework md -h)", cli_md, 2},
    {"minimize", "atoms with cut-off forces down to a minimum of energy (tilework minimize -h)", cli_minimize, 2},
    {"info", "this machine, what Tilework found on it, and what is wrong and how to fix it", cli_info, 1},
    {"calibrate", "measure the machine profile again, for longer, and say what changed", cli_calibrate, 1},
    {"fft", "fast Fourier transforms (tilework fft --help)", cli_fft, 0},
    {"bench", "compare with other libraries on this machine (tilework bench -h)", cli_bench, 0},
    {"env", "shell commands that set what programs of your own need:  eval \"$(tilework env)\"", cli_env, 0},
    {"help", "help [ROUTINE | COMMAND | kinds | variables | all]", cli_help, 0},
    {"version", "the version (and --version, of every program)", cli_version, 0},
    {NULL, NULL, NULL, 0}};

void cli_print_commands(FILE *f)
{
    fprintf(f, "Routines:\n");
    for (int i = 0; cli_routines[i]; i++)
        fprintf(f, "  %-10s %s\n", cli_routines[i]->name, cli_routines[i]->summary);
    fprintf(f, "Other commands:\n");
    for (int i = 0; cli_commands[i].name; i++)
        fprintf(f, "  %-10s %s\n", cli_commands[i].name, cli_commands[i].summary);
}

int cli_version(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "-h")) {
        printf("usage: tilework version\n\nPrints the version, as --version and -V do.\n");
        return CLI_OK;
    }
    if (argc > 1) return cli_error(CLI_USAGE, "%s: version takes no arguments", argv[1]);
    cli_print_version("tilework");
    return CLI_OK;
}

/* OpenBLAS reads OPENBLAS_CORETYPE when it is loaded, so the command starts itself again with it. A mark survives the exec, so
 * that `info` can tell the command's choice from the user's. */
static void right_kernels(char **argv)
{
    static const char mark[] = "TILEWORK_CORETYPE_SET";

    if (!getenv("OPENBLAS_CORETYPE")) setenv(mark, "1", 1);
    tw_blas_reexec(argv);
    cli_coretype_was_unset = getenv(mark) && getenv("OPENBLAS_CORETYPE");
    unsetenv(mark);
}

/* `bench gemm -h`: a part of a command stands before the flags. */
static int part_of(int argc, char **argv)
{
    return argc > 3 && argv[2][0] != '-' && !strcmp(argv[1], "bench");
}

static const struct cli_routine *chosen;

static int run_chosen(int argc, char **argv)
{
    return cli_run(chosen, argc, argv);
}

static const char *variable(int k)
{
    return cli_variables[k].name;
}

/* What every command that computes begins with. */
static void begin(char **argv)
{
    right_kernels(argv);
    cli_catch_signals();
    cli_warn_of_variables(variable);
}

static int run_command(const struct cli_command *c, int argc, char **argv)
{
    if (c->computes) begin(argv - 1);
    if (c->run == cli_fft || c->run == cli_bench) cli_warn_of_variables(variable);
    return c->computes == 2 ? cli_run_on_machine(argc, argv, 1, c->run) : c->run(argc, argv);
}

const char *cli_word(int k)
{
    int routines = 0;

    while (cli_routines[routines])
        routines++;
    return k < routines ? cli_routines[k]->name : cli_commands[k - routines].name;
}

/* LAPACK's name, with its letter for the type; a mistyped word; or something else altogether. */
static int unknown(const char *name)
{
    const char *nearest = cli_nearest(name, cli_word);

    for (int i = 0; cli_routines[i] && *name && strchr("sdczSDCZ", *name); i++)
        if (!strcasecmp(name + 1, cli_routines[i]->name))
            return cli_error(CLI_USAGE, "there is no routine or command '%s': say %s --type %c", name,
                             cli_routines[i]->name, tolower((unsigned char)*name));
    if (nearest)
        return cli_error(CLI_USAGE, "there is no routine or command '%s'; did you mean %s? (tilework help lists them)",
                         name, nearest);
    if (*name == '-')
        return cli_error(CLI_USAGE, "%s: a routine or command comes first, such as tilework potrf; see: tilework help",
                         name);
    cli_error(0, "there is no routine or command '%s'", name);
    cli_print_commands(stderr);
    return CLI_USAGE;
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;

    if (!name) {
        fprintf(stderr, "usage: tilework ROUTINE [flags], or tilework COMMAND\n");
        cli_print_commands(stderr);
        return CLI_USAGE;
    }
    if (!strcmp(name, "-h") || !strcmp(name, "--help")) return cli_help(argc - 1, argv + 1);
    if (!strcmp(name, "-V") || !strcmp(name, "--version")) return cli_version(1, argv);
    if (strcmp(name, "help") != 0) /* after any routine or command, and before anything is started */
        switch (cli_word_asked(argc - 1, argv + 1)) {
        case CLI_WORD_VERSION: return cli_version(1, argv);
        case CLI_WORD_HELP: return cli_help(part_of(argc, argv) ? 3 : 2, (char *[]){"help", argv[1], argv[2], NULL});
        default: break;
        }
    for (int i = 0; cli_routines[i]; i++)
        if (!strcmp(name, cli_routines[i]->name)) {
            begin(argv);
            chosen = cli_routines[i];
            return cli_run_on_machine(argc - 1, argv + 1, 0, run_chosen);
        }
    for (int i = 0; cli_commands[i].name; i++)
        if (!strcmp(name, cli_commands[i].name)) return run_command(&cli_commands[i], argc - 1, argv + 1);
    return unknown(name);
}

static int program(int argc, char **argv)
{
    cli_begin();
    return cli_end(dispatch(argc, argv));
}

int main(int argc, char **argv)
{
    return cli_with_stack(argc, argv, program);
}
