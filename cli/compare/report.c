/* What came out, in the terminal and as JSON. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/compare/compare.h"

/* ---- from runs to results ---------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(double *t, size_t n)
{
    qsort(t, n, sizeof *t, ascending);
    return 0.5 * (t[(n - 1) / 2] + t[n / 2]);
}

/* Of a complete block, with a time. */
static int counts(const struct compare_run *run, int blocks)
{
    return run->block > 0 && run->block <= blocks && !isnan(run->seconds);
}

/* Each setting's time in each block: the median of its runs but the first, unless that is the only one. NaN: it failed,
 * or did not run. The runs are looked at once: tables have hundreds of thousands. 0, or -1 without memory. */
static int block_times(const struct compare_runs *runs, int settings, int blocks, double *seconds, double *first)
{
    const size_t cells = (size_t)settings * (size_t)blocks;
    size_t *end = calloc(cells + 1, sizeof *end); /* of a cell's times; the one before ends where these begin */
    double *t = malloc(((size_t)runs->count + 1) * sizeof *t);
    const int e = end && t ? 0 : -1;

    for (size_t k = 0; k < cells; k++)
        first[k] = NAN;
    for (int i = 0; !e && i < runs->count; i++) {
        const struct compare_run *r = &runs->run[i];
        const size_t cell = (size_t)r->setting * (size_t)blocks + (size_t)r->block - 1;
        if (!counts(r, blocks)) continue;
        if (r->run == 1) first[cell] = r->seconds;
        if (r->run > 1) end[cell + 1]++;
    }
    for (size_t k = 0; !e && k < cells; k++)
        end[k + 1] += end[k];
    for (int i = 0; !e && i < runs->count; i++) {
        const struct compare_run *r = &runs->run[i];
        if (counts(r, blocks) && r->run > 1)
            t[end[(size_t)r->setting * (size_t)blocks + (size_t)r->block - 1]++] = r->seconds;
    }
    for (size_t k = 0, from = 0; !e && k < cells; from = end[k++])
        seconds[k] = end[k] > from ? middle(t + from, end[k] - from) : first[k];
    free(end), free(t);
    return e;
}

static void load(struct compare_results *r)
{
    const double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double sum = 0;
    int n = 0;

    for (int i = 0; i < r->runs->count; i++) {
        const struct compare_run *run = &r->runs->run[i];
        if (run->block == 0 || run->run > 1) continue; /* one row of each process */
        sum += run->others / cores;
        n++;
        if (run->others / cores > r->others_most) r->others_most = run->others / cores, r->others_block = run->block;
    }
    r->others = n ? sum / n : 0;
}

int compare_results_make(struct compare_results *r, const struct compare_plan *plan, const struct compare_runs *runs)
{
    const int S = plan->settings, B = runs->blocks;
    const size_t cells = (size_t)S * (size_t)(B > 0 ? B : 1);
    double *first = malloc(cells * sizeof *first);

    *r = (struct compare_results){.plan = plan, .runs = runs, .blocks = B};
    r->seconds = malloc(cells * sizeof *r->seconds);
    r->setting = calloc((size_t)S, sizeof *r->setting);
    r->verdict = calloc((size_t)S + 1, sizeof *r->verdict);
    if (!first || !r->seconds || !r->setting || !r->verdict || block_times(runs, S, B, r->seconds, first)) {
        free(first);
        return cli_error(CLI_FAILED, "compare: no memory");
    }
    for (int s = 0; s < S; s++) {
        r->setting[s].time = compare_median(r->seconds + s * B, B);
        r->setting[s].first = compare_median(first + s * B, B);
        r->setting[s].message = runs->message[s];
        compare_label(plan, s, r->setting[s].label, sizeof r->setting[s].label);
    }
    free(first);
    for (int i = 0; i < runs->count; i++)
        if (runs->run[i].status && runs->run[i].block > 0) r->setting[runs->run[i].setting].failed++, r->failed++;
    r->nverdicts = compare_all(r->seconds, S, B, plan->same, r->verdict, &r->best, &r->next);
    load(r);
    return 0;
}

void compare_results_free(struct compare_results *r)
{
    free(r->seconds), free(r->setting), free(r->verdict);
}

int compare_busy(const struct compare_results *r)
{
    return r->others > 0.05 || r->others_most > 0.25;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* "faster by 4.1-6.2 %": that much less time. */
void compare_verdict_text(const struct compare_verdict *v, char *text, size_t size)
{
    const double a = 100 * fabs(1 - v->low), b = 100 * fabs(v->high - 1);

    switch (v->call) {
    case COMPARE_FASTER: snprintf(text, size, "faster by %.1f-%.1f %%", b, a); return;
    case COMPARE_SLOWER: snprintf(text, size, "slower by %.1f-%.1f %%", a, b); return;
    case COMPARE_SAME: snprintf(text, size, "same within %.1f %%", fmax(a, b)); return;
    case COMPARE_NO_DATA: snprintf(text, size, "no block in which both ran"); return;
    case COMPARE_UNDECIDED: break;
    }
    if (v->more)
        snprintf(text, size, "undecided: %s%d more block%s", isfinite(v->high) ? "" : "at least ", v->more,
                 v->more == 1 ? "" : "s");
    else
        snprintf(text, size, "undecided: more than 1000 more blocks");
}

static const char *unit(const struct compare_results *r)
{
    return strcmp(r->plan->metric, "seconds") ? r->plan->metric : "s";
}

static void print_setting(const struct compare_results *r, int s, int width)
{
    const struct compare_setting *x = &r->setting[s];
    char verdict[120] = "", interval[80] = "-", first[40] = "-", median[40] = "-";

    if (s > 0) compare_verdict_text(&r->verdict[s - 1], verdict, sizeof verdict);
    if (!isnan(x->time.low)) snprintf(interval, sizeof interval, "%.4g ... %.4g", x->time.low, x->time.high);
    if (!isnan(x->first.median)) snprintf(first, sizeof first, "%.4g", x->first.median);
    if (!isnan(x->time.median)) snprintf(median, sizeof median, "%.4g", x->time.median);
    printf("%3d%c %-*s  %9s  %-22s  %9s  %s", s + 1, s == r->best ? '*' : ' ', width, x->label, median, interval, first,
           s == 0 ? "(the first: what the others are compared with)" : verdict);
    if (x->failed)
        printf("; failed in %d of %d blocks: %s", x->failed, r->blocks, *x->message ? x->message : "see the table");
    printf("\n");
}

void compare_print(const struct compare_results *r)
{
    int width = 7;
    char text[120];

    for (int s = 0; s < r->plan->settings; s++)
        if ((int)strlen(r->setting[s].label) > width) width = (int)strlen(r->setting[s].label);
    printf("%s: %d settings, %d block%s, seed %llu\n", r->plan->title, r->plan->settings, r->blocks,
           r->blocks == 1 ? "" : "s", r->plan->seed);
    printf("%4s %-*s  %7s %s  %-22s  %9s  %s\n", "", width, "setting", "median", unit(r), "its 95 % interval",
           "first run", "against the first");
    for (int s = 0; s < r->plan->settings; s++)
        print_setting(r, s, width);
    if (r->best >= 0 && r->nverdicts == r->plan->settings) {
        compare_verdict_text(&r->verdict[r->nverdicts - 1], text, sizeof text);
        printf("best: %d; against the next, %d: %s\n", r->best + 1, r->next + 1, text);
    } else if (r->best >= 0) {
        printf("best: %d\n", r->best + 1);
    }
    if (compare_busy(r))
        printf("The machine was busy: other programs took %.0f %% of its cores on average, at most %.0f %% (block %d). "
               "Intervals are wider for it.\n",
               100 * r->others, 100 * r->others_most, r->others_block);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *real(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static json_t *median_json(const struct compare_median *m)
{
    return json_pack("{s:o, s:o, s:o, s:i}", "median", real(m->median), "low", real(m->low), "high", real(m->high),
                     "blocks", m->count);
}

static json_t *verdict_json(const struct compare_verdict *v)
{
    static const char *const names[] = {"faster", "slower", "same", "undecided", "no data"};
    char text[120];

    compare_verdict_text(v, text, sizeof text);
    return json_pack("{s:i, s:i, s:s, s:o, s:o, s:o, s:i, s:i, s:s}", "setting", v->other + 1, "reference",
                     v->reference + 1, "call", names[v->call], "ratio", real(v->ratio), "low",
                     isfinite(v->high) ? real(v->low) : json_null(), "high", real(v->high), "blocks", v->blocks, "more",
                     v->more, "text", text);
}

static json_t *setting_json(const struct compare_results *r, int s)
{
    const struct compare_setting *x = &r->setting[s];
    json_t *values = json_object();
    int bad = 0;

    for (int k = 0; k < r->plan->naxes; k++) /* axes have clean names */
        bad |= json_object_set_new(values, r->plan->axis[k].name,
                                   cli_json_text(r->plan->axis[k].value[compare_value(r->plan, s, k)]));
    json_t *o = json_pack("{s:i, s:s, s:o, s:o, s:o, s:i, s:s}", "setting", s + 1, "label", x->label, "values", values,
                          "time", median_json(&x->time), "first_run", median_json(&x->first), "failed", x->failed,
                          "message", x->message);
    if (!bad) return o;
    json_decref(o);
    return NULL;
}

int compare_print_json(const struct compare_results *r)
{
    json_t *settings = json_array(), *verdicts = json_array(), *o;
    int bad = 0;

    for (int s = 0; s < r->plan->settings; s++)
        bad |= json_array_append_new(settings, setting_json(r, s));
    for (int k = 0; k < r->nverdicts; k++)
        bad |= json_array_append_new(verdicts, verdict_json(&r->verdict[k]));
    o = json_pack("{s:s, s:s, s:i, s:I, s:f, s:o, s:o, s:i, s:i, s:f, s:f}", "command", r->plan->title, "metric",
                  r->plan->metric, "blocks", r->blocks, "seed", (json_int_t)r->plan->seed, "same", r->plan->same,
                  "settings", settings, "verdicts", verdicts, "best", r->best + 1, "next", r->next + 1, "others_mean",
                  r->others, "others_most", r->others_most);
    /* A part that is missing is no result. Standard output that is full is seen at the command's end. */
    if (!o || bad)
        bad = cli_error(CLI_FAILED, "compare: the JSON cannot be made: no memory, or a text that is not UTF-8");
    else
        json_dumpf(o, stdout, JSON_REAL_PRECISION(9)), printf("\n");
    json_decref(o);
    return bad;
}
