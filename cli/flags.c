/* The flag loop of the commands on particles. */
#include "cli/particles.h"

int cli_cloud_parse(const struct cli_flags *f, int argc, char **argv, struct cli_cloud *cloud, void *options)
{
    int c;

    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":h", f->flags, NULL)) != -1) {
        const int of_cloud = cli_cloud_flag(c, optarg, cloud);
        if (c == 'h') return f->usage();
        if (c == ':' || c == '?') return cli_bad_flag(c, argv, f->command);
        if (of_cloud < 0 || (!of_cloud && f->one(c, optarg, options))) return CLI_USAGE + 1;
    }
    if (optind < argc) return cli_error(CLI_USAGE + 1, "%s: not a flag; see: tilework %s -h", argv[optind], f->command);
    return 0;
}
