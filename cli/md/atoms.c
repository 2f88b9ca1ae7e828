/* Flags, input, output and the check of the commands on atoms with a cut-off. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/scaled.h"
#include "cli/md/atoms.h"

const char cli_atoms_help[] =
    "  --kind KIND      argon (a crystal, reduced units), liquid, peptide [md argon, minimize peptide]\n"
    "  --n N            about so many atoms [4000; minimize of a peptide 60]\n"
    "  --seed S         of the generator [1]\n"
    "  --input FILE     atoms from a PDB, PQR, XYZ or CSV file instead\n"
    "  --bonds          link atoms that are near enough to be bonded, and the ends of their angles\n"
    "  --box L[,M,N]    periods, 0: open [the kind's; files: open]\n"
    "  --restart FILE   go on from a checkpoint, with its settings where no flag says otherwise\n"
    "  --cutoff R       [argon 2.5, else 12]\n"
    "  --skin S         margin of the neighbour lists [a tenth of the cut-off]\n"
    "  --vdw V          none, cut, shift, smooth [smooth]\n"
    "  --electrostatics E  none, field (reaction field), shift, born (generalized Born) [argon none, peptide born "
    "(minimize: shift), else "
    "field]\n"
    "  --constant K     of Coulomb's law [332.0716]\n"
    "  --eps-in E, --eps-out E  dielectric constants [1 (born: 4), 78]\n"
    "  --type s|d       single or double precision [d]\n"
    "  --reuse K        rebuild the lists after K steps at the latest [25]\n"
    "  --check          compare forces at the end with this command's own sums or differences\n"
    "  --output FILE    the atoms at the end: .xyz or .pdb\n"
    "  --checkpoint FILE  the atoms with every digit, at every report\n"
    "  --json           one JSON object per report\n";

static int choose(const char *flag, const char *value, const char *const *names, int *out)
{
    char list[128];

    for (int k = 0; names[k]; k++)
        if (!strcmp(value, names[k])) {
            *out = k;
            return 1;
        }
    snprintf(list, sizeof list, "%s", names[0]);
    for (int k = 1; names[k]; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", names[k + 1] ? ", " : " or ", names[k]);
    return cli_error(-1, "%s %s: expected %s", flag, value, list);
}

_Static_assert(CLI_REUSE < 32, "a bit for each flag");
static unsigned flag_bit(int c)
{
    return 1u << c;
}

int cli_atoms_flag(int c, const char *value, void *atoms)
{
    struct cli_atoms *o = atoms;
    static const char *const vdw[] = {"none", "cut", "shift", "smooth", NULL},
                             *const electrostatics[] = {"none", "field", "shift", "born", NULL},
                             *const type[] = {"s", "d", NULL};
    int choice = 0, r = 1;
    long long number = 0;

    if (c >= CLI_CUTOFF && c <= CLI_REUSE) o->given |= flag_bit(c);
    switch (c) {
    case CLI_N: /* no atoms are no motion */
        if (cli_whole_number("--n", value, 1, 1 << 30, &number)) return -1;
        o->cloud.n = number;
        return 1;
    case CLI_RESTART: o->restart = value; return 1;
    case CLI_OUTPUT: o->output = value; return 1;
    case CLI_CHECKPOINT: o->checkpoint = value; return 1;
    case CLI_BOX: o->box = value; return 1;
    case CLI_BONDS: o->bonds = 1; return 1;
    case CLI_JSON: o->json = 1; return 1;
    case CLI_CHECK: o->check = 1; return 1;
    case CLI_CUTOFF: return cli_real("--cutoff", value, 1e-9, 1e12, &o->cutoff) ? -1 : 1;
    case CLI_SKIN: return cli_real("--skin", value, 0, 1e12, &o->skin) ? -1 : 1;
    case CLI_CONSTANT: return cli_real("--constant", value, -1e12, 1e12, &o->model.constant) ? -1 : 1;
    case CLI_EPS_IN: return cli_real("--eps-in", value, 1e-6, 1e12, &o->model.eps_in) ? -1 : 1;
    case CLI_EPS_OUT: return cli_real("--eps-out", value, 1e-6, 1e12, &o->model.eps_out) ? -1 : 1;
    case CLI_VDW:
        r = choose("--vdw", value, vdw, &choice);
        o->model.vdw = (enum tw_vdw)choice;
        return r;
    case CLI_ELECTROSTATICS:
        r = choose("--electrostatics", value, electrostatics, &choice);
        o->model.electrostatics = (enum tw_electrostatics)choice;
        return r;
    case CLI_TYPE:
        r = choose("--type", value, type, &choice);
        o->model.type = choice ? TW_DOUBLE : TW_FLOAT;
        return r;
    case CLI_REUSE:
        if (cli_whole_number("--reuse", value, 1, 1000000, &number)) return -1;
        o->model.reuse = number;
        return 1;
    default: return cli_cloud_flag(c, value, &o->cloud);
    }
}

static int parse_box(const char *text, double box[3])
{
    const char *s = text;
    char *end;
    int k = 0;

    for (; k < 3; k++, s = end + 1) {
        box[k] = strtod(s, &end);
        if (end == s || !(box[k] >= 0 && box[k] <= 1e12) || (*end && *end != ',')) break;
        if (!*end) {
            if (k == 0) box[1] = box[2] = box[0];
            if (k != 1) return 0;
            break;
        }
    }
    return cli_error(CLI_USAGE, "--box %s: expected one period or three, with commas between", text);
}

/* What flags leave open, from the kind of atoms. */
static void kind_settings(struct cli_atoms *o, int argon, int peptide)
{
    tw_cutoff *c = &o->model;

    c->cutoff = o->cutoff < 0 ? (argon ? 2.5 : 12) : o->cutoff;
    c->skin = o->skin < 0 ? c->cutoff / 10 : o->skin;
    c->switch_on = c->cutoff * 2 / 3;
    if (!(o->given & flag_bit(CLI_ELECTROSTATICS)) && argon) c->electrostatics = TW_ELECTROSTATICS_NONE;
    if (!(o->given & flag_bit(CLI_ELECTROSTATICS)) && peptide) c->electrostatics = o->of_peptides;
    if (!(c->eps_in > 0)) c->eps_in = c->electrostatics == TW_ELECTROSTATICS_BORN ? 4 : 1;
}

/* What flags leave open, from the run that the checkpoint is of. */
static void keep_settings(struct cli_atoms *o, const tw_cutoff *saved)
{
    const tw_cutoff flags = o->model;
    tw_cutoff *c = &o->model;

    *c = *saved;
    if (o->given & flag_bit(CLI_VDW)) c->vdw = flags.vdw;
    if (o->given & flag_bit(CLI_ELECTROSTATICS)) c->electrostatics = flags.electrostatics;
    if (o->given & flag_bit(CLI_CONSTANT)) c->constant = flags.constant;
    if (o->given & flag_bit(CLI_EPS_IN)) c->eps_in = flags.eps_in;
    if (o->given & flag_bit(CLI_EPS_OUT)) c->eps_out = flags.eps_out;
    if (o->given & flag_bit(CLI_TYPE)) c->type = flags.type;
    if (o->given & flag_bit(CLI_REUSE)) c->reuse = flags.reuse;
    if (o->cutoff >= 0) { /* a new cut-off brings its own margin and switch */
        c->cutoff = o->cutoff;
        c->skin = o->cutoff / 10;
        c->switch_on = o->cutoff * 2 / 3;
    }
    if (o->skin >= 0) c->skin = o->skin;
}

/* Bonded atoms without links repel each other with all their might, and fly apart: said before they do. */
static void warn_of_bonds(const char *path, const tw_atoms *a)
{
    tw_atoms linked = {0};

    if (a->nlinks > 0 || tw_atoms_read(path, 1, &linked)) return;
    if (linked.nlinks > 0)
        cli_error(0,
                  "note: %s: there are atoms near enough to be bonded, and nothing links them: they will repel each "
                  "other; --bonds links them",
                  path);
    tw_atoms_free(&linked);
}

int cli_atoms_make(struct cli_atoms *o, tw_atoms *a, tw_int *step)
{
    const int argon = !o->restart && !o->cloud.input && !strcmp(o->cloud.kind, "argon"),
              peptide = !o->restart && !o->cloud.input && !strcmp(o->cloud.kind, "peptide");
    const char *flag = o->restart       ? "--restart"
                       : o->cloud.input ? "--input"
                                        : "--kind",
               *path = o->restart ? o->restart : o->cloud.input;
    int e;

    tw_cutoff saved = {.cutoff = 0};

    *step = 0;
    if ((e = cli_input_file(flag, &path))) return e;
    if (o->restart)
        e = tw_cutoff_load(path, a, &saved, &o->dt, step);
    else if (path)
        e = tw_atoms_read(path, o->bonds, a);
    else
        e = tw_atoms_generate(a, o->cloud.kind, o->cloud.n, o->cloud.seed);
    if (e) return cli_input_error(!path && e == TW_E_MEMORY ? "--n" : flag, e);
    if (path && !o->restart && !o->bonds) warn_of_bonds(path, a);
    if (saved.cutoff > 0)
        keep_settings(o, &saved);
    else
        kind_settings(o, argon, peptide);
    if (o->box && (e = parse_box(o->box, a->box))) tw_atoms_free(a);
    return e;
}

int cli_atoms_error(const char *command, int code)
{
    const char *message = cli_last_message(), *why = strstr(message, "is illegal: ");

    if (code <= -2000 || !why || cli_interrupted()) return cli_library_error(command, code);
    return cli_error(CLI_USAGE, "%s: %s%s", command, why + strlen("is illegal: "),
                     strstr(why, "half the period") ? " (more atoms, a larger --box or a smaller --cutoff)" : "");
}

int cli_atoms_files(const struct cli_atoms *o)
{
    static const char *const suffixes[] = {".xyz", ".pdb", NULL};
    const int e = o->output ? cli_output_file("--output", o->output, suffixes, 0) : 0;
    return !e && o->checkpoint ? cli_can_write("--checkpoint", o->checkpoint) : e;
}

static int checkpoint(const struct cli_atoms *o, const tw_atoms *a, double dt, tw_int step)
{
    const int e = o->checkpoint ? tw_cutoff_save(o->checkpoint, a, &o->model, dt, step) : 0;
    return e ? cli_library_error("--checkpoint", e) : CLI_OK;
}

int cli_atoms_report_checkpoint(const struct cli_atoms *o, const tw_atoms *a, double dt, tw_int step)
{
    return o->checkpoint && !strcmp(o->checkpoint, "-") ? CLI_OK : checkpoint(o, a, dt, step);
}

int cli_atoms_save(const struct cli_atoms *o, const tw_atoms *a, double dt, tw_int step)
{
    int e = checkpoint(o, a, dt, step);
    if (e) return e;
    if (!o->output) return CLI_OK;
    if ((e = tw_atoms_write(o->output, a))) return cli_library_error("--output", e);
    cli_has_written();
    return CLI_OK;
}

void cli_atoms_json(json_t *j, const char *routine, const struct cli_atoms *o, const tw_atoms *a,
                    const tw_cutoff_energy *e)
{
    cli_put(j, "routine", json_string(routine));
    cli_put(j, "type", json_string(o->model.type == TW_FLOAT ? "s" : "d"));
    cli_put(j, "n", json_integer(a->n));
    cli_put(j, "kind", json_string(o->restart || o->cloud.input ? "file" : o->cloud.kind));
    cli_put(j, "links", json_integer(a->nlinks));
    cli_put_real(j, "cutoff", o->model.cutoff);
    cli_put_real(j, "skin", o->model.skin);
    cli_put_real(j, "vdw", e->vdw);
    cli_put_real(j, "electrostatic", e->electrostatic);
    cli_put_real(j, "link_energy", e->links);
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

/* Pairs that do not interact because they are linked, by the lower atom. */
static int linked(const tw_atoms *a, const tw_int *first, const tw_int *to, tw_int i, tw_int j)
{
    (void)a;
    for (tw_int k = first[i]; k < first[i + 1]; k++)
        if (to[k] == j) return 1;
    return 0;
}

static double difference(const tw_atoms *a, tw_int i, tw_int j, double d[3])
{
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = a->x[3 * i + k] - a->x[3 * j + k];
        if (a->box[k] > 0) d[k] = remainder(d[k], a->box[k]);
        r2 += d[k] * d[k];
    }
    return r2;
}

/* -(dE/dr) / r of a pair, from the formulas in tilework/cutoff.h. */
static double pull(const tw_cutoff *c, const tw_atoms *a, tw_int i, tw_int j, double r2)
{
    const double rm = a->radius[i] + a->radius[j], depth = sqrt(a->depth[i] * a->depth[j]), rc = c->cutoff,
                 A = pow(rm * rm / r2, 3), B = pow(rm / rc, 6), s = pow(r2 / (rc * rc), 3), r = sqrt(r2),
                 ratio = c->eps_out / c->eps_in, q = c->constant / c->eps_in * a->charge[i] * a->charge[j];
    double f = 0;

    if (c->vdw == TW_VDW_SMOOTH)
        f = 12 * depth / r2 * (A * A - A - s * (B * B - B));
    else if (c->vdw != TW_VDW_NONE)
        f = 12 * depth / r2 * (A * A - A);
    if (c->electrostatics == TW_ELECTROSTATICS_REACTION_FIELD)
        f += q * (1 / (r2 * r) - 2 * (ratio - 1) / ((2 * ratio + 1) * rc * rc * rc));
    if (c->electrostatics == TW_ELECTROSTATICS_SHIFT) f += q * (1 / r2 - 1 / (rc * rc)) / r;
    return f;
}

/* Links by their ends. first: n + 1; to, link: 2 nlinks. */
static void index_links(const tw_atoms *a, tw_int *first, tw_int *to, tw_int *link)
{
    memset(first, 0, ((size_t)a->n + 1) * sizeof *first);
    for (tw_int l = 0; l < a->nlinks; l++)
        first[a->link[l].i + 1]++, first[a->link[l].j + 1]++;
    for (tw_int i = 0; i < a->n; i++)
        first[i + 1] += first[i];
    for (tw_int l = a->nlinks - 1; l >= 0; l--)
        for (int end = 0; end < 2; end++) {
            const tw_int i = end ? a->link[l].j : a->link[l].i;
            const tw_int at = --first[i + 1]; /* filled from the end; shifted back below */
            to[at] = end ? a->link[l].i : a->link[l].j;
            link[at] = l;
        }
    for (tw_int i = 0; i < a->n; i++)
        first[i] = first[i + 1];
    first[a->n] = 2 * a->nlinks;
}

/* size: the sum of the terms' sizes. */
static void own_force(const tw_cutoff *c, const tw_atoms *a, const tw_int *first, const tw_int *to, const tw_int *link,
                      tw_int i, double f[3], double *size)
{
    double d[3];

    f[0] = f[1] = f[2] = *size = 0;
    for (tw_int j = 0; j < a->n; j++) {
        const double r2 = j == i ? INFINITY : difference(a, i, j, d);
        if (!(r2 < c->cutoff * c->cutoff) || linked(a, first, to, i, j)) continue;
        const double p = pull(c, a, i, j, r2);
        for (int k = 0; k < 3; k++)
            f[k] += p * d[k];
        *size += fabs(p) * sqrt(r2);
    }
    for (tw_int l = first[i]; l < first[i + 1]; l++) {
        const tw_bond *b = &a->link[link[l]];
        const double r = sqrt(difference(a, i, to[l], d));
        for (int k = 0; k < 3 && r > 0; k++)
            f[k] -= b->stiffness * (r - b->length) / r * d[k];
        *size += b->stiffness * fmax(r, b->length);
    }
}

static int by_sums(const tw_cutoff *c, const tw_atoms *a, const double *f, double *error)
{
    const tw_int step = a->n > 500 ? a->n / 500 : 1;
    tw_int *index = cli_alloc(8.0 * ((double)a->n + 1 + 4 * (double)a->nlinks), "the check");
    double e = 0, norm = 0, own[3], size;

    if (!index) return CLI_FAILED;
    tw_int *to = index + a->n + 1, *link = to + 2 * a->nlinks;
    index_links(a, index, to, link);
    for (tw_int i = 0; i < a->n; i += step) {
        own_force(c, a, index, to, link, i, own, &size);
        for (int k = 0; k < 3; k++)
            e += (f[3 * i + k] - own[k]) * (f[3 * i + k] - own[k]);
        norm += size * size; /* of the terms: in a minimum their sum is small */
    }
    free(index);
    *error = sqrt(norm > 0 ? check_quotient(e, norm) : e);
    return 0;
}

/* The energy's change along a direction, half of it the forces', in double. */
static int by_differences(const tw_cutoff *c, tw_atoms *a, const double *f, double *error)
{
    const double h = 1e-4;
    tw_cutoff model = *c;
    double *x = cli_alloc(24.0 * (double)a->n, "the check"), norm = 0, slope = 0, value[2];
    tw_cutoff_energy e;
    int failed = 0;

    if (!x) return CLI_FAILED;
    model.type = TW_DOUBLE;
    memcpy(x, a->x, 3 * (size_t)a->n * sizeof *x);
    for (tw_int i = 0; i < 3 * a->n; i++)
        norm += f[i] * f[i];
    for (int side = 0; side < 2 && !failed; side++) {
        for (tw_int i = 0; i < 3 * a->n; i++) {
            const double d = f[i] / sqrt(norm > 0 ? norm : 1);
            if (side == 0) slope += f[i] * d;
            a->x[i] = x[i] + (side ? h : -h) * d;
        }
        if ((failed = tw_cutoff_forces(&model, a, &e, NULL))) cli_library_error("--check", failed);
        value[side] = e.vdw + e.electrostatic + e.links;
    }
    memcpy(a->x, x, 3 * (size_t)a->n * sizeof *x);
    free(x);
    if (failed) return CLI_FAILED;
    *error = fabs((value[0] - value[1]) / (2 * h) - slope) / (slope > 0 ? slope : 1);
    return 0;
}

int cli_atoms_check(const struct cli_atoms *o, tw_atoms *a)
{
    const tw_cutoff *c = &o->model;
    const int born = c->electrostatics == TW_ELECTROSTATICS_BORN;
    double *f = cli_alloc(24.0 * (double)a->n + 8, "the check"), error = 0, limit = tw_type_eps(c->type) * 1000;
    const double begin = cli_seconds();
    int e;

    if (!f) return CLI_FAILED;
    if (born) limit = fmax(limit, 1e-5);
    e = tw_cutoff_forces(c, a, NULL, f);
    if (e) {
        e = cli_library_error("--check", e);
    } else {
        e = born ? by_differences(c, a, f, &error) : by_sums(c, a, f, &error);
    }
    free(f);
    if (e) return e;
    const int passed = error <= limit;
    if (o->json) {
        json_t *j = json_object();
        if (!j) return cli_error(CLI_FAILED, "--json: not enough memory");
        cli_put(j, "routine", json_string("cutoff-check"));
        cli_put_real(j, "error_force", error);
        cli_put(j, "check", json_string(passed ? "ok" : "failed"));
        cli_put_real(j, "seconds_check", cli_seconds() - begin);
        if ((e = cli_print_json(j))) return e;
    } else {
        fprintf(cli_reports(), "check: error of the forces %.2e: %s (%.2g s)\n", error, passed ? "ok" : "FAILED",
                cli_seconds() - begin);
    }
    return passed ? CLI_OK : CLI_FAILED;
}
