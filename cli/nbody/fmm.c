/* tilework fmm: potentials (and gradients) of particles by the fast multipole method. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nbody/particles.h"

struct options {
    struct cli_cloud cloud;
    enum { OPEN, PERIODIC_BOX, SCREENED, PLANE } what;
    double eps, box, kappa;
    enum tw_boundary boundary;
    int gradient, check, json, repeat;
};
struct result {
    double *u, *grad, *flat, seconds, checking, error[2]; /* flat: x and y of the particles, for the plane */
    tw_int checked;
    struct cli_times times;
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
           "  --periodic B   in a periodic box within a conductor or nothing: tinfoil, vacuum (tw_fmm3d_periodic)\n"
           "  --box L        its side; its corner is the origin [1]\n"
           "  --kappa K      e^(-K r) / r instead of 1 / r (tw_yukawa3d)\n"
           "  --plane        log r of x and y instead (tw_fmm2d)\n"
           "  --check        compare with direct sums at up to 1000 particles; fails beyond the tolerance\n"
           "  --repeat R     runs, one line each, then median, least and spread [1]\n"
           "  --json         one JSON object per run\n%s"
           "Exit status: 0, 1 for a failure (the check's, too), 2 for bad usage or bad input, 130 after Ctrl-C.\n",
           cli_machine_help);
    return CLI_OK + 1;
}

/* One of --periodic, --kappa, --plane: 0, or -1 after a message. */
static int chosen(struct options *o, int what, const char *flag)
{
    if (o->what != OPEN) return cli_error(-1, "%s: only one of --periodic, --kappa, --plane", flag);
    o->what = what;
    return 0;
}

static int parse(int argc, char **argv, struct options *o)
{
    enum { EPS = CLI_NEXT, GRADIENT, PERIODIC, BOX, KAPPA, FLAT, CHECK, REPEAT, JSON };
    static const struct option flags[] = {CLI_CLOUD_FLAGS,
                                          {"eps", required_argument, NULL, EPS},
                                          {"gradient", no_argument, NULL, GRADIENT},
                                          {"periodic", required_argument, NULL, PERIODIC},
                                          {"box", required_argument, NULL, BOX},
                                          {"kappa", required_argument, NULL, KAPPA},
                                          {"plane", no_argument, NULL, FLAT},
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
        case PERIODIC:
            if (strcmp(optarg, "tinfoil") && strcmp(optarg, "vacuum"))
                return cli_error(CLI_USAGE + 1, "--periodic %s: expected tinfoil or vacuum", optarg);
            o->boundary = *optarg == 't' ? TW_TINFOIL : TW_VACUUM;
            if (chosen(o, PERIODIC_BOX, "--periodic")) return CLI_USAGE + 1;
            break;
        case BOX:
            if (cli_real("--box", optarg, 1e-100, 1e100, &o->box)) return CLI_USAGE + 1;
            break;
        case KAPPA:
            if (cli_real("--kappa", optarg, 0, 1e100, &o->kappa) || chosen(o, SCREENED, "--kappa"))
                return CLI_USAGE + 1;
            break;
        case FLAT:
            if (chosen(o, PLANE, "--plane")) return CLI_USAGE + 1;
            break;
        case CHECK: o->check = 1; break;
        case JSON: o->json = 1; break;
        case REPEAT:
            if (cli_whole_number("--repeat", optarg, 1, 1000000, &number)) return CLI_USAGE + 1;
            o->repeat = (int)number;
            break;
        default: return cli_bad_flag(c, argv, flags, "fmm");
        }
    }
    if (optind < argc) return cli_error(CLI_USAGE + 1, "%s: not a flag; see: tilework fmm -h", argv[optind]);
    if (o->box > 0 && o->what != PERIODIC_BOX)
        return cli_error(CLI_USAGE + 1, "--box: needs --periodic tinfoil or vacuum");
    if (o->box == 0) o->box = 1;
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
    if (o->cloud.input) cli_put(j, "input", cli_json_text(o->cloud.input));
    cli_put(j, "seed", json_integer((json_int_t)o->cloud.seed));
    cli_put_real(j, "eps", o->eps);
    if (o->what == SCREENED) cli_put_real(j, "kappa", o->kappa);
    if (o->what == PLANE) cli_put(j, "plane", json_true());
    if (o->what == PERIODIC_BOX) {
        cli_put(j, "periodic", json_string(o->boundary == TW_TINFOIL ? "tinfoil" : "vacuum"));
        cli_put_real(j, "box", o->box);
    }
    cli_put(j, "gradient", json_boolean(o->gradient));
    cli_put(j, "repeat", json_integer(repeat));
    cli_put_real(j, "seconds", r->seconds);
    cli_put_real(j, "points_per_second", r->seconds > 0 ? (double)p->n / r->seconds : 0);
    if (o->check) {
        cli_put_real(j, "error_potential", r->error[0]);
        if (o->gradient) cli_put_real(j, "error_gradient", r->error[1]);
        cli_put(j, "checked", json_integer(r->checked));
        cli_put(j, "check", json_string(passed ? "ok" : "failed"));
        cli_put_real(j, "seconds_check", r->checking);
    }
    cli_put(j, "sched", json_string(m.sched));
    cli_put(j, "cpu_workers", json_integer(m.cpu_workers));
    cli_put(j, "cuda_workers", json_integer(m.cuda_workers));
    return cli_print_json(j);
}

static void report(const struct options *o, const tw_particles *p, const struct result *r, int passed)
{
    static const char *const what[] = {"", " periodic", " screened", " plane"};
    FILE *f = cli_reports();
    fprintf(f, "fmm %s%s n=%" PRId64 " eps=%g%s: %.4f s, %.3g points/s",
            o->cloud.input ? o->cloud.input : o->cloud.kind, what[o->what], p->n, o->eps,
            o->gradient ? " with gradient" : "", r->seconds, r->seconds > 0 ? (double)p->n / r->seconds : 0);
    if (o->check) {
        fprintf(f, "; error %.2e", r->error[0]);
        if (o->gradient) fprintf(f, " (gradient %.2e)", r->error[1]);
        fprintf(f, " at %" PRId64 " points: %s (%.2g s)", r->checked, passed ? "ok" : "FAILED", r->checking);
    }
    fprintf(f, "\n");
}

static int run(const struct options *o, const tw_particles *p, struct result *r)
{
    const double corner[3] = {0, 0, 0};
    const tw_int n = p->n;

    switch (o->what) {
    case PERIODIC_BOX:
        return tw_fmm3d_periodic(o->eps, o->boundary, corner, o->box, 1, n, p->x, p->q, r->u, r->grad, 0, NULL, NULL,
                                 NULL);
    case SCREENED: return tw_yukawa3d(o->eps, o->kappa, 1, n, p->x, p->q, r->u, r->grad, 0, NULL, NULL, NULL);
    case PLANE: return tw_fmm2d(o->eps, 1, n, r->flat, p->q, r->u, r->grad, 0, NULL, NULL, NULL);
    default: return tw_fmm3d(o->eps, 1, n, p->x, p->q, r->u, r->grad, 0, NULL, NULL, NULL);
    }
}

static tw_int checked(const struct options *o, const tw_particles *p, struct result *r)
{
    switch (o->what) {
    case PERIODIC_BOX: return cli_periodic_error(p, o->boundary, o->box, r->u, r->grad, r->error);
    case SCREENED: return cli_kernel_error(p, o->kappa, r->u, r->grad, r->error);
    case PLANE: return cli_kernel_error(p, -1, r->u, r->grad, r->error);
    default: return cli_field_error(p, 0, r->u, r->grad, r->error);
    }
}

static int one_run(const struct options *o, const tw_particles *p, struct result *r, int repeat)
{
    const double begin = cli_seconds();
    int passed = 1, e = run(o, p, r);

    if (e) return cli_library_error("fmm", e);
    r->seconds = cli_seconds() - begin;
    if (o->check) {
        r->checking = cli_seconds();
        r->checked = checked(o, p, r);
        r->checking = cli_seconds() - r->checking;
        if (cli_interrupted()) return 128 + cli_interrupted();
        if (r->checked < 0) return CLI_FAILED;
        passed = r->error[0] <= o->eps && r->error[1] <= 10 * o->eps;
    }
    if (o->json && (e = report_json(o, p, r, repeat, passed))) return e;
    if (!o->json) report(o, p, r, passed);
    if (cli_flush()) return CLI_FAILED;
    cli_times_add(&r->times, r->seconds);
    return passed ? CLI_OK : CLI_FAILED;
}

static int run_fmm(int argc, char **argv)
{
    struct options o;
    struct result r = {0};
    tw_particles p;
    int e = parse(argc, argv, &o);

    if (e) return e - 1;
    if ((e = cli_start(&(struct cli_options){.nb = 0}))) return e;
    if ((e = cli_cloud_make(&o.cloud, &p))) {
        tw_finalize();
        return e;
    }
    r.u = cli_alloc((double)p.n * 8, "the potentials");
    r.grad = o.gradient ? cli_alloc((double)p.n * 24, "the gradients") : NULL;
    r.flat = o.what == PLANE ? cli_alloc((double)p.n * 16, "the plane") : NULL;
    e = !r.u || (o.gradient && !r.grad) || (o.what == PLANE && !r.flat) ? CLI_FAILED : CLI_OK;
    for (tw_int i = 0; r.flat && i < 2 * p.n; i++)
        r.flat[i] = p.x[i / 2 * 3 + i % 2];
    for (int k = 1; k <= o.repeat && !e && !cli_interrupted(); k++)
        e = one_run(&o, &p, &r, k);
    cli_times_report(&r.times, "fmm", o.json);
    free(r.u), free(r.grad), free(r.flat);
    tw_particles_free(&p);
    tw_finalize();
    return e;
}

CLI_COMMAND(30, fmm) = {
    .name = "fmm",
    .summary = "potentials of particles by the fast multipole method (tilework fmm -h)",
    .run = run_fmm,
    .computes = 2,
};
