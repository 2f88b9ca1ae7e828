/* One stage of a long transform, on any device: transforms of n points along a dimension of an array, whose results are
 * multiplied by roots of unity and stored anywhere. */
#ifndef TW_TYPES_FFT_STAGE_H
#define TW_TYPES_FFT_STAGE_H
#include <tilework/runtime.h>

/* Elements from one point of a transform to the next, from one transform (column) to the next, and between groups of
 * `cols` transforms. */
struct tw_fft_layout {
    tw_int point, col, outer;
};
struct tw_fft_stage {
    tw_int n, cols, outer;        /* points; `outer` groups of `cols` transforms */
    struct tw_fft_layout in, out; /* the same: in place is allowed */
    /* result k of column c is multiplied by exp(sign 2 pi i k (first + c) / roots); roots = 0: it is not */
    tw_int roots, first;
    int sign;
    double scale;
};
#endif
