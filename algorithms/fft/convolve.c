/* Circular convolution and correlation of real arrays: two transforms, a product, one transform back. */
#include <stdlib.h>
#include "algorithms/fft/fft.h"

int tw_fft_convolve(enum tw_type type, int rank, const tw_int *n, const void *a, const void *b, void *c, int correlate)
{
    tw_fft *forward = NULL, *backward = NULL;
    void *fa = NULL, *fb = NULL;
    tw_int count;
    int e;

    if (!tw_type_ok(type)) return tw_illegal("tw_fft_convolve", 1, "not a type");
    if (rank < 1 || rank > 3) return tw_illegal("tw_fft_convolve", 2, "the rank is not 1, 2 or 3");
    if (!n) return tw_illegal("tw_fft_convolve", 3, "NULL");
    for (int d = 0; d < rank; d++)
        if (n[d] < 1 || n[d] > (tw_int)1 << 59) return tw_illegal("tw_fft_convolve", 3, "a size is not in 1 … 2^59");
    if (!a || !b || !c) return tw_illegal("tw_fft_convolve", !a ? 4 : !b ? 5 : 6, "NULL");
    if (!(e = tw_fft_plan(&forward, type, TW_FFT_R2C, rank, n, 1, TW_FFT_FORWARD, NULL)) &&
        !(e = tw_fft_plan(&backward, type, TW_FFT_C2R, rank, n, 1, TW_FFT_BACKWARD, NULL))) {
        count = (tw_int)(forward->out_bytes / forward->k->bytes);
        if (posix_memalign(&fa, 64, forward->out_bytes) || posix_memalign(&fb, 64, forward->out_bytes))
            e = tw_fail(TW_E_MEMORY, "tw_fft_convolve: no memory for two transforms of %zu bytes", forward->out_bytes);
        if (!e && !(e = tw_fft_execute(forward, a, fa)) && !(e = tw_fft_execute(forward, b, fb)) &&
            !(e = tw_fft_multiply(forward, fa, fb, count, correlate, 1 / (double)forward->points)))
            e = tw_fft_execute(backward, fa, c);
    }
    free(fb);
    free(fa);
    tw_fft_destroy(backward);
    tw_fft_destroy(forward);
    return e;
}
