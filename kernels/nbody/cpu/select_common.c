/* The kernels of each instruction set. */
#include <pthread.h>

#include "kernels/isa.h"
#include "kernels/nbody/cpu/nbody_cpu.h"

#define DECLARE(isa)                                                                                                   \
    void tw_nbody_sdirect_##isa(const struct tw_direct *);                                                             \
    void tw_nbody_ddirect_##isa(const struct tw_direct *);                                                             \
    void tw_nbody_dtranslate_##isa(const struct tw_fmm_tables *, const double *, const double *, int,                  \
                                   const struct tw_fmm_pair *, double *);                                              \
    void tw_nbody_dp2m_##isa(const struct tw_fmm_tables *, const struct tw_fmm_points *, const double *, double *,     \
                             double *);                                                                                \
    void tw_nbody_dp2l_##isa(const struct tw_fmm_tables *, const struct tw_fmm_points *, const double *, double *,     \
                             double *);                                                                                \
    void tw_nbody_dl2p_##isa(const struct tw_fmm_tables *, const struct tw_fmm_points *, int, const double *,          \
                             double *const *);                                                                         \
    void tw_nbody_dm2p_##isa(const struct tw_fmm_tables *, const struct tw_fmm_points *, int, const double *,          \
                             double *const *);
#define TABLE(isa)                                                                                                     \
    {                                                                                                                  \
        {tw_nbody_sdirect_##isa, tw_nbody_ddirect_##isa}, tw_nbody_dtranslate_##isa, tw_nbody_dp2m_##isa,              \
            tw_nbody_dp2l_##isa, tw_nbody_dl2p_##isa, tw_nbody_dm2p_##isa                                              \
    }

DECLARE(generic)
#ifdef TW_ISA_X86
DECLARE(avx2)
DECLARE(avx512)
#endif

static const struct tw_nbody_kernels tables[] = {
    /* by enum tw_isa */
    TABLE(generic),
#ifdef TW_ISA_X86
    TABLE(avx2),
    TABLE(avx512),
#endif
};
static const struct tw_nbody_kernels *chosen;

static void choose(void)
{
    chosen = &tables[tw_isa()];
}

const struct tw_nbody_kernels *tw_nbody_cpu(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return chosen;
}
