/* Checkpoints of atoms: text, 17 digits, which give the same numbers back. Version 2 also has a line of the run's
 * settings. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "io/md/atoms.h"
#include "io/nbody/particles.h"
#include "runtime/base/file.h"

static const char magic[] = "tilework atoms 1", magic_with_settings[] = "tilework atoms 2";

/* A checkpoint keeps names as they are: what no word can hold, and %, as % and two hexadecimal digits. */
static void write_name(FILE *f, const char *name)
{
    for (int k = 0; k < TW_ATOM_NAME && name[k]; k++)
        fprintf(f, tw_in_words(name[k]) && name[k] != '%' ? "%c" : "%%%02X", (unsigned char)name[k]);
}
static int digit(char c)
{
    const char *digits = "0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}
/* -1: too long for the room. */
static int read_name(const char *s, size_t length, char name[TW_ATOM_NAME])
{
    int n = 0;
    for (size_t k = 0; k < length; k++, n++) {
        if (n == TW_ATOM_NAME) return -1;
        name[n] = s[k];
        if (s[k] == '%' && k + 2 < length && digit(s[k + 1]) >= 0 && digit(s[k + 2]) >= 0) {
            name[n] = (char)(16 * digit(s[k + 1]) + digit(s[k + 2]));
            k += 2;
        }
    }
    return n == 0 ? -1 : 0;
}

static void write_atoms(FILE *f, const tw_atoms *a)
{
    for (tw_int i = 0; i < a->n; i++) {
        const double *x = a->x + 3 * i, zero[3] = {0}, *v = a->v ? a->v + 3 * i : zero;
        write_name(f, tw_atom_name(a, i));
        fprintf(f, " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", x[0], x[1], x[2], v[0], v[1], v[2],
                a->mass ? a->mass[i] : 1, a->charge ? a->charge[i] : 0, a->radius ? a->radius[i] : 0,
                a->depth ? a->depth[i] : 0);
        if (a->born || a->volume) { /* the one that is missing as the energy takes it */
            const double born = a->born ? a->born[i] : a->radius ? a->radius[i] : 0;
            fprintf(f, " %.17g %.17g", born, a->volume ? a->volume[i] : 4 * M_PI / 3 * born * born * born);
        }
        fprintf(f, "\n");
    }
    for (tw_int l = 0; l < a->nlinks; l++)
        fprintf(f, "%" PRId64 " %" PRId64 " %.17g %.17g\n", a->link[l].i, a->link[l].j, a->link[l].stiffness,
                a->link[l].length);
    fprintf(f, "end\n");
}

/* c NULL: without settings. An infinite eps_out is written as 0, which no other is. */
static int save(const char *path, const tw_atoms *a, const tw_cutoff *c, double dt, tw_int step)
{
    struct tw_outfile f;
    int e = tw_outfile_open(&f, path);

    if (e) return e;
    void *locale = tw_c_locale_enter();
    fprintf(f.stream, "%s\n%" PRId64 " %" PRId64 " %" PRId64 " %.17g %.17g %.17g %d\n", c ? magic_with_settings : magic,
            a->n, a->nlinks, step, a->box[0], a->box[1], a->box[2], a->born || a->volume);
    if (c)
        fprintf(f.stream, "%d %d %d %" PRId64 " %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", c->vdw, c->electrostatics,
                c->type, c->reuse, c->cutoff, c->skin, c->constant, c->eps_in, isinf(c->eps_out) ? 0 : c->eps_out,
                c->switch_on, dt);
    write_atoms(f.stream, a);
    tw_c_locale_leave(locale);
    return tw_outfile_commit(&f);
}

int tw_atoms_checkpoint(const char *path, const tw_atoms *a, tw_int step)
{
    if (!path) return tw_illegal("tw_atoms_checkpoint", 1, "NULL");
    if (!a) return tw_illegal("tw_atoms_checkpoint", 2, "NULL");
    return save(path, a, NULL, 0, step);
}

int tw_cutoff_save(const char *path, const tw_atoms *a, const tw_cutoff *c, double dt, tw_int step)
{
    if (!path) return tw_illegal("tw_cutoff_save", 1, "NULL");
    if (!a) return tw_illegal("tw_cutoff_save", 2, "NULL");
    if (!c) return tw_illegal("tw_cutoff_save", 3, "NULL");
    if (!isfinite(dt)) return tw_illegal("tw_cutoff_save", 4, "not a finite number");
    return save(path, a, c, dt, step);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int bad(const struct tw_reader *r, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s, line %" PRId64 ": %s", r->name, r->line, what);
}
/* The next line, which must be there. */
static int line_of(struct tw_reader *r, const char **s)
{
    char *line;
    size_t length;
    const int e = tw_reader_line(r, 0, &line, &length);

    *s = line;
    return e < 0 ? e : e == 0 ? tw_fail(TW_E_FORMAT, "%s: the checkpoint is not complete", r->name) : 0;
}
static int numbers(const struct tw_reader *r, const char *s, int count, double *value)
{
    for (int k = 0; k < count; k++) {
        s += strspn(s, " ");
        if (tw_number_parse(s, &s, &value[k]) != TW_NUMBER_OK || (*s && *s != ' '))
            return bad(r, "expected finite numbers");
    }
    return s[strspn(s, " ")] ? bad(r, "too many numbers") : 0;
}

static int parse_atom(const struct tw_reader *r, const char *s, tw_atoms *a, tw_int i)
{
    double value[12];
    const size_t length = strcspn(s, " ");
    int e;

    if (read_name(s, length, a->name[i])) return bad(r, "expected a name of at most 8 characters");
    if ((e = numbers(r, s + length, a->born ? 12 : 10, value))) return e;
    memcpy(a->x + 3 * i, value, 3 * sizeof(double));
    memcpy(a->v + 3 * i, value + 3, 3 * sizeof(double));
    a->mass[i] = value[6];
    a->charge[i] = value[7];
    a->radius[i] = value[8];
    a->depth[i] = value[9];
    if (a->born) {
        a->born[i] = value[10];
        a->volume[i] = value[11];
    }
    return 0;
}

static int whole_number(double x, double low, double high)
{
    return x >= low && x <= high && x == floor(x);
}

static int parse_settings(struct tw_reader *r, tw_cutoff *c, double *dt)
{
    double v[11];
    const char *s;
    int e;

    if ((e = line_of(r, &s)) || (e = numbers(r, s, 11, v))) return e;
    if (!whole_number(v[0], TW_VDW_NONE, TW_VDW_SMOOTH) ||
        !whole_number(v[1], TW_ELECTROSTATICS_NONE, TW_ELECTROSTATICS_BORN) ||
        !whole_number(v[2], TW_FLOAT, TW_DOUBLE) || !whole_number(v[3], 1, 1e15) || !(v[4] > 0) || !(v[5] >= 0) ||
        !(v[7] > 0) || !(v[8] >= 0) || !(v[9] >= 0))
        return bad(r, "these are no settings of a run");
    *c = (tw_cutoff){.vdw = (enum tw_vdw)v[0],
                     .electrostatics = (enum tw_electrostatics)v[1],
                     .type = (enum tw_type)v[2],
                     .reuse = (tw_int)v[3],
                     .cutoff = v[4],
                     .skin = v[5],
                     .constant = v[6],
                     .eps_in = v[7],
                     .eps_out = v[8] > 0 ? v[8] : INFINITY,
                     .switch_on = v[9]};
    *dt = v[10];
    return 0;
}

static int parse_header(struct tw_reader *r, tw_int whole[3], double box[4], tw_cutoff *c, double *dt)
{
    const char *s;
    int e, settings;

    if ((e = line_of(r, &s))) return e;
    settings = !strcmp(s, magic_with_settings);
    if (!settings && strcmp(s, magic)) return bad(r, "this is no checkpoint of atoms");
    if ((e = line_of(r, &s))) return e;
    for (int k = 0; k < 3; k++) {
        s += strspn(s, " ");
        if (tw_integer_parse(s, &s, &whole[k]) != TW_NUMBER_OK || *s != ' ' || whole[k] < 0)
            return bad(r, "expected numbers of atoms and links, and of the step");
    }
    if ((e = numbers(r, s, 4, box))) return e;
    return settings ? parse_settings(r, c, dt) : 0;
}

static int parse(struct tw_reader *r, tw_atoms *a, tw_cutoff *c, double *dt, tw_int *step)
{
    tw_int whole[3];
    double box[4], value[4];
    const char *s;
    int e;

    if ((e = parse_header(r, whole, box, c, dt)) || (e = tw_atoms_room(a, r->name, whole[0], whole[1]))) return e;
    memcpy(a->box, box, sizeof a->box);
    if (box[3] != 0) {
        a->born = tw_io_alloc(r->name, a->n, sizeof(double), &e);
        if (!e) a->volume = tw_io_alloc(r->name, a->n, sizeof(double), &e);
    }
    for (tw_int i = 0; i < a->n && !e; i++)
        if (!(e = line_of(r, &s))) e = parse_atom(r, s, a, i);
    for (tw_int l = 0; l < a->nlinks && !e; l++)
        if (!(e = line_of(r, &s)) && !(e = numbers(r, s, 4, value))) {
            for (int k = 0; k < 2; k++)
                if (!(value[k] >= 0 && value[k] < (double)a->n) || value[k] != floor(value[k]))
                    return bad(r, "expected two atoms, a stiffness and a length");
            a->link[l] = (tw_bond){(tw_int)value[0], (tw_int)value[1], value[2], value[3]};
        }
    if (e || (e = line_of(r, &s))) return e;
    if (strcmp(s, "end")) return bad(r, "expected the end");
    if (step) *step = whole[2];
    return 0;
}

int tw_atoms_parse_checkpoint(struct tw_reader *r, tw_atoms *a, tw_int *step)
{
    tw_cutoff c;
    double dt;
    return parse(r, a, &c, &dt, step);
}

static int load(const char *path, tw_atoms *a, tw_cutoff *c, double *dt, tw_int *step)
{
    struct tw_reader r;
    int e;

    if ((e = tw_reader_open(&r, path))) return e;
    e = parse(&r, a, c, dt, step);
    if (e) tw_atoms_free(a);
    tw_reader_close(&r);
    return e;
}

int tw_atoms_restart(const char *path, tw_atoms *a, tw_int *step)
{
    tw_cutoff c;
    double dt;

    if (!a) return tw_illegal("tw_atoms_restart", 2, "NULL");
    *a = (tw_atoms){0};
    if (!path) return tw_illegal("tw_atoms_restart", 1, "NULL");
    return load(path, a, &c, &dt, step);
}

int tw_cutoff_load(const char *path, tw_atoms *a, tw_cutoff *c, double *dt, tw_int *step)
{
    const char *routine = "tw_cutoff_load";
    tw_cutoff settings = {.cutoff = 0};
    double length = 0;
    int e;

    if (!a) return tw_illegal(routine, 2, "NULL");
    *a = (tw_atoms){0};
    if (!path) return tw_illegal(routine, 1, "NULL");
    if (!c) return tw_illegal(routine, 3, "NULL");
    if ((e = load(path, a, &settings, &length, step))) return e;
    *c = settings;
    if (dt) *dt = length;
    return 0;
}
