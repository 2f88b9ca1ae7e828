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
/* hold.c: when the library stops. */
void tw_hold_clear(void);
/* pool.c */
void tw_pool_clear(void);
#endif
