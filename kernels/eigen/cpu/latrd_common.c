/* Which instruction set's kernels of the one-stage reduction run. */
#include "kernels/eigen/cpu/latrd.h"
#include "kernels/isa.h"
#include "runtime/base/types.h"

#define DECLARE(isa)                                                                                                   \
    void tw_slatrd_##isa(const struct tw_latrd *, struct tw_team *, void *),                                           \
        tw_dlatrd_##isa(const struct tw_latrd *, struct tw_team *, void *),                                            \
        tw_clatrd_##isa(const struct tw_latrd *, struct tw_team *, void *),                                            \
        tw_zlatrd_##isa(const struct tw_latrd *, struct tw_team *, void *);
#define ALL(isa)                                                                                                       \
    {                                                                                                                  \
        tw_slatrd_##isa, tw_dlatrd_##isa, tw_clatrd_##isa, tw_zlatrd_##isa                                             \
    }

DECLARE(generic)
#ifdef TW_ISA_X86
DECLARE(avx2)
DECLARE(avx512)
#endif

tw_latrd_fn tw_latrd_kernel(enum tw_type type)
{
    static const tw_latrd_fn table[][TW_NTYPES] = {
        ALL(generic),
#ifdef TW_ISA_X86
        ALL(avx2),
        ALL(avx512),
#endif
    };
    return table[tw_isa()][type];
}

/* A column, v in two planes, A v in as many parts as tiles share a row, and sums. */
size_t tw_latrd_work(enum tw_type type, int n, int columns, int tiles)
{
    const size_t rows = (size_t)n, chunks = rows / TW_LATRD_ROWS + 2;
    return (rows * (3 + (size_t)tiles) + 2 * (size_t)columns * (chunks + 2) + chunks) * tw_sizeof(type);
}
