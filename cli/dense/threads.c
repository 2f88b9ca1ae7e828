/* OpenBLAS' threads, for the checks. */
#define _GNU_SOURCE /* RTLD_DEFAULT, pthread_setattr_default_np */
#include <dlfcn.h>

#include "cli/cli.h"
#include "cli/stack.h"

int cli_blas_threads(int threads)
{
    int (*get)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    void (*set)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    int before;

    if (!get || !set) return 0; /* another BLAS behind the same name: it keeps its own counsel */
    before = get();
    if (threads > 1 && cli_small_stack()) threads = 1;
    if (threads > 0) set(threads);
    return before;
}
