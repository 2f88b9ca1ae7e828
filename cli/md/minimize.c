/* tilework minimize: atoms with localized interactions, down to a minimum of their energy. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/md/atoms.h"

struct options {
    struct cli_atoms atoms;
    tw_minimize how;
};

static int usage(void)
{
    printf("usage: tilework minimize [flags]\n\n"
           "Moves atoms with van der Waals forces and electrostatics up to a cut-off to a minimum of their energy "
           "(tw_cutoff_minimize).\n\n%s"
           "  --method M       lbfgs or descent [lbfgs]\n"
           "  --iterations K   at most [1000]\n"
           "  --tolerance F    ends when no atom feels a larger force [0.01]\n"
           "  --history M      pairs of vectors that L-BFGS keeps, 1 to 8 [5]\n"
           "  --every K        a report every K iterations; L-BFGS starts anew there [only at the end]\n%s"
           "Exit status: 0, 1 for a failure (not converged, the check's, too), 2 for bad usage or bad input, 130 after "
           "Ctrl-C.\n",
           cli_atoms_help, cli_machine_help);
    return CLI_OK + 1;
}

enum { METHOD = CLI_ATOMS_NEXT, ITERATIONS, TOLERANCE, HISTORY, EVERY };

static int one_flag(int c, const char *value, void *options)
{
    struct options *o = options;
    long long number = 0;

    switch (c) {
    case METHOD:
        o->how.method = !strcmp(value, "descent") ? TW_STEEPEST_DESCENT : TW_LBFGS;
        if (strcmp(value, "descent") && strcmp(value, "lbfgs"))
            return cli_error(-1, "--method %s: expected lbfgs or descent", value);
        return 0;
    case TOLERANCE: return cli_real("--tolerance", value, 0, 1e100, &o->how.tolerance);
    case HISTORY:
        if (cli_whole_number("--history", value, 1, 8, &number)) return -1;
        o->how.history = number;
        return 0;
    default:
        if (cli_whole_number(c == EVERY ? "--every" : "--iterations", value, 0, 1000000000, &number)) return -1;
        *(c == EVERY ? &o->how.every : &o->how.iterations) = number;
        return 0;
    }
}

static int parse(int argc, char **argv, struct options *o)
{
    static const struct option flags[] = {CLI_ATOMS_FLAGS,
                                          {"method", required_argument, NULL, METHOD},
                                          {"iterations", required_argument, NULL, ITERATIONS},
                                          {"tolerance", required_argument, NULL, TOLERANCE},
                                          {"history", required_argument, NULL, HISTORY},
                                          {"every", required_argument, NULL, EVERY},
                                          {NULL, 0, NULL, 0}};
    int e;

    *o = (struct options){.atoms = CLI_ATOMS_DEFAULTS,
                          .how = {.method = TW_LBFGS, .iterations = 1000, .tolerance = 0.01}};
    tw_cutoff_init(&o->atoms.model, 1);
    o->atoms.model.eps_in = 0; /* the model's */
    /* A crystal of argon, which md begins with, is at its minimum: here a small peptide does. */
    o->atoms.cloud.kind = "peptide";
    o->atoms.cloud.n = 0;
    o->atoms.of_peptides = TW_ELECTROSTATICS_SHIFT;
    e = cli_flags_parse(&(struct cli_flags){"minimize", flags, usage, cli_atoms_flag, one_flag}, argc, argv, &o->atoms,
                        o);
    if (o->atoms.cloud.n == 0) o->atoms.cloud.n = strcmp(o->atoms.cloud.kind, "peptide") ? 4000 : 60;
    return e;
}

struct run {
    struct options *o;
    double begin;
};

static int on_report(void *user, const tw_atoms *a, const tw_minimize_state *s)
{
    const struct run *r = user;
    const double seconds = cli_seconds() - r->begin, energy = s->energy.vdw + s->energy.electrostatic + s->energy.links;
    const char *end = s->converged ? "converged" : s->stalled ? "stalled" : "not converged";
    int e = 0;

    if (cli_interrupted()) return TW_E_CANCELLED;
    if (r->o->atoms.json) {
        json_t *j = json_object();
        if (!j) return cli_error(CLI_FAILED, "--json: not enough memory");
        cli_atoms_json(j, "minimize", &r->o->atoms, a, &s->energy);
        cli_put(j, "method", json_string(r->o->how.method == TW_LBFGS ? "lbfgs" : "descent"));
        cli_put(j, "iteration", json_integer(s->iteration));
        cli_put(j, "evaluations", json_integer(s->evaluations));
        cli_put_real(j, "energy", energy);
        cli_put_real(j, "largest_force", s->force);
        cli_put(j, "state", json_string(end));
        cli_put_real(j, "seconds", seconds);
        e = cli_print_json(j);
    } else {
        fprintf(cli_reports(),
                "iteration %" PRId64 " (%" PRId64
                " evaluations): van der Waals %.6g, electrostatic %.6g, links %.6g, energy %.10g, "
                "largest force %.3g: %s, %.3f s\n",
                s->iteration, s->evaluations, s->energy.vdw, s->energy.electrostatic, s->energy.links, energy, s->force,
                end, seconds);
        e = cli_flush();
    }
    if (!e) e = cli_atoms_report_checkpoint(&r->o->atoms, a, 0, s->iteration);
    return e; /* an exit status > 0 */
}

static int run_minimize(int argc, char **argv)
{
    struct options o;
    struct run r = {.o = &o};
    tw_minimize_state s = {0};
    tw_atoms a;
    tw_int first;
    int e = parse(argc, argv, &o);

    if (e) return e - 1;
    if ((e = cli_atoms_files(&o.atoms)) || (e = cli_start(&(struct cli_options){.nb = 0}))) return e;
    if ((e = cli_atoms_make(&o.atoms, &a, &first))) {
        tw_finalize();
        return e;
    }
    r.begin = cli_seconds();
    e = tw_cutoff_minimize(&o.atoms.model, &a, &o.how, on_report, &r, &s);
    if (e < 0) e = cli_atoms_error("minimize", e);
    if (cli_interrupted()) e = 128 + cli_interrupted();
    if (!e) e = cli_atoms_save(&o.atoms, &a, 0, s.iteration);
    if (!e && o.atoms.check) e = cli_atoms_check(&o.atoms, &a);
    if (!e && !s.converged) e = CLI_FAILED;
    tw_atoms_free(&a);
    tw_finalize();
    return e;
}

CLI_COMMAND(50, minimize) = {
    .name = "minimize",
    .summary = "atoms with cut-off forces down to a minimum of energy (tilework minimize -h)",
    .run = run_minimize,
    .computes = 2,
};
