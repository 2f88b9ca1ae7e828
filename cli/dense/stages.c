/* What the library tells of a run: its stages, its route, whose routines it called. Measured where the work was done;
 * what was not said is left out, or null. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/cli.h"

static double figure(const char *name)
{
    double value;
    return tw_figure(name, &value) ? value : NAN;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static const struct {
    const char *figure, *route;
} predictions[3] = {{"predicted_lapack", "lapack"}, {"predicted_one", "one"}, {"predicted_two", "two"}};

void cli_told_take(struct cli_told *t)
{
    t->stages = least(tw_stage_reports(t->stage, CLI_TOLD_MOST), CLI_TOLD_MOST);
    t->vendors = least(tw_vendor_reports(t->vendor, CLI_TOLD_MOST), CLI_TOLD_MOST);
    t->route = figure("route");
    t->band = figure("band");
    t->deflated = figure("deflated");
    for (int k = 0; k < 3; k++)
        t->predicted[k] = figure(predictions[k].figure);
}

const char *cli_told_route(const struct cli_told *t)
{
    return t->route == TW_ROUTE_LAPACK ? "lapack"
           : t->route == TW_ROUTE_ONE  ? "one"
           : t->route == TW_ROUTE_TWO  ? "two"
                                       : NULL;
}

json_t *cli_told_vendor(const struct cli_told *t)
{
    json_t *o = json_object();

    for (int k = 0; k < t->vendors; k++)
        json_object_set_new(o, t->vendor[k].name, json_integer((json_int_t)t->vendor[k].largest));
    return o;
}

json_t *cli_told_predicted(const struct cli_told *t)
{
    json_t *o = json_object();

    if (!isfinite(t->predicted[0])) { /* not asked for: LAPACK's names, or no dense matrix */
        json_decref(o);
        return json_null();
    }
    for (int k = 0; k < 3; k++)
        json_object_set_new(o, predictions[k].route, json_real(t->predicted[k]));
    return o;
}

json_t *cli_told_stages(const struct cli_told *t)
{
    json_t *o = json_object();

    for (int k = 0; k < t->stages; k++) {
        const tw_stage_report *s = &t->stage[k];
        json_object_set_new(o, s->name,
                            json_pack("{s:f, s:f, s:f, s:I, s:I}", "seconds", s->seconds, "first_start", s->first_start,
                                      "last_end", s->last_end, "cpu_tasks", (json_int_t)s->cpu_tasks, "cuda_tasks",
                                      (json_int_t)s->cuda_tasks));
    }
    return o;
}
