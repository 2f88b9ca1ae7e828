/* A build without CUDA: in place of the room's other files, so that codelets are the same in both. No GPU is ever in
 * use then (tw_gpus), and so no task and no plan comes here; what is called all the same says that it failed. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "kernels/fft/cuda/moves.h"
#include "kernels/fft/cuda/small.h"

enum { NO_CUDA = 1 };

int tw_fft_cuda_columns(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, void *work, size_t bytes)
{
    return NO_CUDA;
}
int tw_fft_cuda_columns_plan(int single, tw_int n, tw_int w, tw_int ld, size_t *bytes, const struct tw_fft_gpu *q)
{
    return NO_CUDA;
}
int tw_fft_cuda_rows(const struct tw_fft_gpu *q, const struct tw_fft_cuda_rows *r, void *work, size_t bytes)
{
    return NO_CUDA;
}
int tw_fft_cuda_rows_plan(const struct tw_fft_cuda_rows *r, size_t *bytes, const struct tw_fft_gpu *q)
{
    return NO_CUDA;
}
int tw_fft_cuda_many(const struct tw_fft_gpu *q, const struct tw_fft_cuda_many *w, const void *in, void *out,
                     void *work, size_t bytes)
{
    return NO_CUDA;
}
int tw_fft_cuda_many_plan(const struct tw_fft_cuda_many *w, size_t *bytes, const struct tw_fft_gpu *q)
{
    return NO_CUDA;
}
int tw_fft_cuda_stage(const struct tw_fft_gpu *q, int single, const struct tw_fft_stage *s, const void *in, void *out)
{
    return NO_CUDA;
}
int tw_fft_cuda_stage_plan(const struct tw_fft_gpu *q, int single, tw_int n)
{
    return NO_CUDA;
}
size_t tw_fft_cuda_stage_shared(int single, tw_int n)
{
    return 0;
}
int tw_fft_cuda_transfers(const struct tw_fft_gpu *q, const struct tw_fft_transfer *piece, int count)
{
    return NO_CUDA;
}
int tw_fft_cuda_transfers_plan(const struct tw_fft_gpu *q)
{
    return NO_CUDA;
}
int tw_fft_cuda_where(const void *p, int *device)
{
    *device = -1;
    return 0;
}
int tw_fft_cuda_copy(const struct tw_fft_gpu *q, int single, int reals, int64_t rows, int64_t cols, const void *src,
                     int64_t lds, void *dst, int64_t ldd, double scale)
{
    return NO_CUDA;
}
enum tw_small_answer tw_fft_cuda_small_measure(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l)
{
    return TW_SMALL_UNKNOWN;
}
int tw_fft_cuda_small_model(int device, char *name, size_t length, int *cufft)
{
    return -1;
}
