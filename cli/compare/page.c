/* P.html: the table, every run as a dot, the verdicts' intervals, and how the traces of the first and of the best
 * setting differ. No script, nothing from outside. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>tilework compare</title>\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width\"/>\n<style>\n"
    ":root{--ink:#222;--soft:#666;--line:#d9dde3;--back:#fff;--band:#f3f4f7;--dot:#2a6fb0;--first:#9aa4b2;--good:#"
    "1a7f37;--bad:#b3261e}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a5abb3;--line:#3a3f46;--back:#16181c;--band:#22262c;--dot:"
    "#6cb2f2;"
    "--first:#7b8593;--good:#5fd07f;--bad:#ff8a80}}\n"
    "body{font-family:sans-serif;color:var(--ink);background:var(--back);margin:24px auto;max-width:1200px;padding:0 "
    "16px;line-height:1.45}\n"
    "h1{font-size:24px;margin:0 0 4px}h2{font-size:17px;margin:32px 0 8px}p{margin:4px 0 12px}.sub{color:var(--soft)}\n"
    "table{border-collapse:collapse;font-size:14px}th,td{padding:4px 12px;border-bottom:1px solid "
    "var(--line);text-align:right}\n"
    "th{background:var(--band)}.l{text-align:left}.best td{font-weight:bold}code{background:var(--band);padding:1px "
    "4px}\n"
    "figure{margin:8px "
    "0;overflow-x:auto}svg{max-width:100%;height:auto}text{font-size:13px;fill:var(--ink)}.t{fill:var(--soft)}\n"
    ".g{stroke:var(--line)}.d{fill:var(--dot);fill-opacity:.65}.f{fill:none;stroke:var(--first)}.m{stroke:var(--ink);"
    "stroke-width:3}\n"
    ".i{stroke:var(--ink);stroke-width:1.5}.faster{stroke:var(--good);stroke-width:5}.slower{stroke:var(--bad);stroke-"
    "width:5}"
    ".same,.undecided{stroke:var(--first);stroke-width:5}\n"
    "</style></head>\n<body>\n";

static void put(FILE *f, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '<')
            fputs("&lt;", f);
        else if (c == '>')
            fputs("&gt;", f);
        else if (c == '&')
            fputs("&amp;", f);
        else if (c == '"')
            fputs("&quot;", f);
        else
            fputc(c < ' ' || c >= 0x7f ? '?' : c, f); /* names of flags and values are ASCII, or are shown so */
    }
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void put_interval(FILE *f, const struct compare_median *m)
{
    if (isnan(m->median))
        fputs("<td>-</td>", f);
    else
        fprintf(f, "<td>%.4g</td>", m->median);
    if (isnan(m->low))
        fputs("<td>-</td>", f);
    else
        fprintf(f, "<td>%.4g - %.4g</td>", m->low, m->high);
}

static void put_table(FILE *f, const struct compare_results *r)
{
    char text[120];

    fprintf(f, "<h2>Settings</h2>\n<table><tr><th></th><th class=\"l\">setting</th><th>median, ");
    put(f, r->plan->metric);
    fputs(
        "</th><th>its 95 % interval</th><th>first run</th><th>blocks</th><th class=\"l\">against the first</th></tr>\n",
        f);
    for (int s = 0; s < r->plan->settings; s++) {
        const struct compare_setting *x = &r->setting[s];
        fprintf(f, "<tr%s><td>%d</td><td class=\"l\"><code>", s == r->best ? " class=\"best\"" : "", s + 1);
        put(f, x->label);
        fputs("</code></td>", f);
        put_interval(f, &x->time);
        if (isnan(x->first.median))
            fputs("<td>-</td>", f);
        else
            fprintf(f, "<td>%.4g</td>", x->first.median);
        fprintf(f, "<td>%d</td><td class=\"l\">", x->time.count);
        if (s > 0) compare_verdict_text(&r->verdict[s - 1], text, sizeof text), put(f, text);
        if (x->failed) fprintf(f, "; failed in %d blocks: ", x->failed), put(f, x->message);
        fputs("</td></tr>\n", f);
    }
    fputs("</table>\n", f);
    if (r->best < 0) return;
    fprintf(f, "<p>Best: %d", r->best + 1);
    if (r->nverdicts == r->plan->settings) {
        compare_verdict_text(&r->verdict[r->nverdicts - 1], text, sizeof text);
        fprintf(f, "; against the next, %d: ", r->next + 1);
        put(f, text);
    }
    fputs(".</p>\n", f);
}

/* ---- plots ------------------------------------------------------------------------------------------------------- */

enum { LEFT = 330, WIDTH = 780, ROW = 34, RIGHT = 40 };

struct scale {
    double low, high;
};
static double x_of(const struct scale *s, double v)
{
    return LEFT + WIDTH * (v - s->low) / (s->high - s->low);
}
static void include(struct scale *s, double v)
{
    if (!isfinite(v)) return;
    if (v < s->low) s->low = v;
    if (v > s->high) s->high = v;
}

/* 1, 2 or 5 times a power of ten, some six of which make the width. */
static double step_of(const struct scale *s)
{
    const double raw = (s->high - s->low) / 6, ten = pow(10, floor(log10(raw)));
    return raw / ten < 1.5 ? ten : raw / ten < 3.5 ? 2 * ten : raw / ten < 7.5 ? 5 * ten : 10 * ten;
}

static void axis(FILE *f, const struct scale *s, int rows, const char *format)
{
    const double step = step_of(s);

    for (double v = ceil(s->low / step) * step; v <= s->high + 1e-9 * step; v += step) {
        fprintf(f,
                "<line class=\"g\" x1=\"%.1f\" y1=\"6\" x2=\"%.1f\" y2=\"%d\"/><text class=\"t\" x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">",
                x_of(s, v), x_of(s, v), rows * ROW + 8, x_of(s, v), rows * ROW + 26);
        fprintf(f, format, fabs(v) < 1e-9 * step ? 0.0 : v);
        fputs("</text>\n", f);
    }
}

static void label(FILE *f, const struct compare_results *r, int row, int setting)
{
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 12, row * ROW + 28);
    if (strlen(r->setting[setting].label) > 44)
        fprintf(f, "setting %d", setting + 1);
    else
        put(f, r->setting[setting].label);
    fputs("</text>\n", f);
}

static void begin(FILE *f, int rows, const char *title)
{
    fprintf(f, "<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\"><title>%s</title>\n", LEFT + WIDTH + RIGHT,
            rows * ROW + 36, LEFT + WIDTH + RIGHT, title);
}

static void put_dots(FILE *f, const struct compare_results *r)
{
    struct scale s = {INFINITY, -INFINITY};
    double margin;

    for (int i = 0; i < r->plan->settings * r->blocks; i++)
        include(&s, r->seconds[i]);
    if (!(s.high >= s.low)) return;
    margin = 0.05 * (s.high - s.low) + 1e-3 * fabs(s.high) + 1e-12;
    s.low -= margin, s.high += margin;
    fputs("<h2>Times by block</h2>\n<p class=\"sub\">A dot is a block; the upright line the median, the level one its "
          "95 % interval; rings the "
          "first runs in their processes, where they fit.</p>\n",
          f);
    begin(f, r->plan->settings,
          "Times of all blocks, a row for each setting; the same figures are in the table above and in the CSV file");
    axis(f, &s, r->plan->settings, "%.4g");
    for (int k = 0; k < r->plan->settings; k++) {
        const struct compare_median *m = &r->setting[k].time;
        const double y = k * ROW + 24;
        label(f, r, k, k);
        for (int i = 0; i < r->runs->count; i++) {
            const struct compare_run *run = &r->runs->run[i];
            if (run->setting == k && run->block > 0 && run->run == 1 && run->seconds >= s.low && run->seconds <= s.high)
                fprintf(f, "<circle class=\"f\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", x_of(&s, run->seconds), y + 7);
        }
        for (int b = 0; b < r->blocks; b++)
            if (!isnan(r->seconds[k * r->blocks + b]))
                fprintf(f, "<circle class=\"d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>block %d: %.6g</title></circle>",
                        x_of(&s, r->seconds[k * r->blocks + b]), y - 3, b + 1, r->seconds[k * r->blocks + b]);
        if (!isnan(m->median))
            fprintf(f, "<line class=\"m\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x_of(&s, m->median),
                    y - 12, x_of(&s, m->median), y + 4);
        if (!isnan(m->low))
            fprintf(f, "<line class=\"i\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x_of(&s, m->low), y - 4,
                    x_of(&s, m->high), y - 4);
        fputc('\n', f);
    }
    fputs("</svg></figure>\n", f);
}

static void put_verdicts(FILE *f, const struct compare_results *r)
{
    static const char *const classes[] = {"faster", "slower", "same", "undecided", "undecided"};
    struct scale s = {-1, 1};
    char text[120];

    for (int k = 0; k < r->nverdicts; k++)
        if (isfinite(r->verdict[k].high))
            include(&s, 105 * (r->verdict[k].low - 1)), include(&s, 105 * (r->verdict[k].high - 1));
    fputs("<h2>Verdicts</h2>\n<p class=\"sub\">Time in per cent more (right of 0) or less (left) than the setting that "
          "it is compared with: the "
          "interval that holds for all verdicts together.</p>\n",
          f);
    begin(f, r->nverdicts, "Intervals of the verdicts; the same figures are in the table above");
    axis(f, &s, r->nverdicts, "%+.3g %%");
    for (int k = 0; k < r->nverdicts; k++) {
        const struct compare_verdict *v = &r->verdict[k];
        const double y = k * ROW + 24;
        label(f, r, k, v->other);
        compare_verdict_text(v, text, sizeof text);
        if (!isfinite(v->high)) { /* no interval, which has to be said: an empty row looks like a fault */
            fprintf(f, "<text class=\"t\" x=\"%.1f\" y=\"%.1f\">", x_of(&s, 0) + 8, y + 4);
            put(f, text);
            fputs("</text>\n", f);
            continue;
        }
        fprintf(f, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"><title>", classes[v->call],
                x_of(&s, 100 * (v->low - 1)), y, x_of(&s, 100 * (v->high - 1)) + 0.5, y);
        if (v->reference) fprintf(f, "against setting %d: ", v->reference + 1);
        put(f, text);
        fprintf(f, "</title></line><line class=\"m\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                x_of(&s, 100 * (v->ratio - 1)), y - 7, x_of(&s, 100 * (v->ratio - 1)), y + 7);
    }
    fputs("</svg></figure>\n", f);
}

/* ---- the two traces ---------------------------------------------------------------------------------------------- */

enum { KERNELS = 64 };
struct kernel {
    char name[64];
    int tasks[2];
    double seconds[2];
};

/* Tasks and their time by kernel, of PREFIX.json. 0, or -1. */
static int add_trace(const char *prefix, int which, struct kernel *kernel, int *n)
{
    char path[4200];
    json_t *o, *events, *e;
    size_t k;
    int i;

    snprintf(path, sizeof path, "%s.json", prefix);
    if (!(o = json_load_file(path, 0, NULL))) return -1;
    events = json_object_get(o, "traceEvents");
    json_array_foreach(events, k, e)
    {
        const char *name = json_string_value(json_object_get(e, "name")),
                   *category = json_string_value(json_object_get(e, "cat"));
        if (!name || !category || strcmp(category, "task") != 0) continue;
        for (i = 0; i < *n && strcmp(kernel[i].name, name) != 0; i++) {}
        if (i == KERNELS) continue;
        if (i == *n) snprintf(kernel[(*n)++].name, sizeof kernel[i].name, "%s", name);
        kernel[i].tasks[which]++;
        kernel[i].seconds[which] += 1e-6 * json_number_value(json_object_get(e, "dur"));
    }
    json_decref(o);
    return 0;
}

static int by_difference(const void *a, const void *b)
{
    const struct kernel *x = a, *y = b;
    const double p = fabs(x->seconds[1] - x->seconds[0]), q = fabs(y->seconds[1] - y->seconds[0]);
    return (p < q) - (p > q);
}

/* The page lies beside this one. What is no plain character is a number in its address. */
static void put_link(FILE *f, const char *prefix)
{
    const char *name = strrchr(prefix, '/') ? strrchr(prefix, '/') + 1 : prefix;

    fputs("<a href=\"", f);
    for (const char *c = name; *c; c++)
        fprintf(f,
                (*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z') || *c == '-' || *c == '.' ||
                        *c == '_'
                    ? "%c"
                    : "%%%02X",
                (unsigned char)*c);
    fputs(".html\"><code>", f);
    put(f, name);
    fputs(".html</code></a>", f);
}

static void put_traces(FILE *f, const struct compare_results *r, const char *const prefix[2])
{
    struct kernel kernel[KERNELS] = {0};
    const int other = r->best == 0 ? r->next : r->best;
    int n = 0;

    if (!prefix || add_trace(prefix[0], 0, kernel, &n) || add_trace(prefix[1], 1, kernel, &n) || n == 0) return;
    qsort(kernel, (size_t)n, sizeof *kernel, by_difference);
    fprintf(f,
            "<h2>Traces of settings 1 and %d</h2>\n<p class=\"sub\">One further run of each. Seconds of all workers "
            "together; what differs most comes first. "
            "The pages ",
            other + 1);
    put_link(f, prefix[0]);
    fputs(" and ", f);
    put_link(f, prefix[1]);
    fprintf(f,
            " show the runs.</p>\n<table><tr><th class=\"l\">kernel</th><th>tasks, 1</th><th>tasks, "
            "%d</th><th>s, 1</th><th>s, %d</th><th>difference, s</th>"
            "<th>ms a task, 1</th><th>ms a task, %d</th></tr>\n",
            other + 1, other + 1, other + 1);
    for (int k = 0; k < n; k++) {
        fputs("<tr><td class=\"l\">", f);
        put(f, kernel[k].name);
        fprintf(f, "</td><td>%d</td><td>%d</td><td>%.4g</td><td>%.4g</td><td>%+.3g</td>", kernel[k].tasks[0],
                kernel[k].tasks[1], kernel[k].seconds[0], kernel[k].seconds[1],
                kernel[k].seconds[1] - kernel[k].seconds[0]);
        for (int w = 0; w < 2; w++)
            if (kernel[k].tasks[w])
                fprintf(f, "<td>%.4g</td>", 1e3 * kernel[k].seconds[w] / kernel[k].tasks[w]);
            else
                fputs("<td>-</td>", f);
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

struct page {
    const struct compare_results *results;
    const char *const *traced;
};

static void put_page(FILE *f, const void *context)
{
    const struct compare_results *r = ((const struct page *)context)->results;

    fputs(head, f);
    fputs("<h1>tilework compare</h1>\n<p class=\"sub\"><code>", f);
    put(f, r->plan->title);
    fprintf(f, "</code>: %d settings, %d blocks, seed %llu; differences of up to %.3g %% count as none</p>\n",
            r->plan->settings, r->blocks, r->plan->seed, 100 * r->plan->same);
    if (compare_busy(r))
        fprintf(f,
                "<p><b>The machine was busy:</b> other programs took %.0f %% of its cores on average, at most %.0f %% "
                "(block %d).</p>\n",
                100 * r->others, 100 * r->others_most, r->others_block);
    put_table(f, r);
    put_dots(f, r);
    put_verdicts(f, r);
    put_traces(f, r, ((const struct page *)context)->traced);
    fputs("</body></html>\n", f);
}

int compare_page_write(const struct compare_results *r, const char *path, const char *const traced[2])
{
    const struct page p = {r, traced};
    return compare_write_file(path, put_page, &p);
}
