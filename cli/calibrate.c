/* tilework calibrate: measure the machine profile again, for longer than the first start does, keep it, and say what
 * changed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define MAX_ENTRIES 1024

static int usage(void)
{
    printf("usage: tilework calibrate [--seconds S]\n"
           "\n"
           "Measures the machine profile again for about S seconds (1 to 600, default 10), with nothing else running, "
           "and keeps it.\n"
           "A first start measures for 3 s at most, which is enough unless the machine was busy then.\n");
    return CLI_OK;
}

/* The profile before and after have the same entries in the same order: which are measured depends on the machine
 * only. */
static void print_changes(const tw_profile_entry *before, const tw_profile_entry *after, int count)
{
    double largest = 0;
    int where = 0, changed = 0;

    for (int k = 0; k < count; k++) {
        double change = fabs(log(after[k].value / before[k].value));
        changed += change > log(1.05);
        if (change > largest) largest = change, where = k;
    }
    printf("%d of %d numbers changed by more than 5 %%", changed, count);
    if (largest > 0) {
        const tw_profile_entry *e = &after[where];
        char type[8] = "";
        if (e->type) snprintf(type, sizeof type, " %c", e->type);
        printf("; most: %s %s%s", e->device, e->what, type);
        if (e->order) printf(" of order %d", e->order);
        if (e->streams > 1) printf(" on %d streams", e->streams);
        printf(" from %.3g to %.3g %s", before[where].value, e->value, e->unit);
    }
    printf("\n");
}

static int calibrate(long long seconds)
{
    static tw_profile_entry before[MAX_ENTRIES], after[MAX_ENTRIES];
    tw_options options;
    tw_profile_facts facts;
    double begin;
    int count, e;

    tw_options_init(&options);
    options.progress = 0;
    if ((e = tw_init(&options))) return cli_library_error("starting", e);
    count = tw_profile_entries(before, MAX_ENTRIES);
    if (count < 0) return cli_library_error("the profile", count);
    if (count > MAX_ENTRIES) count = MAX_ENTRIES;
    begin = cli_seconds();
    if ((e = tw_calibrate((double)seconds))) return cli_library_error("calibrating", e);
    if ((e = tw_profile_entries(after, MAX_ENTRIES)) < 0 || (e = tw_profile_facts_get(&facts)) < 0)
        return cli_library_error("the profile", e);
    printf("measured in %.1f s, kept in %s\n", cli_seconds() - begin, facts.path);
    print_changes(before, after, count);
    cli_print_tiles(stdout);
    cli_print_profile(stdout);
    e = tw_finalize();
    return e ? cli_library_error("stopping", e) : CLI_OK;
}

static int run_calibrate(int argc, char **argv)
{
    long long seconds = 10;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) return usage();
        if (strcmp(argv[i], "--seconds") != 0)
            return cli_error(CLI_USAGE, "%s: no such flag; calibrate has --seconds", argv[i]);
        if (++i == argc) return cli_error(CLI_USAGE, "--seconds needs a value");
        if (cli_whole_number("--seconds", argv[i], 1, 600, &seconds)) return CLI_USAGE;
    }
    return calibrate(seconds);
}

CLI_COMMAND(70, calibrate) = {
    .name = "calibrate",
    .summary = "measure the machine profile again, for longer, and say what changed",
    .run = run_calibrate,
    .computes = 1,
};
