/* The command line of the short examples: a few words at most, --help, --version, and no other flags. */
#ifndef EXAMPLES_ARGUMENTS_H
#define EXAMPLES_ARGUMENTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/runtime.h>

/* -1: go on, there are at most `most` words, none of which looks like a flag. Else leave with this status: 0 after
 * --help or --version, 2 after a message about what is not understood. */
static inline int arguments(int argc, char **argv, int most, const char *usage)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
            return printf("usage: %s\n", usage) < 0;
        else if (!strcmp(argv[i], "-V") || !strcmp(argv[i], "--version"))
            return printf("%.*s %d.%d.%d\n", (int)strcspn(usage, " "), usage, TW_VERSION_MAJOR, TW_VERSION_MINOR,
                          TW_VERSION_PATCH) < 0;
    for (int i = 1; i < argc; i++) {
        char *end;
        int flag = argv[i][0] == '-' && (strtod(argv[i], &end), end == argv[i] || *end); /* -1 is a number */
        if (i > most || flag || !argv[i][0])
            return fprintf(stderr, "'%s' is not understood\nusage: %s\n", argv[i], usage), 2;
    }
    return -1;
}

/* Word number i as a number, `otherwise` where it is missing; NAN for anything that is not a number. */
static inline double argument_number(int argc, char **argv, int i, double otherwise)
{
    char *end;
    double value;

    if (i >= argc) return otherwise;
    value = strtod(argv[i], &end);
    return end == argv[i] || *end ? strtod("nan", NULL) : value;
}
#endif
