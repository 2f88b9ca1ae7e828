/* The kernels of one precision. */
#include "kernels/fft/cpu/typed_fft.h"

extern const struct tw_fft_cpu_kernels TW_NAME(tw_fft_cpu_table_, );

const struct tw_fft_cpu_kernels TW_NAME(tw_fft_cpu_table_, ) = {
    .plan = FFT(plan),
    .release = FFT(release),
    .run = FFT(run),
    .aligned = FFT(aligned),
    .columns = FFT(columns),
    .stage = FFT(stage),
    .chirp = FFT(chirp),
    .fold = FFT(fold),
    .unfold = FFT(unfold),
    .split = FFT(split),
    .join = FFT(join),
    .scale = FFT(scale),
    .multiply = FFT(multiply),
    .wisdom_export = FFT(wisdom_export),
    .wisdom_import = FFT(wisdom_import),
    .version = FFT(version),
    .planned = FFT(planned),
    .bytes = 2 * sizeof(R),
};
