/* The tilework command: dispatches to one file per subcommand. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

int cli_coretype_was_unset;

const struct cli_routine *const cli_routines[] = {&cli_potrf, &cli_potrs, &cli_posv,  &cli_potri,
                                                  &cli_lauum, &cli_trtri, &cli_pocon, NULL};

static const struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
    int computes; /* worth the right BLAS kernels */
} commands[] = {
    {"nbody", "particles under their own gravity: energies, motion, pictures (tilework nbody -h)", cli_nbody, 1},
    {"direct", "potentials of particles by all pairs (tilework direct -h)", cli_direct, 1},
    {"fmm", "potentials of particles by the fast multipole method (tilework fmm -h)", cli_fmm, 1},
    {"md", "atoms with cut-off forces in motion (tilework md -h)", cli_md, 1},
    {"minimize", "atoms with cut-off forces down to a minimum of energy (tilework minimize -h)", cli_minimize, 1},
    {"info", "this machine, what Tilework found on it, and what is wrong and how to mend it", cli_info, 1},
    {"calibrate", "measure the machine profile again, for longer, and say what changed", cli_calibrate, 1},
    {"fft", "fast Fourier transforms (tilework fft --help)", cli_fft, 0},
    {"bench", "compare with other libraries on this machine (tilework bench -h)", cli_bench, 0},
    {"env", "shell commands that set what programs of your own need:  eval \"$(tilework env)\"", cli_env, 0},
    {"help", "help [ROUTINE | kinds | variables]", cli_help, 0},
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

void cli_print_commands(FILE *f)
{
    fprintf(f, "Routines:\n");
    for (int i = 0; cli_routines[i]; i++)
        fprintf(f, "  %-10s %s\n", cli_routines[i]->name, cli_routines[i]->summary);
    fprintf(f, "Other commands:\n");
    for (size_t i = 0; i < NCOMMANDS; i++)
        fprintf(f, "  %-10s %s\n", commands[i].name, commands[i].summary);
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

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;

    if (!name) {
        fprintf(stderr, "usage: tilework ROUTINE [flags], or tilework COMMAND\n");
        cli_print_commands(stderr);
        return CLI_USAGE;
    }
    if (!strcmp(name, "-h") || !strcmp(name, "--help")) name = "help";
    if (!strcmp(name, "-V") || !strcmp(name, "--version")) {
        printf("tilework %d.%d.%d\n", TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH);
        return CLI_OK;
    }
    for (int i = 0; cli_routines[i]; i++)
        if (!strcmp(name, cli_routines[i]->name)) {
            right_kernels(argv);
            return cli_run(cli_routines[i], argc - 1, argv + 1);
        }
    for (size_t i = 0; i < NCOMMANDS; i++)
        if (!strcmp(name, commands[i].name)) {
            if (commands[i].computes) right_kernels(argv);
            return commands[i].run(argc - 1, argv + 1);
        }
    fprintf(stderr, "tilework: there is no routine or command '%s'\n", name);
    cli_print_commands(stderr);
    return CLI_USAGE;
}
