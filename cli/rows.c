/* All routines and commands: each is defined in its own file, and cmake/CliRows.cmake has found it there. */
#include "cli/cli.h"
#include "cli_rows.h"

/* Without a function: a list that names help, and help that prints the list, would need each other. main.c calls it. */
CLI_COMMAND(110, help) = {
    .name = "help",
    .summary = "help [ROUTINE | COMMAND | kinds | variables | all]",
};

const struct cli_routine *const cli_routines[] = {CLI_ROUTINES NULL};
const struct cli_command *const cli_commands[] = {CLI_COMMANDS NULL};

void cli_print_commands(FILE *f)
{
    fprintf(f, "Routines:\n");
    for (int i = 0; cli_routines[i]; i++)
        fprintf(f, "  %-10s %s\n", cli_routines[i]->name, cli_routines[i]->summary);
    fprintf(f, "Other commands:\n");
    for (int i = 0; cli_commands[i]; i++)
        fprintf(f, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
}

const char *cli_word(int k)
{
    int routines = 0;

    while (cli_routines[routines])
        routines++;
    if (k < routines) return cli_routines[k]->name;
    return cli_commands[k - routines] ? cli_commands[k - routines]->name : NULL;
}
