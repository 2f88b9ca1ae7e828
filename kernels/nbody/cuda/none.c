/* A build without CUDA: in place of the room's other files, so that codelets are the same in both. No GPU is ever in
 * use then (tw_gpus), and so no task and no plan comes here; sizes are 0, and a source is not compiled. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "kernels/nbody/cuda/fmm.h"
#include "kernels/nbody/cuda/nbody_cuda.h"
#include "kernels/nbody/cuda/pairs.h"
#include "runtime/base/error.h"

enum { NO_CUDA = 1 };

int tw_nbody_cuda_direct(const struct tw_cuda *cuda, enum tw_type type, const struct tw_direct *d, int first)
{
    return NO_CUDA;
}
int tw_pairs_compile(const struct tw_pairs_shape *s, const char *source, int arch, char **image)
{
    *image = NULL;
    return tw_fail(TW_E_UNSUPPORTED, "this build has no CUDA");
}
int tw_pairs_arch(int *device, int *arch)
{
    return TW_E_DEVICE;
}
int tw_pairs_load(const char *image, struct tw_pairs_module *m)
{
    return TW_E_DEVICE;
}
void tw_pairs_unload(struct tw_pairs_module *m)
{
}
int tw_pairs_cuda(const struct tw_cuda *cuda, enum tw_type type, const struct tw_pairs_module *m, int count,
                  const struct tw_pairs_tiles *t, const void *user)
{
    return NO_CUDA;
}
struct tw_gpu_tables tw_gpu_tables_layout(const struct tw_fmm_tables *t, int translations)
{
    return (struct tw_gpu_tables){0};
}
size_t tw_gpu_tables_bytes(const struct tw_gpu_tables *g)
{
    return 0;
}
void tw_gpu_tables_fill(const struct tw_fmm_tables *t, const struct tw_gpu_tables *g, void *blob)
{
}
struct tw_gpu_tables tw_gpu_plane_layout(const struct tw_plane *t)
{
    return (struct tw_gpu_tables){0};
}
void tw_gpu_plane_fill(const struct tw_plane *t, const struct tw_gpu_tables *g, void *blob)
{
}
struct tw_gpu_tables tw_gpu_counting_layout(void)
{
    return (struct tw_gpu_tables){0};
}
void tw_gpu_counting_fill(const struct tw_gpu_tables *g, void *blob)
{
}
size_t tw_gpu_levels_bytes(const struct tw_gpu_tables *g, int levels)
{
    return 0;
}
void tw_gpu_levels_fill(const struct tw_gpu_tables *g, const struct tw_yukawa_level *y, int levels, double *to)
{
}
struct tw_gpu_tables tw_gpu_tables_at(struct tw_gpu_tables g, const void *blob)
{
    return (struct tw_gpu_tables){0};
}
size_t tw_gpu_box_bytes(void)
{
    return 0;
}
int tw_gpu_box(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *source, int ns, const void *target,
               int nt, struct tw_gpu_info *info, void *work)
{
    return NO_CUDA;
}
int tw_gpu_join(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *source, int ns, const void *target,
                int nt, void *to)
{
    return NO_CUDA;
}
size_t tw_gpu_sort_bytes(int n)
{
    return 0;
}
int tw_gpu_sort(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *xyz, int n,
                const struct tw_gpu_info *info, uint64_t *key, uint32_t *order, void *work, size_t bytes)
{
    return NO_CUDA;
}
int tw_gpu_gather(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *xyz, int n,
                  const struct tw_gpu_info *info, const uint32_t *order, double *to)
{
    return NO_CUDA;
}
int tw_gpu_charges(const struct tw_cuda *q, enum tw_type type, const void *charge, int nd, int d, int n,
                   const uint32_t *order, double *to)
{
    return NO_CUDA;
}
size_t tw_gpu_moment_bytes(void)
{
    return 0;
}
int tw_gpu_moments(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return NO_CUDA;
}
int tw_gpu_scatter(const struct tw_cuda *q, const struct tw_gpu_fmm *f, int from, int n, int nd, int d, void *pot,
                   void *grad)
{
    return NO_CUDA;
}
int tw_gpu_tree(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return NO_CUDA;
}
int tw_gpu_near(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return NO_CUDA;
}
int tw_gpu_up(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return NO_CUDA;
}
int tw_gpu_m2l(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return NO_CUDA;
}
int tw_gpu_down(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return NO_CUDA;
}
int tw_gpu_end(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return NO_CUDA;
}
size_t tw_gpu_count_bytes(int cells, size_t pair_cells)
{
    return 0;
}
size_t tw_gpu_pair_bytes(int cells, size_t pair_cells)
{
    return 0;
}
size_t tw_gpu_shared_bytes(int nf, int stride)
{
    return 0;
}
