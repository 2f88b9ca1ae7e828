/* The choice of an instruction set. */
#include "kernels/isa.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/variables.h"

static enum tw_isa chosen;

static enum tw_isa widest(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("fma"))
        return TW_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return TW_AVX2;
#endif
    return TW_GENERIC;
}

static void choose(void)
{
    static const char *const names[] = {"generic", "avx2", "avx512"};
    const char *wish = tw_variable_text(TW_TILEWORK_NBODY_ISA);
    const enum tw_isa most = widest();

    chosen = most;
    for (int k = 0; wish && k <= (int)most; k++)
        if (!strcmp(wish, names[k])) chosen = (enum tw_isa)k;
}

enum tw_isa tw_isa(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return chosen;
}
