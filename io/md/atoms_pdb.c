/* PDB files (fixed columns) and PQR files (words; charge and radius behind the coordinates). */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/md/atoms.h"

struct record {
    double x[3], charge, radius;
    char name[TW_ATOM_NAME];
    const struct tw_element *element;
    tw_int serial; /* -1: none */
};
struct pdb {
    struct tw_reader *r;
    struct record *record;
    tw_int n, room;
    struct tw_bonds bonds; /* serial numbers */
};

static int bad(const struct pdb *p, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s, line %" PRId64 ": %s", p->r->name, p->r->line, what);
}

static int grow(struct pdb *p)
{
    if (p->n < p->room) return 0;
    const tw_int room = p->room ? 2 * p->room : 1024;
    const int e = tw_io_fits(p->r->name, (double)room * sizeof(struct record));
    struct record *more = e ? NULL : realloc(p->record, (size_t)room * sizeof *more);
    if (e) return e;
    if (!more) return tw_fail(TW_E_MEMORY, "%s: no memory for %" PRId64 " atoms", p->r->name, room);
    p->record = more;
    p->room = room;
    return 0;
}

/* Columns from … to - 1 (from 0) without blanks around them; what lies behind the line's end is blank. */
static void field(const char *line, size_t length, size_t from, size_t to, char out[16])
{
    size_t n = 0;

    if (to > length) to = length;
    while (from < to && line[from] == ' ')
        from++;
    while (to > from && line[to - 1] == ' ')
        to--;
    for (; from < to && n < 15; from++)
        out[n++] = line[from];
    out[n] = 0;
}
/* A finite number that fills the text: 1. */
static int number(const char *text, double *value)
{
    const char *end;
    return tw_number_parse(text, &end, value) == TW_NUMBER_OK && !*end;
}
static tw_int integer(const char *text)
{
    const char *end;
    tw_int value;
    return tw_integer_parse(text, &end, &value) == TW_NUMBER_OK && !*end && value >= 0 ? value : -1;
}

/* The element is in its own columns or, in older files, at the name's beginning: two letters only where the name begins
 * one column early and the atom belongs to no chain (HETATM), for HG11 is a hydrogen. */
static const struct tw_element *element_of(const char *line, size_t length, int het, const char *name)
{
    const struct tw_element *e = NULL;
    char symbol[16];
    int known = 0;

    field(line, length, 76, 78, symbol);
    if (symbol[0]) e = tw_element_find(symbol, strlen(symbol), &known);
    if (known) return e;
    while (isdigit((unsigned char)*name))
        name++;
    if (het && length > 12 && isalpha((unsigned char)line[12]) && strlen(name) >= 2) {
        e = tw_element_find(name, 2, &known);
        if (known) return e;
    }
    return tw_element_find(name, *name ? 1 : 0, NULL);
}

static int pdb_atom(struct pdb *p, const char *line, size_t length, int het)
{
    struct record *a;
    char text[16];
    int e;

    field(line, length, 16, 17, text);
    if (text[0] && strcmp(text, "A") && strcmp(text, "1")) return 0; /* another place of the same atom */
    if ((e = grow(p))) return e;
    a = &p->record[p->n];
    *a = (struct record){.radius = -1};
    for (size_t k = 0; k < 3; k++) {
        field(line, length, 30 + 8 * k, 38 + 8 * k, text);
        if (!number(text, &a->x[k])) return bad(p, "expected finite coordinates in columns 31 to 54");
    }
    field(line, length, 12, 16, text);
    memcpy(a->name, text[0] ? text : "X", strlen(text[0] ? text : "X") + 1);
    a->element = element_of(line, length, het, text);
    field(line, length, 6, 11, text);
    a->serial = integer(text);
    p->n++;
    return 0;
}

/* Where x is among the words: ATOM serial name residue [chain] number x y z charge radius …. A chain may be missing or
 * be a digit; what follows the radius is of no interest. A residue's number is whole, but may end in a letter. */
static int pqr_place(char (*word)[32], int n)
{
    enum { PLAIN = 5, CHAIN = 6 };
    const char *number_of = word[PLAIN] + (word[PLAIN][0] == '-');
    const size_t digits = strspn(number_of, "0123456789"), left = strlen(number_of) - digits;

    return n >= CHAIN + 5 && digits > 0 && (left == 0 || (left == 1 && isalpha((unsigned char)number_of[digits])))
               ? CHAIN
               : PLAIN;
}
static int pqr_atom(struct pdb *p, const char *line)
{
    enum { MOST = 11 };
    char word[MOST][32] = {{0}};
    double value[5];
    struct record *a;
    int n = 0, e;

    for (const char *s = line + strspn(line, " \t"); *s && n < MOST; n++) {
        const size_t length = strcspn(s, " \t");
        if (length > 31) return bad(p, "a word is longer than 31 characters");
        memcpy(word[n], s, length);
        word[n][length] = 0;
        s += length;
        s += strspn(s, " \t");
    }
    if (n < 10) return bad(p, "expected ATOM, number, name, residue, [chain,] number, x, y, z, charge, radius");
    const int at = pqr_place(word, n);
    for (int k = 0; k < 5; k++)
        if (!number(word[at + k], &value[k])) return bad(p, "expected finite x, y, z, charge and radius");
    if (value[4] < 0) return bad(p, "the radius is negative");
    if ((e = grow(p))) return e;
    a = &p->record[p->n++];
    *a = (struct record){
        .x = {value[0], value[1], value[2]}, .charge = value[3], .radius = value[4], .serial = integer(word[1])};
    memcpy(a->name, word[2], TW_ATOM_NAME - 1); /* the rest of the word is dropped */
    a->name[strnlen(word[2], TW_ATOM_NAME - 1)] = 0;
    const char *letter = a->name + strspn(a->name, "0123456789");
    a->element = tw_element_find(letter, *letter ? 1 : 0, NULL);
    return 0;
}

static int conect(struct pdb *p, const char *line, size_t length)
{
    char text[16];
    int e = 0;

    field(line, length, 6, 11, text);
    const tw_int from = integer(text);
    for (size_t k = 0; k < 4 && from >= 0 && !e; k++) {
        field(line, length, 11 + 5 * k, 16 + 5 * k, text);
        const tw_int to = integer(text);
        if (to >= 0) e = tw_bonds_add(&p->bonds, from, to);
    }
    return e;
}

/* ---- serial numbers to atoms ------------------------------------------------------------------------------------- */

struct serial {
    tw_int serial, i;
};
static int by_serial(const void *a, const void *b)
{
    const struct serial *p = a, *q = b;
    return p->serial < q->serial ? -1 : p->serial > q->serial ? 1 : p->i < q->i ? -1 : p->i > q->i;
}
static tw_int atom_of(const struct serial *s, tw_int n, tw_int serial)
{
    tw_int a = 0, b = n;
    while (a < b) {
        const tw_int m = a + (b - a) / 2;
        if (s[m].serial < serial)
            a = m + 1;
        else
            b = m;
    }
    return a < n && s[a].serial == serial ? s[a].i : -1;
}
/* Bonds of atoms that are not there are dropped. */
static int resolve(struct pdb *p)
{
    int e = 0;
    tw_int kept = 0;
    struct serial *s;

    if (p->bonds.count == 0) return 0;
    if (!(s = tw_io_alloc(p->r->name, p->n, sizeof *s, &e))) return e;
    for (tw_int i = 0; i < p->n; i++)
        s[i] = (struct serial){p->record[i].serial, i};
    if (p->n > 0) qsort(s, (size_t)p->n, sizeof *s, by_serial);
    for (tw_int b = 0; b < p->bonds.count; b++) {
        const tw_int i = atom_of(s, p->n, p->bonds.pair[2 * b]), j = atom_of(s, p->n, p->bonds.pair[2 * b + 1]);
        if (i < 0 || j < 0) continue;
        p->bonds.pair[2 * kept] = i;
        p->bonds.pair[2 * kept++ + 1] = j;
    }
    p->bonds.count = kept;
    free(s);
    return 0;
}

static int make(struct pdb *p, int bonds, tw_atoms *a)
{
    int e = tw_atoms_room(a, p->r->name, p->n, 0);

    for (tw_int i = 0; i < p->n && !e; i++) {
        const struct record *q = &p->record[i];
        tw_atom_set(a, i, q->name, q->element);
        memcpy(a->x + 3 * i, q->x, sizeof q->x);
        a->charge[i] = q->charge;
        if (q->radius >= 0) a->radius[i] = q->radius;
    }
    if (!e) e = resolve(p);
    return e || (!bonds && p->bonds.count == 0) ? e : tw_atoms_link(a, p->r->name, &p->bonds, bonds);
}

int tw_atoms_parse_pdb(struct tw_reader *r, int bonds, int pqr, tw_atoms *a)
{
    struct pdb p = {.r = r};
    char *line;
    size_t length;
    int e, model = 1;

    while ((e = tw_reader_line(r, 0, &line, &length)) > 0) {
        const int het = !strncmp(line, "HETATM", 6), atom = het || !strncmp(line, "ATOM", 4);
        if (!strncmp(line, "ENDMDL", 6)) model = 0;
        e = 0;
        if (atom && model)
            e = pqr ? pqr_atom(&p, line) : pdb_atom(&p, line, length, het);
        else if (!strncmp(line, "CONECT", 6))
            e = conect(&p, line, length);
        if (e) break;
    }
    if (!e && p.n == 0) e = tw_fail(TW_E_FORMAT, "%s: there are no ATOM or HETATM lines", r->name);
    if (!e) e = make(&p, bonds, a);
    free(p.record);
    free(p.bonds.pair);
    return e;
}
