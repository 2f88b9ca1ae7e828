/* Finding, preparing and launching the kernels of the stages of long transforms. */
#include <cuda_runtime.h>
#include "kernels/fft/cuda/fft_cuda.h"
#include "kernels/fft/cuda/small.h"
#include "kernels/fft/cuda/stage_choices.cuh"
#include "kernels/fft/cuda/small_roots.h"
extern "C" {
#include "runtime/base/error.h"
}

template <class R, int M> static struct tw_small_entry entry_of(void)
{
    typedef tw_fft_stage_choice<R, M> S;
    constexpr int blocks = 65536 / (S::threads * S::registers);

    return {(const void *)tw_fft_stage_kernel<S, blocks>,
            S::threads,
            S::B,
            S::shared_bytes,
            S::total,
            tw_small_fill<typename S::alone>};
}

template <class R> static const struct tw_small_entry *find(tw_int n)
{
    static const struct tw_small_entry entries[] = {entry_of<R, 256>(), entry_of<R, 512>(), entry_of<R, 1024>(),
                                                    entry_of<R, 2048>()};

    for (int m = TW_STAGE_LEAST; m <= TW_STAGE_MOST; m++)
        if (n == (tw_int)1 << m) return &entries[m - TW_STAGE_LEAST];
    tw_fail(TW_E_INTERNAL, "there is no kernel for a stage of %lld points", (long long)n);
    return NULL;
}

static const struct tw_small_entry *find_any(int single, tw_int n)
{
    return single ? find<float>(n) : find<double>(n);
}

int tw_fft_cuda_stage_plan(const struct tw_fft_gpu *q, int single, tw_int n)
{
    const struct tw_small_entry *e = find_any(single, n);

    return !e || tw_small_make_ready(q, e, single);
}

int tw_fft_cuda_stage(const struct tw_fft_gpu *q, int single, const struct tw_fft_stage *s, const void *in, void *out)
{
    const struct tw_small_entry *e = find_any(single, s->n);
    struct tw_fft_stage_args args = {in, out, *s, 0, s->roots ? -2.0 / (double)s->roots : 0, NULL};

    if (!e || tw_small_table_of(q, e, &args.table)) return 1;
    if (s->cols <= 0 || s->outer <= 0) return 0;
    args.blocks = (s->cols + e->batch - 1) / e->batch;
    return tw_small_launch(q, e, args.blocks * s->outer, &args);
}

size_t tw_fft_cuda_stage_shared(int single, tw_int n)
{
    const struct tw_small_entry *e = find_any(single, n);

    return e ? (size_t)e->shared : SIZE_MAX;
}
