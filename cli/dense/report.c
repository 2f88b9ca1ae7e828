/* One line for a reader, or one JSON object, per run. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char *door_name(enum cli_door door)
{
    return door == CLI_TILES ? "tiles" : door == CLI_IN_PLACE ? "in-place" : "lapack";
}

static double gflops(const struct cli_report *r)
{
    const struct cli_problem *p = r->p;
    const double flops = cli_flops(p, p->routine);
    return r->seconds > 0 ? flops / r->seconds * 1e-9 : 0;
}

/* JSON has no NaN: null says "there is no such number". */
static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void put(json_t *o, const char *key, json_t *value)
{
    if (json_object_set_new(o, key, value)) cli_error(0, "--json: not enough memory for '%s'", key);
}

static json_t *text(const char *s)
{
    return s ? json_string(s) : json_null();
}

static void put_problem(json_t *o, const struct cli_report *r)
{
    const struct cli_problem *p = r->p;
    char letter[2] = {tw_type_letter(p->type), 0}, uplo[2] = {(char)p->uplo, 0};

    put(o, "routine", text(p->routine->name));
    put(o, "type", text(letter));
    if (!p->routine->general) put(o, "uplo", text(uplo));
    put(o, "m", json_integer(p->m));
    put(o, "n", json_integer(p->n));
    if (p->routine->pencil)
        put(o, "itype", json_integer(p->o->itype));
    else if (p->routine->has_rhs)
        put(o, "nrhs", json_integer(p->nrhs));
    if (p->routine->transposes) put(o, "trans", text((const char[]){(char)p->o->trans, 0}));
    if (p->routine->banded) put(o, "kd", json_integer(p->kd));
    if (r->mb) put(o, "mb", json_integer(r->mb));
    put(o, "nb", json_integer(r->nb));
    put(o, "nb_source", text(r->nb_source));
    put(o, "kind", text(p->kind));
    if (p->o->input) put(o, "input", cli_json_text(p->o->input));
    put(o, "seed", json_integer((json_int_t)p->o->seed));
    put(o, "repeat", json_integer(r->repeat));
    put(o, "door", text(door_name(p->door)));
}

/* Of eigenvalues. */
static void put_told(json_t *o, const struct cli_told *t)
{
    put(o, "route", text(cli_told_route(t)));
    put(o, "band", isfinite(t->band) ? json_integer((json_int_t)t->band) : json_null());
    put(o, "deflated", real(t->deflated));
    put(o, "vendor", cli_told_vendor(t));
    put(o, "predicted", cli_told_predicted(t));
    put(o, "stages", cli_told_stages(t));
}

/* Nothing that failed has found anything to count on. */
static json_t *found(const struct cli_report *r)
{
    return r->info ? json_null() : json_integer(r->p->found);
}

static void put_result(json_t *o, const struct cli_report *r)
{
    const struct cli_verdict *v = r->verdict;

    put(o, "seconds", real(r->seconds));
    put(o, "gflops", real(gflops(r)));
    put(o, "info", json_integer(r->info));
    put(o, "seconds_generate", real(r->seconds_generate));
    if (r->p->routine->factor) put(o, "seconds_factor", real(r->seconds_factor));
    if (r->p->routine->condition) put(o, "rcond", real(r->p->rcond));
    if (r->p->routine->growth) put(o, "growth", real(r->p->growth));
    if (r->p->routine->bounds) {
        put(o, "rcond", real(r->p->rcond));
        put(o, "growth", r->p->growth >= 0 ? real(r->p->growth) : json_null());
        put(o, "berr", real(r->p->berr));
        put(o, "ferr", real(r->p->ferr));
        put(o, "iterations", r->p->corrections >= 0 ? json_integer(r->p->corrections) : json_null());
    }
    if (r->p->routine->second == 'H') put(o, "steps", json_integer(r->p->corrections));
    if (r->p->routine->second == 'R') put(o, "choleskys", json_integer(r->p->corrections));
    if (r->p->routine->stops) {
        put(o, "maxc2nrmk", real(r->p->left));
        put(o, "relmaxc2nrmk", real(r->p->of_all));
    }
    if (r->p->routine->ranked || r->p->routine->stops) put(o, "rank", json_integer(r->p->rank));
    if (r->p->routine->method) {
        put(o, "method", text(r->p->corrections < 0 ? "pivoted" : "nopiv"));
        put(o, "growth", r->p->growth >= 0 ? real(r->p->growth) : json_null());
    }
    if (r->p->routine->mixed)
        put(o, "factors", text(r->p->corrections < 0 ? "double" : r->p->routine->half ? "half" : "single"));
    if (r->p->routine->mixed || r->p->routine->method) {
        put(o, "iter", json_integer(r->p->corrections));
        put(o, "berr", r->p->berr >= 0 ? real(r->p->berr) : json_null());
    }
    if (r->p->routine->functions)
        put(o, "f", text(r->p->o->function_name));
    else if (r->p->routine->singular) {
        if (!r->p->routine->truncated)
            put(o, "jobz",
                text((const char[]){(char)(r->p->o->jobz           ? r->p->o->jobz
                                           : r->p->routine->ranges ? 'V'
                                                                   : 'S'),
                                    0}));
        if (r->p->routine->ranges) {
            put(o, "range", text((const char[]){(char)r->p->o->which, 0}));
            put(o, "found", found(r));
        } else {
            put(o, "rank", json_integer(r->p->rank));
        }
        if (r->p->routine->truncated) put(o, "error", real(r->p->error));
        if (v) put(o, "orthogonality_u", real(v->orthogonality));
        if (v) put(o, "orthogonality_v", real(v->orthogonality_v));
        if (v && !r->p->routine->truncated) put(o, "sigma_error", real(v->eigenvalue_error));
    } else if (r->p->routine->values) {
        put(o, "jobz", text(r->p->o->values_only ? "N" : "V"));
        if (r->p->routine->ranges) put(o, "range", text((const char[]){(char)r->p->o->which, 0}));
        put(o, "found", found(r));
        if (v) put(o, "orthogonality", real(v->orthogonality));
        if (v) put(o, "eigenvalue_error", real(v->eigenvalue_error));
    }
    if (r->p->routine->schur) {
        put(o, "jobvs", text((const char[]){r->p->o->jobvr, 0}));
        put(o, "select", text(r->p->o->select));
        put(o, "sdim", json_integer(r->p->sdim));
    } else if (r->p->routine->nonsymmetric) {
        put(o, "jobvl", text((const char[]){r->p->o->jobvl, 0}));
        put(o, "jobvr", text((const char[]){r->p->o->jobvr, 0}));
    }
    if (r->p->routine->told && (!r->p->routine->nonsymmetric || r->p->routine->schur) && v)
        put(o, "orthogonality", real(v->orthogonality));
    if (r->p->routine->values || r->p->routine->told) put_told(o, &r->told);
    if (!r->p->o->check) return;
    put(o, "residual", v ? real(v->residual) : json_null());
    put(o, "check", text(v ? v->word : "not done: info > 0"));
    if (!v) return;
    put(o, "check_formula", text(v->formula));
    put(o, "check_method",
        text(r->p->rows > CHECK_FULL_MAX && !r->p->routine->solves && !(r->p->routine->growth && r->p->m != r->p->n)
                 ? "vectors"
                 : "full"));
    put(o, "seconds_check", real(r->seconds_check));
    if (r->p->routine->condition) put(o, "rcond_lapack", real(v->reference));
}

static void put_machine(json_t *o, const struct cli_report *r, const tw_machine *m)
{
    const tw_counters *c = &r->counters;
    char version[32];

    put(o, "sched", text(m->sched));
    put(o, "cpu_workers", json_integer(m->cpu_workers));
    put(o, "cuda_workers", json_integer(m->cuda_workers));
    put(o, "cuda_devices", json_integer(m->cuda_devices));
    put(o, "tasks", json_integer((json_int_t)c->tasks));
    put(o, "cpu_tasks", json_integer((json_int_t)c->cpu_tasks));
    put(o, "cuda_tasks", json_integer((json_int_t)c->cuda_tasks));
    put(o, "cpu_flops", real(c->cpu_flops));
    put(o, "cuda_flops", real(c->cuda_flops));
    put(o, "bytes_to_gpu", json_integer((json_int_t)c->bytes_to_gpu));
    put(o, "bytes_from_gpu", json_integer((json_int_t)c->bytes_from_gpu));
    put(o, "bytes_gpu_to_gpu", json_integer((json_int_t)c->bytes_gpu_to_gpu));
    if (r->gpus.count > 1) put(o, "gpus", cli_gpus_json(&r->gpus));
    put(o, "pinned", json_boolean(r->p->door == CLI_TILES && m->cuda_workers > 0));
    put(o, "blas_core", text(m->blas_core));
    put(o, "cpu", text(m->cpu_name));
    put(o, "gpu", m->cuda_devices > 0 ? text(m->gpu_name) : json_null());
    put(o, "cores", json_integer(m->cores));
    put(o, "starpu", text(m->starpu_version));
    snprintf(version, sizeof version, "%d.%d.%d", TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH);
    put(o, "version", text(version));
    if (r->p->o->trace) put(o, "trace", text(r->p->o->trace));
}

static void print_json(const struct cli_report *r, const tw_machine *m)
{
    json_t *o = json_object();

    put_problem(o, r);
    put_result(o, r);
    put_machine(o, r, m);
    if (!o || json_dumpf(o, cli_reports(), JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0)
        cli_error(0, "--json: could not be written");
    fputc('\n', cli_reports());
    json_decref(o);
}

/* The row's words with the info in the place of their %lld. */
static void print_failure(FILE *f, const char *words, tw_int info)
{
    const char *at = strstr(words, "%lld");
    fprintf(f, "%.*s%" PRId64 "%s", at ? (int)(at - words) : 0, words, info, at ? at + 4 : words);
}

static void print_line(const struct cli_report *r, const tw_machine *m)
{
    const struct cli_problem *p = r->p;
    const struct cli_verdict *v = r->verdict;
    FILE *f = cli_reports();

    fprintf(f, "%c%s ", tw_type_letter(p->type), p->routine->name);
    if (!p->routine->general) fprintf(f, "%c ", (char)p->uplo);
    if (p->routine->rectangular) fprintf(f, "m=%" PRId64 " ", p->m);
    fprintf(f, "n=%" PRId64, p->n);
    if (p->routine->pencil)
        fprintf(f, " itype=%d", p->o->itype);
    else if (p->routine->has_rhs)
        fprintf(f, " nrhs=%" PRId64, p->nrhs);
    if (p->o->trans != TW_NOTRANS) fprintf(f, " trans=%c", (char)p->o->trans);
    if (r->mb) fprintf(f, " mb=%" PRId64, r->mb);
    fprintf(f, " nb=%" PRId64 " (%s) %s:  %.4f s", r->nb, r->nb_source, p->kind, r->seconds);
    if (p->routine->flops || p->routine->flops_of) fprintf(f, "  %.1f Gflop/s", gflops(r));
    if (p->routine->condition) fprintf(f, "  rcond %.3e", p->rcond);
    if (p->routine->growth) fprintf(f, "  growth %.3g", p->growth);
    if (p->routine->bounds) fprintf(f, "  rcond %.3e  berr %.2g  ferr %.2g", p->rcond, p->berr, p->ferr);
    if (p->routine->bounds && p->corrections >= 0) fprintf(f, "  %d corrections", p->corrections);
    if (p->routine->ranked || p->routine->stops || (p->routine->singular && !p->routine->ranges && !r->info))
        fprintf(f, "  rank %d", p->rank);
    if (p->routine->truncated && !r->info) fprintf(f, "  error %.3e", p->error);
    if (p->routine->second == 'H' && !r->info) fprintf(f, "  %d steps", p->corrections);
    if (p->routine->second == 'R' && !r->info) fprintf(f, "  %d Cholesky factorizations", p->corrections);
    if (p->routine->method) fprintf(f, "  %s  growth %.3g", p->corrections < 0 ? "pivoted" : "nopiv", p->growth);
    if (p->routine->half) fprintf(f, "  %s precision's factors", p->corrections < 0 ? "double" : "half");
    if (p->routine->mixed || p->routine->method) fprintf(f, "  iter %d", p->corrections);
    if ((p->routine->mixed || p->routine->method) && p->berr >= 0) fprintf(f, "  berr %.2g", p->berr);
    if (p->routine->schur && strcmp(p->o->select, "none") != 0) fprintf(f, "  sdim %" PRId64, p->sdim);
    if (p->routine->ranges && !r->info) fprintf(f, "  found %" PRId64, p->found);
    if (cli_told_route(&r->told) && p->routine->values) fprintf(f, "  route %s", cli_told_route(&r->told));
    if (isfinite(r->told.band) && p->routine->values) fprintf(f, " b=%.0f", r->told.band);
    if (r->info) fprintf(f, "  info %" PRId64, r->info);
    if (v)
        fprintf(f, "  %s %.3g %s (%.2g s)", p->routine->condition ? "ratio to LAPACK's" : "residual", v->residual,
                v->word, r->seconds_check);
    else if (p->o->check)
        fprintf(f, "  check not done: info > 0");
    fprintf(f, "  | %" PRIu64 " tasks on CPU, %" PRIu64 " on GPU; %s, %d CPU + %d CUDA workers, %s, door %s\n",
            r->counters.cpu_tasks, r->counters.cuda_tasks, m->sched, m->cpu_workers, m->cuda_workers, m->blas_core,
            door_name(p->door));
    if (r->info > 0 && p->routine->failure) {
        fprintf(f, "    numerical failure: ");
        print_failure(f, p->routine->failure, r->info);
        fprintf(f, "\n");
    }
    if (v && !v->passed && v->reason)
        fprintf(f, "    check failed: %s\n", v->reason);
    else if (v && !v->passed)
        fprintf(f, "    check failed: %s = %g, allowed: %g\n", v->formula, v->residual, v->fail);
}

void cli_report(const struct cli_report *r)
{
    tw_machine m;
    int e = tw_machine_info(&m);

    if (e) {
        cli_library_error("machine", e);
        return;
    }
    if (r->p->o->json)
        print_json(r, &m);
    else
        print_line(r, &m);
}
