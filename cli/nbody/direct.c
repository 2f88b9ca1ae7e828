/* tilework direct: potentials and gradients of particles by all pairs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nbody/particles.h"

struct options {
    struct cli_cloud cloud;
    enum tw_type type;
    tw_int nb;
    double softening;
    int gradient, check, json, repeat;
};
struct result {
    void *columns; /* n x 4 of the type: the particles, copied into S; then a copy of R */
    double *field; /* n x columns, in double */
    tw_matrix *S, *R;
    double seconds, checking, error[2];
    tw_int checked;
    struct cli_times times;
};

static int usage(void)
{
    printf("usage: tilework direct [flags]\n\n"
           "The potential sum_j q_j / |x_i - x_j| of n particles at all of them, by summing all pairs "
           "(tw_nbody_direct).\n\n"
           "  --n N          particles [10000]\n"
           "  --kind KIND    uniform, sphere, plummer, collision [uniform]\n"
           "  --input FILE   particles from an XYZ or CSV file instead\n"
           "  --seed S       of the generator [1]\n"
           "  --type s|d     single or double precision [d]\n"
           "  --nb NB        particles per tile [1024; more for a GPU, such as 16384]\n"
           "  --softening E  1 / sqrt(r^2 + E^2) instead of 1 / r [0]\n"
           "  --gradient     the gradient, too\n"
           "  --check        compare with this command's own sums at up to 1000 particles; fails beyond (10 + sqrt(n)) "
           "roundoffs\n"
           "  --repeat R     runs, one line each, then median, least and spread [1]\n"
           "  --json         one JSON object per run\n%s"
           "Time is host to host. Exit status: 0, 1 for a failure (the check's, too), 2 for bad usage or bad input, "
           "130 after Ctrl-C.\n",
           cli_machine_help);
    return CLI_OK + 1;
}

enum { TYPE = CLI_NEXT, NB, SOFTENING, GRADIENT, CHECK, REPEAT, JSON };

static int one_flag(int c, const char *value, void *options)
{
    struct options *o = options;
    long long number = 0;

    switch (c) {
    case TYPE:
        if (strcmp(value, "s") && strcmp(value, "d")) return cli_error(-1, "--type %s: expected s or d", value);
        o->type = *value == 's' ? TW_FLOAT : TW_DOUBLE;
        return 0;
    case NB:
        if (cli_whole_number("--nb", value, 4, 1 << 20, &number)) return -1;
        o->nb = number;
        return 0;
    case REPEAT:
        if (cli_whole_number("--repeat", value, 1, 1000000, &number)) return -1;
        o->repeat = (int)number;
        return 0;
    case SOFTENING: return cli_real("--softening", value, 0, 1e100, &o->softening);
    case GRADIENT: o->gradient = 1; return 0;
    case CHECK: o->check = 1; return 0;
    default: o->json = 1; return 0;
    }
}

static int parse(int argc, char **argv, struct options *o)
{
    static const struct option flags[] = {CLI_CLOUD_FLAGS,
                                          {"type", required_argument, NULL, TYPE},
                                          {"nb", required_argument, NULL, NB},
                                          {"softening", required_argument, NULL, SOFTENING},
                                          {"gradient", no_argument, NULL, GRADIENT},
                                          {"check", no_argument, NULL, CHECK},
                                          {"repeat", required_argument, NULL, REPEAT},
                                          {"json", no_argument, NULL, JSON},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    *o = (struct options){
        .cloud = {.kind = "uniform", .n = 10000, .seed = 1}, .type = TW_DOUBLE, .nb = 1024, .repeat = 1};
    return cli_flags_parse(&(struct cli_flags){"direct", flags, usage, cli_cloud_flag, one_flag}, argc, argv, &o->cloud,
                           o);
}

/* ---- data: the particles rounded to the type, so that the check sums the same numbers ---------------------------- */

static int columns_of(const struct options *o) /* of the result */
{
    return o->gradient ? 4 : 1;
}

static void round_particles(const struct options *o, tw_particles *p)
{
    for (tw_int i = 0; o->type == TW_FLOAT && i < p->n; i++) {
        for (int k = 0; k < 3; k++)
            p->x[3 * i + k] = (float)p->x[3 * i + k];
        p->q[i] = (float)p->q[i];
    }
}

static int prepare(const struct options *o, const tw_particles *p, struct result *r)
{
    const tw_int n = p->n;

    r->columns = cli_alloc((double)n * 4 * (double)check_sizeof(o->type), "the particles");
    r->field = cli_alloc((double)n * 4 * 8, "the results");
    if (!r->columns || !r->field) return CLI_FAILED;
    for (tw_int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            check_set(o->type, r->columns, (size_t)(i + k * n), k < 3 ? p->x[3 * i + k] : p->q[i], 0);
    int e = tw_matrix_from_lapack(&r->S, o->type, TW_GENERAL, n, 4, r->columns, n ? n : 1, o->nb);
    if (!e) e = tw_matrix_create(&r->R, o->type, TW_GENERAL, n, columns_of(o), o->nb, NULL);
    return e ? cli_library_error("direct", e) : CLI_OK;
}

static int check(const struct options *o, const tw_particles *p, struct result *r)
{
    const tw_int n = p->n;
    const double limit = (10 + sqrt((double)n)) * check_eps(o->type);
    double *grad = o->gradient ? cli_alloc((double)n * 24, "the check") : NULL, value[2];
    int e = tw_matrix_to_lapack(r->R, r->columns, n ? n : 1);

    if (o->gradient && !grad) return -1;
    for (tw_int i = 0; i < n; i++)
        for (int k = 0; k < columns_of(o); k++) {
            check_get(o->type, r->columns, (size_t)(i + k * n), value);
            *(k ? &grad[3 * i + k - 1] : &r->field[i]) = value[0];
        }
    r->checked = cli_field_error(p, o->softening, r->field, grad, r->error);
    free(grad);
    if (r->checked < 0) return -1;
    return !e && r->error[0] <= limit && r->error[1] <= limit;
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

static int report_json(const struct options *o, const tw_particles *p, const struct result *r, int repeat, int passed)
{
    json_t *j = json_object();
    tw_counters c;
    tw_machine m;

    if (!j || tw_machine_info(&m) || tw_counters_get(&c)) return cli_error(CLI_FAILED, "--json: not enough memory");
    cli_put(j, "routine", json_string("direct"));
    cli_put(j, "type", json_string(o->type == TW_FLOAT ? "s" : "d"));
    cli_put(j, "n", json_integer(p->n));
    cli_put(j, "nb", json_integer(o->nb));
    cli_put(j, "kind", json_string(o->cloud.input ? "file" : o->cloud.kind));
    cli_put(j, "seed", json_integer((json_int_t)o->cloud.seed));
    cli_put_real(j, "softening", o->softening);
    cli_put(j, "gradient", json_boolean(o->gradient));
    cli_put(j, "repeat", json_integer(repeat));
    cli_put_real(j, "seconds", r->seconds);
    cli_put_real(j, "pairs_per_second", r->seconds > 0 ? (double)p->n * (double)p->n / r->seconds : 0);
    if (o->check) {
        cli_put_real(j, "error_potential", r->error[0]);
        if (o->gradient) cli_put_real(j, "error_gradient", r->error[1]);
        cli_put(j, "checked", json_integer(r->checked));
        cli_put(j, "check", json_string(passed ? "ok" : "failed"));
        cli_put_real(j, "seconds_check", r->checking);
    }
    cli_put(j, "tasks", json_integer((json_int_t)c.tasks));
    cli_put(j, "cpu_tasks", json_integer((json_int_t)c.cpu_tasks));
    cli_put(j, "cuda_tasks", json_integer((json_int_t)c.cuda_tasks));
    cli_put(j, "sched", json_string(m.sched));
    cli_put(j, "cpu_workers", json_integer(m.cpu_workers));
    cli_put(j, "cuda_workers", json_integer(m.cuda_workers));
    return cli_print_json(j);
}

static int one_run(const struct options *o, const tw_particles *p, struct result *r, int repeat)
{
    int passed = 1, e;

    tw_counters_reset();
    const double begin = cli_seconds();
    e = tw_nbody_direct(o->softening, r->S, NULL, r->R);
    if (!e) e = tw_release_to_host(r->R);
    if (e) return cli_library_error("direct", e);
    r->seconds = cli_seconds() - begin;
    r->checking = cli_seconds();
    if (o->check && (passed = check(o, p, r)) < 0) return CLI_FAILED;
    r->checking = cli_seconds() - r->checking;
    if (cli_interrupted()) return 128 + cli_interrupted();
    if (o->json) {
        if ((e = report_json(o, p, r, repeat, passed))) return e;
    } else {
        fprintf(cli_reports(), "direct %s n=%" PRId64 " type=%c%s: %.4f s, %.3g pairs/s",
                o->cloud.input ? o->cloud.input : o->cloud.kind, p->n, o->type == TW_FLOAT ? 's' : 'd',
                o->gradient ? " with gradient" : "", r->seconds,
                r->seconds > 0 ? (double)p->n * (double)p->n / r->seconds : 0);
        if (o->check) {
            fprintf(cli_reports(), "; error %.2e", r->error[0]);
            if (o->gradient) fprintf(cli_reports(), " (gradient %.2e)", r->error[1]);
            fprintf(cli_reports(), " at %" PRId64 " particles: %s (%.2g s)", r->checked, passed ? "ok" : "FAILED",
                    r->checking);
        }
        fprintf(cli_reports(), "\n");
    }
    if (cli_flush()) return CLI_FAILED;
    cli_times_add(&r->times, r->seconds);
    return passed ? CLI_OK : CLI_FAILED;
}

static int run_direct(int argc, char **argv)
{
    struct options o;
    struct result r = {0};
    tw_particles p;
    int e = parse(argc, argv, &o);

    if (e) return e - 1;
    if ((e = cli_start(&(struct cli_options){.nb = 0}))) return e;
    if (!(e = cli_cloud_make(&o.cloud, &p))) {
        round_particles(&o, &p);
        e = prepare(&o, &p, &r);
        for (int k = 1; k <= o.repeat && !e && !cli_interrupted(); k++)
            e = one_run(&o, &p, &r, k);
        cli_times_report(&r.times, "direct", o.json);
    }
    tw_matrix_destroy(r.S), tw_matrix_destroy(r.R);
    free(r.columns), free(r.field);
    tw_particles_free(&p);
    tw_finalize();
    return e;
}

CLI_COMMAND(20, direct) = {
    .name = "direct",
    .summary = "potentials of particles by all pairs (tilework direct -h)",
    .run = run_direct,
    .computes = 2,
};
