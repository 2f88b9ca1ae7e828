/* The flag loop of the commands on particles and atoms. */
#include "cli/nbody/particles.h"

int cli_flags_parse(const struct cli_flags *f, int argc, char **argv, void *shared, void *options)
{
    int c;

    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":h", f->flags, NULL)) != -1) {
        if (c == 'h') return f->usage();
        if (c == ':' || c == '?') return cli_bad_flag(c, argv, f->flags, f->command);
        const int known = f->shared(c, optarg, shared);
        if (known < 0 || (!known && f->one(c, optarg, options))) return CLI_USAGE + 1;
    }
    if (optind < argc) return cli_error(CLI_USAGE + 1, "%s: not a flag; see: tilework %s -h", argv[optind], f->command);
    return 0;
}
