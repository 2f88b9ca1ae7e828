/* The stages of localized interactions on a CPU, and where everything lies in memory. */
#ifndef TW_KERNELS_MD_CUT_H
#define TW_KERNELS_MD_CUT_H
#include "types/md/cut.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Pointers into the four kinds of memory for element size 4 or 8; with NULL memory only the sizes. temp: bytes for the
 * GPU's sort. part is not set but for one group, to memory `lone`. */
void tw_cut_bind(struct tw_cut *c, const struct tw_cut_shape *s, size_t size, size_t temp, void *params, void *state,
                 void *work, void *lone, void *control, struct tw_cut_bytes *bytes);
void tw_cut_bind_part(const struct tw_cut_shape *s, struct tw_cut_part *p, size_t size, void *memory);

/* The stages on a CPU; all but the first two run through every part. */
struct tw_cut_kernels {
    void (*sort)(struct tw_cut *c);
    void (*list)(struct tw_cut *c, int part);
    void (*prune)(struct tw_cut *c, int part); /* and, as the control says, pruned lists */
    void (*force)(struct tw_cut *c, int part);
    void (*self)(struct tw_cut *c, int part);  /* Born: sums of the self energies */
    void (*radii)(struct tw_cut *c);           /* Born radii */
    void (*gather)(struct tw_cut *c);          /* what the energy gains by the self energies' sums */
    void (*chain)(struct tw_cut *c, int part); /* forces by way of the Born radii */
    void (*collect)(struct tw_cut *c);         /* forces and energies of atoms; links */
    void (*move)(struct tw_cut *c);            /* totals, decision, motion */
};
/* type 0 float, 1 double. */
const struct tw_cut_kernels *tw_cut_cpu(int type);
#ifdef __cplusplus
}
#endif
#endif
