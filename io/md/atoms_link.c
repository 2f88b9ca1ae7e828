/* Elements, and which atoms are bonded. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/md/atoms.h"

/* Masses; half the distance of least energy and depth in kcal/mol of the Universal Force Field (Rappé and others 1992);
 * covalent radii (Cordero and others 2008). Carbon comes first: it stands for what is unknown. */
static const struct tw_element elements[] = {
    {"C", 12.011, 1.9255, 0.105, 0.76},  {"H", 1.008, 1.443, 0.044, 0.31},    {"N", 14.007, 1.83, 0.069, 0.71},
    {"O", 15.999, 1.75, 0.06, 0.66},     {"S", 32.06, 2.0175, 0.274, 1.05},   {"P", 30.974, 2.0735, 0.305, 1.07},
    {"F", 18.998, 1.682, 0.05, 0.57},    {"CL", 35.45, 1.9735, 0.227, 1.02},  {"BR", 79.904, 2.0945, 0.251, 1.20},
    {"I", 126.904, 2.25, 0.339, 1.39},   {"NA", 22.990, 1.4915, 0.03, 1.66},  {"MG", 24.305, 1.5105, 0.111, 1.41},
    {"K", 39.098, 1.906, 0.035, 2.03},   {"CA", 40.078, 1.6995, 0.238, 1.76}, {"MN", 54.938, 1.4805, 0.013, 1.39},
    {"FE", 55.845, 1.456, 0.013, 1.32},  {"CU", 63.546, 1.7475, 0.005, 1.32}, {"ZN", 65.38, 1.3815, 0.124, 1.22},
    {"SE", 78.971, 2.1025, 0.291, 1.20}, {"AR", 39.948, 1.934, 0.185, 1.06},  {"HE", 4.0026, 1.181, 0.056, 0.28},
    {"SI", 28.085, 2.1475, 0.402, 1.11}, {"B", 10.81, 2.0415, 0.18, 0.84},    {"LI", 6.94, 1.2255, 0.025, 1.28}};
enum { NELEMENTS = sizeof elements / sizeof *elements };

const struct tw_element *tw_element_find(const char *symbol, size_t length, int *known)
{
    for (int k = 0; k < NELEMENTS; k++)
        if (strlen(elements[k].symbol) == length && !strncasecmp(elements[k].symbol, symbol, length)) {
            if (known) *known = 1;
            return &elements[k];
        }
    if (known) *known = 0;
    return &elements[0];
}

const struct tw_element *tw_element_of_mass(double mass)
{
    for (int k = 0; k < NELEMENTS; k++)
        if (elements[k].mass == mass) return &elements[k];
    return NULL;
}

void tw_atom_set(tw_atoms *a, tw_int i, const char *name, const struct tw_element *e)
{
    strncpy(a->name[i], name, TW_ATOM_NAME - 1);
    a->mass[i] = e->mass;
    a->radius[i] = e->radius;
    a->depth[i] = e->depth;
}

int tw_bonds_add(struct tw_bonds *b, tw_int i, tw_int j)
{
    if (b->count == b->room) {
        const tw_int room = b->room ? 2 * b->room : 1024;
        tw_int *pair = realloc(b->pair, 2 * (size_t)room * sizeof *pair);
        if (!pair) return tw_fail(TW_E_MEMORY, "no memory for %lld bonds", (long long)room);
        b->pair = pair;
        b->room = room;
    }
    b->pair[2 * b->count] = i;
    b->pair[2 * b->count++ + 1] = j;
    return 0;
}

/* ---- bonds of every atom ----------------------------------------------------------------------------------------- */

enum { MOST_BONDS = 5 };
struct partners {
    tw_int to[MOST_BONDS];
    int count;
};

static int bonded(const struct partners *p, tw_int i, tw_int j)
{
    for (int k = 0; k < p[i].count; k++)
        if (p[i].to[k] == j) return 1;
    return 0;
}
static void join(struct partners *p, tw_int i, tw_int j)
{
    if (i == j || p[i].count == MOST_BONDS || p[j].count == MOST_BONDS || bonded(p, i, j)) return;
    p[i].to[p[i].count++] = j;
    p[j].to[p[j].count++] = i;
}

static const struct tw_element *element_of(const tw_atoms *a, tw_int i)
{
    const struct tw_element *e = tw_element_of_mass(a->mass[i]);
    return e ? e : &elements[0];
}

/* Atoms by cells of a cube's shape: near ones are in the same cell or in neighbours. */
struct place {
    double cell[3];
    tw_int i;
};
static int compare(const double *p, const double *q)
{
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}
static int by_cell(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    const int c = compare(p->cell, q->cell);
    return c ? c : p->i < q->i ? -1 : p->i > q->i;
}
/* The first place whose cell is not before this one. */
static tw_int first_of(const struct place *order, tw_int n, const double cell[3])
{
    tw_int a = 0, b = n;
    while (a < b) {
        const tw_int m = a + (b - a) / 2;
        if (compare(order[m].cell, cell) < 0)
            a = m + 1;
        else
            b = m;
    }
    return a;
}

static double distance(const tw_atoms *a, tw_int i, tw_int j)
{
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        const double d = a->x[3 * i + k] - a->x[3 * j + k];
        r2 += d * d;
    }
    return sqrt(r2);
}

/* Nearer than the sum of the covalent radii and 0.4 (and farther than 0.5: two places of one atom); hydrogens not to
 * each other. */
static void join_pair(const tw_atoms *a, struct partners *p, tw_int i, tw_int j)
{
    const struct tw_element *s = element_of(a, i), *t = element_of(a, j);
    const double r = distance(a, i, j);
    if (r > 0.5 && r < s->covalent + t->covalent + 0.4 && (s->mass > 2 || t->mass > 2)) join(p, i, j);
}

static int join_near(const tw_atoms *a, const char *what, struct partners *p)
{
    /* Half of the neighbouring rows of cells along z: the other half finds the pairs from there. */
    static const double rows[5][2] = {{0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
    const double reach = 2 * 2.03 + 0.4;
    int e = 0;
    struct place *order = tw_io_alloc(what, a->n, sizeof *order, &e);

    if (e) return e;
    for (tw_int i = 0; i < a->n; i++) {
        order[i].i = i;
        for (int k = 0; k < 3; k++)
            order[i].cell[k] = floor(a->x[3 * i + k] / reach);
    }
    if (a->n > 0) qsort(order, (size_t)a->n, sizeof *order, by_cell);
    for (tw_int k = 0; k < a->n; k++)
        for (int row = 0; row < 5; row++) {
            const double *c = order[k].cell, from[3] = {c[0] + rows[row][0], c[1] + rows[row][1], c[2] - 1},
                         to[3] = {from[0], from[1], c[2] + 1};
            for (tw_int l = row ? first_of(order, a->n, from) : k + 1; l < a->n && compare(order[l].cell, to) <= 0; l++)
                join_pair(a, p, order[k].i, order[l].i);
        }
    free(order);
    return 0;
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

/* kcal/mol/angstrom^2: of bonds, and of the outer atoms of angles. */
#define STIFF_BOND  600.0
#define STIFF_ANGLE 100.0

/* Each pair once, bonds before angles; with link == NULL only counted. */
static tw_int links(const tw_atoms *a, const struct partners *p, int angles, tw_bond *link)
{
    tw_int n = 0;

    for (tw_int i = 0; i < a->n; i++)
        for (int k = 0; k < p[i].count; k++) {
            const tw_int j = p[i].to[k];
            if (j < i) continue;
            if (link) link[n] = (tw_bond){i, j, STIFF_BOND, distance(a, i, j)};
            n++;
        }
    for (tw_int i = 0; angles && i < a->n; i++) { /* i - c - j, for every j that no earlier c reached */
        tw_int seen[MOST_BONDS * MOST_BONDS];
        int count = 0;
        for (int k = 0; k < p[i].count; k++) {
            const struct partners *c = &p[p[i].to[k]];
            for (int l = 0; l < c->count; l++) {
                const tw_int j = c->to[l];
                int before = j <= i || bonded(p, i, j);
                for (int s = 0; s < count; s++)
                    before |= seen[s] == j;
                if (before) continue;
                seen[count++] = j;
                if (link) link[n] = (tw_bond){i, j, STIFF_ANGLE, distance(a, i, j)};
                n++;
            }
        }
    }
    return n;
}

int tw_atoms_link(tw_atoms *a, const char *what, const struct tw_bonds *bonds, int near)
{
    int e = 0;
    struct partners *p = tw_io_alloc(what, a->n, sizeof *p, &e);

    if (e) return e;
    for (tw_int i = 0; i < a->n; i++)
        p[i].count = 0;
    for (tw_int b = 0; b < bonds->count; b++)
        join(p, bonds->pair[2 * b], bonds->pair[2 * b + 1]);
    if (near) e = join_near(a, what, p);
    if (!e) {
        const tw_int n = links(a, p, near, NULL);
        if (n > 0) a->link = tw_io_alloc(what, n, sizeof(tw_bond), &e);
        if (!e) a->nlinks = n > 0 ? links(a, p, near, a->link) : 0;
    }
    free(p);
    return e;
}
