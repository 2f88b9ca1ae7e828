/* Which instruction set's kernels run, of those that are compiled for several (cmake/Family.cmake). */
#ifndef TW_KERNELS_ISA_H
#define TW_KERNELS_ISA_H

enum tw_isa { TW_GENERIC, TW_AVX2, TW_AVX512 };
/* The widest one of this CPU, or less if TILEWORK_NBODY_ISA=generic|avx2|avx512 asks for less (tests). Chosen once. */
enum tw_isa tw_isa(void);
#endif
