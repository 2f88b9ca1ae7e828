/* Which instruction set's kernels of bulge chasing run. */
#include "kernels/svd/cpu/tb2bd.h"
#include "kernels/isa.h"
#include "runtime/base/types.h"

#define DECLARE(isa)                                                                                                   \
    int tw_stb2bd_##isa(const struct tw_tb2bd *), tw_dtb2bd_##isa(const struct tw_tb2bd *),                            \
        tw_ctb2bd_##isa(const struct tw_tb2bd *), tw_ztb2bd_##isa(const struct tw_tb2bd *);
#define ALL(isa)                                                                                                       \
    {                                                                                                                  \
        tw_stb2bd_##isa, tw_dtb2bd_##isa, tw_ctb2bd_##isa, tw_ztb2bd_##isa                                             \
    }

DECLARE(generic)
#ifdef TW_ISA_X86
DECLARE(avx2)
DECLARE(avx512)
#endif

tw_tb2bd_fn tw_tb2bd_kernel(enum tw_type type)
{
    static const tw_tb2bd_fn table[][TW_NTYPES] = {
        ALL(generic),
#ifdef TW_ISA_X86
        ALL(avx2),
        ALL(avx512),
#endif
    };
    return table[tw_isa()][type];
}

size_t tw_tb2bd_work(enum tw_type type, int b)
{
    const size_t length = ((size_t)b + 15) / 16 * 16;
    return 64 + 9 * length * tw_sizeof(type); /* 4 vectors in two planes at most, and sums */
}
