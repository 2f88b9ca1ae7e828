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
    const enum tw_isa most = widest();
    int wish = (int)most; /* its words are as the enumeration */

    (void)tw_variable_word(TW_TILEWORK_NBODY_ISA, &wish); /* checked where the library starts */
    chosen = wish < (int)most ? (enum tw_isa)wish : most;
}

enum tw_isa tw_isa(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return chosen;
}
