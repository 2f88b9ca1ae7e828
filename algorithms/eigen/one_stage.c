/* Where a reduction in one stage runs. */
#include "algorithms/eigen/one_stage.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"

/* The matrix, a panel's results twice, since the next one's are asked for while it runs, and what the kernels and
 * StarPU need beside. */
static int fits(const struct tw_one_stage *p)
{
    const double memory = (double)tw_gpu_memory(),
                 bytes = (double)tw_sizeof(p->type) * (p->m * p->n + 8 * 64 * (p->m + p->n));
    return p->m < INT32_MAX && (memory <= 0 || bytes + 0x1p28 <= 0.8 * memory);
}

int tw_one_stage_place(const struct tw_one_stage *p)
{
    int ncuda;
    const int cores = tw_worker_count(&ncuda) - ncuda;
    double on_cores, on_gpu;

    if (tw_gpus() == 0 || !fits(p)) return TW_ON_CPUS;
    if (tw_reproducible() || cores == 0 || tw_variable_is_on(TW_TILEWORK_FORCE_CUDA)) return TW_ON_GPU(0);
    tw_one_stage_predict(p, cores, &on_cores, &on_gpu);
    return on_gpu < on_cores ? TW_ON_GPU(0) : TW_ON_CPUS;
}

tw_int tw_one_stage_width(int place, tw_int n, int panel)
{
    return place == TW_ON_CPUS ? tw_min(n, (tw_columns_for_cores(n) + panel - 1) / panel * panel) : n;
}

struct tw_data *tw_panel_object(enum tw_type type, int m, int n)
{
    struct tw_data *d = tw_data_tile(type, m, n);
    tw_int step = 1;

    if (!d || tw_gpus() == 0) return d;
    while (step <= m / 8)
        step *= 2;
    d->room = (size_t)((m + step - 1) / step * step) * (size_t)n * d->elemsize;
    return d;
}
