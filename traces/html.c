/* PREFIX.html: one page with the picture and the figures behind it. No script, nothing from outside. */
#include <math.h>
#include <stdlib.h>

#include "traces/analysis.h"
#include "traces/text.h"
#include "traces/writers.h"

static const char style[] =
    "body{font-family:sans-serif;color:#222;background:#fff;margin:24px auto;max-width:1280px;padding:0 "
    "16px;line-height:1.45}\n"
    "h1{font-size:24px;margin:0 0 4px}h2{font-size:17px;margin:32px 0 8px}p{margin:4px 0 12px}.sub{color:#666}\n"
    ".cards{display:flex;flex-wrap:wrap;gap:12px;margin:16px 0}.card{border:1px solid "
    "#d9dde3;border-radius:6px;padding:8px 14px}\n"
    ".card b{display:block;font-size:20px}.card span{color:#666;font-size:13px}\n"
    "figure{margin:16px 0;overflow-x:auto;border:1px solid #d9dde3;border-radius:6px}figure "
    "svg{display:block;width:100%;"
    "height:auto;min-width:900px}\n"
    "table{border-collapse:collapse;font-size:14px}th,td{padding:4px 12px;border-bottom:1px solid "
    "#e6e9ee;text-align:right}\n"
    "th{background:#f3f4f7}th:first-child,td:first-child{text-align:left}.key{display:inline-block;width:14px;height:"
    "12px;"
    "border-radius:2px;margin-right:8px}\n";

static void put_card(FILE *f, const char *value, const char *name)
{
    fprintf(f, "<div class=\"card\"><b>%s</b><span>%s</span></div>\n", value, name);
}

static void put_cards(FILE *f, const struct tw_summary *s)
{
    char text[96];
    struct tw_work whole = {s->ntasks, s->duration, s->all.flops};
    int nworkers = s->recording->nworkers > 0 ? s->recording->nworkers : 1;

    fputs("<div class=\"cards\">\n", f);
    put_card(f, tw_time_text(s->duration).text, "first submission to last end");
    put_card(f, tw_rate_text(tw_summary_rate(whole)).text, "overall");
    put_card(f, tw_count_text(s->ntasks).text, "tasks");
    snprintf(text, sizeof text, "%.1f %%", 100 * s->idle);
    put_card(f, text, "of the workers' time is idle");
    snprintf(text, sizeof text, "%.2f of %d", tw_summary_share(s->all.seconds, s->duration), s->recording->nworkers);
    put_card(f, text, "tasks running, on average");
    /* No schedule of the same tasks at the same speed can be shorter than this. */
    put_card(f, tw_time_text(fmax(s->all.seconds / nworkers, s->longest)).text, "with no idle time at all");
    put_card(f, tw_time_text(s->submission).text, "first to last submission");
    put_card(f, tw_time_text(s->mean_wait).text, "from submission to start, on average");
    fputs("</div>\n", f);
}

static void put_rate_cells(FILE *f, const struct tw_summary *s, const struct tw_work *on)
{
    for (int kind = 0; kind < 2; kind++)
        if (s->kinds & 1 << kind)
            fprintf(f, "<td>%s</td><td>%s</td>", tw_count_text(on[kind].count).text,
                    tw_rate_text(tw_summary_rate(on[kind])).text);
}

static void put_kernels(FILE *f, const struct tw_summary *s)
{
    fputs("<h2>Kernels</h2>\n<p class=\"sub\">GF/s are those of one worker while it runs the "
          "kernel.</p>\n<table><tr><th>kernel</th>"
          "<th>tasks</th><th>total time</th><th>share of busy</th><th>mean</th><th>longest</th>",
          f);
    if (s->kinds & 1) fputs("<th>on CPUs</th><th>a CPU's rate</th>", f);
    if (s->kinds & 2) fputs("<th>on GPUs</th><th>a GPU's rate</th>", f);
    fputs("</tr>\n", f);
    for (int k = 0; k < s->nkernels; k++) {
        const struct tw_kernel_stats *kernel = &s->kernels[k];
        fprintf(f, "<tr><td><span class=\"key\" style=\"background:#%06X\"></span>", kernel->color);
        tw_put_xml(f, kernel->label);
        fprintf(f, "</td><td>%s</td><td>%s</td>", tw_count_text(kernel->all.count).text,
                tw_time_text(kernel->all.seconds).text);
        fprintf(f, "<td>%.1f %%</td>", 100 * tw_summary_share(kernel->all.seconds, s->all.seconds));
        fprintf(f, "<td>%s</td>", tw_time_text(kernel->all.seconds / (double)kernel->all.count).text);
        fprintf(f, "<td>%s</td>", tw_time_text(kernel->longest).text);
        put_rate_cells(f, s, kernel->on);
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

static void put_workers(FILE *f, const struct tw_summary *s)
{
    fputs(
        "<h2>Workers</h2>\n<table><tr><th>worker</th><th>tasks</th><th>busy</th><th>share</th><th>rate while busy</th>"
        "<th>first start</th><th>last end</th></tr>\n",
        f);
    for (int w = 0; w < s->recording->nworkers; w++) {
        const struct tw_worker_stats *stats = &s->workers[w];
        fputs("<tr><td>", f);
        tw_put_xml(f, s->recording->workers[w].name);
        fprintf(f, "</td><td>%s</td><td>%s</td>", tw_count_text(stats->all.count).text,
                tw_time_text(stats->all.seconds).text);
        fprintf(f, "<td>%.1f %%</td><td>%s</td>", 100 * tw_summary_share(stats->all.seconds, s->duration),
                tw_rate_text(tw_summary_rate(stats->all)).text);
        if (stats->all.count)
            fprintf(f, "<td>%s</td><td>%s</td></tr>\n", tw_time_text(stats->first).text,
                    tw_time_text(stats->last).text);
        else
            fputs("<td>-</td><td>-</td></tr>\n", f);
    }
    fputs("</table>\n", f);
}

static void put_idle(FILE *f, const struct tw_summary *s)
{
    static const char *const names[] = {"before a worker's first task", "between tasks", "after a worker's last task",
                                        "workers that ran nothing", "together"};
    static const char *const hints[] = {"submission, or a graph that starts with one task",
                                        "tasks that wait for data or for the panel: order, priorities, tile size",
                                        "the graph narrows at its end: tile size, priorities, a faster panel",
                                        "fewer tasks than workers, or a scheduler that found them too slow", ""};
    double shares[] = {s->idle_start, s->idle_middle, s->idle_end, s->idle_unused, s->idle};

    fputs("<h2>Where worker time was idle</h2>\n<table><tr><th>when</th><th>share</th><th>usual cause</th></tr>\n", f);
    for (int i = 0; i < 5; i++)
        fprintf(f, "<tr><td>%s</td><td>%.1f %%</td><td style=\"text-align:left\">%s</td></tr>\n", names[i],
                100 * shares[i], hints[i]);
    fputs("</table>\n", f);
}

static void put_routines(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;

    fputs("<h2>Routines</h2>\n<table><tr><th>routine</th><th>tasks</th><th>submitted at</th><th>finished "
          "at</th><th>time</th>"
          "<th>rate</th></tr>\n",
          f);
    for (int i = 0; i < r->nroutines; i++) {
        const struct tw_routine_stats *routine = &s->routines[i];
        struct tw_work whole = {routine->all.count, routine->last - routine->submitted, routine->all.flops};
        if (!whole.count) continue;
        fputs("<tr><td>", f);
        tw_put_xml(f, r->routines[i]);
        fprintf(f, "</td><td>%s</td><td>%s</td>", tw_count_text(whole.count).text,
                tw_time_text(routine->submitted).text);
        fprintf(f, "<td>%s</td><td>%s</td>", tw_time_text(routine->last).text, tw_time_text(whole.seconds).text);
        fprintf(f, "<td>%s</td></tr>\n", tw_rate_text(tw_summary_rate(whole)).text);
    }
    fputs("</table>\n", f);
}

/* "time" is all workers' together. */
static void put_stages(FILE *f, const struct tw_summary *s)
{
    if (!s->nstages) return;
    fputs("<h2>Stages</h2>\n<table><tr><th>stage</th><th>tasks</th><th>first start</th><th>last end</th>"
          "<th>time of all workers</th><th>rate while busy</th></tr>\n",
          f);
    for (int i = 0; i < s->nstages; i++) {
        const struct tw_stage_stats *stage = &s->stages[i];
        fputs("<tr><td>", f);
        tw_put_xml(f, stage->name);
        fprintf(f, "</td><td>%s</td><td>%s</td>", tw_count_text(stage->all.count).text,
                tw_time_text(stage->first).text);
        fprintf(f, "<td>%s</td><td>%s</td>", tw_time_text(stage->last).text, tw_time_text(stage->all.seconds).text);
        fprintf(f, "<td>%s</td></tr>\n", tw_rate_text(tw_summary_rate(stage->all)).text);
    }
    fputs("</table>\n", f);
}

/* ---- why it took so long: where the recording has predecessors ------------------------------------------------------------ */

static void put_piece(FILE *f, const char *name, double seconds, double whole, const char *hint)
{
    fprintf(f, "<tr><td>%s</td><td>%s</td><td>%.1f %%</td><td style=\"text-align:left\">%s</td></tr>\n", name,
            tw_time_text(seconds).text, 100 * tw_summary_share(seconds, whole), hint);
}

static void put_path(FILE *f, const struct tw_analysis *a)
{
    const tw_trace_facts *t = &a->facts;

    fprintf(
        f,
        "<h2>The path that happened</h2>\n<p class=\"sub\">From the last end back over what each task waited for last, "
        "%s "
        "tasks. The pieces add up to the whole time; only what is on the path can make the run shorter. The longest "
        "chain of tasks that wait for each other takes %s.</p>\n<table><tr><th>piece</th><th>time</th><th>share</th>"
        "<th>less of it</th></tr>\n",
        tw_count_text(t->path_length).text, tw_time_text(t->graph).text);
    put_piece(f, "tasks at work", t->path_tasks, t->seconds, "faster kernels; another order; smaller tiles");
    put_piece(f, "waiting for their submission", t->path_submission, t->seconds,
              "larger tiles; less before the first task");
    put_piece(f, "ready, but not taken", t->path_scheduler, t->seconds,
              "another scheduler; a core that other programs took away");
    put_piece(f, "waiting for a core: other programs had it", t->path_lost, t->seconds, "a quiet machine; fewer workers");
    put_piece(f, "waiting for data", t->path_data, t->seconds, "larger tiles; a scheduler that knows where data is");
    put_piece(f, "taken, but not begun", t->path_start, t->seconds, "larger tiles");
    fputs("</table>\n<table style=\"margin-top:12px\"><tr><th>kernel</th><th>tasks on the path</th><th>time on the "
          "path</th>"
          "<th>share of the path</th><th>least slack</th></tr>\n",
          f);
    for (int k = 0; k < a->nkernels; k++) {
        fprintf(f, "<tr><td>%c", a->kernels[k].type);
        tw_put_xml(f, a->kernels[k].name);
        fprintf(f, "</td><td>%s of %s</td><td>%s</td>", tw_count_text(a->kernels[k].path_tasks).text,
                tw_count_text(a->kernels[k].tasks).text, tw_time_text(a->kernels[k].path_seconds).text);
        fprintf(f, "<td>%.1f %%</td><td>%s</td></tr>\n", 100 * tw_summary_share(a->kernels[k].path_seconds, t->seconds),
                tw_time_text(a->kernels[k].slack).text);
    }
    fputs("</table>\n", f);
}

struct what_if {
    char change[100];
    double seconds;
};

static int most_won(const void *a, const void *b)
{
    const double x = ((const struct what_if *)a)->seconds, y = ((const struct what_if *)b)->seconds;
    return (x > y) - (x < y);
}

enum { WHAT_IF_MOST = 16, WHAT_IF_TASKS = 200000 };

static void put_what_if(FILE *f, const struct tw_recording *r, const struct tw_analysis *a)
{
    struct what_if w[WHAT_IF_MOST];
    double same;
    int n = 0;

    if (r->nrecords > WHAT_IF_TASKS || tw_replay(r, "", &same)) return;
    for (int k = 0; n < WHAT_IF_MOST && tw_standard_change(r, a, k, w[n].change, sizeof w[n].change) == 1; k++)
        if (tw_replay(r, w[n].change, &w[n].seconds) == 0) n++;
    qsort(w, (size_t)n, sizeof *w, most_won);
    fprintf(
        f,
        "<h2>What if</h2>\n<p class=\"sub\">The recorded graph scheduled again with something changed; with nothing "
        "changed that takes %s, %+.1f %% of what was measured. Others: <code>tilework trace FILE.tw --what-if "
        "…</code></p>\n<table><tr><th>change</th><th>time</th><th>difference</th></tr>\n",
        tw_time_text(same).text, 100 * tw_summary_share(same - a->facts.seconds, a->facts.seconds));
    for (int k = 0; k < n; k++) {
        fputs("<tr><td>", f);
        tw_put_xml(f, w[k].change);
        fprintf(f, "</td><td>%s</td><td>%+.1f %%</td></tr>\n", tw_time_text(w[k].seconds).text,
                100 * tw_summary_share(w[k].seconds - same, same));
    }
    fputs("</table>\n", f);
}

static int put_why(FILE *f, const struct tw_recording *r)
{
    struct tw_analysis *a;
    int e;

    if (!r->first_edge) return 0;
    if ((e = tw_analysis_make(&a, r))) return e;
    put_path(f, a);
    put_what_if(f, r, a);
    tw_analysis_free(a);
    return 0;
}

static int put_page(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;

    fprintf(f,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>Tilework trace</title>\n"
            "<meta name=\"viewport\" content=\"width=device-width\"/>\n<style>\n%s</style></head>\n<body>\n",
            style);
    fputs("<h1>Tilework trace</h1>\n<p class=\"sub\">", f);
    tw_put_xml(f, r->machine);
    fputs(" · scheduler ", f);
    tw_put_xml(f, r->sched);
    fprintf(f, " · %d worker%s</p>\n", r->nworkers, r->nworkers == 1 ? "" : "s");
    if (s->left_out)
        fprintf(f, "<p>%s records without a sound time or worker were left out.</p>\n",
                tw_count_text(s->left_out).text);
    if (r->dropped)
        fprintf(f, "<p>%s tasks are missing: beyond TILEWORK_TRACE_LIMIT, or there was no memory for them.</p>\n",
                tw_count_text(r->dropped).text);
    put_cards(f, s);
    fputs("<figure>\n", f);
    int status = tw_svg_picture(f, s);
    fputs("</figure>\n<p class=\"sub\">Hold the pointer over a box to see the task. Where tasks are narrower than the "
          "picture can show, a "
          "column's colours have the height of their share of the time.</p>\n",
          f);
    put_kernels(f, s);
    if (!status) status = put_why(f, r);
    put_idle(f, s);
    put_workers(f, s);
    put_routines(f, s);
    put_stages(f, s);
    fputs("</body></html>\n", f);
    return status;
}

int tw_write_html(const struct tw_recording *recording, const char *prefix)
{
    struct tw_summary s;
    struct tw_tracefile file;
    int status = tw_summary_make(&s, recording);

    if (status != 0) return status;
    status = tw_tracefile_open(&file, prefix, ".html");
    if (status == 0) status = tw_tracefile_close(&file, put_page(file.out.stream, &s));
    tw_summary_free(&s);
    return status;
}
