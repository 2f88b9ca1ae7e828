/* Columns of the report: one quantity of all tasks after another, each as differences to its neighbour where that makes
 * small numbers. Times are units of 100 ns from the first submission. The order of the columns is that of report.js. */
#include "traces/columns.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "traces/recorded.h"
#include "traces/text.h"

/* Bytes as base64. */
struct out {
    FILE *f;
    unsigned bits;
    int held; /* bytes, 0 to 2 */
};

static void put_letters(struct out *o, int n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (int i = 0; i < 4; i++)
        fputc(i <= n ? letters[o->bits >> (18 - 6 * i) & 63] : '=', o->f);
    o->bits = 0;
    o->held = 0;
}
static void put_byte(struct out *o, unsigned v)
{
    o->bits |= v << (16 - 8 * o->held);
    if (++o->held == 3) put_letters(o, 3);
}
static void put_number(struct out *o, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        put_byte(o, (unsigned)(v & 127) | 128);
    put_byte(o, (unsigned)v);
}
static void put_signed(struct out *o, int64_t v)
{
    put_number(o, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static int64_t units(double seconds)
{
    return isfinite(seconds) && fabs(seconds) < 4e8 ? (int64_t)llround(seconds * 1e7)
                                                    : 0; /* 12 years: exact in a script's numbers */
}
static int64_t not_negative(int64_t v)
{
    return v > 0 ? v : 0;
}

struct columns {
    const struct tw_summary *s;
    const struct tw_analysis *a;
    size_t n;
    const struct tw_span **span; /* of each task, in the recording's order */
    uint32_t *worker, *place;    /* of each task; place: 1 + the task of each record; 0: none */
};

/* Each column is a function of a task; last: what the one before gave. */
typedef int64_t (*column_fn)(const struct columns *c, size_t k);

static const struct tw_record *record(const struct columns *c, size_t k)
{
    return &c->s->recording->records[c->span[k]->record];
}
static int64_t start(const struct columns *c, size_t k)
{
    return not_negative(units(c->span[k]->from));
}
static int64_t length(const struct columns *c, size_t k)
{
    return not_negative(units(c->span[k]->to) - start(c, k));
}
static int64_t kernel(const struct columns *c, size_t k)
{
    return c->span[k]->kernel;
}
static int64_t worker(const struct columns *c, size_t k)
{
    return c->worker[k];
}
static int64_t routine(const struct columns *c, size_t k)
{
    const int r = record(c, k)->routine;
    return r >= 0 && r < c->s->recording->nroutines ? r : 0;
}
static int64_t stage(const struct columns *c, size_t k)
{
    const char *name = record(c, k)->stage;
    for (int i = 0; name && i < c->s->nstages; i++)
        if (c->s->stages[i].name == name || !strcmp(c->s->stages[i].name, name)) return i + 1;
    return 0;
}
static int64_t wait(const struct columns *c, size_t k)
{
    return not_negative(start(c, k) - units(tw_summary_submit(record(c, k)) - c->s->origin));
}
static int64_t phase(const struct columns *c, size_t k, double t)
{
    return t > 0 && isfinite(t) ? not_negative(start(c, k) - units(t - c->s->origin)) : -1;
}
static int64_t ready(const struct columns *c, size_t k)
{
    return phase(c, k, record(c, k)->ready);
}
static int64_t taken(const struct columns *c, size_t k)
{
    return phase(c, k, record(c, k)->taken);
}
static int64_t loaded(const struct columns *c, size_t k)
{
    return phase(c, k, record(c, k)->loaded);
}
static int64_t lost(const struct columns *c, size_t k)
{
    return not_negative(units(record(c, k)->lost));
}
static int64_t id(const struct columns *c, size_t k)
{
    return (int64_t)(record(c, k)->id & 0x1FFFFFFFFFFFFF); /* exact in a script's numbers */
}
static int64_t priority(const struct columns *c, size_t k)
{
    return record(c, k)->priority;
}
#define COORDINATE(i)                                                                                                  \
    static int64_t coordinate_##i(const struct columns *c, size_t k)                                                   \
    {                                                                                                                  \
        return record(c, k)->coord[i];                                                                                 \
    }
COORDINATE(0)
COORDINATE(1)
COORDINATE(2)
COORDINATE(3)

static void put_column(struct out *o, const struct columns *c, column_fn of, int differences, int negative)
{
    int64_t last = 0;
    size_t same = 0;

    while (same < c->n && of(c, same) == of(c, 0))
        same++;
    put_number(o, same < c->n); /* 0: one value for all */
    if (same == c->n) put_signed(o, c->n ? of(c, 0) : 0);
    for (size_t k = 0; k < c->n && same < c->n; k++) {
        const int64_t v = of(c, k);
        if (differences)
            put_signed(o, v - last);
        else if (negative)
            put_signed(o, v);
        else
            put_number(o, (uint64_t)v);
        last = v;
    }
}

static void put_edges(struct out *o, const struct columns *c)
{
    const struct tw_recording *r = c->s->recording;

    for (size_t k = 0; k < c->n; k++) {
        const size_t at = c->span[k]->record;
        size_t count = 0, values = 0;
        for (size_t j = r->first_edge ? r->first_edge[at] : 0; r->first_edge && j < r->first_edge[at + 1]; j++) {
            count += c->place[r->edge[j]] != 0;
            values += c->place[r->edge[j]] && j < r->first_edge[at] + r->records[at].values;
        }
        put_number(o, 2 * count + (values > 0)); /* the first ones are such whose values its submission waited for */
        if (values) put_number(o, values);
        for (size_t j = r->first_edge ? r->first_edge[at] : 0; r->first_edge && j < r->first_edge[at + 1]; j++)
            if (c->place[r->edge[j]]) put_signed(o, (int64_t)k - ((int64_t)c->place[r->edge[j]] - 1));
    }
}

static void put_path(struct out *o, const struct columns *c)
{
    int64_t last = 0;

    put_number(o, c->a ? c->a->nsteps : 0);
    for (size_t k = 0; c->a && k < c->a->nsteps; k++) {
        const int64_t at = (int64_t)c->place[c->a->step_record[k]] - 1;
        put_signed(o, at - last);
        last = at;
    }
}

static void put_all(struct out *o, const struct columns *c)
{
    static const struct {
        column_fn of;
        int differences, negative;
    } columns[] = {{start, 1, 0},       {length, 0, 0},       {kernel, 0, 0},       {worker, 0, 0},
                   {routine, 0, 0},     {stage, 0, 0},        {wait, 0, 0},         {ready, 0, 1},
                   {taken, 0, 1},       {loaded, 0, 1},       {lost, 0, 0},         {id, 1, 0},
                   {priority, 1, 0},    {coordinate_0, 1, 0}, {coordinate_1, 1, 0}, {coordinate_2, 1, 0},
                   {coordinate_3, 1, 0}};

    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        put_column(o, c, columns[k].of, columns[k].differences, columns[k].negative);
    put_edges(o, c);
    put_path(o, c);
    if (o->held) put_letters(o, o->held);
}

int tw_columns_put(FILE *f, const struct tw_summary *s, const struct tw_analysis *a, size_t *tasks)
{
    const size_t records = s->recording->nrecords;
    struct columns c = {.s = s,
                        .a = a,
                        .span = calloc(records + 1, sizeof *c.span),
                        .worker = malloc((records + 1) * sizeof *c.worker),
                        .place = calloc(records + 1, sizeof *c.place)};
    uint32_t *of = malloc((records + 1) * sizeof *of);
    struct out o = {.f = f};
    int e = c.span && c.worker && c.place && of ? 0 : tw_fail(TW_E_MEMORY, "no memory for the report's data");

    *tasks = 0;
    for (int w = 0; !e && w < s->recording->nworkers; w++)
        for (size_t i = s->first_span[w]; i < s->first_span[w + 1]; i++)
            c.span[s->spans[i].record] = &s->spans[i], of[s->spans[i].record] = (uint32_t)w;
    for (size_t k = 0; !e && k < records; k++) { /* closing ranks */
        if (!c.span[k]) continue;
        c.span[c.n] = c.span[k], c.worker[c.n] = of[k];
        c.place[k] = (uint32_t)++c.n;
    }
    if (!e) put_all(&o, &c);
    *tasks = c.n;
    free(c.span), free(c.worker), free(c.place), free(of);
    return e;
}

/* ---- beside ------------------------------------------------------------------------------------------------------ */

enum { RANGES_MOST = 100000 }; /* of each kind */

static void put_name(FILE *f, const char *before, const char *name)
{
    fprintf(f, "%s\"", before);
    tw_put_script(f, name);
    fputc('"', f);
}

typedef int (*steps_fn)(const struct tw_summary *s, struct tw_running_step **steps, size_t *n);

static int put_steps(FILE *f, const char *name, const struct tw_summary *s, steps_fn of)
{
    struct tw_running_step *steps;
    size_t n;
    const int e = of(s, &steps, &n);

    fprintf(f, ",\n\"%s\":[", name);
    for (size_t k = 0; !e && k < n; k++)
        fprintf(f, "%s[%lld,%.3g]", k ? "," : "", (long long)units(steps[k].time), steps[k].running);
    fputc(']', f);
    free(steps);
    return e;
}

static double median_of(const struct tw_analysis *a, const struct tw_kernel_stats *k)
{
    for (int i = 0; a && i < a->nkernels; i++)
        if (a->kernels[i].type == tw_kernel_letter(k->name, k->type) && !strcmp(a->kernels[i].name, k->name))
            return a->kernels[i].median;
    return k->all.seconds / (double)k->all.count;
}

static void put_ranges(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;
    int threads = 0;

    for (size_t k = 0; k < r->nstays; k++)
        if (r->stays[k].thread >= threads) threads = r->stays[k].thread + 1;
    fputs(",\n\"stays\":[", f);
    for (size_t k = 0; k < r->nstays && k < RANGES_MOST; k++)
        fprintf(f, "%s[%lld,%lld,%d,%d]", k ? "," : "", (long long)units(r->stays[k].from - s->origin),
                (long long)units(r->stays[k].to - s->origin), r->stays[k].what, r->stays[k].thread);
    fputs("],\n\"transfers\":[", f);
    for (size_t k = 0; k < r->ntransfers && k < RANGES_MOST; k++)
        fprintf(f, "%s[%lld,%lld,%d,%d,%.17g,%d]", k ? "," : "", (long long)units(r->transfers[k].from - s->origin),
                (long long)units(r->transfers[k].to - s->origin), r->transfers[k].source, r->transfers[k].target,
                r->transfers[k].bytes, r->transfers[k].inferred);
    fputs("],\n\"used\":[", f); /* time, memory, MB */
    for (size_t k = 0; k < r->nused && k < RANGES_MOST; k++)
        fprintf(f, "%s[%lld,%d,%.4g]", k ? "," : "", (long long)units(r->used[k].time - s->origin), r->used[k].memory,
                r->used[k].bytes * 1e-6);
    fputs("],\n\"memories\":[", f); /* their names where there are several ranks' */
    for (int k = 0; tw_recorded_is_merged(r) && k < tw_memory_count(r); k++)
        put_name(f, k ? "," : "", tw_memory_name(r, k - 1).text);
    fputs("],\n\"threads\":[", f);
    for (int k = 0; tw_recorded_is_merged(r) && k < threads; k++)
        put_name(f, k ? "," : "", tw_thread_name(r, k).text);
    fputs("],\n\"marks\":[", f);
    for (size_t k = 0; k < r->nmarks && k < RANGES_MOST; k++) {
        fprintf(f, "%s[%lld,%lld,%d", k ? "," : "", (long long)units(r->marks[k].from - s->origin),
                (long long)units(r->marks[k].to - s->origin), r->marks[k].depth);
        put_name(f, ",", r->marks[k].name);
        fputc(']', f);
    }
    fputc(']', f);
}

int tw_columns_put_extras(FILE *f, const struct tw_summary *s, const struct tw_analysis *a, size_t tasks)
{
    int e;

    fprintf(f, "{\"tasks\":%zu,\n\"kernels\":[", tasks);
    for (int k = 0; k < s->nkernels; k++) {
        put_name(f, k ? ",{\"name\":" : "{\"name\":", s->kernels[k].label);
        fprintf(f, ",\"color\":\"#%06X\",\"median\":%.9g}", s->kernels[k].color,
                s->nkernels > 1000 ? s->kernels[k].all.seconds / (double)s->kernels[k].all.count
                                   : median_of(a, &s->kernels[k]));
    }
    fputs("],\n\"routines\":[", f);
    for (int k = 0; k < s->recording->nroutines; k++)
        put_name(f, k ? "," : "", s->recording->routines[k]);
    fputs("],\n\"stages\":[", f);
    for (int k = 0; k < s->nstages; k++)
        put_name(f, k ? "," : "", s->stages[k].name);
    fputc(']', f);
    put_ranges(f, s);
    e = put_steps(f, "running", s, tw_summary_steps);
    if (!e) e = put_steps(f, "ready", s, tw_summary_ready);
    fputs("}\n", f);
    return e;
}
