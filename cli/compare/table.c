/* P.csv: every run, so that it can be looked at again, here or elsewhere. docs/schedulers.md describes it. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/compare/compare.h"
#include "runtime/base/file.h"

static const char first_line[] = "# tilework compare 1";
static const char *const fixed[] = {"block", "order", "setting", "run", "seconds", "status", "others", "started"};
enum { FIXED = sizeof fixed / sizeof *fixed, FIELDS = FIXED + COMPARE_AXES };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* A signal ends the command when the file is there, or gone: not before a temporary name is given up. */
static void hold_signals(sigset_t *before)
{
    sigset_t ends;

    sigemptyset(&ends);
    sigaddset(&ends, SIGINT), sigaddset(&ends, SIGTERM), sigaddset(&ends, SIGHUP), sigaddset(&ends, SIGQUIT);
    pthread_sigmask(SIG_BLOCK, &ends, before);
}

int compare_write_file(const char *path, void (*put)(FILE *f, const void *context), const void *context)
{
    struct tw_outfile out;
    struct stat there;
    sigset_t before;
    char name[4200];
    int e;

    snprintf(name, sizeof name, "%s%s", *path == '-' ? "./" : "", path); /* "-.csv" would be standard output */
    const int held = stat(name, &there) != 0 || S_ISREG(there.st_mode);  /* a pipe's reader may never come */
    if (held) hold_signals(&before);
    if (!(e = tw_outfile_open(&out, name))) {
        put(out.stream, context);
        e = tw_outfile_commit(&out);
    }
    if (e) e = cli_error(CLI_FAILED, "%s", cli_last_message());
    if (held) pthread_sigmask(SIG_SETMASK, &before, NULL);
    return e;
}

static void field(FILE *f, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fprintf(f, ",%s", text);
        return;
    }
    fputs(",\"", f);
    for (; *text; text++) {
        if (*text == '"') fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

struct table {
    const struct compare_plan *plan;
    const struct compare_runs *runs;
};

static void put_table(FILE *f, const void *context)
{
    const struct compare_plan *plan = ((const struct table *)context)->plan;
    const struct compare_runs *runs = ((const struct table *)context)->runs;

    fprintf(f, "%s\n# command: %s\n# metric: %s\n# seed: %llu\n# version: %d.%d.%d\nblock", first_line, plan->title,
            plan->metric, plan->seed, TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH);
    for (int k = 1; k < FIXED; k++)
        fprintf(f, ",%s", fixed[k]);
    for (int k = 0; k < plan->naxes; k++) {
        char name[160];
        snprintf(name, sizeof name, "%s%s", plan->axis[k].kind == COMPARE_SWITCH ? "switch " : "", plan->axis[k].name);
        field(f, name);
    }
    fputc('\n', f);
    for (int i = 0; i < runs->count; i++) {
        const struct compare_run *r = &runs->run[i];
        if (r->block > runs->blocks) continue; /* of a block that is not complete */
        fprintf(f, "%d,%d,%d,%d,", r->block, r->order + 1, r->setting + 1, r->run);
        if (!isnan(r->seconds)) fprintf(f, "%.9g", r->seconds);
        fprintf(f, ",%d,%.3f,%.3f", r->status, r->others, r->started);
        for (int k = 0; k < plan->naxes; k++)
            field(f, plan->axis[k].value[compare_value(plan, r->setting, k)]);
        fputc('\n', f);
    }
}

int compare_table_write(const struct compare_plan *plan, const struct compare_runs *runs, const char *path)
{
    const struct table t = {plan, runs};
    return compare_write_file(path, put_table, &t);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Where a run stands, and its axes' values by number: whether they belong to its setting shows when all values are
 * known. */
struct origin {
    int line;
    unsigned char value[COMPARE_AXES];
};

struct reader {
    const char *path;
    int line;
    char *field[FIELDS];
    int fields;
    struct origin *origin; /* of each run */
    int room;
};

static int bad(const struct reader *r, const char *what)
{
    return cli_error(CLI_USAGE, "%s: line %d: %s", r->path, r->line, what);
}

/* Cuts one line, whose end is gone, into fields. */
static int cut(struct reader *r, char *line)
{
    r->fields = 0;
    for (char *at = line;;) {
        char *to = at;
        if (r->fields == FIELDS) return bad(r, "too many columns");
        r->field[r->fields++] = at;
        if (*at == '"') {
            for (at++; *at && (*at != '"' || at[1] == '"'); at++)
                *to++ = *at == '"' ? *++at : *at;
            if (*at != '"') return bad(r, "a quote that does not end");
            at++;
        } else {
            for (; *at && *at != ','; at++)
                *to++ = *at;
        }
        if (*at && *at != ',') return bad(r, "text behind a quoted field");
        if (!*at) {
            *to = 0;
            return 0;
        }
        at++;
        *to = 0;
    }
}

static int number(const struct reader *r, int k, double low, double high, double *value)
{
    char *end, what[200];

    *value = strtod(r->field[k], &end);
    if (end != r->field[k] && !*end && *value >= low && *value <= high) return 0;
    snprintf(what, sizeof what, "%s: expected a number from %g to %g, not '%.60s'", fixed[k], low, high, r->field[k]);
    compare_text_repair(what);
    return bad(r, what);
}

/* The number of an axis' value, a new one if need be; -1 without memory. There are at most COMPARE_SETTINGS of each:
 * see add_row. */
static int value_of(struct compare_axis *a, const char *text)
{
    char **more;

    for (int k = 0; k < a->count; k++)
        if (!strcmp(a->value[k], text)) return k;
    more = realloc(a->value, ((size_t)a->count + 1) * sizeof *more);
    if (!more) return -1;
    a->value = more;
    return (more[a->count] = strdup(text)) ? a->count++ : -1;
}

/* Of all values that were seen. */
static int settings_of(const struct compare_plan *plan)
{
    int product = 1;

    for (int k = 0; k < plan->naxes && product <= COMPARE_SETTINGS; k++)
        product *= plan->axis[k].count;
    return product;
}

static int header(struct reader *r, struct compare_plan *plan)
{
    if (r->fields <= FIXED) return bad(r, "no table of tilework compare's: columns are missing");
    for (int k = 0; k < FIXED; k++)
        if (strcmp(r->field[k], fixed[k]) != 0) return bad(r, "no table of tilework compare's: other columns");
    for (int k = FIXED; k < r->fields; k++) {
        struct compare_axis *a = &plan->axis[plan->naxes];
        const int is_switch = !strncmp(r->field[k], "switch ", 7);
        if (!compare_text_clean(r->field[k])) return bad(r, "a column's name that is not UTF-8");
        for (int i = 0; i < plan->naxes; i++)
            if (!strcmp(plan->axis[i].name, r->field[k] + 7 * is_switch)) return bad(r, "two columns of the same name");
        a->kind = is_switch ? COMPARE_SWITCH : r->field[k][0] == '-' ? COMPARE_FLAG : COMPARE_VARIABLE;
        if (!(a->name = strdup(r->field[k] + 7 * is_switch))) return cli_error(CLI_FAILED, "compare: no memory");
        plan->naxes++;
    }
    return 0;
}

/* Of the next run; NULL without memory. */
static struct origin *origin_of(struct reader *r, int run)
{
    struct origin *more = r->origin;

    if (run == r->room) {
        if (!(more = realloc(more, (2 * (size_t)r->room + 256) * sizeof *more))) return NULL;
        r->origin = more;
        r->room = 2 * r->room + 256;
    }
    more[run] = (struct origin){.line = r->line};
    return &more[run];
}

static const char too_many[] = "more settings than 200";
_Static_assert(COMPARE_SETTINGS == 200, "what is said");

/* Rows name their settings by the values of the axes; these are numbered in the order of the first rows, those of block
 * 0, in which the last axis changes first. */
static int add_row(struct reader *r, struct compare_plan *plan, struct compare_runs *runs)
{
    struct compare_run run = {.seconds = NAN};
    struct origin *origin;
    double v[FIXED];
    int e;

    if (r->fields != FIXED + plan->naxes) return bad(r, "another number of columns than the first line's");
    for (int k = 0; k < FIXED; k++) {
        const double most[] = {1000, COMPARE_SETTINGS, COMPARE_SETTINGS, 100000, 1e12, 255, 1e6, 1e12};
        v[k] = NAN;
        if (k == 4 && !*r->field[k]) continue; /* a run that failed has no time */
        if ((e = number(r, k, k == 1 || k == 2, most[k], &v[k]))) return e;
    }
    run.block = (int)v[0], run.order = (int)v[1] - 1, run.setting = (int)v[2] - 1, run.run = (int)v[3];
    run.seconds = v[4], run.status = (int)v[5], run.others = v[6], run.started = v[7];
    if (isnan(run.seconds) != (run.status != 0)) return bad(r, "a time together with a failure, or neither of them");
    if (!(origin = origin_of(r, runs->count))) return cli_error(CLI_FAILED, "compare: no memory");
    for (int k = 0; k < plan->naxes; k++) {
        const int value = value_of(&plan->axis[k], r->field[FIXED + k]);
        if (value < 0) return cli_error(CLI_FAILED, "compare: no memory");
        if (settings_of(plan) > COMPARE_SETTINGS) return bad(r, too_many);
        origin->value[k] = (unsigned char)value;
    }
    if (run.block > runs->blocks) runs->blocks = run.block;
    if (run.setting >= plan->settings) plan->settings = run.setting + 1;
    return compare_runs_add(runs, &run) ? CLI_FAILED : 0;
}

/* A setting's number has to be what its values make: the axes' order of values is that of their appearance. */
static int check_values(struct reader *r, const struct compare_plan *plan, const struct compare_runs *runs)
{
    for (int i = 0; i < runs->count; i++)
        for (int k = 0; k < plan->naxes; k++)
            if (compare_value(plan, runs->run[i].setting, k) != r->origin[i].value[k]) {
                r->line = r->origin[i].line;
                return bad(r, "the setting's number does not belong to its values");
            }
    return 0;
}

static int remark(struct compare_plan *plan, char *line)
{
    if (!strncmp(line, "# command: ", 11) && !plan->title) {
        if (!(plan->title = strdup(line + 11))) return cli_error(CLI_FAILED, "compare: no memory");
        compare_text_repair(plan->title);
    }
    if (!strncmp(line, "# metric: ", 10) && line[10]) {
        static char metric[120]; /* one table is read */
        snprintf(metric, sizeof metric, "%s", line + 10);
        compare_text_repair(metric);
        plan->metric = metric;
    }
    if (!strncmp(line, "# seed: ", 8)) plan->seed = strtoull(line + 8, NULL, 10);
    return 0;
}

/* The next line with its end, as a string; 0 at the end of the file. A length of `room`: it is longer than that. */
static int one_line(FILE *f, char *line, size_t room, size_t *length)
{
    size_t n = 0;
    int c = 0;

    while (n + 1 < room && c != '\n' && (c = getc(f)) != EOF)
        line[n++] = (char)c;
    line[n] = 0;
    *length = n + 1 == room && c != '\n' ? room : n;
    return n > 0;
}

static int read_lines(FILE *f, struct reader *r, struct compare_plan *plan, struct compare_runs *runs)
{
    enum { LONGEST = 1 << 16 };
    char *const whole = malloc(LONGEST), *line = whole;
    size_t length;
    int e = whole ? 0 : cli_error(CLI_FAILED, "compare: no memory"), begun = 0;

    while (!e && whole && one_line(f, whole, LONGEST, &length)) {
        r->line++;
        if (length == LONGEST) e = bad(r, "a line of more than 65535 bytes");
        if (!e && length != strlen(line)) e = bad(r, "a zero byte");
        while (!e && length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = 0;
        if (!e && r->line == 1 && strcmp(line, first_line) != 0)
            e = bad(r, "no table of tilework compare's (version 1)");
        if (!e && compare_text_controls(line)) e = bad(r, "a control character");
        if (e || *line == '#' || !*line) {
            if (!e) e = remark(plan, line);
            continue;
        }
        if (!(e = cut(r, line))) e = begun ? add_row(r, plan, runs) : header(r, plan);
        begun = 1;
    }
    if (!e && ferror(f)) e = cli_error(CLI_USAGE, "%s: %s", r->path, strerror(errno));
    free(whole);
    return e;
}

/* Blocks that were taken out of the table are none that failed: the others move up. */
static int number_blocks(struct compare_runs *runs)
{
    int *now = calloc((size_t)runs->blocks + 1, sizeof *now), n = 0;

    if (!now) return cli_error(CLI_FAILED, "compare: no memory");
    for (int i = 0; i < runs->count; i++)
        now[runs->run[i].block] = 1;
    for (int b = 1; b <= runs->blocks; b++)
        if (now[b]) now[b] = ++n;
    now[0] = 0;
    for (int i = 0; i < runs->count; i++)
        runs->run[i].block = now[runs->run[i].block];
    runs->blocks = n;
    free(now);
    return 0;
}

int compare_table_read(struct compare_plan *plan, struct compare_runs *runs, const char *path)
{
    struct reader r = {.path = path};
    FILE *f = fopen(path, "r");
    struct stat s;
    int e;

    if (!f || fstat(fileno(f), &s) || S_ISDIR(s.st_mode)) {
        e = cli_error(CLI_USAGE, "%s: %s", path, f ? "a folder" : strerror(errno));
        if (f) fclose(f);
        return e;
    }
    e = read_lines(f, &r, plan, runs);
    fclose(f);
    if (!e && (runs->count == 0 || runs->blocks == 0)) e = cli_error(CLI_USAGE, "%s: no complete block", path);
    if (!e && (plan->settings != settings_of(plan) || plan->settings < 2))
        e = cli_error(CLI_USAGE, "%s: %d settings, but the axes' values make %d", path, plan->settings,
                      settings_of(plan));
    if (!e) e = check_values(&r, plan, runs);
    free(r.origin);
    if (!e && !plan->title && !(plan->title = strdup("?"))) e = cli_error(CLI_FAILED, "compare: no memory");
    if (!e && !(runs->message = calloc((size_t)plan->settings, sizeof *runs->message)))
        e = cli_error(CLI_FAILED, "compare: no memory");
    if (!e) e = number_blocks(runs);
    plan->blocks = runs->blocks;
    return e;
}
