/* Kernels of the user's for all pairs, as objects: a C function, CUDA source, parameters. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/nbody_loops.h"
#include "runtime/base/gate.h"
#include "codelets/nbody/function.h"

static void load(struct tw_sequence *seq, void *function)
{
    (void)tw_function_load(seq, function); /* the sequence knows */
}
static void unload(struct tw_sequence *seq, void *function)
{
    (void)seq;
    tw_function_unload(function);
}

static int columns(int n)
{
    return n >= 1 && n <= TW_PAIRS_COLUMNS;
}

static int fill(struct tw_nbody_function *f, const char *cuda, const void *user)
{
    f->user = user;
    if (f->shape.user_bytes) f->user = memcpy(f->parameters, user, f->shape.user_bytes);
    if (cuda && !(f->source = strdup(cuda))) return tw_fail(TW_E_MEMORY, "tw_nbody_function_create: no memory");
    return cuda ? tw_call("pairs_load", load, f, 0) : 0;
}

int tw_nbody_function_create(tw_nbody_function **function, enum tw_type type, int target_columns, int source_columns,
                             int result_columns, tw_nbody_kernel kernel, const char *cuda, const void *user,
                             size_t user_bytes)
{
    static const char name[] = "tw_nbody_function_create", range[] = "not in 1 … 16";
    struct tw_nbody_function *f;
    int e;

    tw_clear_message();
    TW_ARGUMENT(name, 1, function ? NULL : "NULL");
    *function = NULL;
    TW_ARGUMENT(name, 2, type == TW_FLOAT || type == TW_DOUBLE ? NULL : "neither TW_FLOAT nor TW_DOUBLE");
    TW_ARGUMENT(name, 3, columns(target_columns) ? NULL : range);
    TW_ARGUMENT(name, 4, columns(source_columns) ? NULL : range);
    TW_ARGUMENT(name, 5, columns(result_columns) ? NULL : range);
    TW_ARGUMENT(name, 6, kernel || cuda ? NULL : "neither a C function nor CUDA source");
    TW_ARGUMENT(name, 8, user || user_bytes == 0 ? NULL : "NULL");
    TW_ARGUMENT(name, 9, user_bytes <= TW_PAIRS_USER ? NULL : "more than 1024");
    if (!(f = calloc(1, sizeof *f))) return tw_fail(TW_E_MEMORY, "%s: no memory", name);
    f->shape = (struct tw_pairs_shape){type, target_columns, source_columns, result_columns, user_bytes};
    f->kernel = kernel;
    starpu_pthread_mutex_init(&f->lock, NULL);
    e = fill(f, cuda, user);
    if (e)
        (void)tw_nbody_function_destroy(f); /* it was not loaded: nothing of it can fail */
    else
        *function = f;
    return e;
}

int tw_nbody_function_destroy(tw_nbody_function *f)
{
    int e = 0;

    if (!f) return 0;
    TW_INSIDE int refused = tw_begin_running();
    if (f->gpus && !refused && f->start == tw_starts()) e = tw_call("pairs_unload", unload, f, 0);
    starpu_pthread_mutex_destroy(&f->lock);
    free(f->source);
    free(f);
    return e;
}
