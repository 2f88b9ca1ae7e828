/* A small protein is minimised, then warmed: the energy goes down to a minimum, then stays what it is while the atoms
 * move.
 *
 *   peptide [FILE.pdb|FILE.pqr]    a structure of yours instead of the helix of twelve alanines made here; bonds and
 *                                  angles become harmonic links at the lengths of the file; writes minimised.pdb beside
 *                                  where it was started
 *
 * Charges come from PQR files (PDB files have none). The solvent is generalized Born with ACE self energies. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tilework/tilework.h>

#include "common/arguments.h"

static int report(void *user, const tw_atoms *a, const tw_minimize_state *s)
{
    (void)user;
    printf(
        "%5d iterations of %d atoms: van der Waals %.4f, electrostatic %.4f, links %.4f kcal/mol; largest force %.3g\n",
        (int)s->iteration, (int)a->n, s->energy.vdw, s->energy.electrostatic, s->energy.links, s->force);
    return 0;
}

struct drift {
    double first, largest;
    int started;
};
static int watch(void *user, const tw_atoms *a, const tw_verlet_state *s)
{
    struct drift *d = user;
    const double energy = s->kinetic + s->potential.vdw + s->potential.electrostatic + s->potential.links;
    (void)a;
    if (!d->started++) d->first = energy;
    d->largest = fmax(d->largest, fabs(energy - d->first));
    return 0;
}

static double total(const tw_cutoff_energy *e)
{
    return e->vdw + e->electrostatic + e->links;
}

int main(int argc, char **argv)
{
    tw_minimize how = {.method = TW_LBFGS, .iterations = 600, .tolerance = 0.05, .history = 8, .every = 300};
    tw_minimize_state end;
    tw_cutoff_energy before;
    struct drift drift = {0};
    tw_cutoff model;
    tw_atoms a;
    int e =
        arguments(argc, argv, 1, "peptide [FILE.pdb|FILE.pqr]     minimised.pdb is written here where a file is given");

    if (e >= 0) return e;
    e = argc > 1 ? tw_atoms_read(argv[1], 1, &a) : tw_atoms_generate(&a, "peptide", 60, 1);
    tw_cutoff_init(&model, 12);
    model.electrostatics = TW_ELECTROSTATICS_BORN;
    model.eps_in = 4;
    if (!e) e = tw_cutoff_forces(&model, &a, &before, NULL);
    if (!e) e = tw_cutoff_minimize(&model, &a, &how, report, NULL, &end);
    if (!e && argc > 1) e = tw_atoms_write("minimised.pdb", &a);
    /* 200 steps of half a femtosecond at about 10 K: velocities of 0.08 sqrt(kcal/mol/u) in turn. */
    for (tw_int i = 0; !e && i < 3 * a.n; i++)
        a.v[i] = (i % 2 ? 0.08 : -0.08) / sqrt(a.mass[i / 3]);
    if (!e) e = tw_cutoff_verlet(&model, &a, 0.01, 0, 200, 20, watch, &drift);
    if (e) {
        fprintf(stderr, "peptide: %s\n", tw_last_message());
        tw_finalize();
        return 1;
    }
    const int fell = total(&end.energy) < total(&before), steady = drift.largest < 1e-3 * (fabs(drift.first) + 1);
    printf("energy %.4f -> %.4f kcal/mol; while moving it changes by at most %.2e\n", total(&before),
           total(&end.energy), drift.largest);
    tw_atoms_free(&a);
    tw_finalize();
    return !(fell && steady);
}
