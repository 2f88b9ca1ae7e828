/* A user's function of a pair of particles: its shape, and where a GPU has it. */
#ifndef TW_TYPES_NBODY_PAIRS_H
#define TW_TYPES_NBODY_PAIRS_H
#include <stddef.h>
#include <tilework/runtime.h>

enum { TW_PAIRS_COLUMNS = 16, TW_PAIRS_USER = 1024 }; /* at most so many columns, and bytes of the user's parameters */

struct tw_pairs_shape {
    enum tw_type type;
    int target, source, result; /* columns */
    size_t user_bytes;
};
struct tw_pairs_module {
    void *module, *function;
};
#endif
