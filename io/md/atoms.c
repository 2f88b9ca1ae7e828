/* Atoms: memory, which file holds them, checkpoints. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/md/atoms.h"
#include "io/nbody/particles.h"
#include "runtime/base/file.h"

void tw_atoms_free(tw_atoms *a)
{
    free(a->x), free(a->v), free(a->mass), free(a->charge), free(a->radius), free(a->depth), free(a->born);
    free(a->volume), free(a->name), free(a->link);
    *a = (tw_atoms){0};
}

int tw_atoms_room(tw_atoms *a, const char *what, tw_int n, tw_int nlinks)
{
    int e = 0;

    *a = (tw_atoms){0};
    if (n > INT64_MAX / 256 || nlinks > INT64_MAX / 256)
        return tw_fail(TW_E_MEMORY, "%s: %" PRId64 " atoms, %" PRId64 " links", what, n, nlinks);
    if ((e = tw_io_fits(what, 88.0 * (double)n + sizeof(tw_bond) * (double)nlinks))) return e;
    double **arrays[] = {&a->x, &a->v, &a->mass, &a->charge, &a->radius, &a->depth};
    for (int k = 0; k < 6 && !e; k++) {
        const tw_int count = k < 2 ? 3 * n : n;
        if ((*arrays[k] = tw_io_alloc(what, count, sizeof(double), &e)))
            memset(*arrays[k], 0, (size_t)count * sizeof(double));
    }
    if (!e && (a->name = tw_io_alloc(what, n, TW_ATOM_NAME, &e))) memset(a->name, 0, (size_t)n * TW_ATOM_NAME);
    if (!e && nlinks > 0 && (a->link = tw_io_alloc(what, nlinks, sizeof(tw_bond), &e)))
        memset(a->link, 0, (size_t)nlinks * sizeof(tw_bond));
    if (e) {
        tw_atoms_free(a);
        return e;
    }
    a->n = n;
    a->nlinks = nlinks;
    for (tw_int i = 0; i < n; i++)
        a->mass[i] = 1;
    return 0;
}

int tw_atoms_alloc(tw_atoms *a, tw_int n, tw_int nlinks)
{
    if (!a) return tw_illegal("tw_atoms_alloc", 1, "NULL");
    *a = (tw_atoms){0};
    if (n < 0) return tw_illegal("tw_atoms_alloc", 2, "negative");
    if (nlinks < 0) return tw_illegal("tw_atoms_alloc", 3, "negative");
    return tw_atoms_room(a, "atoms", n, nlinks);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && !strcasecmp(name + n - m, end);
}

/* Particles of unknown kind: carbon's sizes, their own charge and velocity. */
static int from_particles(struct tw_reader *r, int bonds, tw_atoms *a)
{
    const struct tw_bonds none = {0};
    tw_particles p;
    int e = tw_particles_parse(r, 1, &p);

    if (e) return e;
    e = tw_atoms_room(a, r->name, p.n, 0);
    for (tw_int i = 0; !e && i < p.n; i++) {
        tw_atom_set(a, i, "C", tw_element_find("C", 1, NULL));
        memcpy(a->x + 3 * i, p.x + 3 * i, 3 * sizeof(double));
        memcpy(a->v + 3 * i, p.v + 3 * i, 3 * sizeof(double));
        a->charge[i] = p.q[i];
    }
    tw_particles_free(&p);
    return e || !bonds ? e : tw_atoms_link(a, r->name, &none, 1);
}

int tw_atoms_parse(struct tw_reader *r, int bonds, tw_atoms *a, tw_int *step)
{
    const int pqr = ends_in(r->name, ".pqr");
    int e;

    *a = (tw_atoms){0};
    if (ends_in(r->name, ".atoms"))
        e = tw_atoms_parse_checkpoint(r, a, step);
    else if (pqr || ends_in(r->name, ".pdb") || ends_in(r->name, ".ent"))
        e = tw_atoms_parse_pdb(r, bonds, pqr, a);
    else
        e = from_particles(r, bonds, a);
    if (e) tw_atoms_free(a);
    return e;
}

int tw_atoms_read(const char *path, int bonds, tw_atoms *a)
{
    struct tw_reader r;
    int e;

    if (!a) return tw_illegal("tw_atoms_read", 3, "NULL");
    *a = (tw_atoms){0};
    if (!path) return tw_illegal("tw_atoms_read", 1, "NULL");
    if ((e = tw_reader_open(&r, path))) return e;
    e = tw_atoms_parse(&r, bonds, a, NULL);
    tw_reader_close(&r);
    return e;
}

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static const char *name_of(const tw_atoms *a, tw_int i)
{
    return a->name && a->name[i][0] ? a->name[i] : "X";
}

/* Names may hold anything, blanks as well, and all of their bytes may be taken. Files have words: XYZ gets _ for what no word can hold. */
static int in_words(char c)
{
    return (unsigned char)c > ' ' && c != 127;
}
static const char *word_of(const tw_atoms *a, tw_int i, char word[TW_ATOM_NAME + 1])
{
    int k = 0;
    for (const char *s = name_of(a, i); k < TW_ATOM_NAME && s[k]; k++)
        word[k] = in_words(s[k]) ? s[k] : '_';
    word[k] = 0;
    return word;
}

static void write_xyz(FILE *f, const tw_atoms *a)
{
    fprintf(f, "%" PRId64 "\nname x y z charge vx vy vz\n", a->n);
    for (tw_int i = 0; i < a->n; i++) {
        const double *x = a->x + 3 * i, v[3] = {0}, *speed = a->v ? a->v + 3 * i : v;
        char word[TW_ATOM_NAME + 1];
        fprintf(f, "%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", word_of(a, i, word), x[0], x[1], x[2],
                a->charge ? a->charge[i] : 0, speed[0], speed[1], speed[2]);
    }
}

static int write_pdb(FILE *f, const char *path, const tw_atoms *a)
{
    for (tw_int i = 0; i < a->n; i++) {
        const double *x = a->x + 3 * i;
        char name[TW_ATOM_NAME + 1];
        const struct tw_element *e = a->mass ? tw_element_of_mass(a->mass[i]) : NULL;
        word_of(a, i, name);
        for (int k = 0; k < 3; k++)
            if (!(x[k] > -999.9994 && x[k] < 9999.9994))
                return tw_fail(TW_E_FORMAT,
                               "%s: coordinate %g of atom %" PRId64 " does not fit into a PDB file; write an .xyz file",
                               path, x[k], i + 1);
        fprintf(f, "HETATM%5d %c%-3.3s MOL A   1    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", (int)(i % 99999) + 1,
                strlen(name) > 3 ? name[0] : ' ', strlen(name) > 3 ? name + 1 : name, x[0], x[1], x[2],
                e ? e->symbol : "");
    }
    fprintf(f, "END\n");
    return 0;
}

int tw_atoms_write(const char *path, const tw_atoms *a)
{
    struct tw_outfile f;
    void *locale;
    int e;

    if (!path) return tw_illegal("tw_atoms_write", 1, "NULL");
    if (!a) return tw_illegal("tw_atoms_write", 2, "NULL");
    if (!ends_in(path, ".xyz") && !ends_in(path, ".pdb"))
        return tw_illegal("tw_atoms_write", 1, "the file's name ends neither in .xyz nor in .pdb");
    if ((e = tw_outfile_open(&f, path))) return e;
    locale = tw_c_locale_enter();
    if (ends_in(path, ".pdb"))
        e = write_pdb(f.stream, path, a);
    else
        write_xyz(f.stream, a);
    tw_c_locale_leave(locale);
    if (!e) return tw_outfile_commit(&f);
    tw_outfile_abandon(&f);
    return e;
}

/* ---- checkpoints: text, 17 digits, which give the same numbers back ------------------------------------------------------ */

static const char magic[] = "tilework atoms 1";

/* A checkpoint keeps names as they are: what no word can hold, and %, as % and two hexadecimal digits. */
static void write_name(FILE *f, const char *name)
{
    for (int k = 0; k < TW_ATOM_NAME && name[k]; k++)
        fprintf(f, in_words(name[k]) && name[k] != '%' ? "%c" : "%%%02X", (unsigned char)name[k]);
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

int tw_atoms_checkpoint(const char *path, const tw_atoms *a, tw_int step)
{
    struct tw_outfile f;
    void *locale;
    int e;

    if (!path) return tw_illegal("tw_atoms_checkpoint", 1, "NULL");
    if (!a) return tw_illegal("tw_atoms_checkpoint", 2, "NULL");
    if ((e = tw_outfile_open(&f, path))) return e;
    locale = tw_c_locale_enter();
    fprintf(f.stream, "%s\n%" PRId64 " %" PRId64 " %" PRId64 " %.17g %.17g %.17g %d\n", magic, a->n, a->nlinks, step,
            a->box[0], a->box[1], a->box[2], a->born || a->volume);
    for (tw_int i = 0; i < a->n; i++) {
        const double *x = a->x + 3 * i, zero[3] = {0}, *v = a->v ? a->v + 3 * i : zero;
        write_name(f.stream, name_of(a, i));
        fprintf(f.stream, " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", x[0], x[1], x[2], v[0], v[1],
                v[2], a->mass ? a->mass[i] : 1, a->charge ? a->charge[i] : 0, a->radius ? a->radius[i] : 0,
                a->depth ? a->depth[i] : 0);
        if (a->born || a->volume) { /* the one that is missing as the energy takes it */
            const double born = a->born ? a->born[i] : a->radius ? a->radius[i] : 0;
            fprintf(f.stream, " %.17g %.17g", born, a->volume ? a->volume[i] : 4 * M_PI / 3 * born * born * born);
        }
        fprintf(f.stream, "\n");
    }
    for (tw_int l = 0; l < a->nlinks; l++)
        fprintf(f.stream, "%" PRId64 " %" PRId64 " %.17g %.17g\n", a->link[l].i, a->link[l].j, a->link[l].stiffness,
                a->link[l].length);
    fprintf(f.stream, "end\n");
    tw_c_locale_leave(locale);
    return tw_outfile_commit(&f);
}

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

static int parse_header(struct tw_reader *r, tw_int whole[3], double box[4])
{
    const char *s;
    int e;

    if ((e = line_of(r, &s))) return e;
    if (strcmp(s, magic)) return bad(r, "this is no checkpoint of atoms");
    if ((e = line_of(r, &s))) return e;
    for (int k = 0; k < 3; k++) {
        s += strspn(s, " ");
        if (tw_integer_parse(s, &s, &whole[k]) != TW_NUMBER_OK || *s != ' ' || whole[k] < 0)
            return bad(r, "expected numbers of atoms and links, and of the step");
    }
    return numbers(r, s, 4, box);
}

int tw_atoms_parse_checkpoint(struct tw_reader *r, tw_atoms *a, tw_int *step)
{
    tw_int whole[3];
    double box[4], value[4];
    const char *s;
    int e;

    if ((e = parse_header(r, whole, box)) || (e = tw_atoms_room(a, r->name, whole[0], whole[1]))) return e;
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

int tw_atoms_restart(const char *path, tw_atoms *a, tw_int *step)
{
    struct tw_reader r;
    int e;

    if (!a) return tw_illegal("tw_atoms_restart", 2, "NULL");
    *a = (tw_atoms){0};
    if (!path) return tw_illegal("tw_atoms_restart", 1, "NULL");
    if ((e = tw_reader_open(&r, path))) return e;
    e = tw_atoms_parse_checkpoint(&r, a, step);
    if (e) tw_atoms_free(a);
    tw_reader_close(&r);
    return e;
}
