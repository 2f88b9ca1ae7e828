/* What the files of runtime/data share, and what stands above them needs beyond the contract (data.h). */
#ifndef TW_RUNTIME_DATA_DATA_PRIVATE_H
#define TW_RUNTIME_DATA_DATA_PRIVATE_H
#include <starpu.h>
#include "runtime/base/sequence.h"
#include "runtime/base/state.h"
#include "runtime/data/data.h"
#include "runtime/data/travel.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/watch/watch.h"

/* data.c */
void tw_data_recycle(struct tw_data *d); /* zeroed, no task uses it: back to the free list */
void tw_vector_pointer_zero(struct tw_data *d);
void tw_data_clear(void);
/* Likewise, but the library goes on: what is kept for the next call. How many workspaces there were. */
int tw_data_trim(void);
/* Tasks on it are held back (task/when.c): one more, one less. Giving it back meanwhile takes effect when there are
 * none. */
void tw_data_held(struct tw_data *d, int change);
/* travel.c: past what is held back */
int tw_bring_home_now(struct tw_sequence *seq, struct tw_data *d);
/* hold.c: when the library stops. */
void tw_hold_clear(void);
/* Bytes of a memory node that are held. */
double tw_held_on(unsigned node);
/* pool.c */
double tw_pool_clear(void); /* how many bytes these were */

/* give_back.c: nobody is inside, no task is there. */
struct tw_given_back {
    double pinned, of_gpus; /* bytes */
    int workspaces;
};
void tw_data_give_back(struct tw_given_back *given);
#endif
