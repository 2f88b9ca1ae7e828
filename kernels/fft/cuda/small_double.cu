/* The small transforms in double precision. */
#include "kernels/fft/cuda/small_entries.cuh"

const struct tw_small_entry *tw_small_entry_double(int kind, int m)
{
    return tw_small_entry_for<double>(kind, m);
}
