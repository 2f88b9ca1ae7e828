/* What the FFT family's codelets share. */
#ifndef TW_CODELETS_FFT_FFT_BODIES_H
#define TW_CODELETS_FFT_FFT_BODIES_H
#include <stdlib.h>
#include "codelets/fft/fft_tasks.h"
#include "kernels/fft/cpu/fft_cpu.h"
#include "codelets/fft/gpu.h"
#include "kernels/fft/cuda/fft_cuda.h"

struct tw_fft_cuda_rows tw_fft_cuda_rows_of(const struct tw_fft_rows *r, tw_int rows, int nin, int nout);

static inline const struct tw_fft_cpu_kernels *tw_fft_kernels(enum tw_type type)
{
    return tw_fft_cpu[!tw_is_single(type)];
}

/* In main memory the blocks of an array lie where they lay when they were registered, so that a CPU body works on the
 * whole. These say whether that is so. */
static inline int tw_fft_stacked(const struct tw_buffer *b, int count, size_t size)
{
    for (int k = 1; k < count; k++)
        if (b[k].ld != b->ld || (char *)b[k].ptr != (char *)b[k - 1].ptr + size * (size_t)b[k - 1].n * (size_t)b->ld)
            return 0;
    return 1;
}
static inline int tw_fft_abreast(const struct tw_buffer *b, int count, size_t size)
{
    for (int k = 1; k < count; k++)
        if (b[k].ld != b->ld || (char *)b[k].ptr != (char *)b[k - 1].ptr + size * (size_t)b[k - 1].m) return 0;
    return 1;
}
#endif
