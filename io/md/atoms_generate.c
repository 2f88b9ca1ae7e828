/* Atoms by recipe. */
#include <math.h>
#include <string.h>

#include "io/md/atoms.h"

static double draw(uint64_t seed, tw_int i, tw_int k)
{
    return 0.5 + 0.5 * tw_uniform(tw_mix(seed + 0x61746F6D73u), i, k);
}

/* Maxwell's velocities for a temperature (in units of energy), no momentum in the whole. */
static void warm(tw_atoms *a, uint64_t seed, double temperature)
{
    double momentum[3] = {0}, mass = 0;

    for (tw_int i = 0; i < a->n; i++) {
        for (int k = 0; k < 3; k++) {
            const double gauss = sqrt(-2 * log(draw(seed, i, 10 + 2 * k))) * cos(2 * M_PI * draw(seed, i, 11 + 2 * k));
            a->v[3 * i + k] = gauss * sqrt(temperature / a->mass[i]);
            momentum[k] += a->mass[i] * a->v[3 * i + k];
        }
        mass += a->mass[i];
    }
    for (tw_int i = 0; i < 3 * a->n; i++)
        a->v[i] -= momentum[i % 3] / mass;
}

/* 4 m^3 atoms nearest to n. */
static int argon(tw_atoms *a, tw_int n, uint64_t seed)
{
    const double side = cbrt(4 / 0.8442);
    const tw_int m = n > 4 ? (tw_int)round(cbrt((double)n / 4)) : 1;
    const struct tw_element unit = {"Ar", 1, 0.5 * pow(2, 1.0 / 6), 1, 0};
    const int e = tw_atoms_alloc(a, 4 * m * m * m, 0);

    for (tw_int i = 0; i < a->n; i++) {
        const tw_int corner = i % 4, cell[3] = {i / 4 % m, i / 4 / m % m, i / 4 / m / m};
        tw_atom_set(a, i, "Ar", &unit);
        for (int k = 0; k < 3; k++)
            a->x[3 * i + k] = side * ((double)cell[k] + (corner == 0 || corner == k + 1 ? 0.25 : 0.75));
    }
    for (int k = 0; k < 3; k++)
        a->box[k] = side * (double)m;
    if (!e) warm(a, seed, 0.72);
    return e;
}

/* A cubic lattice of alternating charges, shaken: even sides, so that it is neutral. */
static int liquid(tw_atoms *a, tw_int n, uint64_t seed)
{
    const double side = cbrt(1 / 0.1);
    const tw_int m = n > 8 ? 2 * (tw_int)round(cbrt((double)n) / 2) : 2;
    const struct tw_element water = {"O", 18.015, 0.45 * side, 0.1, 0};
    const int e = tw_atoms_alloc(a, m * m * m, 0);

    for (tw_int i = 0; i < a->n; i++) {
        const tw_int cell[3] = {i % m, i / m % m, i / m / m};
        tw_atom_set(a, i, "O", &water);
        a->charge[i] = (cell[0] + cell[1] + cell[2]) % 2 ? 0.4 : -0.4;
        for (int k = 0; k < 3; k++)
            a->x[3 * i + k] = side * ((double)cell[k] + 0.5 + 0.2 * (draw(seed, i, k) - 0.5));
    }
    for (int k = 0; k < 3; k++)
        a->box[k] = side * (double)m;
    if (!e) warm(a, seed, 0.596); /* 300 K */
    return e;
}

/* Backbone and CB of alanines in an alpha helix: a turn of 100 degrees and a rise of 1.5 each; radius, angle, height of
 * the atoms on the cylinder. Without hydrogens; charges of the peptide group. */
static int peptide(tw_atoms *a, tw_int n, uint64_t seed)
{
    static const struct {
        const char *name, *element;
        double r, angle, z, charge;
    } residue[5] = {{"N", "N", 1.55, -28.3, -0.87, -0.28},
                    {"CA", "C", 2.29, 0, 0, 0.28},
                    {"C", "C", 1.66, 26.1, 1.10, 0.55},
                    {"O", "O", 1.98, 24.0, 2.29, -0.55},
                    {"CB", "C", 3.30, -19.0, 0.705, 0}};
    const struct tw_bonds none = {0};
    const int e = tw_atoms_alloc(a, 5 * (n > 5 ? (n + 2) / 5 : 1), 0);

    for (tw_int i = 0; i < a->n; i++) {
        const tw_int number = i / 5, k = i % 5;
        const double angle = M_PI / 180 * (residue[k].angle + 100 * (double)(number % 18)); /* 18 make five turns */
        tw_atom_set(a, i, residue[k].name, tw_element_find(residue[k].element, 1, NULL));
        a->x[3 * i] = residue[k].r * cos(angle) + 0.02 * (draw(seed, i, 0) - 0.5);
        a->x[3 * i + 1] = residue[k].r * sin(angle) + 0.02 * (draw(seed, i, 1) - 0.5);
        a->x[3 * i + 2] = residue[k].z + 1.5 * (double)number + 0.02 * (draw(seed, i, 2) - 0.5);
        a->charge[i] = residue[k].charge;
    }
    return e ? e : tw_atoms_link(a, "peptide", &none, 1);
}

int tw_atoms_generate(tw_atoms *a, const char *kind, tw_int n, uint64_t seed)
{
    static const struct {
        const char *name;
        int (*make)(tw_atoms *a, tw_int n, uint64_t seed);
    } recipes[] = {{"argon", argon}, {"liquid", liquid}, {"peptide", peptide}};
    char quoted[TW_QUOTE_MAX];

    if (!a) return tw_illegal("tw_atoms_generate", 1, "NULL");
    *a = (tw_atoms){0};
    if (!kind) return tw_illegal("tw_atoms_generate", 2, "NULL");
    if (n < 0 || n > (tw_int)1 << 40) return tw_illegal("tw_atoms_generate", 3, "negative or beyond 2^40");
    for (size_t k = 0; k < sizeof recipes / sizeof *recipes; k++) {
        if (strcmp(kind, recipes[k].name)) continue;
        const int e = recipes[k].make(a, n, seed);
        if (e) tw_atoms_free(a);
        return e;
    }
    return tw_fail(TW_E_OPTION, "kind %s: there are argon, liquid, peptide", tw_quote(quoted, kind));
}
