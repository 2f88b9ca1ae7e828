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
    if (!a) return;
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

/* What a file without a telling name begins with, standard input above all. */
static int begins_with(struct tw_reader *r, const char *const *words)
{
    const char *start = NULL;
    const tw_int got = tw_reader_peek(r, 16, &start);

    for (; *words; words++)
        if (got >= (tw_int)strlen(*words) && !strncmp(start, *words, strlen(*words))) return 1;
    return 0;
}

int tw_atoms_parse(struct tw_reader *r, int bonds, tw_atoms *a, tw_int *step)
{
    static const char *const checkpoint[] = {"tilework atoms ", NULL}, *const records[] = {"HEADER", "TITLE ", "COMPND",
                                                                                           "AUTHOR", "REMARK", "CRYST1",
                                                                                           "MODEL ", "ATOM  ", "HETATM",
                                                                                           NULL};
    const int pqr = ends_in(r->name, ".pqr");
    int e;

    *a = (tw_atoms){0};
    if (ends_in(r->name, ".atoms") || begins_with(r, checkpoint))
        e = tw_atoms_parse_checkpoint(r, a, step);
    else if (pqr || ends_in(r->name, ".pdb") || ends_in(r->name, ".ent") || begins_with(r, records))
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

/* ---- writing ----------------------------------------------------------------------------------------------------- */

const char *tw_atom_name(const tw_atoms *a, tw_int i)
{
    return a->name && a->name[i][0] ? a->name[i] : "X";
}

/* Names may hold anything, blanks as well, and all of their bytes may be taken. Files have words: XYZ gets _ for what
 * no word can hold. */
static const char *word_of(const tw_atoms *a, tw_int i, char word[TW_ATOM_NAME + 1])
{
    int k = 0;
    for (const char *s = tw_atom_name(a, i); k < TW_ATOM_NAME && s[k]; k++)
        word[k] = tw_in_words(s[k]) ? s[k] : '_';
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
    if (!ends_in(path, ".xyz") && !ends_in(path, ".pdb") && strcmp(path, "-") != 0)
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
