/* tilework md: atoms with localized interactions in motion. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/md/atoms.h"

struct options {
    struct cli_atoms atoms;
    double dt;
    tw_int steps, every;
};

static int usage(void)
{
    printf("usage: tilework md [flags]\n\n"
           "Atoms with van der Waals forces and electrostatics up to a cut-off move by velocity Verlet "
           "(tw_cutoff_verlet).\n"
           "Reports energies, momentum, and the drift of the energy.\n\n%s"
           "  --steps K        time steps [100]\n"
           "  --dt T           length of a step [a checkpoint's; argon 0.004, else 0.02: a femtosecond for u, angstrom "
           "and kcal/mol]\n"
           "  --every K        a report every K steps [as many as give 10 of them]\n%s"
           "Exit status: 0, 1 for a failure (the check's, too), 2 for bad usage or bad input, 130 after Ctrl-C.\n",
           cli_atoms_help, cli_machine_help);
    return CLI_OK + 1;
}

enum { STEPS = CLI_ATOMS_NEXT, DT, EVERY };

static int one_flag(int c, const char *value, void *options)
{
    struct options *o = options;
    long long number = 0;

    if (c == DT) return cli_real("--dt", value, 1e-100, 1e12, &o->dt);
    if (cli_whole_number(c == STEPS ? "--steps" : "--every", value, c == EVERY, 1000000000000, &number)) return -1;
    *(c == STEPS ? &o->steps : &o->every) = number;
    return 0;
}

static int parse(int argc, char **argv, struct options *o)
{
    static const struct option flags[] = {CLI_ATOMS_FLAGS,
                                          {"steps", required_argument, NULL, STEPS},
                                          {"dt", required_argument, NULL, DT},
                                          {"every", required_argument, NULL, EVERY},
                                          {NULL, 0, NULL, 0}};
    int e;

    *o = (struct options){.atoms = CLI_ATOMS_DEFAULTS, .dt = NAN, .steps = 100};
    tw_cutoff_init(&o->atoms.model, 1);
    o->atoms.model.eps_in = 0; /* the model's */
    if ((e = cli_flags_parse(&(struct cli_flags){"md", flags, usage, cli_atoms_flag, one_flag}, argc, argv, &o->atoms,
                             o)))
        return e;
    if (o->every == 0) o->every = o->steps > 10 ? o->steps / 10 : 1;
    return 0;
}

struct run {
    struct options *o;
    int started;
    double energy0, begin, reports; /* when the clock started; seconds spent in reports */
    tw_int first;
};

static int report_json(const struct run *r, const tw_atoms *a, const tw_verlet_state *s, double energy, double drift,
                       double seconds)
{
    json_t *j = json_object();

    if (!j) return cli_error(CLI_FAILED, "--json: not enough memory");
    cli_atoms_json(j, "md", &r->o->atoms, a, &s->potential);
    cli_put(j, "step", json_integer(s->step));
    cli_put_real(j, "dt", r->o->dt);
    cli_put_real(j, "time", s->time);
    cli_put_real(j, "kinetic", s->kinetic);
    cli_put_real(j, "energy", energy);
    cli_put_real(j, "energy_drift", drift);
    cli_put(j, "momentum", json_pack("[f,f,f]", s->momentum[0], s->momentum[1], s->momentum[2]));
    cli_put(j, "rebuilds", json_integer(s->rebuilds));
    cli_put_real(j, "seconds", seconds);
    return cli_print_json(j);
}

static int on_report(void *user, const tw_atoms *a, const tw_verlet_state *s)
{
    struct run *r = user;
    const double now = cli_seconds(), seconds = now - r->begin - r->reports,
                 energy = s->kinetic + s->potential.vdw + s->potential.electrostatic + s->potential.links;
    int e = 0;

    if (!r->started++) r->energy0 = energy;
    if (cli_interrupted()) return TW_E_CANCELLED;
    const double drift = r->energy0 != 0 ? (energy - r->energy0) / fabs(r->energy0) : energy;
    if (r->o->atoms.json)
        e = report_json(r, a, s, energy, drift, seconds);
    else
        fprintf(cli_reports(),
                "step %" PRId64
                " t=%g: kinetic %.6g, van der Waals %.6g, electrostatic %.6g, links %.6g, energy %.8g (drift %+.2e), "
                "momentum (%.1e, %.1e, %.1e), %" PRId64 " lists, %.3f s\n",
                s->step, s->time, s->kinetic, s->potential.vdw, s->potential.electrostatic, s->potential.links, energy,
                drift, s->momentum[0], s->momentum[1], s->momentum[2], s->rebuilds, seconds);
    if (!e) e = cli_flush();
    if (!e) e = cli_atoms_report_checkpoint(&r->o->atoms, a, r->o->dt, s->step);
    r->reports += cli_seconds() - now;
    return e; /* an exit status > 0 */
}

static int argon(const struct cli_atoms *o)
{
    return !o->restart && !o->cloud.input && !strcmp(o->cloud.kind, "argon");
}

static int run_md(int argc, char **argv)
{
    struct options o;
    struct run r = {.o = &o};
    tw_atoms a;
    int e = parse(argc, argv, &o);

    if (e) return e - 1;
    if ((e = cli_atoms_files(&o.atoms)) || (e = cli_start(&(struct cli_options){.nb = 0}))) return e;
    if ((e = cli_atoms_make(&o.atoms, &a, &r.first))) {
        tw_finalize();
        return e;
    }
    if (isnan(o.dt)) o.dt = o.atoms.dt != 0 ? o.atoms.dt : argon(&o.atoms) ? 0.004 : 0.02;
    r.begin = cli_seconds();
    const tw_int steps = o.steps;
    e = tw_cutoff_verlet(&o.atoms.model, &a, o.dt, r.first, steps, o.every, on_report, &r);
    if (e < 0) e = cli_atoms_error("md", e);
    if (cli_interrupted()) e = 128 + cli_interrupted();
    if (!e) e = cli_atoms_save(&o.atoms, &a, o.dt, r.first + steps);
    if (!e && o.atoms.check) e = cli_atoms_check(&o.atoms, &a);
    tw_atoms_free(&a);
    tw_finalize();
    return e;
}

CLI_COMMAND(40, md) = {
    .name = "md",
    .summary = "atoms with cut-off forces in motion (tilework md -h)",
    .run = run_md,
    .computes = 2,
};
