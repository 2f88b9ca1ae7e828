/* How many transforms of a batch the CPUs take while GPUs do the others: as many as make both end together, by their
 * estimated speeds. */
#include <math.h>
#include "algorithms/fft/fft_plan.h"

static double on_cpus(const struct tw_fft_speeds *s, tw_int rows)
{
    return rows ? s->cpu_start + s->cpu_each * (double)tw_fft_ceil(rows, s->cpu_at_once) : 0;
}
static double on_gpus(const struct tw_fft_speeds *s, tw_int rows)
{
    return rows ? s->gpu_start + s->gpu_each * (double)rows : 0;
}
static double on_both(const struct tw_fft_speeds *s, tw_int rows, tw_int on_cpu)
{
    return fmax(on_cpus(s, on_cpu), on_gpus(s, rows - on_cpu));
}

double tw_fft_learned(double before, double seconds, double start, tw_int rounds)
{
    const double each = fmax(0.1 * seconds, seconds - start) / (double)rounds;
    return before > 0 ? 0.5 * (before + each) : each;
}

tw_int tw_fft_cpu_share(const struct tw_fft_speeds *s, tw_int rows, double *seconds)
{
    tw_int low = 1, high = rows - 1;

    /* the fewest with which the CPUs end last: the CPUs' time grows with their share, the GPUs' shrinks */
    while (low < high) {
        tw_int middle = low + (high - low) / 2;
        if (on_cpus(s, middle) >= on_gpus(s, rows - middle))
            high = middle;
        else
            low = middle + 1;
    }
    if (low > 1 && on_both(s, rows, low - 1) < on_both(s, rows, low)) low--;
    *seconds = on_both(s, rows, low);
    return low;
}
