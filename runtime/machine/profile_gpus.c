/* GPUs that are not as fast as the first: factors of its rates, one for products and one for memory, which cost models
 * and predictions multiply by. Those that were found equal have 1 to the last bit, so that equal machines decide as if
 * there were no factors. */
#include <math.h>
#include <string.h>

#include "runtime/machine/gpus.h"
#include "runtime/machine/machine_profile.h"

/* Clocks and temperatures of one kind of GPU lie apart by so much. */
#define EQUAL  0.05
#define LOWEST 0.01 /* a factor below, or above 1 over it, is a clock's mistake */

const char *const tw_factor_name[TW_NFACTORS] = {"products", "memory"};

/* Written while no task runs: at the start and by tw_calibrate. */
static struct {
    double factor[TW_PROFILE_GPUS][TW_NFACTORS]; /* by CUDA's number; 0 stands for 1 */
    double units[TW_NFACTORS], best[TW_NFACTORS];
    int unequal;
} now = {.best = {1, 1}};

static enum tw_factor which_of(enum tw_rate rate)
{
    return rate == TW_RATE_MEMORY ? TW_FACTOR_MEMORY : TW_FACTOR_PRODUCTS;
}

static double factor_of(int device, enum tw_factor which)
{
    const double f = device >= 0 && device < TW_PROFILE_GPUS ? now.factor[device][which] : 0;
    return f > 0 ? f : 1;
}

double tw_gpu_factor(int device, enum tw_rate rate)
{
    return factor_of(device, which_of(rate));
}
double tw_gpu_units(enum tw_factor which)
{
    return now.units[which];
}
double tw_gpu_best(enum tw_factor which)
{
    return now.best[which];
}
int tw_gpus_alike(void)
{
    return !now.unequal;
}

double tw_factor_of(double first, double seconds)
{
    const double f = first > 0 && seconds > 0 ? first / seconds : 0;

    if (!tw_factor_plausible(f)) return 0;
    return fabs(f - 1) <= EQUAL ? 1 : f;
}

int tw_factor_plausible(double factor)
{
    return factor >= LOWEST && factor <= 1 / LOWEST;
}

/* Of a GPU beyond those that TILEWORK_GPU_RATES names: as fast as the first. */
static double relative_rate(int device, int first)
{
    const double *rate = tw_rt.config.gpu_rate;
    const int count = tw_rt.config.gpu_rates;
    return device < count && first < count ? rate[device] / rate[first] : 1;
}

void tw_gpu_factors_use(const double (*factor)[TW_NFACTORS], const int *device, int count)
{
    memset(&now, 0, sizeof now);
    for (int k = 0; k < TW_NFACTORS; k++) {
        now.best[k] = 1;
        for (int g = 0; g < count; g++) {
            if (device[g] < 0 || device[g] >= TW_PROFILE_GPUS) continue;
            now.factor[device[g]][k] =
                tw_rt.config.gpu_rates ? relative_rate(device[g], device[0]) : factor[device[g]][k];
            now.unequal |= factor_of(device[g], (enum tw_factor)k) != 1;
        }
        for (int g = 0; g < count; g++) {
            now.units[k] += factor_of(device[g], (enum tw_factor)k);
            now.best[k] = fmax(now.best[k], factor_of(device[g], (enum tw_factor)k));
        }
    }
}

void tw_gpu_factors_take(const struct tw_profile *p)
{
    int device[TW_PROFILE_GPUS], count = tw_gpus();

    if (count > TW_PROFILE_GPUS) count = TW_PROFILE_GPUS;
    for (int g = 0; g < count; g++)
        device[g] = tw_gpu_device(g);
    tw_gpu_factors_use(p->factor, device, count);
}
