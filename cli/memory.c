/* tilework memory: what a routine needs, before it is called. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

struct asked {
    const char *routine, *counted; /* as it was said, and whose bytes it has: of syev syevd */
    long long m, n, k, nb;         /* m < 0: n; k < 0: the routine's default */
    int least, about; /* there may be more; of eigenvalues and singular values it depends on what is deflated */
    enum tw_type type;
    int json;
};

static int usage(void)
{
    printf("usage: tilework memory ROUTINE [flags]\n"
           "\n"
           "Prints the bytes that the routine on matrices needs at the same time: its operands in the library's tiles, "
           "what it\n"
           "makes beside them, and what the GPUs hold if nothing has to leave them.\n"
           "\n"
           "  --n N                the order, or the columns [1000]\n"
           "  --m M                the rows; of sbevd and sbevx the sub-diagonals [N]\n"
           "  --k K                right-hand sides, a product's inner size [1]; eigenvectors or singular vectors, 0:\n"
           "                       values alone [all; of gersvd min(M, N) / 8]\n"
           "  --type s|d|c|z       single, double, and complex [d]\n"
           "  --nb NB              the order of tiles [the routine's choice on this machine]\n"
           "  --json               one JSON object\n");
    return CLI_OK;
}

static int flag(const char *name, const char *value, struct asked *a)
{
    static const struct {
        const char *name;
        size_t at;
        long long low, high;
    } numbers[] = {{"--n", offsetof(struct asked, n), 0, INT64_MAX},
                   {"--m", offsetof(struct asked, m), 0, INT64_MAX},
                   {"--k", offsetof(struct asked, k), 0, INT64_MAX},
                   {"--nb", offsetof(struct asked, nb), 1, 1 << 20}};

    if (!value) return cli_error(CLI_USAGE, "%s needs a value", name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(name, numbers[i].name))
            return cli_whole_number(name, value, numbers[i].low, numbers[i].high,
                                    (long long *)((char *)a + numbers[i].at))
                       ? CLI_USAGE
                       : 0;
    if (!strcmp(name, "--rank") || !strcmp(name, "--nrhs") || !strcmp(name, "--jobz"))
        return cli_error(CLI_USAGE, "%s: memory has --k for it: right-hand sides, or vectors (0: values alone)", name);
    if (strcmp(name, "--type") != 0)
        return cli_error(CLI_USAGE, "%s: no such flag; memory has --n, --m, --k, --type, --nb and --json", name);
    for (int t = 0; t < TW_NTYPES; t++)
        if (value[0] == tw_type_letter((enum tw_type)t) && !value[1]) {
            a->type = (enum tw_type)t;
            return 0;
        }
    return cli_error(CLI_USAGE, "--type %s: expected s, d, c or z", value);
}

/* As the routine's own command has it: eigenvectors and singular vectors are all wanted. */
static void defaults(struct asked *a)
{
    const struct cli_routine *r = NULL;
    long long least;

    if (a->m < 0) a->m = a->n;
    least = a->m < a->n ? a->m : a->n;
    for (int i = 0; cli_routines[i]; i++)
        if (!strcmp(a->routine, cli_routines[i]->name)) r = cli_routines[i];
    a->least = r && (r->nonsymmetric || r->told);
    a->about = r && (r->values || r->ranked);
    a->counted = r && r->tiles_of ? r->tiles_of : a->routine;
    if (a->k >= 0) return;
    a->k = !r || (!r->values && !r->nonsymmetric) ? 1
           : r->only_values                       ? 0
           : r->truncated                         ? (least / 8 > 0 ? least / 8 : 1)
           : r->singular                          ? least
                                                  : a->n;
}

static int parse(int argc, char **argv, struct asked *a)
{
    int e;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--json"))
            a->json = 1;
        else if (argv[i][0] == '-' && (e = flag(argv[i], i + 1 < argc ? argv[i + 1] : NULL, a)))
            return e;
        else if (argv[i][0] == '-')
            i++;
        else if (a->routine)
            return cli_error(CLI_USAGE, "%s: one routine at a time", argv[i]);
        else
            a->routine = argv[i];
    }
    if (!a->routine) return cli_error(CLI_USAGE, "memory needs the name of a routine, such as gesv");
    defaults(a);
    return 0;
}

static void line(const char *what, size_t bytes)
{
    printf("%-36s %20zu bytes  %10.3f GiB\n", what, bytes, (double)bytes / 1073741824.0);
}

static int print(const struct asked *a, const tw_memory *m)
{
    const char *source = "";
    const size_t limit = tw_host_memory_limit(&source);
    const char letter[2] = {tw_type_letter(a->type), 0};
    char what[64];

    if (a->json) {
        json_t *o = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "routine", a->routine,
                              "type", letter, "m", (json_int_t)a->m, "n", (json_int_t)a->n, "k", (json_int_t)a->k, "nb",
                              (json_int_t)m->nb, "host", (json_int_t)m->host, "own", (json_int_t)m->own, "gpus",
                              (json_int_t)m->gpus, "per_gpu", (json_int_t)m->per_gpu, "host_limit", (json_int_t)limit,
                              "host_limit_source", source);
        const int e = !o || json_dumpf(o, stdout, JSON_COMPACT) != 0;
        putchar('\n');
        json_decref(o);
        return e ? cli_error(CLI_FAILED, "--json: could not be written") : 0;
    }
    printf("%s%s, m = %lld, n = %lld, k = %lld, nb = %lld\n", letter, a->routine, a->m, a->n, a->k, (long long)m->nb);
    line("operands in main memory", m->host);
    line(a->least   ? "more while it runs, at least"
         : a->about ? "more while it runs, about"
                    : "more while it runs",
         m->own);
    if (m->gpus) {
        line("on the GPUs, all together", m->gpus);
        line("on each of them", m->per_gpu);
    }
    snprintf(what, sizeof what, "main memory to plan with (%.30s)", source);
    line(what, limit);
    if (m->host > limit || m->own > limit - m->host) puts("these do not fit into main memory");
    return 0;
}

/* No bytes are known of this name: the one that is meant, if they are of that. */
static int unknown(const struct asked *a)
{
    const char *meant = cli_meant(a->routine);
    tw_memory memory;

    if (meant && strcmp(meant, a->routine) != 0 && !tw_routine_memory(meant, a->type, 1, 1, 1, 0, &memory))
        return cli_error(CLI_USAGE, "memory %s: no routine on matrices has this name; did you mean %s?", a->routine,
                         meant);
    for (int i = 0; cli_commands[i]; i++)
        if (!strcmp(a->routine, cli_commands[i]->name) &&
            (cli_commands[i]->computes == 2 || !strcmp(a->routine, "fft")))
            return cli_error(CLI_USAGE,
                             "memory %s: it counts for routines on matrices; tilework %s itself says before it begins "
                             "where memory does not suffice",
                             a->routine, a->routine);
    return cli_error(CLI_USAGE, "memory %s: no routine on matrices has this name, or nobody has counted what it needs",
                     a->routine);
}

static int run_memory(int argc, char **argv)
{
    struct asked a = {.m = -1, .n = 1000, .k = -1, .type = TW_DOUBLE};
    tw_options options;
    tw_memory memory;
    int e;

    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) return usage();
    if ((e = parse(argc, argv, &a))) return e;
    tw_options_init(&options);
    options.progress = 0;
    if ((e = tw_init(&options))) return cli_library_error("starting", e);
    e = tw_routine_memory(a.counted, a.type, a.m, a.n, a.k, a.nb, &memory);
    e = e == -1 ? unknown(&a) : e ? cli_library_error("memory", e) : print(&a, &memory);
    const int stopped = tw_finalize();
    if (stopped < 0 && !e) e = cli_library_error("stopping", stopped);
    return e;
}

CLI_COMMAND(75, memory) = {
    .name = "memory",
    .summary = "bytes that a routine needs in main memory and on GPUs:  memory gesv --n 30000 --k 10",
    .run = run_memory,
};
