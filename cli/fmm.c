/* tilework fmm: potentials (and gradients) of particles by the fast multipole method. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/particles.h"

struct options {
    struct cli_cloud cloud;
    double eps;
    int gradient, check, json, repeat;
};
struct result {
    double *u, *grad, seconds, error[2];
    tw_int checked;
};

static int usage(void)
{
    printf("usage: tilework fmm [flags]\n\n"
           "The potential sum_j q_j / |x_i - x_j| of n particles at all of them, by the fast multipole method "
           "(tw_fmm3d).\n\n"
           "  --n N          particles, 1e6 for example [100000]\n"
           "  --kind KIND    uniform, sphere, plummer, collision [uniform]\n"
           "  --input FILE   particles from an XYZ or CSV file instead\n"
           "  --seed S       of the generator [1]\n"
           "  --eps E        tolerance: relative error in the 2-norm, 1e-14 <= E < 1 [1e-6]\n"
           "  --gradient     the gradient, too (tolerance 10 E)\n"
           "  --check        compare with direct sums at up to 1000 particles; fails beyond the tolerance\n"
           "  --repeat R     runs, one line each [1]\n"
           "  --json         one JSON object per run\n"
           "Exit status: 0, 1 for a failure (the check's, too), 2 for bad usage or bad input.\n");
    return CLI_OK + 1;
}

static int parse(int argc, char **argv, struct options *o)
{
    enum { EPS = CLI_NEXT, GRADIENT, CHECK, REPEAT, JSON };
    static const struct option flags[] = {CLI_CLOUD_FLAGS,
                                          {"eps", required_argument, NULL, EPS},
                                          {"gradient", no_argument, NULL, GRADIENT},
                                          {"check", no_argument, NULL, CHECK},
                                          {"repeat", required_argument, NULL, REPEAT},
                                          {"json", no_argument, NULL, JSON},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    long long number;
    int c;

    *o = (struct options){.cloud = {.kind = "uniform", .n = 100000, .seed = 1}, .eps = 1e-6, .repeat = 1};
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":h", flags, NULL)) != -1) {
        const int cloud = cli_cloud_flag(c, optarg, &o->cloud);
        if (cloud < 0) return CLI_USAGE + 1;
        if (cloud) continue;
        switch (c) {
        case 'h': return usage();
        case EPS:
            if (cli_real("--eps", optarg, 1e-14, 0.999, &o->eps)) return CLI_USAGE + 1;
            break;
        case GRADIENT: o->gradient = 1; break;
        case CHECK: o->check = 1; break;
        case JSON: o->json = 1; break;
        case REPEAT:
            if (cli_whole_number("--repeat", optarg, 1, 1000000, &number)) return CLI_USAGE + 1;
            o->repeat = (int)number;
            break;
        default: return cli_bad_flag(c, argv, "fmm");
        }
    }
    if (optind < argc) return cli_error(CLI_USAGE + 1, "%s: not a flag; see: tilework fmm -h", argv[optind]);
    return 0;
}

static int report_json(const struct options *o, const tw_particles *p, const struct result *r, int repeat, int passed)
{
    json_t *j = json_object();
    tw_machine m;

    if (!j || tw_machine_info(&m)) return cli_error(CLI_FAILED, "--json: not enough memory");
    cli_put(j, "routine", json_string("fmm"));
    cli_put(j, "type", json_string("d"));
    cli_put(j, "n", json_integer(p->n));
    cli_put(j, "kind", json_string(o->cloud.input ? "file" : o->cloud.kind));
    if (o->cloud.input) cli_put(j, "input", json_string(o->cloud.input));
    cli_put(j, "seed", json_integer((json_int_t)o->cloud.seed));
    cli_put_real(j, "eps", o->eps);
    cli_put(j, "gradient", json_boolean(o->gradient));
    cli_put(j, "repeat", json_integer(repeat));
    cli_put_real(j, "seconds", r->seconds);
    cli_put_real(j, "points_per_second", r->seconds > 0 ? (double)p->n / r->seconds : 0);
    if (o->check) {
        cli_put_real(j, "error_potential", r->error[0]);
        if (o->gradient) cli_put_real(j, "error_gradient", r->error[1]);
        cli_put(j, "checked", json_integer(r->checked));
        cli_put(j, "check", json_string(passed ? "ok" : "failed"));
    }
    cli_put(j, "sched", json_string(m.sched));
    cli_put(j, "cpu_workers", json_integer(m.cpu_workers));
    cli_put(j, "cuda_workers", json_integer(m.cuda_workers));
    return cli_print_json(j);
}

static void report(const struct options *o, const tw_particles *p, const struct result *r, int passed)
{
    printf("fmm %s n=%" PRId64 " eps=%g%s: %.4f s, %.3g points/s", o->cloud.input ? o->cloud.input : o->cloud.kind,
           p->n, o->eps, o->gradient ? " with gradient" : "", r->seconds,
           r->seconds > 0 ? (double)p->n / r->seconds : 0);
    if (o->check) {
        printf("; error %.2e", r->error[0]);
        if (o->gradient) printf(" (gradient %.2e)", r->error[1]);
        printf(" at %" PRId64 " points: %s", r->checked, passed ? "ok" : "FAILED");
    }
    printf("\n");
    fflush(stdout);
}

static int one_run(const struct options *o, const tw_particles *p, struct result *r, int repeat)
{
    const double begin = cli_seconds();
    int passed = 1, e = tw_fmm3d(o->eps, 1, p->n, p->x, p->q, r->u, r->grad, 0, NULL, NULL, NULL);

    if (e) return cli_library_error("fmm", e);
    r->seconds = cli_seconds() - begin;
    if (o->check) {
        r->checked = cli_field_error(p, 0, r->u, r->grad, r->error);
        passed = r->error[0] <= o->eps && r->error[1] <= 10 * o->eps;
    }
    if (o->json && (e = report_json(o, p, r, repeat, passed))) return e;
    if (!o->json) report(o, p, r, passed);
    return passed ? CLI_OK : CLI_FAILED;
}

int cli_fmm(int argc, char **argv)
{
    struct options o;
    struct result r = {0};
    tw_particles p;
    int e = parse(argc, argv, &o);

    if (e) return e - 1;
    cli_catch_signals();
    if ((e = cli_start(&(struct cli_options){.nb = 0}))) return e;
    if ((e = cli_cloud_make(&o.cloud, &p))) {
        tw_finalize();
        return e;
    }
    r.u = cli_alloc((double)p.n * 8, "the potentials");
    r.grad = o.gradient ? cli_alloc((double)p.n * 24, "the gradients") : NULL;
    e = !r.u || (o.gradient && !r.grad) ? CLI_FAILED : CLI_OK;
    for (int k = 1; k <= o.repeat && !e && !cli_interrupted(); k++)
        e = one_run(&o, &p, &r, k);
    free(r.u), free(r.grad);
    tw_particles_free(&p);
    tw_finalize();
    return cli_interrupted() ? 128 + cli_interrupted() : e;
}
