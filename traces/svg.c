/* PREFIX.svg: the run as a Gantt chart that a person can read, with legend, axis and figures.
 *
 * Its size is bounded: tasks wider than the grain are boxes of their own (with a tooltip if there is room for it); runs
 * of smaller ones on one worker become one box, split by each kernel's share of the run's time, the rest being idle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "traces/text.h"
#include "traces/writers.h"

enum { WIDTH = 1280, LEFT = 130, RIGHT = 150, PLOT = WIDTH - LEFT - RIGHT, LEGEND_MAX = 16 };
#define BOXES_MAX    54000.0 /* on all rows together, up to 3 to 8 in a grain */
#define TOOLTIPS_MAX 4000.0
#define SHARES_MAX   8 /* boxes in a run */

struct layout {
    double top, row, pitch;                       /* first row, height of a box, distance of rows */
    double rows_end, axis, strip, legend, height; /* y of the parts, from top to bottom */
    double strip_height;
    double grain, tooltip; /* in pixels: widths from which a task has its own box, and a tooltip */
    double scale;          /* pixels a second */
    int legend_rows;
};

static struct layout lay_out(const struct tw_summary *s)
{
    int n = s->recording->nworkers > 0 ? s->recording->nworkers : 1;
    struct layout l = {.top = 84, .strip_height = 56};

    l.pitch = fmin(fmax(560.0 / n, 7), 30);
    l.row = l.pitch >= 12 ? l.pitch - 4 : l.pitch - 1;
    l.rows_end = l.top + n * l.pitch;
    l.axis = l.rows_end + 4;
    l.strip = l.axis + 50;
    l.legend = l.strip + l.strip_height + 42;
    l.legend_rows = s->nkernels < LEGEND_MAX ? s->nkernels : LEGEND_MAX;
    int lines = l.legend_rows + (s->nkernels > LEGEND_MAX) + 1;
    l.height = l.legend + 20 * (lines > 7 ? lines : 7) + 16;
    l.grain = fmax(0.7, n * (double)PLOT / BOXES_MAX * fmin(fmax(s->nkernels, 3), SHARES_MAX));
    l.tooltip = fmax(3, n * (double)PLOT / TOOLTIPS_MAX);
    l.scale = s->duration > 0 ? PLOT / s->duration : 0;
    return l;
}

/* ---- the frame ------------------------------------------------------------------------------------------------- */

void tw_svg_style(FILE *f, const struct tw_summary *s)
{
    fputs("\n.tw text{font-family:sans-serif;font-size:12px;fill:#333}\n.tw "
          ".tw-title{font-size:19px;font-weight:bold;"
          "fill:#111}\n.tw .tw-sub{fill:#666}\n.tw .tw-head{font-weight:bold;fill:#111}\n.tw .tw-end{text-anchor:end}\n"
          ".tw .tw-mid{text-anchor:middle}\n.tw .tw-grid{stroke:#d9dde3;stroke-width:1}\n.tw "
          ".tw-box{stroke:#fff;stroke-width:.6}\n.tw path{shape-rendering:crispEdges}\n",
          f);
    for (int k = 0; k < s->nkernels; k++)
        fprintf(f, ".tw .k%d{fill:#%06X}\n", k, s->kernels[k].color);
}

/* The first bytes of a text, whole UTF-8 characters, with an ellipsis where something was cut. */
static void put_shortened(FILE *f, const char *text, size_t most)
{
    char head[256];
    size_t length = strlen(text);

    if (most > sizeof head - 1) most = sizeof head - 1;
    if (length <= most) {
        tw_put_xml(f, text);
        return;
    }
    length = most - 1;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    memcpy(head, text, length);
    head[length] = '\0';
    tw_put_xml(f, head);
    fputs("…", f);
}

static int workers_of_kind(const struct tw_recording *r, int cuda)
{
    int n = 0;

    for (int w = 0; w < r->nworkers; w++)
        n += !r->workers[w].is_cuda == !cuda;
    return n;
}

static void put_workers_text(FILE *f, const struct tw_recording *r)
{
    int cpu = workers_of_kind(r, 0), cuda = workers_of_kind(r, 1);

    if (cpu || !cuda) fprintf(f, "%d CPU worker%s", cpu, cpu == 1 ? "" : "s");
    if (cuda) fprintf(f, "%s%d GPU worker%s", cpu ? " + " : "", cuda, cuda == 1 ? "" : "s");
}

static void put_title(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;
    int shown = 0, more = 0;

    fputs("<text class=\"tw-title\" x=\"16\" y=\"30\">", f);
    for (int i = 0; i < r->nroutines; i++) {
        if (!s->routines[i].all.count) continue;
        if (shown == 2) {
            more++;
            continue;
        }
        if (shown++) fputs(", ", f);
        put_shortened(f, r->routines[i], 48);
    }
    if (!shown) fputs(s->ntasks ? "Tilework trace" : "Tilework trace: no task ran", f);
    if (more) fprintf(f, " and %d more", more);
    fputs("</text>\n<text class=\"tw-sub\" x=\"16\" y=\"50\">", f);
    put_shortened(f, r->machine && *r->machine ? r->machine : "unknown machine", 72);
    fputs(" · ", f);
    put_workers_text(f, r);
    fputs(" · scheduler ", f);
    put_shortened(f, r->sched && *r->sched ? r->sched : "unknown", 24);
    fprintf(f, " · %s tasks in %s", tw_count_text(s->ntasks).text, tw_time_text(s->duration).text);
    if (s->all.flops > 0 && s->duration > 0) fprintf(f, " · %s", tw_rate_text(s->all.flops / s->duration * 1e-9).text);
    fputs("</text>\n", f);
}

/* 1, 2 or 5 times a power of ten, so that at most `most` steps fill the range. */
static double nice_step(double range, int most)
{
    double raw = range / most, power = pow(10, floor(log10(raw)));

    for (int i = 0; i < 3; i++) {
        double step = power * (i == 0 ? 1 : i == 1 ? 2 : 5);
        if (step >= raw * (1 - 1e-9)) return step;
    }
    return 10 * power;
}

static void put_axis(FILE *f, const struct tw_summary *s, const struct layout *l)
{
    static const struct {
        double scale;
        const char *name;
    } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "µs"}, {1e9, "ns"}};
    int u = 0;

    if (s->duration <= 0) return;
    while (u < 3 && s->duration * units[u].scale < 2)
        u++;
    double range = s->duration * units[u].scale, step = nice_step(range, 12);
    int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    for (int i = 0; i * step <= range * (1 + 1e-9); i++) {
        double x = LEFT + i * step / range * PLOT;
        fprintf(f, "<line class=\"tw-grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x, l->top - 4, x,
                l->axis + 5);
        fprintf(f, "<text class=\"tw-mid\" x=\"%.1f\" y=\"%.1f\">%.*f</text>\n", x, l->axis + 19, digits, i * step);
    }
    fprintf(f, "<text class=\"tw-sub\" x=\"%d\" y=\"%.1f\">time in %s</text>\n", LEFT + PLOT + 16, l->axis + 19,
            units[u].name);
}

/* ---- the rows ---------------------------------------------------------------------------------------------------- */

/* Small tasks that follow one another on one worker. */
struct run {
    double from, to; /* pixels */
    double *busy;    /* pixels of each kernel in the run */
    int *has;        /* the kernels that are in it */
    int nhas;
};

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Of many kernels, the shares too small for a box of their own go to the largest, so that the busy time stays right. */
static void drop_small_shares(const struct run *run, double least)
{
    int largest = run->has[0];
    double dropped = 0;

    for (int i = 1; i < run->nhas; i++)
        if (run->busy[run->has[i]] > run->busy[largest]) largest = run->has[i];
    for (int i = 0; i < run->nhas; i++) {
        const int k = run->has[i];
        if (k == largest || run->busy[k] >= least) continue;
        dropped += run->busy[k];
        run->busy[k] = 0;
    }
    run->busy[largest] += dropped;
}

static double tenth(double x)
{
    return round(10 * x) / 10;
}

/* Both ends are rounded, not the length: neighbours touch. */
static void put_small_box(FILE *f, int kernel, double left, double right, double top, double bottom)
{
    left = tenth(left), right = fmax(tenth(right), left + 0.1);
    top = tenth(top), bottom = fmax(tenth(bottom), top + 0.1);
    fprintf(f, "<path class=\"k%d\" d=\"M%.1f %.1fH%.1fV%.1fH%.1fz\"/>", kernel, left, top, right, bottom, left);
}

static void put_run(FILE *f, const struct tw_summary *s, const struct layout *l, double y, struct run *run)
{
    double length = fmax(run->to - run->from, 1e-9), bottom = y + l->row;

    qsort(run->has, (size_t)run->nhas, sizeof *run->has, ascending);
    if (s->nkernels > SHARES_MAX) drop_small_shares(run, length / SHARES_MAX);
    for (int i = 0; i < run->nhas; i++) {
        const int k = run->has[i];
        double top = bottom - fmin(run->busy[k] / length, 1) * l->row;
        run->busy[k] = 0;
        if (bottom - top < 0.05) continue;
        put_small_box(f, k, run->from, run->to, top, bottom);
        bottom = top;
    }
    run->nhas = 0;
    run->from = run->to = -1;
}

static void put_tooltip(FILE *f, const struct tw_summary *s, const struct tw_span *p)
{
    const struct tw_record *t = &s->recording->records[p->record];
    struct tw_work work = {1, p->to - p->from, tw_summary_flops(t)};

    fputs("<title>", f);
    tw_put_xml(f, s->kernels[p->kernel].label);
    fprintf(f, " %s: %s", tw_coord_text(t->coord).text, tw_time_text(work.seconds).text);
    if (work.flops > 0) fprintf(f, ", %s", tw_rate_text(tw_summary_rate(work)).text);
    fprintf(f, ", priority %d</title>", t->priority);
}

static void put_box(FILE *f, const struct tw_summary *s, const struct layout *l, double y, const struct tw_span *p)
{
    double x = LEFT + p->from * l->scale, width = (p->to - p->from) * l->scale;

    if (width < l->tooltip) {
        put_small_box(f, p->kernel, x, x + width, y, y + l->row);
        return;
    }
    fprintf(f, "<rect class=\"tw-box k%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">", p->kernel, x, y,
            width, l->row);
    put_tooltip(f, s, p);
    fputs("</rect>\n", f);
}

static void put_tasks(FILE *f, const struct tw_summary *s, const struct layout *l, int w, double y, double *busy,
                      int *has)
{
    struct run run = {-1, -1, busy, has, 0};

    for (size_t i = s->first_span[w]; i < s->first_span[w + 1]; i++) {
        const struct tw_span *p = &s->spans[i];
        double from = LEFT + p->from * l->scale, to = LEFT + p->to * l->scale;
        int own = to - from >= l->grain;
        if (run.from >= 0 && (own || from - run.to >= l->grain || run.to - run.from >= l->grain))
            put_run(f, s, l, y, &run);
        if (own) {
            put_box(f, s, l, y, p);
            continue;
        }
        if (run.from < 0) run.from = from;
        run.to = to;
        if (!(busy[p->kernel] > 0)) run.has[run.nhas++] = p->kernel;
        busy[p->kernel] += fmax(to - from, 1e-12); /* of no length: it is there */
    }
    if (run.from >= 0) put_run(f, s, l, y, &run);
    fputc('\n', f);
}

/* At the right: how much of the time the worker was busy, as a bar and a figure. */
static void put_utilisation(FILE *f, const struct tw_summary *s, const struct layout *l, int w, double y, int labelled)
{
    double share = tw_summary_share(s->workers[w].all.seconds, s->duration), x = LEFT + PLOT + 16;

    fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"60\" height=\"%.1f\" fill=\"#e6e9ee\"/>", x, y, l->row);
    fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#7b8aa0\"/>", x, y, 60 * share,
            l->row);
    if (labelled)
        fprintf(f, "<text class=\"tw-end\" x=\"%d\" y=\"%.1f\">%.1f %%</text>", WIDTH - 16, y + l->row / 2 + 4,
                100 * share);
    fputc('\n', f);
}

static int put_rows(FILE *f, const struct tw_summary *s, const struct layout *l)
{
    const struct tw_recording *r = s->recording;
    double *busy = calloc((size_t)s->nkernels + 1, sizeof *busy);
    int *has = calloc((size_t)s->nkernels + 1, sizeof *has);
    int every = l->pitch >= 12 ? 1 : 2;

    if (!busy || !has) {
        free(busy), free(has);
        return tw_fail(TW_E_MEMORY, "no memory to draw a trace");
    }
    fprintf(f, "<text class=\"tw-sub\" x=\"%d\" y=\"%.1f\">busy</text>\n", LEFT + PLOT + 16, l->top - 8);
    for (int w = 0; w < r->nworkers; w++) {
        double y = l->top + w * l->pitch;
        fprintf(f, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#f3f4f7\"/>", LEFT, y, PLOT, l->row);
        if (w % every == 0) {
            fprintf(f, "<text class=\"tw-end\" x=\"%d\" y=\"%.1f\">", LEFT - 10, y + l->row / 2 + 4);
            put_shortened(f, *r->workers[w].name ? r->workers[w].name : "worker", 18);
            fputs("</text>\n", f);
        }
        put_tasks(f, s, l, w, y, busy, has);
        put_utilisation(f, s, l, w, y, w % every == 0);
    }
    free(busy), free(has);
    return 0;
}

/* ---- running tasks over time -------------------------------------------------------------------------------- */

static void put_strip(FILE *f, const struct tw_summary *s, const struct layout *l)
{
    int n = s->recording->nworkers > 0 ? s->recording->nworkers : 1;
    double bottom = l->strip + l->strip_height, step = (double)PLOT / TW_SUMMARY_BINS;

    fprintf(f, "<text class=\"tw-end\" x=\"%d\" y=\"%.1f\">running tasks</text>\n", LEFT - 30,
            l->strip + l->strip_height / 2 + 4);
    fprintf(f, "<text class=\"tw-end tw-sub\" x=\"%d\" y=\"%.1f\">%d</text>", LEFT - 10, l->strip + 10, n);
    fprintf(f, "<text class=\"tw-end tw-sub\" x=\"%d\" y=\"%.1f\">0</text>\n", LEFT - 10, bottom);
    fprintf(f, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#f3f4f7\"/>\n", LEFT, l->strip, PLOT,
            l->strip_height);
    fprintf(f, "<path fill=\"#7b8aa0\" d=\"M%d %.1f", LEFT, bottom);
    for (int b = 0; b < TW_SUMMARY_BINS; b++) {
        double y = bottom - fmin(s->bins[b] / n, 1) * l->strip_height;
        fprintf(f, "L%.1f %.1fH%.1f", LEFT + b * step, y, LEFT + (b + 1) * step);
    }
    fprintf(f, "V%.1fz\"/>\n", bottom);
}

/* ---- the legend -------------------------------------------------------------------------------------------------- */

static void put_cell(FILE *f, double x, double y, const char *text)
{
    fprintf(f, "<text class=\"tw-end\" x=\"%.1f\" y=\"%.1f\">%s</text>", x, y, text);
}

static const struct {
    double x;
    const char *title;
} columns[] = {{300, "tasks"}, {390, "total time"}, {490, "share of busy"},
               {570, "mean"},  {670, "on a CPU"},   {770, "on a GPU"}};

static void put_legend_row(FILE *f, const struct tw_summary *s, int k, double y)
{
    const struct tw_kernel_stats *kernel = &s->kernels[k];
    char share[32];

    fprintf(f,
            "<rect class=\"k%d\" x=\"16\" y=\"%.1f\" width=\"14\" height=\"12\" rx=\"2\"/><text x=\"38\" y=\"%.1f\">",
            k, y - 11, y);
    put_shortened(f, kernel->label, 26);
    fputs("</text>", f);
    snprintf(share, sizeof share, "%.1f %%", 100 * tw_summary_share(kernel->all.seconds, s->all.seconds));
    put_cell(f, columns[0].x, y, tw_count_text(kernel->all.count).text);
    put_cell(f, columns[1].x, y, tw_time_text(kernel->all.seconds).text);
    put_cell(f, columns[2].x, y, share);
    put_cell(f, columns[3].x, y, tw_time_text(kernel->all.seconds / (double)kernel->all.count).text);
    if (s->kinds & 1) put_cell(f, columns[4].x, y, tw_rate_text(tw_summary_rate(kernel->on[TW_ON_CPU])).text);
    if (s->kinds & 2) put_cell(f, columns[5].x, y, tw_rate_text(tw_summary_rate(kernel->on[TW_ON_CUDA])).text);
    fputc('\n', f);
}

static void put_legend(FILE *f, const struct tw_summary *s, const struct layout *l)
{
    double y = l->legend;

    fprintf(f, "<text class=\"tw-head\" x=\"16\" y=\"%.1f\">kernel</text>", y);
    for (int c = 0; c < 6; c++) {
        if (c >= 4 && !(s->kinds & (c == 4 ? 1 : 2))) continue;
        fprintf(f, "<text class=\"tw-head tw-end\" x=\"%.1f\" y=\"%.1f\">%s</text>", columns[c].x, y, columns[c].title);
    }
    fputc('\n', f);
    for (int k = 0; k < l->legend_rows; k++)
        put_legend_row(f, s, k, y += 20);
    if (s->nkernels > l->legend_rows) {
        struct tw_work rest = {0, 0, 0};
        for (int k = l->legend_rows; k < s->nkernels; k++) {
            rest.count += s->kernels[k].all.count;
            rest.seconds += s->kernels[k].all.seconds;
        }
        fprintf(f, "<text class=\"tw-sub\" x=\"38\" y=\"%.1f\">%d other kernels: %s tasks, %s</text>\n", y + 20,
                s->nkernels - l->legend_rows, tw_count_text(rest.count).text, tw_time_text(rest.seconds).text);
    }
}

static void put_figure(FILE *f, double *y, const char *name, const char *value)
{
    *y += 20;
    fprintf(f, "<text x=\"850\" y=\"%.1f\">%s</text><text class=\"tw-end\" x=\"%d\" y=\"%.1f\">%s</text>\n", *y, name,
            WIDTH - 16, *y, value);
}

static void put_figures(FILE *f, const struct tw_summary *s, const struct layout *l)
{
    double y = l->legend, whole = s->recording->nworkers * s->duration;
    char text[128];

    fprintf(f, "<text class=\"tw-head\" x=\"850\" y=\"%.1f\">worker time</text>\n", y);
    snprintf(text, sizeof text, "%.1f %%", 100 * tw_summary_share(s->all.seconds, whole));
    put_figure(f, &y, "busy", text);
    snprintf(text, sizeof text, "%.1f %%", 100 * s->idle_start);
    put_figure(f, &y, "idle before a worker's first task", text);
    snprintf(text, sizeof text, "%.1f %%", 100 * s->idle_middle);
    put_figure(f, &y, "idle between tasks", text);
    snprintf(text, sizeof text, "%.1f %%", 100 * s->idle_end);
    put_figure(f, &y, "idle after a worker's last task", text);
    snprintf(text, sizeof text, "%.1f %%", 100 * s->idle_unused);
    if (s->idle_unused > 0) put_figure(f, &y, "workers that ran nothing", text);
    snprintf(text, sizeof text, "%.2f of %d", tw_summary_share(s->all.seconds, s->duration), s->recording->nworkers);
    put_figure(f, &y, "running tasks, on average", text);
    put_figure(f, &y, "longest task", tw_time_text(s->longest).text);
    snprintf(text, sizeof text, "%s records without a time or worker", tw_count_text(s->left_out).text);
    if (s->left_out) put_figure(f, &y, "left out", text);
}

int tw_svg_picture(FILE *f, const struct tw_summary *s)
{
    struct layout l = lay_out(s);

    fprintf(f,
            "<svg class=\"tw\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
            "height=\"%.0f\">\n",
            WIDTH, l.height, WIDTH, l.height);
    fputs("<style>", f);
    tw_svg_style(f, s);
    fputs("</style>\n", f);
    fprintf(f, "<rect width=\"%d\" height=\"%.0f\" fill=\"#fff\"/>\n", WIDTH, l.height);
    put_title(f, s);
    put_axis(f, s, &l);
    int status = put_rows(f, s, &l);
    put_strip(f, s, &l);
    put_legend(f, s, &l);
    put_figures(f, s, &l);
    fputs("</svg>\n", f);
    return status;
}

int tw_write_svg(const struct tw_recording *recording, const char *prefix)
{
    struct tw_summary s;
    struct tw_tracefile file;
    int status = tw_summary_make(&s, recording);

    if (status != 0) return status;
    status = tw_tracefile_open(&file, prefix, ".svg");
    if (status == 0) {
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file.out.stream);
        status = tw_tracefile_close(&file, tw_svg_picture(file.out.stream, &s));
    }
    tw_summary_free(&s);
    return status;
}
