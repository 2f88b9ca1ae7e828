/* Lists of operands whose length is known when a task is submitted. */
#ifndef TW_CODELETS_ACCESSES_H
#define TW_CODELETS_ACCESSES_H
#include <stdlib.h>
#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/task/submit.h"

#define TW_ACCESSES_FEW 64 /* operands for which no memory is asked */

/* Room for `count` accesses: `few`, or memory; NULL without it, and then the sequence has failed. */
static inline struct tw_access *tw_accesses(struct tw_sequence *seq, const char *name, int count,
                                            struct tw_access few[TW_ACCESSES_FEW])
{
    struct tw_access *a = count <= TW_ACCESSES_FEW ? few : malloc((size_t)count * sizeof *a);
    if (!a) tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for %d operands", name, count);
    return a;
}
static inline void tw_accesses_free(struct tw_access *access, const struct tw_access few[TW_ACCESSES_FEW])
{
    if (access != few) free(access);
}
#endif
