/* tilework nbody: particles under their own gravity, one sum or a motion of many steps. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/nbody/particles.h"

struct options {
    struct cli_cloud cloud;
    tw_motion motion;
    tw_int steps, every;
    int check, json;
    const char *output, *checkpoint, *restart, *energies;
    struct cli_frames frames;
};

static int usage(void)
{
    printf("usage: tilework nbody [flags]\n\n"
           "Particles attract each other (acceleration G sum_j m_j (x_j - x_i) / r^3) and move by the leapfrog "
           "(tw_leapfrog).\n"
           "Reports energies, momenta, and the drift of the energy; with --steps 0 the state at the beginning.\n\n"
           "  --n N            particles [4096]\n"
           "  --kind KIND      uniform, sphere, plummer, collision [plummer]\n"
           "  --input FILE     particles from an XYZ or CSV file instead\n"
           "  --seed S         of the generator [1]\n"
           "  --steps K        time steps [0]\n"
           "  --dt T           length of a step [0.01]\n"
           "  --softening E    1 / sqrt(r^2 + E^2) instead of 1 / r [0.05; 0 with --eps]\n"
           "  --eps E          forces by the fast multipole method with this tolerance [all pairs]\n"
           "  --g G            constant of gravity [1]\n"
           "  --check          compare potentials and forces at the end with sums of this command's own at up to 1000 "
           "particles\n"
           "  --output FILE    write the particles at the end (.xyz, else CSV)\n"
           "  --checkpoint FILE   keep the state of the last report here\n"
           "  --restart FILE   go on from a checkpoint, with its settings, for --steps further steps\n"
           "  --energies FILE  a table of the energies at every report (CSV), to be plotted\n"
           "  --frames PREFIX  pictures of the density: PREFIX_00000.ppm, ...\n"
           "  --every K        a report, a checkpoint and a picture every K steps [as many as give 20 of them]\n"
           "  --width W        width of the pictures [20]\n"
           "  --size P         pixels of their sides [512]\n"
           "  --json           one JSON object per report\n%s"
           "Exit status: 0, 1 for a failure (the check's, too), 2 for bad usage or bad input, 130 after Ctrl-C.\n",
           cli_machine_help);
    return CLI_OK + 1;
}

enum {
    STEPS = CLI_NEXT,
    DT,
    SOFTENING,
    EPS,
    G,
    CHECK,
    OUTPUT,
    CHECKPOINT,
    RESTART,
    ENERGIES,
    FRAMES,
    EVERY,
    WIDTH,
    SIZE,
    JSON
};

static int one_flag(int c, const char *value, void *options)
{
    struct options *o = options;
    long long number = 0;

    switch (c) {
    case STEPS:
    case EVERY:
        if (cli_whole_number(c == STEPS ? "--steps" : "--every", value, c == EVERY, 1000000000, &number)) return -1;
        *(c == STEPS ? &o->steps : &o->every) = number;
        return 0;
    case SIZE:
        if (cli_whole_number("--size", value, 1, 16384, &number)) return -1;
        o->frames.size = (int)number;
        return 0;
    case DT: return cli_real("--dt", value, -1e100, 1e100, &o->motion.dt);
    case G: return cli_real("--g", value, -1e100, 1e100, &o->motion.g);
    case SOFTENING: return cli_real("--softening", value, 0, 1e100, &o->motion.softening);
    case EPS: return cli_real("--eps", value, 1e-14, 0.999, &o->motion.eps);
    case WIDTH: return cli_real("--width", value, 1e-100, 1e100, &o->frames.width);
    case CHECK: o->check = 1; return 0;
    case JSON: o->json = 1; return 0;
    case OUTPUT: o->output = value; return 0;
    case CHECKPOINT: o->checkpoint = value; return 0;
    case RESTART: o->restart = value; return 0;
    case ENERGIES: o->energies = value; return 0;
    default: o->frames.prefix = value; return 0;
    }
}

static int parse(int argc, char **argv, struct options *o)
{
    static const struct option flags[] = {CLI_CLOUD_FLAGS,
                                          {"steps", required_argument, NULL, STEPS},
                                          {"dt", required_argument, NULL, DT},
                                          {"softening", required_argument, NULL, SOFTENING},
                                          {"eps", required_argument, NULL, EPS},
                                          {"g", required_argument, NULL, G},
                                          {"check", no_argument, NULL, CHECK},
                                          {"output", required_argument, NULL, OUTPUT},
                                          {"checkpoint", required_argument, NULL, CHECKPOINT},
                                          {"restart", required_argument, NULL, RESTART},
                                          {"energies", required_argument, NULL, ENERGIES},
                                          {"frames", required_argument, NULL, FRAMES},
                                          {"every", required_argument, NULL, EVERY},
                                          {"width", required_argument, NULL, WIDTH},
                                          {"size", required_argument, NULL, SIZE},
                                          {"json", no_argument, NULL, JSON},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int e;

    *o = (struct options){.cloud = {.kind = "plummer", .n = 4096, .seed = 1},
                          .motion = {.g = NAN, .softening = NAN, .dt = NAN, .eps = NAN},
                          .frames = {.size = 512, .width = 20}};
    if ((e = cli_flags_parse(&(struct cli_flags){"nbody", flags, usage, cli_cloud_flag, one_flag}, argc, argv,
                             &o->cloud, o)))
        return e;
    if (o->restart) {
        const int given = o->cloud.input || strcmp(o->cloud.kind, "plummer") || o->cloud.n != 4096 ||
                          o->cloud.seed != 1 || !isnan(o->motion.g) || !isnan(o->motion.dt) ||
                          !isnan(o->motion.softening) || !isnan(o->motion.eps);
        if (given)
            return cli_error(CLI_USAGE + 1, "--restart: the checkpoint says what the particles and the settings are");
    }
    if (isnan(o->motion.g)) o->motion.g = 1;
    if (isnan(o->motion.dt)) o->motion.dt = 0.01;
    if (isnan(o->motion.eps)) o->motion.eps = 0;
    if (isnan(o->motion.softening)) o->motion.softening = o->motion.eps > 0 ? 0 : 0.05;
    if (o->motion.eps > 0 && o->motion.softening > 0)
        return cli_error(CLI_USAGE + 1, "--softening: cannot be combined with --eps");
    if (o->every == 0) o->every = o->steps > 20 ? o->steps / 20 : 1;
    return 0;
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

struct run {
    struct options *o;
    double energy0, begin; /* at step 0; when the clock started */
    double reports;        /* seconds spent in reports and pictures */
    FILE *energies;
};

static double drift(const struct run *r, double energy)
{
    return r->energy0 != 0 ? (energy - r->energy0) / fabs(r->energy0) : energy;
}

static int report_json(const struct run *r, const tw_particles *p, const tw_motion_state *s, double seconds)
{
    const struct options *o = r->o;
    json_t *j = json_object();

    if (!j) return cli_error(CLI_FAILED, "--json: not enough memory");
    cli_put(j, "routine", json_string("nbody"));
    cli_put(j, "method", json_string(o->motion.eps > 0 ? "fmm" : "direct"));
    cli_put(j, "n", json_integer(p->n));
    cli_put(j, "kind", json_string(o->restart ? "checkpoint" : o->cloud.input ? "file" : o->cloud.kind));
    cli_put(j, "seed", json_integer((json_int_t)o->cloud.seed));
    cli_put_real(j, "eps", o->motion.eps);
    cli_put_real(j, "softening", o->motion.softening);
    cli_put_real(j, "dt", o->motion.dt);
    cli_put(j, "step", json_integer(s->step));
    cli_put_real(j, "time", s->time);
    cli_put_real(j, "kinetic", s->kinetic);
    cli_put_real(j, "potential", s->potential);
    cli_put_real(j, "energy", s->kinetic + s->potential);
    cli_put_real(j, "energy_drift", drift(r, s->kinetic + s->potential));
    cli_put(j, "momentum", json_pack("[f,f,f]", s->momentum[0], s->momentum[1], s->momentum[2]));
    cli_put(j, "angular_momentum", json_pack("[f,f,f]", s->angular[0], s->angular[1], s->angular[2]));
    cli_put_real(j, "seconds", seconds);
    if (o->motion.eps == 0)
        cli_put_real(j, "pairs_per_second",
                     seconds > 0 ? (double)(s->step - o->motion.start + 1) * (double)p->n * (double)p->n / seconds : 0);
    return cli_print_json(j);
}

static void report(const struct run *r, const tw_motion_state *s, double seconds)
{
    fprintf(cli_reports(),
            "step %" PRId64
            " t=%g: kinetic %.6g, potential %.6g, energy %.8g (drift %+.2e), momentum (%.1e, %.1e, %.1e), "
            "%.3f s\n",
            s->step, s->time, s->kinetic, s->potential, s->kinetic + s->potential, drift(r, s->kinetic + s->potential),
            s->momentum[0], s->momentum[1], s->momentum[2], seconds);
}

/* A line of the table of energies. */
static int table_row(const struct run *r, const tw_motion_state *s)
{
    const double energy = s->kinetic + s->potential;
    fprintf(r->energies, "%" PRId64 ",%.17g,%.17g,%.17g,%.17g,%.6e\n", s->step, s->time, s->kinetic, s->potential,
            energy, drift(r, energy));
    return fflush(r->energies) ? cli_error(CLI_FAILED, "--energies: %s cannot be written", r->o->energies) : 0;
}

/* A file holds the last one; standard output gets no other. */
static int checkpoint_now(const struct run *r, const tw_motion_state *s)
{
    const struct options *o = r->o;
    return o->checkpoint && (strcmp(o->checkpoint, "-") != 0 || s->step == o->motion.start + o->steps);
}

static int on_step(void *user, const tw_particles *p, const tw_motion_state *s)
{
    struct run *r = user;
    const double now = cli_seconds(), seconds = now - r->begin - r->reports;
    int e = 0;

    if (s->step == r->o->motion.start) r->energy0 = s->kinetic + s->potential;
    if (cli_interrupted()) return TW_E_CANCELLED;
    if (s->step % r->o->every && s->step != r->o->motion.start + r->o->steps) return 0;
    if (r->o->json)
        e = report_json(r, p, s, seconds);
    else
        report(r, s, seconds);
    if (!e) e = cli_flush();
    if (!e && r->energies) e = table_row(r, s);
    if (!e && checkpoint_now(r, s) && (e = tw_motion_save(r->o->checkpoint, p, &r->o->motion, s->step)))
        e = cli_library_error("--checkpoint", e);
    if (!e && r->o->frames.prefix) e = cli_frame(&r->o->frames, p);
    r->reports += cli_seconds() - now;
    return e; /* an exit status > 0 */
}

/* Potentials and gradients at the end once more through the library, against this command's own sums. */
static int check(const struct options *o, const tw_particles *p)
{
    const size_t n = (size_t)p->n;
    const double begin = cli_seconds();
    double *field = cli_alloc((double)p->n * 64 + 8, "the check"), error[2], limit;
    tw_matrix *S = NULL, *R = NULL;
    int e = 0;

    if (!field) return CLI_FAILED;
    double *columns = field + 4 * n, *grad = columns; /* grad replaces the columns in the end */
    if (o->motion.eps > 0) {
        e = tw_fmm3d(o->motion.eps, 1, p->n, p->x, p->q, field, grad, 0, NULL, NULL, NULL);
    } else if (n > 0) {
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < 3; k++)
                columns[i + k * n] = p->x[3 * i + k];
            columns[i + 3 * n] = p->q[i];
        }
        e = tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, p->n, 4, columns, p->n, 1024);
        if (!e) e = tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, p->n, 4, 1024, NULL);
        if (!e) e = tw_nbody_direct(o->motion.softening, S, NULL, R);
        if (!e) e = tw_matrix_to_lapack(R, field, p->n);
        for (size_t i = 0; i < n && !e; i++)
            for (size_t k = 0; k < 3; k++)
                grad[3 * i + k] = field[i + (1 + k) * n];
    }
    tw_matrix_destroy(S), tw_matrix_destroy(R);
    if (e) {
        free(field);
        return cli_library_error("--check", e);
    }
    const tw_int checked = cli_field_error(p, o->motion.softening, field, grad, error);
    if (checked < 0 || cli_interrupted()) {
        free(field);
        return checked < 0 ? CLI_FAILED : 128 + cli_interrupted();
    }
    limit = o->motion.eps > 0 ? o->motion.eps : (10 + sqrt((double)p->n)) * 0x1p-53;
    const int passed = error[0] <= limit && error[1] <= 10 * limit;
    free(field);
    if (o->json) {
        json_t *j = json_object();
        if (!j) return cli_error(CLI_FAILED, "--json: not enough memory");
        cli_put(j, "routine", json_string("nbody-check"));
        cli_put_real(j, "error_potential", error[0]);
        cli_put_real(j, "error_gradient", error[1]);
        cli_put(j, "checked", json_integer(checked));
        cli_put(j, "check", json_string(passed ? "ok" : "failed"));
        cli_put_real(j, "seconds_check", cli_seconds() - begin);
        const int failed = cli_print_json(j);
        if (failed) return failed;
    } else {
        fprintf(cli_reports(), "check: error %.2e (gradient %.2e) at %" PRId64 " particles: %s (%.2g s)\n", error[0],
                error[1], checked, passed ? "ok" : "FAILED", cli_seconds() - begin);
    }
    return passed ? CLI_OK : CLI_FAILED;
}

/* Particles and settings from a checkpoint: 0 or an exit status after a message. */
static int restart(struct options *o, tw_particles *p)
{
    const char *path = o->restart;
    int e = cli_input_file("--restart", &path);

    *p = (tw_particles){0};
    if (e) return e;
    e = tw_motion_load(path, p, &o->motion);
    return e ? cli_input_error("--restart", e) : CLI_OK;
}

/* What can be said about files before any work: 0 or an exit status after a message. */
static int files(const struct options *o)
{
    static const char *const suffixes[] = {".csv", ".xyz", NULL};
    int e = o->output ? cli_output_file("--output", o->output, suffixes, 1) : 0;

    if (!e && o->checkpoint) e = cli_can_write("--checkpoint", o->checkpoint);
    if (!e && o->energies) e = cli_can_write("--energies", o->energies);
    if (!e && o->frames.prefix) e = cli_can_write_prefix("--frames", o->frames.prefix);
    return e;
}

static int move(struct run *r, tw_particles *p)
{
    const struct options *o = r->o;
    int e = 0;

    if (o->energies &&
        !(r->energies = strcmp(o->energies, "-") ? fopen(o->energies, "w") : fdopen(dup(STDOUT_FILENO), "w")))
        return cli_error(CLI_FAILED, "--energies: %s cannot be written", o->energies);
    if (r->energies) fprintf(r->energies, "step,time,kinetic,potential,energy,drift\n");
    r->begin = cli_seconds();
    e = tw_leapfrog(p, &o->motion, o->steps, on_step, r);
    if (r->energies && fclose(r->energies) && !e)
        e = cli_error(CLI_FAILED, "--energies: writing %s failed", o->energies);
    if (e < 0) e = cli_library_error("nbody", e);
    if (cli_interrupted()) e = 128 + cli_interrupted();
    if (!e && o->output) {
        if ((e = tw_particles_write(o->output, p))) return cli_library_error("--output", e);
        cli_has_written();
    }
    return !e && o->check ? check(o, p) : e;
}

static int run_nbody(int argc, char **argv)
{
    struct options o;
    struct run r = {.o = &o};
    tw_particles p;
    int e = parse(argc, argv, &o);

    if (e) return e - 1;
    if ((e = files(&o)) || (e = cli_start(&(struct cli_options){.nb = 0}))) return e;
    e = o.restart ? restart(&o, &p) : cli_cloud_make(&o.cloud, &p);
    if (!e) e = move(&r, &p);
    tw_particles_free(&p);
    tw_finalize();
    return e;
}

CLI_COMMAND(10, nbody) = {
    .name = "nbody",
    .summary = "particles under their own gravity: energies, motion, pictures (tilework nbody -h)",
    .run = run_nbody,
    .computes = 2,
};
