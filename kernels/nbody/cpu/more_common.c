/* The further kernels of the chosen instruction set. */
#include "kernels/isa.h"
#include "kernels/nbody/cpu/more.h"

#define DECLARE(isa)                                                                                                   \
    void tw_nbody_dplane_direct_##isa(const struct tw_direct *);                                                       \
    void tw_nbody_dplane_p2m_##isa(const struct tw_plane *, const struct tw_fmm_points *, const double *, double *);   \
    void tw_nbody_dplane_p2l_##isa(const struct tw_plane *, const struct tw_fmm_points *, const double *, double *);   \
    void tw_nbody_dplane_l2p_##isa(const struct tw_plane *, const struct tw_fmm_points *, const double *,              \
                                   double *const *);                                                                   \
    void tw_nbody_dplane_m2p_##isa(const struct tw_plane *, const struct tw_fmm_points *, const double *,              \
                                   double *const *);                                                                   \
    void tw_nbody_dplane_translate_##isa(const struct tw_plane *, const struct tw_plane_kind *, int,                   \
                                         const struct tw_plane_pair *, double *);                                      \
    void tw_nbody_dyukawa_direct_##isa(double, const struct tw_direct *);                                              \
    void tw_nbody_dyukawa_from_##isa(const struct tw_fmm_tables *, double, const struct tw_fmm_points *,               \
                                     const double *, double *, double *, int);                                         \
    void tw_nbody_dyukawa_at_##isa(const struct tw_fmm_tables *, double, const struct tw_fmm_points *, int,            \
                                   const double *, double *const *, int);
#define TABLE(isa)                                                                                                     \
    {                                                                                                                  \
        tw_nbody_dplane_direct_##isa, tw_nbody_dplane_p2m_##isa, tw_nbody_dplane_p2l_##isa, tw_nbody_dplane_l2p_##isa, \
            tw_nbody_dplane_m2p_##isa, tw_nbody_dplane_translate_##isa, tw_nbody_dyukawa_direct_##isa,                 \
            tw_nbody_dyukawa_from_##isa, tw_nbody_dyukawa_at_##isa                                                     \
    }

DECLARE(generic)
#ifdef TW_ISA_X86
DECLARE(avx2)
DECLARE(avx512)
#endif

const struct tw_more_kernels *tw_nbody_more(void)
{
    static const struct tw_more_kernels generic = TABLE(generic);
#ifdef TW_ISA_X86
    static const struct tw_more_kernels avx2 = TABLE(avx2), avx512 = TABLE(avx512);
    if (tw_isa() == TW_AVX512) return &avx512;
    if (tw_isa() == TW_AVX2) return &avx2;
#endif
    return &generic;
}
