/* Atoms in files and by recipe. */
#ifndef TW_IO_MD_ATOMS_H
#define TW_IO_MD_ATOMS_H
#include <tilework/cutoff.h>
#include "io/io.h"

/* As tw_atoms_alloc, for numbers >= 0; what: the file's name, for messages. */
int tw_atoms_room(tw_atoms *a, const char *what, tw_int n, tw_int nlinks);

/* An element's mass, van der Waals sizes and covalent radius. */
struct tw_element {
    const char *symbol;
    double mass, radius, depth, covalent;
};
/* By its symbol (any case, length characters); carbon if it is unknown. *known (may be NULL) says whether it was. */
const struct tw_element *tw_element_find(const char *symbol, size_t length, int *known);
/* The element whose mass this is; NULL if there is none. */
const struct tw_element *tw_element_of_mass(double mass);
/* Name, mass and sizes of atom i. */
void tw_atom_set(tw_atoms *a, tw_int i, const char *name, const struct tw_element *e);

/* What a file's or a recipe's atoms are made of: pairs that are bonded. */
struct tw_bonds {
    tw_int *pair; /* 2 per bond */
    tw_int count, room;
};
/* 0 or TW_E_MEMORY. */
int tw_bonds_add(struct tw_bonds *b, tw_int i, tw_int j);
/* Links for the bonds and, if `near`, for atoms nearer than their covalent radii allow and for pairs bonded to the same
 * atom; lengths are the present distances. An atom gets at most 5 bonds. 0 or TW_E_MEMORY. */
int tw_atoms_link(tw_atoms *a, const char *what, const struct tw_bonds *bonds, int near);

const char *tw_atom_name(const tw_atoms *a, tw_int i);
/* What a word in a file can hold. */
static inline int tw_in_words(char c)
{
    return (unsigned char)c > ' ' && c != 127;
}

/* By the name's ending: .pdb, .ent, .pqr, .atoms (a checkpoint; *step may be NULL), else by the beginning: a
 * checkpoint, PDB, XYZ or CSV. On failure a is empty. */
int tw_atoms_parse(struct tw_reader *r, int bonds, tw_atoms *a, tw_int *step);
int tw_atoms_parse_pdb(struct tw_reader *r, int bonds, int pqr, tw_atoms *a);
int tw_atoms_parse_checkpoint(struct tw_reader *r, tw_atoms *a, tw_int *step);
#endif
