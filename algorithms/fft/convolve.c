/* Circular convolution and correlation of real arrays: a filter whose table is the transform of the second, or its
 * conjugate. */
#include "algorithms/fft/strips.h"

int tw_fft_convolve(enum tw_type type, int rank, const tw_int *n, const void *a, const void *b, void *c, int correlate)
{
    static const char name[] = "tw_fft_convolve";
    tw_fft_filter *f = NULL;
    int e;

    if (!tw_type_ok(type)) return tw_illegal(name, 1, "not a type");
    if (rank < 1 || rank > 3) return tw_illegal(name, 2, "the rank is not 1, 2 or 3");
    if (!n) return tw_illegal(name, 3, "NULL");
    for (int d = 0; d < rank; d++)
        if (n[d] < 1 || n[d] > (tw_int)1 << 59) return tw_illegal(name, 3, "a size is not in 1 … 2^59");
    if (!a || !b || !c) return tw_illegal(name, !a ? 4 : !b ? 5 : 6, "NULL");
    e = tw_fft_filter_with(&f, type, rank, n, b, correlate);
    if (!e && (e = tw_fft_filter_execute(f, a, c)) == -3)
        e = tw_illegal(name, 6, "it overlaps the first array without being the same");
    tw_fft_filter_destroy(f);
    return e;
}
