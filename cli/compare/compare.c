/* tilework compare: are these settings different, and by how much? */
#include <string.h>

#include "cli/compare/compare.h"

/* The first setting and the best one (the next, where the first is the best) once more, with a trace of each. */
static int trace_both(const struct compare_results *r, char prefix[2][4096])
{
    const int other = r->best == 0 ? r->next : r->best;

    if (!r->plan->traces || r->plan->from || other < 0 || r->setting[0].failed) return 0;
    snprintf(prefix[0], 4096, "%s-first", r->plan->output);
    snprintf(prefix[1], 4096, "%s-%s", r->plan->output, r->best == 0 ? "next" : "best");
    return compare_run_traced(r->plan, 0, prefix[0]) == 0 && compare_run_traced(r->plan, other, prefix[1]) == 0;
}

static int report(const struct compare_plan *plan, const struct compare_runs *runs)
{
    struct compare_results r;
    char path[4200], prefix[2][4096];
    int e = compare_results_make(&r, plan, runs), traced;

    if (!e && plan->output) {
        traced = trace_both(&r, prefix);
        snprintf(path, sizeof path, "%s.html", plan->output);
        e = compare_page_write(&r, path, traced ? (const char *const[2]){prefix[0], prefix[1]} : NULL);
    }
    if (!e && plan->json)
        e = compare_print_json(&r);
    else if (!e)
        compare_print(&r);
    if (!e && plan->output && !plan->json)
        printf("%s%s%s.html\n", plan->from ? "" : plan->output, plan->from ? "" : ".csv, ", plan->output);
    if (!e && r.failed) {
        cli_error(0, "compare: the command failed in %d of %d runs", r.failed, plan->settings * r.blocks);
        e = CLI_FAILED;
    }
    compare_results_free(&r);
    return e;
}

static int compare(int argc, char **argv)
{
    struct compare_plan plan;
    struct compare_runs runs = {0};
    int e = compare_plan_read(&plan, argc, argv);

    if (!e && !plan.from && !plan.output) plan.output = "compare";
    if (!e && plan.output) e = cli_can_write_prefix("--output", plan.output);
    if (!e) e = plan.from ? compare_table_read(&plan, &runs, plan.from) : compare_runs_make(&plan, &runs);
    if (!e) e = report(&plan, &runs);
    if (!e && !plan.from) e = compare_stopped(&plan, &runs); /* while it made traces */
    compare_runs_free(&runs);
    compare_plan_free(&plan);
    return e == CLI_ASKED_HELP ? CLI_OK : e;
}

CLI_COMMAND(85, compare) = {
    .name = "compare",
    .summary = "which of several settings is faster, and by how much",
    .run = compare,
};
