/* What the passes on a GPU need before their tasks: how large the objects are, and the tables as one block that travels
 * there. */
#include "codelets/nbody/fmm_gpu.h"
#include "kernels/nbody/cuda/fmm.h"

size_t tw_fmm_gpu_work_bytes(int points)
{
    const size_t sort = tw_gpu_sort_bytes(points), box = tw_gpu_box_bytes();
    return sort > box ? sort : box;
}

size_t tw_fmm_gpu_moment_bytes(void)
{
    return tw_gpu_moment_bytes();
}

size_t tw_fmm_gpu_count_bytes(int cells, size_t pair_cells)
{
    return tw_gpu_count_bytes(cells, pair_cells);
}

size_t tw_fmm_gpu_pair_bytes(int cells, size_t pair_cells)
{
    return tw_gpu_pair_bytes(cells, pair_cells);
}

size_t tw_fmm_gpu_shared_bytes(int nf, int stride)
{
    return tw_gpu_shared_bytes(nf, stride);
}

struct tw_gpu_tables tw_fmm_gpu_layout(const struct tw_fmm_gpu_tables *of, size_t *bytes)
{
    const struct tw_gpu_tables layout = of->kind == TW_GPU_PLANE      ? tw_gpu_plane_layout(of->plane)
                                        : of->kind == TW_GPU_COUNTING ? tw_gpu_counting_layout()
                                                                      : tw_gpu_tables_layout(of->tables, !of->points);
    *bytes = tw_gpu_tables_bytes(&layout);
    return layout;
}

void tw_fmm_gpu_fill(const struct tw_fmm_gpu_tables *of, const struct tw_gpu_tables *layout, void *blob)
{
    switch (of->kind) {
    case TW_GPU_PLANE: tw_gpu_plane_fill(of->plane, layout, blob); break;
    case TW_GPU_COUNTING: tw_gpu_counting_fill(layout, blob); break;
    default: tw_gpu_tables_fill(of->tables, layout, blob);
    }
}

size_t tw_fmm_gpu_levels_bytes(const struct tw_gpu_tables *layout, int levels)
{
    return tw_gpu_levels_bytes(layout, levels);
}

void tw_fmm_gpu_levels_fill(const struct tw_gpu_tables *layout, const struct tw_yukawa_level *level, int levels,
                            void *blob)
{
    tw_gpu_levels_fill(layout, level, levels, blob);
}
