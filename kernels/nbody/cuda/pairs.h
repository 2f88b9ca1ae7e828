/* A user's function of a pair of particles, given as CUDA source: compiled by NVRTC, wrapped into a kernel over two
 * tiles. */
#ifndef TW_KERNELS_NBODY_CUDA_PAIRS_H
#define TW_KERNELS_NBODY_CUDA_PAIRS_H
#include <stddef.h>
#include "runtime/machine/cuda.h"
#include "types/nbody/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the kernel's parameter for so many of the user's: a kernel has no empty one. */
static inline size_t tw_pairs_parameters(size_t user_bytes)
{
    return user_bytes ? (user_bytes + 15) / 16 * 16 : 16;
}

/* pairs_compile.cu. For GPUs of compute capability arch / 10 . arch % 10. image: to be freed. Returns 0;
 * TW_E_UNSUPPORTED: there is no NVRTC; TW_E_FORMAT: the source does not compile, the message says why; TW_E_MEMORY;
 * TW_E_DEVICE. */
int tw_pairs_compile(const struct tw_pairs_shape *s, const char *source, int arch, char **image);

/* pairs.cu. On the current GPU: its compute capability; an image loaded into it. 0 or TW_E_DEVICE. */
int tw_pairs_arch(int *device, int *arch);
int tw_pairs_load(const char *image, struct tw_pairs_module *m);
void tw_pairs_unload(struct tw_pairs_module *m);

/* The argument of the kernel. Matrices by columns, pointers of the GPU. */
struct tw_pairs_tiles {
    const void *target, *source;
    void *result;
    long long first_target, first_source;
    int nt, ns, ld_target, ld_source, ld_result, first; /* first: the result is set, else added to */
};
/* m: the modules by number of the GPU, of which `count` fit. user: the parameters, tw_pairs_parameters() bytes. Returns
 * a kernels/cuda status. */
int tw_pairs_cuda(const struct tw_cuda *cuda, enum tw_type type, const struct tw_pairs_module *m, int count,
                  const struct tw_pairs_tiles *t, const void *user);
#ifdef __cplusplus
}
#endif
#endif
