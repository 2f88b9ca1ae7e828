/* The tables of the kernels of diamonds. */
#include "kernels/eigen/cpu/diamond.h"
#include "kernels/isa.h"

extern const struct tw_diamond_kernels tw_cpu_sdiamond, tw_cpu_ddiamond, tw_cpu_cdiamond, tw_cpu_zdiamond;
const struct tw_diamond_kernels *const tw_diamond_kernels[TW_NTYPES] = {&tw_cpu_sdiamond, &tw_cpu_ddiamond,
                                                                        &tw_cpu_cdiamond, &tw_cpu_zdiamond};

struct own {
    tw_diamond_fn apply;
    const int *step;
};
#define ONE(p, isa)                                                                                                    \
    void tw_##p##diamond_apply_##isa(const struct tw_chase_shape *, int, int, const void *, int, void *, int, void *); \
    extern const int tw_##p##diamond_step_##isa;
#define DECLARE(isa) ONE(s, isa) ONE(d, isa) ONE(c, isa) ONE(z, isa)
#define ENTRY(p, isa)                                                                                                  \
    {                                                                                                                  \
        tw_##p##diamond_apply_##isa, &tw_##p##diamond_step_##isa                                                       \
    }
#define ALL(isa)                                                                                                       \
    {                                                                                                                  \
        ENTRY(s, isa), ENTRY(d, isa), ENTRY(c, isa), ENTRY(z, isa)                                                     \
    }

DECLARE(generic)
#ifdef TW_ISA_X86
DECLARE(avx2)
DECLARE(avx512)
#endif

tw_diamond_fn tw_diamond_apply(enum tw_type type, const struct tw_chase_shape *c)
{
    static const struct own table[][TW_NTYPES] = {
        ALL(generic),
#ifdef TW_ISA_X86
        ALL(avx2),
        ALL(avx512),
#endif
    };
    const struct own *own = &table[tw_isa()][type];
    return c->width % *own->step == 0 ? own->apply : tw_diamond_kernels[type]->apply;
}
