/* The words that every program of Tilework's knows: -h, --help, help, -V, --version, version. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdio.h>
#include <string.h>
#include <tilework/runtime.h>

enum cli_word { CLI_NO_WORD, CLI_WORD_HELP, CLI_WORD_VERSION };

/* What the command line asks for: `help` and `version` as the first word, the flags anywhere before a "--". */
static inline enum cli_word cli_word_asked(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "help")) return CLI_WORD_HELP;
    if (argc > 1 && !strcmp(argv[1], "version")) return CLI_WORD_VERSION;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) return CLI_WORD_HELP;
        if (!strcmp(argv[i], "-V") || !strcmp(argv[i], "--version")) return CLI_WORD_VERSION;
    }
    return CLI_NO_WORD;
}

static inline void cli_print_version(const char *program)
{
    printf("%s %d.%d.%d\n", program, TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH);
}

/* The same for programs with one page of help: 1 if a word was asked for and has been answered on stdout. */
static inline int cli_word_answered(int argc, char **argv, const char *program, const char *usage)
{
    const enum cli_word word = cli_word_asked(argc, argv);
    if (word == CLI_WORD_HELP) fputs(usage, stdout);
    if (word == CLI_WORD_VERSION) cli_print_version(program);
    return word != CLI_NO_WORD;
}
#endif
