/* The tilework command: dispatches to one file per subcommand. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/stack.h"
#include "cli/words.h"

/* `bench gemm -h`: a part of a command stands before the flags. */
static int part_of(int argc, char **argv)
{
    return argc > 3 && argv[2][0] != '-' && !strcmp(argv[1], "bench");
}

static const struct cli_routine *chosen;

static int run_chosen(int argc, char **argv)
{
    const int status = cli_run(chosen, argc, argv);
    return status == CLI_ASKED_HELP ? cli_routine_help(chosen) : status;
}

/* What every command that computes begins with. */
static void begin(char **argv)
{
    cli_right_kernels(argv);
    cli_catch_signals();
    cli_warn_of_variables(cli_variable_name);
}

static int version(void)
{
    cli_print_version("tilework");
    return CLI_OK;
}

static int run_command(const struct cli_command *c, int argc, char **argv)
{
    if (c->computes) begin(argv - 1);
    if (c->execs) cli_warn_of_variables(cli_variable_name);
    return c->computes == 2 ? cli_run_on_machine(argc, argv, 1, c->run) : c->run(argc, argv);
}

/* LAPACK's name, with its letter for the type; a mistyped word; or something else altogether. */
static int unknown(const char *name)
{
    const char *nearest = cli_nearest(name, cli_word);

    if (cli_elsewhere(name)) return CLI_USAGE;
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
    if (!strcmp(name, "-V") || !strcmp(name, "--version")) return version();
    if (!strcmp(name, "help")) return cli_help(argc - 1, argv + 1);
    switch (cli_word_asked(argc - 1, argv + 1)) { /* after any routine or command, and before anything is started */
    case CLI_WORD_VERSION: return version();
    case CLI_WORD_HELP: return cli_help(part_of(argc, argv) ? 3 : 2, (char *[]){"help", argv[1], argv[2], NULL});
    default: break;
    }
    for (int i = 0; cli_routines[i]; i++)
        if (!strcmp(name, cli_routines[i]->name)) {
            begin(argv);
            chosen = cli_routines[i];
            return cli_run_on_machine(argc - 1, argv + 1, 0, run_chosen);
        }
    for (int i = 0; cli_commands[i]; i++)
        if (!strcmp(name, cli_commands[i]->name)) return run_command(cli_commands[i], argc - 1, argv + 1);
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
