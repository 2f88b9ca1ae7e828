/* A build without CUDA: in place of the room's other files, so that codelets are the same in both. No worker drives a
 * GPU then, so that nothing looks into the tables. */
#include "kernels/eigen/cuda/diamond.h"
#include "kernels/eigen/cuda/hb2st.h"
#include "kernels/eigen/cuda/laed_cuda.h"
#include "kernels/eigen/cuda/lahr2.h"
#include "kernels/eigen/cuda/latrd.h"
#include "kernels/eigen/cuda/sytrd.h"

const struct tw_diamond_cuda *const tw_diamond_cuda[TW_NTYPES] = {NULL};
const tw_hb2st_cuda_fn tw_hb2st_cuda[TW_NTYPES] = {NULL};
const struct tw_cuda_laed_kernels tw_cuda_slaed = {0}, tw_cuda_dlaed = {0};
const tw_lahr2_cuda_fn tw_lahr2_cuda[TW_NTYPES] = {NULL};
const tw_latrd_cuda_fn tw_latrd_cuda[TW_NTYPES] = {NULL};
const struct tw_sytrd_cuda *const tw_sytrd_cuda[TW_NTYPES] = {NULL};

size_t tw_latrd_cuda_work(enum tw_type type, int n, int columns, int nb, int tiles)
{
    (void)type, (void)n, (void)columns, (void)nb, (void)tiles;
    return 0;
}
size_t tw_lahr2_cuda_work(enum tw_type type, int rows, int above, int columns)
{
    (void)type, (void)rows, (void)above, (void)columns;
    return 0;
}
