/* tilework trace: what a recording says, and other formats of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

enum { EXAMPLE = 256, OUTPUT, PATH, WHAT_IF, DIFF, FROM, TO, KERNEL, WORKER, FORMAT };
static const char *const formats[] = {"tw", "html", "paje", "json", "svg", "dot", "csv"};
enum { TW = 0, FORMATS = 7, WISHES = 16 };

struct wish {
    const char *file, *example, *output, *diff, *kernel, *worker, *what_if[WISHES];
    char **others; /* the other ranks' files */
    int nothers;
    double from, to;            /* milliseconds */
    int standard_input, is_cut; /* is_cut: of some time */
    int format[FORMATS], path, nwhat_if;
};

static int usage(void)
{
    printf(
        "usage: tilework trace FILE.tw [flags]\n"
        "       tilework trace FILE.tw.part [flags]         what a run has left that was killed\n"
        "       tilework trace FILE.tw FILE2.tw ... [flags]   several ranks' as one, by the clocks of their machines\n"
        "       tilework trace tasks.rec [flags]            what StarPU's own trace (FxT) has\n"
        "       tilework trace --example KIND:KEY=VALUE,... [flags]\n\n"
        "What a recording (--trace PREFIX leaves PREFIX.tw) says: figures, kernels, and the path that happened: "
        "from the last end back over what "
        "each\n"
        "task waited for. Its pieces add up to the whole time.\n\n"
        "  --path           the path's steps, one line each\n"
        "  --what-if C      the same graph scheduled again with changes, such as "
        "potrf=2x,link=2x,cores=1,submit=0,overhead=0,order=priority; may be given "
        "several times;\n"
        "                   standard: some ten that tell where time could be won, the best first\n"
        "  --diff OTHER.tw  where OTHER's time differs: the two paths' pieces, by kernel; the differences add up to "
        "that of the times\n"
        "  --from MS, --to MS, --kernel NAMES, --worker NAMES  only tasks that ran then, of these kernels, on these "
        "workers\n"
        "  --html, --svg, --paje, --json, --csv, --dot, --tw  write this file\n"
        "  --output PREFIX  of these files [FILE without .tw; merged; example]; -: one file to standard output, and no "
        "report\n"
        "  --example WHAT   a made-up recording with known answers: chain:n=10,t=1e-3, independent:n=100,workers=4, "
        "fork:n=8,workers=4,\n"
        "                   cholesky:nt=12,workers=8, transfers:n=10,workers=2,move=5e-4,\n"
        "                   values:n=4,wait=5e-4; rank=1 for several ranks'\n"
        "Exit status: 0, 1 for a failure, 2 for bad usage or a bad file.\n");
    return CLI_OK;
}

static int parse(struct wish *w, int argc, char **argv)
{
    static struct option flags[11 + FORMATS] = {{"example", 1, NULL, EXAMPLE}, {"output", 1, NULL, OUTPUT},
                                                {"path", 0, NULL, PATH},       {"what-if", 1, NULL, WHAT_IF},
                                                {"diff", 1, NULL, DIFF},       {"from", 1, NULL, FROM},
                                                {"to", 1, NULL, TO},           {"kernel", 1, NULL, KERNEL},
                                                {"worker", 1, NULL, WORKER},   {"help", 0, NULL, 'h'}};
    int c;

    for (int k = 0; k < FORMATS; k++)
        flags[10 + k] = (struct option){formats[k], 0, NULL, FORMAT + k};
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":h", flags, NULL)) != -1) {
        if (c == 'h') return CLI_ASKED_HELP;
        if (c == ':') return cli_error(CLI_USAGE, "%s: needs a value", argv[optind - 1]);
        if (c == '?') return cli_unknown_flag(cli_refused(argv), flags, "tilework help trace");
        if (c == EXAMPLE) w->example = optarg;
        if (c == OUTPUT) w->output = optarg;
        if (c == PATH) w->path = 1;
        if (c == DIFF) w->diff = optarg;
        if (c == KERNEL) w->kernel = optarg;
        if (c == WORKER) w->worker = optarg;
        if ((c == KERNEL || c == WORKER) && !*optarg)
            return cli_error(CLI_USAGE, "--%s: the name is empty", c == KERNEL ? "kernel" : "worker");
        if (c == FROM && cli_real("--from", optarg, 0, 1e12, &w->from)) return CLI_USAGE;
        if (c == TO && cli_real("--to", optarg, 0, 1e12, &w->to)) return CLI_USAGE;
        if (c == WHAT_IF && w->nwhat_if == WISHES)
            return cli_error(CLI_USAGE, "--what-if: more than %d of them", WISHES);
        if (c == WHAT_IF) w->what_if[w->nwhat_if++] = optarg;
        if (c >= FORMAT) w->format[c - FORMAT] = 1;
    }
    if (optind < argc) w->file = argv[optind++];
    w->others = argv + optind;
    w->nothers = argc - optind;
    if (w->file && w->example)
        return cli_error(CLI_USAGE, "trace: %s and --example %s: one of them", w->file, w->example);
    if (!w->file && !w->example)
        return cli_error(CLI_USAGE, "trace: expected a recording, FILE.tw, or --example (see: tilework help trace)");
    if (w->output && !*w->output) return cli_error(CLI_USAGE, "--output: the name is empty");
    return 0;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

/* C0, DEL, and the first byte of a C1 (some terminals take U+009B for ESC [). */
static int is_control(const char *c)
{
    const unsigned char a = (unsigned char)c[0], b = (unsigned char)c[a != 0];
    return a < ' ' || a == 0x7f || (a == 0xc2 && b >= 0x80 && b < 0xa0);
}

/* Texts of files may hold anything: what would steer a terminal is shown as ?. */
static const char *shown(const char *text, int k)
{
    static char line[4][300];
    char *to = line[k & 3];
    size_t n = 0;

    for (; text[n] && n + 1 < sizeof line[0]; n++)
        to[n] = is_control(text + n) ? '?' : text[n];
    to[n] = 0;
    return to;
}

/* dgemm; those that the program gave to StarPU itself have no type. */
static const char *kernel_name(const tw_trace_kernel *k)
{
    static char name[64];

    snprintf(name, sizeof name, "%.*s%.60s", k->type != ' ', &k->type, shown(k->name, 0));
    return name;
}

static const char *s_of(size_t n)
{
    return n == 1 ? "" : "s";
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_piece(const char *name, double seconds, double whole)
{
    if (seconds > 0) printf("  %-34s %12.6f s  %5.1f %%\n", name, seconds, share(seconds, whole));
}

static void print_facts(const tw_trace_facts *f, const struct wish *w)
{
    printf("%s, scheduler %s\n", shown(f->machine, 0), shown(f->sched, 1));
    printf("%s\n", shown(f->command, 0));
    if (strcmp(f->ranks, "0") != 0) printf("rank%s %s\n", strchr(f->ranks, ' ') ? "s" : "", shown(f->ranks, 0));
    if (*f->lacks) printf("it lacks %s\n", shown(f->lacks, 0));
    printf("%zu task%s of %d kernel%s on %d worker%s, %zu edge%s, %.6f s, %.1f %% busy, %.1f GF/s\n", f->tasks,
           s_of(f->tasks), f->kernels, s_of((size_t)f->kernels), f->workers, s_of((size_t)f->workers), f->edges,
           s_of(f->edges), f->seconds, share(f->busy, f->seconds * f->workers),
           f->seconds > 0 ? 1e-9 * f->flops / f->seconds : 0);
    if (f->dropped)
        printf("%zu tasks are missing: beyond TILEWORK_TRACE_LIMIT, or the recorder had no memory for them\n",
               f->dropped);
    if (f->lost + f->lost_idle > 0)
        printf("other programs took %.6f s of the cores: %.6f s in tasks, %.6f s between them\n",
               f->lost + f->lost_idle, f->lost, f->lost_idle);
    if (f->direct > 0)
        printf("threads were in LAPACK, BLAS or FFTW themselves for %.6f s, in calls without tasks\n", f->direct);
    if (f->transfers) printf("%zu transfers between memories, %.6g MB\n", f->transfers, 1e-6 * f->moved);
    if (f->edges)
        printf("no schedule of these tasks on these workers takes less than %.6f s (chain %.6f s, work %.6f s)\n",
               f->graph > f->busy / f->workers ? f->graph : f->busy / f->workers, f->graph, f->busy / f->workers);
    if (w->is_cut) printf("the part from %g ms on, of %g ms\n", w->from, 1e3 * f->seconds);
    printf("\nThe path that happened, %zu task%s:\n", f->path_length, s_of(f->path_length));
    print_piece("tasks at work", f->path_tasks, f->seconds);
    print_piece("waiting for their submission", f->path_submission, f->seconds);
    print_piece("ready, but not taken", f->path_scheduler, f->seconds);
    print_piece("waiting for a core: others had it", f->path_lost, f->seconds);
    print_piece("waiting for data", f->path_data, f->seconds);
    print_piece("taken, but not begun", f->path_start, f->seconds);
    print_piece(w->is_cut ? "until the part's end" : "waiting for the call's return", f->path_return, f->seconds);
    if (!f->edges) printf("  (the recording has no edges: the path goes back over workers and submissions only)\n");
}

/* Recordings keep nanoseconds, of which a median may be a half: what sums and differences of doubles add to that would
 * decide how a figure halfway between two is rounded, otherwise in a merged recording than in what is read of it. */
static double as_kept(double seconds)
{
    return round(2e9 * seconds) / 2e9;
}

static int print_kernels(const tw_recorded *r, const tw_trace_facts *f)
{
    tw_trace_kernel *k = calloc((size_t)f->kernels + 1, sizeof *k);
    const int n = k ? tw_recorded_kernels(r, k, f->kernels) : TW_E_MEMORY;

    if (n < 0) {
        free(k);
        return cli_library_error("trace", n);
    }
    printf("\n%-16s %9s %12s %7s %11s %11s %9s %12s %7s %11s\n", "kernel", "tasks", "s in all", "busy", "median ms",
           "longest ms", "GF/s", "s on path", "path", "slack ms");
    for (int i = 0; i < n; i++)
        printf("%-16s %9zu %12.6f %5.1f %% %11.4f %11.4f %9.3g %12.6f %5.1f %% %11.4f\n", kernel_name(&k[i]),
               k[i].tasks, as_kept(k[i].seconds), share(k[i].seconds, f->busy), 1e3 * as_kept(k[i].median),
               1e3 * as_kept(k[i].longest), k[i].seconds > 0 ? 1e-9 * k[i].flops / k[i].seconds : 0,
               as_kept(k[i].path_seconds), share(k[i].path_seconds, f->seconds), 1e3 * as_kept(k[i].slack));
    free(k);
    return 0;
}

static void print_step(const tw_trace_step *s)
{
    static const char *const because[] = {"-", "submission", "predecessor", "worker", "value"};
    char coord[64] = "";
    size_t used = 0;

    for (int k = 0; k < 4 && s->coord[k] != -1; k++)
        used += (size_t)snprintf(coord + used, sizeof coord - used, "%s%d", k ? "," : "(", s->coord[k]);
    if (used) snprintf(coord + used, sizeof coord - used, ")");
    printf("%12.4f %12.4f  %-12.40s %-12s %-18.40s %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f  %s\n", 1e3 * s->start,
           1e3 * s->end, shown(s->kernel, 0), coord, shown(s->worker, 1), 1e3 * s->submission, 1e3 * s->scheduler,
           1e3 * (s->lost - s->lost_at_work), 1e3 * s->data, 1e3 * s->begin, 1e3 * s->lost_at_work,
           because[s->because]);
}

static int print_path(const tw_recorded *r)
{
    tw_trace_step step[256];
    tw_int n, first = 0;

    printf("\n%12s %12s  %-12s %-12s %-18s %10s %10s %10s %10s %10s %10s  %s\n", "start ms", "end ms", "kernel", "tile",
           "worker", "submission", "scheduler", "lost core", "data", "begin", "lost in it", "waited for");
    do {
        if ((n = tw_recorded_path(r, step, first, 256)) < 0) return cli_library_error("trace", (int)n);
        for (tw_int k = 0; k < 256 && first + k < n; k++)
            print_step(&step[k]);
        first += 256;
    } while (first < n);
    return 0;
}

/* The message says it all: no option of the library's is meant. */
static int what_if_error(int e)
{
    return e == TW_E_OPTION ? cli_error(CLI_USAGE, "--%s", cli_last_message()) : cli_library_error("--what-if", e);
}

struct change {
    char text[100];
    double seconds;
};

static int sooner(const void *a, const void *b)
{
    const double x = ((const struct change *)a)->seconds, y = ((const struct change *)b)->seconds;
    return (x > y) - (x < y);
}

/* The standard ones, replayed and sorted. */
static int standard(const tw_recorded *r, struct change *c, int *n)
{
    int e = 0;

    while (*n < WISHES && tw_recorded_standard_change(r, *n, c[*n].text, sizeof c[*n].text) == 1) {
        if ((e = tw_recorded_replay(r, c[*n].text, &c[*n].seconds))) return what_if_error(e);
        ++*n;
    }
    qsort(c, (size_t)*n, sizeof *c, sooner);
    return 0;
}

static int names_links(const char *change)
{
    return !strncmp(change, "link=", 5) || strstr(change, ",link=");
}

/* The answers to all --what-if, before anything is printed or written. */
struct answers {
    struct change c[WISHES * WISHES];
    double same;
    int n;
};

static int ask(const tw_recorded *r, const struct wish *w, struct answers *a)
{
    int e = w->nwhat_if ? tw_recorded_replay(r, "", &a->same) : 0, n;

    if (e) return what_if_error(e);
    for (int k = 0; k < w->nwhat_if; k++) {
        struct change *c = a->c + a->n;
        n = 0;
        if (!strcmp(w->what_if[k], "standard")) {
            if ((e = standard(r, c, &n))) return e;
        } else {
            snprintf(c->text, sizeof c->text, "%s", *w->what_if[k] ? w->what_if[k] : "(as it was)");
            if ((e = tw_recorded_replay(r, w->what_if[k], &c[n++].seconds))) return what_if_error(e);
        }
        a->n += n;
    }
    return 0;
}

static void print_what_if(const struct answers *a, const tw_trace_facts *f)
{
    printf("\nWhat if (list scheduling of the recorded graph; unchanged it takes %.6f s, %+.1f %% of the %.6f s that "
           "were measured from the first submission to the last end):\n",
           a->same, share(a->same - f->span, f->span), f->span);
    for (int i = 0; i < a->n; i++)
        printf("  %-40s %12.6f s  %+6.1f %%%s\n", a->c[i].text, a->c[i].seconds,
               share(a->c[i].seconds - a->same, a->same),
               !f->transfers && names_links(a->c[i].text) ? "  (links: none, the same time)" : "");
}

/* ---- two recordings ---------------------------------------------------------------------------------------------- */

struct side {
    tw_trace_facts facts;
    tw_trace_kernel *kernel;
    const tw_trace_kernel **by_name; /* the same, in another order */
    int n;
};

static int by_kernel(const void *a, const void *b)
{
    const tw_trace_kernel *x = *(const tw_trace_kernel *const *)a, *y = *(const tw_trace_kernel *const *)b;
    return x->type != y->type ? x->type - y->type : strcmp(x->name, y->name);
}

static int side_of(struct side *s, const tw_recorded *r)
{
    int e = tw_recorded_facts(r, &s->facts);

    if (e) return cli_input_error("--diff", e);
    s->kernel = calloc((size_t)s->facts.kernels + 1, sizeof *s->kernel);
    s->by_name = calloc((size_t)s->facts.kernels + 1, sizeof *s->by_name);
    if (!s->kernel || !s->by_name) return cli_error(CLI_FAILED, "--diff: no memory");
    s->n = tw_recorded_kernels(r, s->kernel, s->facts.kernels);
    if (s->n < 0) return cli_library_error("--diff", s->n);
    for (int k = 0; k < s->n; k++)
        s->by_name[k] = &s->kernel[k];
    qsort(s->by_name, (size_t)s->n, sizeof *s->by_name, by_kernel);
    return 0;
}

static const tw_trace_kernel *same_kernel(const struct side *s, const tw_trace_kernel *k)
{
    const tw_trace_kernel *const *found = bsearch(&k, s->by_name, (size_t)s->n, sizeof *s->by_name, by_kernel);
    return found ? *found : NULL;
}

static void diff_kernel(const tw_trace_kernel *a, const tw_trace_kernel *b)
{
    static const tw_trace_kernel none;
    const tw_trace_kernel *k = a ? a : b;

    if (!a) a = &none;
    if (!b) b = &none;
    printf("%-28s %9zu %9zu %12.6f %12.6f %+13.6f %+13.6f\n", kernel_name(k), a->tasks, b->tasks, a->path_seconds,
           b->path_seconds, b->path_seconds - a->path_seconds, b->seconds - a->seconds);
}

static void diff_piece(const char *name, double a, double b)
{
    if (a > 0 || b > 0) printf("%-28s %9s %9s %12.6f %12.6f %+13.6f\n", name, "", "", a, b, b - a);
}

/* Tasks are matched by kernel: with other tiles there are others, too. */
static void print_diff(const struct side *a, const struct side *b)
{
    const tw_trace_facts *x = &a->facts, *y = &b->facts;

    printf("\nDifference, that less this (%s, scheduler %s):\n", shown(y->command, 0), shown(y->sched, 1));
    printf("%-28s %9s %9s %12s %12s %13s %13s\n", "piece of the path", "tasks", "there", "s on path", "there",
           "difference", "s in all");
    for (int k = 0; k < a->n; k++)
        diff_kernel(&a->kernel[k], same_kernel(b, &a->kernel[k]));
    for (int k = 0; k < b->n; k++)
        if (!same_kernel(a, &b->kernel[k])) diff_kernel(NULL, &b->kernel[k]);
    diff_piece("waiting for submission", x->path_submission, y->path_submission);
    diff_piece("ready, but not taken", x->path_scheduler, y->path_scheduler);
    diff_piece("waiting for a core", x->path_lost, y->path_lost);
    diff_piece("waiting for data", x->path_data, y->path_data);
    diff_piece("taken, but not begun", x->path_start, y->path_start);
    diff_piece("waiting for the call's return", x->path_return, y->path_return);
    printf("%-28s %9zu %9zu %12.6f %12.6f %+13.6f %+13.6f\n", "together", x->tasks, y->tasks, x->seconds, y->seconds,
           y->seconds - x->seconds, y->busy - x->busy);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* Whether PREFIX.tw is the recording that was read: --kernel and its like would leave a part in its place. */
static int is_input(const char *prefix, const char *file)
{
    char path[4100];
    struct stat a, b;

    snprintf(path, sizeof path, "%s.tw", prefix);
    return file && stat(path, &a) == 0 && stat(file, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* One file for the next program of a pipe, without a report. */
static int to_standard_output(const struct wish *w)
{
    int n = 0;

    for (int k = 0; k < FORMATS; k++)
        n += w->format[k];
    return n == 1 && w->output && !strcmp(w->output, "-");
}

static int write_files(const tw_recorded *r, const struct wish *w)
{
    char prefix[4096], list[100] = "";
    size_t length;
    int e;

    for (int k = 0; k < FORMATS; k++)
        if (w->format[k])
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? "," : "", formats[k]);
    if (!*list)
        return w->output ? cli_error(CLI_USAGE, "--output: which files? --html, --csv, ... (see: tilework help trace)")
                         : 0;
    snprintf(prefix, sizeof prefix, "%s",
             w->output           ? w->output
             : w->nothers        ? "merged"
             : w->standard_input ? "recording"
             : w->file           ? w->file
                                 : "example");
    length = strlen(prefix);
    if (!w->output && length > 8 && !strcmp(prefix + length - 8, ".tw.part")) prefix[length -= 5] = 0;
    if (!w->output && length > 3 && !strcmp(prefix + length - 3, ".tw")) prefix[length - 3] = 0;
    if (!to_standard_output(w) && (e = cli_can_write_prefix("--output", prefix))) return e;
    for (int k = -2; w->format[TW] && k < w->nothers; k++) {
        const char *read = k == -2 ? w->diff : k < 0 ? w->file : w->others[k];
        if (is_input(prefix, read))
            return cli_error(CLI_USAGE, "--tw: would be written over %s: give another --output", read);
    }
    e = tw_recorded_write(r, prefix, list);
    return e ? cli_library_error("trace", e) : 0;
}

/* *part stays NULL where all is asked for. */
static int selected(const tw_recorded *r, const struct wish *w, const char *what, tw_recorded **part)
{
    tw_trace_facts f;
    int e;

    if (!w->is_cut && !w->kernel && !w->worker) return 0;
    if (w->to < w->from) return cli_error(CLI_USAGE, "--to %g: before --from %g", w->to, w->from);
    e = tw_recorded_select(part, r, 1e-3 * w->from, 1e-3 * w->to, w->kernel, w->worker);
    if (e == TW_E_OPTION) return cli_error(CLI_USAGE, "%s: --%s", what, cli_last_message());
    if (!e) e = tw_recorded_facts(*part, &f);
    if (e) return cli_library_error("trace", e);
    return f.tasks ? 0 : cli_error(CLI_USAGE, "%s: no task is left by --from, --to, --kernel and --worker", what);
}

/* The other recording of --diff, of which the same is left out. */
static int read_other(const struct wish *w, tw_recorded **other)
{
    tw_recorded *part = NULL;
    int e = w->diff ? tw_recorded_read(other, w->diff) : 0;

    if (e) return cli_input_error("--diff", e);
    if (w->diff && (e = selected(*other, w, w->diff, &part))) return e;
    if (!part) return 0;
    tw_recorded_destroy(*other);
    *other = part;
    return 0;
}

static int print_advice(const tw_recorded *r, const tw_trace_facts *f)
{
    tw_trace_advice a[32];
    const int n = tw_recorded_advice(r, a, 32);

    if (n < 0) return cli_library_error("trace", n);
    printf(n ? "\nWhat stands out:\n" : "\nNothing stands out.\n");
    for (int k = 0; k < n && k < 32; k++) {
        printf("  %-20s %s\n  %-20s try: %s", a[k].rule, shown(a[k].evidence, 0), "", shown(a[k].command, 1));
        if (a[k].gain > 0) printf("   (promises %.6f s, %.1f %%)", a[k].gain, share(a[k].gain, f->seconds));
        putchar('\n');
    }
    if (f->part || f->dropped)
        printf("(Not all tasks are here: rules about idle time, counts and order say nothing.)\n");
    return 0;
}

/* a, b: of --diff; a NULL: none. */
static int report(const tw_recorded *r, const struct wish *w, const tw_trace_facts *f, const struct answers *answers,
                  const struct side *a, const struct side *b)
{
    int e;

    print_facts(f, w);
    e = print_kernels(r, f);
    if (!e) e = print_advice(r, f);
    if (!e && w->path) e = print_path(r);
    if (!e && w->nwhat_if) print_what_if(answers, f);
    if (!e && a) print_diff(a, b);
    return e;
}

/* What may be wrong with the wishes is found before anything is written or printed. */
static int show(const tw_recorded *r, const struct wish *w)
{
    struct answers *answers = calloc(1, sizeof *answers);
    struct side a = {0}, b = {0};
    tw_recorded *other = NULL;
    tw_trace_facts f;
    int e = answers ? tw_recorded_facts(r, &f) : TW_E_MEMORY;

    if (e) e = cli_input_error("trace", e);
    if (!e && w->nwhat_if && strchr(f.ranks, ' '))
        e = cli_error(CLI_USAGE,
                      "--what-if: of one rank's recording: what ranks waited for of each other is not known");
    if (!e) e = ask(r, w, answers);
    if (!e) e = read_other(w, &other);
    if (!e && other && !(e = side_of(&a, r))) e = side_of(&b, other);
    if (!e) e = write_files(r, w);
    if (!e && !to_standard_output(w)) e = report(r, w, &f, answers, other ? &a : NULL, &b);
    free(a.kernel), free(b.kernel), free(a.by_name), free(b.by_name), free(answers);
    tw_recorded_destroy(other);
    return e;
}

/* *first becomes both; *second goes. */
static int merge_two(tw_recorded **first, tw_recorded **second, const char *file, const char *other)
{
    static const char function[] = "tw_recorded_merge: ";
    tw_recorded *both;
    const int e = tw_recorded_merge(&both, *first, *second);
    const char *why = e ? cli_last_message() : "";

    if (e && !strncmp(why, function, strlen(function)))
        return cli_error(CLI_USAGE, "trace: %s and %s: %s", file, other, why + strlen(function));
    if (e) return cli_library_error("trace", e);
    tw_recorded_destroy(*first), tw_recorded_destroy(*second);
    *first = both;
    *second = NULL;
    return 0;
}

/* A file behind the first that cannot be read; perhaps it was meant to be written, by --json and its like. */
static int not_another(const char *file, int code)
{
    const char *suffix = strrchr(file, '.');
    struct stat there;

    for (size_t k = 0; code == TW_E_IO && suffix && k < sizeof formats / sizeof *formats; k++)
        if (strcmp(formats[k], "tw") != 0 && !strcmp(suffix + 1, formats[k]) && stat(file, &there) != 0)
            return cli_error(CLI_USAGE,
                             "trace %s: there is no such recording; --%s takes no name, --output PREFIX does", file,
                             formats[k]);
    return cli_input_error("trace", code);
}

/* *r: the first file's; then all files'. Neighbours are merged, and these again, so that a task is copied a few times
 * only. NULL after an error. */
static int merge(tw_recorded **r, const struct wish *w)
{
    const int n = w->nothers + 1;
    tw_recorded **all = calloc((size_t)n, sizeof *all);
    int e = all ? 0 : cli_error(CLI_FAILED, "trace: no memory");

    if (all) all[0] = *r;
    for (int k = 1; !e && k < n; k++)
        if ((e = tw_recorded_read(&all[k], w->others[k - 1]))) e = not_another(w->others[k - 1], e);
    for (int step = 1; !e && step < n; step *= 2)
        for (int k = 0; !e && k + step < n; k += 2 * step)
            e = merge_two(&all[k], &all[k + step], k ? w->others[k - 1] : w->file, w->others[k + step - 1]);
    for (int k = e ? 0 : 1; all && k < n; k++)
        tw_recorded_destroy(all[k]);
    if (!all) tw_recorded_destroy(*r);
    *r = e ? NULL : all[0];
    free(all);
    return e;
}

static int input(struct wish *w)
{
    w->is_cut = w->from > 0 || !isinf(w->to);
    w->standard_input = w->file && !strcmp(w->file, "-");
    return w->file ? cli_input_file("trace", &w->file) : 0;
}

/* The prefix that --trace had is not the file's name. */
static int not_read(const struct wish *w, int code)
{
    char path[4100] = "";
    struct stat there;

    if (w->file) snprintf(path, sizeof path, "%s.tw", w->file);
    if (code == TW_E_IO && w->file && stat(w->file, &there) != 0 && stat(path, &there) == 0)
        return cli_error(CLI_USAGE, "trace %s: there is no such file; did you mean %s?", w->file, path);
    return cli_input_error("trace", code);
}

static int run(int argc, char **argv)
{
    struct wish w = {.to = INFINITY};
    tw_recorded *r = NULL, *part = NULL;
    int e = parse(&w, argc, argv);

    if (e == CLI_ASKED_HELP) return usage();
    if (e) return e;
    cli_catch_signals(); /* files that are not complete go */
    if ((e = input(&w))) return e;
    e = w.example ? tw_recorded_example(&r, w.example) : tw_recorded_read(&r, w.file);
    if (e == TW_E_OPTION) return cli_error(CLI_USAGE, "--%s", cli_last_message());
    if (e) return not_read(&w, e);
    if (w.nothers && (e = merge(&r, &w))) return e;
    e = selected(r, &w, w.file && !w.standard_input ? w.file : "trace", &part);
    if (!e) e = show(part ? part : r, &w);
    tw_recorded_destroy(part);
    tw_recorded_destroy(r);
    return e;
}

CLI_COMMAND(86, trace) = {
    .name = "trace",
    .summary = "what a recording of a run says (--trace PREFIX leaves PREFIX.tw)",
    .run = run,
};
