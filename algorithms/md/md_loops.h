/* The parts of localized interactions. */
#ifndef TW_ALGORITHMS_MD_MD_LOOPS_H
#define TW_ALGORITHMS_MD_MD_LOOPS_H
#include <tilework/cutoff.h>
#include "codelets/md/md_tasks.h"

/* What a run computes. */
struct tw_cut_job {
    int mode; /* enum tw_cut_mode */
    double dt;
    tw_minimize minimize;
};

/* Sizes and constants for atoms that have been checked; groups of clusters, 1 on a GPU. 0, or TW_E_MEMORY where the
 * lists would be too long for their 32-bit places. */
int tw_cut_plan(struct tw_cut_shape *s, const tw_cutoff *o, const tw_atoms *a, const struct tw_cut_job *job, int groups,
                int gpu);
/* Every pair in both atoms' lists from here on, on a GPU. 0 or TW_E_MEMORY. */
int tw_cut_full_lists(struct tw_cut_shape *s);
/* More room for the lists. 0 or TW_E_MEMORY. */
int tw_cut_enlarge(struct tw_cut_shape *s);
/* Kinds of atoms for the Born model (kind: n numbers; may be NULL without it): how many. -1: more than 1024. */
int tw_cut_kinds(const tw_cutoff *o, const tw_atoms *a, int *kind);
/* The parameters into bound memory (params of c). kind: as above. */
void tw_cut_fill(const struct tw_cut *c, enum tw_type type, const tw_cutoff *o, const tw_atoms *a, const int *kind);
/* ACE: of atoms with radius ri among atoms with radius rk and volume vk: 1 / omega, 1 / sigma^2, mu^4, vk / 8 pi. */
void tw_cut_ace(double ri, double rk, double vk, double row[4]);

/* ---- cutoff_run.c ---- */

/* Asked before each window of a run how many steps it shall have; control: how the one before ended (all zero before
 * the first). < 0: no more. *e: an error or a report's word, which ends the run. */
typedef int64_t (*tw_cut_next)(void *user, const struct tw_cut_control *control, int *e);
/* A run inside a routine's loop. force: of the last window, or NULL. Returns 0, an error with its message, or what next
 * set; the sequence may have failed besides. */
int tw_cut_run(struct tw_sequence *seq, const tw_cutoff *o, tw_atoms *a, const struct tw_cut_job *job, tw_cut_next next,
               void *user, double *force);
#endif
