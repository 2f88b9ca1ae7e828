/* Values that a loop needs while its tasks run: pivots counted, zeros found, convergence. */
#ifndef TW_RUNTIME_TASK_WHEN_H
#define TW_RUNTIME_TASK_WHEN_H
#include "runtime/data/data.h"

struct tw_sequence;

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* What a continuation will work on: an object, or all tiles of a matrix. */
struct tw_use {
    struct tw_data *data;     /* or NULL */
    struct tw_matrix *matrix; /* or NULL */
    enum tw_mode mode;
};
/* value: a copy of what the object held. Submits tasks, as a loop does, and may call tw_when; it does not wait for
 * values. */
typedef void (*tw_when_fn)(struct tw_sequence *seq, const void *value, void *args);

/* Inside a loop: run fn in the submitting thread once the vector `data` is in main memory, with the effect that it
 * would have had here. Later tasks of the sequence on what `uses` names, and on what tasks held back for that reason
 * touch, are held back until then, in their order; all others go on. Infos and priorities are this routine's. Where the
 * sequence fails or is cancelled before, fn does not run. args (size bytes) is copied; temporaries among `uses` may be
 * given back right after this call. modelled: the value on a machine that computes none (a simulated one). */
void tw_when(struct tw_sequence *seq, struct tw_data *data, const void *modelled, const struct tw_use *uses, int nuses,
             tw_when_fn fn, const void *args, size_t size);

/* The same; release(args) is called once in any case: after fn, or where fn does not run. For what args points to. */
typedef void (*tw_release_fn)(void *args);
void tw_when_owning(struct tw_sequence *seq, struct tw_data *data, const void *modelled, const struct tw_use *uses,
                    int nuses, tw_when_fn fn, tw_release_fn release, const void *args, size_t size);

/* Inside a loop: wait for the vector `data` alone and copy what it holds to `value`. 0; or the sequence's error, value
 * untouched. */
int tw_loop_value(struct tw_sequence *seq, struct tw_data *data, const void *modelled, void *value);
/* Inside a loop, before it looks at objects by other ways than tasks: wait until nothing is held back. */
void tw_loop_settle(struct tw_sequence *seq);
#pragma GCC visibility pop
#endif
