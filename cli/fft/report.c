/* What is printed: a line, or a JSON object. */
#include <jansson.h>
#include <stdio.h>
#include "cli/fft/fft_cli.h"

static const char *const operations[] = {"transform", "convolve", "correlate", "filter"};
static const char *const r2r_names[] = {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht"};

static void shape_text(const struct options *o, char *text, size_t length)
{
    int at = 0;
    for (int d = 0; d < o->rank; d++)
        at += snprintf(text + at, length - (size_t)at, "%s%lld", d ? "x" : "", (long long)o->n[d]);
}

/* Where it ran, and why. */
static const char *reason(const tw_fft_info *info, const tw_machine *m)
{
    if (!info->tasks && !info->gpus) return "too small for tasks";
    if (m->cuda_workers == 0) return "no GPU is used";
    if (info->cpu_seconds == 0 && info->gpu_seconds == 0) return "computed on CPUs only";
    if (info->cpu_transforms && !(info->both_seconds < info->cpu_seconds && info->both_seconds < info->gpu_seconds))
        return "TILEWORK_FFT_PLACE";
    if (info->cpu_transforms) return "the least estimate";
    if ((info->gpu_seconds < info->cpu_seconds) != (info->gpus > 0))
        return info->gpus ? "TILEWORK_FFT_PLACE" : "TILEWORK_FFT_PLACE, or computed on CPUs only";
    return "the lesser estimate";
}

static void put(json_t *o, const char *key, json_t *value)
{
    if (json_object_set_new(o, key, value)) cli_error(0, "--json: not enough memory for '%s'", key);
}

static void put_kinds(json_t *j, const struct options *o)
{
    json_t *list = json_array();
    for (int d = 0; d < o->rank && list; d++)
        (void)json_array_append_new(list, json_string(r2r_names[o->fft.r2r[d]]));
    put(j, "r2r", list);
}

/* How it was planned, how it was computed, and where. */
static void put_plan(json_t *j, const tw_fft_info *info, const struct timing *t, const tw_machine *m)
{
    put(j, "gflops", json_real(info->flops / t->seconds / 1e9));
    put(j, "path", json_string(info->path));
    put(j, "tasks", json_integer(info->tasks));
    put(j, "workspace", json_integer((json_int_t)info->workspace));
    put(j, "n1", json_integer(info->n1));
    put(j, "n2", json_integer(info->n2));
    put(j, "place", json_string(info->cpu_transforms ? "both" : info->gpus ? "gpu" : "cpu"));
    put(j, "cpu_share",
        json_real(info->cpu_transforms ? (double)info->cpu_transforms / (double)info->transforms
                  : info->gpus         ? 0
                                       : 1));
    put(j, "gpus", json_integer(info->gpus));
    put(j, "place_reason", json_string(reason(info, m)));
    put(j, "cpu_estimate", info->cpu_seconds > 0 ? json_real(info->cpu_seconds) : json_null());
    put(j, "gpu_estimate", info->gpu_seconds > 0 ? json_real(info->gpu_seconds) : json_null());
    put(j, "both_estimate", info->both_seconds > 0 ? json_real(info->both_seconds) : json_null());
}

static void print_json(const struct problem *p, const tw_fft_info *info, const struct timing *t, const tw_machine *m)
{
    const struct options *o = &p->o;
    const char type[2] = {tw_type_letter(o->type), 0};
    json_t *j = json_object();
    char shape[80];

    shape_text(o, shape, sizeof shape);
    put(j, "routine", json_string("fft"));
    put(j, "operation", json_string(operations[o->operation]));
    put(j, "type", json_string(type));
    put(j, "kind", json_string((const char *[]){"c2c", "r2c", "c2r", "r2r"}[p->kind]));
    if (o->r2r) put_kinds(j, o);
    put(j, "n", json_string(shape));
    put(j, "batch", json_integer(o->batch));
    put(j, "sign", json_integer(o->sign));
    put(j, "norm", json_string((const char *[]){"none", "n", "ortho"}[o->norm]));
    put(j, "in_place", json_boolean(o->in_place));
    put(j, "seconds", json_real(t->seconds));
    put(j, "plan_seconds", json_real(t->planning));
    if (info) put_plan(j, info, t, m);
    put(j, "info", json_integer(0));
    put(j, "sched", json_string(m->sched ? m->sched : ""));
    put(j, "cpu_workers", json_integer(m->cpu_workers));
    put(j, "cuda_workers", json_integer(m->cuda_workers));
    if (o->check) {
        put(j, "residual", json_real(t->residual));
        put(j, "check", json_string(t->passed ? "ok" : "failed"));
        put(j, "seconds_check", json_real(t->checking));
    }
    if (!j || json_dumpf(j, cli_reports(), JSON_REAL_PRECISION(9))) cli_error(0, "--json: could not be written");
    fputs("\n", cli_reports());
    json_decref(j);
}

void report(const struct problem *p, tw_fft *plan, const struct timing *t)
{
    const struct options *o = &p->o;
    tw_fft_info info = {0};
    tw_machine m = {0};
    FILE *f = cli_reports();
    char shape[80];

    if (plan) (void)tw_fft_get_info(plan, &info);   /* neither argument is NULL */
    if (tw_is_running()) (void)tw_machine_info(&m); /* it runs: this only reads */
    if (o->json) {
        print_json(p, plan ? &info : NULL, t, &m);
        return;
    }
    shape_text(o, shape, sizeof shape);
    fprintf(f, "fft %s %c %s", shape, tw_type_letter(o->type),
            o->operation  ? operations[o->operation]
            : o->r2r      ? r2r_names[o->fft.r2r[0]]
            : o->sign < 0 ? "forward"
                          : "backward");
    for (int d = 1; d < o->rank && o->r2r; d++)
        fprintf(f, ",%s", r2r_names[o->fft.r2r[d]]);
    fprintf(f, "%s%s: %.6f s", o->batch > 1 ? ", batched" : "", o->in_place ? ", in place" : "", t->seconds);
    if (plan)
        fprintf(f, ", %.2f Gflop/s, planned in %.2f s, %s", info.flops / t->seconds / 1e9, t->planning, info.path);
    if (info.tasks || info.gpus)
        fprintf(f, ", %d tasks on %d CPU and %d GPU workers (%s)", info.tasks, m.cpu_workers, m.cuda_workers, m.sched);
    if (info.cpu_seconds > 0 || info.gpu_seconds > 0)
        fprintf(f, ", on %s (estimates: CPUs %.3g s, GPUs %.3g s)",
                info.cpu_transforms ? "both"
                : info.gpus         ? "GPUs"
                                    : "CPUs",
                info.cpu_seconds, info.gpu_seconds);
    if (info.cpu_transforms)
        fprintf(f, ", %lld of %lld transforms on CPUs (estimate %.3g s)", (long long)info.cpu_transforms,
                (long long)info.transforms, info.both_seconds);
    if (o->check)
        fprintf(f, ", error %.3g of the bound: %s (%.2g s)", t->residual, t->passed ? "ok" : "FAILED", t->checking);
    fputs("\n", f);
}
