/* The small transforms in single precision. */
#include "kernels/fft/cuda/small_entries.cuh"

const struct tw_small_entry *tw_small_entry_float(int kind, int m)
{
    return tw_small_entry_for<float>(kind, m);
}
