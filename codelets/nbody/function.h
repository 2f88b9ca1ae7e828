/* A user's kernel for both kinds of workers. */
#ifndef TW_CODELETS_NBODY_FUNCTION_H
#define TW_CODELETS_NBODY_FUNCTION_H
#include "codelets/nbody/nbody_tasks.h"
#include "types/nbody/pairs.h"
#include "runtime/base/threads.h"

enum { TW_FUNCTION_GPUS = 64 };

struct tw_nbody_function {
    struct tw_pairs_shape shape;
    tw_nbody_kernel kernel; /* NULL: on GPUs only */
    const void *user;       /* the C function's: the parameters below, or the caller's if those have no size */
    char *source;           /* NULL: on CPUs only */
    starpu_pthread_mutex_t lock;
    unsigned long start;                             /* the start of the library for which it is loaded; 0: none */
    int gpus;                                        /* into which it is loaded */
    struct tw_pairs_module module[TW_FUNCTION_GPUS]; /* by CUDA's number of the GPU */
    _Alignas(16) char parameters[TW_PAIRS_USER];
};

/* function_load.c. Compile it, and load it into every GPU in use; once for every start of the library. Inside a loop.
 * 0, or the sequence fails. */
int tw_function_load(struct tw_sequence *seq, struct tw_nbody_function *f);
/* Inside a loop, in the start of the library for which it is loaded. */
void tw_function_unload(struct tw_nbody_function *f);
/* function.c. As tw_task_pairs. */
void tw_task_function(struct tw_sequence *seq, int priority, const struct tw_nbody_function *f, tw_int i0, tw_int j0,
                      struct tw_data *sources, struct tw_data *targets, struct tw_data *result, int first);
#endif
