/* Which instruction set's kernels of bulge chasing run. */
#include "kernels/eigen/cpu/hb2st.h"
#include "kernels/isa.h"
#include "runtime/base/types.h"

#define DECLARE(isa)                                                                                                   \
    int tw_shb2st_##isa(const struct tw_hb2st *), tw_dhb2st_##isa(const struct tw_hb2st *),                            \
        tw_chb2st_##isa(const struct tw_hb2st *), tw_zhb2st_##isa(const struct tw_hb2st *);
#define ALL(isa)                                                                                                       \
    {                                                                                                                  \
        tw_shb2st_##isa, tw_dhb2st_##isa, tw_chb2st_##isa, tw_zhb2st_##isa                                             \
    }

DECLARE(generic)
#ifdef TW_ISA_X86
DECLARE(avx2)
DECLARE(avx512)
#endif

tw_hb2st_fn tw_hb2st_kernel(enum tw_type type)
{
    static const tw_hb2st_fn table[][TW_NTYPES] = {
        ALL(generic),
#ifdef TW_ISA_X86
        ALL(avx2),
        ALL(avx512),
#endif
    };
    return table[tw_isa()][type];
}

size_t tw_hb2st_work(enum tw_type type, int b)
{
    const size_t length = ((size_t)b + 15) / 16 * 16;
    return 64 + 9 * length * tw_sizeof(type); /* 4 vectors in two planes at most, and sums */
}
