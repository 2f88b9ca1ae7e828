/* Tests that ask for the same bits twice. Where GPUs and cores share the tasks, which of them has a task is chance, and
 * so is the rounding; in reproducible mode GPUs have all that they can do. */
#include <stdlib.h>
#include "tt.h"

int tt_same_bits(void **state)
{
    (void)state;
    if (!getenv("TILEWORK_TEST_CUDA")) return 0;
    if (tw_finalize() < 0) return -1;
    return setenv("TILEWORK_REPRODUCIBLE", "1", 1);
}

int tt_any_bits(void **state)
{
    (void)state;
    if (!getenv("TILEWORK_TEST_CUDA")) return 0;
    if (tw_finalize() < 0) return -1;
    return unsetenv("TILEWORK_REPRODUCIBLE");
}
