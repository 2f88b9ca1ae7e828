/* Tilework: particles with localized (cut-off) interactions: energies and forces, motion, minimisation.
 *
 * Atoms interact in pairs nearer than a cut-off: van der Waals forces, electrostatics (with a reaction field, shifted,
 * or generalized Born with ACE self energies), and harmonic links, which exclude their pair from the rest. Boxes are
 * periodic or open in each direction. Neighbour lists with a margin (skin) are built where the forces are computed,
 * used for many steps and rebuilt as soon as an atom has moved by half the margin, never later. On a GPU atoms, lists
 * and forces stay there; what happens next is decided there, too.
 *
 * Units are the user's: energies are those of depth, stiffness and constant * charge^2 / length; the acceleration is
 * force / mass. */
#ifndef TILEWORK_CUTOFF_H
#define TILEWORK_CUTOFF_H

#include <tilework/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A harmonic link: energy stiffness (r - length)^2 / 2. The two atoms do not interact otherwise, even if the stiffness
 * is 0. At most 31 links end at an atom; no pair is linked twice. */
typedef struct tw_bond {
    tw_int i, j;
    double stiffness, length;
} tw_bond;

#define TW_ATOM_NAME 8
/* n atoms. All arrays have n elements, or 3 n: x[3 i + k]. NULL: v and charge 0, mass 1, depth 0, no names. */
typedef struct tw_atoms {
    tw_int n, nlinks;
    double *x, *v, *mass, *charge;
    /* van der Waals: half the distance of least energy; depth of the well. Pairs: sums, geometric means */
    double *radius, *depth;
    double *born, *volume; /* generalized Born: radius and volume of the atom; NULL: radius, and the sphere's volume */
    char (*name)[TW_ATOM_NAME];
    tw_bond *link;
    double box[3]; /* periods; 0: open */
} tw_atoms;

/* Depth ((rm/r)^12 - 2 (rm/r)^6): cut at the cut-off, shifted to 0 there, or with value and slope 0 there (smooth;
 * section 18-E: d (A^2 - 2 A + B (4 - 2 s) + B^2 (2 s - 3)) with A = (rm/r)^6, B = (rm/rc)^6, s = (r/rc)^6). */
enum tw_vdw { TW_VDW_NONE, TW_VDW_CUT, TW_VDW_SHIFT, TW_VDW_SMOOTH };
/* constant q q times
 *   REACTION_FIELD  (1/r + k r^2 - c) / eps_in, k = (e - 1) / ((2 e + 1) rc^3), c = 1/rc + k rc^2, e = eps_out /
 *                   eps_in: 0 at the cut-off
 *   SHIFT           (1/r + r/rc^2 - 2/rc) / eps_in: value and slope 0 at the cut-off
 *   BORN            1/(eps_in r) - tau / sqrt(r^2 + b b' exp(-r^2/(4 b b'))), tau = 1/eps_in - 1/eps_out, with Born
 *                   radii b from ACE self energies, which are added (Schaefer and Karplus 1996); everything switched
 *                   off from switch_on on */
enum tw_electrostatics {
    TW_ELECTROSTATICS_NONE,
    TW_ELECTROSTATICS_REACTION_FIELD,
    TW_ELECTROSTATICS_SHIFT,
    TW_ELECTROSTATICS_BORN
};

typedef struct tw_cutoff {
    double cutoff; /* > 0, at most half of each period */
    double skin;   /* margin of the lists >= 0; changes speed, not results (to rounding) */
    enum tw_vdw vdw;
    enum tw_electrostatics electrostatics;
    double constant;        /* of Coulomb's law: 332.0716 for e, angstrom and kcal/mol */
    double eps_in, eps_out; /* > 0; eps_out may be infinite */
    double switch_on;       /* BORN: in [0, cutoff] */
    enum tw_type type;      /* TW_FLOAT or TW_DOUBLE: what is computed with. Sums over all atoms are in double. */
    tw_int reuse;           /* rebuild the lists after so many steps at the latest >= 1 */
} tw_cutoff;
/* Smooth van der Waals forces, reaction field, constant 332.0716, eps_in 1, eps_out 78, switch_on 2/3 of the cut-off,
 * skin a tenth of it, double, reuse 25. */
TW_API void tw_cutoff_init(tw_cutoff *c, double cutoff);

typedef struct tw_cutoff_energy {
    double vdw, electrostatic, links;
} tw_cutoff_energy;

/* Energies and, if force is not NULL, forces on the atoms (3 n; minus the gradient). With TW_FLOAT they are computed in
 * float. Errors: -1: cutoff, -2: atoms (the last message says what: a number that is not finite, a box smaller than
 * twice the cut-off, …), TW_E_STATE: energies are no finite numbers (two atoms at one place), TW_E_MEMORY, … No atoms:
 * energies 0. */
TW_API int tw_cutoff_forces(const tw_cutoff *c, const tw_atoms *a, tw_cutoff_energy *energy, double *force);
/* The arguments belong to the library until the sequence has been waited for; *c is copied. */
TW_API int tw_cutoff_forces_async(const tw_cutoff *c, const tw_atoms *a, tw_cutoff_energy *energy, double *force,
                                  tw_sequence *seq);

/* ---- motion ------------------------------------------------------------------------------------------------------ */

typedef struct tw_verlet_state {
    tw_int step;
    double time, kinetic, momentum[3];
    tw_cutoff_energy potential;
    tw_int rebuilds; /* lists built so far */
} tw_verlet_state;
/* The atoms are those of this moment; not 0 ends the motion, which returns it. */
typedef int (*tw_verlet_report)(void *user, const tw_atoms *a, const tw_verlet_state *state);
/* Velocity Verlet: `steps` steps of length dt from step number `first` on (0, but for a run that goes on), a report
 * before the first, whenever the step's number is a multiple of `every` (0: none in between) and after the last. In
 * periodic directions positions come back wrapped into the box, to within the margin of the lists. Lists are rebuilt at
 * reports: a run that is stopped at one of them and goes on later gives the same bits. Errors as above and TW_E_STATE
 * when an atom left the range of numbers: the time step may be too long. */
TW_API int tw_cutoff_verlet(const tw_cutoff *c, tw_atoms *a, double dt, tw_int first, tw_int steps, tw_int every,
                            tw_verlet_report report, void *user);
TW_API int tw_cutoff_verlet_async(const tw_cutoff *c, tw_atoms *a, double dt, tw_int first, tw_int steps, tw_int every,
                                  tw_verlet_report report, void *user, tw_sequence *seq);

/* ---- minimisation ------------------------------------------------------------------------------------------------ */

enum tw_minimizer { TW_STEEPEST_DESCENT, TW_LBFGS };
typedef struct tw_minimize {
    enum tw_minimizer method;
    tw_int iterations;  /* at most */
    double tolerance;   /* ends when no atom feels a larger force */
    double first, most; /* longest way of an atom in the first and in any iteration; 0: cutoff / 1000, cutoff / 50 */
    tw_int history;     /* L-BFGS: pairs of vectors kept, 1 to 8 (0: 5) */
    tw_int every;       /* reports; 0: only at the end */
} tw_minimize;
typedef struct tw_minimize_state {
    tw_int iteration, evaluations;
    tw_cutoff_energy energy;
    double force;  /* largest on an atom */
    int converged; /* within the tolerance */
    int stalled;   /* no shorter step lowers the energy: rounding decides */
} tw_minimize_state;
/* As tw_verlet_report; at reports L-BFGS starts anew. */
typedef int (*tw_minimize_report)(void *user, const tw_atoms *a, const tw_minimize_state *state);
/* Moves the atoms down to a minimum of the energy, which never rises by more than its rounding error. state (may be
 * NULL) tells how it ended: neither converged nor stalled after `iterations` is no error. */
TW_API int tw_cutoff_minimize(const tw_cutoff *c, tw_atoms *a, const tw_minimize *m, tw_minimize_report report,
                              void *user, tw_minimize_state *state);
TW_API int tw_cutoff_minimize_async(const tw_cutoff *c, tw_atoms *a, const tw_minimize *m, tw_minimize_report report,
                                    void *user, tw_minimize_state *state, tw_sequence *seq);

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

/* Room for n atoms and nlinks links, all zero but mass 1. -2, -3: negative; TW_E_MEMORY; on failure a is empty. */
TW_API int tw_atoms_alloc(tw_atoms *a, tw_int n, tw_int nlinks);
TW_API void tw_atoms_free(tw_atoms *a);
/* Made by a recipe (the same n, seed and kind: the same atoms), n rounded to what the kind allows:
 *   argon    a face-centred crystal in a periodic cube, reduced units (depth 1, sigma 1, mass 1), density 0.8442,
 *            temperature 0.72
 *   liquid   charges of both signs, about 0.1 atoms per cubic unit, as in water and proteins; periodic; kcal/mol,
 *            angstrom
 *   peptide  a chain of alanines in a helix: links for bonds and angles; open
 * TW_E_OPTION: no such kind; -3; TW_E_MEMORY. */
TW_API int tw_atoms_generate(tw_atoms *a, const char *kind, tw_int n, uint64_t seed);
/* From a PDB file (ATOM and HETATM of its first model and of alternative A; CRYST1 if orthogonal gives no box: a
 * crystal's cell is none; CONECT gives links), a PQR file (charges and radii), or what tw_particles_read knows (XYZ,
 * CSV: charge, 0 where none is given, and velocity; all get carbon's size and mass). Otherwise sizes come from the
 * elements; charges of PDB files are 0; with `bonds` atoms nearer than their covalent radii allow are linked, and the
 * ends of two links of one atom, too. TW_E_IO, TW_E_FORMAT (file and line in the last message), TW_E_MEMORY. */
TW_API int tw_atoms_read(const char *path, int bonds, tw_atoms *a);
/* XYZ if the name ends in .xyz, PDB if in .pdb; "-" is standard output, in XYZ, "-.pdb" in PDB. */
TW_API int tw_atoms_write(const char *path, const tw_atoms *a);
/* All of them with every digit, and the number of the step: a file that tw_atoms_restart gives back bit by bit. */
TW_API int tw_atoms_checkpoint(const char *path, const tw_atoms *a, tw_int step);
TW_API int tw_atoms_restart(const char *path, tw_atoms *a, tw_int *step);
/* The same with the run's settings: how atoms interact, and the length dt of a step. tw_atoms_restart reads these
 * files, too, and tw_cutoff_load those without settings: then c->cutoff and *dt are 0. dt and step may be NULL when
 * loading. */
TW_API int tw_cutoff_save(const char *path, const tw_atoms *a, const tw_cutoff *c, double dt, tw_int step);
TW_API int tw_cutoff_load(const char *path, tw_atoms *a, tw_cutoff *c, double *dt, tw_int *step);

#ifdef __cplusplus
}
#endif
#endif
