/* PREFIX.html: one page with the picture and the figures behind it; nothing from outside. Without scripts the tables
 * and a still picture remain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_text.h"
#include "runtime/base/doing.h"
#include "runtime/base/error.h"

#include "traces/advice.h"
#include "traces/analysis.h"
#include "traces/columns.h"
#include "traces/recorded.h"
#include "traces/sha256.h"
#include "traces/text.h"
#include "traces/writers.h"

static void put_card(FILE *f, const char *value, const char *name)
{
    fprintf(f, "<div class=\"card\"><b>%s</b><span>%s</span></div>\n", value, name);
}

/* The most of each memory. */
static void put_used_cards(FILE *f, const struct tw_recording *r)
{
    for (int m = -1; m + 1 < tw_memory_count(r) && m < 15; m++) {
        char value[64];
        double most = -1;
        for (size_t k = 0; k < r->nused; k++)
            if (r->used[k].memory == m) most = fmax(most, r->used[k].bytes);
        if (most < 0) continue;
        snprintf(value, sizeof value, "%.4g MB", most * 1e-6);
        fprintf(f, "<div class=\"card\"><b>%s</b><span>used at most: ", value);
        tw_put_xml(f, tw_memory_name(r, m).text);
        fputs("</span></div>\n", f);
    }
}

static void put_direct_card(FILE *f, const struct tw_recording *r)
{
    double seconds = 0;

    for (size_t k = 0; k < r->nstays; k++)
        if (r->stays[k].what >= TW_DOING_LAPACK) seconds += r->stays[k].to - r->stays[k].from;
    if (seconds > 0) put_card(f, tw_time_text(seconds).text, "in LAPACK, BLAS or FFTW themselves, without tasks");
}

/* The command's figures: by the time from the call to its return, which is more than the picture has. */
static void put_cards(FILE *f, const struct tw_summary *s, const tw_trace_facts *facts)
{
    const int of_calls = facts->tasks > 0, cut = s->recording->to > s->recording->from;
    const double seconds = of_calls ? facts->seconds : s->duration, busy = of_calls ? facts->busy : s->all.seconds;
    char text[96];
    struct tw_work whole = {s->ntasks, seconds, s->all.flops};
    int nworkers = s->recording->nworkers > 0 ? s->recording->nworkers : 1;

    fputs("<div class=\"cards\">\n", f);
    put_card(f, tw_time_text(seconds).text,
             cut        ? "this part of the recording"
             : of_calls ? "from the call to its return"
                        : "first submission to last end");
    put_card(f, tw_rate_text(tw_summary_rate(whole)).text, "overall");
    put_card(f, tw_count_text(s->ntasks).text, "tasks");
    snprintf(text, sizeof text, "%.1f %%", 100 * (1 - tw_summary_share(busy, seconds * nworkers)));
    put_card(f, text, "of the workers' time is idle");
    snprintf(text, sizeof text, "%.2f of %d", tw_summary_share(busy, seconds), s->recording->nworkers);
    put_card(f, text, "tasks running, on average");
    /* No schedule of the same tasks at the same speed can be shorter than this. */
    put_card(f, tw_time_text(fmax(s->all.seconds / nworkers, s->longest)).text, "with no idle time at all");
    put_card(f, tw_time_text(s->submission).text, "first to last submission");
    put_card(f, tw_time_text(s->mean_wait).text, "from submission to start, on average");
    put_used_cards(f, s->recording);
    put_direct_card(f, s->recording);
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
        fprintf(f,
                "<tr><td><svg class=\"key\" width=\"14\" height=\"12\" aria-hidden=\"true\"><rect width=\"14\" "
                "height=\"12\" fill=\"#%06X\"/></svg>",
                kernel->color);
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

static void put_workers(FILE *f, const struct tw_summary *s, double seconds)
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
        fprintf(f, "<td>%.1f %%</td><td>%s</td>", 100 * tw_summary_share(stats->all.seconds, seconds),
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

    fputs("<h2>Where worker time was idle</h2>\n<p class=\"sub\">Of the time that the picture shows: from the first "
          "submission to the last end.</p>\n<table><tr><th>when</th><th>share</th><th>usual cause</th></tr>\n",
          f);
    for (int i = 0; i < 5; i++)
        fprintf(f, "<tr><td>%s</td><td>%.1f %%</td><td class=\"words\">%s</td></tr>\n", names[i], 100 * shares[i],
                hints[i]);
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

/* ---- why it took so long: where the recording has predecessors --------------------------------------------------- */

static void put_piece(FILE *f, const char *name, double seconds, double whole, const char *hint)
{
    fprintf(f, "<tr><td>%s</td><td>%s</td><td>%.1f %%</td><td class=\"words\">%s</td></tr>\n", name,
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
    put_piece(f, "waiting for a core: other programs had it", t->path_lost, t->seconds,
              "a quiet machine; fewer workers");
    put_piece(f, "waiting for data", t->path_data, t->seconds, "larger tiles; a scheduler that knows where data is");
    put_piece(f, "taken, but not begun", t->path_start, t->seconds, "larger tiles");
    put_piece(f, "waiting for the call's return", t->path_return, t->seconds, "several routines in one sequence");
    fputs("</table>\n<table><tr><th>kernel</th><th>tasks on the path</th><th>time on the "
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
        "changed that takes %s, %+.1f %% of the %s that were measured from the first submission to the last end. "
        "Others: <code>tilework trace FILE.tw --what-if "
        "…</code></p>\n<table><tr><th>change</th><th>time</th><th>difference</th></tr>\n",
        tw_time_text(same).text, 100 * tw_summary_share(same - a->facts.span, a->facts.span),
        tw_time_text(a->facts.span).text);
    for (int k = 0; k < n; k++) {
        fputs("<tr><td>", f);
        tw_put_xml(f, w[k].change);
        fprintf(f, "</td><td>%s</td><td>%+.1f %%</td></tr>\n", tw_time_text(w[k].seconds).text,
                100 * tw_summary_share(w[k].seconds - same, same));
    }
    fputs("</table>\n", f);
}

static void put_advice(FILE *f, const struct tw_summary *s, const struct tw_analysis *a)
{
    tw_trace_advice advice[32];
    const int n = tw_advise(advice, 32, s, a);

    fputs("<h2>What to try</h2>\n", f);
    if (!n) fputs("<p>Nothing stands out.</p>\n", f);
    if (n)
        fputs("<div class=\"wide\"><table><tr><th>rule</th><th class=\"words\">evidence</th><th "
              "class=\"words\">try</th><th>promises</th></tr>\n",
              f);
    for (int k = 0; k < n && k < 32; k++) {
        fprintf(f, "<tr><td>%s</td><td class=\"words\">", advice[k].rule);
        tw_put_xml(f, advice[k].evidence);
        fputs("</td><td class=\"words\"><code>", f);
        tw_put_xml(f, advice[k].command);
        fprintf(f, "</code></td><td>%s</td></tr>\n", advice[k].gain > 0 ? tw_time_text(advice[k].gain).text : "");
    }
    if (n) fputs("</table></div>\n", f);
}

enum { SPREAD_KERNELS = 1000 };

static void put_spread(FILE *f, const struct tw_analysis *a)
{
    fputs("<h2>How evenly</h2>\n<p class=\"sub\">Outliers take more than three times the median. Bias: time over "
          "prediction; spread: of that ratio, task by "
          "task.</p>\n<div "
          "class=\"wide\"><table><tr><th>kernel</th><th>tasks</th><th>median</th><th>variation</th><th>99 of 100 "
          "below</th>"
          "<th>longest</th><th>outliers</th><th>bias</th><th>spread</th></tr>\n",
          f);
    for (int k = 0; k < a->nkernels && k < SPREAD_KERNELS; k++) {
        const tw_trace_kernel *t = &a->kernels[k];
        fprintf(f, "<tr><td>%c", t->type);
        tw_put_xml(f, t->name);
        fprintf(f, "</td><td>%s</td><td>%s</td><td>%.1f %%</td>", tw_count_text(t->tasks).text,
                tw_time_text(t->median).text, 100 * t->deviation);
        fprintf(f, "<td>%s</td><td>%s</td><td>%zu</td>", tw_time_text(t->p99).text, tw_time_text(t->longest).text,
                t->outliers);
        if (t->predicted)
            fprintf(f, "<td>%.2f</td><td>%.1f %%</td></tr>\n", t->bias, 100 * t->spread);
        else
            fputs("<td>-</td><td>-</td></tr>\n", f);
    }
    fputs("</table></div>\n", f);
    if (a->facts.choices)
        fprintf(f,
                "<p>Decisions: %s tasks could run on cores and on GPUs; %s ran where they were predicted to take "
                "longer by themselves, by %s in all.</p>\n",
                tw_count_text(a->facts.choices).text, tw_count_text(a->facts.against).text,
                tw_time_text(a->facts.regret).text);
}

static void put_links(FILE *f, const struct tw_recording *r)
{
    enum { MEMORIES = 64 };
    static const char *const how[] = {"timed", "inferred"};
    struct {
        size_t count[2];
        double bytes, seconds;
    } link[MEMORIES][MEMORIES] = {0};

    const char *counted;
    char key[64];

    if (!r->ntransfers) return;
    for (size_t k = 0; k < r->ntransfers; k++) {
        const struct tw_transfer *t = &r->transfers[k];
        if (t->source + 1 >= MEMORIES || t->target + 1 >= MEMORIES || t->source < -1 || t->target < -1) continue;
        link[t->source + 1][t->target + 1].count[!!t->inferred]++;
        link[t->source + 1][t->target + 1].bytes += t->bytes;
        link[t->source + 1][t->target + 1].seconds += t->to - t->from;
    }
    fputs("<h2>Links</h2>\n<table><tr><th>from</th><th class=\"words\">to</th><th>transfers</th><th>MB</th><th>GB/s "
          "while they ran</th><th "
          "class=\"words\">known by</th></tr>\n",
          f);
    for (int i = 0; i < MEMORIES; i++)
        for (int j = 0; j < MEMORIES; j++) {
            const size_t n = link[i][j].count[0] + link[i][j].count[1];
            if (!n) continue;
            fputs("<tr><td>", f);
            tw_put_xml(f, tw_memory_name(r, i - 1).text);
            fputs("</td><td class=\"words\">", f);
            tw_put_xml(f, tw_memory_name(r, j - 1).text);
            fprintf(f, "</td><td>%s</td>", tw_count_text(n).text);
            snprintf(key, sizeof key, "bytes counted from %d to %d", i - 1, j - 1);
            counted = tw_recorded_fact(r, key);
            fprintf(f, "<td>%.3f</td><td>%.3f</td><td>%.2f</td><td class=\"words\">%s</td></tr>\n",
                    1e-6 * link[i][j].bytes, counted ? 1e-6 * strtod(counted, NULL) : 0,
                    link[i][j].seconds > 0 ? 1e-9 * link[i][j].bytes / link[i][j].seconds : 0,
                    link[i][j].count[0] && link[i][j].count[1] ? "both" : how[link[i][j].count[1] > 0]);
        }
    fputs("</table>\n", f);
}

/* ---- for scripts, this page's own and others --------------------------------------------------------------------- */

static void put_pair(FILE *f, const char *before, const char *key, const char *text)
{
    fprintf(f, "%s\"%s\":\"", before, key);
    tw_put_script(f, text);
    fputc('"', f);
}

static void put_summary(FILE *f, const struct tw_summary *s, const struct tw_analysis *a)
{
    const struct tw_recording *r = s->recording;
    const tw_trace_facts *t = &a->facts;
    tw_trace_advice advice[32];
    const int n = tw_advise(advice, 32, s, a);

    fputs("<script type=\"application/json\" id=\"tilework-summary\">", f);
    put_pair(f, "{", "machine", r->machine);
    put_pair(f, ",", "scheduler", r->sched);
    put_pair(f, ",", "command", tw_recorded_fact(r, "command") ? tw_recorded_fact(r, "command") : "");
    fprintf(f,
            ",\n\"seconds\":%.9g,\"tasks\":%zu,\"edges\":%zu,\"dropped\":%zu,\"busy\":%.9g,\"flops\":%.17g,\"graph\":%."
            "9g,\"lost\":%.9g,\"transfers\":%zu,\"moved\":%.17g",
            t->tasks ? t->seconds : s->duration, t->tasks,
            r->first_edge && r->nrecords ? r->first_edge[r->nrecords] : 0, r->dropped, t->busy, t->flops, t->graph,
            t->lost + t->lost_idle, t->transfers, t->moved);
    fprintf(f, ",\n\"path\":{\"tasks\":%.9g,\"submission\":%.9g,\"scheduler\":%.9g,\"lost\":%.9g", t->path_tasks,
            t->path_submission, t->path_scheduler, t->path_lost);
    fprintf(f, ",\"data\":%.9g,\"start\":%.9g,\"return\":%.9g,\"length\":%zu}", t->path_data, t->path_start,
            t->path_return, t->path_length);
    fprintf(f, ",\n\"idle\":{\"all\":%.6g,\"start\":%.6g,\"middle\":%.6g,\"end\":%.6g,\"unused\":%.6g}", s->idle,
            s->idle_start, s->idle_middle, s->idle_end, s->idle_unused);
    fputs(",\n\"workers\":[", f);
    for (int w = 0; w < r->nworkers; w++) {
        put_pair(f, w ? ",{" : "{", "name", *r->workers[w].name ? r->workers[w].name : "worker");
        fprintf(f, ",\"gpu\":%d,\"tasks\":%zu,\"busy\":%.9g}", r->workers[w].is_cuda, s->workers[w].all.count,
                s->workers[w].all.seconds);
    }
    fputs("],\n\"kernels\":[", f);
    for (int k = 0; k < a->nkernels && k < SPREAD_KERNELS; k++) {
        const tw_trace_kernel *x = &a->kernels[k];
        put_pair(f, k ? ",{" : "{", "name", x->name);
        fprintf(f,
                ",\"type\":\"%c\",\"tasks\":%zu,\"seconds\":%.9g,\"median\":%.9g,\"p99\":%.9g,\"path\":%.9g,\"slack\":%"
                ".9g,\"bias\":%.6g}",
                x->type, x->tasks, x->seconds, x->median, x->p99, x->path_seconds, x->slack, x->bias);
    }
    fputs("],\n\"advice\":[", f);
    for (int k = 0; k < n && k < 32; k++) {
        put_pair(f, k ? ",{" : "{", "rule", advice[k].rule);
        put_pair(f, ",", "evidence", advice[k].evidence);
        put_pair(f, ",", "try", advice[k].command);
        fprintf(f, ",\"share\":%.6g,\"gain\":%.9g}", advice[k].share, advice[k].gain);
    }
    fputs("]}</script>\n", f);
}

/* What the script fills. Without it nothing of this shows. */
static const char live[] = "<div id=\"live\">\n<div id=\"tools\"><label>search <input id=\"search\" "
                           "placeholder=\"gemm(5,3), #17\" size=\"16\"/></label><span id=\"found\" "
                           "aria-live=\"polite\"></span>\n"
                           "<label>kernel <select id=\"kernels\"><option "
                           "value=\"\">all</option></select></label><label>worker <select id=\"workers\"><option "
                           "value=\"\">all</option></select></label>\n"
                           "<label>routine <select id=\"routines\"><option "
                           "value=\"\">all</option></select></label><label>mark <select id=\"marks\"><option "
                           "value=\"\">all</option></select></label>\n"
                           "<button id=\"path\" aria-pressed=\"false\">path</button><button id=\"in\" "
                           "aria-label=\"zoom in\">+</button><button id=\"out\" aria-label=\"zoom "
                           "out\">-</button><button id=\"all\">all</button></div>\n"
                           "<div id=\"box\"><canvas id=\"view\" tabindex=\"0\" role=\"img\" aria-label=\"Tasks by "
                           "worker over time; the line below says what is shown, and keys "
                           "move it\" aria-describedby=\"status\"></canvas></div>\n"
                           "<p id=\"status\" class=\"sub\" aria-live=\"polite\"></p>\n<div id=\"task\" hidden></div>\n"
                           "<p class=\"sub\">Keys, in the picture: <kbd>←</kbd> <kbd>→</kbd> the task before and after "
                           "on this worker, <kbd>↑</kbd> <kbd>↓</kbd> another "
                           "worker, <kbd>Enter</kbd> zoom to it, <kbd>+</kbd> <kbd>-</kbd> zoom, <kbd>a</kbd> "
                           "<kbd>d</kbd> move, <kbd>0</kbd> all, <kbd>/</kbd> search, "
                           "<kbd>n</kbd> <kbd>N</kbd> next and previous found, <kbd>p</kbd> the path that happened, "
                           "<kbd>[</kbd> <kbd>]</kbd> height of rows, <kbd>Esc</kbd> "
                           "nothing selected. Mouse: wheel and drag.</p>\n</div>\n";

/* The policy: nothing from anywhere, this script and these styles alone. */
static int put_head(FILE *f, const struct tw_summary *s)
{
    char *style = NULL;
    size_t length = 0;
    FILE *m = open_memstream(&style, &length);

    if (!m) return tw_fail(TW_E_MEMORY, "no memory for a report");
    tw_svg_style(m, s);
    if (fclose(m)) {
        free(style);
        return tw_fail(TW_E_MEMORY, "no memory for a report");
    }
    fprintf(f,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n<meta "
            "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src %s; style-src %s %s; base-uri 'none'; form-action 'none'\"/>\n"
            "<title>Tilework trace</title>\n<meta name=\"viewport\" "
            "content=\"width=device-width\"/>\n<style>%s</style></head>\n<body>\n",
            tw_policy_hash((const char *)tw_report_js, sizeof tw_report_js - 1).text,
            tw_policy_hash((const char *)tw_report_css, sizeof tw_report_css - 1).text,
            tw_policy_hash(style, length).text, (const char *)tw_report_css);
    free(style);
    return 0;
}

static int put_data(FILE *f, const struct tw_summary *s, const struct tw_analysis *a)
{
    size_t tasks;
    int e;

    put_summary(f, s, a);
    fputs("<script type=\"text/plain\" id=\"tilework-data\">", f);
    e = tw_columns_put(f, s, a, &tasks);
    fputs("</script>\n<script type=\"application/json\" id=\"tilework-beside\">", f);
    if (!e) e = tw_columns_put_extras(f, s, a, tasks);
    fprintf(f, "</script>\n<script>%s</script>\n", (const char *)tw_report_js);
    return e;
}

static void put_notes(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;

    fputs("<h1>Tilework trace</h1>\n<p class=\"sub\">", f);
    tw_put_xml(f, r->machine);
    fputs(" · scheduler ", f);
    tw_put_xml(f, r->sched);
    fprintf(f, " · %d worker%s", r->nworkers, r->nworkers == 1 ? "" : "s");
    if (tw_recorded_fact(r, "command")) {
        fputs(" · <code>", f);
        tw_put_xml(f, tw_recorded_fact(r, "command"));
        fputs("</code>", f);
    }
    fputs("</p>\n", f);
    if (s->left_out)
        fprintf(f, "<p>%s records without a sound time or worker were left out.</p>\n",
                tw_count_text(s->left_out).text);
    if (r->dropped)
        fprintf(f, "<p>%s tasks are missing: beyond TILEWORK_TRACE_LIMIT, or there was no memory for them.</p>\n",
                tw_count_text(r->dropped).text);
}

static int put_page(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;
    struct tw_analysis *a;
    int status = tw_analysis_make(&a, r);

    if (!status) status = put_head(f, s);
    if (status) {
        tw_analysis_free(a);
        return status;
    }
    fputs("<main>\n", f);
    put_notes(f, s);
    put_cards(f, s, &a->facts);
    fputs(live, f);
    fputs("<div id=\"still\"><figure>\n", f);
    status = tw_svg_picture(f, s);
    fputs("</figure>\n<p class=\"sub\">Hold the pointer over a box to see the task. Where tasks are narrower than the "
          "picture can show, a "
          "column's colours have the height of their share of the time.</p></div>\n",
          f);
    put_advice(f, s, a);
    if (r->first_edge) {
        put_path(f, a);
        put_what_if(f, r, a);
    }
    put_kernels(f, s);
    put_spread(f, a);
    put_links(f, r);
    put_idle(f, s);
    put_workers(f, s, a->facts.tasks > 0 ? a->facts.seconds : s->duration);
    put_routines(f, s);
    put_stages(f, s);
    fputs("</main>\n", f);
    if (!status) status = put_data(f, s, a);
    fputs("</body></html>\n", f);
    tw_analysis_free(a);
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
